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
#include "setup.h"

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

int main(void)
{
    static cl_uint numbers[BYTES / sizeof(cl_uint)] = {0x07050301, 0x0f0d0b09, 0x1311, 0, 10};
    unsigned char got[BYTES], expected = 1;
    for (cl_uint k = 0; k < 10; ++k)
        expected = (unsigned char)(expected * (numbers[k / 4] >> k % 4 * 8));
    run_one_group(source, "", 1, numbers, got, BYTES, 0, NULL);
    return compare(&(cl_uint){got[0]}, &(cl_uint){expected}, 1);
}
