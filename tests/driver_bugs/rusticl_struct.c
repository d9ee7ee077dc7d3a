/* SPDX-License-Identifier: MIT */
/*
 * rusticl of Mesa 25.0 (on llvmpipe) loses what is stored in a struct: "0, not 1". A struct is written, copied, written
 * and copied again; the first store is lost, for the compiler's pass for dead stores (NIR's nir_opt_dead_write_vars)
 * does not see that the copy, an OpCopyMemorySized, reads. Loops with a constant number of rounds, up to 32, come to
 * the same, since they are unrolled. Where rounds have a loop between them whose rounds are not known (-D APART) it is
 * right; so it is with -O1, an option of clang's, but then kernels with numbers of 62 bits end the process. No clfold
 * in here.
 *
 *     cc rusticl_struct.c -lOpenCL && OCL_ICD_VENDORS=rusticl.icd RUSTICL_ENABLE=llvmpipe ./a.out
 */
#include "setup.h"

enum { COUNT = 4, WORDS = 1 << 10, BYTES = 4 * WORDS };

static const char *source =
    "typedef struct { uint number; } some;\n"
    "__kernel void f(__global const uint *in, __global uint *out, uint rounds)\n"
    "{\n"
    "    some copies[4], next;\n"
    "    for (uint k = 0; k < 4; ++k) {\n"
    "#ifdef APART\n"
    "        for (uint round = 0; round < rounds; ++round)\n"
    "            mem_fence(CLK_LOCAL_MEM_FENCE);\n"
    "#endif\n"
    "        next.number = in[k];\n"
    "        copies[k] = next;\n"
    "    }\n"
    "    for (uint k = 0; k < 4; ++k)\n"
    "        out[k] = copies[k].number;\n"
    "}\n";

int main(void)
{
    static cl_uint in[WORDS] = {1, 2, 3, 4}, got[WORDS], apart[WORDS];
    const cl_uint rounds = 0;
    run_one_group(source, "", 1, in, got, BYTES, 1, &rounds);
    run_one_group(source, "-D APART", 1, in, apart, BYTES, 1, &rounds);
    return compare(apart, in, COUNT) ? 2 : compare(got, in, COUNT);
}
