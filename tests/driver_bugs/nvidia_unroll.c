/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's compiler (driver 580.159, H200) makes a loop of more rounds than it has: "17, not 1". The loop is unrolled
 * by 17 without what is left over. It has 287 rounds at most, and writes a private array; with `#pragma unroll 1` it is
 * right. Bounds of 272 to 287, 483 to 511 and 547 to 575 were seen to fail. No clfold in here.
 *
 *     cc nvidia_unroll.c -lOpenCL && ./a.out
 */
#include "setup.h"

#include <string.h>

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

int main(void)
{
    static unsigned char ones[BYTES];
    static cl_uint got[BYTES / sizeof(cl_uint)];
    const cl_uint n = 1;
    memset(ones, 1, BYTES);
    run_one_group(source, "", 1, ones, got, BYTES, 1, &n);
    return compare(got, &n, 1);
}
