/* SPDX-License-Identifier: MIT */
/*
 * Rows of reductions by index (histograms): elements are bins of 8 to 64 bits, beside what is combined by them
 * (bin_operators.c). The name says where elements fall: anywhere (histogram), all into one (_one_hot), into bin b about
 * 1 / (b + 1) times as often as into the first (_zipf), in ascending order (_sorted), like the shades of an image:
 * normally about the middle, bins / 8 from it in the mean (_gaussian), or into two by turns (_two_bins). Traffic: every
 * element read once, every result written once; read_us is what only reading as many bytes as the elements have takes.
 *
 * histogram_by_hand is what one does without reductions by index: a sort by bins, then a reduction by key. It leaves
 * out bins without elements, so there are to be none; and its values cannot depend on the index.
 */
#include "rows/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Plans ------------------------------------------------------------------------------------------------------ */

/* Those of --list are of counts. */
static void define(bench_definition *d)
{
    d->op = d->of->input ? *d->of : (clf_operator){
        .size = sizeof d->op, .input = d->of->value, .value = "uint count;", .map = "one", .combine = "clf_sum",
        .source = "clf_value one(clf_input x, ulong i) { clf_value v; v.count = 1; return v; }",
        .flags = CLF_COMMUTATIVE};
}

static clf_status by_index(clf_context *context, const clf_operator *op, unsigned flags,
                           const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    flags |= op->flags & CLF_COMMUTATIVE ? 0 : CLF_ORDERED;
    return clf_reduce_by_index_plan(context, op, flags, options, plan, error);
}

/* By hand, the sort: of all fields, by the first one, the bin. */
static void define_sort(bench_definition *d)
{
    d->op.value = d->of->input ? d->of->input : d->of->value;
}

/* And the reduction of what has been sorted. */
static clf_plan *by_key_plan(const bench_data *data)
{
    clf_operator op = *data->op.op;
    clf_plan *plan = NULL;
    char source[2048];
    snprintf(source, sizeof source, "%s\nbool same_bin(clf_input a, clf_input b) { return a.bin == b.bin; }\n",
             op.source);
    op.source = source;
    op.same = "same_bin";
    op.flags &= CLF_COMMUTATIVE;
    bench_check(clf_reduce_by_key_plan(data->session->clf, &op, 0, NULL, &plan, NULL), "clf_reduce_by_key_plan");
    return plan;
}

/* ---- Where elements fall --------------------------------------------------------------------------------------- */

static cl_ulong clamp(double place, cl_ulong bins)
{
    return place < 0 ? 0 : place < (double)bins ? (cl_ulong)place : bins - 1;
}

static cl_ulong bin_at(const bench_data *data, cl_ulong i)
{
    const char *const primitive = data->primitive->name;
    const cl_ulong bins = data->bins;
    if (strstr(primitive, "one_hot"))
        return bins / 3;
    if (strstr(primitive, "two_bins"))
        return i % 2 ? bins / 2 : 0;
    if (strstr(primitive, "sorted"))
        return clamp((double)i / (double)data->limit * (double)bins, bins);
    if (strstr(primitive, "zipf"))
        return clamp(pow((double)bins + 1, bench_uniform(i)) - 1, bins);
    if (strstr(primitive, "gaussian")) { /* Box and Muller 1958 */
        const double normal = sqrt(-2 * log(1 - bench_uniform(i))) * cos(6.283185307179586 * bench_uniform(~i));
        return clamp((double)bins / 2 + normal * (double)bins / 8, bins);
    }
    return clamp(bench_uniform(i) * (double)bins, bins);
}

static void fill_elements(void *state, cl_ulong first, cl_ulong last)
{
    const bench_data *const data = state;
    for (cl_ulong i = first; i < last; ++i)
        bench_store(data->in[0], i, data->op.in_size[0], bin_at(data, i));
    bench_fill_bin_values(&data->op, data->limit, first, last, data->in);
}

static clf_array sorted[BENCH_FIELDS], bins_found; /* by hand */

static bool is_by_hand(const bench_data *data)
{
    return strstr(data->primitive->name, "by_hand");
}

static void open_rows(bench_data *data)
{
    bench_parallel(data->limit, fill_elements, data);
    for (unsigned f = 0; f < data->op.inputs; ++f)
        bench_write(data->session->queue, data->in_array[f].buffer, data->in[f], data->limit * data->op.in_size[f]);
    if (!is_by_hand(data))
        return;
    for (unsigned f = 0; f < data->op.inputs; ++f)
        sorted[f].buffer = bench_buffer(data->session->cl, data->limit * data->op.in_size[f]);
    bins_found.buffer = bench_buffer(data->session->cl, sizeof(cl_ulong));
    data->plain = by_key_plan(data);
}

static void close_rows(bench_data *data)
{
    if (!is_by_hand(data))
        return;
    for (unsigned f = 0; f < data->op.inputs; ++f)
        clReleaseMemObject(sorted[f].buffer);
    clReleaseMemObject(bins_found.buffer);
    clf_plan_release(data->plain);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

/* Every part of the bins looks at all elements. */
static void combine(void *state, cl_ulong first, cl_ulong last)
{
    const bench_data *const data = state;
    bench_combine_bins(&data->op, data->n, first, last, data->in, data->expected);
}

/* No more results than elements: outputs have room for so many. */
static void expect(bench_data *data, bench_shape shape)
{
    data->found = data->bins < shape.size ? data->bins : shape.size;
    bench_parallel(data->found, combine, data);
}

static clf_status enqueue_by_hand(const bench_call *call, const clf_call *how)
{
    const cl_ulong n = call->shape.size;
    if (n < 32 * call->data->bins)
        return CLF_E_UNSUPPORTED;
    const clf_status status = clf_sort(call->plan, CLF_ON(how->queue), n, call->data->in_array, sorted);
    if (status != CLF_SUCCESS)
        return status;
    return clf_reduce_by_key(call->data->plain, how, n, call->results, sorted, call->data->out_array, &bins_found);
}

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    return clf_reduce_by_index(call->plan, how, call->shape.size, call->results, call->data->in_array,
                               call->data->out_array);
}

static const char *const by_hand_ops[] = {"count", "own_count", "sum", "max", "box", "mat2", NULL};
#define HISTOGRAM .binned = true, .find = bench_find_bin_operator, .open = open_rows, .close = close_rows, \
    .expect = expect, .yardsticks = bench_read_inputs, .marked = true
static const bench_kind kind = {.ops = bench_bin_ops, .enqueue = enqueue, HISTOGRAM},
                        by_hand = {.ops = by_hand_ops, .enqueue = enqueue_by_hand, HISTOGRAM};

#define ROWS(name) {#name, &kind, .plan = by_index, .define = define}
const bench_primitive bench_histogram_rows[] = {
    ROWS(histogram), ROWS(histogram_one_hot), ROWS(histogram_zipf), ROWS(histogram_sorted), ROWS(histogram_gaussian),
    ROWS(histogram_two_bins),
    {"histogram_by_hand", &by_hand, .plan = clf_sort_plan, .define = define_sort}, {.name = NULL}};
