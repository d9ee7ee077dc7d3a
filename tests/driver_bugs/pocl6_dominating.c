/* SPDX-License-Identifier: MIT */
/*
 * PoCL 6 (LLVM 18, Debian 13) ends the process while it compiles this valid kernel for a group of 32: "Could not find
 * a dominating alternative variable." All work-items reach every barrier, in a loop of four rounds. Small changes hide
 * it: with fewer rounds, or without the variable stripes, it compiles. No clfold in here.
 *
 *     cc pocl6_dominating.c -lOpenCL && ./a.out
 */
#include "setup.h"

static const char *source =
    "typedef struct { __global uint *a, *b, *c, *d; } outputs;\n"
    "typedef struct { outputs out; ulong size; } arguments;\n"
    "typedef struct { uint4 even[32], odd[32]; } slab;\n"
    "static inline void whole(__global uint *to, __local uint4 *rows)\n"
    "{\n"
    "    const uint lane = (uint)get_local_id(0);\n"
    "    __global uint4 *const stripes = (__global uint4 *)to + lane;\n"
    "    stripes[0] = rows[lane];\n"
    "}\n"
    "static inline void part(__global uint *to, uint count, __local uint4 *rows)\n"
    "{\n"
    "    const uint lane = (uint)get_local_id(0);\n"
    "    for (uint j = 0; j < 4; ++j) {\n"
    "        const uint i = j * 32 + lane;\n"
    "        if (i < count)\n"
    "            to[i] = ((__local uint *)rows)[i];\n"
    "    }\n"
    "}\n"
    "#define ROUND(k, to, rows) if (round == k) { if (count == 128) whole(to + first, rows); else "
    "part(to + first, count, rows); }\n"
    "static inline void flush(const outputs *out, ulong first, uint count, __local slab *s, uint round)\n"
    "{\n"
    "    ROUND(0, out->a, s->even)\n"
    "    ROUND(1, out->b, s->odd)\n"
    "    ROUND(2, out->c, s->odd)\n"
    "    ROUND(3, out->d, s->odd)\n"
    "}\n"
    "__kernel void f(__global uint *a, __global uint *b, __global uint *c, __global uint *d, ulong size)\n"
    "{\n"
    "    __local slab s;\n"
    "    const arguments x = {{a, b, c, d}, size};\n"
    "    const ulong first = get_group_id(0) * 128;\n"
    "    const uint count = (uint)min(x.size - first, (ulong)128);\n"
    "    for (uint round = 0; round < 4; ++round) {\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        flush(&x.out, first, count, &s, round);\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "}\n";

int main(void)
{
    return launch_one_group(source, "", 4, 32);
}
