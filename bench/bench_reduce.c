/* SPDX-License-Identifier: MIT */
/*
 * Rows of reduce and segmented_reduce: the same call, with one segment or with many. Traffic: every input read once,
 * every value written once; read_us is what only reading as many bytes takes.
 */
#include "rows.h"

#include <string.h>

static void yardsticks(bench_data *data, bench_row *row)
{
    row->read_us = bench_read_us(data->session, row->bytes);
}

static clf_status enqueue(const bench_call *call, cl_command_queue queue, cl_event *event)
{
    return clf_segmented_reduce(call->plan, &(clf_call){.size = sizeof(clf_call), .queue = queue, .event = event},
                                call->shape.count, call->shape.size, call->data->in_array, call->data->out_array);
}

static void name(const clf_plan *plan, bench_shape shape, char variant[64])
{
    snprintf(variant, 64, "%s", clf_reduce_variant(plan, shape.count, shape.size));
}

void bench_reduce_run(bench_session *session, const bench_primitive *self)
{
    const bench_kind kind = {.segmented = strcmp(self->name, "reduce") != 0, .sums = true, .maps = true,
                             .expect = bench_expect_sums, .yardsticks = yardsticks, .enqueue = enqueue, .name = name};
    bench_run_kind(session, self, &kind);
}
