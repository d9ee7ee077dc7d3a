/* SPDX-License-Identifier: MIT */
/*
 * scan_two_pass: reduce-then-scan in three launches: no group ever waits for another.
 *
 *   up      each tile's aggregate                          reads n
 *   spine   one group scans the aggregates in place        a word per tile (spine.cl)
 *   down    each tile scans, starting from its prefix      reads n, writes n
 *
 * The default where a started work-group need not make progress while others wait, and the yardstick for the
 * others. Read this before scan_lookback.cl. What lies in scratch: spine.cl.
 *
 * needs: nothing
 * provides: clf_scan_down_body, clf_scan_up_body
 */
#include "group/state_value.cl"
#include "chain/scan_tile.cl"
#include "chain/spine.cl"

typedef clf_scan_tile_storage clf_scan_up_storage;

CLF_INLINE void clf_scan_up_body(const clf_arguments *a, __local clf_scan_up_storage *s)
{
    const uint tile = (uint)get_group_id(0);
    if (!clf_tile_exists(a, tile))
        return;
    const clf_scan_tile t = clf_scan_tile_at(a, (ulong)tile * CLF_TILE, clf_tile_count(a, tile));
    clf_run aggregate;
    clf_scan_tile_fetch(a, t, s);
    (void)clf_scan_tile_reduce(a, t, s, &aggregate);
    if (clf_local_id() == 0)
        clf_partial_set(a, tile, aggregate);
}

typedef struct {
    clf_scan_tile_storage tile;
#if CLF_SEGMENT
    clf_value prefix;
#endif
} clf_scan_down_storage;

CLF_INLINE void clf_scan_down_body(const clf_arguments *a, __local clf_scan_down_storage *s)
{
    const uint tile = clf_group_from_behind();
    if (!clf_tile_exists(a, tile))
        return;
    const clf_scan_tile t = clf_scan_tile_at(a, (ulong)tile * CLF_TILE, clf_tile_count(a, tile));
    clf_run aggregate;
    clf_scan_tile_fetch(a, t, &s->tile);
    const clf_run left = clf_scan_tile_reduce(a, t, &s->tile, &aggregate);
#if CLF_SEGMENT
    if (clf_warp_id() == 0) {
        const clf_value prefix = clf_alone(a) ? clf_recompute_prefix(a, t.first) : clf_partial_get(a, tile).sum;
        if (clf_local_id() == 0)
            s->prefix = prefix;
    }
    clf_group_sync();
    clf_scan_tile_finish(a, t, &s->tile, s->prefix, left);
#else
    clf_scan_tile_finish(a, t, &s->tile, clf_partial_get(a, tile).sum, left);
#endif
}
