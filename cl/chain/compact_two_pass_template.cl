/* SPDX-License-Identifier: MIT */
/*
 * compact_two_pass_template: reduce, then write, in three launches (compact_lookback_template.cl). No group ever waits
 * for another, and operands are always associated in the same way.
 *
 *   up      what each tile keeps                           reads n
 *   spine   one group scans these in place                 a state per tile (spine.cl)
 *   down    each tile's results go behind those before     reads n, writes results
 *
 * needs: nothing
 * provides: nothing
 */
#include "chain/spine.cl"

typedef CLF_COMPACT(storage) CLF_COMPACT(up_storage);

CLF_INLINE void CLF_COMPACT(up_body)(const clf_arguments *a, __local CLF_COMPACT(up_storage) *s)
{
    const uint tile = (uint)get_group_id(0);
    if (!clf_tile_exists(a, tile))
        return;
    const CLF_COMPACT(tile) t = CLF_COMPACT(reduce)(a, tile, s);
    if (clf_local_id() == 0)
        clf_partial_set(a, tile, clf_run_of(CLF_COMPACT(state_of_tile)(&t), false));
}

typedef CLF_COMPACT(storage) CLF_COMPACT(down_storage);

CLF_INLINE void CLF_COMPACT(down_body)(const clf_arguments *a, __local CLF_COMPACT(down_storage) *s)
{
    const uint tile = clf_group_from_behind();
    CLF_COMPACT(tell_nothing)(a, clf_total(a));
    if (!clf_tile_exists(a, tile))
        return;
    const CLF_COMPACT(tile) t = CLF_COMPACT(reduce)(a, tile, s);
    CLF_COMPACT(together)(a, &t, s);
    clf_group_sync();
    CLF_COMPACT(flush)(a, &t, s, clf_partial_get(a, tile).sum);
}
