/* SPDX-License-Identifier: MIT */
/*
 * path_tile: a tile of a merge path by a work-group. Both pieces are in local memory, one behind the other; each
 * work-item finds its own cut there and traverses CLF_ITEMS elements, its row.
 *
 * The cuts of tiles lie in scratch (a->cuts), where an earlier launch has left them; if there are few tiles, each group
 * searches its own. No group waits for another.
 *
 *   scratch   ulong: the cut before tile 0 | before tile 1 | …
 *             uint, of merges: does the next tile not begin where tile 0 ends? | tile 1? | …
 *
 * needs: a->cuts
 * provides: clf_path_*, clf_pieces, clf_pieces_count, clf_pieces_of_tile, clf_row_reach, path words
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

/* For path_mend.cl: the words of tiles whose cuts do not follow from each other (clf_path_goes_on). */
static inline __global uint *clf_path_words(const clf_arguments *a, const clf_sequences *q)
{
    return (__global uint *)a->scratch + (a->cuts ? 2 * clf_path_tiles(q) : 0);
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
                                      ? q->size
                                      : ((__global const ulong *)a->scratch)[get_group_id(0) + clf_local_id()];
        return;
    }
    clf_bisect_group(q, from, to, cut);
}

/* ---- A tile --------------------------------------------------------------------------------------------- */

typedef struct {
    ulong from, first, second; /* diagonal; the first element of either piece */
    uint firsts, count;        /* elements of the first piece, and of both; there is one at least */
    ulong next;                /* where in the first sequence the next tile begins */
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
    t.next = cut[1];
    return t;
}

/* Does the next tile begin where this one ends? */
static inline bool clf_path_goes_on(const clf_path_tile *t)
{
    return CLF_IS_ORDER || t->first + t->firsts == t->next;
}

/* One field of a full tile to local memory, from places to which constants are added. */
#define CLF_PATH_FETCH_WHOLE(f, type, move, bytes, name) \
    { \
        __global const move *const first = (__global const move *)q->first.p##f + t->first + clf_local_id(); \
        __global const move *const second = \
            (__global const move *)q->second.p##f + ((long)(t->second + clf_local_id()) - t->firsts); \
        move x[CLF_ITEMS]; \
        CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) \
            x[k] = (clf_is_below(clf_local_id(), k * CLF_GROUP, t->firsts) ? first : second)[k * CLF_GROUP]; \
        CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) \
            *clf_tile_element_##bytes(slab->r##f, k * CLF_GROUP + clf_local_id()) = x[k]; \
    }

/* The same of any tile. What does not exist is loaded from the last element instead, so that no load waits. */
#define CLF_PATH_FETCH_PART(f, type, move, bytes, name) \
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
    if (CLF_LANE_WIDTH > 1 && t->count == CLF_TILE) {
        CLF_INPUT_FIELDS(CLF_PATH_FETCH_WHOLE)
        return;
    }
    CLF_INPUT_FIELDS(CLF_PATH_FETCH_PART)
}

/* `count` elements of the tile to where results begin, but for `first`. */
#define CLF_PATH_FLUSH(move, bytes, value, name, array, region) \
    clf_flush_some_##bytes((__global move *)out->array + first, 0, count, slab->region);
static inline void clf_path_flush(const clf_outputs *out, ulong first, uint count, __local clf_slab *slab)
{
    CLF_ROUND_0(CLF_PATH_FLUSH)
}

/* The same of elements in the order that they have: the first piece, then the second. */
static inline void clf_path_copy(const clf_sequences *q, const clf_path_tile *t)
{
    CLF_LOOP for (uint i = clf_local_id(); i < t->count; i += CLF_GROUP)
        clf_output_at(&q->out, t->from + i,
                      i < t->firsts ? clf_input_at(&q->first, t->first + i)
                                    : clf_input_at(&q->second, t->second + (i - t->firsts)));
}

/* ---- Rows ----------------------------------------------------------------------------------------------- */

#if CLF_ITEMS > 32
#error "a row of a merge path has 32 elements at most"
#endif

/* Two sorted pieces of a tile, elements begin … middle - 1 and middle … end - 1, of which a work-item takes a row. */
typedef struct {
    uint begin, middle, end;
    uint at; /* of the row among elements of both pieces */
} clf_pieces;

/* Those of a fetched tile, and the work-item's row of them. */
CLF_INLINE void clf_pieces_of_tile(const clf_path_tile *t, clf_pieces *p)
{
    p->begin = 0;
    p->middle = t->firsts;
    p->end = t->count;
    p->at = min(clf_local_id() * CLF_ITEMS, t->count);
}

static inline uint clf_pieces_count(const clf_pieces *p)
{
    return p->end - p->begin - p->at;
}

/* Elements of the first piece before the row: as in bisect.cl. */
CLF_INLINE uint clf_pieces_cut(const clf_pieces *p, __local clf_slab *slab CLF_LESS_PARAMETER)
{
    const uint seconds = p->end - p->middle;
    uint low = p->at > seconds ? p->at - seconds : 0, high = min(p->at, p->middle - p->begin);
    while (low < high) {
        const uint k = (low + high) / 2;
        if (clf_comes_first(clf_input_in(slab, p->begin + k), clf_input_in(slab, p->middle + p->at - 1 - k) CLF_LESS_C))
            low = k + 1;
        else
            high = k;
    }
    return low;
}

/* A work-item on its way: the next element of either piece, where it lies and what it is. (Inlined by force, and
 * changed without branches, so that it stays in registers on AMD's.) */
typedef struct {
    uint i, j;
    clf_input x, y;
} clf_path_walk;

/* Before its row. Synchronise first. */
CLF_INLINE void clf_path_walk_begin(const clf_pieces *p, __local clf_slab *slab, clf_path_walk *w CLF_LESS_PARAMETER)
{
    const uint cut = clf_pieces_cut(p, slab CLF_LESS_C), last = p->end - 1;
    w->i = p->begin + cut;
    w->j = p->middle + p->at - cut;
    w->x = clf_input_in(slab, min(w->i, last));
    w->y = clf_input_in(slab, min(w->j, last));
}

/* Do all rows of the warp end before either of their pieces does? Of long pieces most do. */
CLF_INLINE bool clf_path_walk_is_sure(const clf_pieces *p, const clf_path_walk *w)
{
    const bool sure = w->i + CLF_ITEMS <= p->middle && w->j + CLF_ITEMS < p->end;
    return CLF_LANE_WIDTH > 1 ? clf_ballot(!sure) == 0 : sure;
}

/* Is the next element the first piece's? `sure`, here and below: neither piece ends before the row. */
CLF_INLINE bool clf_path_walk_is_first(const clf_pieces *p, const clf_path_walk *w, bool sure CLF_LESS_PARAMETER)
{
    const bool ends_second = !sure && w->j >= p->end, ends_first = !sure && w->i >= p->middle;
    return ends_second || (!ends_first && clf_comes_first(w->x, w->y CLF_LESS_C));
}

/* Past it. Beyond the last one there is that. */
#define CLF_PATH_WALK_STEP(f, type, move, bytes, name) \
    w->x.name = is_first ? next.name : w->x.name; \
    w->y.name = is_first ? w->y.name : next.name;
CLF_INLINE void clf_path_walk_step(const clf_pieces *p, clf_path_walk *w, bool is_first, bool sure,
                                   __local clf_slab *slab)
{
    w->i += is_first;
    w->j += !is_first;
    const uint at = is_first ? w->i : w->j;
    const clf_input next = clf_input_in(slab, sure ? at : min(at, p->end - 1));
    CLF_INPUT_FIELDS(CLF_PATH_WALK_STEP)
}

/* ---- Rows that follow from each other ------------------------------------------------------------------- */

#if CLF_IS_ORDER
typedef uchar clf_path_rows[1]; /* none needed */
#elif CLF_GROUP * CLF_ITEMS < 65000
/* Where each row ends in the first piece; then, whether some do not follow. */
typedef ushort clf_path_rows[CLF_GROUP + 1];
#else
typedef uint clf_path_rows[CLF_GROUP + 1];
#endif

/* Of a row: its next element of the first piece, before it and behind it. */
typedef struct {
    uint begin, end;
} clf_row_reach;

/* Nothing is known yet. Synchronise afterwards. */
CLF_INLINE void clf_path_rows_begin(__local clf_path_rows *rows)
{
    if (!CLF_IS_ORDER && clf_local_id() == 0)
        (*rows)[CLF_GROUP] = 0;
}

/* The work-item tells the next one where its row ends; */
CLF_INLINE void clf_path_rows_tell(__local clf_path_rows *rows, const clf_row_reach *reach)
{
    if (!CLF_IS_ORDER)
        (*rows)[clf_local_id()] = reach->end;
}

/* and when that is seen, the next one looks whether its own begins there. */
CLF_INLINE void clf_path_rows_look(__local clf_path_rows *rows, const clf_pieces *p, const clf_row_reach *reach)
{
    if (!CLF_IS_ORDER && p->at > 0 && clf_pieces_count(p) > 0 && (*rows)[clf_local_id() - 1] != reach->begin)
        (*rows)[CLF_GROUP] = 1;
}

/* Do all? Synchronise first. */
CLF_INLINE bool clf_path_rows_follow(__local const clf_path_rows *rows)
{
    return CLF_IS_ORDER || !(*rows)[CLF_GROUP];
}
