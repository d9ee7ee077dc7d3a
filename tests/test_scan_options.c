/* SPDX-License-Identifier: MIT */
/*
 * What can be asked of a scan besides its operator: initial value, place, scratch of the caller's, the
 * one-call functions. Events, threads, queues and release are in test_scan_async.c.
 */
#include "numbers.h"
#include "scan_case.h"

/* ---- Options of one call: every combination ------------------------------------------------------------ */

/* Bits of _i: exclusive, initial, in place, out of order; scratch and offset vary along. */
static scan_case combined_case(int operator, int bits)
{
    const plan_key key = {.op = ref_user(operator), .flags = bits & 1};
    return (scan_case){.plan = key,
                       .n = 5000 + (size_t)bits, .offset = (size_t)bits * 3, .initial = (bits >> 1) & 1,
                       .in_place = (bits >> 2) & 1, .unordered = (bits >> 3) & 1,
                       .scratch = (scratch_kind)((bits + operator) % 3), .seed = the_rig()->seed + (uint64_t)bits,
                       .suite = "scan_options",
                       .number = -1};
}

TEST(combinations)
{
    static const int operators[] = {REF_MIXED, REF_SELECT, REF_LSSP};
    for (size_t i = 0; i < COUNT(operators); ++i) {
        scan_case test = combined_case(operators[i], _i);
        ck_assert(scan_case_run(test));
        test.plan.disable = "cpu";
        ck_assert(scan_case_run(test));
    }
}

/* ---- Scratch ------------------------------------------------------------------------------------------- */

static clf_status scan_with_scratch_of(clf_plan *plan, const numbers *x, cl_mem buffer, cl_ulong offset)
{
    const clf_array scratch = {buffer, offset};
    clf_status status = clf_scan(
        plan, &(clf_call){.size = sizeof(clf_call), .queue = the_rig()->queue, .scratch = scratch}, N, &x->in, &x->out);
    clReleaseMemObject(scratch.buffer);
    return status;
}

static clf_status scan_with_scratch(clf_plan *plan, const numbers *x, size_t bytes, cl_ulong offset)
{
    return scan_with_scratch_of(plan, x, rig_buffer(bytes, NULL), offset);
}

TEST(scratch_size_is_exact)
{
    static numbers x;
    cl_ulong bytes = 0;
    clf_plan *plan = rig_plan(&(plan_key){ref_user(REF_INT_SUM), false, "cpu", "two_pass", NULL});
    assert_ok(clf_plan_scratch(plan, N, 0, &bytes));
    ck_assert(bytes > 0);
    numbers_open(&x, 1);
    assert_status(scan_with_scratch(plan, &x, (size_t)bytes - 1, 0), CLF_E_SCRATCH);
    assert_status(scan_with_scratch(plan, &x, (size_t)bytes + 15, 16), CLF_E_SCRATCH);
    assert_status(scan_with_scratch(plan, &x, (size_t)bytes + 64, 8), CLF_E_SCRATCH);
    cl_mem constant = clCreateBuffer(the_rig()->cl, CL_MEM_READ_ONLY, (size_t)bytes, NULL, NULL);
    assert_status(scan_with_scratch_of(plan, &x, constant, 0), CLF_E_BUFFER);
    ck_assert(is_untouched(&x, the_rig()->queue));
    assert_ok(scan_with_scratch(plan, &x, (size_t)bytes, 0));
    ck_assert(is_scanned(&x, the_rig()->queue));
    numbers_close(&x);
}

/* One scratch buffer, used again and again without being cleared, by scans of different sizes. */
TEST(scratch_is_reusable)
{
    static numbers x;
    cl_ulong bytes = 0;
    clf_plan *plan = sum_plan(_i ? "cpu" : NULL);
    assert_ok(clf_plan_scratch(plan, N, 0, &bytes));
    const clf_array scratch = {rig_buffer((size_t)bytes, NULL), 0};
    numbers_open(&x, 2);
    for (cl_ulong n = 1; n <= N; n = n < N && 3 * n > N ? N : 3 * n)
        assert_ok(clf_scan(plan, &(clf_call){.size = sizeof(clf_call),
                                       .queue = the_rig()->queue,
                                       .scratch = bytes ? scratch : (clf_array){0}},
                           n, &x.in, &x.out));
    ck_assert(is_scanned(&x, the_rig()->queue));
    numbers_close(&x);
    clReleaseMemObject(scratch.buffer);
}

TEST(scratch_never_shrinks_with_n)
{
    const clf_plan *plan = sum_plan(_i ? "cpu" : NULL);
    cl_ulong before = 0, bytes = 0;
    assert_ok(clf_plan_scratch(plan, 0, 0, &before));
    for (cl_ulong n = 1; n < (cl_ulong)1 << 40; n *= 2, before = bytes) {
        assert_ok(clf_plan_scratch(plan, n, 0, &bytes));
        ck_assert_msg(bytes >= before || n < plan_tile(plan) * 4, "less scratch for more elements: n = %llu",
                      (unsigned long long)n);
    }
}

/* ---- One-call functions -------------------------------------------------------------------------------- */

TEST(one_call)
{
    static numbers x;
    cl_int result[N];
    clf_context *context = rig_context(NULL);
    cl_command_queue queue = the_rig()->queue;
    numbers_open(&x, 7);
    assert_ok(clf_inclusive_scan(context, CLF_ON(queue), CLF_SUM, CLF_INT, N, x.in, x.out));
    ck_assert(is_scanned(&x, queue));

    cl_event done = NULL;
    assert_ok(clf_exclusive_scan(context, &(clf_call){.size = sizeof(clf_call), .queue = queue, .event = &done},
                                 CLF_SUM, CLF_INT, N, x.in, x.out));
    assert_ok(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    rig_read(queue, x.out.buffer, sizeof result, result);
    ck_assert_int_eq(result[0], 0);
    ck_assert_mem_eq(result + 1, x.expected, (N - 1) * sizeof result[0]);
    numbers_close(&x);
}

TEST(one_call_arguments)
{
    clf_context *context = rig_context(NULL);
    cl_mem buffer = rig_buffer(64, NULL);
    const clf_array array = {buffer, 0};
    cl_command_queue queue = the_rig()->queue;
    assert_status(clf_inclusive_scan(NULL, CLF_ON(queue), CLF_SUM, CLF_INT, 4, array, array), CLF_E_ARGUMENT);
    assert_status(clf_inclusive_scan(context, CLF_ON(NULL), CLF_SUM, CLF_INT, 4, array, array), CLF_E_ARGUMENT);
    assert_status(clf_inclusive_scan(context, CLF_ON(queue), CLF_AND, CLF_FLOAT, 4, array, array), CLF_E_ARGUMENT);
    assert_status(clf_exclusive_scan(context, CLF_ON(queue), CLF_OP_COUNT, CLF_INT, 4, array, array), CLF_E_ARGUMENT);
    assert_status(clf_exclusive_scan(context, CLF_ON(queue), CLF_SUM, CLF_TYPE_COUNT, 4, array, array), CLF_E_ARGUMENT);
    assert_status(clf_inclusive_scan(context, CLF_ON(queue), CLF_SUM, CLF_INT, 17, array, array), CLF_E_BUFFER);
    clReleaseMemObject(buffer);
}

RIG_SUITE_OF(scan_options, NULL, (add_async_tests), {combinations, 16}, {scratch_size_is_exact, 1},
             {scratch_is_reusable, 2}, {scratch_never_shrinks_with_n, 2}, {one_call, 1}, {one_call_arguments, 1})
