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

/* From the row's cut on, before element i of the first piece and j of the second. `sure`: neither can end. */
CLF_INLINE void clf_pieces_walk(const clf_pieces *p, uint i, uint j, bool sure, __local clf_slab *slab,
                                clf_input row[CLF_ITEMS])
{
    const uint last = p->end - 1;
    clf_input x = clf_input_in(slab, min(i, last)), y = clf_input_in(slab, min(j, last));
    CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) {
        const bool ends_second = !sure && j >= p->end, ends_first = !sure && i >= p->middle;
        const bool takes_first = ends_second || (!ends_first && clf_comes_first(x, y));
        CLF_INPUT_FIELDS(CLF_PIECES_TAKE)
        i += takes_first;
        j += !takes_first;
        const uint at = takes_first ? i : j;
        const clf_input next = clf_input_in(slab, sure ? at : min(at, last));
        CLF_INPUT_FIELDS(CLF_PATH_STEP)
    }
}

/* Do all rows of the warp end before either of their pieces does, and before the element behind? */
static inline bool clf_pieces_sure(const clf_pieces *p, uint i, uint j)
{
    const bool sure = i + CLF_ITEMS <= p->middle && j + CLF_ITEMS < p->end;
#if CLF_LANE_WIDTH > 1
    return clf_ballot(!sure) == 0;
#else
    return sure;
#endif
}

/* The row, of which there may be less. Nothing is written. Of long pieces most rows are far from ends. */
CLF_INLINE void clf_pieces_take(const clf_pieces *p, __local clf_slab *slab, clf_input row[CLF_ITEMS])
{
    const uint cut = clf_path_local_cut(p->begin, p->middle, p->end, p->at, slab);
    const uint i = p->begin + cut, j = p->middle + p->at - cut;
    if (clf_pieces_sure(p, i, j))
        clf_pieces_walk(p, i, j, true, slab, row);
    else
        clf_pieces_walk(p, i, j, false, slab, row);
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
