/* SPDX-License-Identifier: MIT */
/*
 * Rows of gather and scatter on plain values, by what their indices, of 32 bits, are: a random permutation (gather,
 * scatter), the numbers in order (gather_identity, scatter_identity), or a random half of them in order
 * (gather_sorted). Traffic: every index and every element that is moved read once, and written once.
 */
#include "rows/rows.h"

#include <stdlib.h>
#include <string.h>

/* ---- Indices --------------------------------------------------------------------------------------------------- */

static bool is_called(const bench_data *data, const char *name)
{
    return strcmp(data->primitive->name, name) == 0;
}

static bool scatters(const char *primitive)
{
    return strncmp(primitive, "scatter", 7) == 0;
}

/* Number i of a permutation of the numbers below n: mixed as `bits` bits, again and again until it is below n. */
static cl_ulong permuted(cl_ulong i, cl_ulong n, unsigned bits)
{
    const cl_ulong mask = ((cl_ulong)1 << bits) - 1;
    do {
        for (unsigned round = 0; round < 3; ++round) { /* each step has an inverse */
            i = (i * UINT64_C(0x9e3779b97f4a7c15) + round) & mask;
            i ^= i >> (bits / 2 + 1);
        }
    } while (i >= n);
    return i;
}

typedef struct job {
    bench_data *data;
    cl_ulong n;
    unsigned bits; /* so many hold every number below n */
} job;

static void fill_indices(void *state, cl_ulong first, cl_ulong last)
{
    const job *j = state;
    const bool identity = strstr(j->data->primitive->name, "_identity");
    for (cl_ulong i = first; i < last; ++i)
        j->data->indices[i] = (cl_uint)(is_called(j->data, "gather_sorted") ? 2 * i + bench_hash(i) % 2
                                        : identity                          ? i
                                                                            : permuted(i, j->n, j->bits));
}

static void move_all(void *state, cl_ulong first, cl_ulong last)
{
    const job *j = state;
    const unsigned size = j->data->op.in_size[0];
    const char *in = j->data->in[0];
    char *out = j->data->expected[0];
    for (cl_ulong i = first; i < last; ++i) {
        const cl_ulong index = j->data->indices[i];
        if (scatters(j->data->primitive->name))
            memcpy(out + index * size, in + i * size, size);
        else
            memcpy(out + i * size, in + index * size, size);
    }
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

static clf_array index_array; /* on the device */

static void open_rows(bench_data *data)
{
    index_array = (clf_array){bench_buffer(data->session->cl, data->limit * sizeof *data->indices), 0};
    data->indices = bench_alloc((size_t)data->limit * sizeof *data->indices);
}

static void close_rows(bench_data *data)
{
    clReleaseMemObject(index_array.buffer);
    free(data->indices);
    data->indices = NULL;
}

/* Of each pair one, where half of them are moved; else all. */
static void expect(bench_data *data, bench_shape shape)
{
    job j = {data, shape.size, 1};
    while (((cl_ulong)1 << j.bits) < shape.size)
        ++j.bits;
    data->found = is_called(data, "gather_sorted") ? shape.size / 2 : shape.size;
    bench_parallel(data->found, fill_indices, &j);
    bench_parallel(data->found, move_all, &j);
    if (data->found)
        bench_write(data->session->queue, index_array.buffer, data->indices, data->found * sizeof *data->indices);
}

static void yardsticks(bench_data *data, bench_row *row)
{
    row->bytes = data->found * (2 * data->op.in_size[0] + sizeof *data->indices);
    bench_copy(data, row);
}

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    const cl_ulong n = call->shape.size, m = call->results;
    if (scatters(call->data->primitive->name))
        return clf_scatter(call->plan, how, m, n, call->data->in_array, &index_array, call->data->out_array);
    return clf_gather(call->plan, how, n, m, call->data->in_array, &index_array, call->data->out_array);
}

#define DEFINE_PLAN(name)                                                                                              \
    static clf_status name##_plan(clf_context *context, const clf_operator *op, unsigned flags,                        \
                                  const clf_plan_options *options, clf_plan **plan, clf_error *error)                  \
    {                                                                                                                  \
        return clf_##name##_plan(context, op->value, CLF_UINT, flags, options, plan, error);                           \
    }
DEFINE_PLAN(gather)
DEFINE_PLAN(scatter)

static const bench_kind kind = {.plain = true, .unnamed = true, .open = open_rows, .close = close_rows,
                                .expect = expect, .yardsticks = yardsticks, .enqueue = enqueue};

const bench_primitive bench_gather_rows[] = {
    {"gather", &kind, .plan = gather_plan}, {"gather_sorted", &kind, .plan = gather_plan},
    {"gather_identity", &kind, .plan = gather_plan}, {"scatter", &kind, .plan = scatter_plan},
    {"scatter_identity", &kind, .plan = scatter_plan}, {.name = NULL}};
