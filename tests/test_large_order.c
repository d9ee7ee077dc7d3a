/* SPDX-License-Identifier: MIT */
/*
 * Sorts by comparison, sorts of rows and segments, and top-k, of more elements than 31, and than 32, bits can count.
 * Elements are mostly alike, with a few others at places where counters of 32 bits would err, or they are their places
 * in their segment, made by the map, so that a kernel can check all of them.
 */
#include "harness.h"

#include <stdio.h>
#include <string.h>

/* ---- By comparison --------------------------------------------------------------------------------------- */

static void merge_sort_bytes(cl_ulong n)
{
    static const clf_operator bytes = {.size = sizeof bytes, .value = "uchar v;", .less = "before",
                                       .source = "bool before(clf_input a, clf_input b) { return a.v < b.v; }"};
    if (!large_is_possible(2 * n, n, false))
        return;
    clf_plan *const plan = RIG_PLAN(clf_merge_sort_plan, rig_context(NULL), &bytes, 0, NULL);
    large_sort_bytes(plan, clf_merge_sort, n);
    clf_plan_release(plan);
    assert_ok(clf_context_trim(rig_context(NULL)));
}

/* ---- Segments -------------------------------------------------------------------------------------------- */

/*
 * Where the segment begins that element i is in, by the text that `begin` makes; and in it keys of 16 bits. If places
 * are in strict order by key and place, and below the length, each is there once.
 */
enum { SOURCE = 700 };
static const char *source_for(const char *begin, char text[SOURCE])
{
    snprintf(text, SOURCE,
             "ulong begin_of(ulong i) { return %s; }\n"
             "uint key_bits(uint at) { return 65535 - (at * 2654435761u >> 16); }\n"
             "ushort key_of(clf_value v) { return (ushort)key_bits(v.at); }\n"
             "clf_value place_of(clf_input x, ulong i) { clf_value v = {(uint)(i - begin_of(i))}; return v; }\n",
             begin);
    return text;
}

static const char check_places[] =
    "bool is_before(uint a, uint b) { return key_bits(a) < key_bits(b) || (key_bits(a) == key_bits(b) && a < b); }\n"
    "__kernel void check_places(__global const uint *x, ulong n, ulong nothing, __global uint *errors)\n"
    "{\n"
    "    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {\n"
    "        const ulong begin = begin_of(i);\n"
    "        if ((i > begin && !is_before(x[i - 1], x[i])) || begin + x[i] >= n || begin_of(begin + x[i]) != begin)\n"
    "            atomic_inc(errors);\n"
    "    }\n"
    "}\n";

/* The functions of the operator's source that know no clf_ type, then the check. */
static void expect_places(const char *source, cl_mem buffer, cl_ulong n)
{
    char text[SOURCE + sizeof check_places];
    const size_t plain = (size_t)(strstr(source, "ushort key_of") - source);
    snprintf(text, sizeof text, "%.*s%s", (int)plain, source, check_places);
    cl_program program = large_program(text, "");
    large_expect(program, "check_places", buffer, n, 0);
    clReleaseProgram(program);
}

/* Rows of `size` elements, or, where that is 0, three segments by offsets. */
static void sort_segments(cl_ulong n, cl_ulong size)
{
    char text[SOURCE], begin[120];
    const cl_ulong starts[] = {0, n / 3, n - n / 4, n};
    if (!large_is_possible(4 * n, 5 * n, false))
        return;
    if (size > 0)
        snprintf(begin, sizeof begin, "i - i %% %lluul", (unsigned long long)size);
    else
        snprintf(begin, sizeof begin, "i < %lluul ? 0 : i < %lluul ? %lluul : %lluul", (unsigned long long)starts[1],
                 (unsigned long long)starts[2], (unsigned long long)starts[1], (unsigned long long)starts[2]);
    const clf_operator op = {.size = sizeof op, .input = "uchar x;", .value = "uint at;", .key = "ushort key_of",
                             .map = "place_of", .source = source_for(begin, text)};
    const clf_segmentation by_offsets = {.size = sizeof by_offsets, .by = CLF_BY_OFFSETS, .type = CLF_ULONG};
    const clf_array in = {rig_buffer((size_t)n, NULL), 0}, out = {rig_buffer((size_t)(4 * n), NULL), 0};
    clf_plan *plan = NULL;
    if (size > 0) {
        assert_ok(clf_segmented_sort_plan(rig_context(NULL), &op, 0, NULL, &plan, NULL));
        assert_ok(clf_segmented_sort(plan, CLF_ON(the_rig()->queue), n / size, size, &in, &out));
        n -= n % size;
    } else {
        const clf_array offsets = {rig_buffer(sizeof starts, starts), 0};
        assert_ok(clf_irregular_sort_plan(rig_context(NULL), &op, &by_offsets, 0, NULL, &plan, NULL));
        assert_ok(clf_irregular_sort(plan, CLF_ON(the_rig()->queue), n, 3, &offsets, &in, &out));
        clReleaseMemObject(offsets.buffer);
    }
    expect_places(text, out.buffer, n);
    rig_release(in, out);
    clf_plan_release(plan);
    assert_ok(clf_context_trim(rig_context(NULL)));
}

/* ---- The first ones -------------------------------------------------------------------------------------- */

typedef struct {
    cl_ulong at;
    cl_uchar v;
} byte_at;

/* Of nines: two smaller elements, the first nines, and, if `rows`, the same of each of two halves. */
static void top_of_bytes(cl_ulong n, bool rows)
{
    static const clf_operator bytes = {.size = sizeof bytes, .input = "uchar v;", .value = "uchar v; ulong at;",
                                       .map = "at", .source = "clf_value at(clf_input x, ulong i)"
                                                              "{ clf_value v = {x.v, i}; return v; }"};
    enum { K = 4 };
    const cl_ulong count = rows ? 2 : 1, size = n / count;
    cl_uchar v[2 * K];
    cl_ulong at[2 * K];
    if (!large_is_possible(n, n, false))
        return;
    const clf_array in = {rig_buffer((size_t)n, NULL), 0};
    const clf_array out[] = {{rig_buffer(sizeof v, NULL), 0}, {rig_buffer(sizeof at, NULL), 0}};
    large_fill(in.buffer, 9, 0, n);
    for (cl_ulong row = 0; row < count; ++row) {
        large_fill(in.buffer, 3, row * size + size / 2 + 7, 1);
        large_fill(in.buffer, 1, row * size + size - 1, 1);
    }
    clf_plan *const plan = RIG_PLAN(clf_top_k_plan, rig_context(NULL), &bytes, 0, NULL);
    assert_ok(clf_segmented_top_k(plan, CLF_ON(the_rig()->queue), count, size, K, &in, out));
    rig_read(the_rig()->queue, out[0].buffer, count * K * sizeof *v, v);
    rig_read(the_rig()->queue, out[1].buffer, count * K * sizeof *at, at);
    for (cl_ulong row = 0; row < count; ++row) {
        const byte_at expected[K] = {{size - 1, 1}, {size / 2 + 7, 3}, {0, 9}, {1, 9}};
        for (int k = 0; k < K; ++k) {
            ck_assert_uint_eq(v[row * K + k], expected[k].v);
            ck_assert_uint_eq(at[row * K + k], row * size + expected[k].at);
        }
    }
    rig_release(in, out[0], out[1]);
    clf_plan_release(plan);
    assert_ok(clf_context_trim(rig_context(NULL)));
}

/* ---- Tests ----------------------------------------------------------------------------------------------- */

TEST(sorts_by_comparison)
{
    merge_sort_bytes(large_size(large_sizes[_i]));
}

/* Many short rows, rows of several tiles, and a few that are long. */
TEST(sorts_of_segments)
{
    const cl_ulong n = large_size(large_sizes[_i]), sizes[] = {37, 40001, n / 2, 0};
    for (size_t k = 0; k < COUNT(sizes); ++k)
        sort_segments(n, sizes[k]);
}

TEST(first_of_many)
{
    top_of_bytes(large_size(large_sizes[_i]), false);
    top_of_bytes(large_size(large_sizes[_i]), true);
}

/* More than 2^31, and more than 2^32. */
enum { BEYOND = 2 };

void add_large_order_tests(TCase *tests)
{
    tcase_add_loop_test(tests, sorts_by_comparison, 0, LARGE_SIZES);
    tcase_add_loop_test(tests, sorts_of_segments, BEYOND, LARGE_SIZES);
    tcase_add_loop_test(tests, first_of_many, BEYOND, LARGE_SIZES);
}
