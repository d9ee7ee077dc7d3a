/* SPDX-License-Identifier: MIT */
/*
 * path_pieces: two sorted pieces of a tile in local memory are merged. Each work-item finds its cut, takes its row into
 * registers, and writes it to where it belongs. So an element is read from local memory once. This is for elements of
 * few bytes; for others merge_tiles.cl keeps a bit of each.
 *
 * needs: nothing
 * provides: clf_pieces_flush, clf_pieces_merge, clf_pieces_take, clf_row_store
 */
#include "merge/path_tile.cl"

/* The first `count` elements of a row, to where it belongs. */
#define CLF_ROW_STORE(f, type, move, bytes, name) \
    CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) \
        if (k < count) \
            *clf_tile_element_##bytes(slab->r##f, at + k) = as_##move(row[k].name);
CLF_INLINE void clf_row_store(__local clf_slab *slab, uint at, uint count, const clf_input row[CLF_ITEMS])
{
    CLF_INPUT_FIELDS(CLF_ROW_STORE)
}

#define CLF_PIECES_TAKE(f, type, move, bytes, name) row[k].name = is_first ? w.x.name : w.y.name;
CLF_INLINE uint clf_pieces_walk(const clf_pieces *p, clf_path_walk w, bool sure, __local clf_slab *slab,
                                clf_input row[CLF_ITEMS] CLF_LESS_PARAMETER)
{
    CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) {
        const bool is_first = clf_path_walk_is_first(p, &w, sure CLF_LESS_C);
        CLF_INPUT_FIELDS(CLF_PIECES_TAKE)
        clf_path_walk_step(p, &w, is_first, sure, slab);
    }
    return w.i;
}

/* The row, of which there may be less. Nothing is written. */
CLF_INLINE void clf_pieces_take(const clf_pieces *p, __local clf_slab *slab, clf_input row[CLF_ITEMS],
                                clf_row_reach *reach CLF_LESS_PARAMETER)
{
    clf_path_walk w;
    clf_path_walk_begin(p, slab, &w CLF_LESS_C);
    reach->begin = w.i;
    if (clf_path_walk_is_sure(p, &w))
        reach->end = clf_pieces_walk(p, w, true, slab, row CLF_LESS_C);
    else
        reach->end = clf_pieces_walk(p, w, false, slab, row CLF_LESS_C);
}

/* Both pieces of a fetched tile; synchronise before, and afterwards. */
CLF_INLINE void clf_pieces_merge(const clf_path_tile *t, __local clf_slab *slab,
                                 __local clf_path_rows *rows CLF_LESS_PARAMETER)
{
    clf_input row[CLF_ITEMS];
    clf_pieces p;
    clf_pieces_of_tile(t, &p);
    clf_row_reach reach;
    clf_pieces_take(&p, slab, row, &reach CLF_LESS_C);
    clf_path_rows_tell(rows, &reach);
    clf_group_sync();
    clf_row_store(slab, p.at, clf_pieces_count(&p), row);
    clf_path_rows_look(rows, &p, &reach);
}

/* A merged tile to where it belongs, or, if rows do not follow from each other, what was fetched of it. */
CLF_INLINE void clf_pieces_flush(const clf_sequences *q, const clf_path_tile *t, __local clf_slab *slab,
                                 __local const clf_path_rows *rows)
{
    if (clf_path_rows_follow(rows))
        clf_path_flush(&q->out, t->from, t->count, slab);
    else
        clf_path_copy(q, t);
}
