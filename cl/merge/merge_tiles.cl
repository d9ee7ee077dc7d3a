/* SPDX-License-Identifier: MIT */
/*
 * merge_tiles: two sorted sequences merged, tile by tile of results (path_tile.cl). Each element is read once and
 * written once, coalesced.
 *
 * needs: nothing
 * provides: clf_merge_tiles_body
 */
#include "merge/path_pieces.cl"
#include "merge/path_mend.cl"

/* Are rows kept in registers as they are walked? Of elements of many fields a bit each is kept. */
#define CLF_MERGE_KEEPS (CLF_VALUE_COUNT == 1 || CLF_VALUE_BYTES <= 8)

typedef struct {
    clf_slab slab;
    clf_path_rows rows;
    ulong cut[2];
} clf_merge_tiles_storage;

/* A row: where it begins in each piece, and whose its elements are: a bit for each, set: the second piece's. */
typedef struct {
    uint first, second, seconds;
    clf_row_reach reach;
} clf_merge_row;

static inline clf_merge_row clf_merge_row_of(const clf_pieces *p, __local clf_slab *slab CLF_LESS_PARAMETER)
{
    clf_path_walk w;
    clf_path_walk_begin(p, slab, &w CLF_LESS_C);
    clf_merge_row row = {w.i, w.j, 0, {w.i, 0}};
    CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) {
        const bool is_first = clf_path_walk_is_first(p, &w, false CLF_LESS_C);
        row.seconds |= (uint)!is_first << k;
        clf_path_walk_step(p, &w, is_first, false, slab);
    }
    row.reach.end = w.i;
    return row;
}

/* One array of results: every work-item takes its row into registers, then all write where their rows belong. */
#define CLF_MERGE_TOGETHER(move, bytes, value, name, array, region) \
    { \
        move x[CLF_ITEMS]; \
        uint i = row.first, j = row.second; \
        CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) { \
            const bool second = row.seconds >> k & 1; \
            x[k] = *clf_tile_element_##bytes(slab->region, min(second ? j : i, t->count - 1)); \
            i += !second; \
            j += second; \
        } \
        clf_group_sync(); \
        CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) \
            if (p.at + k < t->count) \
                *clf_tile_element_##bytes(slab->region, p.at + k) = x[k]; \
    }
static inline void clf_merge_by_bits(const clf_path_tile *t, __local clf_slab *slab,
                                     __local clf_path_rows *rows CLF_LESS_PARAMETER)
{
    clf_pieces p;
    clf_pieces_of_tile(t, &p);
    const clf_merge_row row = clf_merge_row_of(&p, slab CLF_LESS_C);
    clf_path_rows_tell(rows, &row.reach);
    CLF_ROUND_0(CLF_MERGE_TOGETHER)
    clf_path_rows_look(rows, &p, &row.reach);
}

CLF_INLINE void clf_merge_tiles_body(const clf_arguments *a, __local clf_merge_tiles_storage *s)
{
    const clf_sequences q = clf_sequences_of(a);
    const ulong from = get_group_id(0) * (ulong)CLF_TILE;
    if (!clf_path_reaches(&q, from))
        return;
    const clf_path_tile t = clf_path_tile_at(a, &q, from, s->cut);
    if (clf_local_id() == 0)
        clf_path_tell(a, &q, get_group_id(0), clf_path_goes_on(&t));
    clf_path_rows_begin(&s->rows);
    clf_path_fetch(&q, &t, &s->slab);
    clf_group_sync();
    if (CLF_MERGE_KEEPS)
        clf_pieces_merge(&t, &s->slab, &s->rows CLF_LESS_A);
    else
        clf_merge_by_bits(&t, &s->slab, &s->rows CLF_LESS_A);
    clf_group_sync();
    clf_pieces_flush(&q, &t, &s->slab, &s->rows);
}
