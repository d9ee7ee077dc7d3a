/* SPDX-License-Identifier: MIT */
/*
 * compact_lookback_template: single pass: one launch, one read of each input, one write of each result. A chained scan
 * (Merrill and Garland 2016) of what tiles keep, which are resident in local memory. Results keep their order.
 *
 * Included behind a file that says what is kept of a tile: filter/filter_tile.cl, say. It has CLF_COMPACT(name), and by
 * this name the type `tile`, with the elements' number as `count`, and its `storage`, and functions
 *
 *   reduce(a, tile, s)                    fetches a tile, and finds out what it keeps
 *   state_of_tile(&t)                     what that is as the state of the chain
 *   has_none(a, &t)                       has the tile nothing to write?
 *   together(a, &t, s)                    brings results together in local memory
 *   flush(a, &t, s, before)               writes them behind those of all tiles before it
 *   tell_nothing(a, total)                says how many results there are if there are no elements
 *
 * needs: nothing
 * provides: nothing
 */
#include "chain/single_pass.cl"

typedef struct {
    CLF_COMPACT(storage) tile;
    clf_single_pass_storage pass;
} CLF_COMPACT(lookback_storage);

CLF_INLINE void CLF_COMPACT(lookback_body)(const clf_arguments *a, __local CLF_COMPACT(lookback_storage) *s)
{
    uint tile;
    CLF_COMPACT(tell_nothing)(a, clf_total(a));
    if (!clf_single_pass_take(a, &s->pass, &tile))
        return;
    const CLF_COMPACT(tile) t = CLF_COMPACT(reduce)(a, tile, &s->tile);
    const clf_run all = clf_run_of(CLF_COMPACT(state_of_tile)(&t), false);
    clf_single_pass_tell(a, tile, all);
    if (CLF_COMPACT(has_none)(a, &t) && clf_single_pass_may_leave(tile))
        return;
    CLF_COMPACT(together)(a, &t, &s->tile); /* meanwhile others publish */
    if (CLF_LOOKBACK_WAITS)
        clf_single_pass_wait(a, tile, false, all, &s->pass);
    clf_group_sync();
    CLF_COMPACT(flush)(a, &t, &s->tile, s->pass.prefix);
}
