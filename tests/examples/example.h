/* SPDX-License-Identifier: MIT */
/*
 * What the examples share, so that what remains in each is its lesson: a device with a queue and clfold's context on
 * it, arrays, and the end of a program that fails.
 */
#ifndef CLFOLD_EXAMPLE_H
#define CLFOLD_EXAMPLE_H

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold.h>

#include <stdio.h>
#include <stdlib.h>

/* Ends the program unless `status` is success. `error` may be NULL. */
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
    cl_context cl;
    cl_command_queue queue;
    clf_context *context;
    clf_error error; /* for what compiles */
} example;

/* On the first device of the first platform. */
static inline example example_open(void)
{
    example x = {.error.size = sizeof x.error};
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs", NULL);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs", NULL);
    x.cl = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext", NULL);
    x.queue = clCreateCommandQueue(x.cl, device, 0, &status);
    check(status, "clCreateCommandQueue", NULL);
    check(clf_context_create(x.cl, device, NULL, &x.context, &x.error), "clf_context_create", &x.error);
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

/* Waits for everything before. */
static inline void example_read(const example *x, clf_array from, size_t bytes, void *to)
{
    if (bytes)
        check(clEnqueueReadBuffer(x->queue, from.buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL), "clEnqueueReadBuffer",
              NULL);
}

static inline void example_release(const clf_array *arrays, size_t count)
{
    for (size_t i = 0; i < count; i++)
        clReleaseMemObject(arrays[i].buffer);
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

/* The caller frees it. Its bytes are followed by a 0. */
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
