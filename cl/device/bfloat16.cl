/* SPDX-License-Identifier: MIT */
/*
 * bfloat16: the upper half of a float's bits. Programs store and move it as it is, and calculate with floats. Integers
 * do all of it, so that no compiler option that lets NaNs or small numbers go changes a result.
 *
 * needs: nothing
 * provides: clf_narrow, clf_widen
 */
#include "device/base.cl"

typedef ushort bfloat16;
#define as_bfloat16 as_ushort

static inline float clf_widen(bfloat16 x)
{
    return as_float((uint)x << 16);
}

/* The nearest, of two that are as near the even one. A NaN stays one, also where all its bits are in the lower half. */
static inline bfloat16 clf_narrow(float x)
{
    const uint bits = CLF_HIDDEN(uint, as_uint(x));
    const bool is_nan = (bits & 0x7fffffff) > 0x7f800000;
    return (bfloat16)((is_nan ? bits | 0x400000 : bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
