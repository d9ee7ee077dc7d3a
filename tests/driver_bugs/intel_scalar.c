/* SPDX-License-Identifier: MIT */
/*
 * Intel's CPU runtime (2026.22.10) ends the process: "Scalar sub_group_ballot execution breaks subgroup semantics!"
 * The kernel requires sub-groups of 16, and clGetKernelSubGroupInfo says that it has them, but the compiler's log: "not
 * vectorized". Its loop has no rounds (32 < 1), but never ends for a size of 0. No clfold in here.
 *
 *     cc intel_scalar.c -lOpenCL && ./a.out
 */
#include "setup.h"

static const char *source =
    "__kernel __attribute__((intel_reqd_sub_group_size(16), reqd_work_group_size(32, 1, 1)))\n"
    "void f(__global uint *out, ulong size)\n"
    "{\n"
    "    uint bits = 1;\n"
    "    for (uint d = (uint)min(size, (ulong)32); d < 1; d *= 2)\n"
    "        bits |= bits << d;\n"
    "    out[get_local_id(0)] = sub_group_ballot((bits & 1) != 0).x;\n"
    "}\n";

int main(void)
{
    return launch_one_group(source, "-cl-std=CL3.0", 1, 32);
}
