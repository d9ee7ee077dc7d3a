/* SPDX-License-Identifier: MIT */
/*
 * First elements of runs, reductions by key and run lengths of more elements than 31, and than 32, bits can count:
 * every element a run of its own, some thousand runs, and a single one. Run r is of bytes (uchar)r, so that each result
 * follows from its place; a kernel checks them all.
 */
#include "harness.h"

#include <stdio.h>

#define HASHES                                                                                                         \
    "uint h(ulong i) { uint x = (uint)(i ^ (i >> 32)) * 2654435761u; return x ^ (x >> 15); }\n"                        \
    "uchar mark(ulong i) { return (uchar)(h(i) >> 13); }\n"

/* TOTAL elements in runs of `size`, of which the last may be shorter. */
static const char kernels[] = HASHES
    "ulong end_of(ulong run, ulong size) { return min((run + 1) * size, (ulong)TOTAL); }\n"
    "__kernel void fill_runs(__global uchar *x, ulong n, ulong size)\n"
    "{\n"
    "    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))\n"
    "        x[i] = (uchar)(i / size);\n"
    "}\n"
    "#define CHECK(NAME, TYPE, RIGHT)                                                                   \\\n"
    "    __kernel void NAME(__global const TYPE *x, ulong runs, ulong size, __global uint *errors)      \\\n"
    "    {                                                                                              \\\n"
    "        for (ulong r = get_global_id(0); r < runs; r += get_global_size(0))                        \\\n"
    "            if (x[r] != (RIGHT))                                                                   \\\n"
    "                atomic_inc(errors);                                                                \\\n"
    "    }\n"
    "CHECK(check_marks, uchar, mark(r * size))\n"
    "CHECK(check_sums, uint, h(end_of(r, size)) - h(r * size))\n"
    "CHECK(check_values, uchar, (uchar)r)\n"
    "CHECK(check_lengths, ulong, end_of(r, size) - r * size)\n";

/* The elements of a test, and what checks its results. */
typedef struct runs {
    cl_ulong n, size, runs;
    cl_program program;
    clf_array in, count;
} runs;

static runs open_runs(cl_ulong n, cl_ulong size)
{
    char options[40];
    runs its = {.n = n, .size = size, .runs = (n + size - 1) / size};
    snprintf(options, sizeof options, "-D TOTAL=%lluul", (unsigned long long)n);
    its.program = large_program(kernels, options);
    its.in.buffer = rig_buffer((size_t)n, NULL);
    its.count.buffer = rig_buffer(sizeof(cl_ulong), NULL);
    large_make(its.program, "fill_runs", its.in.buffer, n, size);
    return its;
}

/* One result for each run, of so many bytes. */
static clf_array results(const runs *its, cl_ulong bytes)
{
    return (clf_array){rig_buffer((size_t)(its->runs * bytes), NULL), 0};
}

static void expect_count(const runs *its)
{
    cl_ulong count = 0;
    rig_read(the_rig()->queue, its->count.buffer, sizeof count, &count);
    ck_assert_uint_eq(count, its->runs);
}

/* Also releases the results. */
static void expect(const runs *its, const char *check, clf_array out)
{
    large_expect(its->program, check, out.buffer, its->runs, its->size);
    clReleaseMemObject(out.buffer);
}

static void close_runs(const runs *its)
{
    rig_release(its->in, its->count);
    clReleaseProgram(its->program);
    assert_ok(clf_context_trim(rig_context(NULL)));
}

#define ALIKE "bool alike(clf_input a, clf_input b) { return a.x == b.x; }\n"

static void unique_large(cl_ulong n, cl_ulong size)
{
    static const clf_operator op = {
        .size = sizeof op, .input = "uchar x;", .value = "uchar mark;", .map = "mark_of", .same = "alike",
        .source = HASHES ALIKE "clf_value mark_of(clf_input x, ulong i) { clf_value v = {mark(i)}; return v; }"};
    if (!large_is_possible(n, n, false))
        return;
    clf_plan *const plan = RIG_PLAN(clf_unique_plan, rig_context(NULL), &op, 0, NULL);
    const runs its = open_runs(n, size);
    const clf_array out = results(&its, 1);
    assert_ok(clf_unique(plan, CLF_ON(the_rig()->queue), n, its.runs, &its.in, &out, &its.count));
    expect_count(&its);
    expect(&its, "check_marks", out);
    close_runs(&its);
    clf_plan_release(plan);
}

/* Sums of differences, h(i + 1) - h(i), beside what is made of each run's first element. */
static void by_key_large(cl_ulong n, cl_ulong size)
{
    static const clf_operator op = {
        .size = sizeof op, .input = "uchar x;", .value = "uint sum;", .extra = "uchar mark;", .map = "step",
        .combine = "add", .neutral = "zero", .same = "alike",
        .source = HASHES ALIKE "clf_value step(clf_input x, ulong i, clf_extra *e)\n"
                  "{ clf_value v = {h(i + 1) - h(i)}; e->mark = mark(i); return v; }\n"
                  "clf_value add(clf_value a, clf_value b) { a.sum += b.sum; return a; }\n"
                  "clf_value zero(void) { clf_value v = {0}; return v; }"};
    if (!large_is_possible(4 * n, 2 * n, false))
        return;
    clf_plan *const plan = RIG_PLAN(clf_reduce_by_key_plan, rig_context(NULL), &op, 0, NULL);
    const runs its = open_runs(n, size);
    const clf_array out[] = {results(&its, 4), results(&its, 1)};
    assert_ok(clf_reduce_by_key(plan, CLF_ON(the_rig()->queue), n, its.runs, &its.in, out, &its.count));
    expect_count(&its);
    expect(&its, "check_sums", out[0]);
    expect(&its, "check_marks", out[1]);
    close_runs(&its);
    clf_plan_release(plan);
}

static void run_lengths_large(cl_ulong n, cl_ulong size)
{
    if (!large_is_possible(8 * n, 2 * n, false))
        return;
    const runs its = open_runs(n, size);
    const clf_array values = {rig_buffer((size_t)n, NULL), 0}, lengths = {rig_buffer((size_t)(8 * n), NULL), 0};
    assert_ok(clf_array_run_lengths(rig_context(NULL), CLF_ON(the_rig()->queue), CLF_UCHAR, n, its.in, values, lengths,
                                    its.count));
    expect_count(&its);
    expect(&its, "check_values", values);
    expect(&its, "check_lengths", lengths);
    close_runs(&its);
}

/* More than 2^31, and more than 2^32, elements: in runs of one, in some 4096, and in one. */
enum { BEYOND = 2, KINDS = 3, CASES = (LARGE_SIZES - BEYOND) * KINDS };

static void each(int which, void run(cl_ulong n, cl_ulong size))
{
    const cl_ulong n = large_size(large_sizes[BEYOND + which / KINDS]), sizes[] = {1, n / 4096 | 1, n};
    run(n, sizes[which % KINDS]);
}

TEST(first_of_runs)
{
    each(_i, unique_large);
}

TEST(reductions_by_key)
{
    each(_i, by_key_large);
}

TEST(run_lengths)
{
    each(_i, run_lengths_large);
}

RIG_PART(add_large_run_tests, {first_of_runs, CASES}, {reductions_by_key, CASES}, {run_lengths, CASES})
