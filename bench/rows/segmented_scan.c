/* SPDX-License-Identifier: MIT */
/*
 * Rows of segmented_scan: by default all splits of 2^24 (CPU devices) or 2^26 elements. Traffic: that of a plain scan.
 * Beside the copies stands scan_us, our plain scan of as many elements (whatever --variant and --define say), measured
 * anew before each shape: segments should cost nothing.
 */
#include "rows/rows.h"

void bench_plain_close(bench_data *data)
{
    if (data->plain)
        clf_plan_release(data->plain);
    data->plain = NULL;
}

static clf_status enqueue_plain(const bench_call *call, const clf_call *how)
{
    return clf_scan(call->plan, how, call->results, call->data->in_array, call->data->out_array);
}

void bench_plain_yardsticks(bench_data *data, bench_row *row)
{
    const bench_shape shape = {1, row->segments, row->segment_size};
    const clf_plan_options options = {.size = sizeof options, .wanted = data->op.wanted};
    if (!data->plain)
        bench_check(
            clf_scan_plan(data->session->clf, data->op.op, data->primitive->flags, &options, &data->plain, NULL),
            "clf_scan_plan");
    bench_call plain = {data, data->plain, shape, row->n, enqueue_plain, .marked = false};
    bench_copy(data, row);
    row->scan_us = bench_time_call(&plain).us;
}

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    return clf_segmented_scan(call->plan, how, call->shape.count, call->shape.size, call->data->in_array,
                              call->data->out_array);
}

static const bench_kind kind = {.segmented = true, .maps = true, .close = bench_plain_close,
                                .expect = bench_expect_scans, .yardsticks = bench_plain_yardsticks, .enqueue = enqueue};

const bench_primitive bench_segmented_scan_rows[] = {
    {"segmented_scan", &kind, .plan = clf_segmented_scan_plan}, {.name = NULL}};
