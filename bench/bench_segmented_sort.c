/* SPDX-License-Identifier: MIT */
/*
 * Rows of segmented_sort, segmented_sort_pairs and irregular_sort (by offsets): random keys, by default in all splits
 * of 2^24 (CPU devices) or 2^26 elements. Traffic: every value read once, and written once. Beside the copies stands
 * scan_us, our plain sort of as many of these keys: segments should cost little.
 */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

/* ---- Data -------------------------------------------------------------------------------------------------- */

static bool is_irregular(const bench_data *data)
{
    return strcmp(data->primitive->name, "irregular_sort") == 0;
}

static void open_rows(bench_data *data)
{
    const clf_operator keys = {.size = sizeof keys, .value = data->op.op->value};
    bench_sort_open(data);
    bench_check(clf_sort_plan(data->session->clf, &keys, 0, NULL, &data->plain, NULL), "clf_sort_plan");
    data->segments = bench_alloc(sizeof *data->segments);
    memset(data->segments, 0, sizeof *data->segments);
}

static void close_rows(bench_data *data)
{
    bench_segments_forget(data->segments);
    free(data->segments);
    clf_plan_release(data->plain);
}

typedef struct rows {
    bench_data *data;
    cl_ulong size;
} rows;

static void sort_rows(void *state, cl_ulong first, cl_ulong last)
{
    const rows *const r = state;
    const cl_uint *const starts = r->data->segments->starts;
    for (cl_ulong k = first; k < last; k++)
        bench_sort_stretch(r->data, starts ? starts[k] : k * r->size, starts ? starts[k + 1] : (k + 1) * r->size);
}

static void expect(bench_data *data, bench_shape shape)
{
    rows r = {data, shape.size};
    if (is_irregular(data))
        bench_segments_make(data, shape);
    bench_parallel(is_irregular(data) ? data->segments->count : shape.count, sort_rows, &r);
}

/* ---- Rows -------------------------------------------------------------------------------------------------- */

static clf_status enqueue_plain(const bench_call *call, cl_command_queue queue, cl_event *event)
{
    return clf_sort(call->plan, &(clf_call){.size = sizeof(clf_call), .queue = queue, .event = event}, call->results,
                    call->data->in_array, call->data->out_array);
}

static void yardsticks(bench_data *data, bench_row *row)
{
    const bench_shape shape = {1, row->segments, row->segment_size};
    bench_call plain = {data, data->plain, shape, row->n, enqueue_plain, .marked = false};
    bench_sort_yardsticks(data, row);
    row->scan_us = bench_time_call(&plain).us;
}

static clf_status enqueue(const bench_call *call, cl_command_queue queue, cl_event *event)
{
    const clf_call how = {.size = sizeof how, .queue = queue, .event = event};
    const bench_data *const data = call->data;
    const struct bench_segments *const s = data->segments;
    if (is_irregular(data))
        return clf_irregular_sort(call->plan, &how, s->n, s->count, &s->array, data->in_array, data->out_array);
    return clf_segmented_sort(call->plan, &how, call->shape.count, call->shape.size, data->in_array, data->out_array);
}

void bench_segmented_sort_run(bench_session *session, const bench_primitive *self)
{
    static const bench_kind keys = {.segmented = true, .plain = true, .reals = true, .open = open_rows,
                                    .close = close_rows, .expect = expect, .yardsticks = yardsticks,
                                    .enqueue = enqueue, .marked = true, .name = bench_name_by_size};
    static const bench_kind pairs = {.segmented = true, .plain = true, .reals = true, .find = bench_find_pairs,
                                     .open = open_rows, .close = close_rows, .expect = expect,
                                     .yardsticks = yardsticks, .enqueue = enqueue, .marked = true,
                                     .name = bench_name_by_size};
    bench_run_kind(session, self, strcmp(self->name, "segmented_sort_pairs") == 0 ? &pairs : &keys);
}

/* ---- Plans ------------------------------------------------------------------------------------------------- */

/* Plans know the type by the sum of it that they are given. */
clf_status bench_segmented_sort_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                     const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    const clf_operator keys = {.size = sizeof keys, .value = op->value};
    return clf_segmented_sort_plan(context, &keys, flags, options, plan, error);
}

clf_status bench_segmented_sort_pairs_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                           const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    char value[64] = "";
    strncat(strncat(value, op->value, sizeof value - 20), " uint place;", 20);
    const clf_operator pairs = {.size = sizeof pairs, .value = value};
    return clf_segmented_sort_plan(context, &pairs, flags, options, plan, error);
}

clf_status bench_irregular_sort_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                     const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    const clf_operator keys = {.size = sizeof keys, .value = op->value};
    const clf_segmentation offsets = {sizeof offsets, CLF_BY_OFFSETS, CLF_UINT};
    return clf_irregular_sort_plan(context, &keys, &offsets, flags, options, plan, error);
}
