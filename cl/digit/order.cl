/* SPDX-License-Identifier: MIT */
/*
 * order: a key as an unsigned number of the same order. By default −0 is +0, and all NaNs are equal and come last. With
 * CLF_ORDER_TOTAL in CLF_ORDER floating-point numbers are in the total order of IEEE 754.
 *
 * needs: CLF_ORDER
 * provides: CLF_KEY_*, clf_key_*, CLF_ORDER_DESCENDING, CLF_ORDER_TOTAL, clf_value_key, clf_value_key_again
 */
#include "digit/key_bits.cl"

#define CLF_ORDER_DESCENDING 1
#define CLF_ORDER_TOTAL 2

#define CLF_KEY_SIGN clf_key_shifted(1, 8 * CLF_KEY_BYTES - 1)

/* Descending integers, and floating-point keys in total order, have all bits of the ascending key flipped. */
static inline clf_key_bits clf_key_directed(clf_key_bits ascending)
{
    return CLF_ORDER & CLF_ORDER_DESCENDING ? ascending ^ CLF_KEY_ONES : ascending;
}

#if CLF_KEY_KIND == 2 && !(CLF_ORDER & CLF_ORDER_TOTAL)
/* Sign and magnitude as a number, which has one 0, counted from that of the first infinity. Behind the other infinity,
 * wrapped around or not, are only NaNs. */
#define CLF_KEY_LAST ((clf_key_bits)(2 * CLF_KEY_INFINITY + 1))
static inline clf_key_bits clf_key_place(clf_key_bits bits)
{
    const clf_key_bits number = bits & CLF_KEY_SIGN ? CLF_KEY_SIGN - bits : bits;
    return (CLF_ORDER & CLF_ORDER_DESCENDING ? CLF_KEY_INFINITY - number : CLF_KEY_INFINITY + number) & CLF_KEY_ONES;
}
#else
#define CLF_KEY_LAST CLF_KEY_ONES
static inline clf_key_bits clf_key_place(clf_key_bits bits)
{
    if (CLF_KEY_KIND == 0) /* unsigned */
        return clf_key_directed(bits);
    if (CLF_KEY_KIND == 1) /* signed */
        return clf_key_directed(bits ^ CLF_KEY_SIGN);
    return clf_key_directed(bits & CLF_KEY_SIGN ? ~bits & CLF_KEY_ONES : bits | CLF_KEY_SIGN);
}
#endif

static inline clf_key_bits clf_key_ordered(clf_key_bits bits)
{
    return min(clf_key_place(bits), CLF_KEY_LAST);
}

/* Back again, where each key has a place of its own: where not, nothing calls this. */
#define CLF_KEY_INVERTIBLE (CLF_KEY_KIND != 2 || (CLF_ORDER & CLF_ORDER_TOTAL))
static inline clf_key_bits clf_key_from_ordered(clf_key_bits ordered)
{
    const clf_key_bits ascending = clf_key_directed(ordered);
    if (CLF_KEY_KIND == 0)
        return ascending;
    if (CLF_KEY_KIND == 1)
        return ascending ^ CLF_KEY_SIGN;
    return ascending & CLF_KEY_SIGN ? ascending ^ CLF_KEY_SIGN : ~ascending & CLF_KEY_ONES;
}

/* Is the key not behind another, of which clf_key_bound has made `bound`, once for many? */
static inline clf_key_bits clf_key_bound(clf_key_bits ordered)
{
    return CLF_KEY_LESS(ordered, CLF_KEY_LAST) ? ordered : CLF_KEY_ONES;
}

static inline bool clf_key_is_within(clf_key_bits bits, clf_key_bits bound)
{
    return CLF_KEY_AT_MOST(clf_key_place(bits), bound);
}

static inline clf_key_bits clf_value_key(clf_value v CLF_LESS_PARAMETER)
{
    return CLF_HIDDEN(clf_key_bits, CLF_KEY_AS(clf_key_of(v CLF_LESS_C)));
}

/* The same, though the compiler does not know that it is the same key each time (lane.cl). */
static inline clf_key_bits clf_value_key_again(clf_value v CLF_LESS_PARAMETER)
{
    return clf_key_forget(clf_value_key(v CLF_LESS_C));
}

static inline uint clf_key_digit(clf_key_bits bits, uint pass)
{
    return clf_key_at(bits, 8 * pass) & 255;
}

/* ---- Values of keys ------------------------------------------------------------------------------------- */

#if CLF_KEY_IS_VALUE

/*
 * Does the key tell all bits of the value? Not the sign of zero, nor which NaN it is, where these are alike. A key that
 * stands for no element, CLF_KEY_ONES, is not in the way.
 */
static inline bool clf_key_is_exact(clf_key_bits ordered)
{
#if CLF_KEY_INVERTIBLE
    return true;
#else
    return (ordered != CLF_KEY_INFINITY) & (ordered != CLF_KEY_LAST);
#endif
}

/* The value of an exact key. */
#define CLF_VALUE_FROM_KEY(f, type, move, bytes, name) v.name = as_##type((move)bits);
static inline clf_value clf_key_value(clf_key_bits ordered)
{
    clf_value v;
#if CLF_KEY_INVERTIBLE
    const clf_key_bits bits = clf_key_from_ordered(ordered);
#else
    const clf_key_bits number =
        (CLF_ORDER & CLF_ORDER_DESCENDING ? CLF_KEY_INFINITY - ordered : ordered - CLF_KEY_INFINITY) & CLF_KEY_ONES;
    const clf_key_bits bits = number & CLF_KEY_SIGN ? CLF_KEY_SIGN - number & CLF_KEY_ONES : number;
#endif
    CLF_VALUE_FIELDS(CLF_VALUE_FROM_KEY)
    return v;
}

#endif
