/* SPDX-License-Identifier: MIT */
/*
 * Rows of scan and exclusive_scan. All sizes of one operator share one input and one expected result, those of the
 * largest size: a shorter scan is a prefix of a longer one. Traffic: every input read once, every output written
 * once, n * (sum of their element sizes).
 */
#include "rows.h"

#include <string.h>

static void expect_longest(bench_data *data)
{
    bench_expect_scans(data, (bench_shape){1, 1, data->limit});
}

static void expect(bench_data *data, bench_shape shape)
{
    (void)data;
    (void)shape;
}

/* Single-pass variants move each byte once, reduce-then-scan reads twice; propagated results move twice more. */
static cl_ulong moved(const bench_data *data, const bench_row *row)
{
    cl_ulong in = 0;
    for (unsigned i = 0; i < data->op.inputs; i++)
        in += row->n * data->op.in_size[i];
    if (strcmp(row->variant, "two_pass") == 0)
        return row->bytes + in;
    return strcmp(row->variant, "propagate") == 0 ? row->bytes + 2 * (row->bytes - in) : row->bytes;
}

static clf_status enqueue(const bench_call *call, cl_command_queue queue, cl_event *event)
{
    const bench_data *data = call->data;
    return clf_scan(call->plan, &(clf_call){.size = sizeof(clf_call), .queue = queue, .event = event},
                    call->shape.size, data->in_array, data->out_array);
}

void bench_scan_run(bench_session *session, const bench_primitive *self)
{
    static const bench_kind kind = {.open = expect_longest, .expect = expect, .yardsticks = bench_copy,
                                    .enqueue = enqueue, .name = bench_name_by_size, .moved = moved, .marked = true};
    bench_run_kind(session, self, &kind);
}
