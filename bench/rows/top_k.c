/* SPDX-License-Identifier: MIT */
/*
 * Rows of top-k of plain keys, as many as the name says: of an array (top_k_1024; _unsorted: in the order of the
 * input), of each row of a matrix (top_k_rows_10), and of segments of random lengths with the mean of rows, by offsets
 * (top_k_segments_10: irregular_scan.c). Keys are those of sorts, and may be sorted already, backwards,
 * all equal, or of two values in turns. Traffic: every key read once, every result written once; read_us is what only
 * reading as many bytes takes.
 */
#include "rows/rows.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* "top_k_rows_10": 10; or as many as there are to be bins. */
static cl_ulong wanted(const bench_data *data)
{
    const char *digits = data->primitive->name;
    if (data->bins)
        return data->bins;
    while (*digits && !isdigit((unsigned char)*digits))
        ++digits;
    return strtoull(digits, NULL, 10);
}

static cl_ulong results_of(const bench_data *data, bench_shape shape)
{
    const cl_ulong k = wanted(data);
    return k < shape.size ? k : shape.size;
}

/* ---- What is right --------------------------------------------------------------------------------------------- */

static int by_index(const void *a, const void *b)
{
    const bench_place *x = a, *y = b;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* The largest upper half of a place that is among the first k. */
static uint64_t bound(const bench_data *data, cl_ulong n, cl_ulong k, unsigned shift)
{
    cl_ulong *const counts = calloc(1 << 16, sizeof *counts), before = 0;
    uint64_t last = 0;
    if (!counts)
        bench_die("out of memory");
    for (cl_ulong i = 0; i < n; ++i)
        ++counts[bench_place_at(data, i) >> shift];
    while (before + counts[last] < k)
        before += counts[last++];
    free(counts);
    return last;
}

/* Of one array: those whose place's upper bits are not behind a bound, sorted. */
static void expect_of_all(bench_data *data, cl_ulong n, cl_ulong k)
{
    const unsigned bits = 8 * data->op.in_size[0], shift = bits > 16 ? bits - 16 : 0;
    const uint64_t last = k ? bound(data, n, k, shift) : 0;
    cl_ulong found = 0;
    for (cl_ulong i = 0; i < n; ++i)
        found += bench_place_at(data, i) >> shift <= last;
    bench_place *const list = bench_alloc_places(found);
    found = 0;
    for (cl_ulong i = 0; i < n; ++i)
        if (bench_place_at(data, i) >> shift <= last)
            list[found++] = (bench_place){bench_place_at(data, i), i};
    bench_sort_places(list, found);
    if (strstr(data->primitive->name, "unsorted"))
        qsort(list, k, sizeof *list, by_index);
    bench_expect_places(data, list, k, 0);
    free(list);
}

/* Rows, or segments, whose results begin at places of their own. */
typedef struct rows {
    bench_data *data;
    bench_shape shape;
    const cl_uint *starts;
    cl_ulong *begins;
} rows;

static bool of_segments(const bench_data *data)
{
    return strstr(data->primitive->name, "segments");
}

static cl_ulong begin_of(const rows *r, cl_ulong row)
{
    return r->starts ? r->starts[row] : row * r->shape.size;
}

static cl_ulong least(cl_ulong a, cl_ulong b)
{
    return a < b ? a : b;
}

/* Of each row: the best so far, sorted. */
static void expect_of_rows(void *state, cl_ulong first, cl_ulong last)
{
    const rows *const r = state;
    bench_place *const best = bench_alloc_places(wanted(r->data));
    for (cl_ulong row = first; row < last; ++row) {
        const cl_ulong begin = begin_of(r, row), size = begin_of(r, row + 1) - begin, k = least(wanted(r->data), size);
        cl_ulong count = 0;
        for (cl_ulong i = 0; i < size; ++i) {
            const uint64_t own = bench_place_at(r->data, begin + i);
            cl_ulong to = count;
            if (count == k && own >= best[k - 1].place)
                continue;
            for (; to > 0 && own < best[to - 1].place; --to)
                best[to] = best[to - 1];
            best[to] = (bench_place){own, i};
            count += count < k;
        }
        bench_expect_places(r->data, best, k, r->begins ? r->begins[row] : row * k);
    }
    free(best);
}

static void expect_of_segments(bench_data *data, bench_shape shape)
{
    bench_segments_make(data, shape);
    const cl_uint *const starts = data->segments->starts;
    const cl_ulong count = data->segments->count;
    rows r = {data, shape, starts, bench_alloc((size_t)(count + 1) * sizeof *r.begins)};
    r.begins[0] = 0;
    for (cl_ulong i = 0; i < count; ++i)
        r.begins[i + 1] = r.begins[i] + least(wanted(data), starts[i + 1] - starts[i]);
    data->found = r.begins[count];
    bench_parallel(count, expect_of_rows, &r);
    free(r.begins);
}

static void expect(bench_data *data, bench_shape shape)
{
    data->found = shape.count * results_of(data, shape);
    if (of_segments(data))
        expect_of_segments(data, shape);
    else if (strstr(data->primitive->name, "rows"))
        bench_parallel(shape.count, expect_of_rows, &(rows){.data = data, .shape = shape});
    else
        expect_of_all(data, shape.size, results_of(data, shape));
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    const bench_data *const data = call->data;
    const struct bench_segments *const s = data->segments;
    if (of_segments(data))
        return clf_irregular_top_k(call->plan, how, s->n, s->count, wanted(data), &s->array, data->in_array,
                                   data->out_array, NULL);
    if (strstr(data->primitive->name, "rows"))
        return clf_segmented_top_k(call->plan, how, call->shape.count, call->shape.size, wanted(data), data->in_array,
                                   data->out_array);
    return clf_top_k(call->plan, how, call->shape.size, wanted(data), data->in_array, data->out_array);
}

static void open_segments(bench_data *data)
{
    bench_open_keys(data);
    bench_segments_open(data);
}

#define TOP(opened) .plain = true, .reals = true, .unnamed = true, .open = opened, .expect = expect, \
    .yardsticks = bench_read_inputs, .enqueue = enqueue, .marked = true
static const bench_kind whole = {TOP(bench_open_keys)}, by_rows = {.segmented = true, TOP(bench_open_keys)},
                        by_segments = {.segmented = true, .close = bench_segments_close, TOP(open_segments)};

#define ALL(name) {#name, &whole, .plan = clf_top_k_plan, .define = bench_define_keys}
#define ROWS(name) {#name, &by_rows, .plan = clf_top_k_plan, .define = bench_define_keys}
const bench_primitive bench_top_k_rows[] = {
    ALL(top_k_10), ALL(top_k_1024), ALL(top_k_65536), ALL(top_k_1024_sorted), ALL(top_k_1024_backwards),
    ALL(top_k_1024_equal), ALL(top_k_1024_two), ROWS(top_k_rows_10), ROWS(top_k_rows_100), ROWS(top_k_rows_10_equal),
    {"top_k_segments_10", &by_segments, .plan_by = clf_irregular_top_k_plan, .define = bench_define_keys},
    {"top_k_segments_100", &by_segments, .plan_by = clf_irregular_top_k_plan, .define = bench_define_keys},
    {"top_k_1024_unsorted", &whole, .plan = clf_top_k_plan, .define = bench_define_keys,
     .flags = CLF_UNSORTED}, {.name = NULL}};
