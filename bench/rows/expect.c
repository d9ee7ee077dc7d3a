/* SPDX-License-Identifier: MIT */
/*
 * What segments must come to: each one's sequential scan (bench_scan_part, whatever its length), and its last element
 * for a reduction. All are shared out to all of the host's processors.
 */
#include "rows/rows.h"

#include <stdlib.h>
#include <string.h>

typedef struct job {
    bench_data *data;
    cl_ulong size;
} job;

void bench_scan_part(const bench_data *data, cl_ulong first, cl_ulong size, bool exclusive, void *const *out)
{
    bench_operator op = data->op;
    void *in[BENCH_FIELDS];
    op.first = first;
    for (unsigned i = 0; i < op.inputs; ++i) {
        const bool captured = i + op.captured >= op.inputs;
        in[i] = (char *)data->in[i] + (captured ? 0 : first * op.in_size[i]);
    }
    op.scan(&op, size, exclusive, in, out);
}

static cl_ulong start_of(const job *j, cl_ulong segment)
{
    return j->data->segments ? j->data->segments->starts[segment] : segment * j->size;
}

static cl_ulong length_of(const job *j, cl_ulong segment)
{
    return start_of(j, segment + 1) - start_of(j, segment);
}

static void scan_segments(void *state, cl_ulong first, cl_ulong last)
{
    const job *j = state;
    const bench_operator *op = &j->data->op;
    const bool exclusive = (j->data->primitive->flags & CLF_EXCLUSIVE) != 0;
    void *out[BENCH_FIELDS];
    for (cl_ulong s = first; s < last; ++s) {
        for (unsigned o = 0; o < op->outputs; ++o)
            out[o] = (char *)j->data->expected[o] + start_of(j, s) * op->out_size[o];
        bench_scan_part(j->data, start_of(j, s), length_of(j, s), exclusive, out);
    }
}

static cl_ulong count_of(const bench_data *data, bench_shape shape)
{
    return data->segments ? data->segments->count : shape.count;
}

void bench_expect_scans(bench_data *data, bench_shape shape)
{
    bench_parallel(count_of(data, shape), scan_segments, &(job){data, shape.size});
}

/* Its value is the last of its scan; an empty one's is the first of an exclusive scan of anything. */
static void reduce_segment(const job *j, cl_ulong s, void *const *sums)
{
    const bench_operator *op = &j->data->op;
    const cl_ulong size = length_of(j, s), last = size ? size - 1 : 0;
    bench_scan_part(j->data, size ? start_of(j, s) : 0, last + 1, size == 0, sums);
    for (unsigned o = 0; o < op->outputs - op->extras; ++o) {
        const size_t bytes = op->out_size[o];
        memcpy((char *)j->data->expected[o] + s * bytes, (char *)sums[o] + last * bytes, bytes);
    }
}

static void reduce_segments(void *state, cl_ulong first, cl_ulong last)
{
    const job *j = state;
    const bench_operator *op = &j->data->op;
    const unsigned values = op->outputs - op->extras;
    void *sums[BENCH_FIELDS];
    cl_ulong longest = 1;
    for (cl_ulong s = first; s < last; ++s)
        longest = length_of(j, s) > longest ? length_of(j, s) : longest;
    for (unsigned o = 0; o < values; ++o)
        sums[o] = bench_alloc((size_t)(longest * op->out_size[o]));
    for (cl_ulong s = first; s < last; ++s) {
        for (unsigned o = values; o < op->outputs; ++o)
            sums[o] = (char *)j->data->expected[o] + start_of(j, s) * op->out_size[o];
        reduce_segment(j, s, sums);
    }
    for (unsigned o = 0; o < values; ++o)
        free(sums[o]);
}

void bench_expect_sums(bench_data *data, bench_shape shape)
{
    bench_parallel(count_of(data, shape), reduce_segments, &(job){data, shape.size});
}
