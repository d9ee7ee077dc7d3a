/* SPDX-License-Identifier: MIT */
/* Reductions by index for tests: counts, sums, pairs of 4 and 8 bytes, wide values; and the reference. */
#include "ref_functions.h"
#include "ref_index.h"

#include <stdio.h>
#include <string.h>

typedef union any {
    unsigned char bytes[REF_MAX_BYTES];
    cl_ulong16 aligned;
} any;

void ref_index_run(const ref_index *index, size_t count, size_t size, size_t bins, bool update, const void *const *in,
                   void *const *out, bool *touched)
{
    any x, value, old, sum;
    const void *constant[CLF_MAX_FIELDS];
    for (size_t f = 0; f < CLF_MAX_FIELDS; ++f)
        constant[f] = out[f];
    for (size_t b = 0; !update && b < count * bins; ++b)
        ref_scatter(&index->value, out, b, index->neutral);
    for (size_t i = 0; i < count * size; ++i) {
        ref_gather(&index->input, in, i, &x);
        const int64_t bin = index->bin(&x);
        if (bin < 0 || (uint64_t)bin >= bins)
            continue;
        if (index->map)
            index->map(&x, i, &value);
        else
            value = x;
        ref_gather(&index->value, constant, i / size * bins + (size_t)bin, &old);
        index->combine(&old, &value, &sum);
        ref_scatter(&index->value, out, i / size * bins + (size_t)bin, &sum);
        touched[i / size * bins + (size_t)bin] = true;
    }
    const ref_operator *const op = ref_index_built(index);
    for (size_t b = 0; !update && op && op->nothing && b < count * bins; ++b)
        if (!touched[b])
            ref_scatter(&index->value, out, b, op->nothing);
}

/* Inputs that are bins: which one, and an input of a bin. */
#define BINS(type) \
    static int64_t type##_bin(const void *x) \
    { \
        return *(const cl_##type *)x; \
    } \
    static void type##_generate(gen *random, int64_t bin, void *x) \
    { \
        (void)random; \
        *(cl_##type *)x = (cl_##type)bin; \
    }
BINS(uchar)
BINS(short)
BINS(ushort)
BINS(uint)
BINS(long)

/* ---- Counts and sums ------------------------------------------------------------------------------------------- */

REF_COMBINE(uint_add, cl_uint, x + y)

static const cl_ulong zeros[4] = {0};

#define COUNTING(BIN, COMBINE, NEUTRAL) \
    {.size = sizeof(clf_operator), .input = BIN " bin;", .value = "uint count;", .map = "one", .combine = COMBINE, \
     .neutral = NEUTRAL, .flags = CLF_COMMUTATIVE | CLF_NO_INDEX, \
     .source = "clf_value one(clf_input x, ulong i) { clf_value v = {1}; return v; }\n" \
               "clf_value add(clf_value a, clf_value b) { a.count += b.count; return a; }\n" \
               "clf_value zero(void) { clf_value v = {0}; return v; }"}
static const clf_operator own_clf = COUNTING("uint", "add", "zero"), native_clf = COUNTING("short", "clf_sum", NULL);

REF_MAP(one, char, cl_uint, 1)

/* What is added up is the bin itself. */
REF_COMBINE(uchar_add, cl_uchar, (cl_uchar)(x + y))
REF_COMBINE(ulong_add, cl_ulong, x + y)

static const clf_operator long_clf = {
    .size = sizeof(clf_operator), .input = "long bin;", .value = "ulong sum;", .map = "of",
    .combine = "clf_sum", .flags = CLF_COMMUTATIVE,
    .source = "clf_value of(clf_input x, ulong i) { clf_value v = {i}; return v; }"};

REF_MAP(index_map, char, cl_ulong, index)

/* Elements have no fields: the bin of each lies in a captured array. */
static const clf_operator captured_clf = {
    .size = sizeof(clf_operator), .input = "", .captured = "ushort bins;", .value = "uint sum;", .map = "of",
    .part = "bin", .combine = "clf_xor", .flags = CLF_COMMUTATIVE,
    .source = "uint bin(clf_input x, ulong i, const clf_captured *c) { return c->bins[i]; }\n"
              "clf_value of(clf_input x, ulong i, const clf_captured *c) { clf_value v = {(uint)i}; return v; }"};

REF_COMBINE(captured_combine, cl_uint, x ^ y)
REF_MAP(captured_map, char, cl_uint, (cl_uint)index)

/* Products modulo a prime that combine captures, which all elements of the array are. */
enum { PRIME = 65521 };
typedef struct factor {
    cl_int bin, v;
    cl_ushort modulus;
} factor;

REF_OF(int64_t, product_bin, factor, x.bin)

static const clf_operator product_clf = {
    .size = sizeof(clf_operator), .input = "int bin; int v;", .value = "uint product;", .captured = "ushort modulus;",
    .map = "of", .combine = "times", .neutral = "none", .flags = CLF_COMMUTATIVE | CLF_NO_INDEX | CLF_COMBINE_CAPTURES,
    .source = "clf_value of(clf_input x, ulong i, const clf_captured *c) { clf_value v = {(uint)x.v}; return v; }\n"
              "clf_value times(clf_value a, clf_value b, const clf_captured *c)\n"
              "{ clf_value v = {a.product * b.product % c->modulus[0]}; return v; }\n"
              "clf_value none(void) { clf_value v = {1}; return v; }"};
static const cl_uint product_none = 1;

REF_COMBINE(product_combine, cl_uint, x * y % PRIME)
REF_MAP(product_map, factor, cl_uint, (cl_uint)x.v)
REF_GENERATE_BIN(product_generate, factor, (factor){(cl_int)bin, 1 + (cl_int)gen_below(random, PRIME - 1), PRIME})

/* ---- All ------------------------------------------------------------------------------------------------------- */

static ref_index all[REF_INDEX_COUNT] = {
    [REF_INDEX_COUNT_OWN] = {"counts", &own_clf, REF_ONE(cl_uint), REF_ONE(cl_uint), zeros, uint_add, one, uint_bin,
                             uint_generate, 0, 0xffffffff},
    [REF_INDEX_COUNT_NATIVE] = {"counts by atomics", &native_clf, REF_ONE(cl_uint), REF_ONE(cl_short), zeros,
                                uint_add, one, short_bin, short_generate, -32768, 32767},
    [REF_INDEX_ITSELF] = {"bytes added up", NULL, REF_ONE(cl_uchar), REF_ONE(cl_uchar), zeros, uchar_add, NULL,
                          uchar_bin, uchar_generate, 0, 255},
    [REF_INDEX_LONG] = {"sums of 64 bits", &long_clf, REF_ONE(cl_ulong), REF_ONE(cl_long), zeros, ulong_add, index_map,
                        long_bin, long_generate, -((int64_t)1 << 60), (int64_t)1 << 60},
    [REF_INDEX_PRODUCT] = {"products modulo a prime", &product_clf, REF_ONE(cl_uint),
                           REF_FIELDS(factor, bin, v, modulus), &product_none, product_combine, product_map,
                           product_bin, product_generate, -0x7fffffff, 0x7fffffff},
    [REF_INDEX_CAPTURED] = {"indices by captured bins", &captured_clf, REF_ONE(cl_uint), REF_ONE(cl_ushort), zeros,
                            captured_combine, captured_map, ushort_bin, ushort_generate, 0, 65535},
};

const ref_index *ref_index_of(int which)
{
    all[REF_INDEX_ITSELF].clf = clf_builtin(CLF_SUM, CLF_UCHAR);
    if (which >= REF_INDEX_AFFINE)
        return ref_index_ordered_of(which);
    return all[which].name ? &all[which] : ref_index_tuple_of(which);
}

/* ---- Built-ins -------------------------------------------------------------------------------------------------- */

/* An element: its bin, and a value of any type. */
static const ref_operator *built;
static ref_index made;

const ref_operator *ref_index_built(const ref_index *index)
{
    return index == &made ? built : NULL;
}

static void built_map(const void *x, cl_ulong index, void *value)
{
    (void)index;
    memcpy(value, (const char *)x + 8, built->value.field[0].bytes);
}

static void built_generate(gen *random, int64_t bin, void *x)
{
    *(cl_short *)x = (cl_short)bin;
    built->generate(random, gen_below(random, 4) ? 0 : 120, (char *)x + 8); /* 120: of minima and maxima NaNs */
}

const ref_index *ref_index_builtin(clf_op op, clf_type type)
{
    static char source[1000], input[50];
    static clf_operator clf;
    built = ref_builtin(op, type);
    clf = *clf_builtin(op, type);
    snprintf(input, sizeof input, "short bin; %s v;", clf_type_name(type));
    snprintf(source, sizeof source, "clf_value picked(clf_input x, ulong i) { clf_value v = {x.v}; return v; }");
    clf.input = input;
    clf.source = source;
    clf.map = "picked";
    made = (ref_index){built->name, &clf, built->value, {2, {{2, 0}, {built->value.field[0].bytes, 8}}},
                       built->neutral, built->combine, built_map, short_bin, built_generate, -32768, 32767};
    return &made;
}
