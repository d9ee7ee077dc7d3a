/* SPDX-License-Identifier: MIT */
/*
 * tile_template: tiles of elements of CLF_X bytes, held as CLF_X_TYPE. Included by tile_sizes.cl once per size that
 * is needed; takes CLF_X and CLF_X_TYPE and leaves them undefined.
 *
 * Where pointer and tile allow, global and local memory are accessed by vectors of up to 16 bytes (CLF_X_VEC,
 * of CLF_X_PER elements). A work-item's row in local memory is CLF_X_ROW vectors; rows lie CLF_X_STRIDE
 * apart, which is odd, so that neither rows nor stripes meet bank conflicts, whatever CLF_ITEMS is.
 */
#if CLF_X <= 1 && CLF_ITEMS % 16 == 0
#define CLF_X_PER 16
#elif CLF_X <= 2 && CLF_ITEMS % 8 == 0
#define CLF_X_PER 8
#elif CLF_X <= 4 && CLF_ITEMS % 4 == 0
#define CLF_X_PER 4
#elif CLF_X <= 8 && CLF_ITEMS % 2 == 0
#define CLF_X_PER 2
#else
#define CLF_X_PER 1
#endif

#define CLF_X_NAME(name) CLF_PASTE(name, CLF_X)

/* A word's b-th part from below is its element CLF_X_PART(b). */
#ifdef __ENDIAN_LITTLE__
#define CLF_X_PART(b) (b)
#else
#define CLF_X_PART(b) (4 / CLF_X - 1 - (b))
#endif

#if CLF_X < 4
/* The elements of a word, and back: shifted in from above, so that nothing need be masked off. */
static inline void CLF_X_NAME(clf_word_split_)(uint word, CLF_X_TYPE x[4 / CLF_X])
{
    CLF_UNROLL for (uint b = 0; b < 4 / CLF_X; ++b)
        x[CLF_X_PART(b)] = (CLF_X_TYPE)(word >> 8 * CLF_X * b);
}

static inline uint CLF_X_NAME(clf_word_join_)(const CLF_X_TYPE x[4 / CLF_X])
{
    uint word = 0;
    CLF_UNROLL for (uint b = 0; b < 4 / CLF_X; ++b)
        word = word >> 8 * CLF_X | (uint)x[CLF_X_PART(b)] << (32 - 8 * CLF_X);
    return word;
}
#endif

#define CLF_X_KIND tile
#include "memory/vector_template.cl"

#define CLF_X_ROW (CLF_ITEMS / CLF_X_PER)
#define CLF_X_STRIDE (CLF_X_ROW | 1)

/* A region: a tile in local memory. */
typedef CLF_X_MOVE CLF_X_NAME(clf_region_)[CLF_GROUP * CLF_X_STRIDE];

/* Where vector i of the striped order of an exchange unit lies. */
static inline uint CLF_X_NAME(clf_place_)(uint i)
{
    return i / CLF_X_ROW * CLF_X_STRIDE + i % CLF_X_ROW;
}

/* The rows of this work-item's exchange unit. */
static inline __local CLF_X_MOVE *CLF_X_NAME(clf_rows_)(__local CLF_X_MOVE *region)
{
    return region + clf_local_id() / CLF_UNIT * (CLF_UNIT * CLF_X_STRIDE);
}

/* Element i of the striped order of an exchange unit. */
static inline __local CLF_X_TYPE *CLF_X_NAME(clf_element_)(__local CLF_X_MOVE *rows, uint i)
{
    return (__local CLF_X_TYPE *)(rows + CLF_X_NAME(clf_place_)(i / CLF_X_PER)) + i % CLF_X_PER;
}

/*
 * Between global and local memory, by whole vectors: for a full tile that is aligned to 16 bytes. Synchronise
 * after fetching and before flushing.
 */
static inline void CLF_X_NAME(clf_fetch_whole_)(__global const CLF_X_TYPE *from, __local CLF_X_MOVE *region)
{
    const uint unit = clf_local_id() / CLF_UNIT, lane = clf_local_id() % CLF_UNIT;
    __local CLF_X_MOVE *const rows = CLF_X_NAME(clf_rows_)(region);
    __global const CLF_X_MOVE *const stripes = (__global const CLF_X_MOVE *)from + unit * (CLF_UNIT * CLF_X_ROW) + lane;
    CLF_X_MOVE q[CLF_X_ROW];
    CLF_UNROLL for (uint j = 0; j < CLF_X_ROW; ++j)
        q[j] = stripes[j * CLF_UNIT];
    CLF_UNROLL for (uint j = 0; j < CLF_X_ROW; ++j)
        rows[CLF_X_NAME(clf_place_)(j * CLF_UNIT + lane)] = q[j];
}

static inline void CLF_X_NAME(clf_flush_whole_)(__global CLF_X_TYPE *to, __local CLF_X_MOVE *region)
{
    const uint unit = clf_local_id() / CLF_UNIT, lane = clf_local_id() % CLF_UNIT;
    __local CLF_X_MOVE *const rows = CLF_X_NAME(clf_rows_)(region);
    __global CLF_X_MOVE *const stripes = (__global CLF_X_MOVE *)to + unit * (CLF_UNIT * CLF_X_ROW) + lane;
    CLF_UNROLL for (uint j = 0; j < CLF_X_ROW; ++j)
        stripes[j * CLF_UNIT] = rows[CLF_X_NAME(clf_place_)(j * CLF_UNIT + lane)];
}

/* The same element by element, for the first `count` of any tile. The others are fetched as zeros. */
static inline void CLF_X_NAME(clf_fetch_part_)(__global const CLF_X_TYPE *from, uint count, __local CLF_X_MOVE *region)
{
    const uint unit = clf_local_id() / CLF_UNIT, lane = clf_local_id() % CLF_UNIT;
    __local CLF_X_MOVE *const rows = CLF_X_NAME(clf_rows_)(region);
    CLF_UNROLL_PART for (uint j = 0; j < CLF_ITEMS; ++j) {
        const uint i = j * CLF_UNIT + lane, at = unit * (CLF_UNIT * CLF_ITEMS) + i;
        *CLF_X_NAME(clf_element_)(rows, i) = at < count ? from[at] : (CLF_X_TYPE)0;
    }
}

static inline void CLF_X_NAME(clf_flush_part_)(__global CLF_X_TYPE *to, uint count, __local CLF_X_MOVE *region)
{
    const uint unit = clf_local_id() / CLF_UNIT, lane = clf_local_id() % CLF_UNIT;
    __local CLF_X_MOVE *const rows = CLF_X_NAME(clf_rows_)(region);
    CLF_UNROLL_PART for (uint j = 0; j < CLF_ITEMS; ++j) {
        const uint i = j * CLF_UNIT + lane, at = unit * (CLF_UNIT * CLF_ITEMS) + i;
        if (at < count)
            to[at] = *CLF_X_NAME(clf_element_)(rows, i);
    }
}

/* Elements j … j + CLF_CHUNK - 1 of this work-item's row; j is a multiple of CLF_CHUNK. */
static inline void CLF_X_NAME(clf_row_get_)(__local CLF_X_MOVE *region, uint j, CLF_X_TYPE x[CLF_CHUNK])
{
    __local CLF_X_MOVE *const row = region + clf_local_id() * CLF_X_STRIDE + j / CLF_X_PER;
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK / CLF_X_PER; ++k) {
        const CLF_X_MOVE q = row[k];
        CLF_X_SPLIT(q, x + k * CLF_X_PER);
    }
}

/* As elements: on the way to local memory compilers pack them well. */
static inline void CLF_X_NAME(clf_row_set_)(__local CLF_X_MOVE *region, uint j, const CLF_X_TYPE x[CLF_CHUNK])
{
    const uint at = clf_local_id() * CLF_X_STRIDE + j / CLF_X_PER;
    __local CLF_X_VEC *const row = (__local CLF_X_VEC *)region + at;
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK / CLF_X_PER; ++k)
        row[k] = (CLF_X_VEC)(CLF_PASTE(CLF_JOIN_, CLF_X_PER)(x + k * CLF_X_PER));
}

/* CLF_CHUNK elements between global memory, aligned to a whole vector, and registers. */
static inline void CLF_X_NAME(clf_chunk_load_)(__global const CLF_X_TYPE *from, CLF_X_TYPE x[CLF_CHUNK])
{
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK / CLF_X_PER; ++k) {
        const CLF_X_MOVE q = ((__global const CLF_X_MOVE *)from)[k];
        CLF_X_SPLIT(q, x + k * CLF_X_PER);
    }
}

static inline void CLF_X_NAME(clf_chunk_store_)(__global CLF_X_TYPE *to, const CLF_X_TYPE x[CLF_CHUNK])
{
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK / CLF_X_PER; ++k)
        ((__global CLF_X_MOVE *)to)[k] = CLF_X_JOIN(x + k * CLF_X_PER);
}

/* The first `count`, a power of two, of CLF_CHUNK elements to global memory, aligned to as many. */
static inline void CLF_X_NAME(clf_chunk_store_some_)(__global CLF_X_TYPE *to, uint count, const CLF_X_TYPE x[CLF_CHUNK])
{
#if CLF_X < 4 && CLF_X * CLF_CHUNK >= 16
    const uint words = count * CLF_X / 4;
    uint w[CLF_CHUNK * CLF_X / 4];
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK * CLF_X / 4; ++k)
        w[k] = CLF_X_NAME(clf_word_join_)(x + k * (4 / CLF_X));
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK * CLF_X / 4; k += 4)
        if (k + 4 <= words)
            ((__global uint4 *)to)[k / 4] = (uint4)(w[k], w[k + 1], w[k + 2], w[k + 3]);
    if (words == 2)
        *(__global uint2 *)to = (uint2)(w[0], w[1]);
    else if (words == 1)
        *(__global uint *)to = w[0];
    else if (words == 0)
        CLF_UNROLL for (uint k = 0; k < 4 / CLF_X - 1; ++k)
            if (k < count)
                to[k] = x[k];
#else
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
        if (k < count)
            to[k] = x[k];
#endif
}

#undef CLF_X
#undef CLF_X_TYPE
#undef CLF_X_PER
#undef CLF_X_VEC
#undef CLF_X_WORDS
#undef CLF_X_KIND
#undef CLF_X_SPLIT
#undef CLF_X_JOIN
#undef CLF_X_MOVE
#undef CLF_X_PART
#undef CLF_X_ROW
#undef CLF_X_STRIDE
#undef CLF_X_NAME
