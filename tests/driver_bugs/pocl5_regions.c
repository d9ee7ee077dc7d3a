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
 *
 * Exit status: 0, it is right; 1, a number is wrong; else the process was ended (134: aborted).
 */
#include "setup.h"

enum { GROUP = 32, SIZE = 1000 };

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
    const setup s = set_up(source, "");
    const cl_ulong size = SIZE;
    cl_uint a[SIZE] = {0}, b[SIZE] = {0};
    cl_mem buffers[] = {new_buffer(&s, sizeof a, a), new_buffer(&s, sizeof b, b)};
    cl_kernel kernel = new_kernel(&s, "f");
    set_argument(kernel, 0, sizeof buffers[0], &buffers[0]);
    set_argument(kernel, 1, sizeof buffers[1], &buffers[1]);
    set_argument(kernel, 2, sizeof size, &size);
    puts("built; now it is launched, and compiled for this size of a group");
    fflush(stdout);
    launch(s.queue, kernel, GROUP, GROUP, NULL);
    read_back(s.queue, buffers[0], sizeof a, a);
    read_back(s.queue, buffers[1], sizeof b, b);
    for (cl_uint i = 0; i < SIZE; ++i) {
        if (a[i] != i || b[i] != 1) {
            printf("element %u: %u and %u where %u and 1 are right\n", i, a[i], b[i], i);
            return 1;
        }
    }
    puts("compiled and run: right");
    return 0;
}
