/* SPDX-License-Identifier: MIT */
/*
 * Rows of transpose: matrices of `count` rows of `size` elements, or batches of them, which --segments names and which
 * else are all splits of each n. The operator says nothing but of which type the elements are; besides the usual types
 * there are b1 … b16, elements of so many bytes. Traffic: every element read once and written once, as in a copy.
 */
#include "rows/rows.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 16 };

unsigned bench_element_bytes(const char *type)
{
    char *end;
    const unsigned long bytes = type[0] == 'b' ? strtoul(type + 1, &end, 10) : 0;
    return bytes && bytes <= MOST_BYTES && *end == '\0' ? (unsigned)bytes : 0;
}

/* Types b1 … b16 have no operators: these stand for theirs, and only which one it is counts. */
static const clf_operator no_operator[MOST_BYTES + 1];

static void fill_bytes(const bench_operator *self, cl_ulong n, void *const *in)
{
    unsigned char *bytes = in[0];
    for (cl_ulong i = 0; i < n * self->in_size[0]; ++i)
        bytes[i] = (unsigned char)bench_hash(i);
}

static bool find(const char *op, const char *type, bench_operator *found)
{
    const unsigned bytes = bench_element_bytes(type);
    if (!bytes)
        return bench_find_operator(op, type, found);
    *found = (bench_operator){.name = op, .type = type, .op = &no_operator[bytes], .inputs = 1, .outputs = 1,
                              .in_size = {bytes}, .out_size = {bytes}, .fill = fill_bytes};
    return true;
}

/* `op` only names a type. */
static clf_status plan_of_type(clf_context *context, const clf_operator *op, unsigned flags,
                               const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    (void)flags;
    for (size_t bytes = 1; bytes <= MOST_BYTES; ++bytes)
        if (op == &no_operator[bytes])
            return clf_transpose_plan(context, bytes, options, plan, error);
    for (int type = 0; type < CLF_TYPE_COUNT; ++type)
        if (op == clf_builtin(CLF_SUM, (clf_type)type))
            return clf_transpose_plan(context, clf_type_size((clf_type)type), options, plan, error);
    return CLF_E_UNSUPPORTED; /* an operator on tuples: not one array, but several */
}

typedef struct job {
    const bench_data *data;
    bench_shape shape;
} job;

enum { STRIP = 16 }; /* columns at a time: what lies in a cache line together */

static cl_ulong strips_of(bench_shape shape)
{
    return (shape.size + STRIP - 1) / STRIP;
}

static void turn_strip(const job *j, cl_ulong matrix, cl_ulong strip)
{
    const size_t bytes = j->data->op.in_size[0];
    const cl_ulong rows = j->shape.count, columns = j->shape.size, before = matrix * rows * columns * bytes;
    const char *in = (const char *)j->data->in[0] + before;
    char *out = (char *)j->data->expected[0] + before;
    for (cl_ulong r = 0; r < rows; ++r)
        for (cl_ulong c = strip * STRIP; c < columns && c < (strip + 1) * STRIP; ++c)
            memcpy(out + (c * rows + r) * bytes, in + (r * columns + c) * bytes, bytes);
}

static void turn_strips(void *state, cl_ulong first, cl_ulong last)
{
    const job *j = state;
    const cl_ulong strips = strips_of(j->shape);
    for (cl_ulong s = first; s < last; ++s)
        turn_strip(j, s / strips, s % strips);
}

static void expect(bench_data *data, bench_shape shape)
{
    bench_parallel(shape.batch * strips_of(shape), turn_strips, &(job){data, shape});
}

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    return clf_transpose(call->plan, how, call->shape.batch, call->shape.count, call->shape.size, call->data->in_array,
                         call->data->out_array);
}

static void name(const clf_plan *plan, bench_shape shape, char variant[64])
{
    snprintf(variant, 64, "%s", clf_transpose_variant(plan, shape.batch, shape.count, shape.size));
}

static const bench_kind kind = {.segmented = true, .batched = true, .unnamed = true, .find = find, .expect = expect,
                                .yardsticks = bench_copy, .enqueue = enqueue, .name = name};

const bench_primitive bench_transpose_rows[] = {{"transpose", &kind, .plan = plan_of_type}, {.name = NULL}};
