/* SPDX-License-Identifier: MIT */
/*
 * Rows of reductions by index that count: elements are bins of 8 to 64 bits, and results numbers of 32. The name says
 * how many bins, and where elements fall: anywhere (histogram_256), all into one (_one_hot), into bin b about
 * 1 / (b + 1) times as often as into the first (_zipf), or in ascending order (_sorted). Traffic: every element read
 * once, every result written once; read_us is what only reading as many bytes takes.
 */
#include "rows.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Operators ------------------------------------------------------------------------------------------------- */

/* "histogram_256_zipf": 256. */
static cl_ulong bins_of(const char *primitive)
{
    while (*primitive && !isdigit((unsigned char)*primitive))
        primitive++;
    return strtoull(primitive, NULL, 10);
}

/* No more than elements: outputs have room for so many. */
static cl_ulong results_of(const bench_data *data, bench_shape shape)
{
    const cl_ulong bins = bins_of(data->primitive->name);
    return bins < shape.size ? bins : shape.size;
}

static cl_ulong bins_to_find; /* of the primitive at hand */

/* Types that can say all bins. */
static bool find(const char *op, const char *type, bench_operator *found)
{
    if (!bench_find_operator(op, type, found))
        return false;
    if (found->in_size[0] < 8 && bins_to_find > 1ull << 8 * found->in_size[0])
        return false;
    found->outputs = 1;
    found->out_size[0] = 4;
    return true;
}

/* Plans know the type by the sum of it that they are given. Of signed types the bits are taken as they are. */
clf_status bench_histogram_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    const bool bytes = strstr(op->value, "char") != NULL, shorts = strstr(op->value, "short") != NULL;
    const clf_operator counts = {
        .size = sizeof counts, .input = bytes ? "uchar v;" : shorts ? "ushort v;" : op->value, .value = "uint count;",
        .map = "one", .combine = "clf_sum", .flags = CLF_COMMUTATIVE,
        .source = "clf_value one(clf_input x, ulong i) { clf_value v; v.count = 1; return v; }"};
    return clf_reduce_by_index_plan(context, &counts, flags, options, plan, error);
}

/* The same by exchanges, which operators of the caller's own take. */
clf_status bench_histogram_own_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                    const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    const bool bytes = strstr(op->value, "char") != NULL, shorts = strstr(op->value, "short") != NULL;
    const clf_operator counts = {
        .size = sizeof counts, .input = bytes ? "uchar v;" : shorts ? "ushort v;" : op->value, .value = "uint count;",
        .map = "one", .combine = "add", .neutral = "zero", .flags = CLF_COMMUTATIVE,
        .source = "clf_value one(clf_input x, ulong i) { clf_value v; v.count = 1; return v; }\n"
                  "clf_value add(clf_value a, clf_value b) { a.count += b.count; return a; }\n"
                  "clf_value zero(void) { clf_value v; v.count = 0; return v; }\n"};
    return clf_reduce_by_index_plan(context, &counts, flags, options, plan, error);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

static cl_ulong bin_at(const bench_data *data, cl_ulong i)
{
    const char *const primitive = data->primitive->name;
    const cl_ulong bins = bins_of(primitive);
    const double place = (double)(bench_hash(i) >> 11) / 9007199254740992.0; /* from 0 to 1 */
    if (strstr(primitive, "one_hot"))
        return bins / 3;
    if (strstr(primitive, "sorted"))
        return (cl_ulong)((double)i / (double)data->limit * (double)bins);
    if (!strstr(primitive, "zipf"))
        return (cl_ulong)(place * (double)bins);
    const cl_ulong bin = (cl_ulong)pow((double)bins + 1, place) - 1;
    return bin < bins ? bin : bins - 1;
}

static void fill_bins(void *state, cl_ulong first, cl_ulong last)
{
    const bench_data *const data = state;
    for (cl_ulong i = first; i < last; i++)
        bench_store(data->in[0], i, data->op.in_size[0], bin_at(data, i));
}

static void open_rows(bench_data *data)
{
    bench_parallel(data->limit, fill_bins, data);
    bench_write(data->session->queue, data->in_array[0].buffer, data->in[0], data->limit * data->op.in_size[0]);
}

static void expect(bench_data *data, bench_shape shape)
{
    cl_uint *const counts = data->expected[0];
    data->found = results_of(data, shape);
    memset(counts, 0, data->found * sizeof *counts);
    for (cl_ulong i = 0; i < shape.size; i++) {
        const uint64_t bin = bench_load(data->in[0], i, data->op.in_size[0]);
        if (bin < data->found)
            counts[bin]++;
    }
}

static void yardsticks(bench_data *data, bench_row *row)
{
    row->op = "-";
    row->read_us = bench_read_us(data->session, row->n * data->op.in_size[0]);
}

static clf_status enqueue(const bench_call *call, cl_command_queue queue, cl_event *event)
{
    const clf_call how = {.size = sizeof how, .queue = queue, .event = event};
    return clf_reduce_by_index(call->plan, &how, call->shape.size, call->results, call->data->in_array,
                               call->data->out_array);
}

void bench_histogram_run(bench_session *session, const bench_primitive *self)
{
    static const bench_kind kind = {.plain = true, .find = find, .open = open_rows, .expect = expect,
                                    .yardsticks = yardsticks, .enqueue = enqueue, .marked = true,
                                    .name = bench_name_by_size};
    bins_to_find = bins_of(self->name);
    bench_run_kind(session, self, &kind);
}
