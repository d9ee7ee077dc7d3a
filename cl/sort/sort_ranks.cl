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

#define CLF_RANKS_TOGETHER (CLF_VALUE_BYTES > 64 ? 2 : 4) /* searches at a time: registers */

typedef uchar clf_sort_ranks_storage; /* none needed */

/* How many elements of neighbouring runs, from `first` on, come before one of run `own`: of equal ones those of runs
 * before it. All runs have searches of the same steps, side by side. */
CLF_INLINE uint clf_ranks_in(const clf_arguments *a, const clf_outputs *from, uint first, uint own, uint end,
                             clf_key_bits key)
{
    uint low[CLF_RANKS_TOGETHER], sum = 0;
    CLF_UNROLL for (uint k = 0; k < CLF_RANKS_TOGETHER; ++k)
        low[k] = 0;
    CLF_LOOP for (uint length = a->run; length > 0; length = length > 1 ? length - length / 2 : 0) {
        const uint step = max(length / 2, 1u);
        CLF_UNROLL for (uint k = 0; k < CLF_RANKS_TOGETHER; ++k) {
            const uint begin = first + k * a->run, at = begin + low[k] + step - 1;
            const clf_key_bits other = clf_key_ordered(clf_value_key(clf_result_at(from, min(at, end - 1)) CLF_LESS_A));
            const bool before = begin < own ? CLF_KEY_AT_MOST(other, key) : CLF_KEY_LESS(other, key);
            low[k] += at < end && before ? step : 0;
        }
    }
    CLF_UNROLL for (uint k = 0; k < CLF_RANKS_TOGETHER; ++k)
        sum += first + k * a->run == own ? 0 : low[k];
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
