/* SPDX-License-Identifier: MIT */
/*
 * path: two sorted sequences traversed in their common order (merge path), which is cut into equal parts.
 *
 * If two elements are equal (neither is less), the first sequence's comes first; with CLF_UPPER = 0 the second's. So a
 * merge is stable. The number of elements of the first sequence before one of the second is its upper bound, or its
 * lower bound.
 *
 * Odeh, Green, Mwassi, Shmueli and Birk, Merge Path (2012); Green, McColl and Bader, GPU Merge Path (2012).
 *
 * If sequences are not sorted, cuts are anywhere, but within both of them, and parts have the right lengths. The same
 * holds if `less` is no order, as a < b of floats with NaNs. A part may then begin elsewhere than the part before it
 * ends. Code that writes elements checks for that, and leaves them in their old order, so that none is lost
 * (CLF_IS_ORDER: it cannot happen).
 *
 * needs: order, CLF_ITEMS, CLF_UPPER
 * provides: clf_comes_first, clf_path_*, clf_sequences, clf_sequences_of, bisection, order
 */
#include "memory/value.cl"

/* Both sequences, how many elements they have, and where results go, if these are elements. */
typedef struct {
    clf_inputs first, second;
    clf_outputs out;
    ulong size, count;
    CLF_LESS_MEMBER
} clf_sequences;

#define CLF_BISECTED clf_sequences
#include "group/bisect.cl"
#include "memory/wrapper.cl"

#ifndef CLF_IS_ORDER
#define CLF_IS_ORDER 0
#endif

#ifndef CLF_UPPER
#define CLF_UPPER 1
#endif

/* Does x, of the first sequence, come before y, of the second? */
static inline bool clf_comes_first(clf_input x, clf_input y CLF_LESS_PARAMETER)
{
    return CLF_UPPER ? !clf_is_less(y, x CLF_LESS_C) : clf_is_less(x, y CLF_LESS_C);
}

#if CLF_IN_SETS > 1
/* The two that a call has. */
static inline clf_sequences clf_sequences_of(const clf_arguments *a)
{
    clf_sequences q;
    q.first = a->in;
    q.second = a->second_in;
    q.out = a->out;
    q.size = a->size;
    q.count = a->count;
    CLF_LESS_SET(q)
    return q;
}
#endif

static inline ulong clf_path_total(const clf_sequences *q)
{
    return q->size + q->count;
}

static inline ulong clf_path_tiles(const clf_sequences *q)
{
    const ulong tile = CLF_GROUP * CLF_ITEMS;
    return (clf_path_total(q) + tile - 1) / tile;
}

/* There may be fewer elements than the host launched groups for (given.cl). */
static inline bool clf_path_reaches(const clf_sequences *q, ulong diagonal)
{
    return !CLF_GIVEN || diagonal < clf_path_total(q);
}

static inline clf_bisection clf_bisect_begin(const clf_sequences *q, ulong diagonal)
{
    const clf_bisection c = {max(diagonal, q->count) - q->count, min(diagonal, q->size)};
    return c;
}

static inline bool clf_bisect_before(const clf_sequences *q, ulong k, ulong diagonal)
{
    return clf_comes_first(clf_input_at(&q->first, k), clf_input_at(&q->second, diagonal - 1 - k) CLF_LESS_Q(q));
}

/* A part: elements first … first_end - 1 of the first sequence, and second … second_end - 1 of the second. */
typedef struct {
    ulong first, first_end, second, second_end;
} clf_path_part;

/* From diagonal `from` to `to`, of which these are the cuts. */
static inline clf_path_part clf_path_part_of(ulong from, ulong to, ulong cut, ulong end)
{
    clf_path_part p;
    p.first = cut;
    p.first_end = clamp(end, cut, cut + (to - from));
    p.second = from - cut;
    p.second_end = to - p.first_end;
    return p;
}
