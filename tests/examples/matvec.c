/* SPDX-License-Identifier: MIT */
/*
 * Matrix times vector: each row's sum of products. The matrix is the input, element by element; the vector is the
 * same for all rows, so the map captures it and finds its own element by the column.
 *
 *     matvec [ROWS COLUMNS]
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const clf_operator product = {
    .size = sizeof(clf_operator), .value = "float sum;", .input = "float a;", .captured = "float x;",
    .source = "clf_value zero(void) { clf_value v = {0}; return v; }\n"
              "clf_value add(clf_value a, clf_value b) { a.sum += b.sum; return a; }\n"
              "clf_value times(clf_input in, ulong index, const clf_captured *c)\n"
              "{\n"
              "    clf_value v = {in.a * c->x[(uint)index % (uint)c->clf_size]};\n"
              "    return v;\n"
              "}\n",
    .combine = "add", .neutral = "zero", .map = "times", .flags = CLF_COMMUTATIVE};

static void check(clf_status status, const clf_error *error)
{
    if (status == CLF_SUCCESS)
        return;
    fprintf(stderr, "%s\n%s\n%s\n", clf_status_text(status), error ? error->message : "", error ? error->log : "");
    exit(1);
}

static clf_array array(cl_context cl, size_t elements, void *data)
{
    cl_int status;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0);
    const clf_array result = {clCreateBuffer(cl, flags, elements * sizeof(float), data, &status), 0};
    check(status, NULL);
    return result;
}

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

/* y = a x, on the first device of the first platform. */
static void multiply(float *a, float *x, float *y, size_t rows, size_t columns)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    clf_context *context;
    clf_plan *plan;
    clf_error error = {.size = sizeof error};
    check(clGetPlatformIDs(1, &platform, NULL), NULL);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), NULL);
    cl_context cl = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, NULL);
    cl_command_queue queue = clCreateCommandQueue(cl, device, 0, &status);
    check(status, NULL);
    check(clf_context_create(cl, device, NULL, &context, &error), &error);
    check(clf_reduce_plan(context, &product, 0, NULL, &plan, &error), &error);

    const clf_array in[] = {array(cl, rows * columns, a), array(cl, columns, x)}; /* the captured one comes last */
    const clf_array out = array(cl, rows, NULL);
    double from = 0;
    for (int time = 0; time < 2; time++) { /* the first one compiles */
        from = now();
        check(clf_segmented_reduce(plan, CLF_ON(queue), rows, columns, in, &out), NULL);
        check(clFinish(queue), NULL);
    }
    printf("[%zu][%zu] in %.0f us\n", rows, columns, now() - from);
    check(clEnqueueReadBuffer(queue, out.buffer, CL_TRUE, 0, rows * sizeof *y, y, 0, NULL, NULL), NULL);

    clReleaseMemObject(in[0].buffer);
    clReleaseMemObject(in[1].buffer);
    clReleaseMemObject(out.buffer);
    clf_plan_release(plan);
    clf_context_release(context);
    clReleaseCommandQueue(queue);
    clReleaseContext(cl);
}

int main(int argc, char **argv)
{
    const size_t rows = argc > 2 ? (size_t)atoi(argv[1]) : 300, columns = argc > 2 ? (size_t)atoi(argv[2]) : 1003;
    const size_t n = rows * columns;
    float *a = malloc(n * sizeof *a), *x = malloc(columns * sizeof *x), *y = malloc(rows * sizeof *y);
    int errors = 0;
    if (n == 0 || n >= 0xffffffff || !a || !x || !y)
        return 1;
    for (size_t i = 0; i < n; i++) /* small whole numbers: sums are exact */
        a[i] = (float)(i * 7 % 11) - 5;
    for (size_t i = 0; i < columns; i++)
        x[i] = (float)(i % 13) - 6;
    multiply(a, x, y, rows, columns);
    for (size_t row = 0; row < rows; row++) {
        float sum = 0;
        for (size_t column = 0; column < columns; column++)
            sum += a[row * columns + column] * x[column];
        errors += y[row] != sum;
    }
    printf("first row %g, last row %g\n%d errors\n", y[0], y[rows - 1], errors);
    free(a);
    free(x);
    free(y);
    return errors != 0;
}
