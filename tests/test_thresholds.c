/* SPDX-License-Identifier: MIT */
/*
 * Thresholds of dispatchers as settings of profiles: each moves who takes a call, or how, and results stay what they
 * are. Part of suite tune.
 */
#include "core/core.h"
#include "harness.h"
#include "suites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* On kernels for GPUs, which have the roles. */
static clf_context *new_context(const char *profile)
{
    char text[256];
    clf_context *const context = RIG_CONTEXT(.profile = profile, .disable = rig_disabled("cpu", text));
    return context;
}

/* CLFOLD_DISABLE has the last word: where it leaves the kernels for CPUs there are no roles to choose from. */
static bool have_roles(void)
{
    const char *const disabled = getenv("CLFOLD_DISABLE");
    return !disabled || !the_rig()->is_cpu || strstr(disabled, "cpu");
}

/* Is it the variant for one segment of n elements? */
static bool takes_variant(const clf_plan *plan, cl_ulong n, const char *name)
{
    char text[4096], line[64];
    assert_ok(clf_plan_describe(plan, n, text, sizeof text, NULL));
    snprintf(line, sizeof line, "\nvariant = %s\n", name);
    return strstr(text, line);
}

static bool is_one_group(const clf_plan *plan, cl_ulong n)
{
    return takes_variant(plan, n, "one_group");
}

TEST(small_scans)
{
    if (!have_roles())
        return;
    clf_context *const context = new_context("scan.b4.small.limit = 5\n");
    clf_plan *plan = RIG_PLAN(clf_scan_plan, context, clf_builtin(CLF_SUM, CLF_INT), 0, NULL);
    ck_assert(is_one_group(plan, 5) && !is_one_group(plan, 6));
    assert_ok(clf_plan_release(plan));
    assert_ok(clf_scan_plan(context, clf_builtin(CLF_SUM, CLF_LONG), 0, NULL, &plan, NULL));
    ck_assert(is_one_group(plan, 6)); /* another class */
    rig_release_all(context, plan);
}

/* Rows of ones, scanned with as much scratch as the plan says. */
static void check_rows(clf_plan *plan, cl_uint rows, cl_uint size)
{
    enum { MOST = 60000 };
    static cl_int ones[MOST], sums[MOST];
    const cl_ulong n = (cl_ulong)rows * size;
    cl_ulong bytes;
    for (int i = 0; i < MOST; ++i)
        ones[i] = 1;
    assert_ok(clf_plan_scratch(plan, n, rows, &bytes));
    const clf_array in = {rig_buffer(sizeof ones, ones), 0}, out = {rig_buffer(sizeof sums, NULL), 0};
    const cl_mem scratch = rig_buffer((size_t)(bytes ? bytes : 1), NULL);
    const clf_call call = {.size = sizeof call, .queue = the_rig()->queue, .scratch = {scratch, 0}};
    assert_ok(clf_segmented_scan(plan, &call, rows, size, &in, &out));
    rig_read(the_rig()->queue, out.buffer, sizeof sums, sums);
    for (cl_uint i = 0; i < n; ++i)
        ck_assert_int_eq(sums[i], (cl_int)(i % size + 1));
    rig_release(in, out);
    clReleaseMemObject(scratch);
}

/* Long segments have a variant of their own where a profile names one: with larger scratch, or smaller. */
TEST(long_segments)
{
    static const char *const profiles[] = {
        "segmented_scan.b4.main = serial\nsegmented_scan.b4.serial.items = 1\nsegmented_scan.b4.long = two_pass\n"
        "segmented_scan.b4.two_pass.items = 16\nsegmented_scan.b4.long.fewest = 5000\n"
        "segmented_scan.b4.medium.limit = 0\n",
        "segmented_scan.b4.main = two_pass\nsegmented_scan.b4.two_pass.items = 1\nsegmented_scan.b4.long = serial\n"
        "segmented_scan.b4.serial.items = 16\nsegmented_scan.b4.long.fewest = 5000\n"
        "segmented_scan.b4.medium.limit = 0\n"};
    if (!have_roles())
        return;
    clf_context *const context = new_context(profiles[_i]);
    const bool progress = context->facts.progress;
    clf_plan *const plan = RIG_PLAN(clf_segmented_scan_plan, context, clf_builtin(CLF_SUM, CLF_INT), 0, NULL);
    ck_assert(takes_variant(plan, 4999, _i || !progress ? "two_pass" : "serial"));
    ck_assert(takes_variant(plan, 5000, _i && progress ? "serial" : "two_pass"));
    const clf_task rows = {.batch = 1, .count = 12, .size = 4999};
    const clf_engine *const short_rows = plan->primitive->choose(plan, &rows);
    ck_assert_str_eq(short_rows->variant->name, _i || !progress ? "two_pass" : "serial");
    check_rows(plan, 12, 4999);
    check_rows(plan, 12, 5000);
    check_rows(plan, 1, 60000);
    rig_release_all(context, plan);
}

/* 20 rows of 32 are five of eight: fewer than three quarters, and more than one. */
TEST(thin_matrices)
{
    static const struct {
        const char *profile, *variant;
    } cases[] = {{NULL, "thin"},
                 {"transpose.b4.tile.filled = 3\n", "thin"},
                 {"transpose.b4.tile.filled = 1\n", "tile"}};
    if (!have_roles())
        return;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        clf_context *const context = new_context(cases[i].profile);
        clf_plan *plan = NULL;
        assert_ok(clf_transpose_plan(context, 4, &(clf_plan_options){.size = sizeof(clf_plan_options),
                                                                     .parameters = "across=32,down=32"}, &plan, NULL));
        ck_assert_str_eq(clf_transpose_variant(plan, 1, 20, 3200), cases[i].variant);
        rig_release_all(context, plan);
    }
}

/* Segments of few tiles, shared out, or not. */
TEST(parted_segments)
{
    enum { COUNT_OF = 3, SIZE = 5003 };
    static const char *const profiles[] = {"reduce.*.large.parting = 1\nreduce.*.*.limit = 1\n",
                                           "reduce.*.large.parting = 1000000\nreduce.*.*.limit = 1\n"};
    static cl_uint x[COUNT_OF * SIZE];
    cl_uint sum[COUNT_OF] = {0}, got[COUNT_OF];
    if (!have_roles())
        return;
    for (cl_uint i = 0; i < COUNT_OF * SIZE; ++i)
        sum[i / SIZE] += x[i] = i * 2654435761u;
    const clf_array in = {rig_buffer(sizeof x, x), 0}, out = {rig_buffer(sizeof got, NULL), 0};
    for (size_t i = 0; i < COUNT(profiles); ++i) {
        clf_context *const context = new_context(profiles[i]);
        const clf_plan_options options = {.size = sizeof options, .parameters = "items=2,group=32,groups=16"};
        clf_plan *const plan = RIG_PLAN(clf_reduce_plan, context, clf_builtin(CLF_SUM, CLF_UINT), 0, &options);
        ck_assert_str_eq(clf_reduce_variant(plan, COUNT_OF, SIZE), "large");
        assert_ok(clf_segmented_reduce(plan, CLF_ON(the_rig()->queue), COUNT_OF, SIZE, &in, &out));
        rig_read(the_rig()->queue, out.buffer, sizeof got, got);
        ck_assert_mem_eq(got, sum, sizeof got);
        rig_release_all(context, plan);
    }
    rig_release(in, out);
}

static int by_value(const void *a, const void *b)
{
    const cl_uint x = *(const cl_uint *)a, y = *(const cl_uint *)b;
    return (x > y) - (x < y);
}

typedef clf_status plan_call(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong results, const clf_array *in,
                             const clf_array *out);

/* By either profile the call makes `right` of x. */
static void compare_profiles(const char *const profiles[2], rig_planner *make, plan_call *call, const clf_operator *op,
                             size_t n, void *x, size_t results, const cl_uint *right)
{
    const size_t bytes = results * sizeof *right;
    cl_uint *const got = malloc(bytes);
    const clf_array in = {rig_buffer(n * sizeof(cl_uint), x), 0}, out = {rig_buffer(bytes, NULL), 0};
    for (size_t i = 0; i < 2; ++i) {
        clf_context *const context = new_context(profiles[i]);
        clf_plan *const plan = RIG_PLAN(make, context, op, 0, NULL);
        assert_ok(call(plan, CLF_ON(the_rig()->queue), n, results, &in, &out));
        rig_read(the_rig()->queue, out.buffer, bytes, got);
        ck_assert_mem_eq(got, right, bytes);
        rig_release_all(context, plan);
    }
    rig_release(in, out);
    free(got);
}

/* The first results of a sort, put in order by counting or by sorting. */
TEST(counted_results)
{
    enum { N = 3001, K = 700 };
    static const char *const profiles[] = {"top_k.*.*.counted = 0\n", "top_k.*.*.counted = 65536\n"};
    static const clf_operator keys = {.size = sizeof keys, .value = "uint key;"};
    static cl_uint x[N], sorted[N];
    for (cl_uint i = 0; i < N; ++i)
        sorted[i] = x[i] = i * 2654435761u >> 3;
    qsort(sorted, N, sizeof *sorted, by_value);
    compare_profiles(profiles, clf_top_k_plan, clf_top_k, &keys, N, x, K, sorted);
}

/* Elements dealt out by their bins before, and counters of the bins met most, though they are few. */
TEST(few_elements_in_many_bins)
{
    enum { N = 60000, BINS = 50000 };
    static const clf_operator histogram = {.size = sizeof histogram, .input = "uint bin;", .value = "uint count;",
                                           .source = "clf_value one(clf_input x, ulong i)\n"
                                                     "{ clf_value z = {1}; return z; }\n"
                                                     "uint bin_of(clf_input x, ulong i) { return x.bin; }\n",
                                           .map = "one", .part = "bin_of", .combine = "clf_sum",
                                           .flags = CLF_COMMUTATIVE | CLF_NO_INDEX};
    static const char *const profiles[] = {"reduce_by_index.*.*.fewest = 0\n",
                                           "reduce_by_index.*.*.fewest = 4000000000\n"};
    static cl_uint x[N], counts[BINS];
    for (cl_uint i = 0; i < N; ++i)
        ++counts[x[i] = (i * 2654435761u >> 4) % (i % 2 ? 7 : BINS)];
    compare_profiles(profiles, clf_reduce_by_index_plan, clf_reduce_by_index, &histogram, N, x, BINS, counts);
}

RIG_PART(add_threshold_tests, {small_scans, 1}, {long_segments, 2}, {thin_matrices, 1}, {parted_segments, 1},
         {counted_results, 1}, {few_elements_in_many_bins, 1})
