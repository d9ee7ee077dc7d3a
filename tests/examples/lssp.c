/* SPDX-License-Identifier: MIT */
/*
 * Longest satisfying segment: here the longest sorted streak so far, of a series and of each row of a table
 * (Clausen 2021, B.1). `left` and `right` are the streaks that touch the ends; `all` counts the elements.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold.h>
#include <stdio.h>
#include <stdlib.h>

static const clf_operator lssp = {
    .size = sizeof(clf_operator), .combine = "join", .neutral = "none", .map = "one", .input = "int x;",
    .value = "int best; int left; int right; int all; int first; int last;",
    .source = "clf_value none(void) { clf_value v = {0, 0, 0, 0, 0, 0}; return v; }\n"
              "clf_value one(clf_input in, ulong index) { clf_value v = {1, 1, 1, 1, in.x, in.x}; return v; }\n"
              "clf_value join(clf_value a, clf_value b)\n"
              "{\n"
              "    const bool sorted = a.all == 0 || b.all == 0 || a.last <= b.first;\n"
              "    clf_value v = {max(max(a.best, b.best), sorted ? a.right + b.left : 0),\n"
              "                   sorted && a.left == a.all ? a.all + b.left : a.left,\n"
              "                   sorted && b.right == b.all ? a.right + b.all : b.right,\n"
              "                   a.all + b.all, a.all ? a.first : b.first, b.all ? b.last : a.last};\n"
              "    return v;\n}\n"};

enum { ROWS = 100, COLUMNS = 10000, N = ROWS * COLUMNS, FIELDS = 6 };
static cl_int x[N], best[N];

static void check(clf_status status)
{
    if (status != CLF_SUCCESS)
        fprintf(stderr, "%s\n", clf_status_text(status)), exit(1);
}

/* Reads the results and counts those that differ from a plain loop's. */
static int count_errors(cl_command_queue queue, cl_mem results, int columns)
{
    int errors = 0;
    check(clEnqueueReadBuffer(queue, results, CL_TRUE, 0, sizeof best, best, 0, NULL, NULL));
    for (int i = 0, streak = 0, longest = 0; i < N; i++) {
        streak = i % columns && x[i - 1] <= x[i] ? streak + 1 : 1;
        longest = i % columns && longest > streak ? longest : streak;
        errors += best[i] != longest;
    }
    printf("longest streak of the last %d: %d (%d errors)\n", columns, best[N - 1], errors);
    return errors;
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    clf_context *context;
    clf_plan *scan, *scan_rows;
    check(clGetPlatformIDs(1, &platform, NULL));
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context cl = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(cl, device, 0, NULL);
    check(clf_context_create(cl, device, NULL, &context, NULL));
    check(clf_scan_plan(context, &lssp, 0, NULL, &scan, NULL));
    check(clf_segmented_scan_plan(context, &lssp, 0, NULL, &scan_rows, NULL));
    for (int i = 1; i < N; i++)
        x[i] = rand() % 50 ? x[i - 1] + rand() % 3 : 0;
    const clf_array in = {clCreateBuffer(cl, CL_MEM_COPY_HOST_PTR, sizeof x, x, NULL), 0};
    clf_array out[FIELDS] = {{clCreateBuffer(cl, CL_MEM_READ_WRITE, FIELDS * sizeof best, NULL, NULL), 0}};
    for (int f = 1; f < FIELDS; f++) /* one behind the other in one buffer */
        out[f] = (clf_array){out[0].buffer, (cl_ulong)f * N};
    check(clf_scan(scan, CLF_ON(queue), N, &in, out));
    int errors = count_errors(queue, out[0].buffer, N);
    check(clf_segmented_scan(scan_rows, CLF_ON(queue), ROWS, COLUMNS, &in, out));
    errors += count_errors(queue, out[0].buffer, COLUMNS);
    clf_plan_release(scan);
    clf_plan_release(scan_rows);
    clf_context_release(context);
    clReleaseMemObject(in.buffer);
    clReleaseMemObject(out[0].buffer);
    clReleaseCommandQueue(queue);
    clReleaseContext(cl);
    return errors != 0;
}
