/* SPDX-License-Identifier: MIT */
/*
 * Intel's CPU runtime (2026.22.10) loses writes: "5413 of 10000 wrong". Two kernels change a buffer, by one queue,
 * which is waited for (clFinish). Then another queue writes the buffer, with CL_TRUE. The first queue, after that,
 * often reads what the kernels left. Where one queue does all of it, it is right. No clfold in here.
 *
 *     cc intel_queues.c -lOpenCL && ./a.out
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 100, HALF = N / 2, BYTES = 4 * N, ROUNDS = 10000 };

static const char *source =
    "__kernel void f(__global const uint *in, __global uint *out, uint from, uint to)\n"
    "{\n"
    "    uint sum = 0;\n"
    "    for (uint i = 0; i < 50; ++i) {\n"
    "        sum += in[from + i];\n"
    "        out[to + i] = sum;\n"
    "    }\n"
    "}\n";

static void check(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) {
        printf("%s: %d\n", what, status);
        exit(2);
    }
}

static void run(cl_command_queue queue, cl_kernel kernel, cl_mem buffer, cl_uint from, cl_uint to)
{
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof buffer, &buffer), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, sizeof from, &from), "clSetKernelArg");
    check(clSetKernelArg(kernel, 3, sizeof to, &to), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &(size_t){1}, &(size_t){1}, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
}

int main(void)
{
    unsigned char pattern[BYTES], got[BYTES];
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    int wrong = 0;
    memset(pattern, 0x5c, BYTES);
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    cl_command_queue first = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    cl_command_queue other = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "f", &status);
    check(status, "clCreateKernel");
    for (int i = 0; i < ROUNDS; i++) {
        cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, BYTES, pattern, &status);
        check(status, "clCreateBuffer");
        run(first, kernel, buffer, 0, HALF);
        run(first, kernel, buffer, HALF, 0);
        check(clFinish(first), "clFinish");
        check(clEnqueueWriteBuffer(other, buffer, CL_TRUE, 0, BYTES, pattern, 0, NULL, NULL), "clEnqueueWriteBuffer");
        check(clEnqueueReadBuffer(first, buffer, CL_TRUE, 0, BYTES, got, 0, NULL, NULL), "clEnqueueReadBuffer");
        wrong += memcmp(got, pattern, BYTES) != 0;
        clReleaseMemObject(buffer);
    }
    printf("%d of %d wrong\n", wrong, ROUNDS);
    return wrong != 0;
}
