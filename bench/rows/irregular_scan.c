/* SPDX-License-Identifier: MIT */
/*
 * Rows of scan_by_bits, scan_by_bytes, scan_by_offsets, scan_by_lengths and scan_by_keys: scans of irregular segments,
 * told in each way. Shape [count][size] stands for as many elements in segments of random lengths with mean `size`, by
 * a power law: lengths from 1 to `most`, with a density of 1 / length. Traffic and yardsticks are those of
 * segmented_scan: what tells of segments is not counted.
 */
#include "rows/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lengths ---------------------------------------------------------------------------------------------- */

/* Where the law ends so that its mean, (most - 1) / ln(most), is `mean`. */
static double most_of(double mean)
{
    double low = 1, high = 4 * (mean + 1) * log(mean + 4);
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        if ((middle - 1) / log(middle) < mean)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static cl_ulong length_of(cl_ulong segment, double most)
{
    const double random = (double)(bench_hash(segment) >> 11) / (double)(UINT64_C(1) << 53);
    const cl_ulong length = (cl_ulong)(exp(random * log(most)) + 0.5);
    return length ? length : 1;
}

/* Writes starts, where there is room for them, and n behind them; returns how many segments n elements make. */
static cl_ulong list_starts(cl_ulong n, double most, cl_uint *starts)
{
    cl_ulong count = 0, at = 0;
    for (; at < n; at += length_of(count++, most))
        if (starts)
            starts[count] = (cl_uint)at;
    if (starts)
        starts[count] = (cl_uint)n;
    return count;
}

/* ---- Rows ------------------------------------------------------------------------------------------------- */

static void close_segments(bench_data *data)
{
    bench_segments_close(data);
    bench_plain_close(data);
}

static void scan_segments(void *state, cl_ulong first, cl_ulong last)
{
    const bench_data *data = state;
    const bench_operator *op = &data->op;
    void *out[BENCH_FIELDS];
    for (cl_ulong k = first; k < last; ++k) {
        const cl_ulong start = data->segments->starts[k], end = data->segments->starts[k + 1];
        for (unsigned o = 0; o < op->outputs; ++o)
            out[o] = (char *)data->expected[o] + start * op->out_size[o];
        bench_scan_part(data, start, end - start, (data->primitive->flags & CLF_EXCLUSIVE) != 0, out);
    }
}

void bench_segments_make(bench_data *data, bench_shape shape)
{
    struct bench_segments *s = data->segments;
    const double most = most_of((double)shape.size);
    bench_segments_forget(s);
    s->n = shape.count * shape.size;
    if (s->n > CL_UINT_MAX)
        bench_die("%s has no rows of 2^32 elements and more", data->primitive->name);
    s->count = list_starts(s->n, most, NULL);
    s->starts = bench_alloc((size_t)(s->count + 1) * sizeof *s->starts);
    list_starts(s->n, most, s->starts);
    bench_segments_send(data->session, s, bench_segments_by(data->primitive));
}

static void expect(bench_data *data, bench_shape shape)
{
    bench_segments_make(data, shape);
    bench_parallel(data->segments->count, scan_segments, data);
}

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    const struct bench_segments *s = call->data->segments;
    return clf_irregular_scan(call->plan, how, s->n, s->count, &s->array, call->data->in_array, call->data->out_array);
}

static const bench_kind kind = {.segmented = true, .marked = true, .open = bench_segments_open, .close = close_segments,
                                .expect = expect, .yardsticks = bench_plain_yardsticks, .enqueue = enqueue};

/* ---- Plans ------------------------------------------------------------------------------------------------ */

#define DEFINE_PLAN(name, by)                                                                                          \
    static clf_status by_##name(clf_context *context, const clf_operator *op, unsigned flags,                          \
                                const clf_plan_options *options, clf_plan **plan, clf_error *error)                    \
    {                                                                                                                  \
        const clf_segmentation segmentation = {sizeof segmentation, by, CLF_UINT};                                     \
        return clf_irregular_scan_plan(context, op, &segmentation, flags, options, plan, error);                       \
    }

DEFINE_PLAN(bits, CLF_BY_HEAD_BITS)
DEFINE_PLAN(bytes, CLF_BY_HEAD_BYTES)
DEFINE_PLAN(offsets, CLF_BY_OFFSETS)
DEFINE_PLAN(lengths, CLF_BY_LENGTHS)
DEFINE_PLAN(keys, CLF_BY_KEYS)

const bench_primitive bench_irregular_scan_rows[] = {
    {"scan_by_bits", &kind, .plan = by_bits}, {"scan_by_bytes", &kind, .plan = by_bytes},
    {"scan_by_offsets", &kind, .plan = by_offsets}, {"scan_by_lengths", &kind, .plan = by_lengths},
    {"scan_by_keys", &kind, .plan = by_keys}, {.name = NULL}};
