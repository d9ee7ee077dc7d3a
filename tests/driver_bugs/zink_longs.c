/* SPDX-License-Identifier: MIT */
/*
 * zink of Mesa 26.1 over NVIDIA's Vulkan driver 580.159.04 (an H200): sums of 64 bits that depend on a division are
 * wrong. Here they are where the divisor is a constant, and right where it is not known (-D UNKNOWN); in a scan of
 * clfold's it was the other way round. So clfold divides no numbers of 64 bits where it can help it, and users'
 * functions may be wrong there. Mesa's own llvmpipe is right both ways. No clfold in here.
 *
 *     cc zink_longs.c -lOpenCL && OCL_ICD_VENDORS=rusticl.icd ./a.out
 */
#include "setup.h"

enum { EACH = 12, GROUP = 128, ITEMS = GROUP * EACH, BYTES = 1 << 16 };

static const char *source =
    "#ifdef UNKNOWN\n"
    "#define PARTS(x) (((x) + told[1] - 1) / told[1])\n"
    "#else\n"
    "#define PARTS(x) (((x) + 47) / 48)\n"
    "#endif\n"
    "typedef struct { ulong results, units, slots; } sums;\n"
    "__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void f(__global const uint *in, __global uint *out)\n"
    "{\n"
    "    __global const ulong *told = (__global const ulong *)(in + 4096);\n"
    "    sums all[12], sum = {0, 0, 0};\n"
    "    for (uint k = 0; k < 12; ++k) {\n"
    "        const uint i = get_local_id(0) * 12 + k;\n"
    "        const ulong begin = min((ulong)in[i], told[3]), end = min((ulong)in[i + 1], told[3]);\n"
    "        const ulong length = end > begin ? end - begin : 0, parts = PARTS(length);\n"
    "        const ulong own = length > told[2] ? parts : 0;\n"
    "        sum.results += min(length, told[0]);\n"
    "        sum.units += own;\n"
    "        sum.slots += own > 1 ? own : 0;\n"
    "        all[k] = sum;\n"
    "    }\n"
    "    for (uint k = 0; k < 12; ++k) {\n"
    "        const uint i = 3 * (get_local_id(0) * 12 + k);\n"
    "        out[i] = (uint)all[k].results | (uint)(all[k].results >> 32);\n"
    "        out[i + 1] = (uint)all[k].units | (uint)(all[k].units >> 32);\n"
    "        out[i + 2] = (uint)all[k].slots | (uint)(all[k].slots >> 32);\n"
    "    }\n"
    "}\n";

int main(void)
{
    static cl_uint in[BYTES / sizeof(cl_uint)], known[BYTES / sizeof(cl_uint)], right[BYTES / sizeof(cl_uint)];
    cl_ulong *const told = (cl_ulong *)(in + 4096);
    for (cl_uint i = 0; i < ITEMS; ++i)
        in[i + 1] = in[i] + i * 2654435761u % 300;
    told[0] = 10;
    told[1] = 48;
    told[2] = 100;
    told[3] = in[ITEMS];
    run_one_group(source, "-D UNKNOWN", GROUP, in, right, BYTES, 0, NULL);
    run_one_group(source, "", GROUP, in, known, BYTES, 0, NULL);
    return compare(known, right, 3 * ITEMS);
}
