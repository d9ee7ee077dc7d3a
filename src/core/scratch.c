/* SPDX-License-Identifier: MIT */
/*
 * Device scratch, pooled: a list of workspaces that were returned while their last commands may still run.
 *
 * A workspace may be used again when its next use is sure to come after its last one: on the same in-order
 * queue at once, elsewhere when its last event has completed. Nothing is ever waited for; a new one is made
 * instead. A workspace is not cleared between uses of calls that exchange messages (see clf_workspace), except where a
 * call that depended on events may have failed unseen, and when its epochs are used up.
 *
 * The queue is not retained, for who releases a queue wants it to end. Its handle is only compared: another queue
 * can get the same one only after the old queue is gone, and OpenCL deletes a queue when all its commands have
 * finished, so then the workspace is free, too. What is left behind by queues that are gone is bounded: of more
 * than CLF_IDLE_WORKSPACES idle ones the longest idle is released. Buffers may be released while commands use
 * them: OpenCL keeps them until then.
 */
#include "core/core.h"

#include <stdlib.h>

/* ---- One workspace --------------------------------------------------------------------------------- */

static void destroy(clf_workspace *workspace)
{
    if (workspace->last)
        clReleaseEvent(workspace->last);
    clReleaseMemObject(workspace->buffer);
    free(workspace);
}

/* A power of two where there is memory for it, so that growing sizes need few workspaces. */
static clf_status create_buffer(cl_context cl, cl_ulong bytes, clf_workspace *workspace)
{
    cl_ulong size = CLF_SCRATCH_LEAST;
    while (size < bytes && size <= (SIZE_MAX >> 1))
        size *= 2;
    clf_status status;
    workspace->buffer = clCreateBuffer(cl, CL_MEM_READ_WRITE, (size_t)size, NULL, &status);
    if (!workspace->buffer && size > bytes) {
        size = bytes;
        workspace->buffer = clCreateBuffer(cl, CL_MEM_READ_WRITE, (size_t)size, NULL, &status);
    }
    workspace->bytes = size;
    return workspace->buffer ? CLF_SUCCESS : status;
}

static clf_status create(cl_context cl, cl_ulong bytes, clf_workspace **workspace)
{
    if (bytes > SIZE_MAX / 2 || bytes >= CLF_SCRATCH_MOST) /* NVIDIA "allocates" even the latter */
        return CLF_E_OVERFLOW;
    clf_workspace *created = calloc(1, sizeof *created);
    if (!created)
        return CLF_E_NO_MEMORY;
    clf_status status = create_buffer(cl, bytes, created);
    if (status != CLF_SUCCESS) {
        free(created);
        return status;
    }
    created->pooled = true;
    *workspace = created;
    return CLF_SUCCESS;
}

/* CL_COMPLETE, positive before, negative if it failed; as if pending where the query fails. */
static cl_int event_status(cl_event event)
{
    cl_int status = CL_QUEUED;
    if (clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) != CL_SUCCESS)
        return CL_QUEUED;
    return status;
}

/* What a call left is known only if it is sure to have run; it has not if an event it waited for failed. */
static void begin_use(const clf_pool *pool, clf_workspace *workspace)
{
    if (workspace->last) {
        if (event_status(workspace->last) != CL_COMPLETE)
            workspace->clean = 0;
        clReleaseEvent(workspace->last);
        workspace->last = NULL;
    }
    workspace->queue = NULL;
    if (workspace->epoch >= pool->epoch_limit)
        workspace->clean = 0;
    if (workspace->clean == 0) {
        workspace->epoch = 0;
        workspace->ticket = 0;
    }
    ++workspace->epoch;
}

/* ---- The list -------------------------------------------------------------------------------------- */

/* Unlinks the last of a list that is too long. */
static clf_workspace *cut(clf_workspace **list)
{
    size_t count = 1;
    for (; *list; list = &(*list)->next, ++count)
        if (!(*list)->next && count > CLF_IDLE_WORKSPACES) {
            clf_workspace *last = *list;
            *list = NULL;
            return last;
        }
    return NULL;
}

static void push(clf_pool *pool, clf_workspace *workspace)
{
    clf_lock_acquire(&pool->lock);
    workspace->next = pool->idle;
    pool->idle = workspace;
    clf_workspace *surplus = cut(&pool->idle);
    clf_lock_release(&pool->lock);
    if (surplus)
        destroy(surplus);
}

/* A last command that failed ends its own call, but not what went before it in an in-order queue. */
static bool is_usable(const clf_workspace *workspace, cl_command_queue in_order_queue)
{
    const bool ordered = workspace->queue;
    if (ordered && workspace->queue == in_order_queue)
        return true;
    if (!workspace->last)
        return !ordered;
    const cl_int status = event_status(workspace->last);
    return status == CL_COMPLETE || (status < CL_COMPLETE && !ordered);
}

/* Unlinks the smallest usable workspace that is large enough, or returns NULL. */
static clf_workspace *pop(clf_pool *pool, cl_command_queue in_order_queue, cl_ulong bytes)
{
    clf_workspace **best = NULL;
    clf_lock_acquire(&pool->lock);
    for (clf_workspace **at = &pool->idle; *at; at = &(*at)->next)
        if ((*at)->bytes >= bytes && (!best || (*at)->bytes < (*best)->bytes) && is_usable(*at, in_order_queue))
            best = at;
    clf_workspace *found = NULL;
    if (best) {
        found = *best;
        *best = found->next;
    }
    clf_lock_release(&pool->lock);
    return found;
}

/* ---- The pool -------------------------------------------------------------------------------------- */

clf_status clf_pool_take(clf_pool *pool, cl_command_queue queue, bool in_order, cl_ulong bytes,
                         clf_workspace **workspace)
{
    cl_command_queue in_order_queue = in_order ? queue : NULL;
    clf_workspace *taken = pop(pool, in_order_queue, bytes);
    if (!taken)
        CLF_TRY(create(pool->cl, bytes, &taken));
    begin_use(pool, taken);
    taken->next = NULL;
    *workspace = taken;
    return CLF_SUCCESS;
}

void clf_pool_return(clf_pool *pool, clf_workspace *workspace, cl_command_queue queue, bool in_order, cl_uint tickets,
                     cl_event last)
{
    if (!workspace->pooled)
        return;
    if (last && clRetainEvent(last) != CL_SUCCESS) { /* nothing tells when it is free */
        destroy(workspace);
        return;
    }
    workspace->queue = in_order ? queue : NULL;
    workspace->last = last;
    workspace->ticket += tickets;
    push(pool, workspace);
}

void clf_pool_discard(clf_pool *pool, clf_workspace *workspace)
{
    (void)pool;
    if (workspace->pooled)
        destroy(workspace);
}

void clf_pool_trim(clf_pool *pool)
{
    clf_lock_acquire(&pool->lock);
    clf_workspace *idle = pool->idle;
    pool->idle = NULL;
    clf_lock_release(&pool->lock);
    while (idle) {
        clf_workspace *next = idle->next;
        destroy(idle);
        idle = next;
    }
}

void clf_pool_free(clf_pool *pool)
{
    clf_pool_trim(pool);
}
