/* SPDX-License-Identifier: MIT */
/* Reductions by index for tests whose elements have a value beside the bin: pairs of 4 and 8 bytes, wide values. */
#include "ref_functions.h"
#include "ref_index.h"

static const cl_ulong zeros[4] = {0};

/* ---- Values of several fields ---------------------------------------------------------------------------------- */

typedef struct item {
    cl_int bin;
    cl_int v;
} item;

REF_OF(int64_t, item_bin, item, x.bin)
REF_GENERATE_BIN(item_generate, item, (item){(cl_int)bin, (cl_int)gen_below(random, 2000) - 1000})

static const clf_operator largest_clf = {
    .size = sizeof(clf_operator), .input = "int bin; int v;", .value = "int most;", .map = "of",
    .combine = "clf_max", .flags = CLF_COMMUTATIVE | CLF_NO_INDEX,
    .source = "clf_value of(clf_input x, ulong i) { clf_value v = {x.v}; return v; }"};
static const cl_int least_int = CL_INT_MIN;

REF_COMBINE(largest_combine, cl_int, x > y ? x : y)
REF_MAP(item_map, item, cl_int, x.v)

/* 4 bytes. */
typedef struct shorts {
    cl_ushort sum;
    cl_short most;
} shorts;

static const clf_operator shorts_clf = {
    .size = sizeof(clf_operator), .input = "int bin; int v;", .value = "ushort sum; short most;", .map = "of",
    .combine = "both", .neutral = "none", .flags = CLF_COMMUTATIVE | CLF_NO_INDEX,
    .source = "clf_value of(clf_input x, ulong i) { clf_value v = {(ushort)x.v, (short)x.v}; return v; }\n"
              "clf_value both(clf_value a, clf_value b)\n"
              "{ clf_value v = {(ushort)(a.sum + b.sum), max(a.most, b.most)}; return v; }\n"
              "clf_value none(void) { clf_value v = {0, SHRT_MIN}; return v; }"};

REF_COMBINE(shorts_combine, shorts, (shorts){(cl_ushort)(x.sum + y.sum), x.most > y.most ? x.most : y.most})
REF_MAP(shorts_map, item, shorts, (shorts){(cl_ushort)x.v, (cl_short)x.v})

/* 1 + 2 bytes, the bin the last field of the input, by `part`. */
typedef struct bytes {
    cl_uchar bits;
    cl_ushort sum;
} bytes;
typedef struct bytes_in {
    cl_ushort v;
    cl_uchar bin;
} bytes_in;

static const clf_operator bytes_clf = {
    .size = sizeof(clf_operator), .input = "ushort v; uchar bin;", .value = "uchar bits; ushort sum;", .map = "of",
    .part = "bin", .combine = "both", .neutral = "none", .flags = CLF_COMMUTATIVE,
    .source = "uint bin(clf_input x, ulong i) { return x.bin == 255 ? ~0u : x.bin; }\n"
              "clf_value of(clf_input x, ulong i) { clf_value v = {(uchar)(x.v ^ i), x.v}; return v; }\n"
              "clf_value both(clf_value a, clf_value b)\n"
              "{ clf_value v = {a.bits ^ b.bits, (ushort)(a.sum + b.sum)}; return v; }\n"
              "clf_value none(void) { clf_value v = {0, 0}; return v; }"};

REF_COMBINE(bytes_combine, bytes, (bytes){x.bits ^ y.bits, (cl_ushort)(x.sum + y.sum)})
REF_MAP(bytes_map, bytes_in, bytes, (bytes){(cl_uchar)(x.v ^ index), x.v})
REF_OF(int64_t, bytes_bin, bytes_in, x.bin == 255 ? -1 : x.bin)
REF_GENERATE_BIN(bytes_generate, bytes_in, (bytes_in){(cl_ushort)gen_below(random, 65536),
                 (cl_uchar)(bin < 0 ? 255 : bin)})

/* A vector of 4 bytes. */
typedef struct quad {
    cl_uchar v[4];
} quad;
typedef struct quad_in {
    cl_uint bin;
    quad v;
} quad_in;

static const clf_operator vector_clf = {
    .size = sizeof(clf_operator), .input = "uint bin; uchar4 v;", .value = "uchar4 v;", .map = "of",
    .combine = "add", .neutral = "none", .flags = CLF_COMMUTATIVE,
    .source = "clf_value of(clf_input x, ulong i) { clf_value v = {x.v}; return v; }\n"
              "clf_value add(clf_value a, clf_value b) { a.v += b.v; return a; }\n"
              "clf_value none(void) { clf_value v = {(uchar4)(0)}; return v; }"};

static void quad_combine(const void *a, const void *b, void *out)
{
    for (int k = 0; k < 4; ++k)
        ((quad *)out)->v[k] = (cl_uchar)(((const quad *)a)->v[k] + ((const quad *)b)->v[k]);
}

REF_MAP(quad_map, quad_in, quad, x.v)
REF_OF(int64_t, quad_bin, quad_in, x.bin)

static void quad_generate(gen *random, int64_t bin, void *x)
{
    quad_in *const in = x;
    in->bin = (cl_uint)bin;
    for (int k = 0; k < 4; ++k)
        in->v.v[k] = (cl_uchar)gen_bits(random);
}

/* The least key, and the first element that has it: 8 bytes. */
typedef struct found {
    cl_float key;
    cl_uint at;
} found;
typedef struct keyed {
    cl_char bin;
    cl_float key;
} keyed;

static const clf_operator found_clf = {
    .size = sizeof(clf_operator), .input = "char bin; float key;", .value = "float key; uint at;", .map = "here",
    .combine = "least", .neutral = "none", .flags = CLF_COMMUTATIVE,
    .source = "clf_value here(clf_input x, ulong i) { clf_value v = {x.key, (uint)i}; return v; }\n"
              "clf_value least(clf_value a, clf_value b)\n"
              "{ return a.key < b.key || (a.key == b.key && a.at < b.at) ? a : b; }\n"
              "clf_value none(void) { clf_value v = {INFINITY, ~0u}; return v; }"};
static const found nothing_found = {1.0f / 0.0f, ~0u};

REF_COMBINE(found_combine, found, x.key < y.key || (x.key == y.key && x.at < y.at) ? x : y)
REF_MAP(found_map, keyed, found, (found){x.key, (cl_uint)index})
REF_OF(int64_t, keyed_bin, keyed, x.bin)
REF_GENERATE_BIN(keyed_generate, keyed, (keyed){(cl_char)bin, (cl_float)gen_below(random, 100)})

/* Sum and number of values, 8 bytes, joined: made when first asked for. */
static const clf_operator sum_clf = {
    .size = sizeof(clf_operator), .input = "int bin; int v;", .value = "float sum;", .map = "of", .combine = "add",
    .neutral = "zero", .flags = CLF_COMMUTATIVE,
    .source = "clf_value of(clf_input x, ulong i) { clf_value v = {x.v}; return v; }\n"
              "clf_value add(clf_value a, clf_value b) { a.sum += b.sum; return a; }\n"
              "clf_value zero(void) { clf_value v = {0}; return v; }"};
static const clf_operator number_clf = {
    .size = sizeof(clf_operator), .input = "int bin; int v;", .value = "uint number;", .map = "one", .combine = "add",
    .neutral = "zero", .flags = CLF_COMMUTATIVE,
    .source = "clf_value one(clf_input x, ulong i) { clf_value v = {1}; return v; }\n"
              "clf_value add(clf_value a, clf_value b) { a.number += b.number; return a; }\n"
              "clf_value zero(void) { clf_value v = {0}; return v; }"};
static clf_operator *joined;

typedef struct mean {
    cl_float sum;
    cl_uint number;
} mean;

REF_COMBINE(mean_combine, mean, (mean){x.sum + y.sum, x.number + y.number})
REF_MAP(mean_map, item, mean, (mean){(cl_float)x.v, 1})

/* The same as one operator, its bin by `part`. */
static const clf_operator mean_clf = {
    .size = sizeof(clf_operator), .input = "int bin; int v;", .value = "float sum; uint number;", .map = "of",
    .part = "even", .combine = "add", .neutral = "zero", .flags = CLF_COMMUTATIVE,
    .source = "uint even(clf_input x, ulong i) { return x.bin < 0 ? ~0u : (uint)x.bin; }\n"
              "clf_value of(clf_input x, ulong i) { clf_value v = {x.v, 1}; return v; }\n"
              "clf_value add(clf_value a, clf_value b)\n"
              "{ clf_value v = {a.sum + b.sum, a.number + b.number}; return v; }\n"
              "clf_value zero(void) { clf_value v = {0, 0}; return v; }"};

/* Too wide for atomics. */
typedef struct wide {
    cl_ulong sum;
    cl_int most, number;
    cl_uchar bits;
} wide;

static const clf_operator wide_clf = {
    .size = sizeof(clf_operator), .input = "int bin; int v;", .value = "ulong sum; int most; int number; uchar bits;",
    .map = "of", .combine = "all", .neutral = "none", .flags = CLF_COMMUTATIVE,
    .source = "clf_value of(clf_input x, ulong i) { clf_value v = {i, x.v, 1, (uchar)x.v}; return v; }\n"
              "clf_value all(clf_value a, clf_value b)\n"
              "{\n"
              "    clf_value v = {a.sum + b.sum, max(a.most, b.most), a.number + b.number, a.bits | b.bits};\n"
              "    return v;\n"
              "}\n"
              "clf_value none(void) { clf_value v = {0, INT_MIN, 0, 0}; return v; }"};
static const wide wide_none = {0, CL_INT_MIN, 0, 0};

REF_COMBINE(wide_combine, wide, (wide){x.sum + y.sum, x.most > y.most ? x.most : y.most, x.number + y.number,
            x.bits | y.bits})
REF_MAP(wide_map, item, wide, (wide){index, x.v, 1, (cl_uchar)x.v})

/* 16 bytes, whose words all differ in what an update that is lost or torn does to them. */
typedef struct four {
    cl_uint sum;
    cl_int most;
    cl_uint bits, number;
} four;

static const clf_operator four_clf = {
    .size = sizeof(clf_operator), .input = "int bin; int v;", .value = "uint sum; int most; uint bits; uint number;",
    .map = "of", .combine = "all", .neutral = "none", .flags = CLF_COMMUTATIVE,
    .source = "clf_value of(clf_input x, ulong i)\n"
              "{ clf_value v = {(uint)x.v * (uint)i, x.v ^ (int)i, (uint)i * 0x9e3779b1u, 1}; return v; }\n"
              "clf_value all(clf_value a, clf_value b)\n"
              "{\n"
              "    clf_value v = {a.sum + b.sum, max(a.most, b.most), a.bits ^ b.bits, a.number + b.number};\n"
              "    return v;\n"
              "}\n"
              "clf_value none(void) { clf_value v = {0, INT_MIN, 0, 0}; return v; }"};
static const four four_none = {0, CL_INT_MIN, 0, 0};

REF_COMBINE(four_combine, four, (four){x.sum + y.sum, x.most > y.most ? x.most : y.most, x.bits ^ y.bits,
            x.number + y.number})
REF_MAP(four_map, item, four, (four){(cl_uint)x.v * (cl_uint)index, x.v ^ (cl_int)index,
                                     (cl_uint)index * 0x9e3779b1u, 1})

/* 72 bytes: sums of a vector, and their number. */
typedef struct line {
    cl_uint16 sums;
    cl_ulong number;
} line;

static const clf_operator line_clf = {
    .size = sizeof(clf_operator), .input = "int bin; int v;", .value = "uint16 sums; ulong number;", .map = "of",
    .combine = "both", .neutral = "none", .flags = CLF_COMMUTATIVE,
    .source = "clf_value of(clf_input x, ulong i)\n"
              "{\n"
              "    const uint16 by = (uint16)(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);\n"
              "    clf_value v;\n"
              "    v.sums = (uint16)((uint)x.v) + (uint)i * by;\n"
              "    v.number = 1;\n"
              "    return v;\n"
              "}\n"
              "clf_value both(clf_value a, clf_value b) { a.sums += b.sums; a.number += b.number; return a; }\n"
              "clf_value none(void) { clf_value v; v.sums = (uint16)(0); v.number = 0; return v; }"};
static const line line_none;

static void line_combine(const void *a, const void *b, void *out)
{
    const line *const x = a, *const y = b;
    for (int k = 0; k < 16; ++k)
        ((line *)out)->sums.s[k] = x->sums.s[k] + y->sums.s[k];
    ((line *)out)->number = x->number + y->number;
}

static void line_map(const void *x, cl_ulong index, void *value)
{
    for (cl_uint k = 0; k < 16; ++k)
        ((line *)value)->sums.s[k] = (cl_uint)((const item *)x)->v + (cl_uint)index * (k + 1);
    ((line *)value)->number = 1;
}

/* ---- All ------------------------------------------------------------------------------------------------------- */

#define ITEM REF_FIELDS(item, bin, v)
#define MOST_INT 0x7fffffff
static ref_index all[REF_INDEX_COUNT] = {
    [REF_INDEX_LARGEST] = {"largest by atomics", &largest_clf, REF_ONE(cl_int), ITEM, &least_int, largest_combine,
                           item_map, item_bin, item_generate, -MOST_INT, MOST_INT},
    [REF_INDEX_SHORTS] = {"two shorts", &shorts_clf, REF_FIELDS(shorts, sum, most), ITEM, &(const shorts){0, -32768},
                          shorts_combine, shorts_map, item_bin, item_generate, -MOST_INT, MOST_INT},
    [REF_INDEX_BYTES] = {"a byte and a short", &bytes_clf, REF_FIELDS(bytes, bits, sum), REF_FIELDS(bytes_in, v, bin),
                         zeros, bytes_combine, bytes_map, bytes_bin, bytes_generate, -1, 254},
    [REF_INDEX_VECTOR] = {"four bytes", &vector_clf, REF_ONE(quad), REF_FIELDS(quad_in, bin, v),
                          zeros, quad_combine, quad_map, quad_bin, quad_generate, 0, 0xffffffff},
    [REF_INDEX_FIRST_LEAST] = {"the first of the least", &found_clf, REF_FIELDS(found, key, at),
                               REF_FIELDS(keyed, bin, key), &nothing_found, found_combine, found_map, keyed_bin,
                               keyed_generate, -128, 127},
    [REF_INDEX_JOINED] = {"sums and counts, joined", NULL, REF_FIELDS(mean, sum, number), ITEM,
                          zeros, mean_combine, mean_map, item_bin, item_generate, -MOST_INT, MOST_INT},
    [REF_INDEX_MEAN] = {"sums and counts", &mean_clf, REF_FIELDS(mean, sum, number), ITEM,
                        zeros, mean_combine, mean_map, item_bin, item_generate, -MOST_INT, MOST_INT},
    [REF_INDEX_WIDE] = {"wide values", &wide_clf, REF_FIELDS(wide, sum, most, number, bits), ITEM, &wide_none,
                        wide_combine, wide_map, item_bin, item_generate, -MOST_INT, MOST_INT},
    [REF_INDEX_FOUR] = {"four of 16 bytes", &four_clf, REF_FIELDS(four, sum, most, bits, number), ITEM, &four_none,
                        four_combine, four_map, item_bin, item_generate, -MOST_INT, MOST_INT},
    [REF_INDEX_LINE] = {"sums of 72 bytes", &line_clf, REF_FIELDS(line, sums, number), ITEM,
                        &line_none, line_combine, line_map, item_bin, item_generate, -MOST_INT, MOST_INT},
};

const ref_index *ref_index_tuple_of(int which)
{
    static const clf_operator *const parts[] = {&sum_clf, &number_clf};
    if (which == REF_INDEX_JOINED && !joined)
        (void)clf_operator_join(2, parts, &joined, NULL);
    all[REF_INDEX_JOINED].clf = joined;
    return &all[which];
}

void ref_index_close(void)
{
    if (joined)
        clf_operator_release(joined);
    joined = NULL;
}
