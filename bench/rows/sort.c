/* SPDX-License-Identifier: MIT */
/*
 * Rows of sort: integers and floating-point numbers alone, and sort_pairs with their places, of 32 bits (keys.c), which
 * sort_indices ("argsort") makes itself. sort_low8 is of integers of 16 bits and more, by their 8 low bits. Traffic:
 * every value read once, and written once. Rows of merge_sort are the same, by a comparison; is_sorted reads what is
 * sorted.
 */
#include "rows/rows.h"

#include <stdlib.h>
#include <string.h>

static bool is_named(const char *primitive, const char *with)
{
    return strstr(primitive, with);
}

/* ---- What is right --------------------------------------------------------------------------------------------- */

enum { BUCKET_BITS = 16, BUCKETS = 1 << BUCKET_BITS };
typedef struct buckets {
    bench_data *data;
    bench_place *sorted;
    unsigned shift;
    cl_ulong begin[BUCKETS + 1];
} buckets;

/* By the upper ones of those bits in which places differ. */
static unsigned shift_of(const bench_data *data, cl_ulong n)
{
    uint64_t differ = 0;
    unsigned bits = 0;
    for (cl_ulong i = 1; i < n; ++i)
        differ |= bench_place_at(data, i) ^ bench_place_at(data, 0);
    for (; differ; differ >>= 1)
        ++bits;
    return bits > BUCKET_BITS ? bits - BUCKET_BITS : 0;
}

static unsigned bucket_of(const buckets *b, uint64_t place)
{
    return place >> b->shift & (BUCKETS - 1);
}

static void sort_buckets(void *state, cl_ulong first, cl_ulong last)
{
    buckets *b = state;
    for (cl_ulong k = first; k < last; ++k) {
        const cl_ulong begin = b->begin[k], count = b->begin[k + 1] - begin;
        if (b->shift) /* else all in a bucket are equal, and in order */
            bench_sort_places(b->sorted + begin, count);
        bench_expect_places(b->data, b->sorted + begin, count, begin);
    }
}

/* By the upper bits to buckets, which are sorted for themselves. */
static void expect(bench_data *data, bench_shape shape)
{
    buckets *const b = calloc(1, sizeof *b);
    cl_ulong *const next = calloc(BUCKETS + 1, sizeof *next);
    if (!b || !next)
        bench_die("out of memory");
    b->data = data;
    b->shift = shift_of(data, shape.size);
    b->sorted = bench_alloc_places(shape.size);
    for (cl_ulong i = 0; i < shape.size; ++i)
        ++b->begin[bucket_of(b, bench_place_at(data, i)) + 1];
    for (unsigned k = 0; k < BUCKETS; ++k)
        b->begin[k + 1] += b->begin[k];
    memcpy(next, b->begin, (BUCKETS + 1) * sizeof *next);
    for (cl_ulong i = 0; i < shape.size; ++i) {
        const uint64_t place = bench_place_at(data, i);
        b->sorted[next[bucket_of(b, place)]++] = (bench_place){place, i};
    }
    bench_parallel(BUCKETS, sort_buckets, b);
    data->found = shape.size;
    free(b->sorted);
    free(next);
    free(b);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    return (is_named(call->data->primitive->name, "merge_sort") ? clf_merge_sort : clf_sort)(
        call->plan, how, call->shape.size, call->data->in_array, call->data->out_array);
}

static bool find_indices(const char *op, const char *type, bench_operator *found)
{
    if (!bench_find_operator(op, type, found))
        return false;
    found->outputs = 2;
    found->out_size[1] = 4;
    return true;
}

static bool find_wide(const char *op, const char *type, bench_operator *found)
{
    return bench_find_operator(op, type, found) && found->in_size[0] > 1;
}

/* Numbers by their low bits alone. */
static void define_low_bytes(bench_definition *d)
{
    d->op.key = "uchar low";
    d->op.source = "uchar low(clf_value x) { return (uchar)x.v; }";
}

/* Places are no input: the first pass makes them. */
static void define_indices(bench_definition *d)
{
    bench_define_pairs(d);
    d->op.input = d->of->value;
    d->op.map = "at";
    d->op.source = "clf_value at(clf_input x, ulong i) { clf_value y; y.v = x.v; y.place = (uint)i; return y; }";
}

static void define_ordered_pairs(bench_definition *d)
{
    bench_define_pairs(d);
    bench_define_ordered(d);
}

/* ---- Is it sorted? --------------------------------------------------------------------------------------------- */

static bool find_sorted(const char *op, const char *type, bench_operator *found)
{
    if (!bench_find_operator(op, type, found))
        return false;
    found->out_size[0] = sizeof(cl_ulong);
    return true;
}

/* Narrow keys begin again, or stay: the first descent is looked for. */
static void expect_sorted(bench_data *data, bench_shape shape)
{
    cl_ulong i = 1;
    while (i < shape.size && bench_place_at(data, i - 1) <= bench_place_at(data, i))
        ++i;
    *(cl_ulong *)data->expected[0] = shape.size ? i : 0;
    data->found = 1;
}

static void read_keys(bench_data *data, bench_row *row)
{
    row->bytes = row->n * data->op.in_size[0];
    bench_read_all(data, row);
}

static clf_status enqueue_test(const bench_call *call, const clf_call *how)
{
    return clf_is_sorted(call->plan, how, call->shape.size, call->data->in_array, call->data->out_array);
}

/* ---- The list ---------------------------------------------------------------------------------------------------- */

#define SORT .plain = true, .unnamed = true, .open = bench_open_keys, .expect = expect, .yardsticks = bench_copy, \
    .enqueue = enqueue, .marked = true
static const bench_kind keys = {.reals = true, SORT}, pairs = {.reals = true, .find = bench_find_pairs, SORT},
                        indices = {.reals = true, .find = find_indices, SORT}, low = {.find = find_wide, SORT},
                        test = {.plain = true, .reals = true, .unnamed = true, .find = find_sorted,
                                .open = bench_open_keys, .expect = expect_sorted, .yardsticks = read_keys,
                                .enqueue = enqueue_test, .marked = true};

#define KEYS(name) {#name, &keys, .plan = clf_sort_plan, .define = bench_define_keys}
#define MERGE(name) {#name, &keys, .plan = clf_merge_sort_plan, .define = bench_define_ordered}
const bench_primitive bench_sort_rows[] = {
    KEYS(sort), KEYS(sort_sorted), KEYS(sort_backwards), KEYS(sort_equal), KEYS(sort_two), KEYS(sort_entropy),
    KEYS(sort_zipf), KEYS(sort_alternating), KEYS(sort_ids),
    {"sort_low8", &low, .plan = clf_sort_plan, .define = define_low_bytes},
    {"sort_pairs", &pairs, .plan = clf_sort_plan, .define = bench_define_pairs},
    {"sort_indices", &indices, .plan = clf_sort_plan, .define = define_indices}, {.name = NULL}};

const bench_primitive bench_merge_sort_rows[] = {
    MERGE(merge_sort), MERGE(merge_sort_sorted), MERGE(merge_sort_two),
    {"merge_sort_pairs", &pairs, .plan = clf_merge_sort_plan, .define = define_ordered_pairs},
    {"is_sorted", &test, .plan = clf_is_sorted_plan, .define = bench_define_ordered}, {.name = NULL}};
