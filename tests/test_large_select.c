/* SPDX-License-Identifier: MIT */
/*
 * Filters, partitions, gathers, scatters, merges and bounds of more elements than 31, and than 32, bits can
 * count. Few results come from each, which the host can compute.
 */
#include "harness.h"

/* One element of 2^20, by its index, and all that is left of it is the index. */
static void filter_large(cl_ulong n)
{
    static const clf_operator op = {
        .size = sizeof op, .input = "uchar x;", .value = "ulong at;", .predicate = "rare", .map = "index_of",
        .source = "bool rare(clf_input x, ulong i) { return i % 1048576 == 77; }\n"
                  "clf_value index_of(clf_input x, ulong i) { clf_value v = {i}; return v; }"};
    enum { ROOM = 5000 };
    cl_ulong got[ROOM], kept = 0, expected = (n + 1048576 - 78) / 1048576;
    if (!large_is_possible(n, 8 * ROOM, false))
        return;
    clf_plan *const plan = RIG_PLAN(clf_filter_plan, rig_context(NULL), &op, 0, NULL);
    const clf_array in = {rig_buffer((size_t)n, NULL), 0}, out = {rig_buffer(sizeof got, NULL), 0};
    const clf_array count = {rig_buffer(8, NULL), 0};
    assert_ok(clf_filter(plan, CLF_ON(the_rig()->queue), n, ROOM, &in, &out, &count));
    rig_read(the_rig()->queue, count.buffer, 8, &kept);
    rig_read(the_rig()->queue, out.buffer, sizeof got, got);
    ck_assert_uint_eq(kept, expected);
    for (cl_ulong k = 0; k < kept; ++k)
        ck_assert_uint_eq(got[k], k * 1048576 + 77);
    rig_release(in, out, count);
    clf_plan_release(plan);
}

/* Two rare parts, and all else, of which there is room for the first few: each by the index alone. */
static void partition_large(cl_ulong n)
{
    static const clf_operator op = {
        .size = sizeof op, .input = "uchar x;", .value = "ulong at;", .part = "which", .map = "index_of",
        .source = "uint which(clf_input x, ulong i)\n"
                  "{ const uint k = (uint)i % 1048576; return k == 77 ? 0 : k == 4099 ? 1 : 2; }\n"
                  "clf_value index_of(clf_input x, ulong i) { clf_value v = {i}; return v; }"};
    enum { ROOM = 5000 };
    cl_ulong got[3][ROOM], counts[3];
    const cl_ulong expected[] = {(n + 1048576 - 78) / 1048576, (n + 1048576 - 4100) / 1048576};
    if (!large_is_possible(n, 24 * ROOM, false))
        return;
    clf_plan *const plan = RIG_PLAN(clf_partition_plan, rig_context(NULL), &op, 0, NULL);
    const clf_array in = {rig_buffer((size_t)n, NULL), 0}, count = {rig_buffer(sizeof counts, NULL), 0};
    const cl_mem all = rig_buffer(sizeof got, NULL);
    const clf_array out[] = {{all, 0}, {all, ROOM}, {all, 2 * ROOM}};
    assert_ok(clf_partition(plan, CLF_ON(the_rig()->queue), n, ROOM, &in, out, &count));
    rig_read(the_rig()->queue, count.buffer, sizeof counts, counts);
    rig_read(the_rig()->queue, all, sizeof got, got);
    ck_assert_uint_eq(counts[0], expected[0]);
    ck_assert_uint_eq(counts[1], expected[1]);
    ck_assert_uint_eq(counts[2], n - expected[0] - expected[1]);
    for (cl_ulong k = 0; k < counts[1]; ++k) {
        ck_assert_uint_eq(got[0][k], k * 1048576 + 77);
        ck_assert_uint_eq(got[1][k], k * 1048576 + 4099);
    }
    for (cl_ulong k = 0; k < ROOM; ++k)
        ck_assert_uint_eq(got[2][k], k + (k >= 77) + (k >= 4098));
    rig_release(in, count);
    clReleaseMemObject(all);
    clf_plan_release(plan);
}

/* A few bytes to places all over a large array, and back from there. */
static void gather_large(cl_ulong n)
{
    enum { M = 1000 };
    cl_ulong places[M];
    cl_uchar values[M], got[M];
    clf_plan *gather = NULL, *scatter = NULL;
    if (!large_is_possible(n, 10 * M, false))
        return;
    for (cl_ulong i = 0; i < M; ++i) {
        places[i] = i == M - 1 ? n - 1 : i * (n / M);
        values[i] = (cl_uchar)(7 * i + 1);
    }
    assert_ok(clf_gather_plan(rig_context(NULL), "uchar v;", CLF_ULONG, 0, NULL, &gather, NULL));
    assert_ok(clf_scatter_plan(rig_context(NULL), "uchar v;", CLF_ULONG, 0, NULL, &scatter, NULL));
    const cl_command_queue q = the_rig()->queue;
    const clf_array in = {rig_buffer(sizeof values, values), 0}, at = {rig_buffer(sizeof places, places), 0};
    const clf_array whole = {rig_buffer((size_t)n, NULL), 0}, out = {rig_buffer(sizeof got, NULL), 0};
    assert_ok(clf_scatter(scatter, CLF_ON(q), M, n, &in, &at, &whole));
    assert_ok(clf_gather(gather, CLF_ON(q), n, M, &whole, &at, &out));
    rig_read(q, out.buffer, sizeof got, got);
    for (size_t i = 0; i < M; ++i)
        ck_assert_uint_eq(got[i], values[i]);
    rig_release(in, at, whole, out);
    rig_release_plans(gather, scatter);
}

/* Ones, then twos, merged with a zero and a two: and their bounds, of sorted needles and of others. */
static void merge_large(cl_ulong n)
{
    static const cl_uchar few[] = {0, 1, 2, 3};
    const clf_operator *const bytes = ref_order_of(REF_ORDER_BYTE)->clf;
    const cl_command_queue queue = the_rig()->queue;
    const cl_ulong ones = n / 2, expected[] = {0, 0, ones, n};
    if (!large_is_possible(n, n + 4, false))
        return;
    const clf_array in[] = {{rig_buffer((size_t)n, NULL), 0}, {rig_buffer(sizeof few, few), 0}};
    const clf_array out = {rig_buffer((size_t)n + 4, NULL), 0};
    large_fill(in[0].buffer, 1, 0, ones);
    large_fill(in[0].buffer, 2, ones, n - ones);
    clf_plan *plan = RIG_PLAN(clf_merge_plan, rig_context(NULL), bytes, 0, NULL);
    assert_ok(clf_merge(plan, CLF_ON(queue), n, 4, in, &out)); /* 0, ones and one more, twos and one more, 3 */
    const cl_ulong at[] = {0, 1, ones, ones + 1, ones + 2, ones + 3, n + 2, n + 3};
    const cl_uchar there[] = {0, 1, 1, 1, 2, 2, 2, 3};
    for (size_t i = 0; i < COUNT(at); ++i)
        ck_assert_uint_eq(large_byte(out.buffer, at[i]), there[i]);
    clf_plan_release(plan);
    for (unsigned flags = 0; flags <= CLF_SORTED_NEEDLES; flags += CLF_SORTED_NEEDLES) {
        cl_ulong got[4];
        assert_ok(clf_bounds_plan(rig_context(NULL), bytes, CLF_ULONG, flags, NULL, &plan, NULL));
        assert_ok(clf_bounds(plan, CLF_ON(queue), n, 4, in, &out));
        rig_read(queue, out.buffer, sizeof got, got);
        for (int k = 0; k < 4; ++k)
            ck_assert_uint_eq(got[k], expected[k]);
        clf_plan_release(plan);
    }
    rig_release(in[0], in[1], out);
}

/*
 * Bins of bytes: 1 but for the last 7, which are 2. Indices are added up, so that none is taken for another; elements
 * that are dealt out by ranges before may not look at them, and are counted.
 */
static void index_large(cl_ulong n, unsigned flags, const char *variant)
{
    static const clf_operator place = {
        .size = sizeof place, .input = "uchar bin;", .value = "ulong sum;", .map = "place", .combine = "add",
        .neutral = "zero", .flags = CLF_COMMUTATIVE,
        .source = "clf_value place(clf_input x, ulong i) { clf_value v = {i}; return v; }\n"
                  "clf_value add(clf_value a, clf_value b) { a.sum += b.sum; return a; }\n"
                  "clf_value zero(void) { clf_value v = {0}; return v; }"};
    static const clf_operator count = {
        .size = sizeof count, .input = "uchar bin;", .value = "ulong sum;", .map = "one", .combine = "clf_sum",
        .flags = CLF_COMMUTATIVE | CLF_NO_INDEX,
        .source = "clf_value one(clf_input x, ulong i) { clf_value v = {1}; return v; }"};
    const clf_plan_options options = {.size = sizeof options, .variant = variant};
    cl_ulong got[4], scratch;
    clf_plan *const plan = RIG_PLAN(clf_reduce_by_index_plan, rig_context(NULL), variant ? &count : &place, flags,
                                    &options);
    assert_ok(clf_plan_scratch(plan, n, COUNT(got), &scratch));
    if (!large_is_possible(n, scratch, false)) {
        clf_plan_release(plan);
        return;
    }
    const clf_array in = {rig_buffer((size_t)n, NULL), 0}, out = {rig_buffer(sizeof got, NULL), 0};
    large_fill(in.buffer, 1, 0, n - 7);
    large_fill(in.buffer, 2, n - 7, 7);
    const cl_ulong sum = n % 2 ? (n - 1) / 2 * n : n / 2 * (n - 1); /* of indices: wraps around as the device's */
    const cl_ulong last = variant ? 7 : 7 * (n - 4), all = variant ? n : sum;
    assert_ok(clf_reduce_by_index(plan, CLF_ON(the_rig()->queue), n, COUNT(got), &in, &out));
    rig_read(the_rig()->queue, out.buffer, sizeof got, got);
    ck_assert_uint_eq(got[0], 0);
    ck_assert_uint_eq(got[1], all - last);
    ck_assert_uint_eq(got[2], last);
    ck_assert_uint_eq(got[3], 0);
    rig_release(in, out);
    clf_plan_release(plan);
}

/* Elements and bins that a plan deals out by ranges where it chooses itself. */
static void many_of_many_bins(void)
{
    enum { N = (1 << 24) + 5, BINS = (1 << 19) + 3 };
    static const clf_operator count = {
        .size = sizeof count, .input = "uint bin;", .value = "uint count;", .map = "one", .combine = "clf_sum",
        .flags = CLF_COMMUTATIVE | CLF_NO_INDEX,
        .source = "clf_value one(clf_input x, ulong i) { clf_value v = {1}; return v; }"};
    if (!large_is_possible(4ul * N, 4ul * N, false))
        return;
    cl_uint *const bins = malloc(N * sizeof *bins), *const got = malloc(BINS * sizeof *got),
                   *const expected = calloc(BINS, sizeof *expected);
    ck_assert(bins && got && expected);
    for (cl_uint i = 0; i < N; ++i)
        bins[i] = i % 7 == 0 ? 77 : (i * 2654435761u) % (BINS + 20);
    for (cl_uint i = 0; i < N; ++i)
        if (bins[i] < BINS)
            ++expected[bins[i]];
    clf_plan *const plan = RIG_PLAN(clf_reduce_by_index_plan, rig_context(NULL), &count, 0, NULL);
    const clf_array in = {rig_buffer(N * sizeof *bins, bins), 0}, out = {rig_buffer(BINS * sizeof *got, NULL), 0};
    assert_ok(clf_reduce_by_index(plan, CLF_ON(the_rig()->queue), N, BINS, &in, &out));
    rig_read(the_rig()->queue, out.buffer, BINS * sizeof *got, got);
    ck_assert_int_eq(memcmp(got, expected, BINS * sizeof *got), 0);
    rig_release(in, out);
    clf_plan_release(plan);
    free(bins);
    free(got);
    free(expected);
}

TEST(filters)
{
    filter_large(large_size(large_sizes[_i]));
    partition_large(large_size(large_sizes[_i]));
}

TEST(gathers)
{
    gather_large(large_size(large_sizes[_i]));
}

TEST(merges)
{
    merge_large(large_size(large_sizes[_i]));
}

TEST(indices)
{
    index_large(large_size(large_sizes[_i]), 0, NULL);
    index_large(large_size(large_sizes[_i]), CLF_ORDERED, NULL);
    index_large(large_size(large_sizes[_i]), 0, "split");
    if (_i == 0)
        many_of_many_bins();
}

RIG_PART(add_large_select_tests, {filters, LARGE_SIZES}, {gathers, LARGE_SIZES}, {merges, LARGE_SIZES},
         {indices, LARGE_SIZES})
