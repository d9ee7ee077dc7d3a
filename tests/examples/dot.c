/* SPDX-License-Identifier: MIT */
/*
 * The dot products of many pairs of vectors, and of the two arrays as a whole: a map of two inputs fused
 * before a sum, with nothing stored in between.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold.h>

#include <stdio.h>
#include <stdlib.h>
#include <math.h>


static const clf_operator dot = {
    .size = sizeof(clf_operator), .value = "float sum;", .input = "float x; float y;",
    .source = "clf_value zero(void) { clf_value v = {0}; return v; }\n"
              "clf_value add(clf_value a, clf_value b) { a.sum += b.sum; return a; }\n"
              "clf_value times(clf_input in, ulong index) { clf_value v = {in.x * in.y}; return v; }\n",
    .combine = "add", .neutral = "zero", .map = "times", .flags = CLF_COMMUTATIVE};

enum { ROWS = 5000, COLUMNS = 100, N = ROWS * COLUMNS };
static float x[N], y[N], dots[ROWS + 1]; /* the last: of everything */

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
    for (int i = 0; i < N; i++) {
        x[i] = (float)(i % 17) - 8;
        y[i] = (float)(i % 23) / 16;
    }
}

static void compute(cl_context cl, cl_device_id device, cl_command_queue queue)
{
    clf_context *context;
    clf_plan *plan;
    clf_error error = {.size = sizeof error};
    check(clf_context_create(cl, device, NULL, &context, &error), "clf_context_create", &error);
    check(clf_reduce_plan(context, &dot, 0, NULL, &plan, &error), "clf_reduce_plan", &error);

    const clf_array in[] = {{buffer(cl, sizeof x, x), 0}, {buffer(cl, sizeof y, y), 0}};
    clf_array out = {buffer(cl, sizeof dots, NULL), 0};
    check(clf_segmented_reduce(plan, CLF_ON(queue), ROWS, COLUMNS, in, &out), "rows", NULL);
    out.offset = ROWS;
    check(clf_reduce(plan, CLF_ON(queue), N, in, &out), "all", NULL);
    clEnqueueReadBuffer(queue, out.buffer, CL_TRUE, 0, sizeof dots, dots, 0, NULL, NULL);
    printf("first row %g, last row %g, all %g\n", dots[0], dots[ROWS - 1], dots[ROWS]);

    clReleaseMemObject(in[0].buffer);
    clReleaseMemObject(in[1].buffer);
    clReleaseMemObject(out.buffer);
    clf_plan_release(plan);
    clf_context_release(context);
}

static int is_wrong(float got, int first, int count)
{
    double sum = 0, magnitude = 0;
    for (int i = first; i < first + count; i++) {
        sum += (double)x[i] * y[i];
        magnitude += fabs((double)x[i] * y[i]);
    }
    return fabs(got - sum) > 1e-6 * magnitude;
}

static int count_errors(void)
{
    int errors = is_wrong(dots[ROWS], 0, N);
    for (int row = 0; row < ROWS; row++)
        errors += is_wrong(dots[row], row * COLUMNS, COLUMNS);
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
