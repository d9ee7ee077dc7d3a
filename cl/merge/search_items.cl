/* SPDX-License-Identifier: MIT */
/*
 * search_items: each work-item searches for CLF_ITEMS needles at a time (search.cl); neighbouring ones have
 * neighbouring needles.
 *
 * needs: a->positions
 * provides: clf_search_items_body
 */
#include "merge/search.cl"

#define CLF_SEARCH_TILE (CLF_GROUP * CLF_ITEMS)

typedef uchar clf_search_items_storage; /* none needed */

CLF_INLINE void clf_search_items_body(const clf_arguments *a, __local clf_search_items_storage *s)
{
    const ulong first = get_group_id(0) * (ulong)CLF_SEARCH_TILE + clf_local_id();
    clf_input needle[CLF_ITEMS];
    ulong at[CLF_ITEMS];
    if (CLF_GIVEN && first >= a->count) /* fewer needles than the host knew (given.cl) */
        return;
    CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) {
        needle[k] = clf_input_at(&a->second_in, min(first + k * CLF_GROUP, a->count - 1));
        at[k] = 0;
    }
    if (a->size > 0)
        clf_search_sorted(a, CLF_ITEMS, needle, at);
    CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k)
        if (first + k * CLF_GROUP < a->count)
            a->positions[first + k * CLF_GROUP] = at[k];
}
