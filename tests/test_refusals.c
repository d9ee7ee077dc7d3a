/* SPDX-License-Identifier: MIT */
/*
 * Calls that are refused, and calls that have nothing to do: nothing is enqueued before a refusal, a callback gets
 * a sentence about it, and where nothing is to be done the wait list still holds.
 */
#include "numbers.h"
#include "primitives.h"

#include <string.h>

/* ---- Plans --------------------------------------------------------------------------------------------- */

static const clf_segmentation by_bytes = {sizeof by_bytes, CLF_BY_HEAD_BYTES, CLF_UCHAR},
                              by_offsets = {sizeof by_offsets, CLF_BY_OFFSETS, CLF_UINT},
                              by_lengths = {sizeof by_lengths, CLF_BY_LENGTHS, CLF_UINT};

static clf_plan *make_plan(clf_context *context, const char *primitive, const char *variant,
                           const clf_segmentation *how)
{
    const clf_plan_options options = {.size = sizeof options, .variant = variant};
    plan_parts parts = primitive_usual(primitive);
    clf_plan *plan = NULL;
    parts.how = how;
    assert_ok(primitive_plan(primitive, context, &parts, &options, &plan, NULL));
    return plan;
}

/* Without a context, or with a flag, an operator, segments or a number that the primitive may not take; nor a join. */
TEST(no_plan_is_left_where_none_is_made)
{
    static const clf_operator mapped = {.size = sizeof mapped, .value = "int v;", .map = "no function", .source = ""};
    const char *const name = primitive_number(_i)->name;
    const plan_parts usual = primitive_usual(name);
    plan_parts parts[] = {usual, usual, {.op = &mapped, .flags = CLF_OVERWRITE_INPUT, .how = usual.how},
                          {.op = usual.op, .how = &(clf_segmentation){.size = 1}, .type = CLF_FLOAT}};
    clf_error bad = {.size = 3};
    clf_operator *joined = (clf_operator *)&bad;
    clf_context *context = (clf_context *)&bad;
    parts[1].flags |= 1u << 30;
    ck_assert(clf_operator_join(0, NULL, &joined, &bad) && !joined);
    ck_assert(clf_context_create(NULL, NULL, NULL, &context, &bad) && !context);
    for (size_t i = 0; i < COUNT(parts); ++i) {
        clf_plan *plan = (clf_plan *)&parts[i];
        const clf_status status = primitive_plan(name, i ? rig_context(NULL) : NULL, &parts[i], NULL, &plan, NULL);
        ck_assert_msg(!plan == (status != CLF_SUCCESS) && (i || !plan), "%s, %zu: status %d", name, i, status);
        (void)clf_plan_release(plan);
    }
}

/* ---- Nothing to do ------------------------------------------------------------------------------------- */

/* Calls without elements, or of a vector turned in place: nothing is to be done. */
typedef clf_status idle_call(clf_plan *plan, const clf_call *call, const clf_array *a);

#define IDLE(NAME, ...) \
    static clf_status no_##NAME(clf_plan *plan, const clf_call *call, const clf_array *a) \
    { \
        return __VA_ARGS__; \
    }
IDLE(scan, clf_scan(plan, call, 0, a, a))
IDLE(segmented_scan, clf_segmented_scan(plan, call, 0, 7, a, a))
IDLE(irregular_scan, clf_irregular_scan(plan, call, 0, 0, a, a, a))
IDLE(reduce, clf_segmented_reduce(plan, call, 0, 7, a, a))
IDLE(irregular_reduce, clf_irregular_reduce(plan, call, 0, 0, a, a, a, NULL))
IDLE(adjacent_difference, clf_adjacent_difference(plan, call, 0, a, a))
IDLE(transpose, clf_transpose(plan, call, 1, 1, 16, a, a))

static const struct {
    const char *primitive;
    idle_call *call;
} idle[] = {
    {"scan", no_scan}, {"segmented_scan", no_segmented_scan}, {"irregular_scan", no_irregular_scan},
    {"reduce", no_reduce}, {"irregular_reduce", no_irregular_reduce},
    {"adjacent_difference", no_adjacent_difference}, {"transpose", no_transpose},
};

TEST(later_commands_come_behind_the_wait_list)
{
    const cl_command_queue queue = the_rig()->queue;
    const cl_int zeros[16] = {0};
    cl_int status, state, number = 7;
    cl_event gate = clCreateUserEvent(the_rig()->cl, &status), behind = NULL;
    assert_ok(status);
    const clf_array array = {rig_buffer(sizeof zeros, zeros), 0};
    const clf_call waiting = {.size = sizeof waiting, .queue = queue, .wait_count = 1, .wait = &gate};
    clf_plan *plan = make_plan(rig_context(NULL), idle[_i].primitive, NULL, &by_bytes);
    assert_ok(idle[_i].call(plan, &waiting, &array));
    assert_ok(clEnqueueWriteBuffer(queue, array.buffer, CL_FALSE, 0, sizeof number, &number, 0, NULL, &behind));
    assert_ok(clFlush(queue));
    for (int i = 0; i < 20; ++i) { /* it has time to run, if nothing holds it back */
        cl_int first = 0;
        assert_ok(
            clEnqueueReadBuffer(the_rig()->unordered, array.buffer, CL_TRUE, 0, sizeof first, &first, 0, NULL, NULL));
        ck_assert_int_eq(first, 0);
        assert_ok(clGetEventInfo(behind, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
        ck_assert_int_gt(state, CL_COMPLETE);
    }
    assert_ok(clSetUserEventStatus(gate, CL_COMPLETE));
    assert_ok(clWaitForEvents(1, &behind));
    clReleaseEvent(behind);
    clReleaseEvent(gate);
    clReleaseMemObject(array.buffer);
    clf_plan_release(plan);
}

/* ---- Nothing enqueued ---------------------------------------------------------------------------------- */

/* Variant one_group cannot scan more than a tile; what turns lengths or flags into bits must not run before. */
TEST(refusals_come_before_any_command)
{
    const clf_segmentation *hows[] = {&by_bytes, &by_offsets, &by_lengths};
    enum { MANY = 1 << 16 };
    const clf_array array = {rig_buffer(4 * MANY, NULL), 0}, out = {rig_buffer(4 * MANY, NULL), 0};
    clf_plan *plan = make_plan(rig_context("cpu"), "irregular_scan", "one_group", hows[_i]);
    const unsigned long before = layer_commands();
    assert_status(clf_irregular_scan(plan, CLF_ON(the_rig()->queue), MANY, 10, &array, &array, &out),
                  CLF_E_UNSUPPORTED);
    ck_assert_uint_eq(layer_commands(), before);
    rig_release(array, out);
    clf_plan_release(plan);
}

/* ---- Scratch ------------------------------------------------------------------------------------------- */

/* Scratch in one buffer with an input or an output: apart from it, or overlapping by one element. */
TEST(scratch_is_apart_from_arrays)
{
    static numbers x;
    cl_ulong bytes = 0;
    clf_plan *plan = make_plan(rig_context("cpu"), "scan", "two_pass", NULL);
    assert_ok(clf_plan_scratch(plan, N, 0, &bytes));
    const cl_ulong room = (bytes + 15) / 16 * 16;
    numbers_open(&x, 8);
    const clf_array both = {rig_buffer((size_t)(room + 4 * N), NULL), room / 4};
    const clf_array apart = {both.buffer, 0}, inside = {both.buffer, 16}, of_in = {x.in.buffer, 0};
    const cl_command_queue queue = the_rig()->queue;
    const unsigned long before = layer_commands();
    assert_status(
        clf_scan(plan, &(clf_call){.size = sizeof(clf_call), .queue = queue, .scratch = inside}, N, &x.in, &both),
        CLF_E_ALIAS);
    assert_status(
        clf_scan(plan, &(clf_call){.size = sizeof(clf_call), .queue = queue, .scratch = inside}, N, &both, &x.out),
        CLF_E_ALIAS);
    assert_status(
        clf_scan(plan, &(clf_call){.size = sizeof(clf_call), .queue = queue, .scratch = of_in}, N, &x.in, &x.out),
        CLF_E_ALIAS);
    ck_assert_uint_eq(layer_commands(), before);
    assert_ok(clf_scan(plan, &(clf_call){.size = sizeof(clf_call), .queue = queue, .scratch = apart}, N, &x.in, &both));
    assert_ok(clEnqueueCopyBuffer(queue, both.buffer, x.out.buffer, (size_t)room, 0, 4 * N, 0, NULL, NULL));
    ck_assert(is_scanned(&x, queue));
    numbers_close(&x);
    clReleaseMemObject(both.buffer);
    clf_plan_release(plan);
}

/* The same with all that goes with irregular segments. */
TEST(scratch_is_apart_from_segments)
{
    cl_ulong bytes = 0;
    clf_plan *plan = make_plan(rig_context(_i ? "cpu" : NULL), "irregular_reduce", NULL, &by_bytes);
    assert_ok(clf_plan_scratch(plan, 100, 10, &bytes));
    const clf_array in = {rig_buffer(400, NULL), 0}, out = {rig_buffer(400, NULL), 0},
                    all = {rig_buffer((size_t)bytes + 800, NULL), 0}, last = {all.buffer, bytes / 8 - 1},
                    last_bytes = {all.buffer, bytes - 8};
    const cl_command_queue queue = the_rig()->queue;
    const unsigned long before = layer_commands();
    assert_status(clf_irregular_reduce(plan, &(clf_call){.size = sizeof(clf_call), .queue = queue, .scratch = all}, 100,
                                       10, &last_bytes, &in, &out, NULL),
                  CLF_E_ALIAS);
    assert_status(clf_irregular_reduce(plan, &(clf_call){.size = sizeof(clf_call), .queue = queue, .scratch = all}, 100,
                                       10, &in, &in, &out, &last),
                  CLF_E_ALIAS);
    ck_assert_uint_eq(layer_commands(), before);
    rig_release(in, out, all);
    clf_plan_release(plan);
}

/* ---- Sentences ----------------------------------------------------------------------------------------- */

TEST(refused_arguments_are_named)
{
    rig_told t = {0};
    clf_context *const context = RIG_CONTEXT(.disable = "cpu", .notify = rig_listen, .user = &t);
    clf_plan *scan = make_plan(context, "scan", "one_group", NULL), *turn = make_plan(context, "transpose", NULL, NULL);
    clf_plan *reduce = make_plan(context, "irregular_reduce", NULL, &by_offsets);
    const cl_command_queue q = the_rig()->queue;
    cl_mem a = rig_buffer(400, NULL), b = rig_buffer(1 << 20, NULL);
    const clf_array a0 = {a, 0}, b0 = {b, 0}, b1 = {b, 1}, none = {NULL, 0};
    const cl_event no_event = NULL;
    REFUSES(&t, ARGUMENT, "call->queue is NULL", clf_scan(scan, CLF_ON(NULL), 9, &a0, &b0));
    REFUSES(&t, ARGUMENT, "in is NULL", clf_scan(scan, CLF_ON(q), 9, NULL, &b0));
    REFUSES(&t, ARGUMENT, "out[0].buffer is NULL", clf_scan(scan, CLF_ON(q), 9, &a0, &none));
    REFUSES(&t, BUFFER, "out[0].buffer ends before element 100", clf_scan(scan, CLF_ON(q), 101, &b0, &a0));
    REFUSES(&t, ALIAS, "out[0] overlaps in[0]", clf_scan(scan, CLF_ON(q), 9, &b0, &b1));
    rig_expect(&t,
               clf_scan(scan, &(clf_call){.size = sizeof(clf_call), .queue = q, .wait_count = 1, .wait = &no_event}, 9,
                        &a0, &b0),
               CL_INVALID_EVENT_WAIT_LIST, "clf_scan: wait[0] is NULL");
    REFUSES(&t, ALIAS, "out[0] overlaps in[0]", clf_irregular_reduce(reduce, CLF_ON(q), 9, 100, &a0, &b0, &b0, NULL));
    REFUSES(&t, BUFFER, "segments.buffer ends before element 100",
            clf_irregular_reduce(reduce, CLF_ON(q), 9, 100, &a0, &a0, &b0, NULL));
    REFUSES(&t, ALIAS, "out is in, which only a matrix of one row or column can be",
            clf_transpose(turn, CLF_ON(q), 1, 3, 3, &a0, &a0));
    rig_expect(&t, clf_transpose(turn, CLF_ON(q), 1, 3, 3, &a0, &b0), CLF_SUCCESS, "");
    assert_status(clf_scan(scan, CLF_ON(q), 1 << 17, &b0, &b0), CLF_E_UNSUPPORTED);
    ck_assert(strncmp(t.sentence, "clf_scan: variant \"one_group\" scans ", 36) == 0);
    rig_release_all(context, scan, turn, reduce);
    rig_release_buffers(a, b);
}

RIG_PART(add_refusal_tests, {no_plan_is_left_where_none_is_made, (int)primitive_count()},
         {later_commands_come_behind_the_wait_list, COUNT(idle)}, {refusals_come_before_any_command, 3},
         {scratch_is_apart_from_arrays, 1}, {scratch_is_apart_from_segments, 2}, {refused_arguments_are_named, 1})
