/* SPDX-License-Identifier: MIT */
/*
 * Mean and variance of each row, and with them a converted copy of the data: three results of one pass
 * over the input. The value is (count, mean, squared distance from the mean), combined as Chan, Golub
 * and LeVeque (1979) do, which is exact where sums of squares would cancel. The map also writes each
 * sample as a whole number.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold.h>

#include <stdio.h>
#include <stdlib.h>
#include <math.h>

static const char source[] = "clf_value none(void) { clf_value v = {0, 0, 0}; return v; }\n"
                             "clf_value one(clf_input in, ulong index, clf_extra *extra)\n"
                             "{\n"
                             "    clf_value v = {1, in.sample, 0};\n"
                             "    extra->rounded = (int)floor(in.sample + 0.5f);\n"
                             "    return v;\n"
                             "}\n"
                             "clf_value merge(clf_value a, clf_value b)\n"
                             "{\n"
                             "    const float n = a.count + b.count, delta = b.mean - a.mean;\n"
                             "    if (n == 0)\n"
                             "        return a;\n"
                             "    clf_value v = {n, a.mean + delta * (b.count / n), a.square + b.square + delta * "
                             "delta * (a.count * b.count / n)};\n"
                             "    return v;\n"
                             "}\n";

static const clf_operator moments = {
    .size = sizeof(clf_operator), .value = "float count; float mean; float square;", .input = "float sample;",
    .extra = "int rounded;", .source = source, .combine = "merge", .neutral = "none", .map = "one"};

enum { ROWS = 700, COLUMNS = 1000, N = ROWS * COLUMNS };
static float samples[N], counts[ROWS], means[ROWS], squares[ROWS];
static cl_int rounded[N];

static void check(clf_status status, const char *what, const clf_error *error)
{
    if (status == CLF_SUCCESS)
        return;
    fprintf(stderr, "%s: %s\n%s\n%s\n", what, clf_status_text(status), error ? error->message : "",
            error ? error->log : "");
    exit(1);
}

static cl_mem buffer(cl_context cl, size_t bytes, void *data)
{
    cl_int status;
    cl_mem result = clCreateBuffer(cl, CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0), bytes, data, &status);
    check(status, "clCreateBuffer", NULL);
    return result;
}

static void make_data(void)
{
    unsigned state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        samples[i] = 10000 + (float)(state >> 22) / 64 + (float)(i / COLUMNS);
    }
}

static void compute(cl_context cl, cl_device_id device, cl_command_queue queue)
{
    clf_context *context;
    clf_plan *plan;
    clf_error error = {.size = sizeof error};
    check(clf_context_create(cl, device, NULL, &context, &error), "clf_context_create", &error);
    check(clf_reduce_plan(context, &moments, 0, NULL, &plan, &error), "clf_reduce_plan", &error);

    const clf_array in = {buffer(cl, sizeof samples, samples), 0};
    const clf_array out[] = {{buffer(cl, sizeof counts, NULL), 0}, {buffer(cl, sizeof means, NULL), 0},
                             {buffer(cl, sizeof squares, NULL), 0}, {buffer(cl, sizeof rounded, NULL), 0}};
    check(clf_segmented_reduce(plan, CLF_ON(queue), ROWS, COLUMNS, &in, out), "reduce", NULL);
    clEnqueueReadBuffer(queue, out[0].buffer, CL_FALSE, 0, sizeof counts, counts, 0, NULL, NULL);
    clEnqueueReadBuffer(queue, out[1].buffer, CL_FALSE, 0, sizeof means, means, 0, NULL, NULL);
    clEnqueueReadBuffer(queue, out[2].buffer, CL_FALSE, 0, sizeof squares, squares, 0, NULL, NULL);
    clEnqueueReadBuffer(queue, out[3].buffer, CL_TRUE, 0, sizeof rounded, rounded, 0, NULL, NULL);
    printf("first row: mean %.4f, variance %.4f\n", means[0], squares[0] / counts[0]);

    clReleaseMemObject(in.buffer);
    for (int f = 0; f < 4; f++)
        clReleaseMemObject(out[f].buffer);
    clf_plan_release(plan);
    clf_context_release(context);
}

/* Two passes in double precision. */
static int is_wrong(int row)
{
    double mean = 0, square = 0;
    for (int i = row * COLUMNS; i < (row + 1) * COLUMNS; i++)
        mean += samples[i] / (double)COLUMNS;
    for (int i = row * COLUMNS; i < (row + 1) * COLUMNS; i++)
        square += (samples[i] - mean) * (samples[i] - mean);
    return counts[row] != COLUMNS || fabs(means[row] - mean) > 0.01 || fabs(squares[row] / square - 1) > 0.01;
}

static int count_errors(void)
{
    int errors = 0;
    for (int row = 0; row < ROWS; row++)
        errors += is_wrong(row);
    for (int i = 0; i < N; i++)
        errors += rounded[i] != (cl_int)floorf(samples[i] + 0.5f);
    return errors;
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs", NULL);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs", NULL);
    cl_context cl = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext", NULL);
    cl_command_queue queue = clCreateCommandQueue(cl, device, 0, &status);
    check(status, "clCreateCommandQueue", NULL);

    make_data();
    compute(cl, device, queue);
    int errors = count_errors();
    printf("%d errors\n", errors);
    clReleaseCommandQueue(queue);
    clReleaseContext(cl);
    return errors != 0;
}
