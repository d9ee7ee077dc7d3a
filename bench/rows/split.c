/* SPDX-License-Identifier: MIT */
/*
 * Rows of split on plain values of random digits: one pass of a radix sort. split has 256 parts, split_16 has 16, told
 * by the lowest bits. Traffic: every value read once, and written once.
 */
#include "rows/rows.h"

#include <string.h>

static unsigned parts_of(const char *primitive)
{
    return strcmp(primitive, "split_16") == 0 ? 16 : 256;
}

static unsigned digit_of(const bench_data *data, cl_ulong i)
{
    return (unsigned)bench_load(data->in[0], i, data->op.in_size[0]) & (parts_of(data->primitive->name) - 1);
}

static void fill_values(void *state, cl_ulong first, cl_ulong last)
{
    const bench_data *data = state;
    for (cl_ulong i = first; i < last; ++i)
        bench_store(data->in[0], i, data->op.in_size[0], bench_hash(i));
}

static void open_rows(bench_data *data)
{
    bench_parallel(data->limit, fill_values, data);
    bench_write(data->session->queue, data->in_array[0].buffer, data->in[0], data->limit * data->op.in_size[0]);
}

static void expect(bench_data *data, bench_shape shape)
{
    const unsigned size = data->op.in_size[0];
    cl_ulong places[257] = {0};
    data->found = shape.size;
    for (cl_ulong i = 0; i < shape.size; ++i)
        ++places[digit_of(data, i) + 1];
    for (unsigned d = 1; d < 257; ++d)
        places[d] += places[d - 1];
    for (cl_ulong i = 0; i < shape.size; ++i)
        memcpy((char *)data->expected[0] + places[digit_of(data, i)]++ * size, (const char *)data->in[0] + i * size,
               size);
}

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    return clf_split(call->plan, how, call->shape.size, call->data->in_array, call->data->out_array, NULL);
}

static void define(bench_definition *d)
{
    d->op.part = "digit";
    d->op.source = parts_of(d->primitive) == 16 ? "uint digit(clf_input x, ulong i) { return (uint)x.v & 15; }"
                                                : "uint digit(clf_input x, ulong i) { return (uint)x.v & 255; }";
}

#define DEFINE_PLAN(parts)                                                                                             \
    static clf_status in_##parts(clf_context *context, const clf_operator *op, unsigned flags,                         \
                                 const clf_plan_options *options, clf_plan **plan, clf_error *error)                   \
    {                                                                                                                  \
        return clf_split_plan(context, op, parts, flags, options, plan, error);                                        \
    }
DEFINE_PLAN(256)
DEFINE_PLAN(16)

static const bench_kind kind = {.plain = true, .unnamed = true, .open = open_rows, .expect = expect,
                                .yardsticks = bench_copy, .enqueue = enqueue, .marked = true};

const bench_primitive bench_split_rows[] = {
    {"split", &kind, .plan = in_256, .define = define},
    {"split_16", &kind, .plan = in_16, .define = define}, {.name = NULL}};
