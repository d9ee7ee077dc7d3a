/* SPDX-License-Identifier: MIT */
/*
 * Rows of softmax: exp(x - most) / sum over lists of any lengths, told by offsets of 32 bits. Two calls: a reduction
 * finds the maximum of each list and its sum together, an expansion writes the quotients (src/manual/recipes.md). Shape
 * [count][size] stands for as many elements in `count` lists. Their lengths follow Pareto's law with exponent 1.2, so
 * that a few lists have most elements. A row's variant is the reduction's. Traffic: every number read once, every
 * quotient written once; what tells of lists is not counted. Quotients are right to 10^-5 of themselves.
 */
#include "rows/rows.h"

#include <math.h>

static const clf_operator scale = {
    .size = sizeof scale, .flags = CLF_COMMUTATIVE | CLF_DENORMS_ARE_ZERO, .input = "float x;",
    .value = "float most; float sum;", .map = "one", .combine = "both", .neutral = "none", .result = "float2 scale;",
    .finish = "scale",
    .source =
        "clf_value one(clf_input in, ulong i)\n"
        "{ clf_value v = {in.x == -INFINITY ? -FLT_MAX : in.x, 1}; return v; }\n"
        "clf_value none(void) { clf_value v = {-FLT_MAX, 0}; return v; }\n"
        "clf_value both(clf_value a, clf_value b)\n"
        "{\n"
        "    float d = a.most - b.most, e = native_exp(-fabs(d));\n"
        "    clf_value v = {fmax(a.most, b.most), d >= 0 ? a.sum + b.sum * e : a.sum * e + b.sum};\n"
        "    return v;\n"
        "}\n"
        "clf_result scale(clf_value v, ulong list) { clf_result r = {{v.most, native_recip(v.sum)}}; return r; }\n"};

static const clf_operator divide = {
    .size = sizeof divide, .flags = CLF_DENORMS_ARE_ZERO, .value = "float y;", .map = "quotient",
    .captured = "float x; float2 scale;",
    .source =
        "clf_value quotient(clf_input at, ulong i, const clf_captured *c)\n"
        "{ const float2 s = c->scale[at.segment]; clf_value v = {native_exp(c->x[i] - s.x) * s.y}; return v; }\n"};

static clf_array scales; /* of each list: its maximum, and 1 / sum */

static void define(bench_definition *d)
{
    d->op = scale;
}

/* ---- Lists ------------------------------------------------------------------------------------------------------ */

/* The last list has what the others leave. */
static void list_starts(bench_shape shape, cl_uint *starts)
{
    const double exponent = 1.2, least = (double)shape.size * (exponent - 1) / exponent;
    const cl_ulong n = shape.count * shape.size;
    cl_ulong at = 0;
    for (cl_ulong k = 0; k < shape.count; ++k) {
        const double length = floor(least * pow(1 - bench_uniform(k), -1 / exponent) + 0.5);
        starts[k] = (cl_uint)at;
        at += length < (double)(n - at) ? (cl_ulong)length : n - at;
    }
    starts[shape.count] = (cl_uint)n;
}

static void expect_lists(void *state, cl_ulong first, cl_ulong last)
{
    const bench_data *const data = state;
    const float *const x = data->in[0];
    float *const y = data->expected[0];
    for (cl_ulong k = first; k < last; ++k) {
        const cl_uint from = data->segments->starts[k], to = data->segments->starts[k + 1];
        float largest = -INFINITY;
        double sum = 0;
        for (cl_uint i = from; i < to; ++i)
            largest = x[i] > largest ? x[i] : largest;
        for (cl_uint i = from; i < to; ++i)
            sum += exp((double)(x[i] - largest));
        for (cl_uint i = from; i < to; ++i)
            y[i] = (float)(exp((double)(x[i] - largest)) / sum);
    }
}

static void fill(void *state, cl_ulong first, cl_ulong last)
{
    const bench_data *const data = state;
    for (cl_ulong i = first; i < last; ++i)
        ((float *)data->in[0])[i] = (float)(bench_hash(i) >> 54) / 64 - 8; /* from -8 to 8 */
}

static void open_rows(bench_data *data)
{
    const clf_segmentation by = {sizeof by, CLF_BY_OFFSETS, CLF_UINT};
    bench_parallel(data->limit, fill, data);
    bench_write(data->session->queue, data->in_array[0].buffer, data->in[0], data->limit * sizeof(float));
    scales = (clf_array){bench_buffer(data->session->cl, data->limit * sizeof(cl_float2)), 0};
    bench_check(clf_expand_plan(data->session->clf, &divide, &by, 0, NULL, &data->plain, NULL), "clf_expand_plan");
    bench_segments_open(data);
}

static void close_rows(bench_data *data)
{
    bench_segments_close(data);
    clf_plan_release(data->plain);
    clReleaseMemObject(scales.buffer);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

static void expect(bench_data *data, bench_shape shape)
{
    bench_segments_begin(data, shape.count * shape.size, shape.count);
    list_starts(shape, data->segments->starts);
    bench_segments_send(data);
    bench_parallel(shape.count, expect_lists, data);
}

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    const struct bench_segments *const s = call->data->segments;
    const clf_array *const in = call->data->in_array, all[] = {*in, scales};
    const clf_status status = clf_irregular_reduce(call->plan, CLF_ON(how->queue), s->n, s->count, &s->array, in,
                                                   &scales, NULL);
    if (status != CLF_SUCCESS)
        return status;
    return clf_expand(call->data->plain, how, s->count, s->n, &s->array, all, call->data->out_array, NULL);
}

static const bench_kind kind = {.segmented = true, .plain = true, .type = "f32", .unnamed = true, .marked = true,
                                .within = 1e-5F, .open = open_rows, .close = close_rows, .expect = expect,
                                .yardsticks = bench_copy, .enqueue = enqueue};

const bench_primitive bench_softmax_rows[] = {
    {"softmax", &kind, .plan_by = clf_irregular_reduce_plan, .define = define}, {.name = NULL}};
