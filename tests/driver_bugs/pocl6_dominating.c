/* SPDX-License-Identifier: MIT */
/*
 * PoCL 6 (LLVM 18, Debian 13) ends the process while it compiles this valid kernel for a group of 32: "Could not find
 * a dominating alternative variable." All work-items reach every barrier, in a loop of four rounds. Small changes hide
 * it: with fewer rounds, or without the variable stripes, it compiles. No clfold in here.
 *
 *     cc pocl6_dominating.c -lOpenCL && ./a.out
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 32, BUFFERS = 4, BYTES = 1 << 16, SIZE = 1000 };

static const char *source =
    "typedef struct { __global uint *a, *b, *c, *d; } outputs;\n"
    "typedef struct { outputs out; ulong size; } arguments;\n"
    "typedef struct { uint4 even[32], odd[32]; } slab;\n"
    "static inline void whole(__global uint *to, __local uint4 *rows)\n"
    "{\n"
    "    const uint lane = (uint)get_local_id(0);\n"
    "    __global uint4 *const stripes = (__global uint4 *)to + lane;\n"
    "    stripes[0] = rows[lane];\n"
    "}\n"
    "static inline void part(__global uint *to, uint count, __local uint4 *rows)\n"
    "{\n"
    "    const uint lane = (uint)get_local_id(0);\n"
    "    for (uint j = 0; j < 4; ++j) {\n"
    "        const uint i = j * 32 + lane;\n"
    "        if (i < count)\n"
    "            to[i] = ((__local uint *)rows)[i];\n"
    "    }\n"
    "}\n"
    "static inline void flush(const outputs *out, ulong first, uint count, __local slab *s, uint round)\n"
    "{\n"
    "    if (round == 0) {\n"
    "        if (count == 128)\n"
    "            whole(out->a + first, s->even);\n"
    "        else\n"
    "            part(out->a + first, count, s->even);\n"
    "    }\n"
    "    if (round == 1) {\n"
    "        if (count == 128)\n"
    "            whole(out->b + first, s->odd);\n"
    "        else\n"
    "            part(out->b + first, count, s->odd);\n"
    "    }\n"
    "    if (round == 2) {\n"
    "        if (count == 128)\n"
    "            whole(out->c + first, s->odd);\n"
    "        else\n"
    "            part(out->c + first, count, s->odd);\n"
    "    }\n"
    "    if (round == 3) {\n"
    "        if (count == 128)\n"
    "            whole(out->d + first, s->odd);\n"
    "        else\n"
    "            part(out->d + first, count, s->odd);\n"
    "    }\n"
    "}\n"
    "__kernel void f(__global uint *a, __global uint *b, __global uint *c, __global uint *d, ulong size)\n"
    "{\n"
    "    __local slab s;\n"
    "    const arguments x = {{a, b, c, d}, size};\n"
    "    const ulong first = get_group_id(0) * 128;\n"
    "    const uint count = (uint)min(x.size - first, (ulong)128);\n"
    "    for (uint round = 0; round < 4; ++round) {\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        flush(&x.out, first, count, &s, round);\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "}\n";

static void check(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) {
        printf("%s: %d\n", what, status);
        exit(2);
    }
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "f", &status);
    check(status, "clCreateKernel");
    void *zeros = calloc(1, BYTES);
    for (cl_uint i = 0; i < BUFFERS; i++) {
        cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, BYTES, zeros, &status);
        check(status, "clCreateBuffer");
        check(clSetKernelArg(kernel, i, sizeof buffer, &buffer), "clSetKernelArg");
    }
    check(clSetKernelArg(kernel, BUFFERS, sizeof(cl_ulong), &(cl_ulong){SIZE}), "clSetKernelArg");
    puts("built; now it is launched, and compiled for this size of a group");
    fflush(stdout);
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &(size_t){GROUP}, &(size_t){GROUP}, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue), "clFinish");
    puts("compiled and run");
    return 0;
}
