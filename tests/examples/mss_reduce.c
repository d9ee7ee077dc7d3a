/* SPDX-License-Identifier: MIT */
/*
 * Maximum segment sum: the largest sum of consecutive elements, of a whole series and of each of its
 * days. The operator, on four sums, does not commute: best anywhere, best that begins at the left end,
 * best that ends at the right end, all.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold.h>

#include <stdio.h>
#include <stdlib.h>


static const char source[] =
    "clf_value none(void) { clf_value v = {0, 0, 0, 0}; return v; }\n"
    "clf_value one(clf_input x, ulong index)\n"
    "{\n"
    "    const int gain = max(x.change, 0);\n"
    "    clf_value v = {gain, gain, gain, x.change};\n"
    "    return v;\n"
    "}\n"
    "clf_value join(clf_value a, clf_value b)\n"
    "{\n"
    "    clf_value v;\n"
    "    v.best = max(max(a.best, b.best), a.right + b.left);\n"
    "    v.left = max(a.left, a.all + b.left);\n"
    "    v.right = max(b.right, a.right + b.all);\n"
    "    v.all = a.all + b.all;\n"
    "    return v;\n"
    "}\n";

static const clf_operator mss = {
    .size = sizeof(clf_operator), .value = "int best; int left; int right; int all;", .input = "int change;",
    .source = source, .combine = "join", .neutral = "none", .map = "one"};

enum { DAYS = 300, MINUTES = 1441, N = DAYS * MINUTES };
static cl_int changes[N], best_day[DAYS], best;

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
        changes[i] = (int)(state >> 20) % 201 - 100;
    }
}

static void compute(cl_context cl, cl_device_id device, cl_command_queue queue)
{
    clf_context *context;
    clf_plan *plan;
    clf_error error = {.size = sizeof error};
    check(clf_context_create(cl, device, NULL, &context, &error), "clf_context_create", &error);
    check(clf_reduce_plan(context, &mss, 0, NULL, &plan, &error), "clf_reduce_plan", &error);

    const clf_array in = {buffer(cl, sizeof changes, changes), 0};
    clf_array out[4]; /* in each: the days' results, then the whole's */
    for (int f = 0; f < 4; f++)
        out[f] = (clf_array){buffer(cl, (DAYS + 1) * sizeof(cl_int), NULL), 0};
    check(clf_segmented_reduce(plan, CLF_ON(queue), DAYS, MINUTES, &in, out), "days", NULL);
    for (int f = 0; f < 4; f++)
        out[f].offset = DAYS;
    check(clf_reduce(plan, CLF_ON(queue), N, &in, out), "whole", NULL);

    clEnqueueReadBuffer(queue, out[0].buffer, CL_FALSE, 0, sizeof best_day, best_day, 0, NULL, NULL);
    clEnqueueReadBuffer(queue, out[0].buffer, CL_TRUE, sizeof best_day, sizeof best, &best, 0, NULL, NULL);
    printf("best stretch of all: %d; of the first day: %d\n", best, best_day[0]);
    for (int f = 0; f < 4; f++)
        clReleaseMemObject(out[f].buffer);
    clReleaseMemObject(in.buffer);
    clf_plan_release(plan);
    clf_context_release(context);
}

/* Kadane's algorithm. */
static int best_of(const cl_int *x, int n)
{
    int most = 0, ending = 0;
    for (int i = 0; i < n; i++) {
        ending = ending + x[i] > 0 ? ending + x[i] : 0;
        most = ending > most ? ending : most;
    }
    return most;
}

static int count_errors(void)
{
    int errors = best != best_of(changes, N);
    for (int day = 0; day < DAYS; day++)
        errors += best_day[day] != best_of(changes + day * MINUTES, MINUTES);
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
