/* SPDX-License-Identifier: MIT */
/* README.md's lines of C, which manual.sh cuts out as readme_lines.inc, in a program that has what they use. */
#include "prelude.h"

static void print(const char *sentence, clf_status status, void *user)
{
    (void)status, (void)user;
    fprintf(stderr, "%s\n", sentence);
}

int main(void)
{
    enum { n = 5 };
    const float numbers[n] = {3, 1, 4, 1, 5}, expected[n] = {1, 2, 5, 9, 14};
    float totals[n];
    example e = example_open();
    const cl_context cl = e.cl;
    const cl_device_id device = e.device;
    const cl_command_queue queue = e.queue;
    const cl_mem buffer = example_array(&e, sizeof numbers, numbers).buffer;
#include "readme_lines.inc"
    clReleaseMemObject(buffer);
    example_close(&e);
    return memcmp(totals, expected, sizeof totals) != 0;
}
