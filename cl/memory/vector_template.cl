/* SPDX-License-Identifier: MIT */
/*
 * vector_template: elements of CLF_X bytes, held as CLF_X_TYPE, between memory and registers by vectors. Included by
 * vector_sizes.cl once per size that is needed; takes CLF_X and CLF_X_TYPE and leaves them undefined.
 *
 * A vector is CLF_X_PER elements, of up to 16 bytes, of which rows and chunks (tile.cl) are a whole number. It is moved
 * as CLF_X_MOVE: elements of less than 4 bytes as words, for LLVM's PTX back end tears vectors of them apart.
 *
 * needs: CLF_X, CLF_X_TYPE
 * provides: clf_chunk_store_*, clf_packed_*, clf_vector_*, clf_vectors_get_, clf_word_join_, clf_word_split_
 */
#if CLF_X_ALONE <= 1 && CLF_ITEMS % 16 == 0
#define CLF_X_NUMBER 16
#elif CLF_X_ALONE <= 2 && CLF_ITEMS % 8 == 0
#define CLF_X_NUMBER 8
#elif CLF_X_ALONE <= 4 && CLF_ITEMS % 4 == 0
#define CLF_X_NUMBER 4
#elif CLF_X_ALONE <= 8 && CLF_ITEMS % 2 == 0
#define CLF_X_NUMBER 2
#else
#define CLF_X_NUMBER 1
#endif
enum { CLF_X_PER = CLF_X_NUMBER };

#if CLF_X_NUMBER == 1
typedef CLF_X_TYPE CLF_X_VECTOR;
#else
typedef CLF_PASTE(CLF_X_TYPE, CLF_X_NUMBER) CLF_X_VECTOR;
#endif

#if CLF_X < 4 && CLF_X * CLF_X_NUMBER == 16
#define CLF_X_WORDS 4
typedef uint4 CLF_X_MOVE;
#elif CLF_X < 4 && CLF_X * CLF_X_NUMBER == 8
#define CLF_X_WORDS 2
typedef uint2 CLF_X_MOVE;
#elif CLF_X < 4 && CLF_X * CLF_X_NUMBER == 4
#define CLF_X_WORDS 1
typedef uint CLF_X_MOVE;
#else
typedef CLF_X_VECTOR CLF_X_MOVE;
#endif

/* A word's b-th part from below is its element CLF_X_PART(b). */
#ifdef __ENDIAN_LITTLE__
#define CLF_X_PART(b) (b)
#else
#define CLF_X_PART(b) (4 / CLF_X - 1 - (b))
#endif

#if CLF_X_SMALL
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

/* The elements of a vector, and back. */
static inline void CLF_X_NAME(clf_vector_split_)(CLF_X_MOVE q, CLF_X_TYPE x[CLF_X_NUMBER])
{
#ifdef CLF_X_WORDS
    uint w[CLF_X_WORDS];
    CLF_PASTE(CLF_SPLIT_, CLF_X_WORDS)(w, q);
    CLF_UNROLL for (uint k = 0; k < CLF_X_WORDS; ++k)
        CLF_X_NAME(clf_word_split_)(w[k], x + k * (4 / CLF_X));
#else
    CLF_PASTE(CLF_SPLIT_, CLF_X_NUMBER)(x, q);
#endif
}

static inline CLF_X_MOVE CLF_X_NAME(clf_vector_join_)(const CLF_X_TYPE x[CLF_X_NUMBER])
{
#ifdef CLF_X_WORDS
    uint w[CLF_X_WORDS];
    CLF_UNROLL for (uint k = 0; k < CLF_X_WORDS; ++k)
        w[k] = CLF_X_NAME(clf_word_join_)(x + k * (4 / CLF_X));
    return (CLF_X_MOVE)(CLF_PASTE(CLF_JOIN_, CLF_X_WORDS)(w));
#else
    return CLF_X_MADE(CLF_X_MOVE, CLF_PASTE(CLF_JOIN_, CLF_X_NUMBER)(x));
#endif
}

/* A vector of memory as kernels see it, and back: from the right its last element comes first. */
static inline CLF_X_MOVE CLF_X_NAME(clf_vector_placed_)(CLF_X_MOVE q)
{
    CLF_X_TYPE x[CLF_X_NUMBER], y[CLF_X_NUMBER];
    if (!CLF_REVERSED)
        return q;
    CLF_X_NAME(clf_vector_split_)(q, x);
    CLF_UNROLL for (uint k = 0; k < CLF_X_NUMBER; ++k)
        y[k] = x[CLF_X_NUMBER - 1 - k];
    return CLF_X_NAME(clf_vector_join_)(y);
}

static inline CLF_X_VECTOR CLF_X_NAME(clf_vector_of_)(const CLF_X_TYPE x[CLF_X_PER])
{
    return CLF_X_MADE(CLF_X_VECTOR, CLF_PASTE(CLF_JOIN_, CLF_X_NUMBER)(x));
}

/* Elements from p on to the first whole vector. */
static inline uint CLF_X_NAME(clf_vector_head_)(__global const CLF_X_TYPE *p)
{
    const uint past = (uint)((size_t)p & (sizeof(CLF_X_VECTOR) - 1)) / CLF_X;
    return (CLF_X_PER - past) % CLF_X_PER;
}

/* `count` elements, a constant where this is inlined, from vectors of local memory. */
static inline void CLF_X_NAME(clf_vectors_get_)(__local const CLF_X_MOVE *from, uint count, CLF_X_TYPE x[])
{
    CLF_UNROLL for (uint k = 0; k < count / CLF_X_PER; ++k) {
        const CLF_X_MOVE q = from[k];
        CLF_X_NAME(clf_vector_split_)(q, x + k * CLF_X_PER);
    }
}

/* ---- Chunks: from and to global memory ----------------------------------------------------------------- */

/* CLF_CHUNK elements on their way. */
typedef struct {
    CLF_X_MOVE q[CLF_CHUNK / CLF_X_PER];
} CLF_X_NAME(clf_packed_);

/* By vectors if they are aligned. */
static inline void CLF_X_NAME(clf_packed_load_)(__global const CLF_X_TYPE *from, bool aligned,
                                                CLF_X_NAME(clf_packed_) *chunk)
{
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK / CLF_X_PER; ++k) {
        if (aligned) {
            chunk->q[k] = ((__global const CLF_X_MOVE *)from)[k];
        } else {
            CLF_X_TYPE x[CLF_X_PER];
            CLF_UNROLL for (uint i = 0; i < CLF_X_PER; ++i)
                x[i] = from[k * CLF_X_PER + i];
            chunk->q[k] = CLF_X_NAME(clf_vector_join_)(x);
        }
    }
}

static inline void CLF_X_NAME(clf_packed_split_)(const CLF_X_NAME(clf_packed_) *chunk, CLF_X_TYPE x[CLF_CHUNK])
{
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK / CLF_X_PER; ++k)
        CLF_X_NAME(clf_vector_split_)(chunk->q[k], x + k * CLF_X_PER);
}

/* To where a whole vector begins. */
static inline void CLF_X_NAME(clf_chunk_store_)(__global CLF_X_TYPE *to, const CLF_X_TYPE x[CLF_CHUNK])
{
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK / CLF_X_PER; ++k)
        ((__global CLF_X_MOVE *)to)[k] = CLF_X_NAME(clf_vector_join_)(x + k * CLF_X_PER);
}

/* The first `count`, a power of two, of CLF_CHUNK elements to global memory, aligned to as many. */
static inline void CLF_X_NAME(clf_chunk_store_some_)(__global CLF_X_TYPE *to, uint count, const CLF_X_TYPE x[CLF_CHUNK])
{
#if CLF_X_SMALL && CLF_X * CLF_CHUNK >= 16
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
#undef CLF_X_NUMBER
#undef CLF_X_WORDS
#undef CLF_X_PART
