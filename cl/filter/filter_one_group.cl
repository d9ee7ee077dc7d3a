/* SPDX-License-Identifier: MIT */
/*
 * filter_one_group: all elements in the tile of one group: no messages, no scratch.
 *
 * needs: nothing
 * provides: clf_filter_one_group_body
 */
#include "filter/filter_tile.cl"

typedef clf_filter_storage clf_filter_one_group_storage;

CLF_INLINE void clf_filter_one_group_body(const clf_arguments *a, __local clf_filter_one_group_storage *s)
{
    clf_filter_tell_nothing(a, clf_total(a));
    if (!clf_tile_exists(a, 0))
        return;
    const clf_filter_tile t = clf_filter_reduce(a, 0, s);
    clf_filter_together(a, &t, s);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* in place results lie where others have read */
    clf_filter_flush(a, &t, s, clf_state_neutral());
}
