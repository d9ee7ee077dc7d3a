/* SPDX-License-Identifier: MIT */
/* Splits for tests: keys of 1 to 8 bytes and wider, tuples, results of a map, captured digits; and the reference. */
#include "ref_functions.h"

#include <string.h>

static size_t part_of(const ref_split *split, size_t parts, const void *x)
{
    const unsigned digit = split->digit(x);
    return digit < parts ? digit : parts - 1;
}

void ref_split_run(const ref_split *split, size_t parts, size_t n, const void *const *in, void *const *out,
                   cl_ulong *counts)
{
    ref_element x, value;
    cl_ulong place[REF_MOST_PARTS], all = 0;
    memset(counts, 0, parts * sizeof *counts);
    for (size_t i = 0; i < n; ++i) {
        ref_gather(&split->input, in, i, &x);
        ++counts[part_of(split, parts, &x)];
    }
    for (size_t p = 0; p < parts; ++p) {
        place[p] = all;
        all += counts[p];
    }
    for (size_t i = 0; i < n; ++i) {
        ref_gather(&split->input, in, i, &x);
        if (split->map)
            split->map(&x, i, &value);
        ref_scatter(&split->value, out, place[part_of(split, parts, &x)]++, split->map ? &value : &x);
    }
}

/* ---- One field ------------------------------------------------------------------------------------------------- */

static const clf_operator byte_clf = {
    .size = sizeof(clf_operator), .value = "uchar v;", .part = "digit",
    .source = "uint digit(clf_input x, ulong i) { return x.v; }"};

REF_OF(unsigned, byte_digit, one_byte, x.v)
REF_GENERATE_DIGIT(byte_generate, one_byte, (one_byte){(cl_uchar)digit})

static const clf_operator short_clf = {
    .size = sizeof(clf_operator), .value = "ushort v;", .part = "digit",
    .source = "uint digit(clf_input x, ulong i) { return x.v & 511; }"};

REF_OF(unsigned, short_digit, one_short, x.v & 511)
REF_GENERATE_DIGIT(short_generate, one_short, (one_short){(cl_ushort)(gen_below(random, 128) << 9 | digit)})

static const clf_operator int_clf = {
    .size = sizeof(clf_operator), .value = "int v;", .part = "digit",
    .source = "uint digit(clf_input x, ulong i) { return as_uint(x.v) >> 23; }"};

REF_OF(unsigned, int_digit, one_int, (cl_uint)x.v >> 23)
REF_GENERATE_DIGIT(int_generate, one_int,
                   (one_int){(cl_int)((cl_uint)digit << 23 | (cl_uint)gen_below(random, 1u << 23))})

typedef struct one_long {
    cl_ulong v;
} one_long;

/* Whatever is far beyond belongs to the last part, too. */
static const clf_operator long_clf = {
    .size = sizeof(clf_operator), .value = "ulong v;", .part = "digit",
    .source = "uint digit(clf_input x, ulong i) { const uint d = (uint)(x.v >> 40); return d < 300 ? d : ~0u; }"};

REF_OF(unsigned, long_digit, one_long, (unsigned)(x.v >> 40))
REF_GENERATE_DIGIT(long_generate, one_long, (one_long){(cl_ulong)digit << 40 | gen_bits(random) >> 24})

static const clf_operator wide_clf = {
    .size = sizeof(clf_operator), .value = "ulong8 v;", .part = "digit",
    .source = "uint digit(clf_input x, ulong i) { return (uint)x.v.s7; }"};

REF_OF(unsigned, wide_digit, one_vector, (unsigned)x.v[7])
REF_GENERATE_DIGIT(wide_generate, one_vector, ref_vector(random, digit))

typedef struct arrays {
    cl_ushort key[3];
    cl_uint x[5];
} arrays;

static const clf_operator arrays_clf = {
    .size = sizeof(clf_operator), .value = "ushort key[3]; uint x[5];", .part = "digit",
    .source = "uint digit(clf_input x, ulong i) { return x.key[2]; }"};

REF_OF(unsigned, arrays_digit, arrays, x.key[2])

static void arrays_generate(gen *random, unsigned digit, void *x)
{
    arrays *const a = x;
    for (int k = 0; k < 5; ++k)
        a->x[k] = (cl_uint)gen_bits(random);
    a->key[0] = a->key[1] = 7;
    a->key[2] = (cl_ushort)digit;
}

/* ---- Tuples and maps -------------------------------------------------------------------------------------------- */

/* A key with a payload. */
typedef struct pair {
    cl_uint key;
    cl_float x;
} pair;

static const clf_operator pair_clf = {
    .size = sizeof(clf_operator), .value = "uint key; float x;", .part = "digit",
    .source = "uint digit(clf_input x, ulong i) { return x.key & 1023; }"};

REF_OF(unsigned, pair_digit, pair, x.key & 1023)
REF_GENERATE_DIGIT(pair_generate, pair, (pair){
    (cl_uint)gen_below(random, 1u << 22) << 10 | digit, (cl_float)gen_below(random, 1u << 20)})

/* The key is left out of the results, and the index, which is added, shows the order. */
typedef struct tuple_in {
    cl_float x;
    cl_ushort key;
    cl_ulong id;
} tuple_in;
typedef struct tuple {
    cl_ulong id;
    cl_uint at;
    cl_char low;
    cl_float x;
} tuple;

static const clf_operator tuple_clf = {
    .size = sizeof(clf_operator), .input = "float x; ushort key; ulong id;",
    .value = "ulong id; uint at; char low; float x;", .part = "digit", .map = "listed",
    .source = "uint digit(clf_input x, ulong i) { return x.key; }\n"
              "clf_value listed(clf_input x, ulong i) { clf_value v = {x.id, (uint)i, (char)(x.id & 127), x.x};"
              " return v; }"};

REF_OF(unsigned, tuple_digit, tuple_in, x.key)
REF_MAP(tuple_map, tuple_in, tuple, (tuple){x.id, (cl_uint)index, (cl_char)(x.id & 127), x.x})
REF_GENERATE_DIGIT(tuple_generate, tuple_in, (tuple_in){
    (cl_float)gen_below(random, 1000), (cl_ushort)digit, gen_bits(random)})

/* Elements have no fields: the digit of each lies in a captured array, and the result is its index. */
static const clf_operator captured_clf = {
    .size = sizeof(clf_operator), .input = "", .captured = "ushort digits;", .value = "uint at;", .part = "digit",
    .map = "index",
    .source = "uint digit(clf_input x, ulong i, const clf_captured *c) { return c->digits[i]; }\n"
              "clf_value index(clf_input x, ulong i, const clf_captured *c) { clf_value v = {(uint)i}; return v; }"};

REF_OF(unsigned, captured_digit, one_short, x.v)
REF_MAP(captured_map, char, one_int, (one_int){(cl_int)index})
REF_GENERATE_DIGIT(captured_generate, one_short, (one_short){(cl_ushort)digit})

/* ---- All -------------------------------------------------------------------------------------------------------- */

static const ref_split splits[REF_SPLIT_COUNT] = {
    [REF_SPLIT_INT] = {"ints", &int_clf, REF_BOTH(one_int, v), int_digit, NULL, int_generate, 511},
    [REF_SPLIT_BYTE] = {"bytes", &byte_clf, REF_BOTH(one_byte, v), byte_digit, NULL, byte_generate, 255},
    [REF_SPLIT_SHORT] = {"shorts", &short_clf, REF_BOTH(one_short, v), short_digit, NULL, short_generate, 511},
    [REF_SPLIT_LONG] = {"longs", &long_clf, REF_BOTH(one_long, v), long_digit, NULL, long_generate, 1000},
    [REF_SPLIT_WIDE] = {"vectors", &wide_clf, REF_BOTH(one_vector, v), wide_digit, NULL, wide_generate, 1000},
    [REF_SPLIT_PAIR] = {"keys with payload", &pair_clf, REF_BOTH(pair, key, x), pair_digit, NULL, pair_generate, 1000},
    [REF_SPLIT_TUPLE] = {"tuples with their indices", &tuple_clf, REF_FIELDS(tuple, id, at, low, x),
                         REF_FIELDS(tuple_in, x, key, id), tuple_digit, tuple_map, tuple_generate, 65535},
    [REF_SPLIT_CAPTURED] = {"indices by captured digits", &captured_clf, REF_FIELDS(one_int, v),
                            REF_FIELDS(one_short, v), captured_digit, captured_map, captured_generate, 65535},
    [REF_SPLIT_ARRAYS] = {"arrays", &arrays_clf, REF_BOTH(arrays, key, x), arrays_digit, NULL, arrays_generate, 1000},
};

const ref_split *ref_split_of(int which)
{
    return &splits[which];
}
