/* SPDX-License-Identifier: MIT */
/*
 * PoCL 5 on LLVM 16 (5.0, Ubuntu 24.04) takes the last work-item's id for that of all: "3, not 8", and the
 * last one adds 5 for each of them, "163, not 8". All is uniform but rows and columns, and each work-item
 * writes its own element. The compiler keeps what it found out about a value, whether it is the same for all
 * work-items, by the value's address, and never forgets it (`VariableUniformityAnalysisResult::invalidate` returns
 * false, "most likely incorrect" as a comment there says; 6.0, 7.0 and 7.2-RC1 have these lines, too). Passes delete
 * values, others get their memory, and one of these, made of the id, is taken for one that all share. So it depends on
 * what was allocated before: small changes hide it. Where no memory is given out again, it is right:
 *
 *     cc pocl5_reuse.c -lOpenCL && ./a.out
 *     echo 'void free(void *p) { (void)p; }' >keep.c && cc -shared -fPIC keep.c -o keep.so
 *     POCL_KERNEL_CACHE=0 LD_PRELOAD=./keep.so ./a.out
 *
 * Right are -cl-opt-disable (which ends the process on other kernels), PoCL 3.1 (LLVM 15), PoCL 6.0 (LLVM 18; by
 * chance), and Oclgrind, which finds no race. The methods loopvec, loops and cbs and groups of 8 to 256 are all wrong.
 * No clfold in here.
 */
#include "setup.h"

enum { GROUP = 32, WIDTH = 17 };

static const char *source =
    "__kernel void f(__global uint *out, uint tiles, uint width, uint most)\n"
    "{\n"
    "    const uint tile = (uint)get_group_id(0);\n"
    "    uint n;\n"
    "    if (tiles <= 1)\n"
    "        n = min(tile + width * 3, most);\n"
    "    else if (tile / tiles >= width)\n"
    "        n = 0;\n"
    "    else\n"
    "        n = min(tile % tiles, width);\n"
    "    if (get_local_id(0) < n)\n"
    "        out[get_local_id(0)] = 3;\n"
    "    const uint row = (uint)get_local_id(0) / width, column = (uint)get_local_id(0) % width;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (row > column)\n"
    "        out[get_local_id(0)] += 7;\n"
    "    if (get_local_id(0) < n)\n"
    "        out[get_local_id(0)] += 5;\n"
    "}\n";

int main(void)
{
    const cl_uint numbers[] = {1 /* tiles */, WIDTH, 1000 /* most */};
    cl_uint got[GROUP], right[GROUP];
    for (cl_uint id = 0; id < GROUP; ++id)
        right[id] = id / WIDTH > id % WIDTH ? 15 : 8;
    run_one_group(source, "", GROUP, NULL, got, sizeof got, 3, numbers);
    return compare(got, right, GROUP);
}
