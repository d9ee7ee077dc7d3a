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

#include <stdlib.h>
#include <string.h>

/* ---- Lengths ---------------------------------------------------------------------------------------------- */

static double fraction(cl_ulong k)
{
    return (double)(bench_hash(k) >> 11) / (double)(UINT64_C(1) << 53);
}

static cl_ulong length_of(const char *primitive, bench_shape shape, cl_ulong k)
{
    const double size = (double)shape.size;
    if (strcmp(primitive, "reduce_uniform") == 0)
        return (cl_ulong)(fraction(k) * (2 * size + 1));
    if (strcmp(primitive, "reduce_power_law") == 0)
        return (cl_ulong)(size / 16 / (1 - fraction(k)) + fraction(k + shape.count));
    if (k != shape.count / 2)
        return (cl_ulong)(fraction(k) * 3);
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

/* ---- Results ---------------------------------------------------------------------------------------------- */

/* What a segment adds up to is the last result of its scan; the neutral element is the first of an exclusive one. */
static void reduce_segment(const bench_data *data, cl_ulong k, void *const *room)
{
    const bench_operator *op = &data->op;
    const cl_ulong first = data->segments->starts[k], length = data->segments->starts[k + 1] - first;
    bench_scan_part(data, length ? first : 0, length ? length : 1, length == 0, room);
    for (unsigned o = 0; o < op->outputs; ++o) {
        const size_t bytes = op->out_size[o];
        memcpy((char *)data->expected[o] + k * bytes, (char *)room[o] + (length ? length - 1 : 0) * bytes, bytes);
    }
}

static cl_ulong longest(const struct bench_segments *s)
{
    cl_ulong most = 1;
    for (cl_ulong k = 0; k < s->count; ++k)
        if (s->starts[k + 1] - s->starts[k] > most)
            most = s->starts[k + 1] - s->starts[k];
    return most;
}

static void expect(bench_data *data, bench_shape shape)
{
    struct bench_segments *s = data->segments;
    void *room[BENCH_FIELDS];
    bench_segments_forget(s);
    *s = (struct bench_segments){.n = shape.count * shape.size, .count = shape.count};
    if (s->n > CL_UINT_MAX)
        bench_die("%s has no rows of 2^32 elements and more", data->primitive->name);
    s->starts = bench_alloc((size_t)(shape.count + 1) * sizeof *s->starts);
    list_starts(data->primitive->name, shape, s->starts);
    bench_segments_send(data->session, s, bench_segments_by(data->primitive));
    for (unsigned o = 0; o < data->op.outputs; ++o)
        room[o] = bench_alloc((size_t)longest(s) * data->op.out_size[o]);
    for (cl_ulong k = 0; k < s->count; ++k)
        reduce_segment(data, k, room);
    for (unsigned o = 0; o < data->op.outputs; ++o)
        free(room[o]);
}

/* ---- Rows ------------------------------------------------------------------------------------------------- */

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

/* ---- Plans ------------------------------------------------------------------------------------------------ */

#define DEFINE_PLAN(name, by)                                                                                          \
    static clf_status by_##name(clf_context *context, const clf_operator *op, unsigned flags,                          \
                                const clf_plan_options *options, clf_plan **plan, clf_error *error)                    \
    {                                                                                                                  \
        const clf_segmentation segmentation = {sizeof segmentation, by, CLF_UINT};                                     \
        return clf_irregular_reduce_plan(context, op, &segmentation, flags, options, plan, error);                     \
    }

DEFINE_PLAN(offsets, CLF_BY_OFFSETS)
DEFINE_PLAN(bits, CLF_BY_HEAD_BITS)
DEFINE_PLAN(bytes, CLF_BY_HEAD_BYTES)
DEFINE_PLAN(keys, CLF_BY_KEYS)

const bench_primitive bench_irregular_reduce_rows[] = {
    {"reduce_uniform", &kind, .plan = by_offsets}, {"reduce_power_law", &kind, .plan = by_offsets},
    {"reduce_giant", &kind, .plan = by_offsets}, {"reduce_by_bits", &kind, .plan = by_bits},
    {"reduce_by_bytes", &kind, .plan = by_bytes}, {"reduce_by_keys", &kind, .plan = by_keys}, {.name = NULL}};
