/* SPDX-License-Identifier: MIT */
/*
 * Devices, queues, transfers and errors: the OpenCL that every tool needs and that has nothing to do with measuring.
 */
#include "common/common.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#endif

void bench_die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fputs("clfold: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

void bench_check(clf_status status, const char *what)
{
    if (status != CLF_SUCCESS)
        bench_die("%s: %s (%d)", what, clf_status_text(status), (int)status);
}

FILE *bench_open_json(const char *name)
{
    FILE *file = !name ? NULL : strcmp(name, "-") == 0 ? stdout : fopen(name, "a");
    if (name && !file)
        bench_die("cannot write %s", name);
    return file;
}

void bench_close_json(FILE *file, const char *name)
{
    if (file && (ferror(file) || (file != stdout && fclose(file) != 0)))
        bench_die("--json %s: the rows could not be written", name);
}

void *bench_alloc(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory)
        bench_die("the host has no %.1f MB of memory left", (double)bytes * 1e-6);
    return memory;
}

char *bench_copy_text(const char *text, size_t length)
{
    char *copy = bench_alloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static void describe_device(bench_device *device)
{
    clGetPlatformInfo(device->platform, CL_PLATFORM_NAME, sizeof device->platform_name, device->platform_name, NULL);
    clGetDeviceInfo(device->id, CL_DEVICE_NAME, sizeof device->name, device->name, NULL);
    clGetDeviceInfo(device->id, CL_DRIVER_VERSION, sizeof device->driver, device->driver, NULL);
    clGetDeviceInfo(device->id, CL_DEVICE_TYPE, sizeof device->type, &device->type, NULL);
}

static unsigned add_devices(cl_platform_id platform, bench_device *list, unsigned count, unsigned limit)
{
    cl_device_id ids[32];
    cl_uint found = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 32, ids, &found) != CL_SUCCESS)
        return count;
    for (cl_uint i = 0; i < found && i < 32 && count < limit; ++i) {
        list[count] = (bench_device){.platform = platform, .id = ids[i]};
        describe_device(&list[count++]);
    }
    return count;
}

unsigned bench_devices(bench_device **list)
{
    enum { LIMIT = 64 };
    cl_platform_id platforms[16];
    cl_uint platform_count = 0;
    unsigned count = 0;
    *list = bench_alloc(LIMIT * sizeof **list);
    if (clGetPlatformIDs(16, platforms, &platform_count) != CL_SUCCESS)
        return 0;
    for (cl_uint i = 0; i < platform_count && i < 16; ++i)
        count = add_devices(platforms[i], *list, count, LIMIT);
    return count;
}

static bool contains(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; *text; ++text) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
            ++i;
        if (i == length)
            return true;
    }
    return false;
}

static bool is_wanted(const bench_device *device, unsigned index, const char *text)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (end != text && *end == '\0')
        return number == index;
    return contains(device->name, text) || contains(device->platform_name, text);
}

bench_device bench_pick_device(const char *text)
{
    bench_device *list, found;
    unsigned count = bench_devices(&list), picked = 0;
    if (count == 0)
        bench_die("no OpenCL device found; on a machine without one, install pocl-opencl-icd");
    while (picked < count &&
           !(text ? is_wanted(&list[picked], picked, text) : (list[picked].type & CL_DEVICE_TYPE_GPU) != 0))
        ++picked;
    if (picked == count && text)
        bench_die("no device \"%s\"; clfold-info --devices lists them", text);
    found = list[picked < count ? picked : 0];
    free(list);
    return found;
}

cl_context bench_context(const bench_device *device)
{
    cl_int status;
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)device->platform, 0};
    cl_context context = clCreateContext(properties, 1, &device->id, NULL, NULL, &status);
    bench_check(status, "clCreateContext");
    return context;
}

cl_command_queue bench_queue(cl_context context, cl_device_id device, bool profiling)
{
    cl_int status;
    cl_command_queue_properties properties = profiling ? CL_QUEUE_PROFILING_ENABLE : 0;
    cl_command_queue queue = clCreateCommandQueue(context, device, properties, &status);
    if (status == CL_INVALID_QUEUE_PROPERTIES) /* no profiling there: rows have no event times */
        queue = clCreateCommandQueue(context, device, 0, &status);
    bench_check(status, "clCreateCommandQueue");
    return queue;
}

cl_mem bench_buffer(cl_context context, cl_ulong bytes)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes ? (size_t)bytes : 1, NULL, &status);
    if (status != CL_SUCCESS)
        bench_die("no buffer of %.1f MB: %s", (double)bytes * 1e-6, clf_status_text(status));
    return buffer;
}

cl_program bench_program(cl_context context, cl_device_id device, const char *source, const char *what)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    bench_check(status, what);
    bench_check(clBuildProgram(program, 1, &device, "", NULL, NULL), what);
    return program;
}

cl_kernel bench_kernel(cl_program program, const char *name)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    bench_check(status, name);
    return kernel;
}

enum { PIECE = 1 << 26 };

void bench_write(cl_command_queue queue, cl_mem buffer, const void *data, cl_ulong bytes)
{
    for (cl_ulong done = 0; done < bytes; done += PIECE) {
        size_t piece = bytes - done < PIECE ? (size_t)(bytes - done) : PIECE;
        const char *from = (const char *)data + done;
        bench_check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, (size_t)done, piece, from, 0, NULL, NULL),
                    "clEnqueueWriteBuffer");
    }
}

void bench_read(cl_command_queue queue, cl_mem buffer, void *data, cl_ulong offset, cl_ulong bytes)
{
    for (cl_ulong done = 0; done < bytes; done += PIECE) {
        size_t piece = bytes - done < PIECE ? (size_t)(bytes - done) : PIECE;
        size_t from = (size_t)(offset + done);
        bench_check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, from, piece, (char *)data + done, 0, NULL, NULL),
                    "clEnqueueReadBuffer");
    }
}

bool bench_described(const char *text, const char *name, char *value, size_t bytes)
{
    size_t length = strlen(name);
    for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL) {
        if (strncmp(line, name, length) != 0 || strncmp(line + length, " = ", 3) != 0)
            continue;
        snprintf(value, bytes, "%.*s", (int)strcspn(line + length + 3, "\n"), line + length + 3);
        return true;
    }
    return false;
}

char *bench_describe_plan(const clf_plan *plan, cl_ulong n)
{
    size_t needed = 0;
    bench_check(clf_plan_describe(plan, n, NULL, 0, &needed), "clf_plan_describe");
    char *text = bench_alloc(needed);
    bench_check(clf_plan_describe(plan, n, text, needed, NULL), "clf_plan_describe");
    return text;
}

char *bench_describe_context(const clf_context *context)
{
    size_t needed = 0;
    bench_check(clf_context_describe(context, NULL, 0, &needed), "clf_context_describe");
    char *text = bench_alloc(needed);
    bench_check(clf_context_describe(context, text, needed, NULL), "clf_context_describe");
    return text;
}

double bench_seconds(void)
{
#ifdef _WIN32 /* MinGW has no timespec_get, and the clock of time() ticks 64 times a second */
    LARGE_INTEGER ticks, per_second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&per_second);
    return (double)ticks.QuadPart / (double)per_second.QuadPart;
#else
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
#endif
}

void bench_print_version(const char *program)
{
    const unsigned version = clf_version();
    printf("%s %u.%u.%u\n", program, version / 10000, version / 100 % 100, version % 100);
}
