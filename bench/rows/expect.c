/* SPDX-License-Identifier: MIT */
/*
 * What segments must come to: each one's sequential scan (bench_scan_part, whatever its length), and its last element
 * for a reduction. Those of equal length are shared out to all of the host's processors here.
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

static void scan_segments(void *state, cl_ulong first, cl_ulong last)
{
    const job *j = state;
    const bench_operator *op = &j->data->op;
    const bool exclusive = (j->data->primitive->flags & CLF_EXCLUSIVE) != 0;
    void *out[BENCH_FIELDS];
    for (cl_ulong s = first; s < last; ++s) {
        for (unsigned o = 0; o < op->outputs; ++o)
            out[o] = (char *)j->data->expected[o] + s * j->size * op->out_size[o];
        bench_scan_part(j->data, s * j->size, j->size, exclusive, out);
    }
}

void bench_expect_scans(bench_data *data, bench_shape shape)
{
    bench_parallel(shape.count, scan_segments, &(job){data, shape.size});
}

static void reduce_segments(void *state, cl_ulong first, cl_ulong last)
{
    const job *j = state;
    const bench_operator *op = &j->data->op;
    const unsigned values = op->outputs - op->extras;
    void *sums[BENCH_FIELDS];
    for (unsigned o = 0; o < values; ++o)
        sums[o] = bench_alloc((size_t)(j->size * op->out_size[o]));
    for (cl_ulong s = first; s < last; ++s) {
        for (unsigned o = values; o < op->outputs; ++o)
            sums[o] = (char *)j->data->expected[o] + s * j->size * op->out_size[o];
        bench_scan_part(j->data, s * j->size, j->size, false, sums);
        for (unsigned o = 0; o < values; ++o) {
            const size_t bytes = op->out_size[o];
            memcpy((char *)j->data->expected[o] + s * bytes, (char *)sums[o] + (j->size - 1) * bytes, bytes);
        }
    }
    for (unsigned o = 0; o < values; ++o)
        free(sums[o]);
}

void bench_expect_sums(bench_data *data, bench_shape shape)
{
    bench_parallel(shape.count, reduce_segments, &(job){data, shape.size});
}
