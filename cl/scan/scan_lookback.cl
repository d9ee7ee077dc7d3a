/* SPDX-License-Identifier: MIT */
/*
 * scan_lookback: single-pass scan: one launch, one read of each input, one write of each output.
 *
 * Chained scan with decoupled look-back (Merrill and Garland 2016) over tiles resident in local memory
 * (single_pass.cl).
 *
 * needs: nothing
 * provides: clf_scan_lookback_body
 */
#include "group/state_value.cl"
#include "chain/single_pass.cl"
#include "chain/scan_tile.cl"

typedef struct {
    clf_scan_tile_storage tile;
    clf_single_pass_storage pass;
} clf_scan_lookback_storage;

CLF_INLINE void clf_scan_lookback_body(const clf_arguments *a, __local clf_scan_lookback_storage *s)
{
    uint tile;
    if (!clf_single_pass_take(a, &s->pass, &tile))
        return;
    const clf_scan_tile t = clf_scan_tile_at(a, (ulong)tile * CLF_TILE, clf_tile_count(a, tile));
    clf_run aggregate;
    clf_scan_tile_fetch(a, t, &s->tile);
    const clf_run left = clf_scan_tile_reduce(a, t, &s->tile, &aggregate);
    if (CLF_LOOKBACK_WAITS)
        clf_single_pass_prefix(a, tile, clf_heads_at_start(t.heads), aggregate, &s->pass);
    clf_group_sync();
    clf_scan_tile_finish(a, t, &s->tile, s->pass.prefix, left);
}
