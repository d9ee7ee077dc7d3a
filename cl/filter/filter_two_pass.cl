/* SPDX-License-Identifier: MIT */
/*
 * filter_two_pass: count, then keep, in three launches: no group ever waits for another.
 *
 *   up      how many elements of each tile are kept        reads n
 *   spine   one group scans these counts in place          two words per tile (spine.cl)
 *   down    each tile's results go behind those before     reads n, writes what is kept
 *
 * needs: nothing
 * provides: clf_filter_down_body, clf_filter_up_body
 */
#include "filter/filter_tile.cl"
#include "chain/spine.cl"

typedef clf_filter_storage clf_filter_up_storage;

CLF_INLINE void clf_filter_up_body(const clf_arguments *a, __local clf_filter_up_storage *s)
{
    const uint tile = (uint)get_group_id(0);
    if (!clf_tile_exists(a, tile))
        return;
    const clf_filter_tile t = clf_filter_reduce(a, tile, s);
    if (clf_local_id() == 0)
        clf_partial_set(a, tile, clf_run_of(clf_filter_kept(&t), false));
}

typedef clf_filter_storage clf_filter_down_storage;

CLF_INLINE void clf_filter_down_body(const clf_arguments *a, __local clf_filter_down_storage *s)
{
    const uint tile = (uint)get_group_id(0);
    clf_filter_tell_nothing(a, clf_total(a));
    if (!clf_tile_exists(a, tile))
        return;
    const clf_filter_tile t = clf_filter_reduce(a, tile, s);
    clf_filter_together(a, &t, s);
    clf_group_sync();
    clf_filter_flush(a, &t, s, clf_partial_get(a, tile).sum);
}
