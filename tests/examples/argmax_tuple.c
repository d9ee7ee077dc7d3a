/* SPDX-License-Identifier: MIT */
/*
 * An operator of one's own on a tuple: the running maximum of a signal and where it was reached. A map makes the tuple
 * from each sample and its index, so that no array of indices is needed, and the operator keeps the left one of equals.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold.h>

#include <stdio.h>
#include <stdlib.h>

static const char source[] =
    "clf_value lowest(void) { clf_value v = {-INFINITY, ULONG_MAX}; return v; }\n"
    "clf_value larger(clf_value a, clf_value b) { return b.peak > a.peak ? b : a; }\n"
    "clf_value with_index(clf_input x, ulong index) { clf_value v = {x.sample, index}; return v; }\n";

static const clf_operator running_peak = {
    .size = sizeof(clf_operator),
    .value = "float peak; ulong where;",
    .input = "float sample;",
    .source = source,
    .combine = "larger",
    .neutral = "lowest",
    .map = "with_index",
};

enum { N = 1000000 };
static float samples[N], peaks[N];
static cl_ulong where[N];

/* Every status of clfold and of OpenCL has a text. */
static void check(clf_status status, const char *what, const clf_error *error)
{
    if (status == CLF_SUCCESS)
        return;
    fprintf(stderr, "%s: %s\n%s\n%s\n", what, clf_status_text(status), error ? error->message : "",
            error ? error->log : "");
    exit(1);
}

static void make_samples(void)
{
    unsigned state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        samples[i] = (float)(state >> 16) + (float)i / 50;
    }
}

static cl_mem buffer(cl_context cl, size_t bytes, void *data)
{
    cl_int status;
    cl_mem result = clCreateBuffer(cl, CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0), bytes, data, &status);
    check(status, "clCreateBuffer", NULL);
    return result;
}

static void scan(cl_context cl, cl_device_id device, cl_command_queue queue)
{
    clf_context *context;
    clf_plan *plan;
    clf_error error = {.size = sizeof error};
    check(clf_context_create(cl, device, NULL, &context, &error), "clf_context_create", &error);
    check(clf_scan_plan(context, &running_peak, 0, NULL, &plan, &error), "clf_scan_plan", &error);

    clf_array in = {buffer(cl, sizeof samples, samples), 0};
    clf_array out[] = {{buffer(cl, sizeof peaks, NULL), 0}, {buffer(cl, sizeof where, NULL), 0}};
    check(clf_scan(plan, CLF_ON(queue), N, &in, out), "clf_scan", NULL);

    clEnqueueReadBuffer(queue, out[0].buffer, CL_TRUE, 0, sizeof peaks, peaks, 0, NULL, NULL);
    clEnqueueReadBuffer(queue, out[1].buffer, CL_TRUE, 0, sizeof where, where, 0, NULL, NULL);
    clReleaseMemObject(in.buffer);
    clReleaseMemObject(out[0].buffer);
    clReleaseMemObject(out[1].buffer);
    clf_plan_release(plan);
    clf_context_release(context);
}

/* How many results differ from those of a plain loop. */
static int count_errors(void)
{
    int errors = 0;
    for (int i = 0, best = 0; i < N; i++) {
        best = samples[i] > samples[best] ? i : best;
        errors += peaks[i] != samples[best] || where[i] != (cl_ulong)best;
    }
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

    make_samples();
    scan(cl, device, queue);
    for (int i = 9; i < N; i = i * 10 + 9)
        printf("up to sample %6d: peak %.1f at %llu\n", i, peaks[i], (unsigned long long)where[i]);
    int errors = count_errors();
    printf("%d errors\n", errors);
    clReleaseCommandQueue(queue);
    clReleaseContext(cl);
    return errors != 0;
}
