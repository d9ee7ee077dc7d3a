/* SPDX-License-Identifier: MIT */
/*
 * Operators from source, on tuples, each beside its sequential reference in C:
 *
 *     tuple4  elementwise sum of four 64-bit integers: the bandwidth of a wide tuple
 *     affine  composition of x -> a x + b modulo 2^32: linear recurrences; not commutative
 *     mat2    product of 2 x 2 matrices modulo a prime: not commutative, four fields
 *     lssp    the longest non-decreasing run so far ("longest satisfying segment problem"): one input, a map,
 *             six results; not commutative
 *     mss     the maximum segment sum so far: one input, a map, four results; not commutative
 *     radix   how many keys so far have each value of a 2-bit digit, as four 64-bit integers: what a pass of
 *             Clausen's radix sort scans (tests/examples/radix_sort.c)
 *     stats   sum, smallest and largest of one array: three built-in operators joined
 *     gcd     greatest common divisors: a loop, which costs less the longer the chain is
 */
#include "bench.h"
#include "../tests/shared_operators.h"

#include <math.h>
#include <string.h>

/* ---- tuple4 ---- */

static const clf_operator tuple4_op = {
    .size = sizeof(clf_operator), .value = "long a; long b; long c; long d;",
    .source = "clf_value add4(clf_value x, clf_value y)\n"
              "{\n"
              "    x.a += y.a; x.b += y.b; x.c += y.c; x.d += y.d;\n"
              "    return x;\n"
              "}\n"
              "clf_value zero4(void) { clf_value z = {0, 0, 0, 0}; return z; }\n",
    .combine = "add4", .neutral = "zero4", .flags = CLF_COMMUTATIVE,
};

static void tuple4_fill(const bench_operator *self, cl_ulong n, void *const *in)
{
    for (unsigned f = 0; f < self->inputs; f++)
        for (cl_ulong i = 0; i < n; i++)
            ((uint64_t *)in[f])[i] = bench_hash(4 * i + f);
}

static void tuple4_scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in,
                        void *const *out)
{
    for (unsigned f = 0; f < self->outputs; f++) {
        const uint64_t *x = in[f];
        uint64_t *y = out[f], sum = 0;
        for (cl_ulong i = 0; i < n; i++) {
            uint64_t before = sum;
            sum += x[i];
            y[i] = exclusive ? before : sum;
        }
    }
}

/* ---- affine ---- */

static void affine_fill(const bench_operator *self, cl_ulong n, void *const *in)
{
    (void)self;
    for (cl_ulong i = 0; i < n; i++) {
        uint64_t bits = bench_hash(i);
        ((uint32_t *)in[0])[i] = (uint32_t)bits | 1; /* odd: an even factor would forget the past */
        ((uint32_t *)in[1])[i] = (uint32_t)(bits >> 32);
    }
}

static void affine_scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in,
                        void *const *out)
{
    const uint32_t *a = in[0], *b = in[1];
    uint32_t *out_a = out[0], *out_b = out[1], p = 1, q = 0;
    (void)self;
    for (cl_ulong i = 0; i < n; i++) {
        uint32_t next_p = p * a[i], next_q = q * a[i] + b[i];
        out_a[i] = exclusive ? p : next_p;
        out_b[i] = exclusive ? q : next_q;
        p = next_p;
        q = next_q;
    }
}

/* ---- mat2 ---- */

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
    for (cl_ulong i = 0; i < n; i++) {
        bench_mat2_element(i, matrix);
        for (int f = 0; f < 4; f++)
            ((uint32_t *)in[f])[i] = matrix[f];
    }
}

void bench_mat2_multiply(const uint32_t x[4], const uint32_t y[4], uint32_t z[4])
{
    z[0] = (x[0] * y[0] + x[1] * y[2]) % P;
    z[1] = (x[0] * y[1] + x[1] * y[3]) % P;
    z[2] = (x[2] * y[0] + x[3] * y[2]) % P;
    z[3] = (x[2] * y[1] + x[3] * y[3]) % P;
}

static void mat2_scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in,
                      void *const *out)
{
    uint32_t product[4] = {1, 0, 0, 1}, next[4], element[4];
    (void)self;
    for (cl_ulong i = 0; i < n; i++) {
        for (int f = 0; f < 4; f++)
            element[f] = ((const uint32_t *)in[f])[i];
        bench_mat2_multiply(product, element, next);
        for (int f = 0; f < 4; f++)
            ((uint32_t *)out[f])[i] = exclusive ? product[f] : next[f];
        memcpy(product, next, sizeof product);
    }
}

/* ---- lssp ---- */

/* Runs of some dozens of elements, and a longer one now and then. */
static void lssp_fill(const bench_operator *self, cl_ulong n, void *const *in)
{
    int32_t value = 0;
    (void)self;
    for (cl_ulong i = 0; i < n; i++) {
        uint64_t bits = bench_hash(i);
        value = bits % 61 == 0 ? -(int32_t)(bits >> 48) : value + (int32_t)(bits >> 32 & 3);
        ((int32_t *)in[0])[i] = value;
    }
}

/* Counts runs directly instead of combining tuples: an independent way to the same numbers. */
static void lssp_scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in,
                      void *const *out)
{
    const int32_t *x = in[0];
    int32_t now[6] = {0, 0, 0, 0, 0, 0};
    (void)self;
    for (cl_ulong i = 0; i < n; i++) {
        int32_t before[6];
        memcpy(before, now, sizeof now);
        now[2] = i > 0 && x[i - 1] <= x[i] ? now[2] + 1 : 1;
        now[1] = now[1] == now[3] && (i == 0 || x[i - 1] <= x[i]) ? now[1] + 1 : now[1];
        now[3]++;
        now[0] = now[2] > now[0] ? now[2] : now[0];
        now[4] = x[0];
        now[5] = x[i];
        for (int f = 0; f < 6; f++)
            ((int32_t *)out[f])[i] = exclusive ? before[f] : now[f];
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

static void mss_fill(const bench_operator *self, cl_ulong n, void *const *in)
{
    (void)self;
    for (cl_ulong i = 0; i < n; i++)
        ((int32_t *)in[0])[i] = (int32_t)(bench_hash(i) % 201) - 100;
}

/* Kadane's algorithm. */
static void mss_scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out)
{
    const int32_t *x = in[0];
    int32_t now[4] = {0, 0, 0, 0};
    (void)self;
    for (cl_ulong i = 0; i < n; i++) {
        int32_t before[4];
        memcpy(before, now, sizeof now);
        now[3] += x[i];
        now[2] = now[2] + x[i] > 0 ? now[2] + x[i] : 0;
        now[1] = now[3] > now[1] ? now[3] : now[1];
        now[0] = now[2] > now[0] ? now[2] : now[0];
        for (int f = 0; f < 4; f++)
            ((int32_t *)out[f])[i] = exclusive ? before[f] : now[f];
    }
}

/* ---- radix ---- */

static const clf_operator radix_op = {
    .size = sizeof(clf_operator), .value = "long a; long b; long c; long d;", .input = "uint key;",
    .source = "clf_value add4(clf_value x, clf_value y)\n"
              "{\n"
              "    x.a += y.a; x.b += y.b; x.c += y.c; x.d += y.d;\n"
              "    return x;\n"
              "}\n"
              "clf_value zero4(void) { clf_value z = {0, 0, 0, 0}; return z; }\n"
              "clf_value flags(clf_input in, ulong i)\n"
              "{\n"
              "    const uint digit = in.key & 3;\n"
              "    clf_value z = {digit == 0, digit == 1, digit == 2, digit == 3};\n"
              "    return z;\n"
              "}\n",
    .combine = "add4", .neutral = "zero4", .map = "flags", .flags = CLF_COMMUTATIVE,
};

static void radix_fill(const bench_operator *self, cl_ulong n, void *const *in)
{
    (void)self;
    for (cl_ulong i = 0; i < n; i++)
        ((uint32_t *)in[0])[i] = (uint32_t)bench_hash(i);
}

static void radix_scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out)
{
    int64_t counts[4] = {0, 0, 0, 0};
    (void)self;
    for (cl_ulong i = 0; i < n; i++) {
        const unsigned digit = ((const uint32_t *)in[0])[i] & 3;
        counts[digit] += !exclusive;
        for (unsigned f = 0; f < 4; f++)
            ((int64_t *)out[f])[i] = counts[f];
        counts[digit] += exclusive;
    }
}

/* ---- stats ---- */

/* Differences of a bounded sequence, so that sums are exact in any association. */
static void stats_fill(const bench_operator *self, cl_ulong n, void *const *in)
{
    (void)self;
    for (cl_ulong i = 0; i < n; i++)
        ((float *)in[0])[i] = (float)((int)(bench_hash(i + 1) & 255) - (int)(bench_hash(i) & 255));
}

static void stats_scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out)
{
    const float *x = in[0];
    float now[3] = {0, INFINITY, -INFINITY};
    (void)self;
    for (cl_ulong i = 0; i < n; i++) {
        const float before[3] = {now[0], now[1], now[2]};
        now[0] += x[i];
        now[1] = x[i] < now[1] ? x[i] : now[1];
        now[2] = x[i] > now[2] ? x[i] : now[2];
        for (int f = 0; f < 3; f++)
            ((float *)out[f])[i] = exclusive ? before[f] : now[f];
    }
}

/* Made when first asked for, and kept until the program ends. */
static const clf_operator *stats_operator(void)
{
    static clf_operator *joined;
    const clf_operator *const list[] = {clf_builtin(CLF_SUM, CLF_FLOAT), clf_builtin(CLF_MIN, CLF_FLOAT),
                                        clf_builtin(CLF_MAX, CLF_FLOAT)};
    if (!joined)
        bench_check(clf_operator_join(3, list, &joined, NULL), "clf_operator_join");
    return joined;
}

/* ---- gcd ---- */

static const clf_operator gcd_op = {
    .size = sizeof(clf_operator), .value = "uint d;",
    .source = "clf_value divisor(clf_value x, clf_value y)\n"
              "{\n"
              "    while (y.d) {\n"
              "        const uint rest = x.d % y.d;\n"
              "        x.d = y.d;\n"
              "        y.d = rest;\n"
              "    }\n"
              "    return x;\n"
              "}\n"
              "clf_value zero(void) { clf_value z = {0}; return z; }\n",
    .combine = "divisor", .neutral = "zero",
};

/* Multiples of 6, so that no result is 1. */
static void gcd_fill(const bench_operator *self, cl_ulong n, void *const *in)
{
    (void)self;
    for (cl_ulong i = 0; i < n; i++)
        ((uint32_t *)in[0])[i] = 6 * (uint32_t)(bench_hash(i) >> 35);
}

static void gcd_scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out)
{
    uint32_t now = 0;
    (void)self;
    for (cl_ulong i = 0; i < n; i++) {
        const uint32_t before = now;
        for (uint32_t y = ((const uint32_t *)in[0])[i]; y != 0;) {
            const uint32_t rest = now % y;
            now = y;
            y = rest;
        }
        ((uint32_t *)out[0])[i] = exclusive ? before : now;
    }
}

/* ---- the list ---- */

static const bench_operator user_operators[] = {
    {.name = "tuple4", .type = "4xi64", .op = &tuple4_op, .inputs = 4, .outputs = 4, .in_size = {8, 8, 8, 8},
     .out_size = {8, 8, 8, 8}, .fill = tuple4_fill, .scan = tuple4_scan},
    {.name = "affine", .type = "2xu32", .op = &shared_affine, .inputs = 2, .outputs = 2, .in_size = {4, 4},
     .out_size = {4, 4}, .fill = affine_fill, .scan = affine_scan},
    {.name = "mat2", .type = "4xu32", .op = &shared_mat2, .inputs = 4, .outputs = 4, .in_size = {4, 4, 4, 4},
     .out_size = {4, 4, 4, 4}, .fill = mat2_fill, .scan = mat2_scan},
    {.name = "lssp", .type = "6xi32", .op = &shared_lssp, .inputs = 1, .outputs = 6, .in_size = {4},
     .out_size = {4, 4, 4, 4, 4, 4}, .fill = lssp_fill, .scan = lssp_scan},
    {.name = "mss", .type = "4xi32", .op = &mss_op, .inputs = 1, .outputs = 4, .in_size = {4},
     .out_size = {4, 4, 4, 4}, .fill = mss_fill, .scan = mss_scan},
    {.name = "radix", .type = "4xi64", .op = &radix_op, .inputs = 1, .outputs = 4, .in_size = {4},
     .out_size = {8, 8, 8, 8}, .fill = radix_fill, .scan = radix_scan},
    {.name = "stats", .type = "3xf32", .inputs = 1, .outputs = 3, .in_size = {4}, .out_size = {4, 4, 4},
     .fill = stats_fill, .scan = stats_scan},
    {.name = "gcd", .type = "u32", .op = &gcd_op, .inputs = 1, .outputs = 1, .in_size = {4}, .out_size = {4},
     .fill = gcd_fill, .scan = gcd_scan},
};

/* The tables one after the other; NULL behind the last. */
static const bench_operator *user_operator(unsigned i)
{
    const struct {
        const bench_operator *list;
        unsigned count;
    } tables[] = {{user_operators, sizeof user_operators / sizeof user_operators[0]},
                  {bench_map_operators, BENCH_MAP_OPERATORS},
                  {bench_learning_operators, BENCH_LEARNING_OPERATORS}};
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; i -= tables[t++].count)
        if (i < tables[t].count)
            return &tables[t].list[i];
    return NULL;
}

const char *bench_user_operator_name(unsigned i)
{
    const bench_operator *op = user_operator(i);
    return op ? op->name : NULL;
}

bool bench_find_user_operator(const char *op, bench_operator *found)
{
    const bench_operator *one;
    for (unsigned i = 0; (one = user_operator(i)) != NULL; i++) {
        if (strcmp(one->name, op) == 0) {
            *found = *one;
            found->op = one->op ? one->op : stats_operator();
            return true;
        }
    }
    return false;
}
