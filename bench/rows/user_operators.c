/* SPDX-License-Identifier: MIT */
/*
 * Operators from source, on tuples, beside their sequential reference in C:
 *
 *     tuple4  elementwise sum of four 64-bit integers: the bandwidth of a wide tuple
 *     affine  composition of x -> a x + b modulo 2^32: linear recurrences; not commutative
 *     mat2    product of 2 x 2 matrices modulo a prime: not commutative, four fields
 *     lssp    the longest non-decreasing run so far ("longest satisfying segment problem"): one input, a map,
 *             six results; not commutative
 *     mss     the maximum segment sum so far: one input, a map, four results; not commutative
 *     lssp_one, mss_one   the same by plans that want the first result alone
 *     radix   how many keys so far have each value of a 2-bit digit, as four 64-bit integers: what a pass of
 *             Clausen's radix sort scans (tests/examples/radix_sort.c)
 *     stats   sum, smallest and largest of one array: three built-in operators joined
 *     gcd     greatest common divisors: a loop, which costs less the longer the chain is
 *     ordered sum of floats that does not promise to commute: what order alone costs
 *
 * affine, mat2, lssp and gcd are those of the tests, with the tests' functions in C.
 */
#include "rows/operators.h"
#include "../../tests/ref.h"

#include <math.h>
#include <string.h>

/* ---- Operators of the tests: all fields are words --------------------------------------------------------------- */

static void tested_scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out)
{
    const ref_operator *const op = ref_user(self->tested);
    ref_element x, value, total, next;
    memcpy(&total, op->neutral, op->value.count * sizeof(cl_uint));
    for (cl_ulong i = 0; i < n; ++i) {
        for (unsigned f = 0; f < self->inputs; ++f)
            memcpy(x.bytes + 4 * f, (const cl_uint *)in[f] + i, sizeof(cl_uint));
        if (op->map)
            op->map(&x, i, &value, NULL);
        op->combine(&total, op->map ? &value : &x, &next);
        for (unsigned f = 0; f < self->outputs; ++f)
            memcpy((cl_uint *)out[f] + i, (exclusive ? &total : &next)->bytes + 4 * f, sizeof(cl_uint));
        memcpy(&total, &next, op->value.count * sizeof(cl_uint));
    }
}

static void affine_fill(const bench_operator *self, cl_ulong n, void *const *in)
{
    (void)self;
    for (cl_ulong i = 0; i < n; ++i) {
        uint64_t bits = bench_hash(i);
        ((uint32_t *)in[0])[i] = (uint32_t)bits | 1; /* odd: an even factor would forget the past */
        ((uint32_t *)in[1])[i] = (uint32_t)(bits >> 32);
    }
}

enum { P = 46337 };

/* Upper triangle times lower triangle, units on the diagonals: invertible, so that no product degenerates. */
void bench_mat2_element(cl_ulong i, uint32_t matrix[4])
{
    const uint64_t bits = bench_hash(i);
    const uint32_t u = (uint32_t)(bits & 0xFFFF) % P, v = (uint32_t)(bits >> 48) % P;
    matrix[0] = (1 + u * v) % P;
    matrix[1] = u;
    matrix[2] = v;
    matrix[3] = 1;
}

static void mat2_fill(const bench_operator *self, cl_ulong n, void *const *in)
{
    uint32_t matrix[4];
    (void)self;
    for (cl_ulong i = 0; i < n; ++i) {
        bench_mat2_element(i, matrix);
        for (int f = 0; f < 4; ++f)
            ((uint32_t *)in[f])[i] = matrix[f];
    }
}

/* Runs of some dozens of elements, and a longer one now and then. */
static void lssp_fill(const bench_operator *self, cl_ulong n, void *const *in)
{
    int32_t value = 0;
    (void)self;
    for (cl_ulong i = 0; i < n; ++i) {
        uint64_t bits = bench_hash(i);
        value = bits % 61 == 0 ? -(int32_t)(bits >> 48) : value + (int32_t)(bits >> 32 & 3);
        ((int32_t *)in[0])[i] = value;
    }
}

/* Multiples of 6, so that no result is 1. */
BENCH_FILL(gcd, uint32_t, 6 * (uint32_t)(bench_hash(i) >> 35))

/* ---- tuple4 ---- */

#define ADD4 "clf_value add4(clf_value x, clf_value y)\n" \
             "{\n" \
             "    x.a += y.a; x.b += y.b; x.c += y.c; x.d += y.d;\n" \
             "    return x;\n" \
             "}\n" \
             "clf_value zero4(void) { clf_value z = {0, 0, 0, 0}; return z; }\n"

static const clf_operator tuple4_op = {
    .size = sizeof(clf_operator), .value = "long a; long b; long c; long d;",
    .source = ADD4,
    .combine = "add4", .neutral = "zero4", .flags = CLF_COMMUTATIVE,
};

static void tuple4_fill(const bench_operator *self, cl_ulong n, void *const *in)
{
    for (unsigned f = 0; f < self->inputs; ++f)
        for (cl_ulong i = 0; i < n; ++i)
            ((uint64_t *)in[f])[i] = bench_hash(4 * i + f);
}

static void tuple4_scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out)
{
    for (unsigned f = 0; f < self->outputs; ++f) {
        const uint64_t *x = in[f];
        uint64_t *y = out[f], sum = 0;
        for (cl_ulong i = 0; i < n; ++i) {
            uint64_t before = sum;
            sum += x[i];
            y[i] = exclusive ? before : sum;
        }
    }
}

/* ---- mss ---- */

static const clf_operator mss_op = {
    .size = sizeof(clf_operator), .value = "int best; int head; int tail; int all;", .input = "int x;",
    .source = "/* best: largest sum inside; head, tail: of those that touch the ends. */\n"
              "clf_value join(clf_value x, clf_value y)\n"
              "{\n"
              "    clf_value z;\n"
              "    z.best = max(max(x.best, y.best), x.tail + y.head);\n"
              "    z.head = max(x.head, x.all + y.head);\n"
              "    z.tail = max(y.tail, x.tail + y.all);\n"
              "    z.all = x.all + y.all;\n"
              "    return z;\n"
              "}\n"
              "clf_value empty(void) { clf_value z = {0, 0, 0, 0}; return z; }\n"
              "clf_value single(clf_input in, ulong i)\n"
              "{\n"
              "    const int gain = max(in.x, 0);\n"
              "    clf_value z = {gain, gain, gain, in.x};\n"
              "    return z;\n"
              "}\n",
    .combine = "join", .neutral = "empty", .map = "single",
};

BENCH_FILL(mss, int32_t, (int32_t)(bench_hash(i) % 201) - 100)

/* Kadane's algorithm. */
static void mss_step(int32_t x, int32_t now[4])
{
    now[3] += x;
    now[2] = now[2] + x > 0 ? now[2] + x : 0;
    now[1] = now[3] > now[1] ? now[3] : now[1];
    now[0] = now[2] > now[0] ? now[2] : now[0];
}
BENCH_SCAN(mss, int32_t, int32_t, 4, 0)

/* ---- radix ---- */

static const clf_operator radix_op = {
    .size = sizeof(clf_operator), .value = "long a; long b; long c; long d;", .input = "uint key;",
    .source = ADD4
              "clf_value flags(clf_input in, ulong i)\n"
              "{\n"
              "    const uint digit = in.key & 3;\n"
              "    clf_value z = {digit == 0, digit == 1, digit == 2, digit == 3};\n"
              "    return z;\n"
              "}\n",
    .combine = "add4", .neutral = "zero4", .map = "flags", .flags = CLF_COMMUTATIVE,
};

BENCH_FILL(radix, uint32_t, bench_hash(i))

static void radix_step(uint32_t x, int64_t now[4])
{
    ++now[x & 3];
}
BENCH_SCAN(radix, uint32_t, int64_t, 4, 0)

/* ---- stats ---- */

/* Differences of a bounded sequence, so that sums are exact in any association. */
BENCH_FILL(stats, float, (int)(bench_hash(i + 1) & 255) - (int)(bench_hash(i) & 255))

static void stats_step(float x, float now[3])
{
    now[0] += x;
    now[1] = x < now[1] ? x : now[1];
    now[2] = x > now[2] ? x : now[2];
}
BENCH_SCAN(stats, float, float, 3, 0, INFINITY, -INFINITY)

/* ---- ordered ---- */

static const clf_operator ordered_op = {
    .size = sizeof(clf_operator), .value = "float x;",
    .source = "clf_value plus(clf_value x, clf_value y) { x.x += y.x; return x; }\n"
              "clf_value zero(void) { clf_value z = {0}; return z; }\n",
    .combine = "plus", .neutral = "zero",
};

static void ordered_step(float x, float now[1])
{
    now[0] += x;
}
BENCH_SCAN(ordered, float, float, 1, 0)

/* ---- the list ---- */

const bench_operator bench_user_operators[] = {
    {.name = "tuple4", .type = "4xi64", .op = &tuple4_op, .inputs = 4, .outputs = 4, .in_size = {8, 8, 8, 8},
     .out_size = {8, 8, 8, 8}, .fill = tuple4_fill, .scan = tuple4_scan},
    {.name = "affine", .type = "2xu32", .tested = REF_AFFINE, .inputs = 2, .outputs = 2, .in_size = {4, 4},
     .out_size = {4, 4}, .fill = affine_fill, .scan = tested_scan},
    {.name = "mat2", .type = "4xu32", .tested = REF_MATRIX, .inputs = 4, .outputs = 4, .in_size = {4, 4, 4, 4},
     .out_size = {4, 4, 4, 4}, .fill = mat2_fill, .scan = tested_scan},
    {.name = "lssp", .type = "6xi32", .tested = REF_LSSP, .inputs = 1, .outputs = 6, .in_size = {4},
     .out_size = {4, 4, 4, 4, 4, 4}, .fill = lssp_fill, .scan = tested_scan},
    {.name = "lssp_one", .type = "6xi32", .tested = REF_LSSP, .inputs = 1, .outputs = 1, .wanted = 1, .in_size = {4},
     .out_size = {4}, .fill = lssp_fill, .scan = tested_scan},
    {.name = "mss", .type = "4xi32", .op = &mss_op, .inputs = 1, .outputs = 4, .in_size = {4},
     .out_size = {4, 4, 4, 4}, .fill = mss_fill, .scan = mss_scan},
    {.name = "mss_one", .type = "4xi32", .op = &mss_op, .inputs = 1, .outputs = 1, .wanted = 1, .in_size = {4},
     .out_size = {4}, .fill = mss_fill, .scan = mss_scan},
    {.name = "radix", .type = "4xi64", .op = &radix_op, .inputs = 1, .outputs = 4, .in_size = {4},
     .out_size = {8, 8, 8, 8}, .fill = radix_fill, .scan = radix_scan},
    {.name = "stats", .type = "3xf32", .inputs = 1, .outputs = 3, .in_size = {4}, .out_size = {4, 4, 4},
     .fill = stats_fill, .scan = stats_scan},
    {.name = "gcd", .type = "u32", .tested = REF_DIVISOR, .inputs = 1, .outputs = 1, .in_size = {4}, .out_size = {4},
     .fill = gcd_fill, .scan = tested_scan},
    {.name = "ordered", .type = "f32", .op = &ordered_op, .inputs = 1, .outputs = 1, .in_size = {4},
     .out_size = {4}, .fill = stats_fill, .scan = ordered_scan},
    {.name = NULL},
};
