/* SPDX-License-Identifier: MIT */
/*
 * merge_path: a->size elements and the ends of a->count segments (a->offsets) as one sequence that can be cut into
 * equal shares. An end follows the last element of its segment, and counts as CLF_END_WEIGHT elements. So all shares
 * are equal work, whatever the lengths: a giant segment and a million empty ones are both spread evenly.
 *
 * A bisection (bisect.cl) finds the cut before which elements and ends count `diagonal`.
 *
 * Merrill and Garland, Merge-based Parallel Sparse Matrix-Vector Multiplication (2016), after Odeh et al. (2012).
 * Offsets that do not ascend give any cuts, but none beyond elements or segments.
 *
 * needs: a->offsets
 * provides: clf_offset, clf_segment_end, clf_segment_start, clf_share, clf_share_is_cut, clf_share_of, bisection
 */
#include "group/bisect.cl"
#include "group/count.cl"

#if CLF_SEGMENT == 5
typedef ulong clf_offset;
#else
typedef uint clf_offset;
#endif

/* Segment k is elements clf_segment_start(a, k) … clf_segment_end(a, k) - 1. */
static inline ulong clf_segment_start(const clf_arguments *a, ulong k)
{
    const ulong start = a->offsets[k];
    return CLF_GIVEN ? min(start, a->size) : start; /* there may be fewer elements than offsets tell */
}

static inline ulong clf_segment_end(const clf_arguments *a, ulong k)
{
    return clf_segment_start(a, k + 1);
}

/* What an end costs: it is read twice, and a result is written. */
enum { CLF_END_WEIGHT = 5 };

/* A share: elements first … last - 1, and the ends of segments first_end … last_end - 1. */
typedef struct {
    ulong first, last, first_end, last_end;
} clf_share;

/* Ends that lie before the cut at `diagonal`. */
static inline clf_bisection clf_bisect_begin(const clf_arguments *a, ulong diagonal)
{
    const clf_bisection c = {(max(diagonal, a->size) - a->size + CLF_END_WEIGHT - 1) / CLF_END_WEIGHT,
                             min((diagonal + CLF_END_WEIGHT - 1) / CLF_END_WEIGHT, a->count)};
    return c;
}

static inline bool clf_bisect_before(const clf_arguments *a, ulong k, ulong diagonal)
{
    return clf_segment_end(a, k) + k * CLF_END_WEIGHT < diagonal;
}

/* The elements before a cut: where it is within an end's weight, those of the segment. */
static inline ulong clf_elements_before(const clf_arguments *a, ulong diagonal, ulong ends)
{
    const ulong rest = diagonal - min(ends * CLF_END_WEIGHT, diagonal);
    return min(ends > 0 ? max(rest, clf_segment_end(a, ends - 1)) : rest, a->size);
}

static inline clf_share clf_share_between(const clf_arguments *a, ulong first, ulong last)
{
#if CLF_LANE_WIDTH > 1
    const ulong cut = clf_bisect_both(a, first, last);
    const ulong first_end = clf_count64_from(cut, 0), last_end = clf_count64_from(cut, CLF_PROBES);
#else
    const ulong first_end = clf_bisect(a, first), last_end = clf_bisect(a, last);
#endif
    const clf_share s = {clf_elements_before(a, first, first_end), clf_elements_before(a, last, last_end), first_end,
                         last_end};
    return s;
}

/* The share of one of `workers`. */
static inline clf_share clf_share_of(const clf_arguments *a, ulong worker, ulong workers)
{
    const ulong whole = a->size + a->count * CLF_END_WEIGHT, each = (whole + workers - 1) / workers;
    return clf_share_between(a, min(worker * each, whole), min((worker + 1) * each, whole));
}

/* Does a segment end where the share starts? Then no element of the share marks that. */
static inline bool clf_share_is_cut(const clf_arguments *a, const clf_share *s)
{
    return s->first_end < s->last_end && clf_segment_end(a, s->first_end) <= s->first;
}
