/* SPDX-License-Identifier: MIT */
/*
 * PoCL 5 on LLVM 16 (5.0, Ubuntu 24.04) ends the process while it compiles this valid kernel: "Kernel.cc:129: ...
 * createParallelRegionBefore ... Assertion `region_entry_barrier != NULL' failed." A loop chooses between two loops,
 * the same for all work-items, and all reach the barrier behind them in each round. Small changes hide it: without
 * the outer loop, with one branch, or with a loop in only one of them it compiles; so it does with
 * POCL_WORK_GROUP_METHOD=cbs. The methods loops, loopvec and repl, -cl-opt-disable, and groups of 1, 2, 8 and 256
 * change nothing. PoCL 3.1 (LLVM 15) and 6 (LLVM 18) are right. No clfold in here.
 *
 *     cc pocl5_regions.c -lOpenCL && ./a.out
 */
#include "setup.h"

static const char *source =
    "__kernel void f(__global uint *a, __global uint *b, ulong size)\n"
    "{\n"
    "    const uint id = get_local_id(0);\n"
    "    for (uint round = 0; round < 2; ++round) {\n"
    "        if (round == 0)\n"
    "            for (uint i = id; i < size; i += 32)\n"
    "                a[i] = i;\n"
    "        else\n"
    "            for (uint i = id; i < size; i += 32)\n"
    "                b[i] = 1;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "}\n";

int main(void)
{
    return launch_one_group(source, "", 2, 32);
}
