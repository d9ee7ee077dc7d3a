/* SPDX-License-Identifier: MIT */
/* Numbers that look random, and elements of any size. */
#include "common/common.h"

#include <stdlib.h>
#include <string.h>

uint64_t bench_hash(uint64_t i)
{
    uint64_t x = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return x ^ x >> 29;
}

double bench_uniform(uint64_t i)
{
    return (double)(bench_hash(i) >> 11) / 9007199254740992.0;
}

uint64_t bench_load(const void *from, cl_ulong i, unsigned size)
{
    cl_uchar byte;
    cl_ushort half;
    cl_uint word;
    uint64_t all;
    void *const to = size == 1 ? (void *)&byte : size == 2 ? (void *)&half : size == 4 ? (void *)&word : (void *)&all;
    memcpy(to, (const char *)from + i * size, size);
    return size == 1 ? byte : size == 2 ? half : size == 4 ? word : all;
}

void bench_store(void *to, cl_ulong i, unsigned size, uint64_t value)
{
    const cl_uchar byte = (cl_uchar)value;
    const cl_ushort half = (cl_ushort)value;
    const cl_uint word = (cl_uint)value;
    const void *from = size == 1   ? (const void *)&byte
                       : size == 2 ? (const void *)&half
                       : size == 4 ? (const void *)&word
                                   : (const void *)&value;
    memcpy((char *)to + i * size, from, size);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *list, size_t count)
{
    qsort(list, count, sizeof *list, by_value);
    return (list[(count - 1) / 2] + list[count / 2]) / 2;
}
