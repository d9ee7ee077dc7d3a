/* SPDX-License-Identifier: MIT */
/*
 * Sums and such of what a map makes of arrays ("redomaps"), each beside its sequential reference in C:
 *
 *     dot      products of two arrays
 *     matvec   products of a matrix and a captured vector: element i of every segment is multiplied with x[i]
 *     argmax   the largest so far of one array and where it is, the leftmost of equals: the map knows the index
 *
 * and at the heart of learning from data, with mapped outputs and captured arrays, as in the examples mean_variance,
 * backprop and kmeans (Larsen 2017, 7.2 and 7.3):
 *
 *     moments  sum and sum of squares of rows of samples, and each sample as a whole number: mean and variance
 *     layer    [units][inputs] weights are adjusted by what their inputs say, written, and summed with them
 *     kmeans   each point's nearest centre is written, and those that changed are counted; FEATURES coordinates
 *              per point, feature-major: [1][points]
 *     centres  sum and count of each cluster's points, for each of their coordinates, as Larsen does it (the example
 *              adds up by index): [CENTRES * FEATURES][points]
 *
 * Numbers are small and whole, so sums are exact in any association.
 */
#include "rows/operators.h"

#include <math.h>
#include <string.h>

static float sign(uint64_t i)
{
    return bench_hash(i) & 1 ? 1.0f : -1.0f;
}

/* The factors from -3 to 3, and the signs. No factor is 0: a sum of two negative zeros is not that of 0 and both. */
static void fill(const bench_operator *self, cl_ulong n, void *const *in)
{
    for (cl_ulong i = 0; i < n; ++i) {
        const float factor = (float)(bench_hash(i) % 6) - 3;
        ((float *)in[0])[i] = factor < 0 ? factor : factor + 1;
    }
    for (cl_ulong i = 0; i < bench_input_elements(self, 1, n, self->columns); ++i)
        ((float *)in[1])[i] = sign(n + i);
}

/* The captured array is not cut into segments (expect.c): so both come to the same. */
static void scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out)
{
    const float *x = in[0], *y = in[1];
    float *sums = out[0], sum = 0;
    (void)self;
    for (cl_ulong i = 0; i < n; ++i) {
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
                  "{ clf_value v = {in.a * c->x[(uint)i % (uint)c->clf_size]}; return v; }\n",
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

BENCH_FILL(argmax, float, bench_hash(i) % 100003)

static void argmax_scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out)
{
    const float *x = in[0];
    float most = -INFINITY;
    uint32_t where = UINT32_MAX;
    for (cl_ulong i = 0; i < n; ++i) {
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

/* ---- Learning from data ---- */

enum { CENTRES = 5, FEATURES = 34 };
#define SIZES "enum { CENTRES = 5, FEATURES = 34 };\n"

static float small(uint64_t i)
{
    return (float)(bench_hash(i) % 7) - 3;
}

/* ---- moments ---- */

static const clf_operator moments_op = {
    .size = sizeof(clf_operator), .value = "double sum; double square;", .input = "float sample;",
    .extra = "int rounded;", .combine = "add", .neutral = "none", .map = "one", .flags = CLF_COMMUTATIVE,
    .source = "clf_value none(void) { clf_value v = {0, 0}; return v; }\n"
              "clf_value add(clf_value a, clf_value b) { a.sum += b.sum; a.square += b.square; return a; }\n"
              "clf_value one(clf_input in, ulong index, clf_extra *extra)\n"
              "{\n"
              "    clf_value v = {in.sample, (double)in.sample * in.sample};\n"
              "    extra->rounded = (int)floor(in.sample + 0.5f);\n"
              "    return v;\n"
              "}\n",
};

BENCH_FILL(moments, float, small(i) + 0.25f)

static void moments_scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out)
{
    const float *x = in[0];
    double sum = 0, square = 0;
    (void)self, (void)exclusive;
    for (cl_ulong i = 0; i < n; ++i) {
        ((double *)out[0])[i] = sum += x[i];
        ((double *)out[1])[i] = square += (double)x[i] * x[i];
        ((cl_int *)out[2])[i] = (cl_int)(x[i] + 16.5f) - 16; /* rounds down: all are > -16 */
    }
}

/* ---- layer ---- */

static const clf_operator layer_op = {
    .size = sizeof(clf_operator), .value = "float sum;", .input = "float weight;", .extra = "float adjusted;",
    .captured = "float in;", .combine = "add", .neutral = "zero", .map = "learn", .flags = CLF_COMMUTATIVE,
    .source = "clf_value zero(void) { clf_value v = {0}; return v; }\n"
              "clf_value add(clf_value a, clf_value b) { a.sum += b.sum; return a; }\n"
              "clf_value learn(clf_input x, ulong index, const clf_captured *c, clf_extra *extra)\n"
              "{\n"
              "    const float in = c->in[(uint)index % (uint)c->clf_size];\n"
              "    extra->adjusted = x.weight - 0.5f * in;\n"
              "    clf_value v = {extra->adjusted * in};\n"
              "    return v;\n"
              "}\n",
};

/* Weights behind inputs of 1 become whole numbers around 0: sums stay small. */
static void layer_fill(const bench_operator *self, cl_ulong n, void *const *in)
{
    for (cl_ulong i = 0; i < n; ++i)
        ((float *)in[0])[i] = small(i) + 0.5f;
    for (cl_ulong i = 0; i < self->columns; ++i)
        ((float *)in[1])[i] = bench_hash(n + i) & 1 ? 1.0f : 0.0f;
}

static void layer_scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out)
{
    const float *weight = in[0], *x = in[1];
    float sum = 0;
    (void)self, (void)exclusive;
    for (cl_ulong i = 0; i < n; ++i) {
        const float adjusted = weight[i] - 0.5f * x[i];
        ((float *)out[0])[i] = sum += adjusted * x[i];
        ((float *)out[1])[i] = adjusted;
    }
}

/* ---- kmeans: the first points are the centres ---- */

static const clf_operator kmeans_op = {
    .size = sizeof(clf_operator), .value = "uint changed;", .input = "uint cluster;", .extra = "uint nearest;",
    .captured = "int feature;", .combine = "add", .neutral = "zero", .map = "choose", .flags = CLF_COMMUTATIVE,
    .source = SIZES
        "clf_value zero(void) { clf_value v = {0}; return v; }\n"
        "clf_value add(clf_value a, clf_value b) { a.changed += b.changed; return a; }\n"
        "clf_value choose(clf_input in, ulong index, const clf_captured *c, clf_extra *extra)\n"
        "{\n"
        "    const uint points = (uint)c->clf_size, point = (uint)index % points;\n"
        "    int distance[CENTRES] = {0}, least = INT_MAX;\n"
        "    for (uint f = 0; f < FEATURES; f++) {\n"
        "        const int x = c->feature[f * points + point];\n"
        "        for (uint k = 0; k < CENTRES; k++) {\n"
        "            const int d = x - c->feature[f * points + k % points];\n"
        "            distance[k] += d * d;\n"
        "        }\n"
        "    }\n"
        "    for (uint k = 0; k < CENTRES; k++) {\n"
        "        extra->nearest = distance[k] < least ? k : extra->nearest;\n"
        "        least = min(least, distance[k]);\n"
        "    }\n"
        "    clf_value v = {extra->nearest != in.cluster};\n"
        "    return v;\n"
        "}\n",
};

static void fill_features(const bench_operator *self, cl_int *feature)
{
    for (cl_ulong i = 0; i < FEATURES * self->columns; ++i)
        feature[i] = (cl_int)(bench_hash(i) % 2000);
}

static void kmeans_fill(const bench_operator *self, cl_ulong n, void *const *in)
{
    for (cl_ulong i = 0; i < n; ++i)
        ((cl_uint *)in[0])[i] = (cl_uint)(bench_hash(i) % CENTRES);
    fill_features(self, in[1]);
}

static cl_uint nearest(const cl_int *feature, cl_ulong points, cl_ulong point)
{
    cl_int least = INT32_MAX;
    cl_uint best = 0;
    for (cl_uint k = 0; k < CENTRES; ++k) {
        cl_int distance = 0;
        for (cl_ulong f = 0; f < FEATURES; ++f) {
            const cl_int d = feature[f * points + point] - feature[f * points + k % points];
            distance += d * d;
        }
        best = distance < least ? k : best;
        least = distance < least ? distance : least;
    }
    return best;
}

static void kmeans_scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out)
{
    cl_uint changed = 0;
    (void)self, (void)exclusive;
    for (cl_ulong i = 0; i < n; ++i) {
        ((cl_uint *)out[1])[i] = nearest(in[1], n, i);
        changed += ((cl_uint *)out[1])[i] != ((const cl_uint *)in[0])[i];
        ((cl_uint *)out[0])[i] = changed;
    }
}

/* ---- centres ---- */

static const clf_operator centres_op = {
    .size = sizeof(clf_operator), .value = "long sum; uint count;", .input = "",
    .captured = "int feature; uint cluster;",
    .combine = "add", .neutral = "zero", .map = "member", .flags = CLF_COMMUTATIVE,
    .source = SIZES
        "clf_value zero(void) { clf_value v = {0, 0}; return v; }\n"
        "clf_value add(clf_value a, clf_value b) { a.sum += b.sum; a.count += b.count; return a; }\n"
        "clf_value member(clf_input none, ulong index, const clf_captured *c)\n"
        "{\n"
        "    const uint points = (uint)c->clf_size, mean = (uint)index / points, point = (uint)index % points;\n"
        "    clf_value v = zero();\n"
        "    if (c->cluster[point] == mean / FEATURES % CENTRES) {\n"
        "        v.sum = c->feature[mean % FEATURES * points + point];\n"
        "        v.count = 1;\n"
        "    }\n"
        "    return v;\n"
        "}\n",
};

static void centres_fill(const bench_operator *self, cl_ulong n, void *const *in)
{
    (void)n;
    fill_features(self, in[0]);
    for (cl_ulong i = 0; i < self->columns; ++i)
        ((cl_uint *)in[1])[i] = (cl_uint)(bench_hash(i) % CENTRES);
}

static void centres_scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out)
{
    const cl_ulong mean = self->first / n;
    const cl_int *feature = (const cl_int *)in[0] + mean % FEATURES * n;
    const cl_uint *cluster = in[1];
    cl_long sum = 0;
    cl_uint count = 0;
    (void)exclusive;
    for (cl_ulong i = 0; i < n; ++i) {
        const bool member = cluster[i] == mean / FEATURES % CENTRES;
        ((cl_long *)out[0])[i] = sum += member ? feature[i] : 0;
        ((cl_uint *)out[1])[i] = count += member;
    }
}

/* ---- the list ---- */

const bench_operator bench_map_operators[] = {
    {.name = "dot", .type = "2xf32", .op = &dot_op, .inputs = 2, .outputs = 1, .in_size = {4, 4}, .out_size = {4},
     .fill = fill, .scan = scan},
    {.name = "matvec", .type = "f32", .op = &matvec_op, .inputs = 2, .captured = 1, .outputs = 1, .in_size = {4, 4},
     .out_size = {4}, .fill = fill, .scan = scan},
    {.name = "argmax", .type = "f32,u32", .op = &argmax_op, .inputs = 1, .outputs = 2, .in_size = {4},
     .out_size = {4, 4}, .fill = argmax_fill, .scan = argmax_scan},
    {.name = "moments", .type = "2xf64", .op = &moments_op, .inputs = 1, .outputs = 3, .extras = 1, .in_size = {4},
     .out_size = {8, 8, 4}, .fill = moments_fill, .scan = moments_scan},
    {.name = "layer", .type = "f32", .op = &layer_op, .inputs = 2, .captured = 1, .outputs = 2, .extras = 1,
     .in_size = {4, 4}, .out_size = {4, 4}, .fill = layer_fill, .scan = layer_scan},
    {.name = "kmeans", .type = "u32", .op = &kmeans_op, .inputs = 2, .captured = 1, .each = {0, FEATURES},
     .outputs = 2, .extras = 1, .in_size = {4, 4}, .out_size = {4, 4}, .fill = kmeans_fill, .scan = kmeans_scan},
    {.name = "centres", .type = "i64,u32", .op = &centres_op, .inputs = 2, .captured = 2, .each = {FEATURES},
     .outputs = 2, .in_size = {4, 4}, .out_size = {8, 4}, .fill = centres_fill, .scan = centres_scan},
    {.name = NULL},
};
