/* SPDX-License-Identifier: MIT */
/*
 * Rows of reduce_uniform, reduce_power_law and reduce_giant: reductions of irregular segments, told by offsets of 32
 * bits; of reduce_by_bits, reduce_by_bytes and reduce_by_keys. Shape [count][size] stands for as many elements in
 * `count` segments, whose lengths are
 *
 *     uniform     from 0 to twice `size`, evenly
 *     power_law   x with a density of 1 / x^2 from a least length on, so that a few hold most elements
 *     giant       0, 1 or 2, but for one in the middle, which has all the others
 *     by_…        from 1 to twice `size`: segment k starts anywhere in the k-th `size` elements
 *
 * Traffic: every input, and every offset, word of bits, byte or key, read once, every value written once.
 */
#include "rows/rows.h"

#include <string.h>

/* ---- Lengths ---------------------------------------------------------------------------------------------- */

static cl_ulong length_of(const char *primitive, bench_shape shape, cl_ulong k)
{
    const double size = (double)shape.size;
    if (strcmp(primitive, "reduce_uniform") == 0)
        return (cl_ulong)(bench_uniform(k) * (2 * size + 1));
    if (strcmp(primitive, "reduce_power_law") == 0)
        return (cl_ulong)(size / 16 / (1 - bench_uniform(k)) + bench_uniform(k + shape.count));
    if (k != shape.count / 2)
        return (cl_ulong)(bench_uniform(k) * 3);
    const cl_ulong n = shape.count * shape.size;
    return n > shape.count ? n - shape.count : 1;
}

/* The last segment has what the others leave; those that find nothing left are empty. Keys have no empty ones. */
static void list_starts(const char *primitive, bench_shape shape, cl_uint *starts)
{
    const cl_ulong n = shape.count * shape.size;
    const bool scattered = strstr(primitive, "_by_");
    cl_ulong at = 0;
    for (cl_ulong k = 0; k < shape.count && scattered; ++k)
        starts[k] = (cl_uint)(k ? k * shape.size + bench_hash(k) % shape.size : 0);
    for (cl_ulong k = 0; k < shape.count && !scattered; ++k) {
        const cl_ulong length = length_of(primitive, shape, k);
        starts[k] = (cl_uint)at;
        at += length < n - at ? length : n - at;
    }
    starts[shape.count] = (cl_uint)n;
}

/* ---- Rows ------------------------------------------------------------------------------------------------- */

static void expect(bench_data *data, bench_shape shape)
{
    bench_segments_begin(data, shape.count * shape.size, shape.count);
    list_starts(data->primitive->name, shape, data->segments->starts);
    bench_segments_send(data);
    bench_expect_sums(data, shape);
}

static void yardsticks(bench_data *data, bench_row *row)
{
    row->bytes += bench_segments_bytes(data->segments, bench_segments_by(data->primitive));
    bench_read_all(data, row);
}

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    const struct bench_segments *s = call->data->segments;
    return clf_irregular_reduce(call->plan, how, s->n, s->count, &s->array, call->data->in_array, call->data->out_array,
                                NULL);
}

static const bench_kind kind = {.segmented = true, .sums = true, .open = bench_segments_open,
                                .close = bench_segments_close, .expect = expect, .yardsticks = yardsticks,
                                .enqueue = enqueue};

#define ROWS(name) {#name, &kind, .plan_by = clf_irregular_reduce_plan}
const bench_primitive bench_irregular_reduce_rows[] = {
    ROWS(reduce_uniform), ROWS(reduce_power_law), ROWS(reduce_giant), ROWS(reduce_by_bits), ROWS(reduce_by_bytes),
    ROWS(reduce_by_keys), {.name = NULL}};
