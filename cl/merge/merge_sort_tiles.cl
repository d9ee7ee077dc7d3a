/* SPDX-License-Identifier: MIT */
/*
 * merge_sort_tiles: a merge sort (merge_sort.cl) by groups with tiles in local memory (path_tile.cl). A tile is sorted
 * in registers row by row, then rows are merged two by two as runs are, by all work-items.
 *
 *   sort    tiles of the input                                     reads and writes n
 *   cuts    where tiles begin in their runs                        a search for each tile
 *   merge   runs of a round                                        reads and writes n
 *   mend    what the last round has lost, if `less` is no order
 *
 * needs: nothing
 * provides: clf_merge_sort_cuts_body, clf_merge_sort_merge_body, clf_merge_sort_tile_body
 */
#include "merge/path_pieces.cl"
#include "merge/merge_sort.cl"

typedef struct {
    clf_slab slab;
    clf_path_rows rows;
    ulong cut[2];
} clf_sort_storage;
typedef clf_sort_storage clf_merge_sort_tile_storage;
typedef clf_sort_storage clf_merge_sort_merge_storage;

/* ---- A row in registers --------------------------------------------------------------------------------- */

#define CLF_ROW_LOAD(f, type, move, bytes, name) \
    CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) \
        row[k].name = as_##type(*clf_tile_element_##bytes(slab->r##f, clf_local_id() * CLF_ITEMS + k));
CLF_INLINE void clf_row_load(__local clf_slab *slab, clf_input row[CLF_ITEMS])
{
    CLF_INPUT_FIELDS(CLF_ROW_LOAD)
}

#define CLF_ROW_SWAP(f, type, move, bytes, name) \
    { \
        const type left = row[k].name, right = row[k + 1].name; \
        row[k].name = swap ? right : left; \
        row[k + 1].name = swap ? left : right; \
    }
CLF_INLINE void clf_row_step(clf_input row[CLF_ITEMS], uint first, uint count CLF_LESS_PARAMETER)
{
    CLF_UNROLL for (uint k = first; k + 1 < CLF_ITEMS; k += 2) {
        const bool swap = k + 1 < count && clf_is_less(row[k + 1], row[k] CLF_LESS_C);
        CLF_INPUT_FIELDS(CLF_ROW_SWAP)
    }
}

/* Odd-even transposition: only neighbours change places, so it is stable. */
CLF_INLINE void clf_row_sort(clf_input row[CLF_ITEMS], uint count CLF_LESS_PARAMETER)
{
    CLF_LOOP for (uint step = 0; step < CLF_ITEMS; step += 2) {
        clf_row_step(row, 0, count CLF_LESS_C);
        clf_row_step(row, 1, count CLF_LESS_C);
    }
}

/* ---- A tile sorted -------------------------------------------------------------------------------------- */

/* Pieces of `rows` rows each, a power of two, of a tile of `count` elements. */
static inline clf_pieces clf_merge_sort_pieces(uint rows, uint count)
{
    const uint row = clf_local_id() & (2 * rows - 1), length = rows * CLF_ITEMS;
    clf_pieces p;
    p.begin = min((clf_local_id() - row) * CLF_ITEMS, count);
    p.middle = min(p.begin + length, count);
    p.end = min(p.middle + length, count);
    p.at = min(row * CLF_ITEMS, p.end - p.begin);
    return p;
}

/* So many neighbouring work-items see what others of them wrote. */
static inline void clf_rows_sync(uint rows)
{
    if (CLF_LANE_WIDTH > 1 && rows <= CLF_LANE_WIDTH)
        clf_lane_sync();
    else
        clf_group_sync();
}

static inline void clf_merge_sort_tile_sort(uint count, __local clf_slab *slab,
                                            __local clf_path_rows *ends CLF_LESS_PARAMETER)
{
    clf_input row[CLF_ITEMS];
    clf_row_load(slab, row);
    if (count == CLF_TILE)
        clf_row_sort(row, CLF_ITEMS CLF_LESS_C);
    else
        clf_row_sort(row, count - min(clf_local_id() * CLF_ITEMS, count) CLF_LESS_C);
    clf_row_store(slab, clf_local_id() * CLF_ITEMS, CLF_ITEMS, row);
    CLF_LOOP for (uint rows = 1; rows < CLF_GROUP; rows *= 2) {
        clf_rows_sync(2 * rows);
        const clf_pieces p = clf_merge_sort_pieces(rows, count);
        clf_row_reach reach;
        clf_pieces_take(&p, slab, row, &reach CLF_LESS_C);
        clf_path_rows_tell(ends, &reach);
        clf_rows_sync(2 * rows);
        clf_row_store(slab, p.begin + p.at, clf_pieces_count(&p), row);
        clf_path_rows_look(ends, &p, &reach);
    }
}

/* A tile in the order that it has. */
static inline void clf_tile_copy(const clf_arguments *a, const clf_outputs *out, ulong first, uint count)
{
    CLF_LOOP for (uint i = clf_local_id(); i < count; i += CLF_GROUP)
        clf_output_at(out, first + i, clf_input_at(&a->in, first + i));
}

CLF_INLINE void clf_merge_sort_tile_body(const clf_arguments *a, __local clf_merge_sort_tile_storage *s)
{
    const ulong first = get_group_id(0) * (ulong)CLF_TILE;
    if (CLF_GIVEN && first >= a->size)
        return;
    const uint count = (uint)min(a->size - first, (ulong)CLF_TILE);
    clf_outputs out;
    clf_runs_out(a, clf_is_to_second(clf_merge_sort_rounds(a)), 0, &out);
    if (clf_local_id() == 0)
        clf_runs_begin(a, get_group_id(0));
    clf_path_rows_begin(&s->rows);
    clf_inputs_fetch(&a->in, first, count, &s->slab);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* in place results lie where others have read */
    clf_merge_sort_tile_sort(count, &s->slab, &s->rows CLF_LESS_A);
    clf_group_sync();
    if (clf_path_rows_follow(&s->rows))
        clf_path_flush(&out, first, count, &s->slab);
    else
        clf_tile_copy(a, &out, first, count);
}

/* ---- Runs merged ---------------------------------------------------------------------------------------- */

typedef uchar clf_merge_sort_cuts_storage; /* none needed */

CLF_INLINE void clf_merge_sort_cuts_body(const clf_arguments *a, __local clf_merge_sort_cuts_storage *s)
{
    const ulong tile = get_global_id(0);
    if (clf_round_reaches(a, 0) && tile * CLF_TILE < a->size) {
        ulong from;
        const clf_sequences q = clf_runs_at(a, tile, &from);
        ((__global ulong *)a->scratch)[tile] = clf_bisect(&q, from);
    }
}

CLF_INLINE void clf_merge_sort_merge_body(const clf_arguments *a, __local clf_merge_sort_merge_storage *s)
{
    if (!clf_round_reaches(a, get_group_id(0)))
        return;
    ulong from;
    const clf_sequences q = clf_runs_at(a, get_group_id(0), &from);
    const clf_path_tile t = clf_path_tile_at(a, &q, from, s->cut);
    const bool lack = clf_runs_lack(a, get_group_id(0));
    if (!lack && !clf_path_goes_on(&t) && clf_local_id() == 0)
        clf_runs_lose(a, get_group_id(0));
    clf_path_rows_begin(&s->rows);
    clf_path_fetch(&q, &t, &s->slab);
    clf_group_sync();
    clf_pieces_merge(&t, &s->slab, &s->rows CLF_LESS_A);
    clf_group_sync();
    if (lack)
        clf_runs_restore(a, get_group_id(0));
    else
        clf_pieces_flush(&q, &t, &s->slab, &s->rows);
}
