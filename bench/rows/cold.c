/* SPDX-License-Identifier: MIT */
/*
 * --cold: where the time to a first result goes. Four starts in one process, each cheaper than the one
 * before: the driver itself, a context and plan with an empty disk cache, a second plan in the same context
 * (from memory), and a new context over the disk cache that the first one left. The drivers' own caches are
 * switched off, as far as they can be, unless the caller's environment says something about them.
 */
#if !defined(_WIN32) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE 1 /* mkdtemp, setenv */
#endif
#include "rows/rows.h"

#ifdef _WIN32

void bench_cold(const bench_options *options)
{
    (void)options;
    bench_die("--cold needs a POSIX system");
}

#else

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct cold_run {
    bench_device device;
    cl_context cl;
    cl_command_queue queue;
    bench_operator op;
    FILE *json;
    cl_ulong n;
    cl_mem in, out;
} cold_run;

static void build_nothing(const cold_run *run)
{
    const char *source = "__kernel void nothing(__global int *x) { x[0] = 1; }\n";
    cl_program program = bench_program(run->cl, run->device.id, source, "an empty kernel");
    cl_kernel kernel = bench_kernel(program, "nothing");
    bench_check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &run->out), "clSetKernelArg");
    bench_check(clEnqueueNDRangeKernel(run->queue, kernel, 1, NULL, &(size_t){1}, &(size_t){1}, 0, NULL, NULL),
                "clEnqueueNDRangeKernel");
    bench_check(clFinish(run->queue), "clFinish");
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

static void report(const cold_run *run, const char *step, double seconds)
{
    printf("  %-58s %9.1f ms\n", step, seconds * 1e3);
    if (!run->json)
        return;
    fputs("{\"device\": ", run->json);
    bench_json_string(run->json, run->device.name);
    fputs(", \"driver\": ", run->json);
    bench_json_string(run->json, run->device.driver);
    fprintf(run->json, ", \"primitive\": \"scan\", \"op\": \"%s\", \"type\": \"%s\", \"cold\": ", run->op.name,
            run->op.type);
    bench_json_string(run->json, step);
    fprintf(run->json, ", \"ms\": %.3f}\n", seconds * 1e3);
}

static double start_driver(cold_run *run, const char *device)
{
    double start = bench_seconds();
    run->device = bench_pick_device(device);
    run->cl = bench_context(&run->device);
    run->queue = bench_queue(run->cl, run->device.id, false);
    run->in = bench_buffer(run->cl, run->n * run->op.in_size[0]);
    run->out = bench_buffer(run->cl, run->n * run->op.out_size[0]);
    size_t bytes = (size_t)run->n * run->op.in_size[0];
    bench_check(clEnqueueFillBuffer(run->queue, run->in, &(cl_uchar){0}, 1, 0, bytes, 0, NULL, NULL),
                "clEnqueueFillBuffer");
    bench_check(clFinish(run->queue), "clFinish");
    return bench_seconds() - start;
}

static void plan_and_call(const cold_run *run, clf_context *context, const char *how)
{
    clf_error error = {.size = sizeof error};
    clf_plan *plan;
    char step[80];
    clf_array in = {run->in, 0}, out = {run->out, 0};
    double start = bench_seconds();
    if (clf_scan_plan(context, run->op.op, 0, NULL, &plan, &error) != CLF_SUCCESS)
        bench_die("%s\n%s", error.message, error.log);
    snprintf(step, sizeof step, "plan, %s", how);
    report(run, step, bench_seconds() - start);
    for (int i = 0; i < 2; ++i) {
        start = bench_seconds();
        bench_check(clf_scan(plan, CLF_ON(run->queue), run->n, &in, &out), "clf_scan");
        bench_check(clFinish(run->queue), "clFinish");
        snprintf(step, sizeof step, "%s call, plan %s", i ? "second" : "first", how);
        report(run, step, bench_seconds() - start);
    }
    start = bench_seconds();
    if (clf_plan_compile(plan, &error) != CLF_SUCCESS)
        bench_die("%s\n%s", error.message, error.log);
    snprintf(step, sizeof step, "kernels for other sizes, %s", how);
    report(run, step, bench_seconds() - start);
    clf_plan_release(plan);
}

static clf_context *make_context(const cold_run *run, const char *how)
{
    clf_error error = {.size = sizeof error};
    clf_context *context;
    char step[80];
    double start = bench_seconds();
    if (clf_context_create(run->cl, run->device.id, NULL, &context, &error) != CLF_SUCCESS)
        bench_die("%s\n%s", error.message, error.log);
    snprintf(step, sizeof step, "context (probes), %s", how);
    report(run, step, bench_seconds() - start);
    return context;
}

/* Removes the files of the cache, and the directory if nothing else is in it. */
static void remove_cache(const char *path)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    char name[1024];
    while (directory && (entry = readdir(directory))) {
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(name);
    }
    if (directory)
        closedir(directory);
    rmdir(path);
}

static void isolate_caches(char cache[64])
{
    snprintf(cache, 64, "/tmp/clfold-cold-XXXXXX");
    if (!mkdtemp(cache))
        bench_die("cannot make a directory under /tmp");
    setenv("CLFOLD_CACHE_DIR", cache, 1);
    setenv("CUDA_CACHE_DISABLE", "1", 0);
    setenv("POCL_KERNEL_CACHE", "0", 0);
}

static void run_all(cold_run *run, const char *device)
{
    double driver = start_driver(run, device), start = bench_seconds();
    build_nothing(run);
    double built = bench_seconds();
    build_nothing(run);
    double again = bench_seconds();
    printf("%s (%s), scan %s %s, n = %llu\n", run->device.name, run->device.platform_name, run->op.name, run->op.type,
           (unsigned long long)run->n);
    report(run, "driver: platform, context, queue, buffers", driver);
    report(run, "driver: first program (one empty kernel)", built - start);
    report(run, "driver: second program (one empty kernel)", again - built);
    clf_context *context = make_context(run, "disk cache empty");
    plan_and_call(run, context, "compiled");
    plan_and_call(run, context, "from memory");
    clf_context_release(context);
    context = make_context(run, "disk cache warm");
    plan_and_call(run, context, "from disk");
    clf_context_release(context);
    clReleaseMemObject(run->in);
    clReleaseMemObject(run->out);
    clReleaseCommandQueue(run->queue);
    clReleaseContext(run->cl);
}

void bench_cold(const bench_options *options)
{
    char cache[64];
    cold_run run = {.n = options->sizes.count ? options->sizes.size[0] : 1 << 20};
    if (!bench_find_operator(options->ops.word[0], options->types.word[0], &run.op))
        bench_die("--cold takes one of the built-in operators");
    run.json = bench_open_json(options->json);
    isolate_caches(cache);
    run_all(&run, options->device);
    remove_cache(cache);
    bench_close_json(run.json, options->json);
}

#endif
