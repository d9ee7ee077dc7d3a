/* SPDX-License-Identifier: MIT */
/*
 * Rows of expansions on plain values, n results in all, of segments of 16 each on average: by offsets of 32 bits
 * (expand), by lengths (expand_by_lengths), and of one segment (expand_giant). Values are captured, one for each
 * segment. Traffic: every value and every offset read once, every result written once.
 */
#include "rows/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 16 /* of a segment, on average */ };

static bool is_called(const bench_data *data, const char *name)
{
    return strcmp(data->primitive->name, name) == 0;
}

static clf_array told; /* on the device: offsets, or lengths */
static cl_ulong segments;

static void open_rows(bench_data *data)
{
    told = (clf_array){bench_buffer(data->session->cl, (data->limit / LENGTH + 2) * sizeof(cl_uint)), 0};
    data->indices = bench_alloc((size_t)(data->limit / LENGTH + 2) * sizeof *data->indices);
}

static void close_rows(bench_data *data)
{
    clReleaseMemObject(told.buffer);
    free(data->indices);
    data->indices = NULL;
}

/* Of two neighbours one is as much longer as the other is shorter. */
static cl_ulong start_of(const bench_data *data, cl_ulong k, cl_ulong n)
{
    const cl_ulong start = k * LENGTH + (k % 2 ? bench_hash(k / 2) % LENGTH : 0);
    return is_called(data, "expand_giant") ? (k ? n : 0) : k == segments || start > n ? n : start;
}

static void expect(bench_data *data, bench_shape shape)
{
    const cl_ulong n = shape.size;
    const unsigned size = data->op.in_size[0];
    const bool lengths = is_called(data, "expand_by_lengths");
    segments = is_called(data, "expand_giant") || n < LENGTH ? 1 : n / LENGTH;
    for (cl_ulong k = 0; k <= segments; ++k)
        data->indices[k] = (cl_uint)(start_of(data, k, n));
    for (cl_ulong k = 0; k < segments; ++k)
        for (cl_ulong i = data->indices[k]; i < data->indices[k + 1]; ++i)
            memcpy((char *)data->expected[0] + i * size, (const char *)data->in[0] + k * size, size);
    for (cl_ulong k = 0; lengths && k < segments; ++k)
        data->indices[k] = data->indices[k + 1] - data->indices[k];
    data->found = n;
    bench_write(data->session->queue, told.buffer, data->indices, (segments + 1) * sizeof *data->indices);
}

static void yardsticks(bench_data *data, bench_row *row)
{
    row->bytes = data->found * data->op.in_size[0] + segments * (data->op.in_size[0] + sizeof(cl_uint));
    bench_copy(data, row);
}

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    return clf_expand(call->plan, how, segments, call->shape.size, &told, call->data->in_array, call->data->out_array,
                      NULL);
}

static void define(bench_definition *d)
{
    snprintf(d->source, sizeof d->source,
             "clf_value again(clf_input at, ulong i, const clf_captured *c)\n"
             "{ clf_value v = {c->v[at.segment]}; return v; }\n");
    d->op.captured = d->op.value;
    d->op.map = "again";
    d->op.source = d->source;
}

static clf_status plan_by(clf_segments_by by, clf_context *context, const clf_operator *op, unsigned flags,
                          const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    const clf_segmentation how = {sizeof how, by, CLF_UINT};
    return clf_expand_plan(context, op, &how, flags, options, plan, error);
}

static clf_status by_offsets(clf_context *context, const clf_operator *op, unsigned flags,
                             const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return plan_by(CLF_BY_OFFSETS, context, op, flags, options, plan, error);
}

static clf_status by_lengths(clf_context *context, const clf_operator *op, unsigned flags,
                             const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return plan_by(CLF_BY_LENGTHS, context, op, flags, options, plan, error);
}

static const bench_kind kind = {.plain = true, .unnamed = true, .open = open_rows, .close = close_rows,
                                .expect = expect, .yardsticks = yardsticks, .enqueue = enqueue};

const bench_primitive bench_expand_rows[] = {
    {"expand", &kind, .plan = by_offsets, .define = define},
    {"expand_by_lengths", &kind, .plan = by_lengths, .define = define},
    {"expand_giant", &kind, .plan = by_offsets, .define = define}, {.name = NULL}};
