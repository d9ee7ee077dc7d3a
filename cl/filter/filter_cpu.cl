/* SPDX-License-Identifier: MIT */
/*
 * filter_cpu: the steps of a filter or partition on a tile for CPU devices (chain/compact_cpu_template.cl). Marks are a
 * bit for each element, and no branch depends on them: 32 elements at a time are compressed to the end of a piece for
 * each part (cpu/compress.cl).
 *
 * needs: nothing
 * provides: clf_filter_cpu_marks, clf_filter_cpu_reduce, clf_filter_cpu_write
 */
#include "filter/filter_count.cl"
#include "segments/segment.cl"
#include "cpu/piece.cl"
#include "cpu/strip.cl"

/* Results of a part brought together, field by field: some 4 KB for all parts. */
enum { CLF_FILTER_PIECE = CLF_PIECE_MOST(4096 / CLF_OUT_SETS / sizeof(clf_value)) };
#define CLF_FILTER_PIECE_FIELD(f, type, move, bytes, name) type name[CLF_PIECE_ROOM(CLF_FILTER_PIECE)];
#define CLF_FILTER_PIECE_ADD(f, type, move, bytes, name) CLF_COMPRESS_##bytes(x->p##f, bits, p->name + some)
#define CLF_FILTER_PIECE_FLUSH(f, type, move, bytes, name) \
    CLF_PIECE_STORE(type, bytes, p->name, out->p##f, end->to, some, stream) \
    CLF_PIECE_MOVE(p->name, count, end->some)
typedef struct {
    CLF_VALUE_FIELDS(CLF_FILTER_PIECE_FIELD)
} clf_filter_piece;

static inline void clf_filter_piece_add(clf_filter_piece *p, uint some, const clf_strip *x, uint bits)
{
    CLF_VALUE_FIELDS(CLF_FILTER_PIECE_ADD)
}

/* Writes the piece, or all that ends with a line. */
static inline void clf_part_flush(const clf_arguments *a, const clf_outputs *out, clf_filter_piece *p,
                                  clf_piece_end *end, bool all)
{
    const bool stream = a->flags & CLF_ARG_STREAM;
    const uint count = clf_piece_whole(end, all), some = (uint)clf_filter_room(a, end->to, count);
    CLF_VALUE_FIELDS(CLF_FILTER_PIECE_FLUSH)
    clf_piece_written(end, count);
}

/* Elements of a strip to the end of the piece, which is written when it is full. */
static inline void clf_part_add(const clf_arguments *a, const clf_outputs *out, clf_filter_piece *p, clf_piece_end *end,
                                const clf_strip *x, uint bits)
{
    clf_filter_piece_add(p, end->some, x, bits);
    end->some += popcount(bits);
    if (end->some > CLF_FILTER_PIECE)
        clf_part_flush(a, out, p, end, false);
}

/* ---- A tile --------------------------------------------------------------------------------------------- */

/* Which of a tile's elements are in each part that is marked: a bit for each. */
enum { CLF_FILTER_STRIPS = (CLF_TILE + CLF_STRIP - 1) / CLF_STRIP };
typedef struct {
    uint part[CLF_MARKED_PARTS][CLF_FILTER_STRIPS];
} clf_filter_cpu_marks;

/* Bits of `part`. The first element of all is asked for by itself. */
static inline uint clf_strip_bits(const clf_arguments *a, ulong i, uint some, uint part)
{
    uint bits = 0;
    if (some == CLF_STRIP && i > 0)
        CLF_STRIP_MARK_WHOLE(bits, clf_filter_part_behind(a, i + k) == part)
    else
        CLF_STRIP_MARK_SOME(bits, some, clf_filter_part_at(a, i + k) == part)
    return bits;
}

/* Marks all elements; returns how many are in each part. */
static inline clf_state clf_filter_cpu_reduce(const clf_arguments *a, ulong first, uint count,
                                              clf_filter_cpu_marks *marks)
{
    uint counts[2] = {0, 0};
    CLF_LOOP for (uint done = 0; done < count; done += CLF_STRIP) {
        const uint some = min((uint)CLF_STRIP, count - done);
        CLF_UNROLL for (uint part = 0; part < CLF_MARKED_PARTS; ++part) {
            marks->part[part][done / CLF_STRIP] = clf_strip_bits(a, first + done, some, part);
            counts[part] += popcount(marks->part[part][done / CLF_STRIP]);
        }
    }
    return clf_filter_state_of(counts[0], counts[1]);
}

/*
 * Writes the elements from `first` on, behind the results before them, `to`. In place no result is written where an
 * element has yet to be read: all are marked, and those of a piece are read before it is written.
 */
static inline void clf_filter_cpu_write(const clf_arguments *a, ulong first, uint count,
                                        const clf_filter_cpu_marks *marks, clf_state to, clf_state all_kept)
{
    clf_filter_piece piece[CLF_OUT_SETS];
    clf_piece_end end[3] = {{clf_first_of(to), 0}, {clf_second_of(to), 0}, {0, 0}};
    end[CLF_OUT_SETS == 2 ? 1 : 2].to = first - clf_first_of(to) - clf_second_of(to);
    CLF_LOOP for (uint done = 0; done < count; done += CLF_STRIP) {
        const uint some = min((uint)CLF_STRIP, count - done), all = ~0u >> (CLF_STRIP - some);
        const uint firsts = marks->part[0][done / CLF_STRIP];
        if (CLF_OUT_SETS == 1 && firsts == 0)
            continue;
        clf_strip x;
        clf_strip_get(a, first + done, some, &x);
        clf_part_add(a, &a->out, &piece[0], &end[0], &x, firsts);
#if CLF_OUT_SETS == 2
        clf_part_add(a, &a->second, &piece[1], &end[1], &x, all & ~firsts);
#elif CLF_OUT_SETS > 2
        const uint seconds = marks->part[1][done / CLF_STRIP];
        clf_part_add(a, &a->second, &piece[1], &end[1], &x, seconds);
        clf_part_add(a, &a->third, &piece[2], &end[2], &x, all & ~firsts & ~seconds);
#endif
    }
    clf_part_flush(a, &a->out, &piece[0], &end[0], true);
#if CLF_OUT_SETS > 1
    clf_part_flush(a, &a->second, &piece[1], &end[1], true);
#if CLF_OUT_SETS > 2
    clf_part_flush(a, &a->third, &piece[2], &end[2], true);
#endif
#endif
    clf_filter_tell(a, first + count, clf_total(a), all_kept);
}
