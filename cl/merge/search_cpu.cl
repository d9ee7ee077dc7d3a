/* SPDX-License-Identifier: MIT */
/*
 * search_cpu: a tile of needles by one work-item, CLF_STREAMS at a time (search.cl): so many loads are under way.
 *
 * needs: CLF_STREAMS, a->positions
 * provides: clf_search_cpu_body
 */
#include "merge/search.cl"

typedef uchar clf_search_cpu_storage; /* none needed */

CLF_INLINE void clf_search_cpu_body(const clf_arguments *a, __local clf_search_cpu_storage *s)
{
    const ulong from = get_group_id(0) * (ulong)CLF_ITEMS, end = min(from + CLF_ITEMS, a->count);
    for (ulong first = from; first < end; first += CLF_STREAMS) {
        clf_input needle[CLF_STREAMS];
        ulong at[CLF_STREAMS];
        for (uint k = 0; k < CLF_STREAMS; ++k) {
            needle[k] = clf_input_at(&a->second_in, min(first + k, end - 1));
            at[k] = 0;
        }
        if (a->size > 0)
            clf_search_sorted(a, CLF_STREAMS, needle, at);
        for (uint k = 0; k < CLF_STREAMS; ++k)
            if (first + k < end)
                a->positions[first + k] = at[k];
    }
}
