/* SPDX-License-Identifier: MIT */
/*
 * The bound of reductions: how fast this device reads so many bytes when it does nothing else. The best of kernels that
 * read 16 bytes at a time: a few per work-item, then the group is done; all by as many groups as the device runs at a
 * time; and long ranges one by one, which is what CPUs like.
 */
#include "rows/rows.h"

#include <stdlib.h>
#include <string.h>

/* What was read goes nowhere, but only who reads it knows that. */
static const char source[] =
    "#define KEEP if ((x.x ^ x.y ^ x.z ^ x.w) == 0x9E3779B9u) to[0] = x;\n"
    "__kernel void tiles(__global const uint4 *from, __global uint4 *to, ulong count)\n"
    "{\n"
    "    size_t i = get_group_id(0) * 1024 + get_local_id(0);\n"
    "    uint4 x = (uint4)(0);\n"
    "    if (i + 768 < count)\n"
    "        x = from[i] ^ from[i + 256] ^ from[i + 512] ^ from[i + 768];\n"
    "    else\n"
    "        for (; i < count; i += 256)\n"
    "            x ^= from[i];\n"
    "    KEEP\n"
    "}\n"
    "__kernel void strides(__global const uint4 *from, __global uint4 *to, ulong count)\n"
    "{\n"
    "    size_t i = get_global_id(0), step = get_global_size(0);\n"
    "    uint4 x = (uint4)(0);\n"
    "    for (; i + 3 * step < count; i += 4 * step)\n"
    "        x ^= from[i] ^ from[i + step] ^ from[i + 2 * step] ^ from[i + 3 * step];\n"
    "    for (; i < count; i += step)\n"
    "        x ^= from[i];\n"
    "    KEEP\n"
    "}\n"
    "__kernel void ranges(__global const uint16 *from, __global uint4 *to, ulong count)\n"
    "{\n"
    "    size_t blocks = count / 4, i = blocks * get_group_id(0) / get_num_groups(0);\n"
    "    size_t end = blocks * (get_group_id(0) + 1) / get_num_groups(0);\n"
    "    uint16 a = (uint16)(0), b = (uint16)(0);\n"
    "    for (; i + 1 < end; i += 2) {\n"
    "        a ^= from[i];\n"
    "        b ^= from[i + 1];\n"
    "    }\n"
    "    for (; i < end; i++)\n"
    "        a ^= from[i];\n"
    "    a ^= b;\n"
    "    uint4 x = a.s0123 ^ a.s4567 ^ a.s89ab ^ a.scdef;\n"
    "    KEEP\n"
    "}\n";

typedef struct reader {
    cl_command_queue queue;
    cl_kernel kernel;
    size_t items, group;
} reader;

static void start(void *state)
{
    const reader *r = state;
    bench_check(clEnqueueNDRangeKernel(r->queue, r->kernel, 1, NULL, &r->items, &r->group, 0, NULL, NULL),
                "read kernel");
}

static void finish(void *state)
{
    bench_check(clFinish(((reader *)state)->queue), "clFinish");
}

static double measure(const bench_session *session, const char *name, size_t groups, size_t group, cl_mem from,
                      cl_mem to, cl_ulong count)
{
    cl_int status;
    reader r = {session->queue, clCreateKernel(session->read_program, name, &status), groups * group, group};
    bench_check(status, "read kernel");
    bench_check(clSetKernelArg(r.kernel, 0, sizeof(cl_mem), &from), "read kernel");
    bench_check(clSetKernelArg(r.kernel, 1, sizeof(cl_mem), &to), "read kernel");
    bench_check(clSetKernelArg(r.kernel, 2, sizeof(cl_ulong), &count), "read kernel");
    const double us = bench_time(&(bench_work){start, finish, &r}, &session->effort).us;
    clReleaseKernel(r.kernel);
    return us;
}

static void build(bench_session *session)
{
    cl_int status;
    const char *text = source;
    session->read_program = clCreateProgramWithSource(session->cl, 1, &text, NULL, &status);
    bench_check(status, "read kernel");
    bench_check(clBuildProgram(session->read_program, 1, &session->device.id, "", NULL, NULL), "read kernel");
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static double measure_all(bench_session *session, cl_ulong bytes)
{
    const cl_ulong count = (bytes + 63) / 64 * 4; /* of 16 bytes; whole ranges */
    cl_uint units = 1;
    clGetDeviceInfo(session->device.id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    if (!session->read_program)
        build(session);
    cl_mem from = bench_buffer(session->cl, count * 16), to = bench_buffer(session->cl, 16);
    bench_check(clEnqueueFillBuffer(session->queue, from, &(cl_uint){1}, 4, 0, (size_t)count * 16, 0, NULL, NULL),
                "fill");
    double us;
    if (session->device.type & CL_DEVICE_TYPE_CPU)
        us = lesser(measure(session, "ranges", units, 1, from, to, count),
                    measure(session, "ranges", 4 * (size_t)units, 1, from, to, count));
    else
        us = lesser(measure(session, "tiles", (size_t)((count + 1023) / 1024), 256, from, to, count),
                    measure(session, "strides", 8 * (size_t)units, 256, from, to, count));
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    return us;
}

double bench_read_us(bench_session *session, cl_ulong bytes)
{
    for (unsigned i = 0; i < session->read_count; i++)
        if (session->read_bytes[i] == bytes)
            return session->read_us[i];
    const double us = bytes ? measure_all(session, bytes) : 0;
    const unsigned slot = session->read_count < BENCH_COPY_SIZES ? session->read_count++ : BENCH_COPY_SIZES - 1;
    session->read_bytes[slot] = bytes;
    session->read_us[slot] = us;
    return us;
}

void bench_read_all(bench_data *data, bench_row *row)
{
    row->read_us = bench_read_us(data->session, row->bytes);
}

void bench_read_inputs(bench_data *data, bench_row *row)
{
    cl_ulong bytes = 0;
    for (unsigned f = 0; f < data->op.inputs; f++)
        bytes += row->n * data->op.in_size[f];
    row->read_us = bench_read_us(data->session, bytes);
}

void bench_forget_reads(bench_session *session)
{
    session->read_count = 0;
    if (session->read_program)
        clReleaseProgram(session->read_program);
    session->read_program = NULL;
}
