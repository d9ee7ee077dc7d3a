/* SPDX-License-Identifier: MIT */
/*
 * The shapes to measure: those of --segments, or all splits of each n into segments of a power of two elements; with
 * --near also of one less, one more, and the next prime. Where a size does not divide n, there are as many segments
 * as come nearest to n elements.
 */
#include "rows/rows.h"

static bool is_prime(cl_ulong n)
{
    for (cl_ulong d = 2; d <= n / d; ++d)
        if (n % d == 0)
            return false;
    return n > 1;
}

static cl_ulong prime_above(cl_ulong n)
{
    do
        ++n;
    while (!is_prime(n));
    return n;
}

static void add(bench_shapes *shapes, cl_ulong batch, cl_ulong n, cl_ulong size)
{
    const cl_ulong count = size ? n / size + (n % size > size / 2) : 0;
    if (batch == 0 || count == 0)
        return;
    for (unsigned i = 0; i < shapes->count; ++i)
        if (shapes->shape[i].batch == batch && shapes->shape[i].size == size && shapes->shape[i].count == count)
            return;
    shapes->shape[shapes->count++] = (bench_shape){batch, count, size};
}

static void add_asked(bench_shapes *shapes, const bench_shape *asked, bool batched)
{
    const cl_ulong batch = batched ? asked->batch : 1, count = batched ? asked->count : asked->batch * asked->count;
    add(shapes, batch, count * asked->size, asked->size);
}

static void add_splits(bench_shapes *shapes, cl_ulong n, bool near)
{
    for (unsigned k = 0; k < 64 && n >> k; ++k) {
        const cl_ulong size = (cl_ulong)1 << k;
        if (near)
            add(shapes, 1, n, size - 1);
        add(shapes, 1, n, size);
        if (near) {
            add(shapes, 1, n, size + 1);
            add(shapes, 1, n, prime_above(size + 1));
        }
    }
}

bench_shapes bench_list_shapes(const bench_session *session, bool segmented, bool batched)
{
    const bench_options *options = &session->options;
    const cl_ulong usual = (cl_ulong)1 << (session->device.type & CL_DEVICE_TYPE_CPU ? 24 : 26);
    const bool split_usual = segmented && session->usual_sizes;
    const cl_ulong *sizes = split_usual ? &usual : options->sizes.size;
    const unsigned size_count = split_usual ? 1 : options->sizes.count, asked = segmented ? options->shape_count : 0;
    bench_shapes shapes = {0, bench_alloc((asked + size_count * 4 * 64) * sizeof *shapes.shape)};
    for (unsigned i = 0; i < asked; ++i)
        add_asked(&shapes, &options->shapes[i], batched);
    for (unsigned i = 0; i < size_count && !asked; ++i) {
        if (segmented)
            add_splits(&shapes, sizes[i], options->near);
        else
            add(&shapes, 1, sizes[i], sizes[i]);
    }
    return shapes;
}
