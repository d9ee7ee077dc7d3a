/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's driver (580.159, H200) loses the context when it fills 2^30 + 1 bytes from byte 2^30 on with a pattern of
 * one byte: clFinish is -36. One byte less is right. No clfold in here.
 *
 *     cc nvidia_fill.c -lOpenCL && ./a.out [BYTES_OF_THE_PATTERN]
 */
#include "setup.h"

int main(int argc, char **argv)
{
    const cl_uint pattern = 0x02020202;
    const size_t bytes = argc > 1 ? (size_t)atoi(argv[1]) : 1, from = ((size_t)1 << 30) * bytes, n = from + bytes;
    const setup s = set_up("__kernel void f(void) {}", "");
    cl_mem buffer = new_buffer(&s, from + n, NULL);
    check(clEnqueueFillBuffer(s.queue, buffer, &pattern, bytes, from, n, 0, NULL, NULL), "clEnqueueFillBuffer");
    check(clFinish(s.queue), "clFinish");
    puts("right");
    return 0;
}
