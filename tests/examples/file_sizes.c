/* SPDX-License-Identifier: MIT */
/*
 * Statistics over real data: the running total and the running maximum of the sizes of files, both in one
 * scan.
 *
 *     file_sizes DIRECTORY            walks the directory
 *     find /usr -type f -printf '%s %p\n' | file_sizes
 *                                     reads lines "size name"
 *
 * Shows how an operator on a tuple is written: the input is one number per file, a map makes it a pair of
 * total and largest, and combine joins the pairs of neighbouring ranges. Checked against a loop on the host.
 */
#if !defined(_WIN32) && !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 /* opendir, lstat */
#endif
#define CL_TARGET_OPENCL_VERSION 120 /* nothing newer is needed */
#include <clfold/clfold.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifndef _WIN32
#include <dirent.h>
#include <sys/stat.h>
#endif

static const clf_operator total_and_largest = {
    .size = sizeof(clf_operator),
    .input = "ulong size;",
    .value = "ulong total; ulong largest;",
    .source = "clf_value of_file(clf_input file, ulong i) { clf_value v = {file.size, file.size}; return v; }\n"
              "clf_value of_nothing(void) { clf_value v = {0, 0}; return v; }\n"
              "clf_value join(clf_value a, clf_value b)\n"
              "{\n"
              "    clf_value v = {a.total + b.total, max(a.largest, b.largest)};\n"
              "    return v;\n"
              "}\n",
    .combine = "join", .neutral = "of_nothing", .map = "of_file", .flags = CLF_COMMUTATIVE,
};

/* ---- the data ---- */

typedef struct sizes {
    cl_ulong *data;
    size_t count, capacity;
} sizes;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "file_sizes: %s: %s\n", what, why);
    exit(1);
}

static void check(clf_status status, const char *what)
{
    if (status != CLF_SUCCESS)
        fail(what, clf_status_text(status));
}

static void add_size(sizes *list, cl_ulong size)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 1024;
        list->data = realloc(list->data, list->capacity * sizeof *list->data);
        if (!list->data)
            fail("reading", "out of memory");
    }
    list->data[list->count++] = size;
}

static void read_lines(sizes *list)
{
    char line[8192];
    bool at_start = true;
    while (fgets(line, sizeof line, stdin)) {
        char *end;
        cl_ulong size = strtoull(line, &end, 10);
        if (at_start && end != line)
            add_size(list, size);
        at_start = strchr(line, '\n') != NULL;
    }
}

/* Regular files below `path`; links are not followed. */
static void walk(sizes *list, const char *path)
{
#ifdef _WIN32
    (void)list;
    fail(path, "walking directories needs a POSIX system: pipe the sizes in");
#else
    DIR *directory = opendir(path);
    struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        char name[4096];
        struct stat about;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
            snprintf(name, sizeof name, "%s/%s", path, entry->d_name) >= (int)sizeof name ||
            lstat(name, &about) != 0)
            continue;
        if (S_ISDIR(about.st_mode))
            walk(list, name);
        else if (S_ISREG(about.st_mode))
            add_size(list, (cl_ulong)about.st_size);
    }
    if (directory)
        closedir(directory);
#endif
}

/* ---- the device ---- */

/* Device number CLFOLD_DEVICE of all devices of all platforms; the first one if that is not set. */
static cl_device_id pick_device(void)
{
    const char *text = getenv("CLFOLD_DEVICE");
    unsigned long wanted = text ? strtoul(text, NULL, 10) : 0;
    cl_platform_id platforms[16];
    cl_uint platform_count = 0;
    clGetPlatformIDs(16, platforms, &platform_count);
    for (cl_uint i = 0; i < platform_count && i < 16; i++) {
        cl_device_id devices[16];
        cl_uint count = 0;
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 16, devices, &count) != CL_SUCCESS)
            continue;
        if (wanted < count && wanted < 16)
            return devices[wanted];
        wanted -= count;
    }
    fail("OpenCL", "no such device");
    return NULL;
}

static cl_mem new_buffer(cl_context cl, size_t count, void *data)
{
    cl_int status;
    cl_mem_flags flags = CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0);
    cl_mem buffer = clCreateBuffer(cl, flags, count * sizeof(cl_ulong), data, &status);
    check(status, "clCreateBuffer");
    return buffer;
}

/* Milliseconds of one scan; the first one is not counted, for some drivers finish compiling then. */
static double time_scan(clf_plan *plan, cl_command_queue queue, size_t n, const clf_array *in,
                        const clf_array *out)
{
    struct timespec start, end;
    for (int i = 0; i < 2; i++) {
        timespec_get(&start, TIME_UTC);
        check(clf_scan(plan, CLF_ON(queue), n, in, out), "clf_scan");
        check(clFinish(queue), "clFinish");
        timespec_get(&end, TIME_UTC);
    }
    return (double)(end.tv_sec - start.tv_sec) * 1e3 + (double)(end.tv_nsec - start.tv_nsec) * 1e-6;
}

static void read_array(cl_command_queue queue, clf_array from, size_t count, cl_ulong *to)
{
    check(clEnqueueReadBuffer(queue, from.buffer, CL_TRUE, 0, count * sizeof *to, to, 0, NULL, NULL), "reading");
    clReleaseMemObject(from.buffer);
}

/* Everything that a user of clfold writes. */
static double scan_sizes(cl_context cl, cl_device_id device, cl_command_queue queue, const sizes *list,
                         cl_ulong *total, cl_ulong *largest)
{
    clf_context *context;
    clf_plan *plan;
    clf_error error = {.size = sizeof error};
    clf_array in = {new_buffer(cl, list->count, list->data), 0};
    clf_array out[2] = {{new_buffer(cl, list->count, NULL), 0}, {new_buffer(cl, list->count, NULL), 0}};

    check(clf_context_create(cl, device, NULL, &context, NULL), "clf_context_create");
    if (clf_scan_plan(context, &total_and_largest, 0, NULL, &plan, &error) != CLF_SUCCESS)
        fail(error.message, error.log);
    double ms = time_scan(plan, queue, list->count, &in, out);
    read_array(queue, out[0], list->count, total);
    read_array(queue, out[1], list->count, largest);

    clReleaseMemObject(in.buffer);
    clf_plan_release(plan);
    clf_context_release(context);
    return ms;
}

/* ---- the result ---- */

static void print_deciles(const sizes *list, const cl_ulong *total, const cl_ulong *largest)
{
    printf("%12s %20s %16s %8s\n", "files", "running total", "largest so far", "share");
    for (size_t tenth = 1; tenth <= 10; tenth++) {
        size_t last = (list->count * tenth + 9) / 10 - 1;
        printf("%12llu %20llu %16llu %7.1f%%\n", (unsigned long long)last + 1, (unsigned long long)total[last],
               (unsigned long long)largest[last],
               100.0 * (double)total[last] / ((double)total[list->count - 1] + 1e-9));
    }
}

static bool is_right(const sizes *list, const cl_ulong *total, const cl_ulong *largest)
{
    cl_ulong sum = 0, most = 0;
    for (size_t i = 0; i < list->count; i++) {
        sum += list->data[i];
        most = list->data[i] > most ? list->data[i] : most;
        if (total[i] != sum || largest[i] != most) {
            printf("WRONG at file %llu\n", (unsigned long long)i);
            return false;
        }
    }
    return true;
}

static bool run(const sizes *list)
{
    char name[128] = "";
    cl_int status;
    cl_device_id device = pick_device();
    cl_context cl = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(cl, device, 0, &status);
    check(status, "clCreateCommandQueue");
    cl_ulong *total = malloc(list->count * sizeof *total), *largest = malloc(list->count * sizeof *largest);
    if (!total || !largest)
        fail("results", "out of memory");

    double ms = scan_sizes(cl, device, queue, list, total, largest);
    bool right = is_right(list, total, largest);
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    print_deciles(list, total, largest);
    printf("%s: %llu files in one scan, %.3f ms, %s\n", name, (unsigned long long)list->count, ms,
           right ? "the same as a loop on the host" : "WRONG");
    free(total);
    free(largest);
    clReleaseCommandQueue(queue);
    clReleaseContext(cl);
    return right;
}

int main(int argc, char **argv)
{
    sizes list = {0};
    if (argc > 1)
        walk(&list, argv[1]);
    else
        read_lines(&list);
    if (list.count == 0)
        fail(argc > 1 ? argv[1] : "standard input", "no files");
    bool right = run(&list);
    free(list.data);
    return right ? 0 : 1;
}
