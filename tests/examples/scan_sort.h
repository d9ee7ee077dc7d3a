/* SPDX-License-Identifier: MIT */
/*
 * What radix_sort.c and kd_tree.c share: rows of 32-bit keys sorted by scans, two bits a round (Clausen 2021, B.2). A
 * segmented scan counts, for each key, how many up to it in its row have the digit 0, 1, 2 or 3; these counts, as four
 * 64-bit integers, tell where the key goes; a kernel moves it there. Moving rotates keys by two bits: the digit of each
 * round is the lowest, and after 16 rounds they are themselves again.
 *
 * Or the scan moves keys, with their values, itself, and writes no counts. Then a reduction first counts each row's.
 */
#ifndef CLFOLD_SCAN_SORT_H
#define CLFOLD_SCAN_SORT_H

#include "example.h"

#include <string.h>

enum { DIGITS = 4, ROUNDS = 16 };

#define FLAGS(more)                                                             \
    "clf_value flags(clf_input x, ulong index" more ")\n"                       \
    "{\n"                                                                       \
    "    const uint digit = x.key & 3;\n"                                       \
    "    clf_value v = {digit == 0, digit == 1, digit == 2, digit == 3};\n"     \
    "    return v;\n"                                                           \
    "}\n"

static const clf_operator counts = {.size = sizeof(clf_operator), .combine = "clf_sum", .map = "flags",
                                    .input = "uint key;", .value = "long a; long b; long c; long d;",
                                    .flags = CLF_COMMUTATIVE, .source = FLAGS("")};

#define OF_ROW ", ulong row, const clf_captured *total"
static const clf_operator moves = {
    .size = sizeof(clf_operator), .combine = "clf_sum", .map = "flags", .finish = "moved", .place = "to",
    .input = "uint key; uint value;", .value = "uint a; uint b; uint c; uint d;", .result = "uint key; uint value;",
    .captured = "long a; long b; long c;", .flags = CLF_COMMUTATIVE | CLF_WITH_SEGMENT,
    .source = FLAGS(OF_ROW)
        "clf_result moved(clf_value sum, clf_value before, clf_input x, ulong index" OF_ROW ")\n"
        "{\n"
        "    clf_result r = {rotate(x.key, 30u), x.value};\n"
        "    return r;\n"
        "}\n"
        "ulong to(clf_value sum, clf_value before, clf_input x, ulong index" OF_ROW ")\n"
        "{\n"
        "    const ulong begin = row * total->clf_size, digit = x.key & 3;\n"
        "    return begin + (digit > 0 ? total->a[row] : 0) + (digit > 1 ? total->b[row] : 0) +\n"
        "           (digit > 2 ? total->c[row] + before.d : digit > 1 ? before.c : digit > 0 ? before.b : before.a);\n"
        "}\n"};

/* In `counts` lie the four counts one behind the other. */
static const char scatter[] =
    "size_t place(__global const long *counts, uint columns, uint digit);\n"
    "size_t place(__global const long *counts, uint columns, uint digit)\n"
    "{\n"
    "    const size_t n = get_global_size(0), i = get_global_id(0), row = i / columns * columns;\n"
    "    const size_t last = row + columns - 1;\n"
    "    long place = counts[digit * n + i] - 1;\n"
    "    for (uint d = 0; d < digit; d++)\n"
    "        place += counts[d * n + last];\n"
    "    return row + place;\n"
    "}\n"
    "\n"
    "__kernel void scatter(__global const long *counts, uint columns, __global const uint *keys,\n"
    "                      __global uint *sorted)\n"
    "{\n"
    "    const uint key = keys[get_global_id(0)];\n"
    "    sorted[place(counts, columns, key & 3)] = rotate(key, 30u);\n"
    "}\n"
    "\n"
    "__kernel void scatter_pairs(__global const long *counts, uint columns, __global const uint *keys,\n"
    "                            __global uint *sorted, __global const uint *values, __global uint *sorted_values)\n"
    "{\n"
    "    const uint key = keys[get_global_id(0)];\n"
    "    const size_t to = place(counts, columns, key & 3);\n"
    "    sorted[to] = rotate(key, 30u);\n"
    "    sorted_values[to] = values[get_global_id(0)];\n"
    "}\n";

typedef struct scan_sorter {
    const example *x;
    clf_plan *plan, *totals; /* totals: where the scan moves keys */
    cl_kernel scatter;
    int arrays; /* 1: of keys; 2: also of the values that move with them */
    clf_array spare[2], counts[DIGITS];
} scan_sorter;

/* Kernels of one program, built once. */
static inline void make_kernels(const example *x, const char *source, const char *const *names, int n, cl_kernel *made)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(x->cl, 1, &source, NULL, &status);
    check(status, "clCreateProgramWithSource", NULL);
    check(clBuildProgram(program, 1, &x->device, NULL, NULL, NULL), "clBuildProgram", NULL);
    for (int k = 0; k < n; ++k) {
        made[k] = clCreateKernel(program, names[k], &status);
        check(status, names[k], NULL);
    }
    clReleaseProgram(program);
}

static inline cl_kernel make_kernel(const example *x, const char *source, const char *name)
{
    cl_kernel kernel;
    make_kernels(x, source, &name, 1, &kernel);
    return kernel;
}

/* Sorts n keys, however many rows they make, by scans of this variant; NULL, "placed": that which clfold takes. */
static inline scan_sorter scan_sorter_open(example *x, const char *variant, size_t n, int arrays)
{
    const int placed = variant && strcmp(variant, "placed") == 0;
    const clf_plan_options options = {.size = sizeof options, .variant = placed ? NULL : variant};
    scan_sorter s = {.x = x, .arrays = arrays};
    check(clf_segmented_scan_plan(x->context, placed ? &moves : &counts, 0, &options, &s.plan, &x->error),
          "clf_segmented_scan_plan", &x->error);
    if (placed)
        check(clf_reduce_plan(x->context, &counts, 0, NULL, &s.totals, &x->error), "clf_reduce_plan", &x->error);
    s.scatter = make_kernel(x, scatter, arrays == 1 ? "scatter" : "scatter_pairs");
    for (int a = 0; a < arrays; ++a)
        s.spare[a] = example_array(x, n * sizeof(cl_uint), NULL);
    s.counts[0] = example_array(x, DIGITS * n * sizeof(cl_long), NULL);
    for (int d = 1; d < DIGITS; ++d)
        s.counts[d] = (clf_array){s.counts[0].buffer, (cl_ulong)d * n};
    return s;
}

static inline void scan_sorter_close(scan_sorter *s)
{
    example_release(s->spare, (size_t)s->arrays);
    example_release(s->counts, 1);
    clReleaseKernel(s->scatter);
    clf_plan_release(s->plan);
    clf_plan_release(s->totals);
}

static inline void scan_place_by_digit(const scan_sorter *s, size_t rows, cl_uint columns, const clf_array *from,
                                       const clf_array *to)
{
    const clf_array in[] = {from[0], from[1], s->counts[0], s->counts[1], s->counts[2]}, out[] = {to[0], to[1]};
    check(clf_segmented_reduce(s->totals, CLF_ON(s->x->queue), rows, columns, from, s->counts), "clf_segmented_reduce",
          NULL);
    check(clf_segmented_scan_placed(s->plan, CLF_ON_ARRAYS(s->x->queue, in, out), rows, columns, rows * columns, in,
                                    out, NULL),
          "clf_segmented_scan_placed", NULL);
}

static inline void scan_sort_by_digit(const scan_sorter *s, size_t rows, cl_uint columns, const clf_array *from,
                                      const clf_array *to)
{
    const size_t n = rows * columns;
    check(clf_segmented_scan(s->plan, CLF_ON(s->x->queue), rows, columns, from, s->counts), "clf_segmented_scan", NULL);
    check(clSetKernelArg(s->scatter, 0, sizeof(cl_mem), &s->counts[0].buffer), "counts", NULL);
    check(clSetKernelArg(s->scatter, 1, sizeof(cl_uint), &columns), "columns", NULL);
    for (int a = 0; a < s->arrays; ++a) {
        check(clSetKernelArg(s->scatter, 2 + 2 * (cl_uint)a, sizeof(cl_mem), &from[a].buffer), "from", NULL);
        check(clSetKernelArg(s->scatter, 3 + 2 * (cl_uint)a, sizeof(cl_mem), &to[a].buffer), "to", NULL);
    }
    check(clEnqueueNDRangeKernel(s->x->queue, s->scatter, 1, NULL, &n, NULL, 0, NULL, NULL), "scatter", NULL);
}

/* Sorts each row of arrays[0] in place, stably; arrays[1], if there is one, moves along. */
static inline void scan_sort(const scan_sorter *s, size_t rows, cl_uint columns, const clf_array *arrays)
{
    for (int round = 0; round < ROUNDS; ++round) { /* to the spare arrays and back */
        const clf_array *const from = round % 2 ? s->spare : arrays, *const to = round % 2 ? arrays : s->spare;
        (s->totals ? scan_place_by_digit : scan_sort_by_digit)(s, rows, columns, from, to);
    }
}
#endif
