/* SPDX-License-Identifier: MIT */
/*
 * Device scratch, pooled: a list of workspaces that were returned while their last commands may still run.
 *
 * A workspace may be used again when its next use is sure to come after its last one: on the same in-order
 * queue at once, elsewhere when its last event has completed. Nothing is ever waited for; a new one is made
 * instead. A workspace is never cleared between uses (see clf_workspace), except where a call that depended
 * on events may have failed unseen, and when its epochs are used up. Keeping the queue retained means that no
 * other queue can take over its handle; a queue that nobody else holds any more is let go, leaving a marker
 * to tell when its commands are done. Buffers may be released while commands use them: OpenCL keeps them
 * until then.
 */
#include "internal.h"

#include <stdlib.h>

enum { SMALLEST = 4096 };

/* ---- One workspace --------------------------------------------------------------------------------- */

static void unbind(clf_workspace *workspace)
{
    if (workspace->queue != NULL)
        clReleaseCommandQueue(workspace->queue);
    if (workspace->last != NULL)
        clReleaseEvent(workspace->last);
    workspace->queue = NULL;
    workspace->last = NULL;
}

static void destroy(clf_workspace *workspace)
{
    unbind(workspace);
    clReleaseMemObject(workspace->buffer);
    free(workspace);
}

/* A power of two where there is memory for it, so that growing sizes need few workspaces. */
static clf_status create_buffer(cl_context cl, cl_ulong bytes, clf_workspace *workspace)
{
    cl_ulong size = SMALLEST;
    while (size < bytes && size <= (SIZE_MAX >> 1))
        size *= 2;
    clf_status status;
    workspace->buffer = clCreateBuffer(cl, CL_MEM_READ_WRITE, (size_t)size, NULL, &status);
    if (workspace->buffer == NULL && size > bytes) {
        size = bytes;
        workspace->buffer = clCreateBuffer(cl, CL_MEM_READ_WRITE, (size_t)size, NULL, &status);
    }
    workspace->bytes = size;
    return workspace->buffer != NULL ? CLF_SUCCESS : status;
}

static clf_status create(cl_context cl, cl_ulong bytes, clf_workspace **workspace)
{
    if (bytes > SIZE_MAX / 2 || bytes >> 48 != 0) /* NVIDIA "allocates" even the latter */
        return CLF_E_OVERFLOW;
    clf_workspace *created = calloc(1, sizeof *created);
    if (created == NULL)
        return CLF_E_NO_MEMORY;
    clf_status status = create_buffer(cl, bytes, created);
    if (status != CLF_SUCCESS) {
        free(created);
        return status;
    }
    created->pooled = true;
    created->fresh = true;
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
    if (workspace->last != NULL) {
        if (event_status(workspace->last) != CL_COMPLETE)
            workspace->fresh = true;
        clReleaseEvent(workspace->last);
        workspace->last = NULL;
    }
    if (workspace->epoch >= pool->epoch_limit)
        workspace->fresh = true;
    if (workspace->fresh) {
        workspace->epoch = 0;
        workspace->ticket = 0;
    }
    workspace->epoch++;
}

/* ---- The list -------------------------------------------------------------------------------------- */

static void push(clf_pool *pool, clf_workspace *workspace)
{
    clf_lock_acquire(&pool->lock);
    workspace->next = pool->idle;
    pool->idle = workspace;
    clf_lock_release(&pool->lock);
}

static bool is_usable(const clf_workspace *workspace, cl_command_queue in_order_queue)
{
    if (workspace->queue != NULL)
        return workspace->queue == in_order_queue;
    return workspace->last == NULL || event_status(workspace->last) <= CL_COMPLETE;
}

/* Unlinks the smallest usable workspace that is large enough, or returns NULL. */
static clf_workspace *pop(clf_pool *pool, cl_command_queue in_order_queue, cl_ulong bytes)
{
    clf_workspace **best = NULL;
    clf_lock_acquire(&pool->lock);
    for (clf_workspace **at = &pool->idle; *at != NULL; at = &(*at)->next)
        if ((*at)->bytes >= bytes && (best == NULL || (*at)->bytes < (*best)->bytes) &&
            is_usable(*at, in_order_queue))
            best = at;
    clf_workspace *found = NULL;
    if (best != NULL) {
        found = *best;
        *best = found->next;
    }
    clf_lock_release(&pool->lock);
    return found;
}

/* Is its queue held by idle workspaces alone? */
static bool is_orphan(const clf_pool *pool, const clf_workspace *workspace)
{
    cl_uint references = 0, ours = 0;
    for (const clf_workspace *w = pool->idle; w != NULL; w = w->next)
        ours += w->queue == workspace->queue;
    return workspace->queue != NULL &&
           clGetCommandQueueInfo(workspace->queue, CL_QUEUE_REFERENCE_COUNT, sizeof references, &references,
                                 NULL) == CL_SUCCESS &&
           references == ours;
}

/* Unlinks all workspaces of a queue, into a list of their own. */
static clf_workspace *unlink_queue(clf_pool *pool, cl_command_queue queue)
{
    clf_workspace *found = NULL;
    for (clf_workspace **at = &pool->idle; *at != NULL;) {
        clf_workspace *workspace = *at;
        if (workspace->queue != queue) {
            at = &workspace->next;
            continue;
        }
        *at = workspace->next;
        workspace->next = found;
        found = workspace;
    }
    return found;
}

static clf_workspace *pop_orphans(clf_pool *pool)
{
    clf_lock_acquire(&pool->lock);
    clf_workspace *orphan = pool->idle;
    while (orphan != NULL && !is_orphan(pool, orphan))
        orphan = orphan->next;
    clf_workspace *found = orphan != NULL ? unlink_queue(pool, orphan->queue) : NULL;
    clf_lock_release(&pool->lock);
    return found;
}

/* Trades the queue of a list of orphans for an event behind all its commands. */
static void adopt(clf_pool *pool, clf_workspace *orphans)
{
    cl_event marker = NULL;
    if (clEnqueueMarkerWithWaitList(orphans->queue, 0, NULL, &marker) == CL_SUCCESS)
        clFlush(orphans->queue);
    while (orphans != NULL) {
        clf_workspace *orphan = orphans;
        orphans = orphan->next;
        if (marker == NULL) {
            destroy(orphan);
            continue;
        }
        orphan->fresh |= orphan->last != NULL; /* the marker does not tell whether that one failed */
        unbind(orphan);
        clRetainEvent(marker);
        orphan->last = marker;
        push(pool, orphan);
    }
    if (marker != NULL)
        clReleaseEvent(marker);
}

static void adopt_orphans(clf_pool *pool)
{
    clf_workspace *orphans;
    while ((orphans = pop_orphans(pool)) != NULL)
        adopt(pool, orphans);
}

/* ---- The pool -------------------------------------------------------------------------------------- */

clf_status clf_pool_take(clf_pool *pool, cl_command_queue queue, bool in_order, cl_ulong bytes,
                         clf_workspace **workspace)
{
    cl_command_queue in_order_queue = in_order ? queue : NULL;
    clf_workspace *taken = pop(pool, in_order_queue, bytes);
    if (taken == NULL) {
        adopt_orphans(pool);
        taken = pop(pool, in_order_queue, bytes);
    }
    if (taken == NULL)
        CLF_TRY(create(pool->cl, bytes, &taken));
    begin_use(pool, taken);
    taken->next = NULL;
    *workspace = taken;
    return CLF_SUCCESS;
}

void clf_pool_return(clf_pool *pool, clf_workspace *workspace, cl_command_queue queue, bool in_order,
                     cl_uint tickets, cl_event last)
{
    if (!workspace->pooled)
        return;
    if (in_order && workspace->queue == NULL) {
        clRetainCommandQueue(queue);
        workspace->queue = queue;
    }
    if (last != NULL)
        clRetainEvent(last);
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
    while (idle != NULL) {
        clf_workspace *next = idle->next;
        destroy(idle);
        idle = next;
    }
}

void clf_pool_free(clf_pool *pool)
{
    clf_pool_trim(pool);
}
