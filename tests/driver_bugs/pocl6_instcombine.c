/* SPDX-License-Identifier: MIT */
/*
 * PoCL 6 on LLVM 18 (Debian 13) ends the process while it compiles this valid kernel for a group of 256:
 * "LLVM ERROR: Instruction Combining did not reach a fixpoint after 1 iterations". The check is meant for tests of
 * LLVM, but on by default where passes are named by a text (pocl issue 1608): `instcombine<no-verify-fixpoint>`.
 * No clfold in here.
 *
 *     cc pocl6_instcombine.c -lOpenCL && ./a.out
 */
#include "setup.h"

static const char *source =
    "__kernel void f(__global const uint *bits, __global uint *out, ulong size)\n"
    "{\n"
    "    const uint id = get_local_id(0);\n"
    "    ulong w = 0 < size ? (ulong)bits[id] << 32 | bits[id + 1] : 0;\n"
    "    for (ulong at = 0; at < size; at += 256) {\n"
    "        const uint n = min(size - at, (ulong)256);\n"
    "        const uint b = id < n ? (uint)(w >> (at + id) % 32) & ((1u << (n - id)) - 1) : 0;\n"
    "        w = at + n < size ? (ulong)bits[at + n + id] << 32 | bits[at + n + id + 1] : 0;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        out[at + id] = b;\n"
    "    }\n"
    "}\n";

int main(void)
{
    return launch_one_group(source, "", 2, 256);
}
