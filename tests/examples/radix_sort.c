/* SPDX-License-Identifier: MIT */
/*
 * Sorts every row of a table of 32-bit keys, two bits a round (Clausen 2021, B.2): a segmented scan counts, for each
 * key, how many up to it have the digit 0, 1, 2 or 3; these counts, as four 64-bit integers, are places; a kernel
 * moves the keys there. Moving rotates them by two bits: the digit of each round is the lowest, and after 16 rounds
 * they are themselves again.
 *
 *     radix_sort [ROWS COLUMNS [VARIANT]]        for example 1000 10000 propagate
 */
#include "example.h"

#include <string.h>

static const clf_operator counts = {
    .size = sizeof(clf_operator), .combine = "clf_sum", .map = "flags", .input = "uint key;",
    .value = "long a; long b; long c; long d;", .flags = CLF_COMMUTATIVE,
    .source = "clf_value flags(clf_input x, ulong index)\n"
              "{\n"
              "    const uint digit = x.key & 3;\n"
              "    clf_value v = {digit == 0, digit == 1, digit == 2, digit == 3};\n"
              "    return v;\n"
              "}\n"};

/* In `places` lie the four counts one behind the other. */
static const char scatter[] =
    "__kernel void scatter(__global const uint *keys, __global const long *places, __global uint *out, uint columns)\n"
    "{\n"
    "    const size_t n = get_global_size(0), i = get_global_id(0), row = i / columns * columns;\n"
    "    const size_t last = row + columns - 1;\n"
    "    const uint key = keys[i], digit = key & 3;\n"
    "    long place = places[digit * n + i] - 1;\n"
    "    for (uint d = 0; d < digit; d++)\n"
    "        place += places[d * n + last];\n"
    "    out[row + place] = rotate(key, 30u);\n"
    "}\n";

enum { FIELDS = 4, ROUNDS = 16 };

typedef struct sorter {
    example x;
    clf_plan *plan;
    cl_kernel kernel;
    clf_array keys, sorted, places[FIELDS];
    cl_uint rows, columns;
} sorter;

static cl_kernel make_scatter(const example *x)
{
    cl_int status;
    const char *source = scatter;
    cl_program program = clCreateProgramWithSource(x->cl, 1, &source, NULL, &status);
    check(status, "clCreateProgramWithSource", NULL);
    check(clBuildProgram(program, 1, &x->device, NULL, NULL, NULL), "clBuildProgram", NULL);
    cl_kernel kernel = clCreateKernel(program, "scatter", &status);
    check(status, "clCreateKernel", NULL);
    clReleaseProgram(program);
    return kernel;
}

/* From keys to sorted, and back in the next round. */
static void sort_by_digit(sorter *s)
{
    const size_t n = (size_t)s->rows * s->columns;
    check(clf_segmented_scan(s->plan, CLF_ON(s->x.queue), s->rows, s->columns, &s->keys, s->places),
          "clf_segmented_scan", NULL);
    check(clSetKernelArg(s->kernel, 0, sizeof(cl_mem), &s->keys.buffer), "keys", NULL);
    check(clSetKernelArg(s->kernel, 1, sizeof(cl_mem), &s->places[0].buffer), "places", NULL);
    check(clSetKernelArg(s->kernel, 2, sizeof(cl_mem), &s->sorted.buffer), "sorted", NULL);
    check(clSetKernelArg(s->kernel, 3, sizeof(cl_uint), &s->columns), "columns", NULL);
    check(clEnqueueNDRangeKernel(s->x.queue, s->kernel, 1, NULL, &n, NULL, 0, NULL, NULL), "scatter", NULL);
    const clf_array keys = s->keys;
    s->keys = s->sorted;
    s->sorted = keys;
}

/* Sorts `data` in place; the second time tells how long it takes, for the first one compiles. */
static double sort(sorter *s, cl_uint *data)
{
    const size_t bytes = (size_t)s->rows * s->columns * sizeof *data;
    double from = 0, us = 0;
    for (int time = 0; time < 2; time++) {
        check(clEnqueueWriteBuffer(s->x.queue, s->keys.buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
              "clEnqueueWriteBuffer", NULL);
        from = example_time();
        for (int round = 0; round < ROUNDS; round++)
            sort_by_digit(s);
        check(clFinish(s->x.queue), "clFinish", NULL);
        us = example_time() - from;
    }
    example_read(&s->x, s->keys, bytes, data);
    return us;
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
    for (cl_uint r = 0; r < rows; r++)
        qsort(data + (size_t)r * columns, columns, sizeof *data, compare);
    for (size_t i = 0; i < (size_t)rows * columns; i++)
        errors += sorted[i] != data[i];
    return errors;
}

static void make_data(cl_uint *data, size_t n)
{
    cl_uint state = 1;
    for (size_t i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        data[i] = state ^ state >> 15;
    }
}

static void run(cl_uint *data, cl_uint rows, cl_uint columns, const char *variant)
{
    const clf_plan_options options = {.size = sizeof options, .variant = variant};
    const size_t n = (size_t)rows * columns;
    sorter s = {.x = example_open(), .rows = rows, .columns = columns};
    check(clf_segmented_scan_plan(s.x.context, &counts, 0, &options, &s.plan, &s.x.error), "clf_segmented_scan_plan",
          &s.x.error);
    s.kernel = make_scatter(&s.x);
    s.keys = example_array(&s.x, n * sizeof(cl_uint), NULL);
    s.sorted = example_array(&s.x, n * sizeof(cl_uint), NULL);
    s.places[0] = example_array(&s.x, FIELDS * n * sizeof(cl_long), NULL);
    for (int f = 1; f < FIELDS; f++)
        s.places[f] = (clf_array){s.places[0].buffer, (cl_ulong)f * n};

    printf("[%u][%u] sorted in %.0f us\n", rows, columns, sort(&s, data));
    example_release((const clf_array[]){s.keys, s.sorted, s.places[0]}, 3);
    clReleaseKernel(s.kernel);
    clf_plan_release(s.plan);
    example_close(&s.x);
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
