/* SPDX-License-Identifier: MIT */
/*
 * path_tile: a tile of a merge path by a work-group: both pieces in local memory, one behind the other, where each
 * work-item finds its own cut and walks CLF_ITEMS elements.
 *
 * The cuts of tiles lie in scratch (a->cuts), where a launch before has left them; of few tiles each group looks for
 * its own. No group waits for another.
 *
 *   scratch   ulong: the cut before tile 0 | before tile 1 | …
 */
#include "memory/tile_fields.cl"
#include "merge/path.cl"

/* ---- Cuts of tiles -------------------------------------------------------------------------------------- */

typedef uchar clf_path_cuts_storage; /* none needed */

/* One cut by each work-item. */
#if CLF_IN_SETS > 1
CLF_INLINE void clf_path_cuts_body(const clf_arguments *a, __local clf_path_cuts_storage *s)
{
    const clf_sequences q = clf_sequences_of(a);
    const ulong tile = get_global_id(0);
    if (tile * CLF_TILE < clf_path_total(&q))
        ((__global ulong *)a->scratch)[tile] = clf_bisect(&q, tile * CLF_TILE);
}
#endif

/* Both cuts of a tile, to local memory. Behind the end of both sequences all of the first come before. Synchronise the
 * group afterwards. */
static inline void clf_path_cuts_get(const clf_arguments *a, const clf_sequences *q, ulong from, ulong to,
                                     __local ulong cut[2])
{
    if (a->cuts) {
        if (clf_local_id() < 2)
            cut[clf_local_id()] = clf_local_id() && to == clf_path_total(q)
                ? q->size : ((__global const ulong *)a->scratch)[get_group_id(0) + clf_local_id()];
        return;
    }
#if CLF_LANE_WIDTH > 1
    if (clf_warp_id() == 0) {
        const ulong found = clf_bisect_both(q, from, to);
        if (clf_lane_id() % CLF_PROBES == 0)
            cut[clf_lane_id() / CLF_PROBES] = found;
    }
#else
    if (clf_local_id() < 2)
        cut[clf_local_id()] = clf_bisect(q, clf_local_id() ? to : from);
#endif
}

/* ---- A tile --------------------------------------------------------------------------------------------- */

typedef struct {
    ulong from, first, second; /* diagonal; the first element of either piece */
    uint firsts, count;        /* elements of the first piece, and of both; there is one at least */
} clf_path_tile;

static inline clf_path_tile clf_path_tile_at(const clf_arguments *a, const clf_sequences *q, ulong from,
                                             __local ulong cut[2])
{
    const ulong to = min(from + CLF_TILE, clf_path_total(q));
    clf_path_cuts_get(a, q, from, to, cut);
    clf_group_sync();
    const clf_path_part p = clf_path_part_of(from, to, cut[0], cut[1]);
    clf_path_tile t;
    t.from = from;
    t.first = p.first;
    t.second = p.second;
    t.firsts = (uint)(p.first_end - p.first);
    t.count = (uint)(to - from);
    return t;
}

/* One field to local memory. What does not exist is loaded from the last element instead, so that no load waits. */
#define CLF_PATH_FETCH(f, type, move, bytes, name) \
    { \
        __global const move *const first = (__global const move *)q->first.p##f + t->first; \
        __global const move *const second = (__global const move *)q->second.p##f + t->second; \
        move x[CLF_ITEMS]; \
        CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) { \
            const uint i = min(k * CLF_GROUP + clf_local_id(), t->count - 1); \
            x[k] = *(i < t->firsts ? first + i : second + (i - t->firsts)); \
        } \
        CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) \
            if (k * CLF_GROUP + clf_local_id() < t->count) \
                *clf_tile_element_##bytes(slab->r##f, k * CLF_GROUP + clf_local_id()) = x[k]; \
    }
static inline void clf_path_fetch(const clf_sequences *q, const clf_path_tile *t, __local clf_slab *slab)
{
    CLF_INPUT_FIELDS(CLF_PATH_FETCH)
}

/* `count` elements of the tile to where results begin, but for `first`. */
#define CLF_PATH_FLUSH(move, bytes, value, name, array, region) \
    clf_flush_some_##bytes((__global move *)out->array + first, 0, count, slab->region);
static inline void clf_path_flush(const clf_outputs *out, ulong first, uint count, __local clf_slab *slab)
{
    CLF_ROUND_0(CLF_PATH_FLUSH)
}

/* ---- A row ---------------------------------------------------------------------------------------------- */

#if CLF_ITEMS > 32
#error "a row of a merge path has 32 elements at most"
#endif

/* What a work-item walks: where it begins in the tile, and in each piece; and whose the elements are. */
typedef struct {
    uint at, first, second;
    uint seconds; /* a bit for each element, set: the second piece's */
} clf_path_row;

/* Elements of the first piece before `diagonal`: as in bisect.cl. Pieces from `begin` to `middle`, and to `end`. */
static inline uint clf_path_local_cut(uint begin, uint middle, uint end, uint diagonal, __local clf_slab *slab)
{
    const uint seconds = end - middle;
    uint low = diagonal > seconds ? diagonal - seconds : 0, high = min(diagonal, middle - begin);
    while (low < high) {
        const uint k = (low + high) / 2;
        if (clf_comes_first(clf_input_in(slab, begin + k), clf_input_in(slab, middle + diagonal - 1 - k)))
            low = k + 1;
        else
            high = k;
    }
    return low;
}

/* The element after the one that was taken; beyond the last one, that. */
#define CLF_PATH_STEP(f, type, move, bytes, name) \
    if (takes_first) \
        x.name = next.name; \
    else \
        y.name = next.name;

/* Of a fetched tile; synchronise first. Nothing is written. */
static inline clf_path_row clf_path_walk(const clf_path_tile *t, __local clf_slab *slab)
{
    const uint last = t->count - 1;
    clf_path_row row;
    row.at = min(clf_local_id() * CLF_ITEMS, t->count);
    row.first = clf_path_local_cut(0, t->firsts, t->count, row.at, slab);
    row.second = t->firsts + row.at - row.first;
    row.seconds = 0;
    uint i = row.first, j = row.second;
    clf_input x = clf_input_in(slab, min(i, last)), y = clf_input_in(slab, min(j, last));
    CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) {
        const bool takes_first = j >= t->count || (i < t->firsts && clf_comes_first(x, y));
        i += takes_first;
        j += !takes_first;
        row.seconds |= (uint)!takes_first << k;
        const clf_input next = clf_input_in(slab, min(takes_first ? i : j, last));
        CLF_INPUT_FIELDS(CLF_PATH_STEP)
    }
    return row;
}
