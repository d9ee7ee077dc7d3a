/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's driver (580.159, H200) loses the context when it fills bytes of a buffer from 2^31 on with a pattern of one
 * byte: clFinish is -36. Seen where 2^30 + 1 bytes were filled from byte 2^30 on (one byte less is right), and where a
 * large buffer was filled in pieces of 2^28 bytes, over those that begin at 2^31. Whether the place decides or how much
 * is filled, and what longer patterns do, is not known. No clfold in here.
 *
 *     cc nvidia_fill.c -lOpenCL && ./a.out [BYTES_OF_THE_PATTERN [FROM [BYTES]]]
 *
 * fills BYTES bytes from byte FROM on: by default 2^30 + 1 patterns from the 2^30th on.
 */
#include "setup.h"

int main(int argc, char **argv)
{
    const cl_uint pattern = 0x02020202;
    const size_t size = argc > 1 ? (size_t)strtoull(argv[1], NULL, 0) : 1,
                 from = argc > 2 ? (size_t)strtoull(argv[2], NULL, 0) : ((size_t)1 << 30) * size,
                 bytes = argc > 3 ? (size_t)strtoull(argv[3], NULL, 0) : (((size_t)1 << 30) + 1) * size;
    const setup s = set_up("__kernel void f(void) {}", "");
    cl_mem buffer = new_buffer(&s, from + bytes, NULL);
    check(clEnqueueFillBuffer(s.queue, buffer, &pattern, size, from, bytes, 0, NULL, NULL), "clEnqueueFillBuffer");
    check(clFinish(s.queue), "clFinish");
    puts("right");
    return 0;
}
