/* SPDX-License-Identifier: MIT */
/*
 * stretch_template: stretches of elements of CLF_X bytes, held as CLF_X_TYPE. Included by
 * stretch_sizes.cl once per size that is needed; takes CLF_X and CLF_X_TYPE and leaves them undefined.
 *
 * Global memory is accessed by vectors (vector_template.cl) between a head and a tail of single elements, so the
 * alignment of the start does not matter.
 *
 * needs: CLF_X, CLF_X_TYPE
 * provides: clf_fetched_, clf_reader_, clf_reader_at_, clf_reader_next_, clf_stretch_*, clf_stripes_*
 */
#define CLF_X_TURN ((CLF_X_ROW + CLF_FETCHES - 1) / CLF_FETCHES) /* vectors of a turn */
#define CLF_X_EDGE ((CLF_X_PER + CLF_UNIT - 1) / CLF_UNIT) /* elements of a work-item before vectors, or behind */
#define CLF_X_PAD (CLF_X_SMALL ? 4 / CLF_X : 1)

/* Where element i of a stretch lies; pad is 1 or 0, of small elements up to CLF_STRETCH_PAD. */
#define CLF_X_PLACE(i, pad) ((i) + (i) / (128 / CLF_X) * (CLF_X_PAD * (pad)))

/*
 * The stretches of all units of a work-group, each a whole number of vectors long. Small elements have a word more,
 * which a reader may read.
 */
#define CLF_X_MOST CLF_X_PLACE(CLF_STRETCH, CLF_X_SMALL ? CLF_STRETCH_PAD : 1)
#define CLF_X_PITCH ((CLF_X_MOST * CLF_X + (CLF_X_SMALL ? 4 : 0) + 15) / 16 * 16 / CLF_X)
typedef CLF_X_TYPE CLF_X_NAME(clf_stretch_)[CLF_UNITS][CLF_X_PITCH] __attribute__((aligned(CLF_X_ALIGNMENT)));

static inline __local CLF_X_TYPE *CLF_X_NAME(clf_stretch_at_)(__local CLF_X_TYPE (*s)[CLF_X_PITCH], uint i, uint pad)
{
    return &s[clf_unit_id()][CLF_X_PLACE(i, pad)];
}

/* Elements i … i + CLF_STRETCH_PACK - 1. */
static inline void CLF_X_NAME(clf_stretch_pack_)(__local CLF_X_TYPE (*s)[CLF_X_PITCH], uint i, uint pad,
                                                 CLF_X_TYPE x[CLF_STRETCH_PACK])
{
#if CLF_X * CLF_STRETCH_PACK > 128
    CLF_UNROLL for (uint k = 0; k < CLF_STRETCH_PACK; ++k)
        x[k] = *CLF_X_NAME(clf_stretch_at_)(s, i + k, pad);
#else
    __local const CLF_X_TYPE *const from = CLF_X_NAME(clf_stretch_at_)(s, i, pad);
    const uint edge = 128 / CLF_X - i % (128 / CLF_X); /* padding comes before the element of this number */
    CLF_UNROLL for (uint k = 0; k < CLF_STRETCH_PACK; ++k)
        x[k] = (k < edge ? from : from + pad)[k];
#endif
}

/*
 * A reader walks along elements of a stretch, CLF_STRETCH_PACK at a time, and takes whole words from local memory,
 * wherever in a word its first element lies. It reads up to a word more than it was asked for.
 */
typedef struct {
#if CLF_X_SMALL
    uint word, at; /* the word read last, the index of the next one */
    uint shift;    /* bits before the next element */
#else
    uint at;
#endif
} CLF_X_NAME(clf_reader_);

#if CLF_X_SMALL
static inline uint CLF_X_NAME(clf_reader_word_)(__local CLF_X_TYPE (*s)[CLF_X_PITCH], uint at, uint pad)
{
    return ((__local const uint *)s[clf_unit_id()])[at + at / 32 * pad];
}
#endif

/* A reader of the elements from `from` on. */
static inline CLF_X_NAME(clf_reader_)
    CLF_X_NAME(clf_reader_at_)(__local CLF_X_TYPE (*s)[CLF_X_PITCH], uint from, uint pad)
{
    CLF_X_NAME(clf_reader_) r;
#if CLF_X_SMALL
    r.at = from * CLF_X / 4 + 1;
    r.shift = from * CLF_X % 4 * 8;
    r.word = CLF_X_NAME(clf_reader_word_)(s, r.at - 1, pad);
#else
    r.at = from;
#endif
    return r;
}

static inline void CLF_X_NAME(clf_reader_next_)(__local CLF_X_TYPE (*s)[CLF_X_PITCH], CLF_X_NAME(clf_reader_) *r,
                                                uint pad, CLF_X_TYPE x[CLF_STRETCH_PACK])
{
#if CLF_X_SMALL
    CLF_UNROLL for (uint k = 0; k < CLF_STRETCH_PACK * CLF_X / 4; ++k) {
        const uint word = CLF_X_NAME(clf_reader_word_)(s, r->at++, pad);
        CLF_X_NAME(clf_word_split_)(CLF_TILE_WORD_FROM(r->word, word, r->shift), x + k * (4 / CLF_X));
        r->word = word;
    }
#else
    CLF_UNROLL for (uint k = 0; k < CLF_STRETCH_PACK; ++k)
        x[k] = *CLF_X_NAME(clf_stretch_at_)(s, r->at + k, pad);
    r->at += CLF_STRETCH_PACK;
#endif
}

/* CLF_CHUNK elements from i on, a multiple of that: small ones by whole vectors, where padding is vectors, too. */
static inline void CLF_X_NAME(clf_stretch_chunk_)(__local CLF_X_TYPE (*s)[CLF_X_PITCH], uint i, uint pad,
                                                  CLF_X_TYPE x[CLF_CHUNK])
{
#if CLF_X_SMALL
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; k += CLF_X_PER)
        CLF_X_NAME(clf_vector_split_)(*(__local const CLF_X_MOVE *)CLF_X_NAME(clf_stretch_at_)(s, i + k, pad), x + k);
#else
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
        x[k] = *CLF_X_NAME(clf_stretch_at_)(s, i + k, pad);
#endif
}

/* The CLF_ITEMS elements of this work-item's run, where there is no padding. */
static inline void CLF_X_NAME(clf_stretch_run_)(__local CLF_X_TYPE (*s)[CLF_X_PITCH], CLF_X_TYPE x[CLF_ITEMS])
{
    __local CLF_X_TYPE *const run = CLF_X_NAME(clf_stretch_at_)(s, clf_unit_lane() * CLF_ITEMS, 0);
    CLF_X_NAME(clf_vectors_get_)((__local const CLF_X_MOVE *)run, CLF_ITEMS, x);
}

/*
 * Global to local memory: `count` elements, at most CLF_STRETCH, in CLF_FETCHES turns of loads and stores, so that all
 * arrays' loads of a turn are under way at once. None is conditional (what does not exist is the last that does), or
 * compilers have some wait for the results of others. Synchronise the unit afterwards.
 */
typedef struct {
    CLF_X_MOVE q[CLF_X_TURN];
    CLF_X_TYPE before[CLF_X_EDGE], behind[CLF_X_EDGE]; /* of the vectors */
} CLF_X_NAME(clf_fetched_);

static inline void CLF_X_NAME(clf_stretch_load_)(__global const CLF_X_TYPE *from, uint count, uint turn,
                                                 CLF_X_NAME(clf_fetched_) *f)
{
    const uint lane = clf_unit_lane(), head = min(CLF_X_NAME(clf_vector_head_)(from), count);
    const uint vectors = (count - head) / CLF_X_PER, tail = head + vectors * CLF_X_PER;
    __global const CLF_X_MOVE *const body = (__global const CLF_X_MOVE *)(from + head);
    if (vectors)
        CLF_UNROLL for (uint j = 0; j < CLF_X_TURN; ++j)
            f->q[j] = body[min((turn * CLF_X_TURN + j) * CLF_UNIT + lane, vectors - 1)];
    if (count && turn == 0)
        CLF_UNROLL for (uint k = 0; k < CLF_X_EDGE; ++k) {
            f->before[k] = from[min(k * CLF_UNIT + lane, count - 1)];
            f->behind[k] = from[min(tail + k * CLF_UNIT + lane, count - 1)];
        }
}

/* Vectors of a turn to where their elements belong. Padding repeats if a unit's vectors are whole lines of 128
 * bytes. */
static inline void CLF_X_NAME(clf_stretch_spread_)(uint head, uint vectors, uint turn, uint pad,
                                                   const CLF_X_NAME(clf_fetched_) *f,
                                                   __local CLF_X_TYPE (*to)[CLF_X_PITCH])
{
    const uint lane = clf_unit_lane();
    __local CLF_X_TYPE *at[CLF_X_PER];
    CLF_UNROLL for (uint j = 0; j < CLF_X_TURN; ++j) {
        const uint vector = (turn * CLF_X_TURN + j) * CLF_UNIT + lane;
        CLF_X_TYPE x[CLF_X_PER];
        CLF_UNROLL for (uint k = 0; k < CLF_X_PER; ++k)
            at[k] = (CLF_X_LEFT(CLF_UNIT, CLF_X_PER, CLF_X) ? 0 : j)
                        ? at[k] + CLF_X_PLACE(CLF_UNIT * CLF_X_PER, pad)
                        : CLF_X_NAME(clf_stretch_at_)(to, head + vector * CLF_X_PER + k, pad);
        if (vector < vectors) {
            CLF_X_NAME(clf_vector_split_)(f->q[j], x);
            CLF_UNROLL for (uint k = 0; k < CLF_X_PER; ++k)
                *at[k] = x[k];
        }
    }
}

#if CLF_X_SMALL && CLF_ITEMS % (16 / CLF_X) == 0
/* The same where elements begin a word: word by word, or by whole vectors. */
static inline void CLF_X_NAME(clf_stretch_words_)(uint head, uint vectors, uint turn, uint pad,
                                                  const CLF_X_NAME(clf_fetched_) *f,
                                                  __local CLF_X_TYPE (*to)[CLF_X_PITCH])
{
    const uint first = turn * CLF_X_TURN * CLF_UNIT + clf_unit_lane();
    if (head == 0 && pad % 4 == 0) {
        CLF_UNROLL for (uint j = 0; j < CLF_X_TURN; ++j)
            if (first + j * CLF_UNIT < vectors)
                *(__local uint4 *)CLF_X_NAME(clf_stretch_at_)(to, (first + j * CLF_UNIT) * CLF_X_PER, pad) = f->q[j];
        return;
    }
    CLF_UNROLL for (uint j = 0; j < CLF_X_TURN; ++j) {
        const uint vector = first + j * CLF_UNIT, i = head + vector * CLF_X_PER;
        uint w[4];
        CLF_SPLIT_4(w, f->q[j]);
        if (vector < vectors)
            CLF_UNROLL for (uint k = 0; k < 4; ++k)
                *(__local uint *)CLF_X_NAME(clf_stretch_at_)(to, i + k * (4 / CLF_X), pad) = w[k];
    }
}
#endif

static inline void CLF_X_NAME(clf_stretch_store_)(__global const CLF_X_TYPE *from, uint count, uint turn, uint pad,
                                                  const CLF_X_NAME(clf_fetched_) *f,
                                                  __local CLF_X_TYPE (*to)[CLF_X_PITCH])
{
    const uint lane = clf_unit_lane(), head = min(CLF_X_NAME(clf_vector_head_)(from), count);
    const uint vectors = (count - head) / CLF_X_PER, tail = head + vectors * CLF_X_PER;
#if CLF_X_SMALL && CLF_ITEMS % (16 / CLF_X) == 0
    if (head * CLF_X % 4 == 0)
        CLF_X_NAME(clf_stretch_words_)(head, vectors, turn, pad, f, to);
    else
#endif
        CLF_X_NAME(clf_stretch_spread_)(head, vectors, turn, pad, f, to);
#if CLF_X_SMALL && CLF_STRETCH_PACK > 1 /* zeros in what else readers may read */
    const uint rest = (count * CLF_X + 3) / 4 * (4 / CLF_X) + 4 / CLF_X - count; /* less than 8 / CLF_X */
    CLF_UNROLL for (uint k = 0; k < 8 / CLF_X; k += CLF_UNIT)
        if (turn == 0 && k + lane < rest)
            *CLF_X_NAME(clf_stretch_at_)(to, count + k + lane, pad) = 0;
#endif
    CLF_UNROLL for (uint k = 0; k < CLF_X_EDGE; ++k) {
        const uint i = k * CLF_UNIT + lane;
        if (turn == 0 && i < head)
            *CLF_X_NAME(clf_stretch_at_)(to, i, pad) = f->before[k];
        if (turn == 0 && i < count - tail)
            *CLF_X_NAME(clf_stretch_at_)(to, tail + i, pad) = f->behind[k];
    }
}

/*
 * A whole stretch on its way, where there are lanes, in two steps: to registers, and from there to local memory without
 * padding.
 */
typedef struct {
    CLF_X_MOVE q[CLF_X_ROW];
} CLF_X_NAME(clf_stripes_);

static inline void CLF_X_NAME(clf_stripes_load_)(__global const CLF_X_TYPE *from, CLF_X_NAME(clf_stripes_) *stripes)
{
    CLF_UNROLL for (uint j = 0; j < CLF_X_ROW; ++j)
        stripes->q[j] = ((__global const CLF_X_MOVE *)from)[j * CLF_UNIT + clf_unit_lane()];
}

static inline void CLF_X_NAME(clf_stripes_store_)(const CLF_X_NAME(clf_stripes_) *stripes,
                                                  __local CLF_X_TYPE (*to)[CLF_X_PITCH])
{
    __local CLF_X_MOVE *const start = (__local CLF_X_MOVE *)CLF_X_NAME(clf_stretch_at_)(to, 0, 0);
    CLF_UNROLL for (uint j = 0; j < CLF_X_ROW; ++j)
        start[j * CLF_UNIT + clf_unit_lane()] = stripes->q[j];
}

/* Local to global memory. Synchronise the unit beforehand. */
static inline void CLF_X_NAME(clf_stretch_flush_)(__global CLF_X_TYPE *to, uint count, uint pad,
                                                  __local CLF_X_TYPE (*from)[CLF_X_PITCH])
{
    const uint lane = clf_unit_lane(), head = min(CLF_X_NAME(clf_vector_head_)(to), count);
    const uint vectors = (count - head) / CLF_X_PER, tail = head + vectors * CLF_X_PER;
    __global CLF_X_MOVE *const body = (__global CLF_X_MOVE *)(to + head);
    CLF_UNROLL for (uint k = 0; k < CLF_X_EDGE; ++k) {
        const uint i = k * CLF_UNIT + lane;
        if (i < head)
            to[i] = *CLF_X_NAME(clf_stretch_at_)(from, i, pad);
        if (i < count - tail)
            to[tail + i] = *CLF_X_NAME(clf_stretch_at_)(from, tail + i, pad);
    }
    for (uint i = lane; i < vectors; i += CLF_UNIT) {
        CLF_X_TYPE x[CLF_X_PER];
        CLF_UNROLL for (uint k = 0; k < CLF_X_PER; ++k)
            x[k] = *CLF_X_NAME(clf_stretch_at_)(from, head + i * CLF_X_PER + k, pad);
        body[i] = CLF_X_NAME(clf_vector_join_)(x);
    }
}

/*
 * The transposing fetch: CLF_UNIT rows of CLF_ITEMS elements each, row r from from[r * pitch] on; of them `rows` rows
 * and `columns` columns exist. Neighbouring work-items read neighbouring elements of a row.
 */
static inline void CLF_X_NAME(clf_stretch_fetch_rows_)(__global const CLF_X_TYPE *from, ulong pitch, uint rows,
                                                       uint columns, __local CLF_X_TYPE (*to)[CLF_X_PITCH])
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
            *CLF_X_NAME(clf_stretch_at_)(to, i, 1) = x[j];
    }
}

static inline void CLF_X_NAME(clf_stretch_flush_rows_)(__global CLF_X_TYPE *to, ulong pitch, uint rows, uint columns,
                                                       __local CLF_X_TYPE (*from)[CLF_X_PITCH])
{
    for (uint i = clf_unit_lane(); i < CLF_STRETCH; i += CLF_UNIT) {
        const uint row = i / CLF_ITEMS, column = i % CLF_ITEMS;
        if (row < rows && column < columns)
            to[row * pitch + column] = *CLF_X_NAME(clf_stretch_at_)(from, i, 1);
    }
}

#undef CLF_X
#undef CLF_X_TYPE
#undef CLF_X_TURN
#undef CLF_X_EDGE
#undef CLF_X_PAD
#undef CLF_X_PLACE
#undef CLF_X_MOST
#undef CLF_X_PITCH
