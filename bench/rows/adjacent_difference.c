/* SPDX-License-Identifier: MIT */
/*
 * Rows of adjacent_difference, and of segmented_adjacent_difference by splits: each element combined with the one
 * before it by what --op names. All sizes of one operator share one input and one expected result, those of the largest
 * size. Traffic: that of a copy.
 */
#include "rows/rows.h"

#include <string.h>

typedef struct job {
    const bench_data *data;
    cl_ulong size;
} job;

/* A result is the last one of a scan of two elements, or of the one that starts a segment. */
static void combine_neighbours(void *state, cl_ulong first, cl_ulong last)
{
    const job *j = state;
    const bench_operator *op = &j->data->op;
    uint64_t pair[BENCH_FIELDS][4]; /* fields are of 16 bytes at most */
    void *out[BENCH_FIELDS];
    for (unsigned o = 0; o < op->outputs; ++o)
        out[o] = pair[o];
    for (cl_ulong i = first; i < last; ++i) {
        const unsigned behind = i % j->size != 0;
        bench_scan_part(j->data, i - behind, 1 + behind, false, out);
        for (unsigned o = 0; o < op->outputs; ++o)
            memcpy((char *)j->data->expected[o] + i * op->out_size[o], (char *)pair[o] + behind * op->out_size[o],
                   op->out_size[o]);
    }
}

static void expect(bench_data *data, bench_shape shape)
{
    bench_parallel(shape.count * shape.size, combine_neighbours, &(job){data, shape.size});
}

static void expect_longest(bench_data *data)
{
    expect(data, (bench_shape){1, 1, data->limit});
}

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    return clf_segmented_adjacent_difference(call->plan, how, call->shape.count, call->shape.size, call->data->in_array,
                                             call->data->out_array);
}

static const bench_kind whole = {.open = expect_longest, .yardsticks = bench_copy, .enqueue = enqueue},
                        rows = {.segmented = true, .expect = expect, .yardsticks = bench_copy, .enqueue = enqueue};

const bench_primitive bench_adjacent_difference_rows[] = {
    {"adjacent_difference", &whole, .plan = clf_adjacent_difference_plan},
    {"segmented_adjacent_difference", &rows, .plan = clf_adjacent_difference_plan}, {.name = NULL}};
