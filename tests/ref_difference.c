/* SPDX-License-Identifier: MIT */
/*
 * Operators for the tests of adjacent differences that neither commute nor associate: differences of elements of 1 to
 * 128 bytes, and one behind a map.
 */
#include "ref_functions.h"

static void fill_bytes(gen *random, void *to, size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i)
        ((unsigned char *)to)[i] = (unsigned char)gen_bits(random);
}

/* Of one field of `lanes` unsigned integers. */
#define DIFFERENCE(NAME, TYPE, HOST, LANES) \
    typedef struct NAME { HOST v[LANES]; } NAME; \
    static const clf_operator NAME##_clf = { \
        .size = sizeof(clf_operator), .value = TYPE " v;", .combine = "minus", .neutral = "zero", \
        .source = "clf_value zero(void) { clf_value z = {(" TYPE ")(0)}; return z; }\n" \
                  "clf_value minus(clf_value a, clf_value b) { clf_value r = {b.v - a.v}; return r; }\n"}; \
    static void NAME##_minus(const void *a, const void *b, void *out) \
    { \
        const NAME *x = a, *y = b; \
        for (int k = 0; k < LANES; ++k) \
            ((NAME *)out)->v[k] = (HOST)(y->v[k] - x->v[k]); \
    } \
    static void NAME##_generate(gen *random, cl_ulong index, void *x) \
    { \
        (void)index; \
        fill_bytes(random, x, sizeof(NAME)); \
    } \
    static const NAME NAME##_zero; \
    static const ref_operator NAME##_op = { \
        .name = "difference of " TYPE, .clf = &NAME##_clf, .value = REF_FIELDS(NAME, v), \
        .input = REF_FIELDS(NAME, v), .neutral = &NAME##_zero, .combine = NAME##_minus, \
        .generate = NAME##_generate};

DIFFERENCE(bytes1, "uchar", cl_uchar, 1)
DIFFERENCE(bytes2, "ushort", cl_ushort, 1)
DIFFERENCE(bytes4, "uint", cl_uint, 1)
DIFFERENCE(bytes8, "ulong", cl_ulong, 1)
DIFFERENCE(bytes16, "uint4", cl_uint, 4)
DIFFERENCE(bytes64, "ulong8", cl_ulong, 8)
DIFFERENCE(bytes128, "ulong16", cl_ulong, 16)

/*
 * Fields of 2 and 8 bytes made of one of 4 by a map that looks at the index, with an extra output of 1: the neighbour's
 * index must be the neighbour's.
 */
typedef struct mapped_in {
    cl_int x;
} mapped_in;
typedef struct mapped {
    cl_short low;
    cl_long where;
} mapped;
typedef struct mapped_extra {
    cl_uchar odd;
} mapped_extra;

static const clf_operator mapped_clf = {
    .size = sizeof(clf_operator), .value = "short low; long where;", .input = "int x;", .extra = "uchar odd;",
    .combine = "minus", .neutral = "zero", .map = "spread",
    .source = "clf_value zero(void) { clf_value z = {0, 0}; return z; }\n"
              "clf_value minus(clf_value a, clf_value b)\n"
              "{ clf_value r = {(short)(b.low - a.low), b.where - 3 * a.where}; return r; }\n"
              "clf_value spread(clf_input i, ulong index, clf_extra *extra)\n"
              "{\n"
              "    clf_value v = {(short)i.x, (long)i.x + 7 * (long)index};\n"
              "    extra->odd = (uchar)(i.x + index);\n"
              "    return v;\n"
              "}\n"};

REF_COMBINE(mapped_minus, mapped, (mapped){(cl_short)(y.low - x.low), y.where - 3 * x.where})

static void mapped_spread(const void *input, cl_ulong index, void *value, void *extra)
{
    const cl_int x = ((const mapped_in *)input)->x;
    *(mapped *)value = (mapped){(cl_short)x, (cl_long)x + 7 * (cl_long)index};
    ((mapped_extra *)extra)->odd = (cl_uchar)((cl_ulong)x + index);
}

REF_GENERATE(mapped_generate, mapped_in, (mapped_in){.x = (cl_int)gen_between(random, -30000, 30000)})

static const mapped mapped_zero;
static const ref_operator mapped_op = {
    .name = "mapped difference", .clf = &mapped_clf, .value = REF_FIELDS(mapped, low, where),
    .input = REF_FIELDS(mapped_in, x), .extra = REF_FIELDS(mapped_extra, odd), .neutral = &mapped_zero,
    .combine = mapped_minus, .map = mapped_spread, .generate = mapped_generate};

const ref_operator *ref_difference(int which)
{
    static const ref_operator *const list[REF_DIFFERENCE_COUNT] = {
        [REF_BYTES_1] = &bytes1_op,   [REF_BYTES_2] = &bytes2_op,   [REF_BYTES_4] = &bytes4_op,
        [REF_BYTES_8] = &bytes8_op,   [REF_BYTES_16] = &bytes16_op, [REF_BYTES_64] = &bytes64_op,
        [REF_BYTES_128] = &bytes128_op, [REF_MAPPED] = &mapped_op};
    return list[which];
}
