/* SPDX-License-Identifier: MIT */
/*
 * bounds_tiles: bounds of sorted needles. Haystack and needles are merged (path_tile.cl), but nothing is written
 * except, for each needle, how many elements of the haystack come before it. Haystack and needles are read once, and
 * positions are written once, coalesced.
 *
 * needs: a->positions
 * provides: clf_bounds_tiles_body
 */
#include "merge/path_tile.cl"

typedef struct {
    clf_slab slab;
    uint places[CLF_TILE]; /* where a needle lies: how many of the tile's elements of the haystack come before it */
    clf_path_rows rows;
    ulong cut[2];
} clf_bounds_tiles_storage;

CLF_INLINE uint clf_bounds_walk(const clf_pieces *p, clf_path_walk w, bool sure,
                                __local clf_bounds_tiles_storage *s CLF_LESS_PARAMETER)
{
    CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) {
        const bool is_first = clf_path_walk_is_first(p, &w, sure CLF_LESS_C);
        if (!is_first)
            s->places[w.j] = w.i;
        clf_path_walk_step(p, &w, is_first, sure, &s->slab);
    }
    return w.i;
}

static inline void clf_bounds_place(const clf_path_tile *t, __local clf_bounds_tiles_storage *s CLF_LESS_PARAMETER)
{
    clf_pieces p;
    clf_path_walk w;
    clf_row_reach reach;
    clf_pieces_of_tile(t, &p);
    clf_path_walk_begin(&p, &s->slab, &w CLF_LESS_C);
    reach.begin = w.i;
    if (clf_path_walk_is_sure(&p, &w))
        reach.end = clf_bounds_walk(&p, w, true, s CLF_LESS_C);
    else
        reach.end = clf_bounds_walk(&p, w, false, s CLF_LESS_C);
    clf_path_rows_tell(&s->rows, &reach);
    clf_group_sync();
    clf_path_rows_look(&s->rows, &p, &reach);
}

/* Where `less` is no order positions are anything, but all are written: needles between this tile and the next, too. */
static inline void clf_bounds_flush(const clf_arguments *a, const clf_path_tile *t,
                                    __local const clf_bounds_tiles_storage *s)
{
    const uint needles = t->count - t->firsts;
    const bool follow = clf_path_rows_follow(&s->rows);
    const ulong first_end = t->first + t->firsts, to = t->from + t->count;
    for (uint j = clf_local_id(); j < needles; j += CLF_GROUP)
        a->positions[t->second + j] = t->first + (follow ? s->places[t->firsts + j] : 0);
    for (ulong needle = to - first_end + clf_local_id(); needle < to - t->next; needle += CLF_GROUP)
        a->positions[needle] = first_end;
}

CLF_INLINE void clf_bounds_tiles_body(const clf_arguments *a, __local clf_bounds_tiles_storage *s)
{
    const clf_sequences q = clf_sequences_of(a);
    const ulong from = get_group_id(0) * (ulong)CLF_TILE;
    if (!clf_path_reaches(&q, from))
        return;
    const clf_path_tile t = clf_path_tile_at(a, &q, from, s->cut);
    clf_path_rows_begin(&s->rows);
    clf_path_fetch(&q, &t, &s->slab);
    clf_group_sync();
    clf_bounds_place(&t, s CLF_LESS_A);
    clf_group_sync();
    clf_bounds_flush(a, &t, s);
}
