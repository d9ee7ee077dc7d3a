/* SPDX-License-Identifier: MIT */
/*
 * code: minima and maxima of floating numbers as unsigned integers of the same size, in tables whose updates come in
 * any order. Codes have the order of the numbers: fmin is min, fmax is max. Both ignore NaN, whose code is worse than
 * that of any number. The neutral element, the code of no element, is worse still: it distinguishes an empty bin from
 * one of NaNs alone. All NaNs have the same code.
 *
 *   clf_code        the code of what the caller's functions made
 *   clf_code_bits   that of a result, which lies in the output as bits
 *   clf_decode      the bits that a result has: of nothing, infinity
 *   clf_bare        what the caller's combine gets: only fields that are no codes are right
 *
 * There is nothing here unless the operator has such fields and the primitive wants codes (CLF_CODED). CLF_MINIMA,
 * CLF_MAXIMA and CLF_OTHERS list fields: F(0, uint4, 32, x) for a float4. Types may be vectors; so there are no
 * conditions, but masks, and narrow scalars are converted back at each step.
 *
 * needs: nothing
 * provides: clf_code_bits, clf_decode, codes
 */
#include "functions.cl"
#include "memory/value.cl"

#if CLF_CODED

#define CLF_TYPE_INFINITY_16 0x7c00u
#define CLF_TYPE_INFINITY_32 0x7f800000u
#define CLF_TYPE_INFINITY_64 0x7ff0000000000000ul
#define CLF_TYPE_SIGN_16 0x8000u
#define CLF_TYPE_SIGN_32 0x80000000u
#define CLF_TYPE_SIGN_64 0x8000000000000000ul

/* All ones where the highest bit of x is set, else zeros. */
#define CLF_SPREAD_SIGN(type, bits, x) (type)((type)(0) - (type)((x) >> (bits - 1)))

#define CLF_CODE_AS(type, bits, name, nan_code) \
    { \
        const type x = CLF_HIDDEN(type, as_##type(from.name)), sign = (type)(CLF_TYPE_SIGN_##bits); \
        const type above = (type)((type)(CLF_TYPE_INFINITY_##bits) - (type)(x & (type)~sign)); \
        const type is_nan = CLF_SPREAD_SIGN(type, bits, above), down = CLF_SPREAD_SIGN(type, bits, x); \
        const type order = (type)(x ^ (type)(down | sign)); \
        v.name = (type)((type)(order & (type)~is_nan) | (type)((nan_code) & is_nan)); \
    }
#define CLF_CODE_MINIMUM(f, type, bits, name) CLF_CODE_AS(type, bits, name, (type)~(type)(1))
#define CLF_CODE_MAXIMUM(f, type, bits, name) CLF_CODE_AS(type, bits, name, (type)(1))
#define CLF_CODE_OTHER(f, type, bits, name) v.name = from.name;
#define CLF_CODE_FIELDS CLF_MINIMA(CLF_CODE_MINIMUM) CLF_MAXIMA(CLF_CODE_MAXIMUM) CLF_OTHERS(CLF_CODE_OTHER)

static inline clf_value clf_code(clf_bare_value from)
{
    clf_value v;
    CLF_CODE_FIELDS
    return v;
}

static inline clf_value clf_code_bits(clf_value from)
{
    clf_value v;
    CLF_CODE_FIELDS
    return v;
}

/* `less` is 0 where there is nothing. The bits of the code of NaN are those of a quiet one. */
#define CLF_DECODE_AS(type, bits, name, less, nothing) \
    { \
        const type c = from.name, m = less, sign = (type)(CLF_TYPE_SIGN_##bits); \
        const type some = CLF_SPREAD_SIGN(type, bits, (type)(m | (type)((type)(0) - m))); \
        const type x = (type)(c ^ (type)((type)~CLF_SPREAD_SIGN(type, bits, c) | sign)); \
        v.name = (type)((type)(x & some) | (type)((type)(nothing) & (type)~some)); \
    }
#define CLF_DECODE_MINIMUM(f, type, bits, name) \
    CLF_DECODE_AS(type, bits, name, (type)~c, CLF_TYPE_INFINITY_##bits)
#define CLF_DECODE_MAXIMUM(f, type, bits, name) \
    CLF_DECODE_AS(type, bits, name, c, CLF_TYPE_INFINITY_##bits | CLF_TYPE_SIGN_##bits)

static inline clf_value clf_decode(clf_value from)
{
    clf_value v;
    CLF_MINIMA(CLF_DECODE_MINIMUM)
    CLF_MAXIMA(CLF_DECODE_MAXIMUM)
    CLF_OTHERS(CLF_CODE_OTHER)
    return v;
}

#define CLF_BARE_FIELD(f, type, move, bytes, name) v.name = as_##type(from.name);
static inline clf_bare_value clf_bare(clf_value from)
{
    clf_bare_value v;
    CLF_BARE_FIELDS(CLF_BARE_FIELD)
    return v;
}

#define CLF_LEAST_CODE(f, type, bits, name) v.name = min(left.name, right.name);
#define CLF_LARGEST_CODE(f, type, bits, name) v.name = max(left.name, right.name);
static inline clf_value clf_codes_combine(clf_value left, clf_value right CLF_COMBINE_PARAMETER)
{
    const clf_bare_value from = clf_caller_combine(clf_bare(left), clf_bare(right) CLF_COMBINE_CAPTURED);
    clf_value v;
    CLF_MINIMA(CLF_LEAST_CODE)
    CLF_MAXIMA(CLF_LARGEST_CODE)
    CLF_OTHERS(CLF_CODE_OTHER)
    return v;
}

#define CLF_ALL_ONES(f, type, bits, name) v.name = (type)~(type)(0);
#define CLF_ALL_ZEROS(f, type, bits, name) v.name = (type)(0);
static inline clf_value clf_codes_neutral(void)
{
    const clf_bare_value from = clf_caller_neutral();
    clf_value v;
    CLF_MINIMA(CLF_ALL_ONES)
    CLF_MAXIMA(CLF_ALL_ZEROS)
    CLF_OTHERS(CLF_CODE_OTHER)
    return v;
}

#else

static inline clf_value clf_code_bits(clf_value v) { return v; }
static inline clf_value clf_decode(clf_value v) { return v; }

#endif

#include "memory/wrapper.cl"
