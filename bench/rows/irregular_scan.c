/* SPDX-License-Identifier: MIT */
/*
 * Rows of scan_by_bits, scan_by_bytes, scan_by_offsets, scan_by_lengths and scan_by_keys: scans of irregular segments,
 * told in each way. Shape [count][size] stands for as many elements in segments of random lengths with mean `size`, by
 * a power law: lengths from 1 to `most`, with a density of 1 / length. Traffic and yardsticks are those of
 * segmented_scan: what tells of segments is not counted.
 */
#include "rows/rows.h"

#include <math.h>

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
    const cl_ulong length = (cl_ulong)(exp(bench_uniform(segment) * log(most)) + 0.5);
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

void bench_segments_make(bench_data *data, bench_shape shape)
{
    const cl_ulong n = shape.count * shape.size;
    const double most = most_of((double)shape.size);
    bench_segments_begin(data, n, list_starts(n, most, NULL));
    list_starts(n, most, data->segments->starts);
    bench_segments_send(data);
}

static void expect(bench_data *data, bench_shape shape)
{
    bench_segments_make(data, shape);
    bench_expect_scans(data, shape);
}

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    const struct bench_segments *s = call->data->segments;
    return clf_irregular_scan(call->plan, how, s->n, s->count, &s->array, call->data->in_array, call->data->out_array);
}

static const bench_kind kind = {.segmented = true, .marked = true, .open = bench_segments_open, .close = close_segments,
                                .expect = expect, .yardsticks = bench_plain_yardsticks, .enqueue = enqueue};

#define ROWS(name) {#name, &kind, .plan_by = clf_irregular_scan_plan}
const bench_primitive bench_irregular_scan_rows[] = {
    ROWS(scan_by_bits), ROWS(scan_by_bytes), ROWS(scan_by_offsets), ROWS(scan_by_lengths), ROWS(scan_by_keys),
    {.name = NULL}};
