/* SPDX-License-Identifier: MIT */
/*
 * Segments of any lengths: where they start, told to clfold in the way that the name of a primitive ends with.
 */
#include "rows/rows.h"

#include <stdlib.h>
#include <string.h>

clf_segments_by bench_segments_by(const bench_primitive *primitive)
{
    static const struct {
        const char *end;
        clf_segments_by by;
    } ways[] = {{"_by_bits", CLF_BY_HEAD_BITS}, {"_by_bytes", CLF_BY_HEAD_BYTES}, {"_by_lengths", CLF_BY_LENGTHS},
                {"_by_keys", CLF_BY_KEYS}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i)
        if (strstr(primitive->name, ways[i].end))
            return ways[i].by;
    return CLF_BY_OFFSETS;
}

cl_ulong bench_segments_bytes(const struct bench_segments *s, clf_segments_by by)
{
    switch (by) {
    case CLF_BY_HEAD_BITS: return (s->n + 31) / 32 * 4;
    case CLF_BY_HEAD_BYTES: return s->n;
    case CLF_BY_KEYS: return 4 * s->n;
    case CLF_BY_LENGTHS: return 4 * s->count;
    default: return 4 * (s->count + 1);
    }
}

static void fill_entries(const struct bench_segments *s, clf_segments_by by, void *entries)
{
    cl_uint *const words = entries;
    for (cl_ulong k = 0; k < s->count; ++k) {
        const cl_uint first = s->starts[k], last = s->starts[k + 1];
        if (by == CLF_BY_HEAD_BYTES)
            ((unsigned char *)entries)[first] = 1;
        else if (by == CLF_BY_HEAD_BITS)
            words[first / 32] |= (cl_uint)1 << first % 32;
        else if (by == CLF_BY_OFFSETS)
            words[k + 1] = last;
        else if (by == CLF_BY_LENGTHS)
            words[k] = last - first;
        for (cl_uint i = first; by == CLF_BY_KEYS && i < last; ++i)
            words[i] = (cl_uint)k;
    }
}

static void forget(struct bench_segments *s)
{
    free(s->starts);
    if (s->array.buffer)
        clReleaseMemObject(s->array.buffer);
    memset(s, 0, sizeof *s);
}

void bench_segments_begin(bench_data *data, cl_ulong n, cl_ulong count)
{
    struct bench_segments *const s = data->segments;
    forget(s);
    *s = (struct bench_segments){.n = n, .count = count};
    if (n > CL_UINT_MAX)
        bench_die("%s has no rows of 2^32 elements and more", data->primitive->name);
    s->starts = bench_alloc((size_t)(count + 1) * sizeof *s->starts);
}

void bench_segments_send(bench_data *data)
{
    const clf_segments_by by = bench_segments_by(data->primitive);
    struct bench_segments *const s = data->segments;
    const cl_ulong bytes = bench_segments_bytes(s, by);
    void *entries = bench_alloc((size_t)bytes);
    memset(entries, 0, (size_t)bytes);
    fill_entries(s, by, entries);
    s->array = (clf_array){bench_buffer(data->session->cl, bytes), 0};
    bench_write(data->session->queue, s->array.buffer, entries, bytes);
    free(entries);
}

void bench_segments_open(bench_data *data)
{
    data->segments = bench_alloc(sizeof *data->segments);
    memset(data->segments, 0, sizeof *data->segments);
}

void bench_segments_close(bench_data *data)
{
    forget(data->segments);
    free(data->segments);
}
