/* SPDX-License-Identifier: MIT */
/*
 * Intel's CPU runtime (2026.22.10) ends the process: "Scalar sub_group_ballot execution breaks subgroup semantics!"
 * The kernel requires sub-groups of 16, and clGetKernelSubGroupInfo says that it has them, but the compiler's log: "not
 * vectorized". Its loop has no rounds (32 < 1), but never ends for a size of 0. No clfold in here.
 *
 *     cc intel_scalar.c -lOpenCL && ./a.out
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 32, BUFFERS = 1, BYTES = 1 << 16, SIZE = 1000 };

static const char *source =
    "__kernel __attribute__((intel_reqd_sub_group_size(16), reqd_work_group_size(32, 1, 1)))\n"
    "void f(__global uint *out, ulong size)\n"
    "{\n"
    "    uint bits = 1;\n"
    "    for (uint d = (uint)min(size, (ulong)32); d < 1; d *= 2)\n"
    "        bits |= bits << d;\n"
    "    out[get_local_id(0)] = sub_group_ballot((bits & 1) != 0).x;\n"
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
    check(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL), "clBuildProgram");
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
