/* SPDX-License-Identifier: MIT */
/*
 * Rows of transpose: matrices of `count` rows of `size` elements, which --segments names and which else are all splits
 * of each n. The operator says nothing but of which type the elements are. Traffic: every element read once and written
 * once, as in a copy.
 */
#include "bench.h"

#include <string.h>

clf_status bench_transpose_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    (void)flags;
    for (int type = 0; type < CLF_TYPE_COUNT; type++)
        if (op == clf_builtin(CLF_SUM, (clf_type)type))
            return clf_transpose_plan(context, clf_type_size((clf_type)type), options, plan, error);
    return CLF_E_UNSUPPORTED; /* an operator on tuples: not one array, but several */
}

static void yardsticks(bench_data *data, bench_row *row)
{
    const bench_copies copies = bench_copy(data->session, row->bytes);
    row->op = "-";
    row->copy_us = copies.copy_us;
    row->copy_kernel_us = copies.kernel_us;
}

typedef struct job {
    const bench_data *data;
    bench_shape shape;
} job;

enum { STRIP = 16 }; /* columns at a time: what lies in a cache line together */

static void turn_strips(void *state, cl_ulong first, cl_ulong last)
{
    const job *j = state;
    const size_t bytes = j->data->op.in_size[0];
    const cl_ulong rows = j->shape.count, columns = j->shape.size;
    const char *in = j->data->in[0];
    char *out = j->data->expected[0];
    for (cl_ulong s = first; s < last; s++)
        for (cl_ulong r = 0; r < rows; r++)
            for (cl_ulong c = s * STRIP; c < columns && c < (s + 1) * STRIP; c++)
                memcpy(out + (c * rows + r) * bytes, in + (r * columns + c) * bytes, bytes);
}

static void expect(bench_data *data, bench_shape shape)
{
    bench_parallel((shape.size + STRIP - 1) / STRIP, turn_strips, &(job){data, shape});
}

static clf_status enqueue(const bench_call *call, cl_command_queue queue, cl_event *event)
{
    return clf_transpose(call->plan, queue, 1, call->shape.count, call->shape.size, call->data->in_array,
                         call->data->out_array, 0, NULL, event);
}

static void name(const clf_plan *plan, bench_shape shape, char variant[64])
{
    snprintf(variant, 64, "%s", clf_transpose_variant(plan, 1, shape.count, shape.size));
}

void bench_transpose_run(bench_session *session, const bench_primitive *self)
{
    const bench_kind kind = {
        .segmented = true, .expect = expect, .yardsticks = yardsticks, .enqueue = enqueue, .name = name};
    bench_run_kind(session, self, &kind);
}
