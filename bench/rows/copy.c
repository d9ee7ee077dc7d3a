/* SPDX-License-Identifier: MIT */
/*
 * The yardstick: what moving as many bytes as a primitive does costs on this device, now, by the driver's own
 * copy and by a plain vectorised kernel (the driver's copy is one thread on some CPU devices).
 */
#include "rows/rows.h"

static const char copy_source[] =
    "__kernel void copy(__global const uint4 *from, __global uint4 *to, ulong count)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    if (i < count)\n"
    "        to[i] = from[i];\n"
    "}\n";

typedef struct copy_state {
    cl_command_queue queue;
    cl_mem from, to;
    size_t bytes;
    cl_kernel kernel;
} copy_state;

static void copy_by_driver(void *state)
{
    const copy_state *copy = state;
    bench_check(clEnqueueCopyBuffer(copy->queue, copy->from, copy->to, 0, 0, copy->bytes, 0, NULL, NULL),
                "clEnqueueCopyBuffer");
}

static void copy_by_kernel(void *state)
{
    const copy_state *copy = state;
    size_t group = 256, items = (copy->bytes / 16 + group - 1) / group * group;
    bench_check(clEnqueueNDRangeKernel(copy->queue, copy->kernel, 1, NULL, &items, &group, 0, NULL, NULL),
                "copy kernel");
}

static void copy_wait(void *state)
{
    bench_check(clFinish(((copy_state *)state)->queue), "clFinish");
}

static cl_kernel copy_kernel(bench_session *session, const copy_state *copy)
{
    cl_int status;
    const char *source = copy_source;
    if (!session->copy_program) {
        session->copy_program = clCreateProgramWithSource(session->cl, 1, &source, NULL, &status);
        bench_check(status, "copy kernel");
        bench_check(clBuildProgram(session->copy_program, 1, &session->device.id, "", NULL, NULL), "copy kernel");
    }
    cl_kernel kernel = clCreateKernel(session->copy_program, "copy", &status);
    bench_check(status, "copy kernel");
    bench_check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &copy->from), "copy kernel");
    bench_check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &copy->to), "copy kernel");
    bench_check(clSetKernelArg(kernel, 2, sizeof(cl_ulong), &(cl_ulong){copy->bytes / 16}), "copy kernel");
    return kernel;
}

static bench_copies measure(bench_session *session, size_t bytes)
{
    copy_state copy = {.queue = session->queue, .bytes = bytes};
    bench_work work = {.wait = copy_wait, .state = &copy};
    bench_copies result = {0};
    copy.from = bench_buffer(session->cl, bytes);
    copy.to = bench_buffer(session->cl, bytes);
    /* Untouched pages read as one shared page of zeros on CPU devices: too good a copy. */
    bench_check(clEnqueueFillBuffer(copy.queue, copy.from, &(cl_uint){1}, 4, 0, bytes, 0, NULL, NULL), "fill");
    bench_check(clEnqueueFillBuffer(copy.queue, copy.to, &(cl_uint){2}, 4, 0, bytes, 0, NULL, NULL), "fill");
    copy.kernel = copy_kernel(session, &copy);
    work.call = copy_by_driver;
    result.copy_us = bench_time(&work, &session->effort).us;
    work.call = copy_by_kernel;
    result.kernel_us = bench_time(&work, &session->effort).us;
    clReleaseKernel(copy.kernel);
    clReleaseMemObject(copy.from);
    clReleaseMemObject(copy.to);
    return result;
}

/* Measured once per session and size. */
static bench_copies copies_of(bench_session *session, cl_ulong bytes)
{
    for (unsigned i = 0; i < session->copy_count; i++)
        if (session->copy_bytes[i] == bytes)
            return session->copies[i];
    cl_ulong half = (bytes / 2 + 15) / 16 * 16;
    bench_copies result = bytes ? measure(session, (size_t)half) : (bench_copies){0};
    unsigned slot = session->copy_count < BENCH_COPY_SIZES ? session->copy_count++ : BENCH_COPY_SIZES - 1;
    session->copy_bytes[slot] = bytes;
    session->copies[slot] = result;
    return result;
}

void bench_copy(bench_data *data, bench_row *row)
{
    const bench_copies copies = copies_of(data->session, row->bytes);
    row->copy_us = copies.copy_us;
    row->copy_kernel_us = copies.kernel_us;
}

void bench_forget_copies(bench_session *session)
{
    session->copy_count = 0;
    if (session->copy_program)
        clReleaseProgram(session->copy_program);
    session->copy_program = NULL;
}
