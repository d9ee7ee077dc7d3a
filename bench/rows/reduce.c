/* SPDX-License-Identifier: MIT */
/*
 * Rows of reduce and segmented_reduce: the same call, with one segment or with many. Traffic: every input read once,
 * every value written once; read_us is what only reading as many bytes takes.
 */
#include "rows/rows.h"

#include <string.h>

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    return clf_segmented_reduce(call->plan, how, call->shape.count, call->shape.size, call->data->in_array,
                                call->data->out_array);
}

static void name(const clf_plan *plan, bench_shape shape, char variant[64])
{
    snprintf(variant, 64, "%s", clf_reduce_variant(plan, shape.count, shape.size));
}

#define REDUCE .sums = true, .maps = true, .expect = bench_expect_sums, .yardsticks = bench_read_all, \
    .enqueue = enqueue, .name = name
static const bench_kind whole = {REDUCE}, rows = {.segmented = true, REDUCE};

const bench_primitive bench_reduce_rows[] = {
    {"reduce", &whole, .plan = clf_reduce_plan}, {"segmented_reduce", &rows, .plan = clf_reduce_plan}, {.name = NULL}};
