/* SPDX-License-Identifier: MIT */
/*
 * rusticl of Mesa 26.1 on llvmpipe and lavapipe runs a load whose guard is false: with a null buffer, or an index far
 * behind a buffer's end ("far"), the process ends (SIGSEGV). With any buffer in place of none it is right, so clfold
 * binds one (launch.c). No clfold in here.
 *
 *     cc rusticl_guarded.c -lOpenCL && OCL_ICD_VENDORS=rusticl.icd RUSTICL_ENABLE=llvmpipe ./a.out [far]
 */
#include "setup.h"

static const char *source =
    "__kernel void f(__global const uint *in, __global uint *out, uint n)\n"
    "{\n"
    "    if (n & 8)\n"
    "        out[0] = in[(ulong)(n >> 4) << 40];\n"
    "}\n";

static void run(const setup *s, cl_mem in, cl_uint n)
{
    cl_uint result;
    cl_kernel kernel = new_kernel(s, "f");
    cl_mem out = new_buffer(s, 1 << 12, NULL);
    set_argument(kernel, 0, sizeof in, &in);
    set_argument(kernel, 1, sizeof out, &out);
    set_argument(kernel, 2, sizeof n, &n);
    launch(s->queue, kernel, 1, 1, NULL);
    read_back(s->queue, out, sizeof result, &result);
}

int main(int count, char **words)
{
    const setup s = set_up(source, "");
    const cl_mem buffer = new_buffer(&s, 1 << 12, NULL);
    run(&s, buffer, 5);
    puts("right with a buffer");
    fflush(stdout);
    run(&s, count > 1 ? buffer : NULL, count > 1 && words[1] ? 0x3f5 : 5);
    puts("right without one, or far behind its end");
    return 0;
}
