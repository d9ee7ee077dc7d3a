/* SPDX-License-Identifier: MIT */
/*
 * scan_two_pass: reduce-then-scan: no group ever waits for another.
 *
 *   up      what each group's tiles add up to              reads n
 *   spine   of many groups: one scans the sums in place    a word per group (spine.cl)
 *   down    each tile scans, starting from its prefix      reads n, and sums; writes n
 *
 * The default where a started work-group need not make progress while others wait, and the yardstick for the
 * others. Read this before scan_lookback.cl. What lies in scratch: two_pass.cl.
 *
 * needs: nothing
 * provides: clf_scan_down_body, clf_scan_up_body
 */
#include "group/state_value.cl"
#include "chain/scan_tile.cl"
#include "chain/two_pass.cl"

typedef clf_scan_tile_storage clf_scan_up_storage;

CLF_INLINE void clf_scan_up_body(const clf_arguments *a, __local clf_scan_up_storage *s)
{
    const uint group = (uint)get_group_id(0);
    const clf_tile_range range = clf_group_tiles(a, group);
    clf_run sum = clf_run_neutral(), aggregate;
    uint tile = range.first;
    if (tile >= range.end)
        return;
    do {
        const clf_scan_tile t = clf_scan_tile_at(a, (ulong)tile * CLF_TILE, clf_tile_count(a, tile));
        clf_scan_tile_fetch(a, t, s);
        (void)clf_scan_tile_reduce(a, t, s, &aggregate);
        sum = clf_run_combine(sum, aggregate);
    } while (CLF_NEXT_TILE(tile, range));
    if (clf_local_id() == 0)
        clf_partial_set(a, group, sum);
}

typedef struct {
    clf_scan_tile_storage tile;
#if CLF_SEGMENT
    clf_value prefix;
#endif
} clf_scan_down_storage;

CLF_INLINE void clf_scan_down_body(const clf_arguments *a, __local clf_scan_down_storage *s)
{
    const uint group = clf_group_from_behind();
    const clf_tile_range range = clf_group_tiles(a, group);
    clf_run prefix = clf_run_neutral(), aggregate;
    uint tile = range.first;
    if (tile >= range.end)
        return;
    if (!clf_alone(a))
        prefix = clf_two_pass_prefix(a, group, &s->tile.totals);
    do {
        const clf_scan_tile t = clf_scan_tile_at(a, (ulong)tile * CLF_TILE, clf_tile_count(a, tile));
        clf_scan_tile_fetch(a, t, &s->tile);
        const clf_run left = clf_scan_tile_reduce(a, t, &s->tile, &aggregate);
#if CLF_SEGMENT
        if (clf_alone(a) && clf_warp_id() == 0) {
            const clf_value before = clf_recompute_prefix(a, t.first);
            if (clf_local_id() == 0)
                s->prefix = before;
        }
        clf_group_sync();
        if (clf_alone(a))
            prefix.sum = clf_value_copy(s->prefix);
#endif
        clf_scan_tile_finish(a, t, &s->tile, prefix.sum, left);
        if (CLF_SEVERAL)
            prefix = clf_run_combine(clf_run_of(prefix.sum, false), aggregate);
    } while (CLF_NEXT_TILE(tile, range));
}
