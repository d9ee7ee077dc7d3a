/* SPDX-License-Identifier: MIT */
/*
 * Maximum segment sum so far, of each row of a table: the largest sum of consecutive elements. The operator does
 * not commute; its four sums are the best anywhere, the best that touches the left or the right end, and all.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold.h>
#include <stdio.h>
#include <stdlib.h>

static const clf_operator mss = {
    .size = sizeof(clf_operator), .combine = "join", .neutral = "none", .map = "one", .input = "int change;",
    .value = "int best; int left; int right; int all;",
    .source = "clf_value none(void) { clf_value v = {0, 0, 0, 0}; return v; }\n"
              "clf_value one(clf_input x, ulong index)\n"
              "{\n"
              "    const int gain = max(x.change, 0);\n"
              "    clf_value v = {gain, gain, gain, x.change};\n"
              "    return v;\n}\n"
              "clf_value join(clf_value a, clf_value b)\n"
              "{\n"
              "    clf_value v = {max(max(a.best, b.best), a.right + b.left), max(a.left, a.all + b.left),\n"
              "                   max(b.right, a.right + b.all), a.all + b.all};\n"
              "    return v;\n}\n"};

enum { ROWS = 300, COLUMNS = 1441, N = ROWS * COLUMNS, FIELDS = 4 };
static cl_int changes[N], best[N];

static void check(clf_status status)
{
    if (status != CLF_SUCCESS)
        fprintf(stderr, "%s\n", clf_status_text(status)), exit(1);
}

/* How many results differ from those of Kadane's algorithm. */
static int count_errors(void)
{
    int errors = 0;
    for (int i = 0, ending = 0, most = 0; i < N; i++) {
        ending = (i % COLUMNS ? ending : 0) + changes[i];
        ending = ending > 0 ? ending : 0;
        most = i % COLUMNS && most > ending ? most : ending;
        errors += best[i] != most;
    }
    return errors;
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    clf_context *context;
    clf_plan *plan;
    check(clGetPlatformIDs(1, &platform, NULL));
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context cl = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(cl, device, 0, NULL);
    check(clf_context_create(cl, device, NULL, &context, NULL));
    check(clf_segmented_scan_plan(context, &mss, 0, NULL, &plan, NULL));
    for (int i = 0; i < N; i++)
        changes[i] = rand() % 201 - 100;
    const clf_array in = {clCreateBuffer(cl, CL_MEM_COPY_HOST_PTR, sizeof changes, changes, NULL), 0};
    clf_array out[FIELDS] = {{clCreateBuffer(cl, CL_MEM_READ_WRITE, FIELDS * sizeof best, NULL, NULL), 0}};
    for (int f = 1; f < FIELDS; f++) /* one behind the other in one buffer */
        out[f] = (clf_array){out[0].buffer, (cl_ulong)f * N};
    check(clf_segmented_scan(plan, CLF_ON(queue), ROWS, COLUMNS, &in, out));
    check(clEnqueueReadBuffer(queue, out[0].buffer, CL_TRUE, 0, sizeof best, best, 0, NULL, NULL));
    const int errors = count_errors();
    printf("best of the first row: %d; of the last: %d\n%d errors\n", best[COLUMNS - 1], best[N - 1], errors);
    clf_plan_release(plan);
    clf_context_release(context);
    clReleaseMemObject(in.buffer);
    clReleaseMemObject(out[0].buffer);
    clReleaseCommandQueue(queue);
    clReleaseContext(cl);
    return errors != 0;
}
