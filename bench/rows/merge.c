/* SPDX-License-Identifier: MIT */
/*
 * Rows of merge, lower_bound and lower_bound_sorted, of n elements in all: half of them are the first sequence, or the
 * haystack, half the second one, or the needles. Traffic: every element read once, every result written once; positions
 * are uints, so bounds have rows of elements of 32 bits alone.
 *
 * In memory the second half begins where that of the longest case does, so that a shorter case is the beginning of
 * either half, and sorted as well. Values of both are spread evenly.
 */
#include "rows/rows.h"

#include <string.h>

/* ---- Values ---------------------------------------------------------------------------------------------------- */

static bool is_merge(const bench_data *data) { return strcmp(data->primitive->name, "merge") == 0; }
static bool is_sorted(const bench_data *data) { return strcmp(data->primitive->name, "lower_bound") != 0; }

/* Ascends with i, and is positive, signed or not. */
static uint64_t value_of(const bench_data *data, cl_ulong i, cl_ulong salt)
{
    const unsigned size = data->op.in_size[0];
    const uint64_t most = (UINT64_C(1) << ((size < 8 ? 8 * size : 62) - 1)) - 1, half = data->limit / 2 + 1;
    const uint64_t step = most / half;
    return step ? i * step + bench_hash(2 * i + salt) % step : i * most / half;
}

static void store(bench_data *data, cl_ulong i, uint64_t value)
{
    bench_store(data->in[0], i, data->op.in_size[0], value);
}

static uint64_t load(const bench_data *data, cl_ulong i)
{
    return bench_load(data->in[0], i, data->op.in_size[0]);
}

static void fill_sorted(void *state, cl_ulong first, cl_ulong last)
{
    bench_data *const data = state;
    for (cl_ulong i = first; i < last; ++i) {
        store(data, i, value_of(data, i, 0));
        store(data, data->limit / 2 + i, value_of(data, i, 1));
    }
}

/* Needles in any order, within the haystack of the case at hand. */
static void fill_needles(void *state, cl_ulong first, cl_ulong last)
{
    bench_data *const data = state;
    for (cl_ulong i = first; i < last; ++i)
        store(data, data->limit / 2 + i, value_of(data, bench_hash(3 * i) % (data->n / 2), 1));
}

static void send(const bench_data *data)
{
    bench_write(data->session->queue, data->in_array[0].buffer, data->in[0], data->limit * data->op.in_size[0]);
}

static void open_rows(bench_data *data)
{
    bench_parallel(data->limit / 2, fill_sorted, data);
    send(data);
}

/* ---- Results --------------------------------------------------------------------------------------------------- */

static void expect_merge(bench_data *data)
{
    const unsigned size = data->op.in_size[0];
    const char *const in = data->in[0];
    const cl_ulong half = data->n / 2, second = data->limit / 2;
    cl_ulong i = 0, j = 0;
    while (i + j < 2 * half) {
        const bool first = j == half || (i < half && load(data, i) <= load(data, second + j));
        memcpy((char *)data->expected[0] + (i + j) * size, in + (first ? i : second + j) * size, size);
        i += first;
        j += !first;
    }
    data->found = 2 * half;
}

static void expect_positions(void *state, cl_ulong first, cl_ulong last)
{
    bench_data *const data = state;
    for (cl_ulong k = first; k < last; ++k) {
        const uint64_t needle = load(data, data->limit / 2 + k);
        cl_ulong low = 0, high = data->n / 2;
        while (low < high) {
            const cl_ulong middle = low + (high - low) / 2;
            if (load(data, middle) < needle)
                low = middle + 1;
            else
                high = middle;
        }
        ((cl_uint *)data->expected[0])[k] = (cl_uint)low;
    }
}

static void expect(bench_data *data, bench_shape shape)
{
    (void)shape;
    if (is_merge(data)) {
        expect_merge(data);
        return;
    }
    if (!is_sorted(data) && data->n > 1) {
        bench_parallel(data->n / 2, fill_needles, data);
        send(data);
    }
    data->found = data->n / 2;
    bench_parallel(data->found, expect_positions, data);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    const bench_data *const data = call->data;
    const clf_array all = data->in_array[0], in[] = {all, {all.buffer, data->limit / 2}};
    const cl_ulong half = call->shape.size / 2;
    return (is_merge(data) ? clf_merge : clf_bounds)(call->plan, how, half, half, in, data->out_array);
}

static bool find_word(const char *op, const char *type, bench_operator *found)
{
    return bench_find_operator(op, type, found) && found->in_size[0] == sizeof(cl_uint);
}

static clf_status bounds_plan(clf_context *context, const clf_operator *op, unsigned flags,
                              const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return clf_bounds_plan(context, op, CLF_UINT, flags, options, plan, error);
}

#define MERGE .plain = true, .unnamed = true, .open = open_rows, .expect = expect, .yardsticks = bench_copy, \
    .enqueue = enqueue
static const bench_kind merges = {MERGE}, bounds = {.find = find_word, MERGE};

const bench_primitive bench_merge_rows[] = {
    {"merge", &merges, .plan = clf_merge_plan, .define = bench_define_ordered},
    {"lower_bound", &bounds, .plan = bounds_plan, .define = bench_define_ordered},
    {"lower_bound_sorted", &bounds, .plan = bounds_plan, .define = bench_define_ordered,
     .flags = CLF_SORTED_NEEDLES}, {.name = NULL}};
