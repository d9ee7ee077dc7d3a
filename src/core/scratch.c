/* SPDX-License-Identifier: MIT */
/*
 * Device scratch: the pool's workspaces, which were returned while their last commands may still run, and the arena of
 * a call, whose arrays lie in one of these or in the caller's scratch.
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

/* Is `a` the better of two that are large enough? One that has been cleared is for messages; or else the smaller. */
static bool is_better(const clf_workspace *a, const clf_workspace *b, bool plain)
{
    if ((a->clean > 0) != (b->clean > 0))
        return (a->clean > 0) != plain;
    return a->bytes < b->bytes;
}

/* Calls with messages and others, in turns, would clear one that both take each time: another few bytes are less. */
enum { APART = 1 << 20 };

/* Unlinks the best usable workspace that is large enough, or returns NULL. */
static clf_workspace *pop(clf_pool *pool, cl_command_queue in_order_queue, bool plain, cl_ulong bytes)
{
    clf_workspace **best = NULL;
    clf_lock_acquire(&pool->lock);
    for (clf_workspace **at = &pool->idle; *at; at = &(*at)->next)
        if ((*at)->bytes >= bytes && !(plain && bytes < APART && (*at)->clean > 0) &&
            (!best || is_better(*at, *best, plain)) && is_usable(*at, in_order_queue))
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

static clf_status take_from(clf_pool *pool, cl_command_queue queue, bool in_order, bool plain, cl_ulong bytes,
                            clf_workspace **workspace)
{
    clf_workspace *taken = pop(pool, in_order ? queue : NULL, plain, bytes);
    if (!taken)
        CLF_TRY(create(pool->cl, bytes, &taken));
    begin_use(pool, taken);
    taken->next = NULL;
    *workspace = taken;
    return CLF_SUCCESS;
}

clf_status clf_pool_take(clf_pool *pool, cl_command_queue queue, bool in_order, cl_ulong bytes,
                         clf_workspace **workspace)
{
    return take_from(pool, queue, in_order, false, bytes, workspace);
}

clf_status clf_pool_take_plain(clf_pool *pool, cl_command_queue queue, bool in_order, cl_ulong bytes,
                               clf_workspace **workspace)
{
    CLF_TRY(take_from(pool, queue, in_order, true, bytes, workspace));
    (*workspace)->clean = 0; /* what is left there could be taken for messages */
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

/* ---- The arena of a call ------------------------------------------------------------------------------- */

cl_ulong clf_scratch_round(cl_ulong bytes)
{
    return bytes < CLF_SCRATCH_MOST ? (bytes + 15) / 16 * 16 : CLF_SCRATCH_MOST;
}

cl_ulong clf_scratch_for(cl_ulong count, cl_ulong each)
{
    return each == 0 || count < CLF_SCRATCH_MOST / each ? clf_scratch_round(count * each) : CLF_SCRATCH_MOST;
}

static void fail(clf_run *run, clf_status status)
{
    if (run->status == CLF_SUCCESS)
        run->status = status;
}

/* The workspace of all arrays: of the pool, when the first of them is taken. */
static void open_workspace(clf_run *run)
{
    const clf_chain *const chain = run->chain;
    clf_workspace *workspace = NULL;
    fail(run, clf_pool_take_plain(&run->context->pool, chain->queue, chain->in_order, run->needed, &workspace));
    if (!workspace)
        return;
    run->workspace = workspace;
    run->scratch = (clf_array){workspace->buffer, workspace->offset};
}

/* Where so many bytes begin, at a multiple of 16, or of `aligned`, wherever scratch begins. */
static clf_array take(clf_run *run, cl_ulong bytes, cl_uint aligned)
{
    const cl_ulong slack = 16 % aligned == 0 ? 0 : aligned % 16 == 0 ? aligned - 16 : aligned;
    const cl_ulong begin = clf_scratch_round(run->used);
    run->used = clf_least(begin + slack + bytes, CLF_SCRATCH_MOST);
    run->most = run->used > run->most ? run->used : run->most;
    if (run->sink == CLF_ENQUEUE && run->most > run->needed)
        fail(run, CLF_E_INTERNAL); /* the rehearsal was another call */
    else if (run->sink == CLF_ENQUEUE && !run->scratch.buffer && run->status == CLF_SUCCESS)
        open_workspace(run);
    return (clf_array){run->scratch.buffer, clf_ceiling(run->scratch.offset + begin, aligned) * aligned};
}

static void zero_bytes(clf_run *run, const clf_array *at, cl_ulong bytes)
{
    if (run->sink == CLF_ENQUEUE && run->status == CLF_SUCCESS && bytes > 0)
        fail(run, clf_chain_fill(run->chain, at->buffer, at->offset, bytes));
}

clf_array clf_run_array(clf_run *run, clf_memory kind, cl_ulong n, cl_uint bytes)
{
    const clf_array at = take(run, clf_scratch_for(n, bytes), bytes);
    if (kind == CLF_ZEROED)
        zero_bytes(run, &at, n * bytes);
    return (clf_array){at.buffer, at.offset / bytes};
}

void clf_run_values(clf_run *run, const clf_fields *fields, cl_ulong n, clf_array *values)
{
    enum { ALIGNED = 128 /* bytes: fields of any size begin there, but arrays */ };
    for (cl_uint i = 0; i < fields->count; ++i) {
        const cl_uint bytes = fields->field[i].bytes;
        const clf_array at = n > 0 ? take(run, clf_scratch_for(n, bytes), ALIGNED % bytes == 0 ? ALIGNED : bytes)
                                   : (clf_array){0};
        values[i] = (clf_array){at.buffer, at.offset / bytes};
    }
}

/* ---- Scratch of kernels ------------------------------------------------------------------------------ */

/* Clears what is not clean of a workspace's first `bytes`: up to a power of two, so that growing sizes clear seldom. */
static clf_status clear(clf_chain *chain, clf_workspace *workspace, cl_ulong bytes)
{
    const cl_ulong clean = workspace->clean;
    cl_ulong end = CLF_SCRATCH_LEAST;
    if (clean >= bytes)
        return CLF_SUCCESS;
    while (end < bytes)
        end *= 2;
    workspace->clean = end < workspace->bytes ? end : workspace->bytes;
    return clf_chain_fill(chain, workspace->buffer, workspace->offset + clean, workspace->clean - clean);
}

static void take_messages(clf_run *run, cl_ulong bytes, clf_arguments *arguments)
{
    const clf_chain *const chain = run->chain;
    if (run->sink != CLF_ENQUEUE || run->status != CLF_SUCCESS)
        return;
    fail(run, clf_pool_take(&run->context->pool, chain->queue, chain->in_order, bytes, &run->messages));
    if (run->status != CLF_SUCCESS)
        return;
    fail(run, clear(run->chain, run->messages, bytes));
    arguments->scratch = run->messages->buffer;
    arguments->scratch_offset = run->messages->offset;
    arguments->epoch = run->messages->epoch;
    arguments->ticket = run->messages->ticket;
}

void clf_run_scratch(clf_run *run, clf_memory kind, cl_ulong bytes, clf_arguments *arguments)
{
    arguments->epoch = 1;
    if (bytes == 0)
        return;
    if (kind == CLF_MESSAGES && run->pooled) {
        take_messages(run, bytes, arguments);
        return;
    }
    const clf_array at = take(run, bytes, 16);
    if (kind == CLF_MESSAGES)
        zero_bytes(run, &at, bytes);
    arguments->scratch = at.buffer;
    arguments->scratch_offset = at.offset;
}

void clf_run_tickets(clf_run *run, cl_ulong tickets)
{
    run->tickets = (cl_uint)tickets;
}

static void give_back(clf_run *run, clf_workspace *workspace, cl_uint tickets, clf_status status)
{
    const clf_chain *const chain = run->chain;
    clf_pool *const pool = &run->context->pool;
    if (status == CLF_SUCCESS)
        clf_pool_return(pool, workspace, chain->queue, chain->in_order, tickets, clf_chain_proof(chain));
    else
        clf_pool_discard(pool, workspace);
}

static void give_back_messages(clf_run *run, clf_status status)
{
    if (!run->messages)
        return;
    if (run->tickets == CLF_TICKETS_UNKNOWN) {
        run->messages->clean = 0;
        run->tickets = 0;
    }
    give_back(run, run->messages, run->tickets, status);
}

void clf_run_end(clf_run *run, clf_status status)
{
    if (run->workspace)
        give_back(run, run->workspace, 0, status);
    run->workspace = NULL;
}

clf_status clf_run_part(clf_run *run, const clf_plan *plan, const clf_task *task, clf_run_function *function)
{
    const cl_ulong used = run->used;
    const cl_uint tickets = run->tickets;
    clf_workspace *const messages = run->messages;
    run->messages = NULL;
    run->tickets = 0;
    clf_status status = function(plan, run, task);
    if (status == CLF_SUCCESS)
        status = run->status;
    give_back_messages(run, status);
    run->messages = messages;
    run->tickets = tickets;
    run->used = used;
    return status;
}
