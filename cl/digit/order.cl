/* SPDX-License-Identifier: MIT */
/*
 * order: a key as bits whose order as an unsigned number is that of keys. −0 is +0 and all NaNs are alike and come
 * last, unless CLF_ORDER has CLF_ORDER_TOTAL: then floating-point numbers are in the total order of IEEE 754.
 */
#include "device/lane.cl"
#include "wrapper.cl"

#ifndef CLF_ORDER
#error "-D CLF_ORDER is missing"
#endif
#define CLF_ORDER_DESCENDING 1
#define CLF_ORDER_TOTAL 2

#if CLF_KEY_BYTES > 4
typedef ulong clf_key_bits;
#else
typedef uint clf_key_bits;
#endif

#define CLF_KEY_ONES ((clf_key_bits)~(clf_key_bits)0 >> (sizeof(clf_key_bits) * 8 - 8 * CLF_KEY_BYTES))
#define CLF_KEY_SIGN ((clf_key_bits)1 << (8 * CLF_KEY_BYTES - 1))

/* Descending integers, and floating-point keys in total order, have all bits of the ascending key flipped. */
static inline clf_key_bits clf_key_directed(clf_key_bits ascending)
{
    return CLF_ORDER & CLF_ORDER_DESCENDING ? ascending ^ CLF_KEY_ONES : ascending;
}

static inline clf_key_bits clf_key_ordered(clf_key_bits bits)
{
#if CLF_KEY_KIND == 0 /* unsigned */
    return clf_key_directed(bits);
#elif CLF_KEY_KIND == 1 /* signed */
    return clf_key_directed(bits ^ CLF_KEY_SIGN);
#elif CLF_ORDER & CLF_ORDER_TOTAL
    return clf_key_directed(bits & CLF_KEY_SIGN ? ~bits & CLF_KEY_ONES : bits | CLF_KEY_SIGN);
#else
    /* Sign and magnitude as a number, which has one 0, counted from that of the first infinity. Behind the other
     * infinity, wrapped around or not, are only NaNs. */
    const bool negative = ((bits & CLF_KEY_SIGN) != 0) != ((CLF_ORDER & CLF_ORDER_DESCENDING) != 0);
    const clf_key_bits magnitude = bits & ~CLF_KEY_SIGN;
    const clf_key_bits place = (CLF_KEY_INFINITY + (negative ? 0 - magnitude : magnitude)) & CLF_KEY_ONES;
    return min(place, (clf_key_bits)(2 * CLF_KEY_INFINITY + 1));
#endif
}

static inline clf_key_bits clf_value_key(clf_value v)
{
    return CLF_KEY_AS(clf_key_of(v));
}

/* The same, though the compiler does not know that it is the same key each time (lane.cl). */
static inline clf_key_bits clf_value_key_again(clf_value v)
{
#if CLF_KEY_BYTES > 4
    const uint2 bits = as_uint2(clf_value_key(v));
    return as_ulong((uint2)(clf_forget(bits.x), clf_forget(bits.y)));
#else
    return clf_forget(clf_value_key(v));
#endif
}

static inline uint clf_key_digit(clf_key_bits bits, uint pass)
{
    return (uint)(bits >> 8 * pass) & 255;
}
