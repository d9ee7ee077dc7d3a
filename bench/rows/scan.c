/* SPDX-License-Identifier: MIT */
/*
 * Rows of scan and exclusive_scan, and what it costs to be told by the device: scan_flagged has a plan that may be
 * (CLF_FROM_DEVICE), and scan_from_device is: its size, and of "sum" its initial value, 0, lie in buffers. All sizes of
 * one operator share one input and one expected result, those of the largest size: a shorter scan is a prefix of a
 * longer one. Traffic: every input read once, every output written once, n * (sum of their element sizes).
 */
#include "rows/rows.h"

#include <string.h>

static cl_mem told; /* the size, and behind it an initial value */

static bool is_told(const bench_data *data)
{
    return strcmp(data->primitive->name, "scan_from_device") == 0;
}

static void expect_longest(bench_data *data)
{
    static const cl_ulong nothing[4];
    bench_expect_scans(data, (bench_shape){1, 1, data->limit});
    if (!is_told(data))
        return;
    told = bench_buffer(data->session->cl, sizeof nothing);
    bench_write(data->session->queue, told, nothing, sizeof nothing);
}

static void close_scans(bench_data *data)
{
    if (is_told(data))
        clReleaseMemObject(told);
}

static void expect(bench_data *data, bench_shape shape)
{
    if (is_told(data))
        bench_write(data->session->queue, told, &shape.size, sizeof shape.size);
}

/* Single-pass variants move each byte once, reduce-then-scan reads twice; propagated results move twice more. */
static cl_ulong moved(const bench_data *data, const bench_row *row)
{
    cl_ulong in = 0;
    for (unsigned i = 0; i < data->op.inputs; ++i)
        in += row->n * data->op.in_size[i];
    if (strcmp(row->variant, "two_pass") == 0)
        return row->bytes + in;
    return strcmp(row->variant, "propagate") == 0 ? row->bytes + 2 * (row->bytes - in) : row->bytes;
}

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    const bench_data *data = call->data;
    const clf_array initial = {told, sizeof(cl_ulong) / data->op.in_size[0]};
    clf_call told_how = *how;
    if (is_told(data))
        told_how.actual = (clf_array){told, 0};
    if (is_told(data) && strcmp(data->op.name, "sum") == 0)
        told_how.initial_arrays = &initial;
    return clf_scan(call->plan, &told_how, call->shape.size, data->in_array, data->out_array);
}

static const bench_kind kind = {.open = expect_longest, .close = close_scans, .expect = expect,
                                .yardsticks = bench_copy, .enqueue = enqueue, .moved = moved, .marked = true};

const bench_primitive bench_scan_rows[] = {
    {"scan", &kind, .plan = clf_scan_plan},
    {"exclusive_scan", &kind, .plan = clf_scan_plan, .flags = CLF_EXCLUSIVE},
    {"scan_flagged", &kind, .plan = clf_scan_plan, .flags = CLF_FROM_DEVICE},
    {"scan_from_device", &kind, .plan = clf_scan_plan, .flags = CLF_FROM_DEVICE},
    {.name = NULL}};
