/* SPDX-License-Identifier: MIT */
/*
 * transpose: elements of any size as units, and runs of them in global memory as words.
 *
 * An element of CLF_BYTES bytes is CLF_UNITS units of CLF_UNIT bytes, the largest power of two that divides it. Arrays
 * need no other alignment than an element's own. Runs of units smaller than 4 bytes are read and written as the aligned
 * words of CLF_PACK units that cover them, whatever their alignment. Only if a word lies partly outside its run, its
 * units are moved one by one.
 */
#include "device/base.cl"

#if CLF_BYTES % 16 == 0
typedef uint4 clf_unit;
#define CLF_UNIT 16
#elif CLF_BYTES % 8 == 0
typedef ulong clf_unit;
#define CLF_UNIT 8
#elif CLF_BYTES % 4 == 0
typedef uint clf_unit;
#define CLF_UNIT 4
#elif CLF_BYTES % 2 == 0
typedef ushort clf_unit;
#define CLF_UNIT 2
#else
typedef uchar clf_unit;
#define CLF_UNIT 1
#endif
#define CLF_UNITS (CLF_BYTES / CLF_UNIT)

#if CLF_UNIT < 4
#define CLF_PACK (4 / CLF_UNIT)
typedef uint clf_word;
#else
#define CLF_PACK 1
typedef clf_unit clf_word;
#endif

/* Words that cover a run of n units, however it is aligned. */
#define CLF_WORDS(n) (((n) + 2 * CLF_PACK - 2) / CLF_PACK)

/* The first unit of word w of a run: before the run, if that begins within its first word. */
static inline int clf_word_first(__global const clf_unit *run, uint w)
{
#if CLF_PACK > 1
    return (int)(w * CLF_PACK) - (int)((size_t)run / CLF_UNIT % CLF_PACK);
#else
    (void)run;
    return (int)w;
#endif
}

/* Does a whole word that begins there lie in a run of n units? */
static inline bool clf_word_whole(int first, uint n)
{
    return first >= 0 && first + CLF_PACK <= (int)n;
}

#if CLF_PACK > 1

#ifdef __ENDIAN_LITTLE__
#define CLF_SHIFT(k) (8 * CLF_UNIT * (k))
#else
#define CLF_SHIFT(k) (8 * CLF_UNIT * (CLF_PACK - 1 - (k)))
#endif

static inline clf_unit clf_word_get(clf_word word, uint k)
{
    return (clf_unit)(word >> CLF_SHIFT(k));
}

static inline clf_word clf_word_with(clf_word word, uint k, clf_unit unit)
{
    return word | (clf_word)unit << CLF_SHIFT(k);
}

/* Units first … first + CLF_PACK - 1 of a run of n units; those outside are 0. */
static inline clf_word clf_word_read(__global const clf_unit *run, int first, uint n)
{
    clf_word word = 0;
    if (clf_word_whole(first, n))
        word = *(__global const clf_word *)(run + first);
    else
        CLF_UNROLL for (int k = 0; k < CLF_PACK; ++k)
            if ((uint)(first + k) < n)
                word = clf_word_with(word, (uint)k, run[first + k]);
    return word;
}

static inline void clf_word_write(__global clf_unit *run, int first, uint n, clf_word word)
{
    if (clf_word_whole(first, n))
        *(__global clf_word *)(run + first) = word;
    else
        CLF_UNROLL for (int k = 0; k < CLF_PACK; ++k)
            if ((uint)(first + k) < n)
                run[first + k] = clf_word_get(word, (uint)k);
}

#else

static inline clf_unit clf_word_get(clf_word word, uint k)
{
    return word;
}

static inline clf_word clf_word_with(clf_word word, uint k, clf_unit unit)
{
    return unit;
}

static inline clf_word clf_word_read(__global const clf_unit *run, int first, uint n)
{
    return (uint)first < n ? run[first] : (clf_word)0;
}

static inline void clf_word_write(__global clf_unit *run, int first, uint n, clf_word word)
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
