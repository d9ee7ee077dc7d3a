/* SPDX-License-Identifier: MIT */
/*
 * Rows of segmented_sort and irregular_sort (by offsets of 32 bits), of keys and of pairs: random keys, by default in
 * all splits of 2^24 (CPU devices) or 2^26 elements. Traffic: every value read once and written once. Beside the copies
 * stands scan_us, our plain sort of as many of these keys: segments should cost little. Shape [count][size] stands for
 * as many elements; lengths of irregular segments are
 *
 *     irregular_sort   by the law of irregular_scan.c, with this mean
 *     …_equal          all the same, as rows are
 *     …_pareto         `count` of Pareto's distribution with 1.2: a few have most elements
 *     …_giant          0, 1 or 2, but for one in the middle, which has all the others
 */
#include "rows/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Data -------------------------------------------------------------------------------------------------- */

static bool is_irregular(const bench_data *data)
{
    return strstr(data->primitive->name, "irregular_sort");
}

/* In proportion to starts: without an end, the first is what all are together. */
static double weight_of(const char *primitive, bench_shape shape, cl_ulong k)
{
    if (strstr(primitive, "_equal"))
        return 1;
    if (strstr(primitive, "_pareto"))
        return pow(1 - bench_uniform(k), -1 / 1.2);
    return k == shape.count / 2 ? (double)(shape.count * shape.size) : floor(bench_uniform(k) * 3);
}

static void make_segments(bench_data *data, bench_shape shape)
{
    const char *const name = data->primitive->name;
    const cl_ulong n = shape.count * shape.size;
    double all = 0, before = 0;
    if (!strstr(name, "_equal") && !strstr(name, "_pareto") && !strstr(name, "_giant")) {
        bench_segments_make(data, shape);
        return;
    }
    bench_segments_begin(data, n, shape.count);
    for (cl_ulong k = 0; k < shape.count; ++k)
        all += weight_of(name, shape, k);
    for (cl_ulong k = 0; k < shape.count; before += weight_of(name, shape, k++))
        data->segments->starts[k] = (cl_uint)((double)n * (before / all));
    data->segments->starts[shape.count] = (cl_uint)n;
    bench_segments_send(data);
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
        make_segments(data, shape);
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

#define KEYS(name) {#name, &keys, .plan_by = clf_irregular_sort_plan, .define = bench_define_keys}
#define PAIRS(name) {#name, &pairs, .plan_by = clf_irregular_sort_plan, .define = bench_define_pairs}
const bench_primitive bench_segmented_sort_rows[] = {
    {"segmented_sort", &keys, .plan = clf_segmented_sort_plan, .define = bench_define_keys},
    {"segmented_sort_pairs", &pairs, .plan = clf_segmented_sort_plan, .define = bench_define_pairs},
    KEYS(irregular_sort), KEYS(irregular_sort_equal), KEYS(irregular_sort_pareto), KEYS(irregular_sort_giant),
    PAIRS(irregular_sort_pairs), PAIRS(irregular_sort_equal_pairs), PAIRS(irregular_sort_pareto_pairs),
    PAIRS(irregular_sort_giant_pairs), {.name = NULL}};
