/* SPDX-License-Identifier: MIT */
/*
 * transpose: elements of any size as units, and runs of them in global memory as words.
 *
 * An element of CLF_BYTES bytes is CLF_ELEMENT_UNITS units of CLF_UNIT_BYTES bytes, the largest power of two that
 * divides it. Arrays need no other alignment than an element's own. Runs of units smaller than 4 bytes are read and
 * written as the aligned words of CLF_WORD_UNITS units that cover them, whatever their alignment. Only if a word
 * lies partly outside its run, its units are moved one by one.
 *
 * needs: CLF_BYTES
 * provides: clf_divide, clf_reciprocal, CLF_TRANSPOSE, clf_unit, clf_unit_*, CLF_UNIT_BYTES, CLF_WORD_UNITS, CLF_WORDS
 */
#include "device/base.cl"

#if CLF_BYTES % 16 == 0
typedef uint4 clf_unit;
#define CLF_UNIT_BYTES 16
#elif CLF_BYTES % 8 == 0
typedef ulong clf_unit;
#define CLF_UNIT_BYTES 8
#elif CLF_BYTES % 4 == 0
typedef uint clf_unit;
#define CLF_UNIT_BYTES 4
#elif CLF_BYTES % 2 == 0
typedef ushort clf_unit;
#define CLF_UNIT_BYTES 2
#else
typedef uchar clf_unit;
#define CLF_UNIT_BYTES 1
#endif
#define CLF_ELEMENT_UNITS (CLF_BYTES / CLF_UNIT_BYTES)

#if CLF_UNIT_BYTES < 4
#define CLF_WORD_UNITS (4 / CLF_UNIT_BYTES)
typedef uint clf_unit_word;
#else
#define CLF_WORD_UNITS 1
typedef clf_unit clf_unit_word;
#endif

/* Words that cover a run of n units, however it is aligned. */
#define CLF_WORDS(n) (((n) + 2 * CLF_WORD_UNITS - 2) / CLF_WORD_UNITS)

/* The first unit of word w of a run: before the run, if that begins within its first word. */
static inline int clf_unit_word_first(__global const clf_unit *run, uint w)
{
    return (int)(w * CLF_WORD_UNITS) - (int)((size_t)run / CLF_UNIT_BYTES % CLF_WORD_UNITS);
}

/* Does a whole word that begins there lie in a run of n units? */
static inline bool clf_unit_word_whole(int first, uint n)
{
    return first >= 0 && first + CLF_WORD_UNITS <= (int)n;
}

#if CLF_WORD_UNITS > 1

#define CLF_SHIFT(k) (8 * CLF_UNIT_BYTES * (CLF_IS_LITTLE ? (k) : CLF_WORD_UNITS - 1 - (k)))

static inline clf_unit clf_unit_word_get(clf_unit_word word, uint k)
{
    return (clf_unit)(word >> CLF_SHIFT(k));
}

static inline clf_unit_word clf_unit_word_with(clf_unit_word word, uint k, clf_unit unit)
{
    return word | (clf_unit_word)unit << CLF_SHIFT(k);
}

/* Units first … first + CLF_WORD_UNITS - 1 of a run of n units; those outside are 0. */
static inline clf_unit_word clf_unit_word_read(__global const clf_unit *run, int first, uint n)
{
    clf_unit_word word = 0;
    if (clf_unit_word_whole(first, n))
        word = *(__global const clf_unit_word *)(run + first);
    else
        CLF_UNROLL for (int k = 0; k < CLF_WORD_UNITS; ++k)
            if ((uint)(first + k) < n)
                word = clf_unit_word_with(word, (uint)k, run[first + k]);
    return word;
}

static inline void clf_unit_word_write(__global clf_unit *run, int first, uint n, clf_unit_word word)
{
    if (clf_unit_word_whole(first, n))
        *(__global clf_unit_word *)(run + first) = word;
    else
        CLF_UNROLL for (int k = 0; k < CLF_WORD_UNITS; ++k)
            if ((uint)(first + k) < n)
                run[first + k] = clf_unit_word_get(word, (uint)k);
}

#else

static inline clf_unit clf_unit_word_get(clf_unit_word word, uint k)
{
    return word;
}

static inline clf_unit_word clf_unit_word_with(clf_unit_word word, uint k, clf_unit unit)
{
    return unit;
}

static inline clf_unit_word clf_unit_word_read(__global const clf_unit *run, int first, uint n)
{
    return (uint)first < n ? run[first] : (clf_unit_word)0;
}

static inline void clf_unit_word_write(__global clf_unit *run, int first, uint n, clf_unit_word word)
{
    if ((uint)first < n)
        run[first] = word;
}

#endif

/* x / d for x * d < 2^32, by a multiplication with clf_reciprocal(d). */
static inline uint clf_reciprocal(uint d)
{
    return 0xffffffffu / d + 1; /* 0 for d = 1 */
}

static inline uint clf_divide(uint x, uint d, uint reciprocal)
{
    return d == 1 ? x : mul_hi(x, reciprocal);
}

/*
 * Every kernel's arguments: both arrays, how many matrices, their shape, and what a group's share is: `chunk`, `parts`
 * and `windows` are explained where they are used. `stream`: the output will not fit the caches (CPU devices).
 */
#define CLF_TRANSPOSE(name)                                                                                 \
    __kernel CLF_PIN_GROUP void name(                                                                       \
        __global const clf_unit *in, ulong in_at, __global clf_unit *out, ulong out_at, ulong batch,        \
        ulong rows, ulong columns, uint chunk, ulong parts, uint windows, uint stream)
