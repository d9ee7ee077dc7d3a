/* SPDX-License-Identifier: MIT */
/*
 * PoCL 6 on LLVM 18 (Debian 13) ends the process while it compiles this valid kernel for a group of 256:
 * "LLVM ERROR: Instruction Combining did not reach a fixpoint after 1 iterations". The check is meant for tests of
 * LLVM, but on by default where passes are named by a text (pocl issue 1608): `instcombine<no-verify-fixpoint>`.
 * No clfold in here.
 *
 *     cc pocl6_instcombine.c -lOpenCL && ./a.out
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 256, BUFFERS = 2, BYTES = 1 << 16, SIZE = 1000 };

static const char *source =
    "__kernel void f(__global const uint *bits, __global uint *out, ulong size)\n"
    "{\n"
    "    const uint id = get_local_id(0);\n"
    "    ulong w = 0 < size ? (ulong)bits[id] << 32 | bits[id + 1] : 0;\n"
    "    for (ulong at = 0; at < size; at += 256) {\n"
    "        const uint n = min(size - at, (ulong)256);\n"
    "        const uint b = id < n ? (uint)(w >> (at + id) % 32) & ((1u << (n - id)) - 1) : 0;\n"
    "        w = at + n < size ? (ulong)bits[at + n + id] << 32 | bits[at + n + id + 1] : 0;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        out[at + id] = b;\n"
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
