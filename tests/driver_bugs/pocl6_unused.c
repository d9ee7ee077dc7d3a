/* SPDX-License-Identifier: MIT */
/*
 * PoCL 6 (LLVM 18, Debian 13) ends the process while it compiles this valid kernel by -cl-opt-disable: "Assertion
 * `isGVarUsedByFunction(&Var, F) == true' failed." The kernel declares local memory, hands it to a function, and
 * that function does not use it. With optimisation it compiles. No clfold in here.
 *
 *     cc pocl6_unused.c -lOpenCL && ./a.out
 */
#include "setup.h"

static const char *source =
    "static inline __attribute__((always_inline)) void body(__global uint *out, __local uchar *unused)\n"
    "{\n"
    "    out[0] = 1;\n"
    "}\n"
    "__kernel void f(__global uint *out, ulong size)\n"
    "{\n"
    "    __local uchar storage;\n"
    "    body(out, &storage);\n"
    "}\n";

int main(void)
{
    return launch_one_group(source, "-cl-opt-disable", 1, 1);
}
