/* SPDX-License-Identifier: MIT */
/*
 * Operators as users write them: each twice, in OpenCL C for the device and in C for the reference. The larger ones
 * (eight … select) are in ref_tuple.c; what clfold-bench has, too, is in shared_operators.c. What each one is here to
 * catch:
 *
 *     matrix    operands swapped: it does not commute          eight     many fields, 64-bit ones, a vector
 *     mixed     fields of 1, 2 and 8 bytes                     vectors   wide vectors and their alignment
 *     affine    as matrix, with wrap-around                    brackets  as matrix, with branches and min
 *     first     elements dropped or doubled                    lssp      a map, and six fields that belong together
 *     last      the same, from the right                       select    two input arrays, a map with extra outputs
 *     argmax    ties: the leftmost must win                    divisor   a loop: CPUs reduce one by one
 *     modular   combine reads a captured array
 */
#include "ref_functions.h"
#include "shared_operators.h"

#include <math.h>

#define USER(FIELDS, SOURCE) \
    {.size = sizeof(clf_operator), .value = FIELDS, .source = SOURCE, .combine = "combine", .neutral = "neutral"}

/* ---- Product of 2×2 matrices modulo a prime whose square, doubled, fits 32 bits ------------------------- */

typedef struct matrix {
    cl_uint a, b, c, d;
} matrix;

REF_COMBINE(matrix_combine, matrix, (matrix){(x.a * y.a + x.b * y.c) % 46337, (x.a * y.b + x.b * y.d) % 46337,
            (x.c * y.a + x.d * y.c) % 46337, (x.c * y.b + x.d * y.d) % 46337})

/* Determinant 1, so that no product ever collapses. */
static void matrix_generate(gen *random, cl_ulong index, void *input)
{
    cl_uint k = (cl_uint)gen_below(random, 46337);
    *(matrix *)input = index % 2 ? (matrix){1, k, 0, 1} : (matrix){1, 0, k, 1};
}

static const ref_operator matrix_op = {
    .name = "matrix", .clf = &shared_mat2,
    .value = REF_FIELDS(matrix, a, b, c, d), .input = REF_FIELDS(matrix, a, b, c, d),
    .neutral = &(const matrix){1, 0, 0, 1}, .combine = matrix_combine, .generate = matrix_generate};

/* ---- Maximum, sum and count at once ----------------------------------------------------------------------- */

typedef struct mixed {
    cl_char most;
    cl_short sum;
    cl_long count;
} mixed;

static const clf_operator mixed_clf = USER(
    "char most; short sum; long count;",
    "clf_value neutral(void) { clf_value e = {-128, 0, 0}; return e; }\n"
    "clf_value combine(clf_value x, clf_value y)\n"
    "{ clf_value r = {max(x.most, y.most), (short)((ushort)x.sum + (ushort)y.sum), x.count + y.count}; return r; }\n");

REF_COMBINE(mixed_combine, mixed, (mixed){x.most > y.most ? x.most : y.most,
            (cl_short)((cl_ushort)x.sum + (cl_ushort)y.sum), x.count + y.count})

static void mixed_generate(gen *random, cl_ulong index, void *input)
{
    mixed *x = input;
    gen_builtin(random, CLF_MAX, CLF_CHAR, index, &x->most);
    gen_builtin(random, CLF_SUM, CLF_SHORT, index, &x->sum);
    x->count = gen_between(random, -1000000, 5000000);
}

static const ref_operator mixed_op = {
    .name = "mixed", .clf = &mixed_clf,
    .value = REF_FIELDS(mixed, most, sum, count), .input = REF_FIELDS(mixed, most, sum, count),
    .neutral = &(const mixed){-128, 0, 0}, .combine = mixed_combine, .generate = mixed_generate};

/* ---- Composition of affine maps x → scale·x + shift ------------------------------------------------------- */

typedef struct affine {
    cl_uint scale, shift;
} affine;

REF_COMBINE(affine_combine, affine, (affine){x.scale * y.scale, x.shift * y.scale + y.shift})
REF_GENERATE(affine_generate, affine, (affine){(cl_uint)gen_bits(random) | 1, (cl_uint)gen_bits(random)})

static const ref_operator affine_op = {
    .name = "affine", .clf = &shared_affine,
    .value = REF_FIELDS(affine, scale, shift), .input = REF_FIELDS(affine, scale, shift),
    .neutral = &(const affine){1, 0}, .combine = affine_combine, .generate = affine_generate};

/* ---- The first, and the last, of the elements that are full --------------------------------------------- */

typedef struct maybe {
    cl_uint item;
    cl_uchar full;
} maybe;

#define MAYBE_NEUTRAL "clf_value neutral(void) { clf_value e = {0, 0}; return e; }\n"
static const clf_operator first_clf = USER("uint item; uchar full;", MAYBE_NEUTRAL
                                           "clf_value combine(clf_value x, clf_value y) { return x.full ? x : y; }\n");
static const clf_operator last_clf = USER("uint item; uchar full;", MAYBE_NEUTRAL
                                          "clf_value combine(clf_value x, clf_value y) { return y.full ? y : x; }\n");

REF_COMBINE(first_combine, maybe, x.full ? x : y)
REF_COMBINE(last_combine, maybe, y.full ? y : x)

/* A run of empty elements at the start leaves something for `first` to find. */
static void maybe_generate(gen *random, cl_ulong index, void *input)
{
    bool full = index > 40 && gen_chance(random, 10);
    *(maybe *)input = full ? (maybe){(cl_uint)index * 7 + (cl_uint)gen_below(random, 7), 1} : (maybe){0, 0};
}

#define MAYBE(NAME)                                                                                      \
    {.name = #NAME, .clf = &NAME##_clf, .value = REF_FIELDS(maybe, item, full),          \
     .input = REF_FIELDS(maybe, item, full), .neutral = &(const maybe){0, 0},            \
     .combine = NAME##_combine, .generate = maybe_generate}
static const ref_operator first_op = MAYBE(first), last_op = MAYBE(last);

/* ---- Largest value and where it is; the leftmost of equals ----------------------------------------------- */

typedef struct argmax {
    cl_float value;
    cl_uint index;
} argmax;

static const clf_operator argmax_clf = {
    .size = sizeof(clf_operator), .value = "float value; uint index;", .input = "float x;",
    .combine = "combine", .neutral = "neutral", .map = "map",
    .source =
    "clf_value neutral(void) { clf_value e = {-INFINITY, 0xffffffffu}; return e; }\n"
    "clf_value map(clf_input e, ulong index) { clf_value r = {e.x, (uint)index}; return r; }\n"
    "clf_value combine(clf_value x, clf_value y) { return y.value > x.value ? y : x; }\n"};

REF_COMBINE(argmax_combine, argmax, y.value > x.value ? y : x)
REF_MAP_PLAIN(argmax_map, cl_float, argmax, (argmax){x, (cl_uint)index})

/* Ties everywhere, near and far. */
REF_GENERATE(argmax_generate, cl_float, (cl_float)(index / 2048 + gen_below(random, 4)))

static const ref_operator argmax_op = {
    .name = "argmax", .clf = &argmax_clf,
    .value = REF_FIELDS(argmax, value, index), .input = REF_ONE(cl_float),
    .neutral = &(const argmax){-INFINITY, 0xffffffffu}, .combine = argmax_combine, .map = argmax_map,
    .generate = argmax_generate};

/* ---- Greatest common divisors ----------------------------------------------------------------------------- */

static const clf_operator divisor_clf = USER("uint d;",
                                             "clf_value neutral(void) { clf_value e = {0}; return e; }\n"
                                             "clf_value combine(clf_value x, clf_value y)\n"
                                             "{\n"
                                             "    while (y.d) { const uint rest = x.d % y.d; x.d = y.d; y.d = rest; }\n"
                                             "    return x;\n"
                                             "}\n");

static void divisor_combine(const void *left, const void *right, void *out)
{
    cl_uint x = *(const cl_uint *)left, y = *(const cl_uint *)right;
    while (y) {
        const cl_uint rest = x % y;
        x = y;
        y = rest;
    }
    *(cl_uint *)out = x;
}

/* Highly composite factors, more the further on, so that results stay apart. Never 0. */
REF_GENERATE(divisor_generate, cl_uint,
             720720u / (1 + (cl_uint)(index / 1500 % 16)) * (1 + (cl_uint)gen_below(random, 5000)))

static const ref_operator divisor_op = {
    .name = "divisor", .clf = &divisor_clf, .value = REF_ONE(cl_uint), .input = REF_ONE(cl_uint),
    .neutral = &(const cl_uint){0}, .combine = divisor_combine, .generate = divisor_generate};

/* ---- Composition of affine maps modulo a captured prime, which all elements of the array are -------------- */

typedef struct modular {
    cl_uint scale, shift;
    cl_ushort modulus;
} modular;

static const clf_operator modular_clf = {
    .size = sizeof modular_clf, .value = "uint scale; uint shift;", .captured = "ushort modulus;", .combine = "compose",
    .neutral = "identity", .flags = CLF_COMBINE_CAPTURES,
    .source = REF_MODULAR_SOURCE};

enum { PRIME = 65521 };

REF_COMBINE(modular_combine, affine, (affine){x.scale * y.scale % PRIME, (x.shift * y.scale + y.shift) % PRIME})
REF_GENERATE(modular_generate, modular, (modular){
    1 + (cl_uint)gen_below(random, PRIME - 1), (cl_uint)gen_below(random, PRIME), PRIME})

static const ref_operator modular_op = {
    .name = "modular", .clf = &modular_clf, .value = REF_FIELDS(affine, scale, shift),
    .input = REF_FIELDS(modular, scale, shift, modulus),
    .neutral = &(const affine){1, 0}, .combine = modular_combine, .generate = modular_generate};

/* ---- All of them ------------------------------------------------------------------------------------------- */

const ref_operator *ref_user(int which)
{
    static const ref_operator *const users[REF_USER_COUNT] = {
        [REF_MATRIX] = &matrix_op,    [REF_MIXED] = &mixed_op,      [REF_AFFINE] = &affine_op,
        [REF_FIRST] = &first_op,      [REF_LAST] = &last_op,        [REF_ARGMAX] = &argmax_op,
        [REF_EIGHT] = &ref_eight,     [REF_VECTORS] = &ref_vectors, [REF_BRACKETS] = &ref_brackets,
        [REF_LSSP] = &ref_lssp,       [REF_SELECT] = &ref_select,   [REF_DIVISOR] = &divisor_op,
        [REF_MODULAR] = &modular_op,
        [REF_GRID] = &ref_grid,       [REF_SUMS] = &ref_sums,       [REF_BUNDLE] = &ref_bundle,
    };
    return which == REF_INT_SUM ? ref_builtin(CLF_SUM, CLF_INT) : users[which];
}
