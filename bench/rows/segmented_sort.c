/* SPDX-License-Identifier: MIT */
/*
 * Rows of segmented_sort, segmented_sort_pairs and irregular_sort (by offsets): random keys, by default in all splits
 * of 2^24 (CPU devices) or 2^26 elements. Traffic: every value read once, and written once. Beside the copies stands
 * scan_us, our plain sort of as many of these keys: segments should cost little.
 */
#include "rows/rows.h"

#include <stdlib.h>
#include <string.h>

/* ---- Data -------------------------------------------------------------------------------------------------- */

static bool is_irregular(const bench_data *data)
{
    return strcmp(data->primitive->name, "irregular_sort") == 0;
}

static void open_rows(bench_data *data)
{
    bench_open_keys(data);
    bench_check(bench_make_plan(&bench_sort_rows[0], data->session->clf, data->op.op, NULL, &data->plain, NULL),
                "clf_sort_plan");
    bench_segments_open(data);
}

static void close_rows(bench_data *data)
{
    bench_segments_close(data);
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
    for (cl_ulong k = first; k < last; ++k) {
        const cl_ulong begin = starts ? starts[k] : k * r->size, end = starts ? starts[k + 1] : begin + r->size;
        bench_place *const list = bench_alloc_places(end - begin);
        for (cl_ulong i = begin; i < end; ++i)
            list[i - begin] = (bench_place){bench_place_at(r->data, i), i};
        bench_sort_places(list, end - begin);
        bench_expect_places(r->data, list, end - begin, begin);
        free(list);
    }
}

static void expect(bench_data *data, bench_shape shape)
{
    rows r = {data, shape.size};
    if (is_irregular(data))
        bench_segments_make(data, shape);
    bench_parallel(is_irregular(data) ? data->segments->count : shape.count, sort_rows, &r);
}

/* ---- Rows -------------------------------------------------------------------------------------------------- */

static clf_status enqueue_plain(const bench_call *call, const clf_call *how)
{
    return clf_sort(call->plan, how, call->results, call->data->in_array, call->data->out_array);
}

static void yardsticks(bench_data *data, bench_row *row)
{
    const bench_shape shape = {1, row->segments, row->segment_size};
    bench_call plain = {data, data->plain, shape, row->n, enqueue_plain, .marked = false};
    bench_copy(data, row);
    row->scan_us = bench_time_call(&plain).us;
}

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    const bench_data *const data = call->data;
    const struct bench_segments *const s = data->segments;
    if (is_irregular(data))
        return clf_irregular_sort(call->plan, how, s->n, s->count, &s->array, data->in_array, data->out_array);
    return clf_segmented_sort(call->plan, how, call->shape.count, call->shape.size, data->in_array, data->out_array);
}

#define ROWS .segmented = true, .plain = true, .reals = true, .unnamed = true, .open = open_rows, .close = close_rows, \
    .expect = expect, .yardsticks = yardsticks, .enqueue = enqueue, .marked = true
static const bench_kind keys = {ROWS}, pairs = {.find = bench_find_pairs, ROWS};

const bench_primitive bench_segmented_sort_rows[] = {
    {"segmented_sort", &keys, .plan = clf_segmented_sort_plan, .define = bench_define_keys},
    {"segmented_sort_pairs", &pairs, .plan = clf_segmented_sort_plan, .define = bench_define_pairs},
    {"irregular_sort", &keys, .plan_by = clf_irregular_sort_plan, .define = bench_define_keys}, {.name = NULL}};
