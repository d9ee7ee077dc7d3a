/* SPDX-License-Identifier: MIT */
/*
 * piece: segments of any lengths, a->count of them, cut into pieces of 2 ^ a->span elements; the last one of a segment
 * has what is left. Pass 0 finds the first ones of each piece. Where a segment has several pieces these are candidates,
 * k of each piece side by side, and each later pass makes one piece of 2 ^ a->each. The pass that leaves one piece of
 * a segment writes its results. Candidates are in a->second, whose halves are read and written in turn.
 *
 *   control   ulong: k | log2 of the elements of a piece | elements of a segment that is short | of all segments
 *   offsets   where segments begin, and behind the last one n
 *   results, units, slots   ulong: where results of segments begin; and pieces, of those that are not short; and
 *             candidates, of those with several pieces, each of which has room for k
 *
 * There are numbers, too: k; slots, the candidates that there is room for; pass; chunks; span and each, as above. Their
 * powers of two save divisions of 64 bits, which are slow. Offsets that do not ascend give pieces that write nothing.
 *
 * needs: a->chunks, a->control, a->each, a->k_high, a->k_low, a->offsets, a->pass, a->results, a->slots,
 *        a->slots_high, a->slots_low, a->span, a->units
 * provides: clf_first_*, clf_piece, clf_piece_*, clf_top_first_body, clf_top_tell_body
 */
#include "top_k/source.cl"

/* ---- What the scan over segments reads, and where its lists begin ---------------------------------------- */

typedef uchar clf_top_tell_storage;

CLF_INLINE void clf_top_tell_body(const clf_arguments *a, __local clf_top_tell_storage *s)
{
    if (get_global_id(0) == 0) {
        a->control[0] = (ulong)a->k_high << 32 | a->k_low;
        a->control[1] = a->span;
        a->control[2] = a->chunks;
        a->control[3] = a->size;
        a->results[0] = a->units[0] = a->slots[0] = 0;
    }
}

/* ---- Segments -------------------------------------------------------------------------------------------- */

/* The last of the segments low … high - 1 that begins at `x` or before it, by an ascending list. */
static inline ulong clf_piece_segment(__global const ulong *list, ulong low, ulong high, ulong x)
{
    CLF_LOOP for (; low + 1 < high;) {
        const ulong middle = low + (high - low) / 2;
        if (list[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static inline ulong clf_piece_begin(const clf_arguments *a, ulong segment)
{
    return min((ulong)a->offsets[segment], a->size);
}

static inline ulong clf_piece_length(const clf_arguments *a, ulong segment)
{
    const ulong begin = clf_piece_begin(a, segment);
    return max(begin, clf_piece_begin(a, segment + 1)) - begin;
}

/* Is there room for so many results, or candidates, from `to` on? */
static inline bool clf_piece_fits(ulong to, ulong number, ulong room)
{
    return to <= room && number <= room - to;
}

/* ---- Pieces ---------------------------------------------------------------------------------------------- */

/* Elements from `first` on, of the input or of candidates; and where the first ones of them go. */
typedef struct {
    ulong first, size, wanted, to;
    clf_flag last; /* they are results */
} clf_piece;

/* Log2 of the elements of a segment that a piece of pass `pass` stands for. */
static inline uint clf_piece_span(const clf_arguments *a, uint pass)
{
    return min(a->span + pass * a->each, 63u);
}

static inline ulong clf_piece_number(ulong length, uint span)
{
    return length > 0 ? ((length - 1) >> span) + 1 : 0;
}

/* Candidates of `pieces` pieces, of which the last one has what is left. */
static inline ulong clf_piece_left(ulong length, ulong pieces, uint span, ulong k)
{
    return (pieces - 1) * k + min(k, length - ((pieces - 1) << span));
}

/* Piece `own` of a segment; of no elements, if this pass has no such piece. */
static inline void clf_piece_of(const clf_arguments *a, ulong segment, ulong own, clf_piece *p)
{
    const ulong length = clf_piece_length(a, segment), room = 1ul << a->span;
    const ulong k = clf_work_results(a, a->size), most = (ulong)a->slots_high << 32 | a->slots_low;
    const ulong pieces = clf_piece_number(length, clf_piece_span(a, a->pass)), slot = a->slots[segment] * k;
    p->last = pieces == 1;
    p->first = clf_piece_begin(a, segment) + own * room;
    p->size = own < pieces ? min(room, length - own * room) : 0;
    if (a->pass > 0) {
        const uint before = clf_piece_span(a, a->pass - 1);
        const ulong parts = clf_piece_number(length, before), skipped = (own << a->each) * k;
        const ulong all = parts > 1 ? clf_piece_left(length, parts, before, k) : 0;
        const bool fits = own < pieces && parts > 1 && clf_piece_fits(slot, all, most);
        p->size = fits ? min(k << a->each, all - skipped) : 0;
        p->first = slot + skipped + (a->pass % 2 ? 0 : most);
    }
    p->wanted = min(k, p->size);
    p->to = p->last ? a->results[segment] : slot + own * k;
    if (!clf_piece_fits(p->to, p->wanted, p->last ? a->size : most))
        p->size = p->wanted = 0;
    p->to += !p->last && a->pass % 2 ? most : 0;
}

static inline __global const ulong *clf_piece_list(const clf_arguments *a)
{
    return a->pass > 0 ? a->slots : a->units;
}

/* The piece of a unit. */
static inline void clf_piece_of_unit(const clf_arguments *a, ulong unit, clf_piece *p)
{
    __global const ulong *const list = clf_piece_list(a);
    p->first = p->size = p->wanted = p->to = 0;
    p->last = false;
    if (unit < list[a->count]) {
        const ulong segment = clf_piece_segment(list, 0, a->count, unit);
        clf_piece_of(a, segment, unit - list[segment], p);
    }
}

#define CLF_PIECE_TAKE(f, type, move, bytes, name) to->p##f = p->last ? a->out.p##f : a->second.p##f;
static inline void clf_piece_outputs(const clf_arguments *a, const clf_piece *p, clf_outputs *to)
{
    CLF_VALUE_FIELDS(CLF_PIECE_TAKE)
}

/* ---- First ones of segments that are sorted ---------------------------------------------------------------- */

typedef uchar clf_top_first_storage;

static inline void clf_first_copy(const clf_arguments *a, ulong segment, ulong i)
{
    const ulong from = clf_piece_begin(a, segment) + (i - a->results[segment]);
    if (from < a->size)
        clf_output_at(&a->out, i, clf_result_at(&a->second, from));
}

/* A group has neighbouring results, a->chunks of each work-item. */
CLF_INLINE void clf_top_first_body(const clf_arguments *a, __local clf_top_first_storage *s)
{
    const ulong all = min(a->results[a->count], a->size), each = (ulong)CLF_GROUP * a->chunks;
    const ulong begin = min(get_group_id(0) * each, all), end = min(begin + each, all);
    if (begin < end) {
        ulong segment = clf_piece_segment(a->results, 0, a->count, begin);
        const ulong behind = clf_piece_segment(a->results, segment, a->count, end - 1) + 1;
        CLF_LOOP for (ulong i = begin + clf_local_id(); i < end; i += CLF_GROUP) {
            segment = clf_piece_segment(a->results, segment, behind, i);
            clf_first_copy(a, segment, i);
        }
    }
}
