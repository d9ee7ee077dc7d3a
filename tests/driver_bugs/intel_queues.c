/* SPDX-License-Identifier: MIT */
/*
 * Intel's CPU runtime (2026.22.10) returns from small writes with CL_TRUE before it has written: "5413 of 10000 wrong".
 * Two kernels change a buffer, by one queue, which is waited for (clFinish). Then another queue writes the buffer, with
 * CL_TRUE. The first queue, after that, often reads what the kernels left. Where one queue does all of it, or the other
 * one is waited for, too (clFinish), it is right. No clfold in here.
 *
 *     cc intel_queues.c -lOpenCL && ./a.out
 */
#include "setup.h"

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

static void run(cl_command_queue queue, cl_kernel kernel, cl_mem buffer, cl_uint from, cl_uint to)
{
    set_argument(kernel, 0, sizeof buffer, &buffer);
    set_argument(kernel, 1, sizeof buffer, &buffer);
    set_argument(kernel, 2, sizeof from, &from);
    set_argument(kernel, 3, sizeof to, &to);
    launch(queue, kernel, 1, 1, NULL);
}

int main(void)
{
    unsigned char pattern[BYTES], got[BYTES];
    int wrong = 0;
    memset(pattern, 0x5c, BYTES);
    const setup s = set_up(source, "");
    cl_command_queue other = new_queue(&s, 0);
    cl_kernel kernel = new_kernel(&s, "f");
    for (int i = 0; i < ROUNDS; ++i) {
        cl_mem buffer = new_buffer(&s, BYTES, pattern);
        run(s.queue, kernel, buffer, 0, HALF);
        run(s.queue, kernel, buffer, HALF, 0);
        check(clFinish(s.queue), "clFinish");
        check(clEnqueueWriteBuffer(other, buffer, CL_TRUE, 0, BYTES, pattern, 0, NULL, NULL), "clEnqueueWriteBuffer");
        read_back(s.queue, buffer, BYTES, got);
        wrong += memcmp(got, pattern, BYTES) != 0;
        clReleaseMemObject(buffer);
    }
    printf("%d of %d wrong\n", wrong, ROUNDS);
    return wrong != 0;
}
