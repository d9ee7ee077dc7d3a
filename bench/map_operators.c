/* SPDX-License-Identifier: MIT */
/*
 * Sums and such of what a map makes of arrays ("redomaps"), each beside its sequential reference in C:
 *
 *     dot     products of two arrays
 *     matvec  products of a matrix and a captured vector: element i of every segment is multiplied with x[i]
 *     argmax  the largest so far of one array and where it is, the leftmost of equals: the map knows the index
 *
 * Factors are small whole numbers, those of one array 1 and -1 at random: sums stay small, hence exact in any
 * association.
 */
#include "bench.h"

#include <math.h>

static float sign(uint64_t i)
{
    return bench_hash(i) & 1 ? 1.0f : -1.0f;
}

/* The factors from -3 to 3, and the signs. No factor is 0: a sum of two negative zeros is not that of 0 and both. */
static void fill(const bench_operator *self, cl_ulong n, void *const *in)
{
    for (cl_ulong i = 0; i < n; i++) {
        const float factor = (float)(bench_hash(i) % 6) - 3;
        ((float *)in[0])[i] = factor < 0 ? factor : factor + 1;
    }
    for (cl_ulong i = 0; i < bench_input_elements(self, 1, n, self->columns); i++)
        ((float *)in[1])[i] = sign(n + i);
}

/* The captured array is not cut into segments (expect.c): so both come to the same. */
static void scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out)
{
    const float *x = in[0], *y = in[1];
    float *sums = out[0], sum = 0;
    (void)self;
    for (cl_ulong i = 0; i < n; i++) {
        const float before = sum;
        sum += x[i] * y[i];
        sums[i] = exclusive ? before : sum;
    }
}

#define SUM                                                                          \
    "clf_value add(clf_value a, clf_value b) { a.sum += b.sum; return a; }\n"        \
    "clf_value zero(void) { clf_value v = {0}; return v; }\n"

static const clf_operator dot_op = {
    .size = sizeof(clf_operator), .value = "float sum;", .input = "float x; float y;",
    .source = SUM "clf_value times(clf_input in, ulong i) { clf_value v = {in.x * in.y}; return v; }\n",
    .combine = "add", .neutral = "zero", .map = "times", .flags = CLF_COMMUTATIVE,
};

static const clf_operator matvec_op = {
    .size = sizeof(clf_operator), .value = "float sum;", .input = "float a;", .captured = "float x;",
    .source = SUM "clf_value times(clf_input in, ulong i, const clf_captured *c)\n"
                  "{\n"
                  "    clf_value v = {in.a * c->x[(uint)i % (uint)c->clf_size]};\n"
                  "    return v;\n"
                  "}\n",
    .combine = "add", .neutral = "zero", .map = "times", .flags = CLF_COMMUTATIVE,
};

/* ---- argmax ---- */

static const clf_operator argmax_op = {
    .size = sizeof(clf_operator), .value = "float most; uint where;", .input = "float x;",
    .source = "/* May go in any order, so it is not enough to prefer the left one. */\n"
              "clf_value better(clf_value x, clf_value y)\n"
              "{\n"
              "    return y.most > x.most || (y.most == x.most && y.where < x.where) ? y : x;\n"
              "}\n"
              "clf_value none(void) { clf_value z = {-INFINITY, 0xffffffffu}; return z; }\n"
              "clf_value here(clf_input in, ulong i) { clf_value z = {in.x, (uint)i}; return z; }\n",
    .combine = "better", .neutral = "none", .map = "here", .flags = CLF_COMMUTATIVE,
};

static void argmax_fill(const bench_operator *self, cl_ulong n, void *const *in)
{
    (void)self;
    for (cl_ulong i = 0; i < n; i++)
        ((float *)in[0])[i] = (float)(bench_hash(i) % 100003);
}

static void argmax_scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out)
{
    const float *x = in[0];
    float most = -INFINITY;
    uint32_t where = UINT32_MAX;
    for (cl_ulong i = 0; i < n; i++) {
        const bool better = x[i] > most;
        if (exclusive) {
            ((float *)out[0])[i] = most;
            ((uint32_t *)out[1])[i] = where;
        }
        most = better ? x[i] : most;
        where = better ? (uint32_t)(self->first + i) : where;
        if (!exclusive) {
            ((float *)out[0])[i] = most;
            ((uint32_t *)out[1])[i] = where;
        }
    }
}

/* ---- the list ---- */

const bench_operator bench_map_operators[BENCH_MAP_OPERATORS] = {
    {.name = "dot", .type = "2xf32", .op = &dot_op, .inputs = 2, .outputs = 1, .in_size = {4, 4}, .out_size = {4},
     .fill = fill, .scan = scan},
    {.name = "matvec", .type = "f32", .op = &matvec_op, .inputs = 2, .captured = 1, .outputs = 1, .in_size = {4, 4},
     .out_size = {4}, .fill = fill, .scan = scan},
    {.name = "argmax", .type = "f32,u32", .op = &argmax_op, .inputs = 1, .outputs = 2, .in_size = {4},
     .out_size = {4, 4}, .fill = argmax_fill, .scan = argmax_scan},
};
