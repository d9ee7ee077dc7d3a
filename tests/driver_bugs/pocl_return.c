/* SPDX-License-Identifier: MIT */
/*
 * PoCL 3.1 (LLVM 15) and 6 (LLVM 18) let no work-item into a branch that some must take: "5, not 7". A
 * work-item adds 2, and later 4, to a number of its own if its `mine` is 1, as the first two have it; whether the 2 is
 * added, the last work-item's `mine` decides for all. All barriers are in uniform flow: the return in front of them is
 * taken by all work-items, or, as here, by none. Without that return it is right, and without the loop over `other`,
 * with `mine` volatile, and with -cl-opt-disable; so are Oclgrind, which finds no race in it, and Intel's CPU runtime.
 * POCL_WORK_GROUP_METHOD=loops changes nothing, nor do groups of 8, 32 or 64. No clfold in here.
 *
 *     cc pocl_return.c -lOpenCL && ./a.out
 */
#include "setup.h"

enum { GROUP = 48, SOME = 2 };

static const char *source =
    "__kernel void f(__global uint *unused, __global uint *out, uint size)\n"
    "{\n"
    "    __local uint seen[GROUP], any[GROUP], other[GROUP * GROUP];\n"
    "    const uint id = get_local_id(0);\n"
    "    if (size == 0)\n"
    "        return;\n"
    "    const uint mine = id < size ? 1 : 0;\n"
    "    seen[id] = 1;\n"
    "    any[id] = 0;\n"
    "    for (uint k = 0; k < GROUP; ++k)\n"
    "        other[k * GROUP + id] = 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    uint sum = id;\n"
    "    if (id < 43)\n"
    "        for (uint k = 0; k < GROUP; ++k) {\n"
    "            const uint some = other[id * GROUP + k];\n"
    "            other[id * GROUP + k] = sum;\n"
    "            sum += some;\n"
    "        }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (mine)\n"
    "        seen[id] += 2;\n"
    "    if (id < 43)\n"
    "        any[id] = 1;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    unused[id] = any[id];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint k = 0; k < mine; ++k)\n"
    "        seen[id] += 4;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[id] = seen[id];\n"
    "}\n";

int main(void)
{
    const cl_uint size = SOME;
    cl_uint unused[GROUP] = {0}, got[GROUP], right[GROUP];
    char options[32];
    snprintf(options, sizeof options, "-D GROUP=%d", GROUP);
    for (cl_uint id = 0; id < GROUP; ++id)
        right[id] = id < SOME ? 7 : 1;
    run_one_group(source, options, GROUP, unused, got, sizeof got, 1, &size);
    return compare(got, right, GROUP);
}
