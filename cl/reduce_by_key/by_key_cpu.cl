/* SPDX-License-Identifier: MIT */
/*
 * by_key_cpu: the steps of a reduction by key on a tile for CPU devices (chain/compact_cpu_template.cl). Marks are a
 * bit for each element. A strip of 32 elements is mapped, by vectors if the compiler can; its values are summed one
 * after the other, and each sum is written where the next result belongs, whether the run ends there or not. Extra
 * outputs are compressed by the marks (cpu/compress.cl). Where runs of one element are left out, there is a second bit
 * for each element (by_key_state.cl).
 *
 * needs: nothing
 * provides: clf_by_key_cpu_marks, clf_by_key_cpu_reduce, clf_by_key_cpu_write
 */
#include "reduce_by_key/by_key_state.cl"
#include "segments/segment.cl"
#include "cpu/piece.cl"
#include "cpu/strip.cl"

/* ---- Results -------------------------------------------------------------------------------------------- */

/* Brought together, field by field: some 4 KB. */
enum { CLF_SHARES = 2, CLF_BY_KEY_PIECE = CLF_PIECE_MOST(8192 / CLF_SHARES / (sizeof(clf_value) + sizeof(clf_extra))) };
#define CLF_BY_KEY_PIECE_VALUE(f, type, move, bytes, name) type p##f[CLF_PIECE_ROOM(CLF_BY_KEY_PIECE)];
#define CLF_BY_KEY_PIECE_EXTRA(f, type, move, bytes, name) type e##f[CLF_PIECE_ROOM(CLF_BY_KEY_PIECE)];
typedef struct {
    CLF_VALUE_FIELDS(CLF_BY_KEY_PIECE_VALUE)
    CLF_EXTRA_FIELDS(CLF_BY_KEY_PIECE_EXTRA)
} clf_by_key_piece;

/*
 * Value k of a strip: writes what the run before it adds up to where the next head's result belongs, whether it is a
 * head or not. Returns what follows from `sum`.
 */
#define CLF_BY_KEY_STRIP_GET(f, type, move, bytes, name) v.name = s->p##f[k];
#define CLF_BY_KEY_PIECE_SET(f, type, move, bytes, name) p->p##f[place] = sum.name;
static inline clf_value clf_by_key_piece_add_value(clf_by_key_piece *p, uint place, const clf_strip *s, uint k,
                                                   bool head, clf_value sum CLF_COMBINE_PARAMETER)
{
    clf_value v;
    CLF_VALUE_FIELDS(CLF_BY_KEY_STRIP_GET)
    CLF_VALUE_FIELDS(CLF_BY_KEY_PIECE_SET)
    return clf_sum_next(sum, v, head CLF_COMBINE_A);
}

/* A whole strip without heads. */
static inline clf_value clf_strip_reduce(const clf_strip *s, clf_value sum CLF_COMBINE_PARAMETER)
{
    CLF_EACH_OF_STRIP for (uint k = 0; k < CLF_STRIP; ++k) {
        clf_value v;
        CLF_VALUE_FIELDS(CLF_BY_KEY_STRIP_GET)
        sum = clf_combine(sum, v);
    }
    return sum;
}

/* Extra outputs of heads to the end of a piece. */
#define CLF_BY_KEY_PIECE_ADD_EXTRA(f, type, move, bytes, name) CLF_COMPRESS_##bytes(s->e##f, heads, p->e##f + some)
static inline void clf_by_key_piece_add_extras(clf_by_key_piece *p, uint some, const clf_strip *s, uint heads)
{
    CLF_EXTRA_FIELDS(CLF_BY_KEY_PIECE_ADD_EXTRA)
}

/* Writes the piece, or all that ends with a line. What the first head of all has left belongs before value 0. */
#define CLF_BEFORE_ALL (~(ulong)0)
#define CLF_BY_KEY_PIECE_FLUSH_VALUE(f, type, move, bytes, name) \
    CLF_PIECE_STORE(type, bytes, p->p##f + none, a->out.p##f, to, some, stream) \
    CLF_PIECE_MOVE(p->p##f, count, end->some)
#define CLF_BY_KEY_PIECE_GET(f, type, move, bytes, name) v.name = p->p##f[none + k];
#define CLF_BY_KEY_PIECE_MOVE(f, type, move, bytes, name) CLF_PIECE_MOVE(p->p##f, count, end->some)
static inline void clf_by_key_piece_flush_values(const clf_arguments *a, clf_by_key_piece *p, clf_piece_end *end,
                                                 bool all)
{
    const bool stream = a->flags & CLF_ARG_STREAM;
    const uint count = clf_piece_whole(end, all), none = end->to == CLF_BEFORE_ALL && count > 0 ? 1 : 0;
    const ulong to = end->to + none;
    const uint some = (uint)clf_by_key_room(a, to, count - none);
    CLF_WHERE_FINISHED((void)stream; for (uint k = 0; k < some; ++k) {
        clf_value v;
        CLF_VALUE_FIELDS(CLF_BY_KEY_PIECE_GET)
        clf_by_key_write(a, to + k, v);
    })
    CLF_VALUE_FIELDS(CLF_FINISHED(CLF_BY_KEY_PIECE_MOVE, CLF_BY_KEY_PIECE_FLUSH_VALUE))
    clf_piece_written(end, count);
}

#define CLF_BY_KEY_PIECE_FLUSH_EXTRA(f, type, move, bytes, name) \
    CLF_PIECE_STORE(type, bytes, p->e##f, a->out.e##f, end->to, some, stream) \
    CLF_PIECE_MOVE(p->e##f, count, end->some)
static inline void clf_by_key_piece_flush_extras(const clf_arguments *a, clf_by_key_piece *p, clf_piece_end *end,
                                                 bool all)
{
    const bool stream = a->flags & CLF_ARG_STREAM;
    const uint count = clf_piece_whole(end, all), some = (uint)clf_by_key_room(a, end->to, count);
    CLF_EXTRA_FIELDS(CLF_BY_KEY_PIECE_FLUSH_EXTRA)
    clf_piece_written(end, count);
}

/* ---- A share of a tile ---------------------------------------------------------------------------------- */

/*
 * A sum waits for the one before it. So a tile has CLF_SHARES shares that are written side by side; what each begins
 * with follows from what those before it add up to.
 */
enum {
    CLF_BY_KEY_SHARE = (CLF_TILE + CLF_SHARES * CLF_STRIP - 1) / (CLF_SHARES * CLF_STRIP) * CLF_STRIP,
    CLF_BY_KEY_STRIPS = CLF_BY_KEY_SHARE / CLF_STRIP
};
typedef struct {
    uint strip[CLF_BY_KEY_STRIPS]; /* which elements are heads: a bit for each */
#if CLF_NONTRIVIAL
    uint alone[CLF_BY_KEY_STRIPS]; /* which are runs by themselves, and no heads */
#endif
} clf_by_key_marks;
typedef struct {
    ulong first;
    uint count, done;
    clf_value sum; /* of the run that is open behind what is done */
    clf_piece_end values, extras;
} clf_by_key_share;

/* Bits of heads. The first element of all is asked for by itself. */
static inline uint clf_strip_heads(const clf_arguments *a, ulong i, uint some)
{
    uint bits = 0;
    if (some == CLF_STRIP && i > 0)
        CLF_STRIP_MARK_WHOLE(bits, clf_starts_behind(a, i + k))
    else
        CLF_STRIP_MARK_SOME(bits, some, clf_starts_at(a, i + k))
    return bits;
}

#if CLF_NONTRIVIAL
/* Tells heads of runs of several elements from those of one. */
static inline uint clf_strip_mark(const clf_arguments *a, ulong i, uint some, uint *alone)
{
    const uint starts = clf_strip_heads(a, i, some);
    const uint ends = starts >> 1 | (uint)clf_ends_at(a, i + some - 1) << (some - 1);
    *alone = starts & ends;
    return starts & ~ends;
}

static inline bool clf_marked_alone(const clf_by_key_marks *marks, uint k)
{
    return marks->alone[k / CLF_STRIP] >> k % CLF_STRIP & 1;
}

/* The sum of a share whose last head is element `last`, or 0: nothing behind an element that is alone belongs to it. */
static inline clf_value clf_by_key_share_sum(const clf_arguments *a, ulong first, uint count, uint last,
                                             const clf_by_key_marks *marks)
{
    clf_value sum = clf_neutral();
    for (uint k = last; k < count && !clf_marked_alone(marks, k); ++k)
        sum = clf_sum_next(sum, clf_value_at(a, first + k), k == last CLF_COMBINE_A);
    return sum;
}
#endif

/* Marks the heads of a share, and reduces it. */
static inline clf_state clf_by_key_share_reduce(const clf_arguments *a, ulong first, uint count,
                                                clf_by_key_marks *marks)
{
    uint heads = 0, last = 0;
    CLF_LOOP for (uint done = 0; done < count; done += CLF_STRIP) {
        const uint some = min((uint)CLF_STRIP, count - done);
#if CLF_NONTRIVIAL
        const uint bits = clf_strip_mark(a, first + done, some, &marks->alone[done / CLF_STRIP]);
#else
        const uint bits = clf_strip_heads(a, first + done, some);
#endif
        marks->strip[done / CLF_STRIP] = bits;
        heads += popcount(bits);
        last = bits ? done + CLF_STRIP - 1 - clz(bits) : last;
    }
    if (count == 0)
        return clf_state_neutral();
#if CLF_NONTRIVIAL
    const clf_value sum = clf_by_key_share_sum(a, first, count, last, marks);
#else
    clf_value sum = clf_value_at(a, first + last);
    for (uint k = last + 1; k < count; ++k)
        sum = clf_combine(sum, clf_value_at(a, first + k));
#endif
    return clf_by_key_state_of(heads, sum);
}

/* Writes pieces that have more than `most` results: all of them, if that is 0. */
static inline void clf_by_key_share_flush(const clf_arguments *a, clf_by_key_share *h, clf_by_key_piece *p, uint most)
{
    if (h->values.some > most)
        clf_by_key_piece_flush_values(a, p, &h->values, most == 0);
    if (h->extras.some > most)
        clf_by_key_piece_flush_extras(a, p, &h->extras, most == 0);
}

/* Behind a strip's values. */
static inline void clf_by_key_share_next(const clf_arguments *a, clf_by_key_share *h, clf_by_key_piece *p,
                                         const clf_strip *s, uint heads)
{
    clf_by_key_piece_add_extras(p, h->extras.some, s, heads);
    h->values.some += popcount(heads);
    h->extras.some += popcount(heads);
    h->done += CLF_STRIP;
    clf_by_key_share_flush(a, h, p, CLF_BY_KEY_PIECE);
}

/* The next strip of every share: all are whole. */
static inline void clf_by_key_shares_step(const clf_arguments *a, const clf_by_key_marks *marks, clf_by_key_share *h,
                                          clf_by_key_piece *p)
{
    clf_strip strip[CLF_SHARES];
    uint heads[CLF_SHARES], place[CLF_SHARES], any = 0;
    CLF_UNROLL for (uint j = 0; j < CLF_SHARES; ++j) {
        heads[j] = marks[j].strip[h[j].done / CLF_STRIP];
        place[j] = h[j].values.some;
        any |= heads[j];
#if CLF_NONTRIVIAL
        any |= marks[j].alone[h[j].done / CLF_STRIP];
#endif
        clf_strip_get(a, h[j].first + h[j].done, CLF_STRIP, &strip[j]);
    }
    if (!any) { /* long runs */
        CLF_UNROLL for (uint j = 0; j < CLF_SHARES; ++j) {
            h[j].sum = clf_strip_reduce(&strip[j], h[j].sum CLF_COMBINE_A);
            h[j].done += CLF_STRIP;
        }
        return;
    }
    CLF_EACH_OF_STRIP for (uint k = 0; k < CLF_STRIP; ++k)
        CLF_UNROLL for (uint j = 0; j < CLF_SHARES; ++j) {
            const bool head = heads[j] >> k & 1;
            CLF_UNLESS_ALONE(marks[j].alone[h[j].done / CLF_STRIP], k)
            h[j].sum = clf_by_key_piece_add_value(&p[j], place[j], &strip[j], k, head, h[j].sum CLF_COMBINE_A);
            place[j] += head;
        }
    CLF_UNROLL for (uint j = 0; j < CLF_SHARES; ++j)
        clf_by_key_share_next(a, &h[j], &p[j], &strip[j], heads[j]);
}

/* The next strip of one share. */
static inline void clf_by_key_share_step(const clf_arguments *a, const clf_by_key_marks *marks, clf_by_key_share *h,
                                         clf_by_key_piece *p)
{
    const uint some = min((uint)CLF_STRIP, h->count - h->done), heads = marks->strip[h->done / CLF_STRIP];
    uint place = h->values.some;
    clf_strip strip;
    clf_strip_get(a, h->first + h->done, some, &strip);
    CLF_LOOP for (uint k = 0; k < some; ++k) {
        const bool head = heads >> k & 1;
        CLF_UNLESS_ALONE(marks->alone[h->done / CLF_STRIP], k)
        h->sum = clf_by_key_piece_add_value(p, place, &strip, k, head, h->sum CLF_COMBINE_A);
        place += head;
    }
    clf_by_key_share_next(a, h, p, &strip, heads);
}

/* ---- A tile --------------------------------------------------------------------------------------------- */

typedef struct {
    clf_by_key_marks marks[CLF_SHARES];
    clf_state sums[CLF_SHARES];
} clf_by_key_cpu_marks;

static inline uint clf_by_key_share_count(uint count, uint share)
{
    const uint before = share * CLF_BY_KEY_SHARE;
    return count > before ? min(count - before, (uint)CLF_BY_KEY_SHARE) : 0;
}

static inline clf_state clf_by_key_cpu_reduce(const clf_arguments *a, ulong first, uint count, clf_by_key_cpu_marks *t)
{
    clf_state sum = clf_state_neutral();
    for (uint j = 0; j < CLF_SHARES; ++j) {
        t->sums[j] = clf_by_key_share_reduce(a, first + j * CLF_BY_KEY_SHARE, clf_by_key_share_count(count, j),
                                             &t->marks[j]);
        sum = clf_state_combine(sum, t->sums[j]);
    }
    return sum;
}

/* Writes what the elements from `first` on complete, behind what was before. */
static inline void clf_by_key_cpu_write(const clf_arguments *a, ulong first, uint count, const clf_by_key_cpu_marks *t,
                                        clf_state before, clf_state all)
{
    clf_by_key_share share[CLF_SHARES];
    clf_by_key_piece piece[CLF_SHARES];
    CLF_UNROLL for (uint j = 0; j < CLF_SHARES; ++j) {
        share[j].first = first + j * CLF_BY_KEY_SHARE;
        share[j].count = clf_by_key_share_count(count, j);
        share[j].done = share[j].values.some = share[j].extras.some = 0;
        share[j].sum = clf_value_copy(before.sum);
        share[j].values.to = before.heads - 1;
        share[j].extras.to = before.heads;
        before = clf_state_combine(before, t->sums[j]);
    }
    for (uint whole = share[CLF_SHARES - 1].count / CLF_STRIP; whole > 0; --whole)
        clf_by_key_shares_step(a, t->marks, share, piece);
    CLF_UNROLL for (uint j = 0; j < CLF_SHARES; ++j) {
        while (share[j].done < share[j].count)
            clf_by_key_share_step(a, &t->marks[j], &share[j], &piece[j]);
        clf_by_key_share_flush(a, &share[j], &piece[j], 0);
    }
    if (first + count == clf_total(a))
        clf_by_key_end(a, all);
}
