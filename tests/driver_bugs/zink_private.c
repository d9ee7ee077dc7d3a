/* SPDX-License-Identifier: MIT */
/*
 * zink of Mesa 26.1 over NVIDIA's Vulkan driver 580.159.04 (an H200) ends the process where a kernel has 16 KiB of
 * private arrays or more, in groups of any size: vkCreateComputePipelines fails, and zink does not look. With 12 KiB
 * (-D ENTRIES=3072) it is right. clfold's kernels for CPUs have so much. No clfold in here.
 *
 *     cc zink_private.c -lOpenCL && OCL_ICD_VENDORS=rusticl.icd ./a.out
 */
#include "setup.h"

static const char *source =
    "#ifndef ENTRIES\n"
    "#define ENTRIES 4096\n"
    "#endif\n"
    "__kernel void f(__global uint *a, ulong size)\n"
    "{\n"
    "    uint table[ENTRIES], sum = 0;\n"
    "    for (uint i = 0; i < ENTRIES; ++i)\n"
    "        table[i] = 0;\n"
    "    for (uint i = 0; i < size; ++i)\n"
    "        table[a[i] % ENTRIES] += i;\n"
    "    for (uint i = 0; i < ENTRIES; ++i)\n"
    "        sum += table[i] * i;\n"
    "    a[get_global_id(0)] = sum;\n"
    "}\n";

int main(int argc, char **argv)
{
    return launch_one_group(source, argc > 1 ? argv[1] : "", 1, 64);
}
