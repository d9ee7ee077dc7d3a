/* SPDX-License-Identifier: MIT */
/*
 * Scans in time: wait lists, events that cover the operation, many calls in flight, threads, and release in any order.
 */
#include "numbers.h"

#include <pthread.h>
#include <string.h>

static cl_int event_status(cl_event event)
{
    cl_int status = -1;
    assert_ok(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status;
}

/* ---- Events -------------------------------------------------------------------------------------------- */

/* Nothing may happen before the wait list allows it; everything must have, when the event says so. */
TEST(wait_list_and_event)
{
    static numbers x;
    cl_int status;
    cl_event done = NULL, gate = clCreateUserEvent(the_rig()->cl, &status);
    assert_ok(status);
    cl_command_queue queue = new_queue(_i & 1), other = new_queue(false);
    numbers_open(&x, 3);
    assert_ok(
        clf_scan(sum_plan(_i & 2 ? "cpu" : NULL),
                 &(clf_call){.size = sizeof(clf_call), .queue = queue, .wait_count = 1, .wait = &gate, .event = &done},
                 N, &x.in, &x.out));
    assert_ok(clFlush(queue));
    ck_assert(is_untouched(&x, other));
    ck_assert_int_gt(event_status(done), CL_COMPLETE);
    assert_ok(clSetUserEventStatus(gate, CL_COMPLETE));
    assert_ok(clWaitForEvents(1, &done));
    ck_assert(is_scanned(&x, other));
    clReleaseEvent(gate);
    clReleaseEvent(done);
    numbers_close(&x);
    clReleaseCommandQueue(queue);
    clReleaseCommandQueue(other);
}

/* An event even for nothing, behind the wait list. */
TEST(event_of_no_elements)
{
    cl_int status;
    cl_event done = NULL, gate = clCreateUserEvent(the_rig()->cl, &status);
    assert_ok(status);
    cl_mem buffer = rig_buffer(4, NULL);
    const clf_array array = {buffer, 0};
    assert_ok(clf_scan(
        sum_plan(NULL),
        &(clf_call){
            .size = sizeof(clf_call), .queue = the_rig()->queue, .wait_count = 1, .wait = &gate, .event = &done},
        0, &array, &array));
    assert_ok(clFlush(the_rig()->queue));
    ck_assert(done);
    for (int k = 0; k < 100; ++k) /* meanwhile a marker that does not wait would have completed */
        rig_write_late(buffer, sizeof status, &status);
    ck_assert_int_gt(event_status(done), CL_COMPLETE);
    assert_ok(clSetUserEventStatus(gate, CL_COMPLETE));
    assert_ok(clWaitForEvents(1, &done));
    clReleaseEvent(gate);
    clReleaseEvent(done);
    clReleaseMemObject(buffer);
}

/* Scans that each wait for the one before, on two queues in turns: out of one into the next, in place. */
TEST(chain_of_events)
{
    enum { LINKS = 12 };
    cl_int ones[100], expected[100], result[100];
    cl_command_queue queues[2] = {new_queue(true), new_queue(false)};
    cl_event last = NULL;
    for (int i = 0; i < 100; ++i)
        expected[i] = ones[i] = 1;
    const clf_array array = {rig_buffer(sizeof ones, ones), 0};
    for (int link = 0; link < LINKS; ++link) {
        cl_event next = NULL;
        assert_ok(clf_scan(sum_plan(_i ? "cpu" : NULL),
                           &(clf_call){.size = sizeof(clf_call),
                                       .queue = queues[link % 2],
                                       .wait_count = last ? 1 : 0,
                                       .wait = last ? &last : NULL,
                                       .event = &next},
                           100, &array, &array));
        assert_ok(clFlush(queues[link % 2]));
        if (last)
            clReleaseEvent(last);
        last = next;
        for (int i = 1; i < 100; ++i)
            expected[i] = (cl_int)((cl_uint)expected[i] + (cl_uint)expected[i - 1]);
    }
    assert_ok(clEnqueueReadBuffer(queues[0], array.buffer, CL_TRUE, 0, sizeof result, result, 1, &last, NULL));
    ck_assert_mem_eq(result, expected, sizeof result);
    clReleaseEvent(last);
    clReleaseMemObject(array.buffer);
    clReleaseCommandQueue(queues[0]);
    clReleaseCommandQueue(queues[1]);
}

/* ---- Many at once -------------------------------------------------------------------------------------- */

TEST(many_in_flight)
{
    enum { CALLS = 24 };
    static numbers x[CALLS];
    cl_event done[CALLS];
    cl_command_queue queue = new_queue(true);
    for (int i = 0; i < CALLS; ++i) {
        numbers_open(&x[i], 100 + (uint64_t)i);
        assert_ok(clf_scan(sum_plan(_i ? "cpu" : NULL),
                           &(clf_call){.size = sizeof(clf_call), .queue = queue, .event = &done[i]}, N, &x[i].in,
                           &x[i].out));
    }
    assert_ok(clWaitForEvents(CALLS, done));
    for (int i = 0; i < CALLS; ++i) {
        ck_assert_msg(is_scanned(&x[i], queue), "call %d of %d in flight", i, CALLS);
        clReleaseEvent(done[i]);
        numbers_close(&x[i]);
    }
    clReleaseCommandQueue(queue);
}

typedef struct worker {
    clf_plan *plan;
    cl_command_queue queue;
    numbers x;
    int wrong;
} worker;

/* Check's assertions are for the main thread: this one counts. */
static void *work(void *argument)
{
    worker *w = argument;
    for (int call = 0; call < 20; ++call) {
        cl_event done = NULL;
        clf_status status = clf_scan(w->plan, &(clf_call){.size = sizeof(clf_call), .queue = w->queue, .event = &done},
                                     N, &w->x.in, &w->x.out);
        if (status == CLF_SUCCESS)
            status = clWaitForEvents(1, &done);
        if (done)
            clReleaseEvent(done);
        w->wrong += status != CLF_SUCCESS || !is_scanned(&w->x, w->queue);
    }
    return NULL;
}

/* Eight threads on one plan; of every four, two share a queue. */
TEST(threads_share_a_plan)
{
    enum { THREADS = 8 };
    static worker workers[THREADS];
    pthread_t threads[THREADS];
    cl_command_queue shared[] = {new_queue(false), new_queue(true)};
    for (int i = 0; i < THREADS; ++i) {
        cl_command_queue queue = i % 4 < 2 ? shared[i % 4] : new_queue(i % 4 == 3);
        workers[i] = (worker){.plan = sum_plan(_i ? "cpu" : NULL), .queue = queue};
        numbers_open(&workers[i].x, 200 + (uint64_t)i);
    }
    for (int i = 0; i < THREADS; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; ++i) {
        ck_assert_msg(workers[i].wrong == 0, "thread %d: %d of 20 calls are wrong", i, workers[i].wrong);
        numbers_close(&workers[i].x);
        if (i % 4 >= 2)
            clReleaseCommandQueue(workers[i].queue);
    }
    clReleaseCommandQueue(shared[0]);
    clReleaseCommandQueue(shared[1]);
}

/* The same plan compiled by several threads at once in one context. */
static void *compile(void *argument)
{
    clf_plan *plan = NULL;
    int *failures = argument;
    for (int i = 0; i < 4; ++i) {
        const clf_operator *op = clf_builtin(i % 2 ? CLF_MAX : CLF_SUM, CLF_INT);
        if (clf_scan_plan(rig_context(NULL), op, 0, NULL, &plan, NULL) != CLF_SUCCESS ||
            clf_plan_release(plan) != CLF_SUCCESS)
            ++*failures;
    }
    return NULL;
}

TEST(threads_compile_plans)
{
    pthread_t threads[4];
    int failures[4] = {0};
    rig_context(NULL); /* made here, not by a thread */
    for (int i = 0; i < 4; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, compile, &failures[i]), 0);
    for (int i = 0; i < 4; ++i) {
        pthread_join(threads[i], NULL);
        ck_assert_int_eq(failures[i], 0);
    }
}

/* ---- Release while work is in flight ------------------------------------------------------------------- */

/* Held back by a gate until everything but the output has been released, plan first or context first. */
TEST(release_in_flight)
{
    static numbers x;
    cl_int status;
    cl_event gate = clCreateUserEvent(the_rig()->cl, &status);
    assert_ok(status);
    cl_command_queue queue = new_queue(_i & 4);
    numbers_open(&x, 4);
    clf_context *const context = RIG_CONTEXT(.disable = _i & 2 ? "cpu" : NULL);
    clf_plan *const plan = RIG_PLAN(clf_scan_plan, context, clf_builtin(CLF_SUM, CLF_INT), 0, NULL);
    assert_ok(clf_scan(plan, &(clf_call){.size = sizeof(clf_call), .queue = queue, .wait_count = 1, .wait = &gate}, N,
                       &x.in, &x.out));
    assert_ok(_i & 1 ? clf_plan_release(plan) : clf_context_release(context));
    assert_ok(_i & 1 ? clf_context_release(context) : clf_plan_release(plan));
    clReleaseMemObject(x.in.buffer);
    assert_ok(clSetUserEventStatus(gate, CL_COMPLETE));
    clReleaseEvent(gate);
    assert_ok(clFinish(queue));
    ck_assert(is_scanned(&x, queue));
    clReleaseMemObject(x.out.buffer);
    clReleaseCommandQueue(queue);
}

/* A retained plan outlives its context's last other reference, and goes on working. */
TEST(plan_keeps_context)
{
    static numbers x;
    clf_context *const context = rig_make_context(NULL);
    clf_plan *const plan = RIG_PLAN(clf_scan_plan, context, clf_builtin(CLF_SUM, CLF_INT), 0, NULL);
    assert_ok(clf_context_retain(context));
    assert_ok(clf_plan_retain(plan));
    assert_ok(clf_context_release(context));
    assert_ok(clf_context_release(context));
    assert_ok(clf_plan_release(plan));
    numbers_open(&x, 5);
    assert_ok(clf_scan(plan, CLF_ON(the_rig()->queue), N, &x.in, &x.out));
    ck_assert(is_scanned(&x, the_rig()->queue));
    numbers_close(&x);
    assert_ok(clf_plan_release(plan));
}

/* Trimming gives back what is idle, at any time, and nothing that is in use. */
TEST(trim_in_flight)
{
    static numbers x;
    numbers_open(&x, 6);
    for (int i = 0; i < 10; ++i) {
        assert_ok(clf_scan(sum_plan(_i ? "cpu" : NULL), CLF_ON(the_rig()->queue), N, &x.in, &x.out));
        assert_ok(clf_context_trim(rig_context(_i ? "cpu" : NULL)));
    }
    ck_assert(is_scanned(&x, the_rig()->queue));
    numbers_close(&x);
}

RIG_PART(add_async_tests, {wait_list_and_event, 4}, {event_of_no_elements, 1}, {chain_of_events, 2},
         {many_in_flight, 2}, {threads_share_a_plan, 2}, {threads_compile_plans, 1}, {release_in_flight, 8},
         {plan_keeps_context, 1}, {trim_in_flight, 2})
