/* SPDX-License-Identifier: MIT */
/*
 * Sorts and splits of more elements than 31, and than 32, bits can count: of bytes, by every variant, and of elements
 * that are their places in the input. These the map makes, so that each has its place to be at, and a kernel can check
 * all of them.
 */
#include "harness.h"

#include <stdio.h>

/*
 * Keys of 16 bits, of which 0 has the largest. The last of n elements, which 32 bits may not tell from the first, is a
 * second 0, and comes last; the others are in strict order, and so each of them is there once.
 */
#define KEY_BITS "uint key_bits(uint at) { return 65535 - (at * 2654435761u >> 16); }\n"

static const char checks[] = KEY_BITS
    "bool is_before(uint a, uint b, uint shift)\n"
    "{ const uint ka = key_bits(a) >> shift, kb = key_bits(b) >> shift; return ka < kb || (ka == kb && a < b); }\n"
    "__kernel void check_places(__global const uint *x, ulong n, ulong shift, __global uint *errors)\n"
    "{\n"
    "    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))\n"
    "        if (i == n - 1 ? x[i] != 0 : x[i] >= n - 1 || (i > 0 && !is_before(x[i - 1], x[i], (uint)shift)))\n"
    "            atomic_inc(errors);\n"
    "}\n"
    "__kernel void check_bytes(__global const uchar *x, ulong n, ulong nothing, __global uint *errors)\n"
    "{\n"
    "    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))\n"
    "        if (i > 0 && x[i - 1] > x[i])\n"
    "            atomic_inc(errors);\n"
    "}\n";

enum { SOURCE = 600 };

/* The last element's index, and how many bits of a key do not count. */
static const char *source_for(cl_ulong n, unsigned shift, char text[SOURCE])
{
    snprintf(text, SOURCE,
             KEY_BITS
             "uint place(ulong i) { return (uint)(i < %lluul ? i : 0); }\n"
             "ushort key_of(clf_value v) { return (ushort)key_bits(v.at); }\n"
             "uint part_of(clf_input x, ulong i) { return key_bits(place(i)) >> %u; }\n"
             "clf_value place_of(clf_input x, ulong i) { clf_value v = {place(i)}; return v; }",
             (unsigned long long)(n - 1), shift);
    return text;
}

static void expect_places(cl_mem buffer, cl_ulong n, unsigned shift)
{
    cl_program program = large_program(checks, "");
    large_expect(program, "check_places", buffer, n, shift);
    clReleaseProgram(program);
}

/* Of CPUs a variant for others; a plan that there is not is none. */
static clf_context *sort_plan(const clf_operator *op, const char *variant, clf_plan **plan)
{
    const clf_plan_options options = {.size = sizeof options, .variant = variant};
    clf_context *const context = rig_context(variant && the_rig()->is_cpu ? "cpu" : NULL);
    clf_error error = {.size = sizeof error};
    const clf_status status = clf_sort_plan(context, op, 0, &options, plan, &error);
    if (rig_lacks(status, NULL, &error))
        printf("large: no sort \"%s\" on this device\n", variant);
    else
        assert_ok(status);
    return context;
}

/* Bytes that descend, of which few are at places where counters of 32 bits would err; and then all in order. */
void large_sort_bytes(clf_plan *plan, large_sort *sort, cl_ulong n)
{
    const cl_ulong nines = n / 2 - 5, fours = n - nines - 3; /* 9 … 9 200 4 … 4 0 1 */
    const cl_uchar few[] = {200, 0, 1};
    cl_ulong scratch;
    assert_ok(clf_plan_scratch(plan, n, 1, &scratch));
    if (!large_is_possible(2 * n, scratch, false))
        return;
    const clf_array in = {rig_buffer((size_t)n, NULL), 0}, out = {rig_buffer((size_t)n, NULL), 0};
    large_fill(in.buffer, 9, 0, nines);
    large_fill(in.buffer, few[0], nines, 1);
    large_fill(in.buffer, 4, nines + 1, fours);
    large_fill(in.buffer, few[1], n - 2, 1);
    large_fill(in.buffer, few[2], n - 1, 1);
    assert_ok(sort(plan, CLF_ON(the_rig()->queue), n, &in, &out));
    const cl_ulong at[] = {0, 1, 2, 3, 1 + fours / 2, 1 + fours, 2 + fours, n - 3, n - 2, n - 1};
    const cl_uchar there[] = {0, 1, 4, 4, 4, 4, 9, 9, 9, 200};
    for (size_t i = 0; i < COUNT(at); ++i)
        ck_assert_uint_eq(large_byte(out.buffer, at[i]), there[i]);
    cl_program program = large_program(checks, "");
    large_expect(program, "check_bytes", out.buffer, n, 0);
    clReleaseProgram(program);
    rig_release(in, out);
}

static void sort_bytes(cl_ulong n, const char *variant)
{
    static const clf_operator bytes = {.size = sizeof bytes, .value = "uchar v;"};
    clf_plan *plan = NULL;
    if (!large_is_possible(n, n, false)) /* and scratch, which the plan tells */
        return;
    clf_context *const context = sort_plan(&bytes, variant, &plan);
    if (!plan)
        return;
    large_sort_bytes(plan, clf_sort, n);
    clf_plan_release(plan);
    assert_ok(clf_context_trim(context));
}

static void sort_places(cl_ulong n, const char *variant)
{
    char text[SOURCE];
    if (!large_is_possible(4 * n, n, false))
        return;
    const clf_operator op = {.size = sizeof op, .input = "uchar x;", .value = "uint at;", .key = "ushort key_of",
                             .map = "place_of", .source = source_for(n, 0, text)};
    clf_plan *plan = NULL;
    clf_context *const context = sort_plan(&op, variant, &plan);
    cl_ulong scratch;
    if (!plan)
        return;
    assert_ok(clf_plan_scratch(plan, n, 1, &scratch));
    if (large_is_possible(scratch, 5 * n, false)) {
        const clf_array in = {rig_buffer((size_t)n, NULL), 0}, out = {rig_buffer((size_t)(4 * n), NULL), 0};
        assert_ok(clf_sort(plan, CLF_ON(the_rig()->queue), n, &in, &out));
        expect_places(out.buffer, n, 0);
        rig_release(in, out);
    }
    clf_plan_release(plan);
    assert_ok(clf_context_trim(context));
}

static cl_uint part_at(cl_mem buffer, cl_ulong i, unsigned shift)
{
    cl_uint at = 0;
    assert_ok(clEnqueueReadBuffer(the_rig()->queue, buffer, CL_TRUE, (size_t)(4 * i), 4, &at, 0, NULL, NULL));
    return (65535 - (at * 2654435761u >> 16)) >> shift;
}

/* Into 2^16 >> shift parts; each begins where the counts say. */
static void split_places(cl_ulong n, unsigned shift)
{
    char text[SOURCE];
    if (!large_is_possible(4 * n, n, false))
        return;
    const clf_operator op = {.size = sizeof op, .input = "uchar x;", .value = "uint at;", .part = "part_of",
                             .map = "place_of", .source = source_for(n, shift, text)};
    const cl_uint parts = 65536u >> shift;
    cl_ulong scratch, counts[256], start = 0;
    clf_plan *plan = NULL;
    assert_ok(clf_split_plan(rig_context(NULL), &op, parts, 0, NULL, &plan, NULL));
    assert_ok(clf_plan_scratch(plan, n, 1, &scratch));
    if (large_is_possible(4 * n, n + scratch, false)) {
        const clf_array in = {rig_buffer((size_t)n, NULL), 0}, out = {rig_buffer((size_t)(4 * n), NULL), 0};
        const clf_array count = {rig_buffer(parts * sizeof *counts, NULL), 0};
        assert_ok(clf_split(plan, CLF_ON(the_rig()->queue), n, &in, &out, &count));
        expect_places(out.buffer, n, shift);
        rig_read(the_rig()->queue, count.buffer, parts * sizeof *counts, counts);
        for (cl_uint part = 0; part < parts; start += counts[part++]) {
            ck_assert_uint_lt(start, n);
            ck_assert_uint_eq(part_at(out.buffer, start, shift), part);
            if (part > 0)
                ck_assert_uint_eq(part_at(out.buffer, start - 1, shift), part - 1);
        }
        ck_assert_uint_eq(start, n);
        rig_release(in, out, count);
    }
    clf_plan_release(plan);
    assert_ok(clf_context_trim(rig_context(NULL)));
}

static const char *const sort_variants[] = {NULL, "lookback", "two_pass"};

TEST(sorts)
{
    for (size_t k = 0; k < COUNT(sort_variants); ++k)
        sort_bytes(large_size(large_sizes[_i]), sort_variants[k]);
}

/* More than 2^31, and more than 2^32. */
enum { BEYOND = 2 };

TEST(sorts_by_places)
{
    sort_places(large_size(large_sizes[_i]), "lookback");
    sort_places(large_size(large_sizes[_i]), "two_pass");
}

/* 2^30 elements of 4 bytes: their number fits 31 bits, and an array's bytes take 33. */
TEST(sorts_of_2_30)
{
    sort_places(large_size((cl_ulong)1 << 30), NULL);
}

TEST(splits)
{
    split_places(large_size(large_sizes[_i]), 8);
    split_places(large_size(large_sizes[_i]), 15);
}

void add_large_sort_tests(TCase *tests)
{
    tcase_add_loop_test(tests, sorts, 0, LARGE_SIZES);
    tcase_add_loop_test(tests, sorts_by_places, BEYOND, LARGE_SIZES);
    tcase_add_test(tests, sorts_of_2_30);
    tcase_add_loop_test(tests, splits, BEYOND, LARGE_SIZES);
}
