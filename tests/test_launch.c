/* SPDX-License-Identifier: MIT */
/*
 * launch.c: chains of commands on both kinds of queue, and the order of a kernel's arguments.
 */
#include "fields.h"

#include "primitives/primitives.h"

#include <stdio.h>
#include <string.h>

/* ---- An operator and a kernel with its arguments --------------------------------------------------- */

/* Appends the digit `flags` to the number *a, if all other arguments are what they should be; 5 more with scratch. */
static const char source[] =
    "typedef struct { ulong at[4], count, size, room; uint epoch, ticket, flags, number; } numbers;\n"
    "__kernel void probe(__global const int *x, __global int *a, __global short *b, __global uchar *scratch,\n"
    "                    int initial_a, short initial_b, numbers s)\n"
    "{\n"
    "    bool right = x[s.at[0]] == 11 && s.at[3] == 16 && s.count == 3 && s.size == 5 && s.room == 6;\n"
    "    right = right && initial_a == INITIAL_A && initial_b == INITIAL_B;\n"
    "    right = right && s.epoch == 7 && s.ticket == 9 && s.number == 8;\n"
    "    if (get_global_id(0) != 0)\n"
    "        return;\n"
    "    a[s.at[1]] = right ? a[s.at[1]] * 10 + (int)s.flags + (scratch ? 5 : 0) : -1000000;\n"
    "    b[s.at[2]] = (short)get_global_size(0);\n"
    "}\n";

typedef struct bench {
    clf_operator_copy op;
    clf_kernel_pool kernels;
    clf_array in[1], out[2];
    clf_arguments arguments;
} bench;

static void open_bench(bench *b, const void *initial)
{
    static const cl_int x[4] = {0, 0, 11, 0}, zeros[4];
    char options[64];
    cl_program program;
    snprintf(options, sizeof options, "-D INITIAL_A=%d -D INITIAL_B=%d", initial ? 5 : 0, initial ? -6 : 0);
    assert_ok(clf_build_program(the_rig()->cl, the_rig()->device, source, options, &program, NULL, NULL));
    *b = (bench){.op = make_fields(), .kernels = {.program = program, .name = "probe"}};
    b->in[0] = (clf_array){rig_buffer(sizeof x, x), 2};
    b->out[0] = (clf_array){rig_buffer(sizeof zeros, zeros), 1};
    b->out[1] = (clf_array){rig_buffer(sizeof zeros, zeros), 3};
    b->arguments = (clf_arguments){.in = b->in, .out = b->out, .initial = initial, .count = 3, .size = 5, .room = 6,
                                   .scratch_offset = 16, .epoch = 7, .ticket = 9, .number_count = 1, .numbers = {8}};
}

static void close_bench(bench *b)
{
    rig_release(b->in[0], b->out[0], b->out[1]);
    clf_kernel_pool_free(&b->kernels);
    clReleaseProgram(b->kernels.program);
}

static void set_arguments(bench *b, cl_uint flags)
{
    b->arguments.op = &b->op;
    b->arguments.in = b->in;
    b->arguments.out = b->out;
    b->arguments.flags = flags;
}

static void launch(bench *b, clf_chain *chain, cl_uint flags)
{
    set_arguments(b, flags);
    assert_ok(clf_launch(chain, &b->kernels, &b->arguments, 2, 1));
}

static cl_int result(const bench *b, cl_command_queue queue)
{
    cl_int a[4];
    rig_read(queue, b->out[0].buffer, sizeof a, a);
    return a[1];
}

/* ---- Chains ---------------------------------------------------------------------------------------- */

static const clf_operator_copy nothing;

/* Of a driver that takes null for buffers, whatever the device at hand has. */
static clf_check check_of(cl_command_queue queue)
{
    clf_check checked;
    assert_ok(clf_check_begin(&checked, rig_context(NULL), "test", &nothing, CLF_ON(queue)));
    checked.context->facts.is_rusticl = false;
    return checked;
}

static void run_gated_chain(cl_command_queue queue)
{
    static const struct {
        cl_int a;
        cl_short b;
    } initial = {5, -6};
    bench b;
    clf_chain chain;
    cl_int status, zero_b[2];
    open_bench(&b, &initial);
    cl_event gate = clCreateUserEvent(the_rig()->cl, &status), done = NULL;
    assert_ok(status);
    clf_check checked = check_of(queue);
    assert_ok(clf_chain_begin(
        &chain, &checked,
        &(clf_call){.size = sizeof(clf_call), .queue = queue, .wait_count = 1, .wait = &gate, .event = &done}));
    launch(&b, &chain, 1);
    ck_assert_ptr_eq(clf_chain_proof(&chain), chain.previous);
    launch(&b, &chain, 2);
    assert_ok(clf_chain_fill(&chain, b.out[1].buffer, 0, 8));
    launch(&b, &chain, 3);
    assert_ok(clf_chain_end(&chain, &done));
    ck_assert_ptr_nonnull(done);
    clFlush(queue);
    assert_ok(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    ck_assert_int_gt(status, CL_COMPLETE);
    assert_ok(clSetUserEventStatus(gate, CL_COMPLETE));
    assert_ok(clWaitForEvents(1, &done));
    /* Not blocked by the queue's order: the event alone must cover everything. */
    ck_assert_int_eq(result(&b, queue), 123);
    rig_read(queue, b.out[1].buffer, sizeof zero_b, zero_b);
    ck_assert_int_eq(zero_b[0], 0);
    ck_assert_int_eq(((cl_short *)zero_b)[3], 2); /* two work-items */
    ck_assert_uint_eq(b.kernels.count, 1);        /* one kernel served all three launches */
    clReleaseEvent(gate);
    clReleaseEvent(done);
    close_bench(&b);
}

TEST(a_chain_runs_in_order_on_an_in_order_queue)
{
    run_gated_chain(the_rig()->queue);
}

TEST(a_chain_runs_in_order_on_an_out_of_order_queue)
{
    run_gated_chain(the_rig()->unordered);
}

TEST(events_are_made_only_where_needed)
{
    bench b;
    clf_chain chain;
    cl_event event = NULL;
    clf_check checked = check_of(the_rig()->queue);
    open_bench(&b, NULL);
    assert_ok(clf_chain_begin(&chain, &checked, CLF_ON(the_rig()->queue)));
    launch(&b, &chain, 1);
    ck_assert_ptr_null(chain.previous);
    assert_ok(clf_chain_end(&chain, NULL));
    assert_ok(clf_chain_begin(&chain, &checked,
                              &(clf_call){.size = sizeof(clf_call), .queue = the_rig()->queue, .event = &event}));
    launch(&b, &chain, 2);
    ck_assert_ptr_null(clf_chain_proof(&chain)); /* asked for, but no proof is needed */
    assert_ok(clf_chain_end(&chain, &event));
    assert_ok(clWaitForEvents(1, &event));
    clReleaseEvent(event);
    ck_assert_int_eq(result(&b, the_rig()->queue), 12);
    close_bench(&b);
}

/* A driver that runs guarded loads gets some buffer in the place of scratch that a call does not have. */
TEST(absent_buffers_have_a_stand_in_where_they_are_read)
{
    bench b;
    clf_chain chain;
    clf_check checked = check_of(the_rig()->queue);
    clf_facts *facts = &checked.context->facts;
    open_bench(&b, NULL);
    assert_ok(clf_chain_begin(&chain, &checked, CLF_ON(the_rig()->queue)));
    launch(&b, &chain, 1);
    facts->is_rusticl = true;
    launch(&b, &chain, 2);
    assert_ok(clf_chain_end(&chain, NULL));
    ck_assert_int_eq(result(&b, the_rig()->queue), 17);
    close_bench(&b);
}

TEST(wait_lists_are_checked)
{
    const cl_command_queue queue = the_rig()->queue;
    clf_chain chain;
    clf_check checked = check_of(queue);
    cl_int status;
    cl_event event = clCreateUserEvent(the_rig()->cl, &status), none = NULL;
    cl_context other = clCreateContext(NULL, 1, &the_rig()->device, NULL, NULL, &status);
    assert_ok(status);
    cl_event foreign = clCreateUserEvent(other, &status);
    assert_ok(status);
    assert_status(
        clf_chain_begin(&chain, &checked, &(clf_call){.size = sizeof(clf_call), .queue = queue, .wait = &event}),
        CL_INVALID_EVENT_WAIT_LIST);
    assert_status(
        clf_chain_begin(&chain, &checked, &(clf_call){.size = sizeof(clf_call), .queue = queue, .wait_count = 1}),
        CL_INVALID_EVENT_WAIT_LIST);
    assert_status(
        clf_chain_begin(&chain, &checked,
                        &(clf_call){.size = sizeof(clf_call), .queue = queue, .wait_count = 1, .wait = &none}),
        CL_INVALID_EVENT_WAIT_LIST);
    assert_status(
        clf_chain_begin(&chain, &checked,
                        &(clf_call){.size = sizeof(clf_call), .queue = queue, .wait_count = 1, .wait = &foreign}),
        CLF_E_CONTEXT);
    assert_status(
        clf_call_nothing(&checked,
                         &(clf_call){.size = sizeof(clf_call), .queue = queue, .wait_count = 1, .wait = &foreign}),
        CLF_E_CONTEXT);
    clSetUserEventStatus(event, CL_COMPLETE); /* NVIDIA's driver never returns from releasing a context otherwise */
    clSetUserEventStatus(foreign, CL_COMPLETE);
    clReleaseEvent(event);
    clReleaseEvent(foreign);
    clReleaseContext(other);
}

TEST(more_groups_than_can_be_counted_are_refused)
{
    bench b;
    clf_chain chain;
    clf_check checked = check_of(the_rig()->queue);
    open_bench(&b, NULL);
    set_arguments(&b, 1);
    assert_ok(clf_chain_begin(&chain, &checked, CLF_ON(the_rig()->queue)));
    assert_status(clf_launch(&chain, &b.kernels, &b.arguments, (cl_ulong)CL_INT_MAX + 1, 1), CLF_E_OVERFLOW);
    ck_assert_uint_eq(b.kernels.count, 0); /* before a kernel was made for it */
    assert_ok(clf_chain_end(&chain, NULL));
    close_bench(&b);
}

typedef struct nested {
    bench *b;
    clf_chain *chain;
    int left;
} nested;

static void launch_within(void *data)
{
    nested *n = data;
    if (n->left-- > 0)
        launch(n->b, n->chain, 1);
}

/* More launches at a time than kernels are kept: the others are released. */
TEST(surplus_kernels)
{
    bench b;
    clf_chain chain;
    clf_check checked = check_of(the_rig()->queue);
    nested launches = {&b, &chain, CLF_POOLED_KERNELS + 3};
    open_bench(&b, NULL);
    const layer_ledger before = layer_count();
    assert_ok(clf_chain_begin(&chain, &checked, CLF_ON(the_rig()->queue)));
    layer_meanwhile(launch_within, &launches);
    launch(&b, &chain, 1);
    layer_meanwhile(NULL, NULL);
    assert_ok(clf_chain_end(&chain, NULL));
    assert_ok(clFinish(the_rig()->queue));
    ck_assert_uint_eq(b.kernels.count, CLF_POOLED_KERNELS);
    ck_assert_int_eq(layer_count().live[LAYER_KERNEL] - before.live[LAYER_KERNEL], CLF_POOLED_KERNELS);
    close_bench(&b);
}

TEST(nothing_still_has_an_event)
{
    cl_event event = NULL, gate, behind = NULL;
    cl_mem buffer = rig_buffer(sizeof(cl_int), NULL);
    clf_check checked = check_of(the_rig()->queue);
    cl_int status;
    assert_ok(clf_call_nothing(&checked, CLF_ON(the_rig()->queue)));
    assert_ok(
        clf_call_nothing(&checked, &(clf_call){.size = sizeof(clf_call), .queue = the_rig()->queue, .event = &event}));
    assert_ok(clWaitForEvents(1, &event));
    gate = clCreateUserEvent(the_rig()->cl, &status);
    assert_ok(status);
    assert_ok(clf_call_nothing(
        &checked,
        &(clf_call){
            .size = sizeof(clf_call), .queue = the_rig()->queue, .wait_count = 1, .wait = &gate, .event = &behind}));
    assert_ok(clFlush(the_rig()->queue));
    for (int k = 0; k < 100; ++k) /* meanwhile a marker that does not wait would have completed */
        rig_write_late(buffer, sizeof status, &status);
    assert_ok(clGetEventInfo(behind, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    ck_assert_int_ne(status, CL_COMPLETE);
    assert_ok(clSetUserEventStatus(gate, CL_COMPLETE));
    assert_ok(clWaitForEvents(1, &behind));
    clReleaseMemObject(buffer);
    clReleaseEvent(event);
    clReleaseEvent(gate);
    clReleaseEvent(behind);
}

RIG_SUITE(launch, NULL, {a_chain_runs_in_order_on_an_in_order_queue, 1},
          {a_chain_runs_in_order_on_an_out_of_order_queue, 1}, {events_are_made_only_where_needed, 1},
          {absent_buffers_have_a_stand_in_where_they_are_read, 1}, {wait_lists_are_checked, 1},
          {more_groups_than_can_be_counted_are_refused, 1}, {surplus_kernels, 1}, {nothing_still_has_an_event, 1})
