/* SPDX-License-Identifier: MIT */
/*
 * Sorts every row of a table of 32-bit keys, two bits a round (Clausen 2021, B.2): a segmented scan counts, for each
 * key, how many up to it have the digit 0, 1, 2 or 3; these counts, as four 64-bit integers, are places; a kernel
 * moves the keys there. Moving rotates them by two bits: the digit of each round is the lowest, and after 16 rounds
 * they are themselves again.
 *
 *     radix_sort [ROWS COLUMNS [VARIANT]]        for example 1000 10000 propagate
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const clf_operator counts = {
    .size = sizeof(clf_operator), .combine = "add", .neutral = "none", .map = "flags", .input = "uint key;",
    .value = "long a; long b; long c; long d;", .flags = CLF_COMMUTATIVE,
    .source = "clf_value none(void) { clf_value v = {0, 0, 0, 0}; return v; }\n"
              "clf_value add(clf_value x, clf_value y)\n"
              "{\n"
              "    clf_value v = {x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d};\n"
              "    return v;\n"
              "}\n"
              "clf_value flags(clf_input x, ulong index)\n"
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
    cl_command_queue queue;
    clf_plan *plan;
    cl_kernel kernel;
    clf_array keys, sorted, places[FIELDS];
    cl_uint rows, columns;
} sorter;

static void check(clf_status status, const clf_error *error)
{
    if (status == CLF_SUCCESS)
        return;
    fprintf(stderr, "%s\n%s\n%s\n", clf_status_text(status), error ? error->message : "", error ? error->log : "");
    exit(1);
}

static clf_array array(cl_context cl, size_t bytes)
{
    cl_int status;
    const clf_array result = {clCreateBuffer(cl, CL_MEM_READ_WRITE, bytes, NULL, &status), 0};
    check(status, NULL);
    return result;
}

static cl_kernel make_scatter(cl_context cl, cl_device_id device)
{
    cl_int status;
    const char *source = scatter;
    cl_program program = clCreateProgramWithSource(cl, 1, &source, NULL, &status);
    check(status, NULL);
    check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), NULL);
    cl_kernel kernel = clCreateKernel(program, "scatter", &status);
    check(status, NULL);
    clReleaseProgram(program);
    return kernel;
}

/* From keys to sorted, and back in the next round. */
static void sort_by_digit(sorter *s)
{
    const size_t n = (size_t)s->rows * s->columns;
    check(clf_segmented_scan(s->plan, CLF_ON(s->queue), s->rows, s->columns, &s->keys, s->places),
          NULL);
    check(clSetKernelArg(s->kernel, 0, sizeof(cl_mem), &s->keys.buffer), NULL);
    check(clSetKernelArg(s->kernel, 1, sizeof(cl_mem), &s->places[0].buffer), NULL);
    check(clSetKernelArg(s->kernel, 2, sizeof(cl_mem), &s->sorted.buffer), NULL);
    check(clSetKernelArg(s->kernel, 3, sizeof(cl_uint), &s->columns), NULL);
    check(clEnqueueNDRangeKernel(s->queue, s->kernel, 1, NULL, &n, NULL, 0, NULL, NULL), NULL);
    const clf_array keys = s->keys;
    s->keys = s->sorted;
    s->sorted = keys;
}

/* Sorts `data` in place; the second time tells how long it takes, for the first one compiles. */
static double sort(sorter *s, cl_uint *data)
{
    const size_t bytes = (size_t)s->rows * s->columns * sizeof *data;
    struct timespec from, to;
    for (int time = 0; time < 2; time++) {
        check(clEnqueueWriteBuffer(s->queue, s->keys.buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL), NULL);
        timespec_get(&from, TIME_UTC);
        for (int round = 0; round < ROUNDS; round++)
            sort_by_digit(s);
        check(clFinish(s->queue), NULL);
        timespec_get(&to, TIME_UTC);
    }
    check(clEnqueueReadBuffer(s->queue, s->keys.buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL), NULL);
    return (double)(to.tv_sec - from.tv_sec) * 1e6 + (double)(to.tv_nsec - from.tv_nsec) * 1e-3;
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

/* Sorts `data` on the first device of the first platform. */
static void run(cl_uint *data, cl_uint rows, cl_uint columns, const char *variant)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    clf_context *context;
    clf_error error = {.size = sizeof error};
    sorter s = {.rows = rows, .columns = columns};
    const size_t n = (size_t)rows * columns;
    check(clGetPlatformIDs(1, &platform, NULL), NULL);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), NULL);
    cl_context cl = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, NULL);
    s.queue = clCreateCommandQueue(cl, device, 0, &status);
    check(status, NULL);
    check(clf_context_create(cl, device, NULL, &context, &error), &error);
    const clf_plan_options options = {.size = sizeof options, .variant = variant};
    check(clf_segmented_scan_plan(context, &counts, 0, &options, &s.plan, &error), &error);
    s.kernel = make_scatter(cl, device);
    s.keys = array(cl, n * sizeof(cl_uint));
    s.sorted = array(cl, n * sizeof(cl_uint));
    s.places[0] = array(cl, FIELDS * n * sizeof(cl_long));
    for (int f = 1; f < FIELDS; f++)
        s.places[f] = (clf_array){s.places[0].buffer, (cl_ulong)f * n};

    printf("[%u][%u] sorted in %.0f us\n", rows, columns, sort(&s, data));
    clReleaseMemObject(s.keys.buffer);
    clReleaseMemObject(s.sorted.buffer);
    clReleaseMemObject(s.places[0].buffer);
    clReleaseKernel(s.kernel);
    clf_plan_release(s.plan);
    clf_context_release(context);
    clReleaseCommandQueue(s.queue);
    clReleaseContext(cl);
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
