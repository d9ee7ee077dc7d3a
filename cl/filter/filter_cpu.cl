/* SPDX-License-Identifier: MIT */
/*
 * filter_cpu: single-pass filter or partition for CPU devices: work-groups of one work-item, one per core.
 *
 * A group takes tiles by ticket until there are none. A tile stays in the core's cache between its two readings: count,
 * publish, look back, keep. No branch depends on what is kept: results of a piece of the tile are brought together in a
 * buffer for each part, each written where the next belongs, whether it is in that part or not.
 */
#include "filter/filter_count.cl"
#include "chain/lookback.cl"

typedef uchar clf_filter_cpu_storage; /* none needed */

/* Results of a part brought together, field by field: some 2 KB for all parts. */
enum {
    CLF_PIECE_FIT = 2048 / CLF_OUT_SETS / sizeof(clf_value),
    CLF_PIECE = CLF_PIECE_FIT < 64 ? 64 : CLF_PIECE_FIT
};
#define CLF_PIECE_FIELD(f, type, move, bytes, name) type name[CLF_PIECE];
#define CLF_PIECE_SET(f, type, move, bytes, name) p->name[k] = v.name;
#define CLF_PIECE_FLUSH(f, type, move, bytes, name) \
    { \
        __global type *const begin = out->p##f + to; \
        CLF_LOOP for (uint k = 0; k < some; ++k) \
            begin[k] = p->name[k]; \
    }
typedef struct {
    CLF_VALUE_FIELDS(CLF_PIECE_FIELD)
} clf_piece;

static inline void clf_piece_set(clf_piece *p, uint k, clf_value v)
{
    CLF_VALUE_FIELDS(CLF_PIECE_SET)
}

static inline void clf_piece_flush(const clf_outputs *out, const clf_piece *p, ulong to, uint some)
{
    CLF_VALUE_FIELDS(CLF_PIECE_FLUSH)
}

/* ---- A tile --------------------------------------------------------------------------------------------- */

/* The first element, which may be the first of all, apart: so compilers vectorise the rest. */
static inline clf_state clf_filter_cpu_count(const clf_arguments *a, ulong first, uint count)
{
    const uint begin = clf_part_at(a, first);
    uint firsts = begin == 0, seconds = begin == 1;
    for (uint k = 1; k < count; ++k) {
        const uint part = clf_part_behind(a, first + k);
        firsts += part == 0;
        seconds += part == 1;
    }
    return clf_state_of(firsts, seconds);
}

/* Where results of each part go next: in their pieces, and in the outputs. */
typedef struct {
    uint first, second, third;
} clf_piece_ends;

/* One element to the end of every piece; only its own part's piece then has one more. */
static inline void clf_pieces_add(clf_piece *piece, clf_piece_ends *end, clf_value v, uint part)
{
    clf_piece_set(&piece[0], end->first, v);
    end->first += part == 0;
#if CLF_OUT_SETS > 1
    clf_piece_set(&piece[1], end->second, v);
    end->second += CLF_OUT_SETS == 2 ? part != 0 : part == 1;
#endif
#if CLF_OUT_SETS > 2
    clf_piece_set(&piece[2], end->third, v);
    end->third += part > 1;
#endif
}

/* `others`: results of the last part. */
static inline void clf_pieces_flush(const clf_arguments *a, const clf_piece *piece, const clf_piece_ends *end,
                                    clf_state to, ulong others)
{
    const ulong first = clf_first_of(to);
    clf_piece_flush(&a->out, &piece[0], first, (uint)clf_filter_room(a, first, end->first));
#if CLF_OUT_SETS > 1
    const ulong second = CLF_OUT_SETS == 2 ? others : clf_second_of(to);
    clf_piece_flush(&a->second, &piece[1], second, (uint)clf_filter_room(a, second, end->second));
#endif
#if CLF_OUT_SETS > 2
    clf_piece_flush(&a->third, &piece[2], others, (uint)clf_filter_room(a, others, end->third));
#endif
}

/*
 * Keeps elements from `first` on, behind the results before; returns how many there are then. In place no result is
 * written where an element has yet to be read: the part of each piece's first element, which may depend on the one
 * before it, is found before the results of the piece before are written.
 */
static inline clf_state clf_filter_cpu_keep(const clf_arguments *a, ulong first, uint count, clf_state to)
{
    uint next = clf_part_at(a, first);
    for (uint done = 0; done < count; done += CLF_PIECE) {
        const uint some = min((uint)CLF_PIECE, count - done);
        const ulong others = first + done - clf_first_of(to) - clf_second_of(to);
        clf_piece piece[CLF_OUT_SETS];
        clf_piece_ends end = {0, 0, 0};
        CLF_LOOP for (uint k = 0; k < some; ++k) {
            const ulong i = first + done + k;
            clf_extra none;
            const uint part = k > 0 ? clf_part_behind(a, i) : next;
            clf_pieces_add(piece, &end, clf_map_at(a, clf_input_at(&a->in, i), i, &none), part);
        }
        if (some < count - done)
            next = clf_part_behind(a, first + done + some);
        clf_pieces_flush(a, piece, &end, to, others);
        to = clf_state_combine(to, clf_state_of(end.first, CLF_OUT_SETS > 2 ? end.second : 0));
    }
    return to;
}

/* ---- Groups --------------------------------------------------------------------------------------------- */

/* The one group keeps from all tiles, and need not count. */
static inline void clf_filter_cpu_one(const clf_arguments *a)
{
    const uint tiles = clf_tiles(a);
    const ulong total = clf_total(a);
    clf_state to = clf_state_neutral();
    for (uint tile = 0; tile < tiles; ++tile)
        to = clf_filter_cpu_keep(a, (ulong)tile * CLF_TILE, clf_tile_count(a, tile), to);
    clf_filter_tell(a, total, total, to);
}

static inline void clf_filter_cpu_tile(const clf_arguments *a, uint tile)
{
    const uint count = clf_tile_count(a, tile);
    const ulong first = (ulong)tile * CLF_TILE;
    const clf_state kept = clf_filter_cpu_count(a, first, count);
    if (tile > 0)
        clf_publish(a, tile, kept, CLF_MESSAGE_AGGREGATE, true);
    clf_chain_count(a, CLF_COUNT_LOOKBACKS);
    const clf_state to = clf_lookback_serial(a, tile), end = clf_state_combine(to, kept);
    clf_publish(a, tile, end, CLF_MESSAGE_PREFIX, false);
    (void)clf_filter_cpu_keep(a, first, count, to);
    clf_filter_tell(a, first + count, clf_total(a), end);
}

CLF_INLINE void clf_filter_cpu_body(const clf_arguments *a, __local clf_filter_cpu_storage *s)
{
    if (get_num_groups(0) == 1) {
        clf_filter_cpu_one(a);
        return;
    }
    clf_filter_tell_nothing(a, clf_total(a));
    const uint tiles = clf_tiles(a);
    for (;;) {
        const uint tile = clf_ticket_take((volatile __global uint *)a->scratch) - a->ticket;
        if (tile >= tiles)
            break;
        clf_filter_cpu_tile(a, tile);
    }
}
