/* SPDX-License-Identifier: MIT */
/*
 * bounds_tiles: bounds of sorted needles: a merge of haystack and needles (path_tile.cl) of which nothing is written
 * but, for each needle, how many elements of the haystack come before it. Haystack and needles are read once, and
 * positions written once, coalesced.
 */
#include "merge/path_tile.cl"

typedef struct {
    union {
        clf_slab slab;
        uint place[CLF_TILE]; /* of the tile's needles, counted from where the tile's piece of the haystack begins */
    } u;
    ulong cut[2];
} clf_bounds_tiles_storage;

static inline void clf_bounds_place(const clf_path_tile *t, const clf_path_row *row, __local uint *place)
{
    uint i = row->first, j = row->second - t->firsts;
    CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) {
        const bool needle = row->seconds >> k & 1;
        if (needle && row->at + k < t->count)
            place[j] = i;
        i += !needle;
        j += needle;
    }
}

static inline void clf_bounds_flush(const clf_arguments *a, const clf_path_tile *t, __local const uint *place)
{
    const uint needles = t->count - t->firsts;
    CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) {
        const uint j = k * CLF_GROUP + clf_local_id();
        if (j < needles)
            a->positions[t->second + j] = t->first + place[j];
    }
}

CLF_INLINE void clf_bounds_tiles_body(const clf_arguments *a, __local clf_bounds_tiles_storage *s)
{
    const clf_sequences q = clf_sequences_of(a);
    const ulong from = get_group_id(0) * (ulong)CLF_TILE;
    if (!clf_path_reaches(&q, from))
        return;
    const clf_path_tile t = clf_path_tile_at(a, &q, from, s->cut);
    clf_path_fetch(&q, &t, &s->u.slab);
    clf_group_sync();
    const clf_path_row row = clf_path_walk(&t, &s->u.slab);
    clf_group_sync();
    clf_bounds_place(&t, &row, s->u.place);
    clf_group_sync();
    clf_bounds_flush(a, &t, s->u.place);
}
