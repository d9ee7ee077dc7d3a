/* SPDX-License-Identifier: MIT */
/*
 * sort_ranks: tiles are sorted, each by a group (sort_one_group.cl), and then runs are merged, many in a launch, by
 * ranks: an element's place is its place in its run, and how many elements of each other run come before it. So it is
 * read and written once for many runs, and no work-item waits for another. Runs have a->run elements, and a->whole
 * neighbouring elements become one run; of either the last one may be shorter.
 *
 * needs: a->in_second, a->run, a->whole
 * provides: clf_sort_ranks_body
 */
#include "sort/sort_one_group.cl"

/* Searches at a time. Where warps have 64 lanes, groups of 1024 leave 64 registers to each (gfx9..). */
#define CLF_RANKS_TOGETHER (CLF_VALUE_BYTES > 64 ? 2 : CLF_LANE_WIDTH <= 32 ? 8 : CLF_KEY_BYTES > 8 ? 2 : 4)

typedef uchar clf_sort_ranks_storage; /* none needed */

/* Runs side by side: how far each is known to come before an element, its end, and what bounds those that do. */
typedef struct {
    uint low[CLF_RANKS_TOGETHER], end[CLF_RANKS_TOGETHER];
    clf_key_bits bounds[CLF_RANKS_TOGETHER];
} clf_ranks;

/* Searches by the same steps. All loads are on their way at once, whether or not there is an element. */
CLF_INLINE void clf_ranks_search(const clf_arguments *a, const clf_outputs *from, clf_ranks *r)
{
    CLF_LOOP for (uint length = a->run; length > 0; length = length > 1 ? length - length / 2 : 0) {
        const uint step = max(length / 2, 1u);
        clf_key_bits others[CLF_RANKS_TOGETHER];
        CLF_UNROLL for (uint k = 0; k < CLF_RANKS_TOGETHER; ++k)
            others[k] = clf_value_key(clf_result_at(from, min(r->low[k] + step, r->end[k]) - 1) CLF_LESS_A);
        CLF_UNROLL for (uint k = 0; k < CLF_RANKS_TOGETHER; ++k) {
            const bool there = r->low[k] + step <= r->end[k];
            r->low[k] += there && CLF_KEY_LESS(clf_key_ordered(others[k]), r->bounds[k]) ? step : 0;
        }
    }
}

/* How many elements of neighbouring runs, from `first` on, come before one of run `own`: of equal ones those of runs
 * before it, whose bound is the next key; or 0, and then all do. */
CLF_INLINE uint clf_ranks_in(const clf_arguments *a, const clf_outputs *from, uint first, uint own, uint end,
                             clf_key_bits key)
{
    const clf_key_bits next = clf_key_next(key);
    uint sum = 0;
    clf_ranks r;
    CLF_UNROLL for (uint k = 0; k < CLF_RANKS_TOGETHER; ++k) {
        const uint begin = first + k * a->run;
        r.low[k] = min(begin, end);
        r.end[k] = min(begin + a->run, end);
        r.bounds[k] = begin < own ? next : key;
    }
    clf_ranks_search(a, from, &r);
    CLF_UNROLL for (uint k = 0; k < CLF_RANKS_TOGETHER; ++k) {
        const uint begin = first + k * a->run;
        sum += begin == own ? 0 : begin < own && CLF_KEY_LESS(next, key) ? a->run : r.low[k] - min(begin, end);
    }
    return sum;
}

CLF_INLINE void clf_sort_ranks_body(const clf_arguments *a, __local clf_sort_ranks_storage *s)
{
    const uint size = a->count > 0 ? (uint)a->size : 0, i = (uint)get_group_id(0) * CLF_GROUP + clf_local_id();
    const uint first = i - i % a->whole, own = i - (i - first) % a->run, end = first + min(size - first, a->whole);
    clf_outputs from, to;
    clf_take_arrays(a, a->in_second, &from);
    clf_take_arrays(a, !a->in_second, &to);
    if (i >= size)
        return;
    const clf_value v = clf_value_copy(clf_result_at(&from, i));
    const clf_key_bits key = clf_key_ordered(clf_value_key(v CLF_LESS_A));
    uint place = first + (i - own);
    CLF_LOOP for (uint run = first; run < end; run += CLF_RANKS_TOGETHER * a->run)
        place += clf_ranks_in(a, &from, run, own, end, key);
    clf_output_at(&to, place, v);
}
