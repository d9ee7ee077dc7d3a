/* SPDX-License-Identifier: MIT */
/*
 * scratch.c: which workspace a call gets, and in what state: on in-order queues, by events, after queues are gone,
 * after a failed event, and when epochs run out. User events stand in for commands that are still running.
 */
#include "harness.h"

#include "primitives/primitives.h"

#include <string.h>

static clf_pool pool;

static void open_pool(void)
{
    memset(&pool, 0, sizeof pool);
    pool.cl = the_rig()->cl;
    pool.epoch_limit = 1u << 14;
}

static void close_pool(void)
{
    clf_pool_free(&pool);
    ck_assert_ptr_null(pool.idle);
}

static clf_workspace *take(cl_command_queue queue, bool in_order, cl_ulong bytes)
{
    clf_workspace *workspace = NULL;
    assert_ok(clf_pool_take(&pool, queue, in_order, bytes, &workspace));
    ck_assert_uint_ge(workspace->bytes, bytes);
    ck_assert_uint_ge(workspace->epoch, 1);
    ck_assert(workspace->pooled);
    return workspace;
}

/* Gives back as a call does that cleared it. */
static void give(clf_workspace *workspace, cl_command_queue queue, bool in_order, cl_uint tickets, cl_event last)
{
    workspace->clean = workspace->bytes;
    clf_pool_return(&pool, workspace, queue, in_order, tickets, last);
}

static cl_event user_event(void)
{
    cl_int status;
    cl_event event = clCreateUserEvent(the_rig()->cl, &status);
    assert_ok(status);
    return event;
}

static size_t count_idle(void)
{
    size_t count = 0;
    for (const clf_workspace *w = pool.idle; w; w = w->next)
        ++count;
    return count;
}

/* ---- In-order queues ------------------------------------------------------------------------------- */

TEST(an_in_order_queue_uses_its_workspace_again)
{
    const cl_command_queue queue = the_rig()->queue;
    clf_workspace *first = take(queue, true, 100);
    ck_assert_uint_eq(first->clean, 0);
    ck_assert_uint_eq(first->epoch, 1);
    ck_assert_uint_eq(first->ticket, 0);
    give(first, queue, true, 7, NULL);
    clf_workspace *second = take(queue, true, 100);
    ck_assert_ptr_eq(second, first);
    ck_assert_uint_eq(second->clean, second->bytes);
    ck_assert_uint_eq(second->epoch, 2);
    ck_assert_uint_eq(second->ticket, 7);
    clf_workspace *third = take(queue, true, 100); /* while the second is in use */
    ck_assert_ptr_ne(third, second);
    give(second, queue, true, 3, NULL);
    give(third, queue, true, 0, NULL);
    ck_assert_uint_eq(count_idle(), 2);
}

TEST(queues_do_not_share)
{
    cl_int status;
    const rig *r = the_rig();
    cl_command_queue other = clCreateCommandQueue(r->cl, r->device, 0, &status);
    assert_ok(status);
    clf_workspace *mine = take(r->queue, true, 100);
    give(mine, r->queue, true, 1, NULL);
    clf_workspace *theirs = take(other, true, 100);
    ck_assert_ptr_ne(mine, theirs);
    give(theirs, other, true, 1, NULL);
    ck_assert_ptr_eq(take(r->queue, true, 100), mine);
    give(mine, r->queue, true, 1, NULL);
    clReleaseCommandQueue(other);
}

/* Enqueues something that uses the workspace, as a call does. */
static void use(clf_workspace *workspace, cl_command_queue queue)
{
    const cl_uint zero = 0;
    assert_ok(clEnqueueFillBuffer(queue, workspace->buffer, &zero, sizeof zero, 0, 64, 0, NULL, NULL));
}

/* Who releases a queue wants it to end: the pool must not hold it, nor much of what it left behind. */
TEST(short_lived_queues_leave_little_behind)
{
    enum { QUEUES = 400 };
    const layer_ledger before = layer_count();
    for (int i = 0; i < QUEUES; ++i) {
        cl_int status;
        cl_command_queue queue = clCreateCommandQueue(the_rig()->cl, the_rig()->device, 0, &status);
        assert_ok(status);
        clf_workspace *w = take(queue, true, 100);
        use(w, queue);
        give(w, queue, true, 1, NULL);
        clFinish(queue);
        clReleaseCommandQueue(queue);
        const layer_ledger now = layer_count();
        ck_assert_int_eq(now.live[LAYER_QUEUE], before.live[LAYER_QUEUE]);
        ck_assert_int_le(now.live[LAYER_BUFFER] - before.live[LAYER_BUFFER], CLF_IDLE_WORKSPACES);
    }
    ck_assert_uint_le(count_idle(), CLF_IDLE_WORKSPACES);
}

TEST(the_longest_idle_goes_first)
{
    const cl_command_queue queue = the_rig()->queue;
    clf_workspace *w[CLF_IDLE_WORKSPACES + 1];
    for (size_t i = 0; i < COUNT(w); ++i)
        w[i] = take(queue, true, 100);
    for (size_t i = 0; i < COUNT(w); ++i)
        give(w[i], queue, true, 0, NULL);
    ck_assert_uint_eq(count_idle(), CLF_IDLE_WORKSPACES);
    for (const clf_workspace *idle = pool.idle; idle; idle = idle->next)
        ck_assert_ptr_ne(idle, w[0]);
}

/* One queue or many, in turns or not: a take costs no reference, and trimming leaves none. */
TEST(takes_and_returns_keep_no_references)
{
    const layer_ledger before = layer_count();
    cl_event done = user_event();
    for (int i = 0; i < 20; ++i) {
        clf_workspace *w = take(i % 2 ? the_rig()->queue : the_rig()->unordered, i % 2, 100);
        give(w, i % 2 ? the_rig()->queue : the_rig()->unordered, i % 2, 1, i % 3 && i % 2 ? NULL : done);
    }
    assert_ok(clSetUserEventStatus(done, CL_COMPLETE));
    clReleaseEvent(done);
    clf_pool_trim(&pool);
    const layer_ledger now = layer_count();
    ck_assert_str_eq(layer_kind_name(layer_difference(&before, &now)), "nothing");
}

/* ---- Events ---------------------------------------------------------------------------------------- */

TEST(out_of_order_use_waits_for_completion)
{
    cl_event running = user_event();
    clf_workspace *first = take(the_rig()->unordered, false, 100);
    give(first, the_rig()->unordered, false, 4, running);
    clf_workspace *second = take(the_rig()->unordered, false, 100);
    ck_assert_ptr_ne(first, second);
    assert_ok(clSetUserEventStatus(running, CL_COMPLETE));
    clf_workspace *again = take(the_rig()->unordered, false, 100);
    ck_assert_ptr_eq(again, first);
    ck_assert_uint_eq(again->clean, again->bytes);
    ck_assert_uint_eq(again->ticket, 4);
    ck_assert_ptr_null(again->last);
    clf_pool_discard(&pool, again);
    clf_pool_discard(&pool, second);
    clReleaseEvent(running);
}

/* Queued, submitted or running: none of these is done. */
TEST(a_command_that_runs_is_not_done)
{
    static const cl_int states[] = {CL_QUEUED, CL_SUBMITTED, CL_RUNNING};
    cl_event event = user_event();
    clf_workspace *w = take(the_rig()->unordered, false, 100);
    give(w, the_rig()->unordered, false, 4, event);
    layer_pretend(event, states[_i]);
    clf_workspace *other = take(the_rig()->unordered, false, 100);
    layer_pretend(NULL, 0);
    ck_assert_ptr_ne(other, w);
    assert_ok(clSetUserEventStatus(event, CL_COMPLETE));
    clf_pool_discard(&pool, other);
    clReleaseEvent(event);
}

/* The event of a call behind a wait list is proof for any queue; but if it failed, not of what went before it. */
TEST(what_an_event_tells_holds_for_all_queues)
{
    cl_event event = user_event();
    clf_workspace *w = take(the_rig()->queue, true, 100);
    give(w, the_rig()->queue, true, 4, event);
    layer_pretend(event, -1);
    clf_workspace *other = take(the_rig()->unordered, false, 100);
    layer_pretend(NULL, 0);
    ck_assert_ptr_ne(other, w);
    assert_ok(clSetUserEventStatus(event, CL_COMPLETE));
    ck_assert_ptr_eq(take(the_rig()->unordered, false, 100), w);
    give(w, the_rig()->unordered, false, 0, event);
    ck_assert_ptr_null(w->queue); /* no longer ordered by the queue of before */
    clf_pool_discard(&pool, other);
    clReleaseEvent(event);
}

TEST(after_a_failed_event_a_workspace_starts_afresh)
{
    cl_event failed = user_event();
    clf_workspace *w = take(the_rig()->unordered, false, 100);
    give(w, the_rig()->unordered, false, 4, failed);
    assert_ok(clSetUserEventStatus(failed, -1));
    ck_assert_ptr_eq(take(the_rig()->unordered, false, 100), w);
    ck_assert_uint_eq(w->clean, 0);
    ck_assert_uint_eq(w->epoch, 1);
    ck_assert_uint_eq(w->ticket, 0);
    clf_pool_discard(&pool, w);
    clReleaseEvent(failed);
}

/* The next call is ordered behind this one, but does not know whether its wait list will fail. */
TEST(behind_a_pending_wait_list_a_workspace_starts_afresh)
{
    const cl_command_queue queue = the_rig()->queue;
    cl_event pending = user_event();
    clf_workspace *w = take(queue, true, 100);
    give(w, queue, true, 4, pending);
    ck_assert_ptr_eq(take(queue, true, 100), w);
    ck_assert_uint_eq(w->clean, 0);
    ck_assert_uint_eq(w->ticket, 0);
    assert_ok(clSetUserEventStatus(pending, CL_COMPLETE));
    give(w, queue, true, 4, pending);
    ck_assert_ptr_eq(take(queue, true, 100), w);
    ck_assert_uint_eq(w->clean, w->bytes);
    ck_assert_uint_eq(w->ticket, 4);
    clf_pool_discard(&pool, w);
    clReleaseEvent(pending);
}

/* ---- Sizes, epochs, trimming ----------------------------------------------------------------------- */

TEST(the_smallest_that_fits_is_taken)
{
    const cl_command_queue queue = the_rig()->queue;
    clf_workspace *large = take(queue, true, 100000), *small = take(queue, true, 5000);
    ck_assert_uint_eq(large->bytes, 131072);
    ck_assert_uint_eq(small->bytes, 8192);
    give(small, queue, true, 0, NULL);
    give(large, queue, true, 0, NULL);
    ck_assert_ptr_eq(take(queue, true, 8192), small);
    ck_assert_ptr_eq(take(queue, true, 100), large);
    give(small, queue, true, 0, NULL);
    give(large, queue, true, 0, NULL);
    ck_assert_ptr_eq(take(queue, true, 8193), large);
    clf_pool_discard(&pool, large);
}

TEST(absurd_sizes_fail)
{
    clf_workspace *w = NULL;
    ck_assert_int_ne(clf_pool_take(&pool, the_rig()->queue, true, (cl_ulong)1 << 62, &w), CLF_SUCCESS);
    ck_assert_int_ne(clf_pool_take(&pool, the_rig()->queue, true, CL_ULONG_MAX, &w), CLF_SUCCESS);
    ck_assert_ptr_null(w);
}

TEST(used_up_epochs_start_afresh)
{
    const cl_command_queue queue = the_rig()->queue;
    pool.epoch_limit = 3;
    for (cl_uint use = 0; use < 8; ++use) {
        clf_workspace *w = take(queue, true, 100);
        ck_assert_uint_eq(w->epoch, use % 3 + 1);
        ck_assert((w->clean == 0) == (use % 3 == 0));
        ck_assert_uint_eq(w->ticket, use % 3 * 10);
        give(w, queue, true, 10, NULL);
    }
    ck_assert_uint_eq(count_idle(), 1);
}

TEST(what_a_call_leaves_uncleared_stays_so)
{
    const cl_command_queue queue = the_rig()->queue;
    clf_workspace *w = take(queue, true, 100);
    clf_pool_return(&pool, w, queue, true, 0, NULL);
    ck_assert_ptr_eq(take(queue, true, 100), w);
    ck_assert_uint_eq(w->clean, 0);
    ck_assert_uint_eq(w->epoch, 1);
    clf_pool_discard(&pool, w);
}

/* In turns with a few plain bytes, messages stay cleared; many bytes go where messages were. */
TEST(plain_bytes_leave_messages_alone)
{
    const cl_command_queue queue = the_rig()->queue;
    const cl_ulong bytes = _i ? 1 << 20 : 100;
    clf_workspace *const messages = take(queue, true, bytes), *plain;
    give(messages, queue, true, 0, NULL);
    for (int turn = 0; turn < 3; ++turn) {
        assert_ok(clf_pool_take_plain(&pool, queue, true, bytes, &plain));
        ck_assert((plain == messages) == (_i == 1));
        ck_assert_uint_eq(plain->clean, 0);
        clf_pool_return(&pool, plain, queue, true, 0, NULL);
        clf_workspace *const again = take(queue, true, bytes);
        ck_assert_ptr_eq(again, messages);
        ck_assert((again->clean == 0) == (_i == 1));
        give(again, queue, true, 0, NULL);
    }
    ck_assert_uint_eq(count_idle(), 2 - _i);
}

TEST(trimming_releases_what_is_idle)
{
    const cl_command_queue queue = the_rig()->queue;
    clf_workspace *idle = take(queue, true, 100), *used = take(queue, true, 100);
    give(idle, queue, true, 0, NULL);
    clf_pool_trim(&pool);
    ck_assert_uint_eq(count_idle(), 0);
    give(used, queue, true, 0, NULL);
    ck_assert_uint_eq(count_idle(), 1);
}

TEST(the_callers_scratch_is_left_alone)
{
    clf_workspace borrowed = {0};
    clf_pool_return(&pool, &borrowed, the_rig()->queue, true, 5, NULL);
    clf_pool_discard(&pool, &borrowed);
    ck_assert_uint_eq(count_idle(), 0);
}

Suite *scratch_suite(void)
{
    TCase *tests;
    Suite *suite = rig_suite("scratch", &tests);
    tcase_add_checked_fixture(tests, open_pool, close_pool);
    rig_add(tests, (const rig_test[]){{an_in_order_queue_uses_its_workspace_again, 1}, {queues_do_not_share, 1},
            {short_lived_queues_leave_little_behind, 1}, {the_longest_idle_goes_first, 1},
            {takes_and_returns_keep_no_references, 1}, {out_of_order_use_waits_for_completion, 1},
            {a_command_that_runs_is_not_done, 3}, {what_an_event_tells_holds_for_all_queues, 1},
            {after_a_failed_event_a_workspace_starts_afresh, 1},
            {behind_a_pending_wait_list_a_workspace_starts_afresh, 1}, {the_smallest_that_fits_is_taken, 1},
            {absurd_sizes_fail, 1}, {used_up_epochs_start_afresh, 1}, {what_a_call_leaves_uncleared_stays_so, 1},
            {trimming_releases_what_is_idle, 1}, {plain_bytes_leave_messages_alone, 2},
            {the_callers_scratch_is_left_alone, 1}, {NULL, 0}});
    return suite;
}
