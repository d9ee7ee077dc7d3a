/* SPDX-License-Identifier: MIT */
/*
 * scan_two_pass: reduce-then-scan in three launches: no group ever waits for another.
 *
 *   up      each tile's aggregate                          reads n
 *   spine   one group scans the aggregates in place        (a word per tile)
 *   down    each tile scans, starting from its prefix      reads n, writes n
 *
 * The default where a started work-group need not make progress while others wait, and the yardstick for the others.
 * Read this before scan_lookback.cl. Scratch: CLF_VALUE_WORDS words per tile behind the header.
 */
#include "chain.cl"
#include "scan_tile.cl"

static inline clf_value clf_partial_get(const clf_arguments *a, uint tile)
{
    uint w[CLF_VALUE_WORDS];
    __global const uint *const from =
        (__global const uint *)(a->scratch + CLF_HEADER_BYTES) + (size_t)tile * CLF_VALUE_WORDS;
    CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k)
        w[k] = from[k];
    return clf_unpack(w);
}

static inline void clf_partial_set(const clf_arguments *a, uint tile, clf_value v)
{
    uint w[CLF_VALUE_WORDS];
    __global uint *const to = (__global uint *)(a->scratch + CLF_HEADER_BYTES) + (size_t)tile * CLF_VALUE_WORDS;
    clf_pack(v, w);
    CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k)
        to[k] = w[k];
}

typedef clf_tile_storage clf_scan_up_storage;

static inline void clf_scan_up_body(const clf_arguments *a, __local clf_scan_up_storage *s)
{
    const uint tile = (uint)get_group_id(0);
    const clf_tile t = clf_tile_at((ulong)tile * CLF_TILE, clf_tile_count(a, tile));
    clf_value aggregate;
    clf_tile_fetch(a, t, s);
    (void)clf_tile_reduce(t, s, &aggregate);
    if (clf_local_id() == 0)
        clf_partial_set(a, tile, aggregate);
}

typedef clf_group_storage clf_scan_spine_storage;

/* Each work-item takes a run of consecutive tiles: barriers only between the two loops. */
static inline void clf_scan_spine_body(const clf_arguments *a, __local clf_scan_spine_storage *s)
{
    const uint tiles = clf_tiles(a), share = (tiles + CLF_GROUP - 1) / CLF_GROUP;
    const uint first = min(clf_local_id() * share, tiles), last = min(first + share, tiles);
    clf_value sum = clf_neutral(), aggregate;
    for (uint tile = first; tile < last; ++tile)
        sum = clf_combine(sum, clf_partial_get(a, tile));
    clf_value prefix = clf_combine(clf_initial(a), clf_group_scan(sum, s, &aggregate));
    for (uint tile = first; tile < last; ++tile) {
        const clf_value v = clf_partial_get(a, tile);
        clf_partial_set(a, tile, prefix);
        prefix = clf_combine(prefix, v);
    }
}

typedef clf_tile_storage clf_scan_down_storage;

static inline void clf_scan_down_body(const clf_arguments *a, __local clf_scan_down_storage *s)
{
    const uint tile = (uint)get_group_id(0);
    const clf_tile t = clf_tile_at((ulong)tile * CLF_TILE, clf_tile_count(a, tile));
    clf_value aggregate;
    clf_tile_fetch(a, t, s);
    const clf_value left = clf_tile_reduce(t, s, &aggregate);
    clf_tile_finish(a, t, s, clf_combine(clf_partial_get(a, tile), left));
}
