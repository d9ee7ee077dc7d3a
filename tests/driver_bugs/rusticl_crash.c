/* SPDX-License-Identifier: MIT */
/*
 * rusticl of Mesa 25.0 (on llvmpipe) ends the process while it compiles this valid kernel: "Segmentation fault", in its
 * own thread. The kernel calls a function of more than one block (here a loop), and that calls one that has a barrier.
 * llvmpipe keeps such functions, unless it sees a barrier in them (NIR's nir_function_can_inline); the barrier of what
 * they call in their turn it does not see, as that is inlined into them later. A function that is kept is no coroutine,
 * and so there is nothing that the barrier could suspend (emit_barrier of lp_bld_nir_soa.c: a null pointer).
 * It is right where all functions have the attribute always_inline (-D INLINED), or where the barrier itself is written
 * into the loop. No clfold in here.
 *
 *     cc rusticl_crash.c -lOpenCL && OCL_ICD_VENDORS=rusticl.icd RUSTICL_ENABLE=llvmpipe ./a.out
 */
#include "setup.h"

enum { GROUP = 32, ROUNDS = 3, BYTES = 1 << 12 };

static const char *source =
    "#ifdef INLINED\n"
    "#define inline inline __attribute__((always_inline))\n"
    "#endif\n"
    "static inline void sync(void)\n"
    "{\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "}\n"
    "static inline void rotate_by(__local uint *places, uint rounds)\n"
    "{\n"
    "    const uint id = get_local_id(0);\n"
    "    for (uint round = 0; round < rounds; ++round) {\n"
    "        const uint next = places[(id + 1) % 32];\n"
    "        sync();\n"
    "        places[id] = next;\n"
    "        sync();\n"
    "    }\n"
    "}\n"
    "__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void f(__global uint *out, uint rounds)\n"
    "{\n"
    "    __local uint places[32];\n"
    "    const uint id = get_local_id(0);\n"
    "    places[id] = id;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    rotate_by(places, rounds);\n"
    "    out[id] = places[id];\n"
    "}\n";

/* Is any wrong? */
static int run(const char *options)
{
    static cl_uint out[BYTES / sizeof(cl_uint)];
    const cl_uint rounds = ROUNDS;
    cl_uint right[GROUP];
    for (cl_uint i = 0; i < GROUP; ++i)
        right[i] = (i + ROUNDS) % GROUP;
    printf("with \"%s\": ", options);
    fflush(stdout);
    run_one_group(source, options, GROUP, NULL, out, BYTES, 1, &rounds);
    return compare(out, right, GROUP);
}

int main(void)
{
    const int wrong = run("-D INLINED");
    return wrong + run("") > 0;
}
