/* SPDX-License-Identifier: MIT */
/*
 * order: a key as bits whose order as an unsigned number is that of keys: signed numbers with the sign flipped,
 * negative floating-point numbers with all bits flipped. −0 is +0 and all NaNs are alike and come last, unless
 * CLF_ORDER has CLF_ORDER_TOTAL: then they are in the total order of IEEE 754.
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

/* Of a key's bits: those in ascending order; −0 as +0, unless the order is total. */
static inline clf_key_bits clf_key_ascending(clf_key_bits bits)
{
#if CLF_KEY_KIND == 0 /* unsigned */
    return bits;
#elif CLF_KEY_KIND == 1 /* signed */
    return bits ^ CLF_KEY_SIGN;
#else /* floating-point */
    if (!(CLF_ORDER & CLF_ORDER_TOTAL) && bits == CLF_KEY_SIGN)
        return CLF_KEY_SIGN;
    return bits & CLF_KEY_SIGN ? ~bits & CLF_KEY_ONES : bits | CLF_KEY_SIGN;
#endif
}

/* Not a number, and so last, whatever the direction. */
static inline bool clf_key_is_last(clf_key_bits bits)
{
#if CLF_KEY_KIND == 2
    return !(CLF_ORDER & CLF_ORDER_TOTAL) && (bits & ~CLF_KEY_SIGN) > CLF_KEY_INFINITY;
#else
    return false;
#endif
}

static inline clf_key_bits clf_key_ordered(clf_key_bits bits)
{
    const clf_key_bits ascending = clf_key_ascending(bits);
    return clf_key_is_last(bits) ? CLF_KEY_ONES
           : CLF_ORDER & CLF_ORDER_DESCENDING ? ascending ^ CLF_KEY_ONES : ascending;
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
