/* SPDX-License-Identifier: MIT */
/*
 * PoCL 5 on LLVM 16 (5.0, Ubuntu 24.04) takes the last work-item's id for that of all: "3 where 8 is right", and the
 * last one adds 5 for each of them, "163 where 8 is right". All is uniform but rows and columns, and each work-item
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
    cl_uint got[GROUP] = {0};
    const cl_uint tiles = 1, width = WIDTH, most = 1000;
    int wrong = 0;
    const setup s = set_up(source, "");
    cl_kernel kernel = new_kernel(&s, "f");
    cl_mem out = new_buffer(&s, sizeof got, got);
    set_argument(kernel, 0, sizeof out, &out);
    set_argument(kernel, 1, sizeof tiles, &tiles);
    set_argument(kernel, 2, sizeof width, &width);
    set_argument(kernel, 3, sizeof most, &most);
    launch(s.queue, kernel, GROUP, GROUP, NULL);
    read_back(s.queue, out, sizeof got, got);
    for (cl_uint id = 0; id < GROUP; ++id) {
        const cl_uint right = id / WIDTH > id % WIDTH ? 15 : 8;
        if (got[id] != right)
            printf("work-item %u: %u where %u is right\n", id, got[id], right);
        wrong |= got[id] != right;
    }
    if (!wrong)
        puts("right");
    return wrong;
}
