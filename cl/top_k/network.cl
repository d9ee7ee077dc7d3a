/* SPDX-License-Identifier: MIT */
/*
 * network: a few keys of each lane are sorted across a warp or part of it (network_template.cl), with the indices of
 * their elements, or alone: where values are nothing but their keys, and these tell all their bits.
 *
 * needs: nothing
 * provides: clf_comes_before, clf_key_is_exact, clf_network_*
 */
#include "top_k/search.cl"

static inline bool clf_comes_before(clf_key_bits key, uint at, clf_key_bits other, uint other_at)
{
#if CLF_KEY_BYTES > 4
    return CLF_KEY_LESS(key, other) || (CLF_KEY_EQUAL(key, other) && at < other_at);
#else
    return ((ulong)key << 32 | at) < ((ulong)other << 32 | other_at);
#endif
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
static inline clf_value clf_network_value_of(clf_key_bits ordered)
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

/* ---- Sorts ---------------------------------------------------------------------------------------------- */

#if CLF_LANE_WIDTH > 1
#define CLF_T 1
#define CLF_T_NAME clf_network_1
#include "top_k/network_template.cl"
#define CLF_T 2
#define CLF_T_NAME clf_network_2
#include "top_k/network_template.cl"
#define CLF_T 4
#define CLF_T_NAME clf_network_4
#include "top_k/network_template.cl"
#define CLF_T 8
#define CLF_T_NAME clf_network_8
#include "top_k/network_template.cl"
#define CLF_T 16
#define CLF_T_NAME clf_network_16
#include "top_k/network_template.cl"
#endif
