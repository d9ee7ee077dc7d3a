/* SPDX-License-Identifier: MIT */
/*
 * finish: tables combined, each bin by one work-item. On GPUs neighbouring ones read neighbouring entries; on CPUs each
 * has a share of its own.
 *
 * needs: entry, a->chunks
 * provides: clf_first_entry, clf_index_finish_body
 */
#include "reduce_by_index/bins.cl"

typedef uchar clf_index_finish_storage; /* none needed */

/* Where the first table has bin i, counted through all rows. */
static inline ulong clf_first_entry(const clf_arguments *a, ulong i)
{
    const ulong row = a->count > 1 ? i / clf_bins(a) : 0; /* a division is slow */
    return i + row * (a->chunks - 1) * clf_bins(a);
}

CLF_INLINE void clf_index_finish_body(const clf_arguments *a, __local clf_index_finish_storage *s)
{
    const ulong bins = clf_bins(a), all = a->count * bins;
#if CLF_GROUP == 1
    const ulong share = (all + get_global_size(0) - 1) / get_global_size(0), step = 1;
    const ulong begin = min(get_global_id(0) * share, all), end = min(begin + share, all);
#else
    const ulong begin = get_global_id(0), end = all, step = get_global_size(0);
#endif
    CLF_LOOP for (ulong i = begin; i < end; i += step) {
        const ulong first = clf_first_entry(a, i);
        clf_value sum = clf_entry_read(a, first);
        for (uint t = 1; t < a->chunks; ++t)
            sum = clf_combine(sum, clf_entry_read(a, first + t * bins));
        clf_bin_result(a, i, sum);
    }
}
