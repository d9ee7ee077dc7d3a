/* SPDX-License-Identifier: MIT */
/*
 * PoCL 6 on LLVM 18 (Debian 13) multiplies a wrong byte where the CPU has AVX2: "0, not 115". LLVM's SLP vectorizer
 * joins the shorts of eight rounds, and keeps 8 bits of each, for no more are stored in the end. But `c >> 8`, outside
 * of the eight, is then taken of the 8 bits that are left of c, and is 0 or 255. Sums and `^` go wrong as well. LLVM 17
 * keeps 16 bits, LLVM 19 and 22 shift c itself: they are right, and so is PoCL with POCL_WORK_GROUP_METHOD=loops.
 *
 * Code of uint and uchar alone may come to this: where a byte is passed in a structure of two, LLVM makes shorts of the
 * bytes it is made of. In a structure of a uchar and a uint it is right. No clfold in here.
 *
 *     cc pocl6_product.c -lOpenCL && ./a.out
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 1 << 16 };

static const char *source =
    "__kernel void f(__global const uint *in, __global uchar *out)\n"
    "{\n"
    "    const uint a = in[0], b = in[1];\n"
    "    const ushort c = in[2];\n"
    "    const ushort x[10] = {a, a >> 8, a >> 16, a >> 24, b, b >> 8, b >> 16, b >> 24, c, c >> 8};\n"
    "    ushort product = 1;\n"
    "    #pragma unroll\n"
    "    for (uint k = 0; k < 10; ++k)\n"
    "        product *= in[3] + k < in[4] ? x[k] : 1;\n"
    "    *out = product;\n"
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
    static cl_uint numbers[BYTES / sizeof(cl_uint)] = {0x07050301, 0x0f0d0b09, 0x1311, 0, 10};
    unsigned char got = 0, expected = 1;
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    for (cl_uint k = 0; k < 10; k++)
        expected = (unsigned char)(expected * (numbers[k / 4] >> k % 4 * 8));
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
    cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, BYTES, numbers, &status);
    check(status, "clCreateBuffer");
    cl_mem out = clCreateBuffer(context, 0, BYTES, NULL, &status);
    check(status, "clCreateBuffer");
    check(clSetKernelArg(kernel, 0, sizeof in, &in), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof out, &out), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &(size_t){1}, &(size_t){1}, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL), "clEnqueueReadBuffer");
    if (got == expected)
        puts("right");
    else
        printf("%d, not %d\n", got, expected);
    return got != expected;
}
