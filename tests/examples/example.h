/* SPDX-License-Identifier: MIT */
/* What the examples share, so that what remains in each is its lesson. */
#ifndef CLFOLD_EXAMPLE_H
#define CLFOLD_EXAMPLE_H

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Ends the program unless `status`, of clfold or of OpenCL, is success. `error` may be NULL. */
static inline void check(clf_status status, const char *what, const clf_error *error)
{
    if (status == CLF_SUCCESS)
        return;
    fprintf(stderr, "%s: %s\n%s\n%s\n", what, clf_status_text(status), error ? error->message : "",
            error ? error->log : "");
    exit(1);
}

/* ---- A device --------------------------------------------------------------------------------------------------- */

typedef struct example {
    cl_device_id device;
    cl_context cl;
    cl_command_queue queue;
    clf_context *context;
    clf_error error; /* for what compiles */
} example;

/* Number CLFOLD_DEVICE of all devices of all platforms; if that is not set, the first GPU, or what there is first. */
static inline cl_device_id example_device(void)
{
    const char *text = getenv("CLFOLD_DEVICE");
    const unsigned long wanted = text ? strtoul(text, NULL, 10) : 0;
    cl_platform_id platforms[16];
    cl_device_id devices[256];
    cl_uint platform_count = 0, all = 0, count;
    check(clGetPlatformIDs(16, platforms, &platform_count), "clGetPlatformIDs", NULL);
    for (cl_uint i = 0; i < platform_count && i < 16; ++i, all += count < 16 ? count : 16)
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 16, devices + all, &count) != CL_SUCCESS)
            count = 0;
    check(wanted < all ? CL_SUCCESS : CL_DEVICE_NOT_FOUND, "a device", NULL);
    for (cl_uint i = 0; i < all && !text; ++i) {
        cl_device_type type;
        check(clGetDeviceInfo(devices[i], CL_DEVICE_TYPE, sizeof type, &type, NULL), "clGetDeviceInfo", NULL);
        if (type & CL_DEVICE_TYPE_GPU)
            return devices[i];
    }
    return devices[wanted];
}

/* clfold calls this before a call fails: the sentence names the call and the argument. */
static inline void example_print(const char *sentence, clf_status status, void *user)
{
    (void)status, (void)user;
    fprintf(stderr, "%s\n", sentence);
}

static inline example example_open(void)
{
    example x = {.device = example_device(), .error.size = sizeof x.error};
    cl_int status;
    x.cl = clCreateContext(NULL, 1, &x.device, NULL, NULL, &status);
    check(status, "clCreateContext", NULL);
    x.queue = clCreateCommandQueue(x.cl, x.device, 0, &status);
    check(status, "clCreateCommandQueue", NULL);
    const clf_context_options options = {.size = sizeof options, .notify = example_print};
    check(clf_context_create(x.cl, x.device, &options, &x.context, &x.error), "clf_context_create", &x.error);
    return x;
}

static inline void example_close(example *x)
{
    clf_context_release(x->context);
    clReleaseCommandQueue(x->queue);
    clReleaseContext(x->cl);
}

/* ---- Arrays ----------------------------------------------------------------------------------------------------- */

/* So many bytes, copied from `data` unless that is NULL. */
static inline clf_array example_array(const example *x, size_t bytes, const void *data)
{
    cl_int status;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0);
    const clf_array array = {clCreateBuffer(x->cl, flags, bytes ? bytes : 1, (void *)(size_t)data, &status), 0};
    check(status, "clCreateBuffer", NULL);
    return array;
}

/* From the beginning of the buffer, wherever the array starts. Waits for everything before. */
static inline void example_read(const example *x, clf_array from, size_t bytes, void *to)
{
    if (bytes)
        check(clEnqueueReadBuffer(x->queue, from.buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL), "reading", NULL);
}

static inline void example_release(const clf_array *arrays, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        clReleaseMemObject(arrays[i].buffer);
}

/* ---- The host --------------------------------------------------------------------------------------------------- */

/* What the clock shows, in microseconds. */
static inline double example_time(void)
{
#ifdef TIME_UTC
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
#else /* Windows by MinGW, where clock() goes on while a program waits */
    return (double)clock() * 1e6 / CLOCKS_PER_SEC;
#endif
}

/* What is in a file, with a 0 behind it. The caller frees it. */
static inline char *example_file(const char *name, size_t *bytes)
{
    FILE *file = fopen(name, "rb");
    size_t room = 1 << 16, more;
    char *text = malloc(room);
    for (*bytes = 0; file && text && (more = fread(text + *bytes, 1, room - *bytes - 1, file)) != 0;) {
        *bytes += more;
        if (*bytes + 1 == room)
            text = realloc(text, room *= 2);
    }
    if (!file || !text) {
        perror(name);
        exit(1);
    }
    text[*bytes] = 0;
    fclose(file);
    return text;
}
#endif
