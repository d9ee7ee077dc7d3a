/* SPDX-License-Identifier: MIT */
/*
 * adjacent_chunks: a tile by a work-group, straight from global memory to registers and back.
 *
 * A tile is CLF_ADJACENT_ROWS rows of a chunk (tile.cl) per work-item: neighbouring work-items load and store
 * neighbouring vectors. The element before a chunk is loaded by itself: its neighbour has just loaded it, so it comes
 * from the cache. No group waits for another, so all loads of a tile are in flight at once. The last tile, which is not
 * full, is processed element by element. So are all tiles if some array is not aligned to whole vectors.
 *
 * In place, the group must read all of a row before it overwrites any element of it. So rows are taken from the last to
 * the first: the element before a row is then still unchanged, and the one before the tile is its halo.
 *
 * needs: nothing
 * provides: clf_adjacent_apart_body, clf_adjacent_in_place_body
 */
#include "memory/chunks.cl"
#include "adjacent_difference/adjacent.cl"

#define CLF_ADJACENT_ROWS (CLF_ITEMS / CLF_CHUNK)

/* ---- A tile ------------------------------------------------------------------------------------------- */

typedef struct {
    ulong number, first; /* of the tile; of its first element */
    uint count;          /* of its elements */
    clf_segment_heads heads;
} clf_adjacent_tile;

static inline clf_adjacent_tile clf_adjacent_tile_at(const clf_arguments *a)
{
    clf_adjacent_tile t;
    t.number = get_group_id(0);
    t.first = t.number * CLF_TILE;
    t.count = (uint)min(clf_total(a) - t.first, (ulong)CLF_TILE);
    t.heads = clf_segment_heads_of(a, t.first);
    return t;
}

/* Are there fewer tiles than groups that the host launched for them? */
static inline bool clf_adjacent_beyond(const clf_arguments *a)
{
    return CLF_GIVEN && get_group_id(0) * (ulong)CLF_TILE >= clf_total(a);
}

static inline bool clf_adjacent_is_head(const clf_adjacent_tile *t, uint place)
{
    return place >= t->heads.first && (place - t->heads.first) % t->heads.size == 0;
}

/* Bit k: does element k of the chunk at `place` start a segment? */
static inline uint clf_adjacent_heads(const clf_adjacent_tile *t, uint place)
{
    if (t->heads.first >= CLF_TILE)
        return 0;
    clf_row_heads row_heads = clf_row_heads_at(t->heads, place);
    return clf_row_heads_next(&row_heads);
}

/* Where this work-item's chunk of row j begins in the tile. */
static inline uint clf_adjacent_place(uint j)
{
    return (j * CLF_GROUP + clf_local_id()) * CLF_CHUNK;
}

/* ---- A chunk ------------------------------------------------------------------------------------------ */

/* Makes the results of the first `count` elements of a chunk; `before` is the value before it, if that is needed. */
static inline void clf_adjacent_combine(const clf_arguments *a, const clf_input x[CLF_CHUNK], ulong i, uint count,
                                        uint heads, clf_value before, clf_result v[CLF_CHUNK],
                                        clf_extra extra[CLF_CHUNK])
{
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k) {
        if (k < count) {
            const clf_value here = clf_value_copy(clf_map_at(a, x[k], i + k, &extra[k]));
            if (heads >> k & 1)
                v[k] = clf_adjacent_result(a, clf_adjacent_first(a, here), i + k);
            else
                v[k] = clf_adjacent_result(a, clf_combine(before, here), i + k);
            before = here;
        }
    }
}

#define CLF_EXTRA_ADDRESS(f, type, move, bytes, name) bits |= (size_t)(out->e##f + first);
static inline bool clf_extras_aligned(const clf_outputs *out, ulong first)
{
    size_t bits = 0;
    CLF_EXTRA_FIELDS(CLF_EXTRA_ADDRESS)
    return (bits & 15) == 0;
}

#define CLF_EXTRAS_STORE(f, type, move, bytes, name) \
    CLF_PUT_FIELD(CLF_CHUNK, clf_chunk_store_##bytes((__global move *)(out->e##f + first), w), x, move, name)
static inline void clf_extras_store(const clf_outputs *out, ulong first, const clf_extra x[CLF_CHUNK])
{
    CLF_EXTRA_FIELDS(CLF_EXTRAS_STORE)
}

static inline bool clf_adjacent_aligned(const clf_arguments *a, const clf_adjacent_tile *t)
{
    return clf_inputs_head(&a->in, t->first) == 0 && clf_inputs_aligned(&a->in, t->first) &&
           clf_results_aligned(&a->out, t->first) && clf_extras_aligned(&a->out, t->first);
}

/* ---- Apart -------------------------------------------------------------------------------------------- */

/* All rows of a full, aligned tile: first all loads, then all else. */
static inline void clf_adjacent_rows(const clf_arguments *a, const clf_adjacent_tile *t)
{
    const clf_inputs in = clf_inputs_from(&a->in, t->first);
    clf_packed row[CLF_ADJACENT_ROWS];
    clf_input left[CLF_ADJACENT_ROWS];
    CLF_UNROLL for (uint j = 0; j < CLF_ADJACENT_ROWS; ++j)
        clf_packed_load(&in, clf_adjacent_place(j), true, &row[j]);
    CLF_UNROLL for (uint j = 0; j < CLF_ADJACENT_ROWS; ++j)
        left[j] = clf_input_at(&a->in, max(t->first + clf_adjacent_place(j), 1ul) - 1);
    CLF_UNROLL for (uint j = 0; j < CLF_ADJACENT_ROWS; ++j) {
        const ulong i = t->first + clf_adjacent_place(j);
        const uint heads = clf_adjacent_heads(t, clf_adjacent_place(j));
        clf_input x[CLF_CHUNK];
        clf_result v[CLF_CHUNK];
        clf_value before;
        clf_extra extra[CLF_CHUNK];
        clf_packed_split(&row[j], x);
        if (!(heads & 1))
            before = clf_value_copy(clf_map_at(a, left[j], i - 1, &extra[0]));
        if (heads == 0)
            clf_adjacent_combine(a, x, i, CLF_CHUNK, 0, before, v, extra);
        else
            clf_adjacent_combine(a, x, i, CLF_CHUNK, heads, before, v, extra);
        clf_results_store(&a->out, i, v);
        clf_extras_store(&a->out, i, extra);
    }
}

/* Elements that a work-item loads at a time, where it takes single ones: 32 bytes of inputs, 8 elements at most. */
enum {
    CLF_ADJACENT_FIT = 32 / sizeof(clf_input),
    CLF_ADJACENT_MOST = CLF_ADJACENT_FIT > 8 ? 8 : CLF_ADJACENT_FIT ? CLF_ADJACENT_FIT : 1
};

/* The result of one element. */
static inline void clf_adjacent_one(const clf_arguments *a, const clf_adjacent_tile *t, uint place, clf_input x,
                                    clf_input left)
{
    const ulong i = t->first + place;
    clf_extra none, extra;
    const clf_value here = clf_map_at(a, x, i, &extra);
    if (clf_adjacent_is_head(t, place))
        clf_output_at(&a->out, i, clf_adjacent_result(a, clf_adjacent_first(a, here), i));
    else
        clf_output_at(&a->out, i, clf_adjacent_result(a, clf_combine(clf_map_at(a, left, i - 1, &none), here), i));
    clf_extra_at(&a->out, i, extra);
}

/* Any tile. What does not exist is loaded from the tile's last element instead. */
static inline void clf_adjacent_singles(const clf_arguments *a, const clf_adjacent_tile *t)
{
    for (uint at = clf_local_id(); at < t->count; at += CLF_ADJACENT_MOST * CLF_GROUP) {
        clf_input x[CLF_ADJACENT_MOST], left[CLF_ADJACENT_MOST];
        CLF_UNROLL for (uint k = 0; k < CLF_ADJACENT_MOST; ++k) {
            const ulong i = t->first + min(at + k * CLF_GROUP, t->count - 1);
            x[k] = clf_input_at(&a->in, i);
            left[k] = clf_input_at(&a->in, max(i, 1ul) - 1);
        }
        CLF_UNROLL for (uint k = 0; k < CLF_ADJACENT_MOST; ++k)
            if (at + k * CLF_GROUP < t->count)
                clf_adjacent_one(a, t, at + k * CLF_GROUP, x[k], left[k]);
    }
}

typedef uchar clf_adjacent_apart_storage; /* none needed */

CLF_INLINE void clf_adjacent_apart_body(const clf_arguments *a, __local clf_adjacent_apart_storage *s)
{
    if (clf_adjacent_beyond(a))
        return;
    const clf_adjacent_tile t = clf_adjacent_tile_at(a);
    if (t.count == CLF_TILE && clf_adjacent_aligned(a, &t))
        clf_adjacent_rows(a, &t);
    else
        clf_adjacent_singles(a, &t);
}

/* ---- In place ----------------------------------------------------------------------------------------- */

/* A chunk's elements one by one; what does not exist is the tile's last element instead. */
static inline void clf_adjacent_load(const clf_arguments *a, const clf_adjacent_tile *t, uint place,
                                     clf_input x[CLF_CHUNK])
{
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
        x[k] = clf_input_at(&a->in, t->first + min(place + k, t->count - 1));
}

static inline void clf_adjacent_store(const clf_arguments *a, ulong i, uint count, bool aligned,
                                      const clf_result v[CLF_CHUNK], const clf_extra extra[CLF_CHUNK])
{
    if (aligned && count == CLF_CHUNK) {
        clf_results_store(&a->out, i, v);
        clf_extras_store(&a->out, i, extra);
        return;
    }
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k) {
        if (k < count) {
            clf_output_at(&a->out, i + k, v[k]);
            clf_extra_at(&a->out, i + k, extra[k]);
        }
    }
}

typedef uchar clf_adjacent_in_place_storage;

CLF_INLINE void clf_adjacent_in_place_body(const clf_arguments *a, __local clf_adjacent_in_place_storage *s)
{
    if (clf_adjacent_beyond(a))
        return;
    const clf_adjacent_tile t = clf_adjacent_tile_at(a);
    const bool aligned = clf_adjacent_aligned(a, &t);
    for (uint k = 0; k < CLF_ADJACENT_ROWS; ++k) {
        const uint place = clf_adjacent_place(CLF_ADJACENT_ROWS - 1 - k);
        const uint count = place < t.count ? min(t.count - place, (uint)CLF_CHUNK) : 0;
        const uint heads = clf_adjacent_heads(&t, place);
        const ulong i = t.first + place;
        clf_input x[CLF_CHUNK];
        clf_result v[CLF_CHUNK];
        clf_value before;
        clf_extra extra[CLF_CHUNK];
        if (aligned && count == CLF_CHUNK) {
            const clf_inputs in = clf_inputs_from(&a->in, i);
            clf_packed chunk;
            clf_packed_load(&in, 0, true, &chunk);
            clf_packed_split(&chunk, x);
        } else {
            clf_adjacent_load(a, &t, place, x);
        }
        if (count && place && !(heads & 1))
            before = clf_value_copy(clf_value_at(a, i - 1));
        else if (count && !(heads & 1))
            before = clf_halo_get(a, t.number);
        clf_adjacent_combine(a, x, i, count, heads, before, v, extra);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        clf_adjacent_store(a, i, count, aligned, v, extra);
    }
}
