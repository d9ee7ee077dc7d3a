/* SPDX-License-Identifier: MIT */
/*
 * vector: reduce and scan in registers, for operators with a vector form (the built-ins: src/operator/operator.c).
 *
 * A vector form is one vector type and a combine that works element by element:
 *     CLF_VECTOR_FIELD          the name of the value's field
 *     CLF_VECTOR_ELEMENT        int
 *     CLF_VECTOR_BYTES          of an element: 1, 2, 4 or 8
 *     CLF_VECTOR_WIDTH          16, or 8 if BYTES is 8
 *     CLF_VECTOR_TYPE           int16
 *     CLF_VECTOR_COMBINE(a, b)  an expression
 * Such operators have one field, "v", and no map, so vectors are elements as they lie in the arrays.
 *
 * needs: nothing
 * provides: clf_number, clf_numbers, clf_numbers_half, clf_vector, CLF_VECTOR_*, clf_vector_*, clf_vectors_reduce
 */
#include "device/builtin.cl"
#include "memory/wrapper.cl"

#ifdef CLF_VECTOR_WIDTH

typedef CLF_VECTOR_TYPE clf_vector;

#define CLF_VECTOR_LOAD CLF_PASTE(vload, CLF_VECTOR_WIDTH)

/* Numbers as wide as the elements; comparing elements gives such. */
#if CLF_VECTOR_BYTES == 1
#define CLF_NUMBER char
#elif CLF_VECTOR_BYTES == 2
#define CLF_NUMBER short
#elif CLF_VECTOR_BYTES == 4
#define CLF_NUMBER int
#else
#define CLF_NUMBER long
#endif
#define CLF_NUMBERS CLF_PASTE(CLF_NUMBER, CLF_VECTOR_WIDTH)
typedef CLF_NUMBER clf_number;
typedef CLF_NUMBERS clf_numbers;
typedef CLF_PASTE(CLF_NUMBER, 8) clf_numbers_half;

static inline clf_vector clf_vector_combine(clf_vector a, clf_vector b)
{
    return CLF_VECTOR_COMBINE(a, b);
}

static inline clf_vector clf_vector_of(clf_value v)
{
    return (clf_vector)(v.CLF_VECTOR_FIELD);
}

/* Elements of a where the mask has ones, those of b where it has zeros. */
static inline clf_vector clf_vector_choose(clf_numbers mask, clf_vector a, clf_vector b)
{
    const clf_numbers ones = CLF_PASTE(as_, CLF_NUMBERS)(a), zeros = CLF_PASTE(as_, CLF_NUMBERS)(b);
    return CLF_PASTE(as_, CLF_VECTOR_TYPE)((ones & mask) | (zeros & ~mask));
}

/*
 * An inclusive scan of the elements in log2(width) steps. A step combines elements that lie before, or the neutral one,
 * from the left. Within 16 bytes elements move up by 1, 2, 4, 8 (Hillis and Steele 1986); from there on the last of a
 * part goes to all of the next (Sklansky 1960): such moves are cheap on most processors. They are written out, not
 * swizzled, for Oclgrind 21.10 takes swizzles of wide vectors for uninitialised; compilers see through it.
 */
#if CLF_VECTOR_BYTES == 1
#define CLF_VECTOR_MOVE_1(v, n) \
    (n, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, \
     v.s7, v.s8, v.s9, v.sa, v.sb, v.sc, v.sd, v.se)
#define CLF_VECTOR_MOVE_2(v, n) \
    (n, n, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, \
     v.s6, v.s7, v.s8, v.s9, v.sa, v.sb, v.sc, v.sd)
#define CLF_VECTOR_MOVE_3(v, n) \
    (n, n, n, n, v.s0, v.s1, v.s2, v.s3, \
     v.s4, v.s5, v.s6, v.s7, v.s8, v.s9, v.sa, v.sb)
#define CLF_VECTOR_MOVE_4(v, n) \
    (n, n, n, n, n, n, n, n, \
     v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7)
#elif CLF_VECTOR_BYTES == 2
#define CLF_VECTOR_MOVE_1(v, n) \
    (n, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, \
     n, v.s8, v.s9, v.sa, v.sb, v.sc, v.sd, v.se)
#define CLF_VECTOR_MOVE_2(v, n) \
    (n, n, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, \
     n, n, v.s8, v.s9, v.sa, v.sb, v.sc, v.sd)
#define CLF_VECTOR_MOVE_3(v, n) \
    (n, n, n, n, v.s0, v.s1, v.s2, v.s3, \
     n, n, n, n, v.s8, v.s9, v.sa, v.sb)
#define CLF_VECTOR_MOVE_4(v, n) \
    (n, n, n, n, n, n, n, n, \
     v.s7, v.s7, v.s7, v.s7, v.s7, v.s7, v.s7, v.s7)
#elif CLF_VECTOR_BYTES == 4
#define CLF_VECTOR_MOVE_1(v, n) \
    (n, v.s0, v.s1, v.s2, n, v.s4, v.s5, v.s6, \
     n, v.s8, v.s9, v.sa, n, v.sc, v.sd, v.se)
#define CLF_VECTOR_MOVE_2(v, n) \
    (n, n, v.s0, v.s1, n, n, v.s4, v.s5, \
     n, n, v.s8, v.s9, n, n, v.sc, v.sd)
#define CLF_VECTOR_MOVE_3(v, n) \
    (n, n, n, n, v.s3, v.s3, v.s3, v.s3, \
     n, n, n, n, v.sb, v.sb, v.sb, v.sb)
#define CLF_VECTOR_MOVE_4(v, n) \
    (n, n, n, n, n, n, n, n, \
     v.s7, v.s7, v.s7, v.s7, v.s7, v.s7, v.s7, v.s7)
#else
#define CLF_VECTOR_MOVE_1(v, n) (n, v.s0, n, v.s2, n, v.s4, n, v.s6)
#define CLF_VECTOR_MOVE_2(v, n) (n, n, v.s1, v.s1, n, n, v.s5, v.s5)
#define CLF_VECTOR_MOVE_3(v, n) (n, n, n, n, v.s3, v.s3, v.s3, v.s3)
#define CLF_VECTOR_MOVE_4(v, n) (v)
#endif

static inline clf_vector clf_vector_scan(clf_vector v, CLF_VECTOR_ELEMENT n)
{
    v = clf_vector_combine((clf_vector)CLF_VECTOR_MOVE_1(v, n), v);
    v = clf_vector_combine((clf_vector)CLF_VECTOR_MOVE_2(v, n), v);
    v = clf_vector_combine((clf_vector)CLF_VECTOR_MOVE_3(v, n), v);
    if (CLF_VECTOR_WIDTH == 16)
        v = clf_vector_combine((clf_vector)CLF_VECTOR_MOVE_4(v, n), v);
    return v;
}

/*
 * By width: the numbers of the places; the last element; elements moved up by one place, of which the first is n; from
 * the last to the first; and elements a power of two apart that change places. (Of 8 there is no fourth step.)
 */
#if CLF_VECTOR_WIDTH == 16
#define CLF_VECTOR_PLACES (clf_numbers)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define CLF_VECTOR_LAST sf
#define CLF_VECTOR_UP(v, n) \
    (n, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7, v.s8, v.s9, v.sa, v.sb, v.sc, v.sd, v.se)
#define CLF_VECTOR_TURNED(v) \
    (v.sf, v.se, v.sd, v.sc, v.sb, v.sa, v.s9, v.s8, v.s7, v.s6, v.s5, v.s4, v.s3, v.s2, v.s1, v.s0)
#define CLF_VECTOR_SWAP_1(v) \
    (v.s1, v.s0, v.s3, v.s2, v.s5, v.s4, v.s7, v.s6, v.s9, v.s8, v.sb, v.sa, v.sd, v.sc, v.sf, v.se)
#define CLF_VECTOR_SWAP_2(v) \
    (v.s2, v.s3, v.s0, v.s1, v.s6, v.s7, v.s4, v.s5, v.sa, v.sb, v.s8, v.s9, v.se, v.sf, v.sc, v.sd)
#define CLF_VECTOR_SWAP_4(v) \
    (v.s4, v.s5, v.s6, v.s7, v.s0, v.s1, v.s2, v.s3, v.sc, v.sd, v.se, v.sf, v.s8, v.s9, v.sa, v.sb)
#define CLF_VECTOR_SWAP_8(v) \
    (v.s8, v.s9, v.sa, v.sb, v.sc, v.sd, v.se, v.sf, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7)
#else
#define CLF_VECTOR_PLACES (clf_numbers)(0, 1, 2, 3, 4, 5, 6, 7)
#define CLF_VECTOR_LAST s7
#define CLF_VECTOR_UP(v, n) (n, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6)
#define CLF_VECTOR_TURNED(v) (v.s7, v.s6, v.s5, v.s4, v.s3, v.s2, v.s1, v.s0)
#define CLF_VECTOR_SWAP_1(v) (v.s1, v.s0, v.s3, v.s2, v.s5, v.s4, v.s7, v.s6)
#define CLF_VECTOR_SWAP_2(v) (v.s2, v.s3, v.s0, v.s1, v.s6, v.s7, v.s4, v.s5)
#define CLF_VECTOR_SWAP_4(v) (v.s4, v.s5, v.s6, v.s7, v.s0, v.s1, v.s2, v.s3)
#define CLF_VECTOR_SWAP_8(v) (v)
#endif

static inline clf_vector clf_vector_up(clf_vector v, CLF_VECTOR_ELEMENT n)
{
    return (clf_vector)CLF_VECTOR_UP(v, n);
}

/* The last element in all places. */
static inline clf_vector clf_vector_last(clf_vector v)
{
    return (clf_vector)(v.CLF_VECTOR_LAST);
}

/* All elements combined, where the order does not matter. */
static inline clf_value clf_vector_reduce(clf_vector v)
{
    clf_value sum;
    v = clf_vector_combine(v, (clf_vector)CLF_VECTOR_SWAP_1(v));
    v = clf_vector_combine(v, (clf_vector)CLF_VECTOR_SWAP_2(v));
    v = clf_vector_combine(v, (clf_vector)CLF_VECTOR_SWAP_4(v));
    if (CLF_VECTOR_WIDTH == 16)
        v = clf_vector_combine(v, (clf_vector)CLF_VECTOR_SWAP_8(v));
    sum.CLF_VECTOR_FIELD = v.s0;
    return sum;
}

/*
 * Vectors of partial sums side by side: so many that a step is a cache line. More were slower: processors fetch
 * ahead best for one instruction that walks from line to line.
 */
#define CLF_VECTORS (CLF_VECTOR_WIDTH * CLF_VECTOR_BYTES < 64 ? 64 / (CLF_VECTOR_WIDTH * CLF_VECTOR_BYTES) : 1)

/* All whole vectors of n elements combined, in a chain for each place. */
static inline clf_vector clf_vectors_chain(__global const CLF_VECTOR_ELEMENT *p, ulong n)
{
    enum { STEP = CLF_VECTORS * CLF_VECTOR_WIDTH };
    clf_vector part[CLF_VECTORS];
    CLF_UNROLL for (uint k = 0; k < CLF_VECTORS; ++k)
        part[k] = clf_vector_of(clf_neutral());
    for (; n >= STEP; n -= STEP, p += STEP)
        CLF_UNROLL for (uint k = 0; k < CLF_VECTORS; ++k)
            part[k] = clf_vector_combine(part[k], CLF_VECTOR_LOAD(k, p));
    for (; n >= CLF_VECTOR_WIDTH; n -= CLF_VECTOR_WIDTH, p += CLF_VECTOR_WIDTH)
        part[0] = clf_vector_combine(part[0], CLF_VECTOR_LOAD(0, p));
    CLF_UNROLL for (uint k = 1; k < CLF_VECTORS; ++k)
        part[0] = clf_vector_combine(part[0], part[k]);
    return part[0];
}

/* The same in chains of 256: in long ones floating sums would lose what is small beside them. */
static inline clf_vector clf_vectors_reduce(__global const CLF_VECTOR_ELEMENT *p, ulong n)
{
    enum { BLOCK = 256 * CLF_VECTORS * CLF_VECTOR_WIDTH };
    clf_vector sum = clf_vector_of(clf_neutral());
    for (ulong at = 0; at < n; at += BLOCK)
        sum = clf_vector_combine(sum, clf_vectors_chain(p + at, min(n - at, (ulong)BLOCK)));
    return sum;
}

/* A store anywhere. PoCL 3.1 stores with vstore16 one small element at a time. */
typedef struct __attribute__((packed)) {
    clf_vector v;
} clf_vector_anywhere;

static inline void clf_vector_store(clf_vector v, __global CLF_VECTOR_ELEMENT *p)
{
    ((__global clf_vector_anywhere *)p)->v = v;
}

/* A vector of which not all is used. Volatile, for otherwise compilers load what is, element by element. */
static inline clf_vector clf_vector_whole(__global const CLF_VECTOR_ELEMENT *p)
{
    return ((volatile __global const clf_vector_anywhere *)p)->v;
}

/* A store past the caches, where the compiler has one; p is aligned to the vector. */
static inline void clf_vector_stream(clf_vector v, __global CLF_VECTOR_ELEMENT *p)
{
    if (CLF_HAS_NONTEMPORAL)
        CLF_NONTEMPORAL_STORE(v, (__global clf_vector *)p);
    else
        clf_vector_store(v, p);
}

#endif
