/* SPDX-License-Identifier: MIT */
/*
 * Rows of filter and unique on plain values, by how many are kept: filter keeps half of them, each for itself;
 * filter_1, filter_99 … so many percent; filter_runs half of them, in runs, and filter_runs_1 … so many percent. unique
 * keeps the first of each run, which are three values of four. filter_bits keeps what filter does, told by an array of
 * bits; filter_tuple what filter does, with a float and an unsigned integer beside each value; filter_placed what
 * filter does, by a scan that places its results. partition keeps one of every two, and writes the others behind them.
 * Traffic: every input read once, every result written once.
 */
#include "rows/rows.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Values ---------------------------------------------------------------------------------------------------- */

/* Of 128 values so many are kept: 128 for all. */
static unsigned kept_of_128(const char *primitive)
{
    const char *const number = strrchr(primitive, '_');
    const long percent = number && isdigit((unsigned char)number[1]) ? strtol(number + 1, NULL, 10) : 50;
    if (strcmp(primitive, "unique") == 0)
        return 96;
    return percent == 1 ? 1 : percent == 99 ? 127 : (unsigned)(percent * 128 / 100);
}

/* Where all or none are kept, bits of 127 do not occur: the compiler must not know. */
static void write_bound(const char *primitive, char bound[16])
{
    const unsigned kept = kept_of_128(primitive);
    snprintf(bound, 16, kept ? "< %u" : "== 127", kept < 128 ? kept : 127);
}

/* Seven bits decide: of runs those of a stretch of 1000. */
static uint64_t value_of(const char *primitive, cl_ulong i)
{
    const uint64_t bits = bench_hash(i);
    if (kept_of_128(primitive) % 128 == 0 && (bits & 127) == 127)
        return bits - 1;
    if (strcmp(primitive, "partition") == 0) /* one of every two elements, by chance */
        return (bits & ~UINT64_C(64)) | ((bench_hash(i / 2) + i) & 1) << 6;
    if (strncmp(primitive, "filter_runs", 11) == 0)
        return (bits & ~UINT64_C(127)) | (bench_hash(i / 1000) & 127);
    return bits;
}

/* What stands beside a value: a float, and an unsigned integer. */
enum { TUPLE = 3 };
static uint64_t other_of(unsigned field, cl_ulong i)
{
    const float real = (float)(bench_hash(~i) >> 40);
    cl_uint bits;
    memcpy(&bits, &real, sizeof bits);
    return field == 1 ? bits : (cl_uint)(bench_hash(i) >> 32);
}

typedef struct job {
    bench_data *data;
    const char *primitive;
} job;

static void fill_values(void *state, cl_ulong first, cl_ulong last)
{
    const job *j = state;
    const bench_operator *const op = &j->data->op;
    for (cl_ulong i = first; i < last; ++i)
        for (unsigned f = 0; f < op->inputs; ++f)
            bench_store(j->data->in[f], i, op->in_size[f], f ? other_of(f, i) : value_of(j->primitive, i));
}

static void fill_runs(const job *j)
{
    uint64_t run = 0;
    for (cl_ulong i = 0; i < j->data->limit; ++i) {
        run += (bench_hash(i) & 127) < kept_of_128(j->primitive);
        bench_store(j->data->in[0], i, j->data->op.in_size[0], run);
    }
}

static bool is_kept(const job *j, cl_ulong i)
{
    if (strcmp(j->primitive, "unique") == 0)
        return i == 0 || (bench_hash(i) & 127) < kept_of_128(j->primitive);
    return (value_of(j->primitive, i) & 127) < kept_of_128(j->primitive);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

static bool by_bits(const bench_data *data)
{
    return strcmp(data->primitive->name, "filter_bits") == 0;
}

static cl_ulong words_of(cl_ulong n)
{
    return (n + 31) / 32;
}

/* The second input: a bit for each element. */
static void open_bits(bench_data *data, const job *j)
{
    const cl_ulong words = words_of(data->limit);
    cl_uint *bits = bench_alloc((size_t)words * sizeof *bits);
    memset(bits, 0, (size_t)words * sizeof *bits);
    for (cl_ulong i = 0; i < data->limit; ++i)
        bits[i / 32] |= (cl_uint)is_kept(j, i) << i % 32;
    data->in_array[1] = (clf_array){bench_buffer(data->session->cl, words * sizeof *bits), 0};
    bench_write(data->session->queue, data->in_array[1].buffer, bits, words * sizeof *bits);
    free(bits);
}

static void open_rows(bench_data *data)
{
    job j = {data, data->primitive->name};
    data->count = (clf_array){bench_buffer(data->session->cl, 16), 0};
    data->kept = kept_of_128(j.primitive);
    if (strcmp(j.primitive, "unique") == 0)
        fill_runs(&j);
    else
        bench_parallel(data->limit, fill_values, &j);
    if (by_bits(data))
        open_bits(data, &j);
    for (unsigned f = 0; f < data->op.inputs; ++f)
        bench_write(data->session->queue, data->in_array[f].buffer, data->in[f], data->limit * data->op.in_size[f]);
}

static void close_rows(bench_data *data)
{
    if (by_bits(data))
        clReleaseMemObject(data->in_array[1].buffer);
    clReleaseMemObject(data->count.buffer);
}

static bool is_partition(const bench_data *data)
{
    return strcmp(data->primitive->name, "partition") == 0;
}

static void expect_one(bench_data *data, cl_ulong from, cl_ulong to)
{
    for (unsigned f = 0; f < data->op.inputs; ++f) {
        const unsigned size = data->op.in_size[f];
        memcpy((char *)data->expected[f] + to * size, (char *)data->in[f] + from * size, size);
    }
}

static void expect(bench_data *data, bench_shape shape)
{
    const job j = {data, data->primitive->name};
    cl_ulong others = shape.size / 2; /* behind as many that are kept */
    data->found = 0;
    for (cl_ulong i = 0; i < shape.size; ++i)
        if (is_kept(&j, i))
            expect_one(data, i, data->found++);
        else if (is_partition(data))
            expect_one(data, i, others++);
    if (is_partition(data))
        data->found = others;
}

static void yardsticks(bench_data *data, bench_row *row)
{
    row->bytes += by_bits(data) ? words_of(row->n) * sizeof(cl_uint) : 0;
    bench_copy(data, row);
}

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    const cl_ulong n = call->shape.size;
    const bool unique = strcmp(call->data->primitive->name, "unique") == 0;
    const clf_array *const out = call->data->out_array, halves[] = {out[0], {out[0].buffer, out[0].offset + n / 2}};
    if (is_partition(call->data)) /* of an odd number the halves are not equal: refused */
        return n % 2 ? CLF_E_UNSUPPORTED
                     : clf_partition(call->plan, how, n, n / 2, call->data->in_array, halves, &call->data->count);
    return (unique ? clf_unique : clf_filter)(call->plan, how, n, n, call->data->in_array, out, &call->data->count);
}

/* What to keep, by the primitive. */
static void define(bench_definition *d)
{
    char bound[16];
    write_bound(d->primitive, bound);
    d->op.predicate = "kept";
    d->op.source = d->source;
    snprintf(d->source, sizeof d->source, "bool kept(clf_input x, ulong i) { return (x.v & 127) %s; }", bound);
}

static clf_status enqueue_placed(const bench_call *call, const clf_call *how)
{
    const bench_data *const data = call->data;
    return clf_scan_placed(call->plan, how, call->shape.size, call->shape.size, data->in_array, data->out_array,
                           &data->count);
}

static void define_placed(bench_definition *d)
{
    d->op.input = d->op.result = d->of->value;
    d->op.value = "uint kept;";
    d->op.map = "count";
    d->op.combine = "clf_sum";
    d->op.flags = CLF_COMMUTATIVE | CLF_NO_INDEX;
    d->op.finish = "itself";
    d->op.place = "to";
    d->op.source =
        "clf_value count(clf_input x, ulong i) { clf_value v = {(x.v & 127) < 64}; return v; }\n"
        "clf_result itself(clf_value a, clf_value before, clf_input x, ulong i)\n"
        "{ clf_result r = {x.v}; return r; }\n"
        "ulong to(clf_value a, clf_value before, clf_input x, ulong i)\n"
        "{ return a.kept > before.kept ? before.kept : CLF_NOWHERE; }\n";
}

static void define_tuple(bench_definition *d)
{
    define(d);
    snprintf(d->fields, sizeof d->fields, "%s float weight; uint id;", d->of->value);
    d->op.value = d->fields;
}

static void define_bits(bench_definition *d)
{
    d->op.predicate = "kept";
    d->op.captured = "uint bits;";
    d->op.source = "bool kept(clf_input x, ulong i, const clf_captured *c) { return c->bits[i / 32] >> i % 32 & 1; }";
}

static void define_unique(bench_definition *d)
{
    d->op.same = "same";
    d->op.source = "bool same(clf_input a, clf_input b) { return a.v == b.v; }";
}

static bool find_tuple(const char *op, const char *type, bench_operator *found)
{
    if (!bench_find_operator(op, type, found))
        return false;
    found->inputs = found->outputs = TUPLE;
    for (unsigned f = 1; f < TUPLE; ++f)
        found->in_size[f] = found->out_size[f] = 4;
    return true;
}

#define FILTER .plain = true, .unnamed = true, .open = open_rows, .close = close_rows, .expect = expect, \
    .yardsticks = yardsticks
static const bench_kind kind = {FILTER, .enqueue = enqueue}, placed = {FILTER, .enqueue = enqueue_placed},
                        tuples = {FILTER, .enqueue = enqueue, .find = find_tuple};

#define ROWS(name) {#name, &kind, .plan = clf_filter_plan, .define = define}
const bench_primitive bench_filter_rows[] = {
    ROWS(filter), ROWS(filter_0), ROWS(filter_1), ROWS(filter_25), ROWS(filter_75), ROWS(filter_99), ROWS(filter_100),
    ROWS(filter_runs), ROWS(filter_runs_1), ROWS(filter_runs_25), ROWS(filter_runs_75), ROWS(filter_runs_99),
    {"filter_bits", &kind, .plan = clf_filter_plan, .define = define_bits},
    {"filter_placed", &placed, .plan = clf_scan_plan, .define = define_placed},
    {"filter_tuple", &tuples, .plan = clf_filter_plan, .define = define_tuple},
    {"unique", &kind, .plan = clf_unique_plan, .define = define_unique},
    {"partition", &kind, .plan = clf_partition_plan, .define = define}, {.name = NULL}};
