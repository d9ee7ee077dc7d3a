/* SPDX-License-Identifier: MIT */
/*
 * The yardsticks, measured on this device, now, once per session and size:
 *
 *     copying  as many bytes as a primitive moves, by the driver's own copy and by a plain vectorised kernel (the
 *              driver's copy is one thread on some CPU devices)
 *     reading  so many bytes and doing nothing else: the bound of reductions. The best of kernels that read 16 bytes at
 *              a time: a few per work-item, then the group is done; all by as many groups as the device runs at a
 *              time; and long ranges one by one, which is what CPUs like
 */
#include "rows/rows.h"

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
    "}\n"
    "__kernel void copy(__global const uint4 *from, __global uint4 *to, ulong count)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    if (i < count)\n"
    "        to[i] = from[i];\n"
    "}\n";

typedef struct mover {
    cl_command_queue queue;
    cl_kernel kernel; /* NULL: the driver's copy of so many bytes */
    size_t items, group, bytes;
    cl_mem from, to;
} mover;

static void start(void *state)
{
    const mover *m = state;
    bench_check(m->kernel ? clEnqueueNDRangeKernel(m->queue, m->kernel, 1, NULL, &m->items, &m->group, 0, NULL, NULL)
                          : clEnqueueCopyBuffer(m->queue, m->from, m->to, 0, 0, m->bytes, 0, NULL, NULL),
                "a yardstick");
}

static void finish(void *state)
{
    bench_check(clFinish(((mover *)state)->queue), "clFinish");
}

/* `name`: NULL for the driver's copy. `count` of 16 bytes each. */
static double measure(bench_session *session, const char *name, cl_ulong groups, size_t group, cl_mem from, cl_mem to,
                      cl_ulong count)
{
    mover m = {session->queue, NULL, (size_t)groups * group, group, (size_t)count * 16, from, to};
    if (!session->yardsticks_program)
        session->yardsticks_program = bench_program(session->cl, session->device.id, source, "a yardstick");
    if (name) {
        m.kernel = bench_kernel(session->yardsticks_program, name);
        bench_check(clSetKernelArg(m.kernel, 0, sizeof(cl_mem), &from), name);
        bench_check(clSetKernelArg(m.kernel, 1, sizeof(cl_mem), &to), name);
        bench_check(clSetKernelArg(m.kernel, 2, sizeof(cl_ulong), &count), name);
    }
    const double us = bench_time(&(bench_work){start, finish, &m}, &session->effort).us;
    if (name)
        clReleaseKernel(m.kernel);
    return us;
}

/* Untouched pages read as one shared page of zeros on CPU devices: too good a copy. */
static cl_mem filled(const bench_session *session, cl_ulong bytes, cl_uint with)
{
    cl_mem buffer = bench_buffer(session->cl, bytes);
    bench_check(clEnqueueFillBuffer(session->queue, buffer, &with, 4, 0, (size_t)bytes, 0, NULL, NULL), "fill");
    return buffer;
}

/* Half of the bytes are read, and half written. */
static void copy(bench_session *session, bench_yardstick *y)
{
    const cl_ulong count = (y->bytes / 2 + 15) / 16;
    cl_mem from = filled(session, count * 16, 1), to = filled(session, count * 16, 2);
    y->copy_us = measure(session, NULL, 0, 0, from, to, count);
    y->copy_kernel_us = measure(session, "copy", (count + 255) / 256, 256, from, to, count);
    clReleaseMemObject(from);
    clReleaseMemObject(to);
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static void read(bench_session *session, bench_yardstick *y)
{
    const cl_ulong count = (y->bytes + 63) / 64 * 4; /* whole ranges */
    cl_uint units = 1;
    clGetDeviceInfo(session->device.id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    cl_mem from = filled(session, count * 16, 1), to = bench_buffer(session->cl, 16);
    if (session->device.type & CL_DEVICE_TYPE_CPU)
        y->read_us = lesser(measure(session, "ranges", units, 1, from, to, count),
                            measure(session, "ranges", 4 * (cl_ulong)units, 1, from, to, count));
    else
        y->read_us = lesser(measure(session, "tiles", (count + 1023) / 1024, 256, from, to, count),
                            measure(session, "strides", 8 * (cl_ulong)units, 256, from, to, count));
    clReleaseMemObject(from);
    clReleaseMemObject(to);
}

/* By one of these functions, unless it is known; of no bytes all times are 0. */
static bench_yardstick of(bench_session *session, cl_ulong bytes, void (*by)(bench_session *, bench_yardstick *))
{
    unsigned i = 0;
    while (i < session->yardstick_count && (session->yardstick[i].bytes != bytes || session->yardstick[i].by != by))
        ++i;
    if (i == session->yardstick_count) {
        i = i < BENCH_YARDSTICKS ? session->yardstick_count++ : BENCH_YARDSTICKS - 1;
        session->yardstick[i] = (bench_yardstick){.bytes = bytes, .by = by};
        if (bytes)
            by(session, &session->yardstick[i]);
    }
    return session->yardstick[i];
}

void bench_copy(bench_data *data, bench_row *row)
{
    const bench_yardstick y = of(data->session, row->bytes, copy);
    row->copy_us = y.copy_us;
    row->copy_kernel_us = y.copy_kernel_us;
}

void bench_read_all(bench_data *data, bench_row *row)
{
    row->read_us = of(data->session, row->bytes, read).read_us;
}

void bench_read_inputs(bench_data *data, bench_row *row)
{
    cl_ulong bytes = 0;
    for (unsigned f = 0; f < data->op.inputs; ++f)
        bytes += row->n * data->op.in_size[f];
    row->read_us = of(data->session, bytes, read).read_us;
}

void bench_forget_yardsticks(bench_session *session)
{
    session->yardstick_count = 0;
    if (session->yardsticks_program)
        clReleaseProgram(session->yardsticks_program);
    session->yardsticks_program = NULL;
}
