/* SPDX-License-Identifier: MIT */
/*
 * What these programs share: the first device, a queue, a program. What is left in each is the bug.
 */
#ifndef DRIVER_BUGS_SETUP_H
#define DRIVER_BUGS_SETUP_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct setup {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
} setup;

static inline void check(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) {
        printf("%s: %d\n", what, status);
        exit(2);
    }
}

static inline cl_command_queue new_queue(const setup *s, cl_command_queue_properties properties)
{
    cl_int status;
    cl_command_queue queue = clCreateCommandQueue(s->context, s->device, properties, &status);
    check(status, "clCreateCommandQueue");
    return queue;
}

static inline setup set_up(const char *source, const char *options)
{
    setup s;
    cl_platform_id platform;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &s.device, NULL), "clGetDeviceIDs");
    s.context = clCreateContext(NULL, 1, &s.device, NULL, NULL, &status);
    check(status, "clCreateContext");
    s.queue = new_queue(&s, 0);
    s.program = clCreateProgramWithSource(s.context, 1, &source, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(s.program, 1, &s.device, options, NULL, NULL), "clBuildProgram");
    return s;
}

static inline cl_kernel new_kernel(const setup *s, const char *name)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(s->program, name, &status);
    check(status, "clCreateKernel");
    return kernel;
}

/* Of `bytes`, copied from `data`; NULL: with anything in it. */
static inline cl_mem new_buffer(const setup *s, size_t bytes, void *data)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(s->context, data ? CL_MEM_COPY_HOST_PTR : 0, bytes, data, &status);
    check(status, "clCreateBuffer");
    return buffer;
}

static inline void set_argument(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    check(clSetKernelArg(kernel, index, bytes, value), "clSetKernelArg");
}

/* `items` work-items in groups of `group`. */
static inline void launch(cl_command_queue queue, cl_kernel kernel, size_t items, size_t group, cl_event *event)
{
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, event), "clEnqueueNDRangeKernel");
}

static inline void read_back(cl_command_queue queue, cl_mem buffer, size_t bytes, void *data)
{
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL), "clEnqueueReadBuffer");
}

/* Kernel f(buffers of zeros …, ulong size) by one group, for drivers that compile where a kernel is launched. */
static inline int launch_one_group(const char *source, const char *options, cl_uint buffers, size_t group)
{
    static unsigned char zeros[1 << 16];
    const cl_ulong size = 1000;
    const setup s = set_up(source, options);
    cl_kernel kernel = new_kernel(&s, "f");
    for (cl_uint i = 0; i < buffers; ++i) {
        cl_mem buffer = new_buffer(&s, sizeof zeros, zeros);
        set_argument(kernel, i, sizeof buffer, &buffer);
    }
    set_argument(kernel, buffers, sizeof size, &size);
    puts("built; now it is launched, and compiled for this size of a group");
    fflush(stdout);
    launch(s.queue, kernel, group, group, NULL);
    check(clFinish(s.queue), "clFinish");
    puts("compiled and run");
    return 0;
}

/* Kernel f(in, out, uint numbers …) by one group: what is then in `out`. Both have so many bytes; NULL: no `in`. */
static inline void run_one_group(const char *source, const char *options, size_t group, void *in, void *out,
                                 size_t bytes, cl_uint count, const cl_uint *numbers)
{
    const setup s = set_up(source, options);
    const cl_kernel kernel = new_kernel(&s, "f");
    const cl_mem from = in ? new_buffer(&s, bytes, in) : NULL, to = new_buffer(&s, bytes, NULL);
    cl_uint at = 0;
    if (in)
        set_argument(kernel, at++, sizeof from, &from);
    set_argument(kernel, at++, sizeof to, &to);
    for (cl_uint i = 0; i < count; ++i)
        set_argument(kernel, at + i, sizeof numbers[i], &numbers[i]);
    launch(s.queue, kernel, group, group, NULL);
    read_back(s.queue, to, bytes, out);
}

/* Prints which numbers are wrong, or that all are right; is any wrong? */
static inline int compare(const cl_uint *got, const cl_uint *right, cl_uint count)
{
    int wrong = 0;
    for (cl_uint i = 0; i < count; ++i)
        if (got[i] != right[i]) {
            printf("%u: %u, not %u\n", i, got[i], right[i]);
            wrong = 1;
        }
    if (!wrong)
        puts("right");
    return wrong;
}

#endif
