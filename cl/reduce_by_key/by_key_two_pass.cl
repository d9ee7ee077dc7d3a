/* SPDX-License-Identifier: MIT */
/*
 * by_key_two_pass: reduce, then write, in three launches. No group ever waits for another, and operands are always
 * associated in the same way.
 *
 *   up      heads and sum of each tile                     reads n
 *   spine   one group scans these in place                 a state per tile (spine.cl)
 *   down    each tile's results go behind those before     reads n, writes results
 *
 * needs: nothing
 * provides: clf_by_key_down_body, clf_by_key_up_body
 */
#include "reduce_by_key/by_key_tile.cl"
#include "chain/spine.cl"

typedef clf_by_key_storage clf_by_key_up_storage;

CLF_INLINE void clf_by_key_up_body(const clf_arguments *a, __local clf_by_key_up_storage *s)
{
    const uint tile = (uint)get_group_id(0);
    if (!clf_tile_exists(a, tile))
        return;
    const clf_by_key_tile t = clf_by_key_reduce(a, tile, s);
    if (clf_local_id() == 0)
        clf_partial_set(a, tile, clf_run_of(clf_by_key_state_of(t.all.heads, t.all.sum), false));
}

typedef clf_by_key_storage clf_by_key_down_storage;

CLF_INLINE void clf_by_key_down_body(const clf_arguments *a, __local clf_by_key_down_storage *s)
{
    const uint tile = (uint)get_group_id(0);
    clf_by_key_tell_nothing(a, clf_total(a));
    if (!clf_tile_exists(a, tile))
        return;
    const clf_by_key_tile t = clf_by_key_reduce(a, tile, s);
    clf_by_key_together(a, &t, s);
    clf_group_sync();
    clf_by_key_flush(a, &t, s, clf_partial_get(a, tile).sum);
}
