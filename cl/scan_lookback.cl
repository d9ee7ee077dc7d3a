/* SPDX-License-Identifier: MIT */
/*
 * scan_lookback: single-pass scan: one launch, one read of each input, one write of each output.
 *
 * Chained scan with decoupled look-back (Merrill and Garland 2016) over tiles resident in local memory,
 * with three kinds of prefix: CLF_LOOKBACK = 0 serial, 1 window, 2 central. The central kind has one group more than tiles, and it
 * takes the first place. Waiting is bounded everywhere (lookback.cl, central.cl).
 */
#include "central.cl"
#include "scan_tile.cl"

typedef struct {
    clf_tile_storage tile;
    clf_value prefix;
    uint place;
#if CLF_LOOKBACK == 2
    clf_central_storage central;
#endif
} clf_scan_lookback_storage;

/*
 * The first warp publishes the tile's aggregate, finds its prefix, publishes that where others look back, and leaves it
 * in local memory.
 */
static inline void clf_tile_prefix(const clf_arguments *a, uint tile, clf_value aggregate,
                                   __local clf_scan_lookback_storage *s)
{
    const bool first = clf_local_id() == 0;
    bool served = false;
    if (first && (CLF_LOOKBACK == 2 || tile > 0))
        clf_publish(a, tile, aggregate, CLF_STATE_AGGREGATE);
#if CLF_LOOKBACK == 2
    const clf_value prefix = clf_central_prefix(a, tile, &served);
#else
    const clf_value prefix = clf_lookback(a, tile);
#endif
    if (first) {
        if (!served || clf_stalled(tile))
            clf_publish(a, tile, clf_combine(prefix, aggregate), CLF_STATE_PREFIX);
        s->prefix = prefix;
    }
}

static inline void clf_scan_lookback_body(const clf_arguments *a, __local clf_scan_lookback_storage *s)
{
#if CLF_LOOKBACK == 2
    const uint place = clf_place_take(a, clf_tiles(a) + 1, &s->place);
    if (place == 0) {
        clf_central_serve(a, &s->central);
        return;
    }
    const uint tile = place - 1;
#else
    const uint tile = clf_place_take(a, clf_tiles(a), &s->place);
#endif
    const clf_tile t = clf_tile_at((ulong)tile * CLF_TILE, clf_tile_count(a, tile));
    clf_value aggregate;
    clf_tile_fetch(a, t, &s->tile);
    const clf_value left = clf_tile_reduce(t, &s->tile, &aggregate);
    if (clf_warp_id() == 0)
        clf_tile_prefix(a, tile, aggregate, s);
    clf_group_sync();
    clf_tile_finish(a, t, &s->tile, clf_combine(s->prefix, left));
}
