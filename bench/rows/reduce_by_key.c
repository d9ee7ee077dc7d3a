/* SPDX-License-Identifier: MIT */
/*
 * Rows of reduce_by_key: sums of integers by neighbouring keys of 32 bits, which are random, 0 to 3; and of
 * run_lengths: such integers themselves, and how often each follows itself, in 32 bits. Three of four elements start a
 * run. Traffic: every input read once, every result written once.
 */
#include "rows/rows.h"

#include <stdio.h>
#include <string.h>

static unsigned key_of(cl_ulong i) { return (unsigned)(bench_hash(i) >> 40 & 3); }
static bool is_head(cl_ulong i) { return i == 0 || key_of(i - 1) != key_of(i); }

/* ---- Operators ------------------------------------------------------------------------------------------------- */

/* Keys, then values. */
static void fill_by_key(const bench_operator *self, cl_ulong n, void *const *in)
{
    for (cl_ulong i = 0; i < n; ++i) {
        ((cl_uint *)in[0])[i] = key_of(i);
        bench_store(in[1], i, self->in_size[1], bench_hash(i));
    }
}

static bool find_by_key(const char *op, const char *type, bench_operator *found)
{
    if (!bench_find_operator(op, type, found))
        return false;
    const unsigned size = found->in_size[0];
    found->inputs = found->outputs = 2;
    found->in_size[0] = found->out_size[1] = 4;
    found->in_size[1] = found->out_size[0] = size;
    found->fill = fill_by_key;
    return true;
}

static void fill_runs(const bench_operator *self, cl_ulong n, void *const *in)
{
    for (cl_ulong i = 0; i < n; ++i)
        bench_store(in[0], i, self->in_size[0], key_of(i));
}

static bool find_runs(const char *op, const char *type, bench_operator *found)
{
    if (!bench_find_operator(op, type, found))
        return false;
    found->outputs = 2;
    found->out_size[0] = 4;
    found->out_size[1] = found->in_size[0];
    found->fill = fill_runs;
    return true;
}

static void define_by_key(bench_definition *d)
{
    snprintf(d->fields, sizeof d->fields, "uint key; %s", d->of->value);
    snprintf(d->source, sizeof d->source,
             "%s\nclf_value of(clf_input x, ulong i, clf_extra *e)\n"
             "{\n    clf_value y;\n    y.v = x.v;\n    e->key = x.key;\n    return y;\n}\n"
             "bool same(clf_input a, clf_input b) { return a.key == b.key; }\n",
             d->of->source);
    d->op = *d->of;
    d->op.input = d->fields;
    d->op.extra = "uint key;";
    d->op.source = d->source;
    d->op.map = "of";
    d->op.same = "same";
}

static void define_lengths(bench_definition *d)
{
    d->op = (clf_operator){
        .size = sizeof d->op, .input = d->of->value, .value = "uint length;", .extra = d->of->value, .map = "one",
        .combine = "add", .neutral = "zero", .same = "same", .flags = CLF_COMMUTATIVE,
        .source = "clf_value of(uint n) { clf_value y; y.length = n; return y; }\n"
                  "clf_value one(clf_input x, ulong i, clf_extra *e) { e->v = x.v; return of(1); }\n"
                  "clf_value add(clf_value a, clf_value b) { return of(a.length + b.length); }\n"
                  "clf_value zero(void) { return of(0); }\n"
                  "bool same(clf_input a, clf_input b) { return a.v == b.v; }\n"};
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

static void open_rows(bench_data *data) { data->count = (clf_array){bench_buffer(data->session->cl, 8), 0}; }
static void close_rows(bench_data *data) { clReleaseMemObject(data->count.buffer); }

/* Sums wrap around in as many bits as the device's: the low ones of 64. Lengths are sums of ones. */
static void expect(bench_data *data, bench_shape shape)
{
    const bench_operator *op = &data->op;
    const bool lengths = op->inputs == 1;
    uint64_t sum = 0;
    data->found = 0;
    for (cl_ulong i = 0; i < shape.size; ++i) {
        const uint64_t value = lengths ? 1 : bench_hash(i);
        sum = is_head(i) ? value : sum + value;
        data->found += is_head(i);
        bench_store(data->expected[0], data->found - 1, op->out_size[0], sum);
        bench_store(data->expected[1], data->found - 1, op->out_size[1], key_of(i));
    }
}

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    const cl_ulong n = call->shape.size;
    return clf_reduce_by_key(call->plan, how, n, n, call->data->in_array, call->data->out_array, &call->data->count);
}

#define RUNS .plain = true, .open = open_rows, .close = close_rows, .expect = expect, .yardsticks = bench_copy, \
    .enqueue = enqueue
static const bench_kind by_key = {.find = find_by_key, RUNS}, lengths = {.find = find_runs, RUNS};

const bench_primitive bench_reduce_by_key_rows[] = {
    {"reduce_by_key", &by_key, .plan = clf_reduce_by_key_plan, .define = define_by_key},
    {"run_lengths", &lengths, .plan = clf_reduce_by_key_plan, .define = define_lengths}, {.name = NULL}};
