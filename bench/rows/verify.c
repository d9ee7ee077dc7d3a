/* SPDX-License-Identifier: MIT */
/* How many elements an operator's arrays have; comparisons of them, bit by bit, or of floats that are nearly right. */
#include "rows/operators.h"

#include <math.h>
#include <string.h>

cl_ulong bench_input_elements(const bench_operator *op, unsigned input, cl_ulong n, cl_ulong size)
{
    return input + op->captured < op->inputs ? n : size * (op->each[input] ? op->each[input] : 1);
}

cl_ulong bench_output_elements(const bench_operator *op, unsigned output, cl_ulong n, cl_ulong results)
{
    return output + op->extras < op->outputs ? results : n;
}

unsigned bench_traffic(const bench_operator *op)
{
    unsigned bytes = 0;
    for (unsigned i = 0; i < op->inputs; ++i)
        bytes += op->in_size[i];
    for (unsigned i = 0; i < op->outputs; ++i)
        bytes += op->out_size[i];
    return bytes;
}

static void print_element(const char *what, const unsigned char *element, unsigned size)
{
    fprintf(stderr, " %s 0x", what);
    for (unsigned i = size; i-- > 0;) /* read as little-endian: enough for a person */
        fprintf(stderr, "%02x", element[i]);
}

bool bench_same_memory(const void *got, const void *expected, cl_ulong first, cl_ulong n, unsigned size)
{
    const unsigned char *a = got, *b = expected;
    if (memcmp(a, b, (size_t)(n * size)) == 0)
        return true;
    while (memcmp(a, b, size) == 0) {
        a += size;
        b += size;
        ++first;
    }
    bench_progress("%s", "");
    fprintf(stderr, "  element %llu:", (unsigned long long)first);
    print_element("got", a, size);
    print_element("expected", b, size);
    fputc('\n', stderr);
    return false;
}

bool bench_near_floats(const float *got, const float *expected, cl_ulong first, cl_ulong n, float within)
{
    for (cl_ulong i = 0; i < n; ++i)
        if (!(fabsf(got[i] - expected[i]) <= within * fabsf(expected[i])))
            return bench_same_memory(got + i, expected + i, first + i, 1, sizeof *got);
    return true;
}
