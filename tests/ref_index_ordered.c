/* SPDX-License-Identifier: MIT */
/*
 * Reductions by index for tests whose operators do not commute: affine maps, 2x2 matrices, the last element, affine
 * maps modulo a prime that combine captures. Their
 * sources have names that the library's own text for sorts must not meet.
 */
#include "ref_functions.h"
#include "ref_index.h"

/* ---- Affine maps ----------------------------------------------------------------------------------------------- */

/* x -> a x + b modulo 2^32. */
typedef struct affine {
    cl_uint a, b;
} affine;
typedef struct affine_in {
    cl_int bin;
    cl_uint a;
    cl_ushort b;
} affine_in;

static const clf_operator affine_clf = {
    .size = sizeof(clf_operator), .input = "int bin; uint a; ushort b;", .value = "uint a; uint b;", .map = "of",
    .combine = "then", .neutral = "same",
    .source = "#define numbers 7\n"
              "clf_value of(clf_input x, ulong i) { clf_value v = {x.a, x.b + (uint)i}; return v; }\n"
              "clf_value then(clf_value x, clf_value y) { clf_value v = {x.a * y.a, x.b * y.a + y.b}; return v; }\n"
              "clf_value same(void) { clf_value v = {1, 0}; return v; }"};

REF_COMBINE(affine_combine, affine, (affine){x.a * y.a, x.b * y.a + y.b})
REF_MAP(affine_map, affine_in, affine, (affine){x.a, x.b + (cl_uint)index})
REF_OF(int64_t, affine_bin, affine_in, x.bin)
REF_GENERATE_BIN(affine_generate, affine_in, (affine_in){
    (cl_int)bin, (cl_uint)gen_bits(random) | 1, (cl_ushort)gen_bits(random)})

/* ---- Matrices -------------------------------------------------------------------------------------------------- */

/* Modulo a prime, and the number of factors. The bin lies behind the entries, and a macro says it. */
enum { PRIME = 65521 };
typedef struct matrix {
    cl_uint4 rows;
    cl_uchar factors;
} matrix;
typedef struct matrix_in {
    cl_uchar4 entries;
    cl_short bin;
} matrix_in;

static const clf_operator matrix_clf = {
    .size = sizeof(clf_operator), .input = "uchar4 entries; short bin;", .value = "uint4 rows; uchar factors;",
    .map = "of", .part = "which", .combine = "times", .neutral = "one",
    .source = "#define P 65521u\n"
              "#define which(x, i) ((clf_input)(x)).bin < 0 ? ~0u : (uint)((clf_input)(x)).bin\n"
              "clf_value times(clf_value x, clf_value y)\n"
              "{\n"
              "    const uint4 a = x.rows, b = y.rows;\n"
              "    clf_value v;\n"
              "    v.rows.x = (a.x * b.x % P + a.y * b.z % P) % P;\n"
              "    v.rows.y = (a.x * b.y % P + a.y * b.w % P) % P;\n"
              "    v.rows.z = (a.z * b.x % P + a.w * b.z % P) % P;\n"
              "    v.rows.w = (a.z * b.y % P + a.w * b.w % P) % P;\n"
              "    v.factors = x.factors + y.factors;\n"
              "    return v;\n"
              "}\n"
              "clf_value made(uint4 rows, uchar n) { clf_value v; v.rows = rows; v.factors = n; return v; }\n"
              "clf_value of(clf_input x, ulong i) { return made(convert_uint4(x.entries) + (uint)(i % 5), 1); }\n"
              "clf_value one(void) { return made((uint4)(1, 0, 0, 1), 0); }"};

static cl_uint entry(const cl_uint *a, const cl_uint *b, int row, int column)
{
    const cl_uint first = a[2 * row] * b[column] % PRIME, second = a[2 * row + 1] * b[2 + column] % PRIME;
    return (first + second) % PRIME;
}

static void matrix_combine(const void *a, const void *b, void *out)
{
    const matrix x = *(const matrix *)a, y = *(const matrix *)b;
    matrix v = {.factors = (cl_uchar)(x.factors + y.factors)};
    for (int k = 0; k < 4; ++k)
        v.rows.s[k] = entry(x.rows.s, y.rows.s, k / 2, k % 2);
    *(matrix *)out = v;
}

static void matrix_map(const void *x, cl_ulong index, void *value)
{
    matrix v = {.factors = 1};
    for (int k = 0; k < 4; ++k)
        v.rows.s[k] = ((const matrix_in *)x)->entries.s[k] + (cl_uint)(index % 5);
    *(matrix *)value = v;
}

REF_OF(int64_t, matrix_bin, matrix_in, x.bin)

static void matrix_generate(gen *random, int64_t bin, void *x)
{
    matrix_in *const in = x;
    in->bin = (cl_short)bin;
    for (int k = 0; k < 4; ++k)
        in->entries.s[k] = (cl_uchar)gen_bits(random);
}

/* ---- The last -------------------------------------------------------------------------------------------------- */

/* Without a map: the bin is a field of the value, too. */
typedef struct last {
    cl_uint bin;
    cl_char v;
} last;

static const clf_operator last_clf = {
    .size = sizeof(clf_operator), .value = "uint bin; char v;", .combine = "right", .neutral = "none",
    .source = "bool is_none(clf_input x) { return x.bin == ~0u; }\n"
              "clf_value right(clf_value a, clf_value b) { return is_none(b) ? a : b; }\n"
              "clf_value none(void) { clf_value v = {~0u, -1}; return v; }"};

REF_COMBINE(last_combine, last, y.bin == ~0u ? x : y)
REF_OF(int64_t, last_bin, last, x.bin)
REF_GENERATE_BIN(last_generate, last, (last){(cl_uint)bin, (cl_char)gen_bits(random)})

/* ---- Affine maps modulo the prime, which all elements of a captured array are ------------------------------------ */

typedef struct modular_in {
    cl_int bin;
    cl_uint a, b;
    cl_ushort modulus;
} modular_in;

static const clf_operator modular_clf = {
    .size = sizeof(clf_operator), .input = "int bin; uint a; uint b;", .value = "uint a; uint b;", .map = "of",
    .captured = "ushort modulus;", .combine = "then", .neutral = "same", .flags = CLF_COMBINE_CAPTURES,
    .source = "clf_value of(clf_input x, ulong i, const clf_captured *c) { clf_value v = {x.a, x.b}; return v; }\n"
              "clf_value then(clf_value x, clf_value y, const clf_captured *c)\n"
              "{\n"
              "    const uint m = c->modulus[0];\n"
              "    clf_value v = {x.a * y.a % m, (x.b * y.a + y.b) % m};\n"
              "    return v;\n"
              "}\n"
              "clf_value same(void) { clf_value v = {1, 0}; return v; }"};

REF_COMBINE(modular_combine, affine, (affine){x.a * y.a % PRIME, (x.b * y.a + y.b) % PRIME})
REF_MAP(modular_map, modular_in, affine, (affine){x.a, x.b})
REF_OF(int64_t, modular_bin, modular_in, x.bin)
REF_GENERATE_BIN(modular_generate, modular_in, (modular_in){
    (cl_int)bin, 1 + (cl_uint)gen_below(random, PRIME - 1), (cl_uint)gen_below(random, PRIME), PRIME})

/* ---- Arrays ---------------------------------------------------------------------------------------------------- */

/* The last pair of bytes, which no atomic takes though it fits a word: an array is not made one. */
typedef struct arrays {
    cl_uchar v[3];
} arrays;
typedef struct arrays_in {
    cl_uchar v[2];
    cl_ushort bin;
} arrays_in;

static const clf_operator arrays_clf = {
    .size = sizeof(clf_operator), .input = "uchar v[2]; ushort bin;", .value = "uchar v[3];", .map = "of",
    .part = "which", .combine = "right", .neutral = "none",
    .source = "uint which(clf_input x, ulong i) { return x.bin; }\n"
              "clf_value of(clf_input x, ulong i) { clf_value v = {{x.v[0], x.v[1], 1}}; return v; }\n"
              "clf_value right(clf_value a, clf_value b) { return b.v[2] ? b : a; }\n"
              "clf_value none(void) { clf_value v = {{0, 0, 0}}; return v; }"};

REF_COMBINE(arrays_combine, arrays, y.v[2] ? y : x)
REF_MAP(arrays_map, arrays_in, arrays, (arrays){{x.v[0], x.v[1], 1}})
REF_OF(int64_t, arrays_bin, arrays_in, x.bin)
REF_GENERATE_BIN(arrays_generate, arrays_in, (arrays_in){
    {(cl_uchar)gen_bits(random), (cl_uchar)gen_bits(random)}, (cl_ushort)bin})

/* ---- All ------------------------------------------------------------------------------------------------------- */

static const ref_index all[] = {
    {"affine maps", &affine_clf, REF_FIELDS(affine, a, b), REF_FIELDS(affine_in, bin, a, b), &(const affine){1, 0},
     affine_combine, affine_map, affine_bin, affine_generate, -0x7fffffff, 0x7fffffff},
    {"products of matrices", &matrix_clf, REF_FIELDS(matrix, rows, factors), REF_FIELDS(matrix_in, entries, bin),
     &(const matrix){{{1, 0, 0, 1}}, 0}, matrix_combine, matrix_map, matrix_bin, matrix_generate, -32768, 32767},
    {"the last", &last_clf, REF_BOTH(last, bin, v), &(const last){~0u, -1}, last_combine, NULL, last_bin, last_generate,
     0, 0xfffffffe},
    {"affine maps modulo a prime", &modular_clf, REF_FIELDS(affine, a, b), REF_FIELDS(modular_in, bin, a, b, modulus),
     &(const affine){1, 0}, modular_combine, modular_map, modular_bin, modular_generate, -0x7fffffff, 0x7fffffff},
    {"arrays", &arrays_clf, REF_FIELDS(arrays, v), REF_FIELDS(arrays_in, v, bin),
     &(const arrays){{0, 0, 0}}, arrays_combine, arrays_map, arrays_bin, arrays_generate, 0, 65535},
};

const ref_index *ref_index_ordered_of(int which)
{
    return &all[which - REF_INDEX_AFFINE];
}
