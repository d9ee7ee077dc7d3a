/* SPDX-License-Identifier: MIT */
/*
 * Intel's CPU runtime (2026.22.10) forgets commands: host threads that share queues, or have their own, wait for ever.
 * Of eight threads that enqueue, wait and read, some stop for good in most runs on two busy cores. No clfold in here.
 *
 *     cc intel_threads.c -lOpenCL -lpthread && ./a.out
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 8, ROUNDS = 200, SIZE = 20000, PATIENCE = 60 /* seconds */ };

static const char *source = "__kernel void add(__global const uint *x, __global uint *y)"
                            "{ y[get_global_id(0)] = x[get_global_id(0)] + 1; }";

static cl_context context;
static cl_device_id device;
static cl_program program;
static cl_command_queue shared[2];
static atomic_int rounds[THREADS];

static void check(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) {
        printf("%s: %d\n", what, status);
        exit(2);
    }
}

static cl_command_queue new_queue(int unordered)
{
    cl_int status;
    cl_command_queue queue =
        clCreateCommandQueue(context, device, unordered ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &status);
    check(status, "clCreateCommandQueue");
    return queue;
}

static void one_round(cl_command_queue queue, cl_kernel kernel, size_t n, cl_uint *data)
{
    cl_int status;
    cl_event done;
    cl_mem x = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, SIZE * sizeof *data, data, &status);
    check(status, "clCreateBuffer");
    cl_mem y = clCreateBuffer(context, 0, SIZE * sizeof *data, NULL, &status);
    check(status, "clCreateBuffer");
    check(clSetKernelArg(kernel, 0, sizeof x, &x), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof y, &y), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, &(size_t){1}, 0, NULL, &done), "clEnqueueNDRangeKernel");
    check(clWaitForEvents(1, &done), "clWaitForEvents");
    check(clEnqueueReadBuffer(queue, y, CL_TRUE, 0, n * sizeof *data, data, 0, NULL, NULL), "clEnqueueReadBuffer");
    clReleaseEvent(done);
    clReleaseMemObject(x);
    clReleaseMemObject(y);
}

static void *work(void *argument)
{
    const int me = (int)((atomic_int *)argument - rounds);
    cl_command_queue queue = me % 4 < 2 ? shared[me % 4] : new_queue(me % 4 == 3);
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, "add", &status);
    check(status, "clCreateKernel");
    cl_uint *data = calloc(SIZE, sizeof *data);
    for (int r = 0; r < ROUNDS; r++) {
        one_round(queue, kernel, 1 + (size_t)(r * 7919 + me) % SIZE, data);
        rounds[me]++;
    }
    free(data);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    cl_platform_id platform;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    shared[0] = new_queue(0);
    shared[1] = new_queue(1);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread, NULL, work, &rounds[i]);
    int before = 0, sum = 0;
    for (int idle = 0; idle < PATIENCE && sum < THREADS * ROUNDS; idle = sum == before ? idle + 1 : 0) {
        before = sum;
        sleep(1);
        sum = 0;
        for (int i = 0; i < THREADS; i++)
            sum += rounds[i];
    }
    printf(sum == THREADS * ROUNDS ? "right\n" : "hangs after so many of %d rounds:", ROUNDS);
    for (int i = 0; i < THREADS && sum < THREADS * ROUNDS; i++)
        printf(" %d", rounds[i]);
    puts("");
    fflush(stdout);
    _exit(sum < THREADS * ROUNDS);
}
