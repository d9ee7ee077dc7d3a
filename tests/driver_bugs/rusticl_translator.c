/* SPDX-License-Identifier: MIT */
/*
 * rusticl of Mesa 26.1 with LLVM 19, on any device, ends the process while it translates these valid kernels to SPIR-V:
 *
 *   loop    "Invalid bit width in input: 5". Asked to optimise (-O2), LLVM finds that (begin + c) % 32 is the same in
 *           all rounds, and computes it before the loop in integers of 5 bits. With rotate(1u, begin + c) it is right.
 *   vector  an assertion about the number of components: as_uint2 of a constant is a vector of one ulong in between.
 *   bytes   "Invalid bit width in input: 24". Optimised, a struct's array of three bytes is copied as one integer.
 *
 * Without -O2 the first and the last are right. No clfold in here.
 *
 *     cc rusticl_translator.c -lOpenCL && OCL_ICD_VENDORS=rusticl.icd RUSTICL_ENABLE=llvmpipe ./a.out loop
 */
#include "setup.h"

static const char *loop =
    "__kernel void f(__global const uint *in, __global uint *out, ulong size)\n"
    "{\n"
    "    const uint begin = in[0];\n"
    "    for (uint c = (uint)get_local_id(0); c < (uint)size; c += 64)\n"
    "        out[c] = in[c] & ((2u << (begin + c) % 32) - 1);\n"
    "}\n";
static const char *vector =
    "__kernel void f(__global const uint *in, __global uint *out, ulong size)\n"
    "{\n"
    "    const uint first = as_uint2((ulong)1).x ? 0 : 1;\n"
    "    out[first] = in[0];\n"
    "}\n";
static const char *bytes =
    "typedef struct { uchar at[3]; } three;\n"
    "typedef struct { three a; ushort key; } value;\n"
    "__kernel void f(__global const three *in, __global three *out, ulong size)\n"
    "{\n"
    "    value v, w;\n"
    "    v.a = in[0];\n"
    "    v.key = 1;\n"
    "    w = v;\n"
    "    out[get_local_id(0)] = size > 2 ? w.a : v.a;\n"
    "}\n";

int main(int argc, char **argv)
{
    const char which = argc > 1 ? argv[1][0] : 'l';
    return which == 'v' ? launch_one_group(vector, "", 2, 64)
                        : launch_one_group(which == 'b' ? bytes : loop, "-O2", 2, 64);
}
