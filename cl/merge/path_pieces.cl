/* SPDX-License-Identifier: MIT */
/*
 * path_pieces: two sorted pieces of a tile in local memory merged: each work-item finds its cut, takes its row into
 * registers, and writes it to where it belongs. So an element is read from local memory once: for elements of few bytes
 * (path_tile.cl has what keeps a bit of each).
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

/* Two sorted pieces of a tile, elements begin … middle - 1 and middle … end - 1, of which a work-item takes a row. */
typedef struct {
    uint begin, middle, end;
    uint at; /* of the row among elements of both pieces */
} clf_pieces;

static inline uint clf_pieces_count(const clf_pieces *p)
{
    return p->end - p->begin - p->at;
}

#define CLF_PIECES_TAKE(f, type, move, bytes, name) row[k].name = takes_first ? x.name : y.name;

/* The row, of which there may be less. Nothing is written. */
CLF_INLINE void clf_pieces_take(const clf_pieces *p, __local clf_slab *slab, clf_input row[CLF_ITEMS])
{
    const uint last = p->end - 1, cut = clf_path_local_cut(p->begin, p->middle, p->end, p->at, slab);
    uint i = p->begin + cut, j = p->middle + p->at - cut;
    clf_input x = clf_input_in(slab, min(i, last)), y = clf_input_in(slab, min(j, last));
    CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) {
        const bool takes_first = j >= p->end || (i < p->middle && clf_comes_first(x, y));
        CLF_INPUT_FIELDS(CLF_PIECES_TAKE)
        i += takes_first;
        j += !takes_first;
        const clf_input next = clf_input_in(slab, min(takes_first ? i : j, last));
        CLF_INPUT_FIELDS(CLF_PATH_STEP)
    }
}

/* Both pieces of a fetched tile; synchronise before, and afterwards. */
CLF_INLINE void clf_pieces_merge(const clf_path_tile *t, __local clf_slab *slab)
{
    clf_input row[CLF_ITEMS];
    clf_pieces p;
    p.begin = 0;
    p.middle = t->firsts;
    p.end = t->count;
    p.at = min(clf_local_id() * CLF_ITEMS, t->count);
    clf_pieces_take(&p, slab, row);
    clf_group_sync();
    clf_row_store(slab, p.at, clf_pieces_count(&p), row);
}
