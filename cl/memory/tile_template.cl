/* SPDX-License-Identifier: MIT */
/*
 * tile_template: tiles of elements of CLF_X bytes, held as CLF_X_TYPE. Included by tile_sizes.cl once per size that
 * is needed; takes CLF_X and CLF_X_TYPE and leaves them undefined.
 *
 * Where pointer and tile allow, global and local memory are accessed by vectors (vector_template.cl). A work-item's row
 * in local memory is CLF_X_ROW vectors; rows lie CLF_X_STRIDE apart, which is odd, so that neither rows nor stripes
 * meet bank conflicts, whatever CLF_ITEMS is.
 *
 * needs: CLF_X, CLF_X_TYPE
 * provides: clf_fetch_full_, clf_fetch_part_, clf_fetch_whole_, clf_flush_some_, clf_place_, clf_region_, clf_row_get_,
 *           clf_rows_, clf_tile_element_, region
 */
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
    return (__local CLF_X_TYPE *)(rows + CLF_X_NAME(clf_place_)(i / CLF_X_PER)) + CLF_REMAINDER(i, CLF_X_PER);
}

/*
 * Between global and local memory, by whole vectors: for a full tile that is aligned to 16 bytes. Synchronise
 * after fetching and before flushing. From the right `p` is the last element, and the tile's vectors end there.
 */
#define CLF_X_FIRST(space, p) ((__global space CLF_X_MOVE *)((p) + CLF_REVERSED) - CLF_REVERSED)
static inline void CLF_X_NAME(clf_fetch_whole_)(__global const CLF_X_TYPE *from, __local CLF_X_MOVE *region)
{
    const uint unit = clf_local_id() / CLF_UNIT, lane = clf_local_id() % CLF_UNIT;
    __local CLF_X_MOVE *const rows = CLF_X_NAME(clf_rows_)(region);
    __global const CLF_X_MOVE *const stripes = CLF_X_FIRST(const, from) +
                                               CLF_PLACE(unit * (CLF_UNIT * CLF_X_ROW) + lane);
    CLF_X_MOVE q[CLF_X_ROW];
    CLF_UNROLL for (uint j = 0; j < CLF_X_ROW; ++j)
        q[j] = stripes[CLF_PLACE(j * CLF_UNIT)];
    CLF_UNROLL for (uint j = 0; j < CLF_X_ROW; ++j)
        rows[CLF_X_NAME(clf_place_)(j * CLF_UNIT + lane)] = CLF_X_NAME(clf_vector_placed_)(q[j]);
}

static inline void CLF_X_NAME(clf_flush_whole_)(__global CLF_X_TYPE *to, __local CLF_X_MOVE *region)
{
    const uint unit = clf_local_id() / CLF_UNIT, lane = clf_local_id() % CLF_UNIT;
    __local CLF_X_MOVE *const rows = CLF_X_NAME(clf_rows_)(region);
    __global CLF_X_MOVE *const stripes = CLF_X_FIRST(, to) + CLF_PLACE(unit * (CLF_UNIT * CLF_X_ROW) + lane);
    CLF_UNROLL for (uint j = 0; j < CLF_X_ROW; ++j)
        stripes[CLF_PLACE(j * CLF_UNIT)] = CLF_X_NAME(clf_vector_placed_)(
            rows[CLF_X_NAME(clf_place_)(j * CLF_UNIT + lane)]);
}

/*
 * The same element by element, for a full tile that is not aligned: several loads are under way at a time, few enough
 * to take no registers from the way above.
 */
static inline void CLF_X_NAME(clf_fetch_full_)(__global const CLF_X_TYPE *from, __local CLF_X_MOVE *region)
{
    const uint unit = clf_local_id() / CLF_UNIT, lane = clf_local_id() % CLF_UNIT;
    __local CLF_X_MOVE *const rows = CLF_X_NAME(clf_rows_)(region);
    __global const CLF_X_TYPE *const mine = from + CLF_PLACE(unit * (CLF_UNIT * CLF_ITEMS) + lane);
    CLF_X_TYPE x[CLF_UNALIGNED];
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; j += CLF_UNALIGNED) {
        CLF_UNROLL for (uint k = 0; k < CLF_UNALIGNED; ++k)
            if (j + k < CLF_ITEMS)
                CLF_X_SET(x[k], true, mine[CLF_PLACE((j + k) * CLF_UNIT)]);
        CLF_UNROLL for (uint k = 0; k < CLF_UNALIGNED; ++k)
            if (j + k < CLF_ITEMS)
                CLF_X_SET(CLF_X_NAME(clf_element_)(rows, (j + k) * CLF_UNIT + lane)[0], true, x[k]);
    }
}

static inline void CLF_X_NAME(clf_flush_full_)(__global CLF_X_TYPE *to, __local CLF_X_MOVE *region)
{
    const uint unit = clf_local_id() / CLF_UNIT, lane = clf_local_id() % CLF_UNIT;
    __local CLF_X_MOVE *const rows = CLF_X_NAME(clf_rows_)(region);
    __global CLF_X_TYPE *const mine = to + CLF_PLACE(unit * (CLF_UNIT * CLF_ITEMS) + lane);
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j)
        CLF_X_SET(mine[CLF_PLACE(j * CLF_UNIT)], true, CLF_X_NAME(clf_element_)(rows, j * CLF_UNIT + lane)[0]);
}

/* Likewise for the first `count` of any tile. The others are fetched as zeros. */
static inline void CLF_X_NAME(clf_fetch_part_)(__global const CLF_X_TYPE *from, uint count, __local CLF_X_MOVE *region)
{
    const uint unit = clf_local_id() / CLF_UNIT, lane = clf_local_id() % CLF_UNIT;
    __local CLF_X_MOVE *const rows = CLF_X_NAME(clf_rows_)(region);
    CLF_UNROLL_PART for (uint j = 0; j < CLF_ITEMS; ++j) {
        const uint i = j * CLF_UNIT + lane, at = unit * (CLF_UNIT * CLF_ITEMS) + i;
        CLF_X_SET(CLF_X_NAME(clf_element_)(rows, i)[0], at < count, from[CLF_PLACE(at)]);
    }
}

static inline void CLF_X_NAME(clf_flush_part_)(__global CLF_X_TYPE *to, uint count, __local CLF_X_MOVE *region)
{
    const uint unit = clf_local_id() / CLF_UNIT, lane = clf_local_id() % CLF_UNIT;
    __local CLF_X_MOVE *const rows = CLF_X_NAME(clf_rows_)(region);
    CLF_UNROLL_PART for (uint j = 0; j < CLF_ITEMS; ++j) {
        const uint i = j * CLF_UNIT + lane, at = unit * (CLF_UNIT * CLF_ITEMS) + i;
        if (at < count)
            CLF_X_SET(to[CLF_PLACE(at)], true, CLF_X_NAME(clf_element_)(rows, i)[0]);
    }
}

/* Element `place` of the whole tile. */
static inline __local CLF_X_TYPE *CLF_X_NAME(clf_tile_element_)(__local CLF_X_MOVE *region, uint place)
{
    return CLF_X_STRIDE == CLF_X_ROW ? (__local CLF_X_TYPE *)region + place : CLF_X_NAME(clf_element_)(region, place);
}

/* Element `column` of row `row`. */
static inline __local CLF_X_TYPE *CLF_X_NAME(clf_row_element_)(__local CLF_X_MOVE *region, uint row, uint column)
{
    return (__local CLF_X_TYPE *)(region + row * CLF_X_STRIDE) + column;
}

#if CLF_X_SMALL
/* Elements smaller than words, which lie in local memory without a gap, as the aligned words that they are to be. */
static inline void CLF_X_NAME(clf_flush_words_)(__global CLF_X_TYPE *to, uint from, uint count,
                                                __local const CLF_X_MOVE *region)
{
    enum { PER_WORD = 4 / CLF_X };
    const uint past = (uint)((size_t)to / CLF_X) % PER_WORD, head = min((PER_WORD - past) % PER_WORD, count);
    const uint apart = (from + head) % PER_WORD; /* if not 0, each word is made of two, and both are to be whole */
    const uint begin = (from + head) / PER_WORD, spare = apart != 0, end = (from + count) / PER_WORD;
    const uint words = max(end, begin + spare) - begin - spare, tail = head + words * PER_WORD;
    __local const CLF_X_TYPE *const elements = (__local const CLF_X_TYPE *)region + from;
    __local const uint *const in = (__local const uint *)region + begin;
    __global uint *const out = (__global uint *)(to + head);
    for (uint w = clf_local_id(); w < words; w += CLF_GROUP)
        out[w] = apart ? CLF_TILE_WORD_FROM(in[w], in[w + 1], 8 * CLF_X * apart) : in[w];
    for (uint i = clf_local_id(); i < head; i += CLF_GROUP)
        to[i] = elements[i];
    for (uint i = tail + clf_local_id(); i < count; i += CLF_GROUP)
        to[i] = elements[i];
}
#endif

/* `count` elements of the tile from place `from` on to any place of global memory. Synchronise before. */
static inline void CLF_X_NAME(clf_flush_some_)(__global CLF_X_TYPE *to, uint from, uint count,
                                               __local CLF_X_MOVE *region)
{
#if CLF_X_SMALL
    if (CLF_X_STRIDE == CLF_X_ROW) {
        CLF_X_NAME(clf_flush_words_)(to, from, count, region);
        return;
    }
#endif
    /* Places to which constants are added: so little is left to do for each. */
    __local const CLF_X_TYPE *const mine = (__local const CLF_X_TYPE *)region + (from + clf_local_id());
    __global CLF_X_TYPE *const out = to + clf_local_id();
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j)
        if (clf_is_below(clf_local_id(), j * CLF_GROUP, count))
            CLF_X_SET(out[j * CLF_GROUP], true,
                      (CLF_X_STRIDE == CLF_X_ROW
                           ? mine + j * CLF_GROUP
                           : CLF_X_NAME(clf_tile_element_)(region, from + j * CLF_GROUP + clf_local_id()))[0]);
}

/* Elements j … j + CLF_CHUNK - 1 of this work-item's row; j is a multiple of CLF_CHUNK. */
static inline void CLF_X_NAME(clf_row_get_)(__local CLF_X_MOVE *region, uint j, CLF_X_TYPE x[CLF_CHUNK])
{
    CLF_X_NAME(clf_vectors_get_)(region + clf_local_id() * CLF_X_STRIDE + j / CLF_X_PER, CLF_CHUNK, x);
}

/* As elements: on the way to local memory compilers pack them well. */
static inline void CLF_X_NAME(clf_row_set_)(__local CLF_X_MOVE *region, uint j, const CLF_X_TYPE x[CLF_CHUNK])
{
    const uint at = clf_local_id() * CLF_X_STRIDE + j / CLF_X_PER;
    __local CLF_X_VECTOR *const row = (__local CLF_X_VECTOR *)region + at;
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK / CLF_X_PER; ++k)
        row[k] = CLF_X_NAME(clf_vector_of_)(x + k * CLF_X_PER);
}

#undef CLF_X
#undef CLF_X_TYPE
#undef CLF_X_STRIDE
#undef CLF_X_FIRST
