/* SPDX-License-Identifier: MIT */
/*
 * Stream compaction and run lengths. Of readings with an array of flags beside them, the good ones, each with where it
 * was; then of the good ones the runs of equal readings, by where each starts. How many are good only the device knows:
 * the second call takes their number from where the first one leaves it, and the host waits once, at the end.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold.h>

#include <stdio.h>
#include <stdlib.h>

enum { N = 100000 };

static const clf_operator good = {
    .size = sizeof good, .input = "int reading; uchar flag;", .value = "int reading; uint at;",
    .predicate = "is_good", .map = "listed",
    .source = "bool is_good(clf_input x, ulong i) { return x.flag != 0; }\n"
              "clf_value listed(clf_input x, ulong i) { return (clf_value){x.reading, (uint)i}; }\n"};

static const clf_operator runs = {
    .size = sizeof runs, .input = "int reading;", .value = "int reading; uint start;", .same = "equal", .map = "begin",
    .source = "bool equal(clf_input a, clf_input b) { return a.reading == b.reading; }\n"
              "clf_value begin(clf_input x, ulong i) { return (clf_value){x.reading, (uint)i}; }\n"};

static void check(clf_status status, const clf_error *error)
{
    if (status == CLF_SUCCESS)
        return;
    fprintf(stderr, "%s\n%s\n%s\n", clf_status_text(status), error ? error->message : "", error ? error->log : "");
    exit(1);
}

static clf_array array(cl_context cl, size_t bytes, void *data)
{
    cl_int status;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0);
    const clf_array result = {clCreateBuffer(cl, flags, bytes, data, &status), 0};
    check(status, NULL);
    return result;
}

typedef struct results {
    cl_ulong good, runs;
    cl_int reading[N];
    cl_uint start[N];
} results;

/* On the first device of the first platform. */
static void run(cl_int *readings, cl_uchar *flags, results *r)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    clf_context *context;
    clf_plan *keep_good, *find_runs;
    clf_error error = {.size = sizeof error};
    check(clGetPlatformIDs(1, &platform, NULL), NULL);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), NULL);
    cl_context cl = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, NULL);
    cl_command_queue queue = clCreateCommandQueue(cl, device, 0, &status);
    check(status, NULL);
    check(clf_context_create(cl, device, NULL, &context, &error), &error);
    check(clf_filter_plan(context, &good, 0, NULL, &keep_good, &error), &error);
    check(clf_unique_plan(context, &runs, CLF_FROM_DEVICE, NULL, &find_runs, &error), &error);

    const clf_array in[] = {array(cl, N * sizeof *readings, readings), array(cl, N, flags)};
    const clf_array kept[] = {array(cl, N * sizeof(cl_int), NULL), array(cl, N * sizeof(cl_uint), NULL)};
    const clf_array out[] = {array(cl, N * sizeof(cl_int), NULL), array(cl, N * sizeof(cl_uint), NULL)};
    const clf_array counts = array(cl, 2 * sizeof(cl_ulong), NULL), kept_count = counts,
                    run_count = {counts.buffer, 1};
    const clf_call of_kept = {.size = sizeof of_kept, .queue = queue, .actual = kept_count};
    check(clf_filter(keep_good, CLF_ON(queue), N, N, in, kept, &kept_count), NULL);
    check(clf_unique(find_runs, &of_kept, N, N, kept, out, &run_count), NULL);

    clEnqueueReadBuffer(queue, counts.buffer, CL_FALSE, 0, 2 * sizeof(cl_ulong), &r->good, 0, NULL, NULL);
    clEnqueueReadBuffer(queue, out[0].buffer, CL_FALSE, 0, sizeof r->reading, r->reading, 0, NULL, NULL);
    check(clEnqueueReadBuffer(queue, out[1].buffer, CL_TRUE, 0, sizeof r->start, r->start, 0, NULL, NULL), NULL);

    const clf_array all[] = {in[0], in[1], kept[0], kept[1], out[0], out[1], counts};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        clReleaseMemObject(all[i].buffer);
    clf_plan_release(keep_good);
    clf_plan_release(find_runs);
    clf_context_release(context);
    clReleaseCommandQueue(queue);
    clReleaseContext(cl);
}

int main(void)
{
    static cl_int readings[N];
    static cl_uchar flags[N];
    static results got;
    cl_ulong kept = 0, found = 0;
    cl_uint state = 1;
    int errors = 0, last = 0;
    for (size_t i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        readings[i] = (cl_int)(i / 100 % 7 + (state >> 30));
        flags[i] = (state >> 16) % 3 != 0;
    }
    run(readings, flags, &got);
    for (size_t i = 0; i < N; i++) {
        if (!flags[i])
            continue;
        if (kept == 0 || readings[i] != last) {
            errors += got.reading[found] != readings[i] || got.start[found] != kept;
            found++;
        }
        last = readings[i];
        kept++;
    }
    errors += got.good != kept || got.runs != found;
    printf("%d readings, %lu good ones in %lu runs\n%d errors\n", N, (unsigned long)got.good, (unsigned long)got.runs,
           errors);
    return errors != 0;
}
