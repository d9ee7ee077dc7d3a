/* SPDX-License-Identifier: MIT */
/*
 * Rows of scans that do more than sum up from the left, on plain values: from the right (scan_reverse); with sums of
 * floats that repeat (scan_repeatable); of all elements but the first, so that no array is aligned (scan_unaligned);
 * and with results of half the size, the upper 16 bits of 4-byte sums, made by the operator's finish (scan_narrowed).
 * Traffic: every input read once, every output written once.
 */
#include "rows/rows.h"

#include <stdlib.h>
#include <string.h>

static void expect_longest(bench_data *data)
{
    bench_expect_scans(data, (bench_shape){1, 1, data->limit});
}

static void turn(void *to, const void *from, cl_ulong n, unsigned size)
{
    for (cl_ulong i = 0; i < n; ++i)
        bench_store(to, i, size, bench_load(from, n - 1 - i, size));
}

/* Sums commute: a scan of the elements turned round, turned round. */
static void expect_reverse(bench_data *data, bench_shape shape)
{
    const bench_operator *const op = &data->op;
    void *const in = bench_alloc((size_t)(shape.size * op->in_size[0]));
    void *const out = bench_alloc((size_t)(shape.size * op->out_size[0]));
    turn(in, data->in[0], shape.size, op->in_size[0]);
    op->scan(op, shape.size, false, &in, &out);
    turn(data->expected[0], out, shape.size, op->out_size[0]);
    free(in);
    free(out);
}

/* Nobody writes the first result. */
static void expect_unaligned(bench_data *data, bench_shape shape)
{
    const bench_operator *const op = &data->op;
    void *const in = (char *)data->in[0] + op->in_size[0], *const out = (char *)data->expected[0] + op->out_size[0];
    memset(data->expected[0], BENCH_POISON, op->out_size[0]);
    op->scan(op, shape.size - 1, false, &in, &out);
}

static clf_status enqueue_unaligned(const bench_call *call, const clf_call *how)
{
    const clf_array in = {call->data->in_array[0].buffer, 1}, out = {call->data->out_array[0].buffer, 1};
    return clf_scan(call->plan, how, call->shape.size - 1, &in, &out);
}

static bool find_words(const char *op, const char *type, bench_operator *found)
{
    if (!bench_find_operator(op, type, found) || found->out_size[0] != 4)
        return false;
    found->out_size[0] = 2;
    return true;
}

static void expect_narrowed(bench_data *data)
{
    const bench_operator *const op = &data->op;
    void *sums = bench_alloc((size_t)(data->limit * sizeof(cl_uint)));
    op->scan(op, data->limit, false, data->in, &sums);
    for (cl_ulong i = 0; i < data->limit; ++i)
        bench_store(data->expected[0], i, 2, bench_load(sums, i, 4) >> 16);
    free(sums);
}

static void define_narrowed(bench_definition *d)
{
    d->op = *d->of;
    d->op.result = "ushort upper;";
    d->op.finish = "upper_half";
    d->op.source =
        "clf_result upper_half(clf_value a, clf_value before, clf_input x, ulong i)\n"
        "{ clf_result r = {(ushort)(as_uint(a.v) >> 16)}; return r; }\n";
}

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    return clf_scan(call->plan, how, call->shape.size, call->data->in_array, call->data->out_array);
}

#define FORM .plain = true, .reals = true, .yardsticks = bench_copy, .marked = true
static const bench_kind repeatable = {FORM, .enqueue = enqueue, .open = expect_longest};
static const bench_kind reverse = {FORM, .enqueue = enqueue, .expect = expect_reverse};
static const bench_kind unaligned = {FORM, .enqueue = enqueue_unaligned, .expect = expect_unaligned};
static const bench_kind narrowed = {FORM, .enqueue = enqueue, .find = find_words, .open = expect_narrowed};

const bench_primitive bench_scan_form_rows[] = {
    {"scan_reverse", &reverse, .plan = clf_scan_plan, .flags = CLF_REVERSE},
    {"scan_repeatable", &repeatable, .plan = clf_scan_plan, .flags = CLF_REPEATABLE},
    {"scan_unaligned", &unaligned, .plan = clf_scan_plan},
    {"scan_narrowed", &narrowed, .plan = clf_scan_plan, .define = define_narrowed}, {.name = NULL}};
