/* SPDX-License-Identifier: MIT */
/*
 * scan_lookback: single-pass scan: one launch, one read of each input, one write of each output.
 *
 * Chained scan with decoupled look-back (Merrill and Garland 2016) over tiles resident in local memory, with
 * three kinds of prefix: CLF_LOOKBACK = 0 serial, 1 window, 2 central. The central kind has one group more
 * than tiles, and it takes the first place. Waiting is bounded everywhere (lookback.cl, central.cl).
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

/* The exclusive prefix of `tile`, from the others, by the first warp; right for work-item 0. */
static inline clf_value clf_prefix_wait(const clf_arguments *a, uint tile, bool *served)
{
#if CLF_LOOKBACK == 2
    if (!clf_near(a))
        return clf_central_prefix(a, tile, served);
#endif
    return clf_lookback(a, tile);
}

/*
 * The first tile of a plain scan has no use for its aggregate: it knows its prefix. The central group wants
 * all.
 */
static inline bool clf_tells_aggregate(uint tile)
{
#if CLF_LOOKBACK == 2 || CLF_SEGMENT
    return true;
#else
    return tile > 0;
#endif
}

/*
 * The first warp publishes the tile's aggregate, finds its prefix, publishes that where others look back, and
 * leaves it in local memory. Where the tile has a head its aggregate is a prefix, and where it starts with
 * one it needs none itself.
 */
static inline void clf_tile_prefix(const clf_arguments *a, clf_tile t, uint tile, clf_run aggregate,
                                   __local clf_scan_lookback_storage *s)
{
    const bool first = clf_local_id() == 0, alone = clf_alone(a);
    bool served = false;
    clf_value prefix = clf_neutral();
    if (first && !alone && clf_tells_aggregate(tile))
        clf_publish(a, tile, aggregate.sum, aggregate.head ? CLF_STATE_PREFIX : CLF_STATE_AGGREGATE, true);
    if (!clf_heads_at_start(t.heads))
        prefix = alone ? clf_recompute_prefix(a, t.first) : clf_prefix_wait(a, tile, &served);
    if (first) {
        if (!alone && ((!served && !aggregate.head) || clf_stalled(tile)))
            clf_publish(a, tile, clf_run_join(clf_run_of(prefix, false), aggregate).sum, CLF_STATE_PREFIX,
                        false);
        s->prefix = prefix;
    }
}

/*
 * The tile that this group takes; false: none, for it was the central group, and has served, or there are fewer tiles
 * than the host knew (given.cl).
 */
static inline bool clf_tile_take(const clf_arguments *a, __local clf_scan_lookback_storage *s, uint *tile)
{
    if (clf_alone(a)) {
        *tile = (uint)get_group_id(0);
        return *tile < clf_tiles(a);
    }
#if CLF_LOOKBACK == 2
    if (!clf_near(a)) {
        const uint place = clf_place_take(a, clf_tiles(a) + 1, &s->place);
        if (place == 0)
            clf_central_serve(a, &s->central);
        *tile = place - 1;
        return place - 1 < clf_tiles(a);
    }
#endif
    *tile = clf_place_take(a, clf_tiles(a), &s->place);
    return *tile < clf_tiles(a);
}

static inline void clf_scan_lookback_body(const clf_arguments *a, __local clf_scan_lookback_storage *s)
{
    uint tile;
    if (!clf_tile_take(a, s, &tile))
        return;
    const clf_tile t = clf_tile_at(a, (ulong)tile * CLF_TILE, clf_tile_count(a, tile));
    clf_run aggregate;
    clf_tile_fetch(a, t, &s->tile);
    const clf_run left = clf_tile_reduce(a, t, &s->tile, &aggregate);
    if (clf_warp_id() == 0)
        clf_tile_prefix(a, t, tile, aggregate, s);
    clf_group_sync();
    clf_tile_finish(a, t, &s->tile, s->prefix, left);
}
