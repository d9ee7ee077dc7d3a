/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's compiler (driver 580.159, H200) makes a loop of more rounds than it has: "17, not 1". The loop is unrolled
 * by 17 without what is left over. It has 287 rounds at most, and writes a private array; with `#pragma unroll 1` it is
 * right. Bounds of 272 to 287, 483 to 511 and 547 to 575 were seen to fail. No clfold in here.
 *
 *     cc nvidia_unroll.c -lOpenCL && ./a.out
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 1 << 16 };

static const char *source =
    "__kernel void f(__global const uchar *in, __global uint *out, uint n)\n"
    "{\n"
    "    uint all = 0;\n"
    "    for (uint done = 0; done < n; done += 287) {\n"
    "        const uint end = min(287u, n - done);\n"
    "        uint kept = 0, piece[287];\n"
    "        for (uint k = 0; k < end; ++k) {\n"
    "            piece[kept] = done + k;\n"
    "            kept += in[done + k] != 0;\n"
    "        }\n"
    "        for (uint k = 0; k < kept; ++k)\n"
    "            out[1 + all + k] = piece[k];\n"
    "        all += kept;\n"
    "    }\n"
    "    *out = all;\n"
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
    static unsigned char ones[BYTES];
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    cl_uint got = 0;
    for (size_t i = 0; i < BYTES; i++)
        ones[i] = 1;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "f", &status);
    check(status, "clCreateKernel");
    cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, BYTES, ones, &status);
    check(status, "clCreateBuffer");
    cl_mem out = clCreateBuffer(context, 0, BYTES, NULL, &status);
    check(status, "clCreateBuffer");
    check(clSetKernelArg(kernel, 0, sizeof in, &in), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof out, &out), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, sizeof(cl_uint), &(cl_uint){1}), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &(size_t){1}, &(size_t){1}, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL), "clEnqueueReadBuffer");
    if (got == 1)
        puts("right");
    else
        printf("%u, not 1\n", got);
    return got != 1;
}
