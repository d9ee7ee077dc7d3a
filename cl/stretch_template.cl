/* SPDX-License-Identifier: MIT */
/*
 * stretch_template: stretches of elements of CLF_X bytes, held as CLF_X_TYPE. Included by stretch.cl
 * once per size that is needed; takes CLF_X and CLF_X_TYPE and leaves them undefined.
 *
 * Global memory is accessed by vectors of up to 16 bytes (CLF_X_VEC, of CLF_X_PER elements) between a
 * head and a tail of single elements, so the alignment of the start does not matter.
 */
#if CLF_X <= 1 && CLF_UNIT >= 16
#define CLF_X_PER 16
#elif CLF_X <= 2 && CLF_UNIT >= 8
#define CLF_X_PER 8
#elif CLF_X <= 4 && CLF_UNIT >= 4
#define CLF_X_PER 4
#elif CLF_X <= 8 && CLF_UNIT >= 2
#define CLF_X_PER 2
#else
#define CLF_X_PER 1
#endif

#if CLF_X_PER == 1
#define CLF_X_VEC CLF_X_TYPE
#else
#define CLF_X_VEC CLF_PASTE(CLF_X_TYPE, CLF_X_PER)
#endif

#define CLF_X_NAME(name) CLF_PASTE(name, CLF_X)
#define CLF_X_LOADS ((CLF_ITEMS + CLF_X_PER - 1) / CLF_X_PER)
#define CLF_X_PAD (CLF_X < 4 ? 4 / CLF_X : 1)

/* Where element i of a stretch lies. */
#define CLF_X_PLACE(i) ((i) + (i) / (128 / CLF_X) * CLF_X_PAD)

/* The stretches of all units of a work-group. */
typedef CLF_X_TYPE CLF_X_NAME(clf_stretch_)[CLF_UNITS][CLF_X_PLACE(CLF_STRETCH)];

static inline __local CLF_X_TYPE *CLF_X_NAME(clf_stretch_at_)(__local CLF_X_TYPE (*s)[CLF_X_PLACE(CLF_STRETCH)],
                                                                uint i)
{
    return &s[clf_unit_id()][CLF_X_PLACE(i)];
}

/* Elements before the first whole vector. */
static inline uint CLF_X_NAME(clf_stretch_head_)(__global const CLF_X_TYPE *p)
{
    const uint past = (uint)((size_t)p & (sizeof(CLF_X_VEC) - 1)) / CLF_X;
    return (CLF_X_PER - past) % CLF_X_PER;
}

/* CLF_CHUNK elements from an aligned place. */
static inline void CLF_X_NAME(clf_load_)(__global const CLF_X_TYPE *from, CLF_X_TYPE x[CLF_CHUNK])
{
#if CLF_CHUNK % CLF_X_PER == 0
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK / CLF_X_PER; ++k) {
        const CLF_X_VEC q = ((__global const CLF_X_VEC *)from)[k];
        CLF_PASTE(CLF_SPLIT_, CLF_X_PER)(x + k * CLF_X_PER, q);
    }
#else
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
        x[k] = from[k];
#endif
}

/* Global to local memory: `count` elements, at most CLF_STRETCH. Synchronise the unit afterwards. */
static inline void CLF_X_NAME(clf_stretch_fetch_)(__global const CLF_X_TYPE *from, uint count,
                                                  __local CLF_X_TYPE (*to)[CLF_X_PLACE(CLF_STRETCH)])
{
    const uint lane = clf_unit_lane(), head = min(CLF_X_NAME(clf_stretch_head_)(from), count);
    const uint vectors = (count - head) / CLF_X_PER, tail = head + vectors * CLF_X_PER;
    __global const CLF_X_VEC *const body = (__global const CLF_X_VEC *)(from + head);
    CLF_X_VEC q[CLF_X_LOADS];
    CLF_UNROLL for (uint j = 0; j < CLF_X_LOADS; ++j)
        if (j * CLF_UNIT + lane < vectors)
            q[j] = body[j * CLF_UNIT + lane];
    if (lane < head)
        *CLF_X_NAME(clf_stretch_at_)(to, lane) = from[lane];
    if (lane < count - tail)
        *CLF_X_NAME(clf_stretch_at_)(to, tail + lane) = from[tail + lane];
    CLF_UNROLL for (uint j = 0; j < CLF_X_LOADS; ++j) {
        CLF_X_TYPE x[CLF_X_PER];
        if (j * CLF_UNIT + lane < vectors) {
            CLF_PASTE(CLF_SPLIT_, CLF_X_PER)(x, q[j]);
            CLF_UNROLL for (uint k = 0; k < CLF_X_PER; ++k)
                *CLF_X_NAME(clf_stretch_at_)(to, head + (j * CLF_UNIT + lane) * CLF_X_PER + k) = x[k];
        }
    }
}

/* Local to global memory. Synchronise the unit beforehand. */
static inline void CLF_X_NAME(clf_stretch_flush_)(__global CLF_X_TYPE *to, uint count,
                                                  __local CLF_X_TYPE (*from)[CLF_X_PLACE(CLF_STRETCH)])
{
    const uint lane = clf_unit_lane(), head = min(CLF_X_NAME(clf_stretch_head_)(to), count);
    const uint vectors = (count - head) / CLF_X_PER, tail = head + vectors * CLF_X_PER;
    __global CLF_X_VEC *const body = (__global CLF_X_VEC *)(to + head);
    if (lane < head)
        to[lane] = *CLF_X_NAME(clf_stretch_at_)(from, lane);
    if (lane < count - tail)
        to[tail + lane] = *CLF_X_NAME(clf_stretch_at_)(from, tail + lane);
    for (uint i = lane; i < vectors; i += CLF_UNIT) {
        CLF_X_TYPE x[CLF_X_PER];
        CLF_UNROLL for (uint k = 0; k < CLF_X_PER; ++k)
            x[k] = *CLF_X_NAME(clf_stretch_at_)(from, head + i * CLF_X_PER + k);
        body[i] = (CLF_X_VEC)(CLF_PASTE(CLF_JOIN_, CLF_X_PER)(x));
    }
}

/*
 * The transposing fetch: CLF_UNIT rows of CLF_ITEMS elements each, row r from from[r * pitch] on; of
 * them `rows` rows and `columns` columns exist. Neighbouring work-items read neighbouring elements of a
 * row.
 */
static inline void CLF_X_NAME(clf_stretch_fetch_rows_)(__global const CLF_X_TYPE *from, ulong pitch, uint rows,
                                                       uint columns,
                                                       __local CLF_X_TYPE (*to)[CLF_X_PLACE(CLF_STRETCH)])
{
    CLF_X_TYPE x[CLF_ITEMS];
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
        const uint i = j * CLF_UNIT + clf_unit_lane(), row = i / CLF_ITEMS, column = i % CLF_ITEMS;
        if (row < rows && column < columns)
            x[j] = from[row * pitch + column];
    }
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
        const uint i = j * CLF_UNIT + clf_unit_lane(), row = i / CLF_ITEMS, column = i % CLF_ITEMS;
        if (row < rows && column < columns)
            *CLF_X_NAME(clf_stretch_at_)(to, i) = x[j];
    }
}

static inline void CLF_X_NAME(clf_stretch_flush_rows_)(__global CLF_X_TYPE *to, ulong pitch, uint rows, uint columns,
                                                       __local CLF_X_TYPE (*from)[CLF_X_PLACE(CLF_STRETCH)])
{
    for (uint i = clf_unit_lane(); i < CLF_STRETCH; i += CLF_UNIT) {
        const uint row = i / CLF_ITEMS, column = i % CLF_ITEMS;
        if (row < rows && column < columns)
            to[row * pitch + column] = *CLF_X_NAME(clf_stretch_at_)(from, i);
    }
}

#undef CLF_X
#undef CLF_X_TYPE
#undef CLF_X_PER
#undef CLF_X_VEC
#undef CLF_X_NAME
#undef CLF_X_LOADS
#undef CLF_X_PAD
#undef CLF_X_PLACE
