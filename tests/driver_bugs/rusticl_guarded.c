/* SPDX-License-Identifier: MIT */
/*
 * rusticl of Mesa 26.1 on llvmpipe runs a load whose guard is false: with a null buffer the process ends (SIGSEGV).
 * With any buffer in its place it is right, so clfold binds one (launch.c). No clfold in here.
 *
 *     cc rusticl_guarded.c -lOpenCL && OCL_ICD_VENDORS=rusticl.icd RUSTICL_ENABLE=llvmpipe ./a.out
 */
#include "setup.h"

static const char *source =
    "__kernel void f(__global const uint *in, __global uint *out, uint n)\n"
    "{\n"
    "    if (n & 8)\n"
    "        out[0] = in[16];\n"
    "}\n";

static void run(const setup *s, cl_mem in)
{
    const cl_uint n = 5;
    cl_uint result;
    cl_kernel kernel = new_kernel(s, "f");
    cl_mem out = new_buffer(s, 1 << 12, NULL);
    set_argument(kernel, 0, sizeof in, &in);
    set_argument(kernel, 1, sizeof out, &out);
    set_argument(kernel, 2, sizeof n, &n);
    launch(s->queue, kernel, 1, 1, NULL);
    read_back(s->queue, out, sizeof result, &result);
}

int main(void)
{
    const setup s = set_up(source, "");
    run(&s, new_buffer(&s, 1 << 12, NULL));
    puts("right with a buffer");
    fflush(stdout);
    run(&s, NULL);
    puts("right without one");
    return 0;
}
