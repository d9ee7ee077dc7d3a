/* SPDX-License-Identifier: MIT */
/*
 * Rows of sort: integers and floating-point numbers alone, and sort_pairs with their places, of 32 bits. Keys are
 * random; sorted already, backwards, all equal, of two values in turns, or of low entropy (random bits, of which three
 * must be set at once). Traffic: every value read once, and written once.
 */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

/* ---- Keys ------------------------------------------------------------------------------------------------------ */

static bool is_called(const bench_data *data, const char *name)
{
    return strcmp(data->primitive->name, name) == 0;
}

static uint64_t key_bits(const bench_data *data, cl_ulong i, unsigned bits)
{
    const uint64_t random = bench_hash(i), step = bits < 63 ? (UINT64_C(1) << bits) / data->limit : UINT64_C(1) << 32;
    if (is_called(data, "sort_sorted"))
        return i * (step ? step : 1);
    if (is_called(data, "sort_backwards"))
        return (data->limit - i) * (step ? step : 1);
    if (is_called(data, "sort_equal"))
        return 42;
    if (is_called(data, "sort_two"))
        return i % 2 ? 3 : 0x41414141;
    return is_called(data, "sort_entropy") ? random & bench_hash(~i) & bench_hash(i ^ 0x5555555555) : random;
}

static bool is_real(const bench_data *data)
{
    return data->op.type[0] == 'f';
}

/* The number whose place among all is `bits`; and back. Floating-point numbers are finite. */
static uint64_t place_of(const bench_data *data, uint64_t bits)
{
    const unsigned size = data->op.in_size[0];
    const uint64_t sign = UINT64_C(1) << (8 * size - 1), all = sign | (sign - 1);
    if (is_real(data))
        return bits & sign ? ~bits & all : bits | sign;
    return data->op.type[0] == 'i' ? bits ^ sign : bits;
}

static uint64_t number_at(const bench_data *data, uint64_t place)
{
    const unsigned size = data->op.in_size[0];
    const uint64_t sign = UINT64_C(1) << (8 * size - 1), all = sign | (sign - 1);
    if (is_real(data))
        return place & sign ? place ^ sign : ~place & all;
    return data->op.type[0] == 'i' ? place ^ sign : place;
}

/* A bit of the exponent is left out, so that there is no NaN. */
static void fill_keys(void *state, cl_ulong first, cl_ulong last)
{
    const bench_data *data = state;
    const unsigned size = data->op.in_size[0];
    const uint64_t finite = is_real(data) ? ~(UINT64_C(1) << (8 * size - 3)) : ~UINT64_C(0);
    for (cl_ulong i = first; i < last; i++) {
        uint64_t bits = key_bits(data, i, 8 * size) & finite;
        if (is_real(data) && (bits << (65 - 8 * size)) == 0)
            bits = 1; /* no zero: −0 and +0 are equal, and would stay in order */
        bench_store(data->in[0], i, size, bits);
        if (data->op.inputs > 1)
            bench_store(data->in[1], i, 4, i);
    }
}

void bench_sort_open(bench_data *data)
{
    bench_parallel(data->limit, fill_keys, data);
    for (unsigned f = 0; f < data->op.inputs; f++)
        bench_write(data->session->queue, data->in_array[f].buffer, data->in[f], data->limit * data->op.in_size[f]);
}

/* ---- What is right --------------------------------------------------------------------------------------------- */

typedef struct place {
    uint64_t place;
    cl_uint index;
} place;

static int compare(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

void bench_sort_stretch(bench_data *data, cl_ulong first, cl_ulong end)
{
    const unsigned size = data->op.in_size[0];
    place *const sorted = malloc((end - first + 1) * sizeof *sorted);
    if (!sorted)
        bench_die("out of memory");
    for (cl_ulong i = first; i < end; i++)
        sorted[i - first] = (place){place_of(data, bench_load(data->in[0], i, size)), (cl_uint)i};
    qsort(sorted, end - first, sizeof *sorted, compare);
    for (cl_ulong i = first; i < end; i++) {
        bench_store(data->expected[0], i, size, number_at(data, sorted[i - first].place));
        if (data->op.outputs > 1)
            bench_store(data->expected[1], i, 4, sorted[i - first].index);
    }
    free(sorted);
}

enum { BUCKET_BITS = 16, BUCKETS = 1 << BUCKET_BITS };
typedef struct buckets {
    bench_data *data;
    place *sorted;
    cl_ulong begin[BUCKETS + 1];
} buckets;

static void sort_buckets(void *state, cl_ulong first, cl_ulong last)
{
    buckets *b = state;
    const unsigned size = b->data->op.in_size[0];
    for (cl_ulong k = first; k < last; k++) {
        const cl_ulong begin = b->begin[k], end = b->begin[k + 1];
        qsort(b->sorted + begin, end - begin, sizeof *b->sorted, compare);
        for (cl_ulong i = begin; i < end; i++) {
            bench_store(b->data->expected[0], i, size, number_at(b->data, b->sorted[i].place));
            if (b->data->op.outputs > 1)
                bench_store(b->data->expected[1], i, 4, b->sorted[i].index);
        }
    }
}

/* By the upper bits to buckets, which are sorted for themselves. */
static void expect(bench_data *data, bench_shape shape)
{
    const unsigned size = data->op.in_size[0], shift = 8 * size > BUCKET_BITS ? 8 * size - BUCKET_BITS : 0;
    buckets *const b = calloc(1, sizeof *b);
    cl_ulong *const next = calloc(BUCKETS + 1, sizeof *next);
    place *const sorted = malloc((shape.size ? shape.size : 1) * sizeof *sorted);
    if (!b || !next || !sorted)
        bench_die("out of memory");
    b->data = data;
    b->sorted = sorted;
    for (cl_ulong i = 0; i < shape.size; i++)
        b->begin[(place_of(data, bench_load(data->in[0], i, size)) >> shift) + 1]++;
    for (unsigned k = 0; k < BUCKETS; k++)
        b->begin[k + 1] += b->begin[k];
    memcpy(next, b->begin, (BUCKETS + 1) * sizeof *next);
    for (cl_ulong i = 0; i < shape.size; i++) {
        const uint64_t bits = place_of(data, bench_load(data->in[0], i, size));
        sorted[next[bits >> shift]++] = (place){bits, (cl_uint)i};
    }
    bench_parallel(BUCKETS, sort_buckets, b);
    data->found = shape.size;
    free(sorted);
    free(next);
    free(b);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

void bench_sort_yardsticks(bench_data *data, bench_row *row)
{
    row->op = "-";
    row->bytes = 0;
    for (unsigned f = 0; f < data->op.inputs; f++)
        row->bytes += row->n * 2 * data->op.in_size[f];
    bench_copy(data, row);
}

static clf_status enqueue(const bench_call *call, cl_command_queue queue, cl_event *event)
{
    const clf_call how = {.size = sizeof how, .queue = queue, .event = event};
    return clf_sort(call->plan, &how, call->shape.size, call->data->in_array, call->data->out_array);
}

bool bench_find_pairs(const char *op, const char *type, bench_operator *found)
{
    if (!bench_find_operator(op, type, found))
        return false;
    found->inputs = found->outputs = 2;
    found->in_size[1] = found->out_size[1] = 4;
    return true;
}

/* Plans know the type by the sum of it that they are given. */
clf_status bench_sort_plan(clf_context *context, const clf_operator *op, unsigned flags,
                           const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    const clf_operator keys = {.size = sizeof keys, .value = op->value};
    return clf_sort_plan(context, &keys, flags, options, plan, error);
}

clf_status bench_sort_pairs_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                 const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    char value[64] = "";
    strncat(strncat(value, op->value, sizeof value - 20), " uint place;", 20);
    const clf_operator pairs = {.size = sizeof pairs, .value = value};
    return clf_sort_plan(context, &pairs, flags, options, plan, error);
}

void bench_sort_run(bench_session *session, const bench_primitive *self)
{
    static const bench_kind keys = {.plain = true, .reals = true, .open = bench_sort_open, .expect = expect,
                                    .yardsticks = bench_sort_yardsticks, .enqueue = enqueue, .marked = true,
                                    .name = bench_name_by_size};
    static const bench_kind pairs = {.plain = true, .reals = true, .find = bench_find_pairs, .open = bench_sort_open,
                                     .expect = expect, .yardsticks = bench_sort_yardsticks, .enqueue = enqueue,
                                     .marked = true, .name = bench_name_by_size};
    bench_run_kind(session, self, strcmp(self->name, "sort_pairs") == 0 ? &pairs : &keys);
}
