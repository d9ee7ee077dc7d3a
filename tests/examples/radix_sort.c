/* SPDX-License-Identifier: MIT */
/*
 * Sorts every row of a table of 32-bit keys by segmented scans (Clausen 2021, B.2), as scan_sort.h tells:
 *
 *     radix_sort [ROWS COLUMNS [VARIANT]]        for example 1000 10000 propagate
 */
#include "scan_sort.h"

#include <string.h>

/* Sorts `data` in place. Returns the least time of five; the first call of all compiles. */
enum { TIMES = 5 };
static double sort(const scan_sorter *s, size_t rows, cl_uint columns, cl_uint *data)
{
    const size_t bytes = rows * columns * sizeof *data;
    const clf_array keys = example_array(s->x, bytes, NULL);
    double least = 0;
    for (int time = 0; time <= TIMES; ++time) {
        check(clEnqueueWriteBuffer(s->x->queue, keys.buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
              "clEnqueueWriteBuffer", NULL);
        const double from = example_time();
        scan_sort(s, rows, columns, &keys);
        check(clFinish(s->x->queue), "clFinish", NULL);
        const double us = example_time() - from;
        least = time < 2 || us < least ? us : least;
    }
    example_read(s->x, keys, bytes, data);
    example_release(&keys, 1);
    return least;
}

static int compare(const void *a, const void *b)
{
    const cl_uint x = *(const cl_uint *)a, y = *(const cl_uint *)b;
    return (x > y) - (x < y);
}

/* Sorts the rows here too, and compares. */
static int count_errors(const cl_uint *sorted, cl_uint *data, cl_uint rows, cl_uint columns)
{
    int errors = 0;
    for (cl_uint r = 0; r < rows; ++r)
        qsort(data + (size_t)r * columns, columns, sizeof *data, compare);
    for (size_t i = 0; i < (size_t)rows * columns; ++i)
        errors += sorted[i] != data[i];
    return errors;
}

static void make_data(cl_uint *data, size_t n)
{
    cl_uint state = 1;
    for (size_t i = 0; i < n; ++i) {
        state = state * 1664525u + 1013904223u;
        data[i] = state ^ state >> 15;
    }
}

static void run(cl_uint *data, cl_uint rows, cl_uint columns, const char *variant)
{
    example x = example_open();
    scan_sorter s = scan_sorter_open(&x, variant, (size_t)rows * columns, 1);
    printf("[%u][%u] sorted in %.0f us\n", rows, columns, sort(&s, rows, columns, data));
    scan_sorter_close(&s);
    example_close(&x);
}

int main(int argc, char **argv)
{
    const cl_uint rows = argc > 2 ? (cl_uint)atoi(argv[1]) : 37, columns = argc > 2 ? (cl_uint)atoi(argv[2]) : 2000;
    const size_t n = (size_t)rows * columns;
    cl_uint *data = malloc(n * sizeof *data + 1), *sorted = malloc(n * sizeof *sorted + 1);
    if (n == 0 || !data || !sorted)
        return 1;
    make_data(data, n);
    memcpy(sorted, data, n * sizeof *data);
    run(sorted, rows, columns, argc > 3 ? argv[3] : NULL);
    const int errors = count_errors(sorted, data, rows, columns);
    printf("%d errors\n", errors);
    free(data);
    free(sorted);
    return errors != 0;
}
