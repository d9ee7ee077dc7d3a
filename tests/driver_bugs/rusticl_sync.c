/* SPDX-License-Identifier: MIT */
/*
 * rusticl of Mesa 26.1 on llvmpipe and lavapipe takes sub_group_barrier for a barrier of the work-group: it ends a
 * group where the first sub-group ends, and others that have more rounds of a loop write nothing. The loop has as many
 * rounds as the sub-group's number; with the same number in all (-D ALIKE) it is right. So clfold uses no sub-groups
 * there (probe_lanes.cl). No clfold in here.
 *
 *     cc rusticl_sync.c -lOpenCL && OCL_ICD_VENDORS=rusticl.icd RUSTICL_ENABLE=llvmpipe ./a.out
 */
#include "setup.h"

enum { GROUP = 128 };

static const char *source =
    "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
    "#ifdef ALIKE\n"
    "#define ROUNDS 3\n"
    "#else\n"
    "#define ROUNDS get_sub_group_id()\n"
    "#endif\n"
    "__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void f(__global uint *out)\n"
    "{\n"
    "    __local uint box[128];\n"
    "    const uint width = get_max_sub_group_size(), lane = get_sub_group_local_id();\n"
    "    const uint first = get_sub_group_id() * width, rounds = ROUNDS;\n"
    "    uint x = first + lane;\n"
    "    for (uint round = 0; round < rounds; ++round) {\n"
    "        box[first + lane] = x;\n"
    "        sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        x = box[first + (lane + 1) % width];\n"
    "        sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    out[get_local_id(0)] = x == first + (lane + rounds) % width;\n"
    "}\n";

/* Is any wrong? */
static int run(const char *options)
{
    cl_uint out[GROUP], right[GROUP];
    for (int i = 0; i < GROUP; ++i)
        right[i] = 1;
    printf("with \"%s\": ", options);
    run_one_group(source, options, GROUP, NULL, out, sizeof out, 0, NULL);
    return compare(out, right, GROUP);
}

int main(void)
{
    const int wrong = run("-cl-std=CL3.0");
    return run("-cl-std=CL3.0 -D ALIKE") ? 2 : wrong;
}
