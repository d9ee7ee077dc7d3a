/* SPDX-License-Identifier: MIT */
/*
 * run: the arena of a call, and its commands. See "Life of a call" in src/README.md.
 */
#include "core/core.h"

cl_ulong clf_scratch_round(cl_ulong bytes)
{
    return bytes < CLF_SCRATCH_MOST ? (bytes + 15) / 16 * 16 : CLF_SCRATCH_MOST;
}

cl_ulong clf_scratch_for(cl_ulong count, cl_ulong each)
{
    return each == 0 || count < CLF_SCRATCH_MOST / each ? clf_scratch_round(count * each) : CLF_SCRATCH_MOST;
}

/* ---- The arena --------------------------------------------------------------------------------------- */

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
    fail(run, clf_pool_take(&run->context->pool, chain->queue, chain->in_order, run->needed, &workspace));
    if (!workspace)
        return;
    workspace->clean = 0; /* what is left there could be taken for messages */
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

/* ---- Commands ---------------------------------------------------------------------------------------- */

static clf_status compile(clf_engine *engine, const clf_check *check)
{
    clf_error error = {.size = sizeof error};
    const clf_status status = clf_engine_compile(engine, &error);
    return status == CLF_SUCCESS ? status : clf_refuse(check, status, "%s", error.message);
}

clf_status clf_run_begin(clf_run *run, clf_engine *engine, const clf_task *task, clf_arguments *arguments)
{
    *arguments = (clf_arguments){
        .op = engine->op, .in = task->in, .out = task->out, .initial = task->initial, .given = task->given,
        .from_device = (engine->flags & CLF_FROM_DEVICE) != 0, .count = task->count, .size = task->size,
        .batch = task->batch, .flags = task->flags, .array_count = engine->array_count,
        .number_count = engine->number_count};
    if (run->sink != CLF_REHEARSE)
        return CLF_SUCCESS;
    const cl_uint size = clf_parameter_get(&engine->parameters, "size", 0);
    if (size != 0 && size != task->size)
        return CLF_RUN_REFUSE(run, CLF_E_UNSUPPORTED, "the plan is for segments of %u elements", (unsigned)size);
    return compile(engine, run->chain->check);
}

clf_status clf_run_launch(clf_run *run, clf_engine *engine, cl_uint kernel, const clf_arguments *arguments,
                          cl_ulong groups)
{
    if (run->sink == CLF_MEASURE || run->status != CLF_SUCCESS)
        return run->status;
    return clf_launch(run->chain, &engine->kernels[kernel], arguments, groups, engine->group);
}

clf_status clf_run_launch_flat(clf_run *run, clf_kernel_pool *pool, const clf_argument *arguments, cl_uint count,
                               cl_ulong groups, size_t group)
{
    if (run->sink == CLF_MEASURE || run->status != CLF_SUCCESS)
        return run->status;
    return clf_launch_flat(run->chain, pool, arguments, count, groups, group);
}

clf_status clf_run_copy(clf_run *run, const clf_array *from, const clf_array *to, cl_ulong n, cl_uint bytes)
{
    if (run->sink == CLF_MEASURE || run->status != CLF_SUCCESS)
        return run->status;
    return clf_chain_copy(run->chain, from, to, n, bytes);
}

clf_status clf_run_zero(clf_run *run, const clf_array *array, cl_ulong n, cl_uint bytes)
{
    const clf_array at = {array->buffer, array->offset * bytes};
    zero_bytes(run, &at, n * bytes);
    return run->status;
}

clf_status clf_run_write(clf_run *run, const clf_array *array, cl_ulong value)
{
    if (run->sink == CLF_MEASURE || run->status != CLF_SUCCESS)
        return run->status;
    return clf_chain_write(run->chain, array->buffer, array->offset * sizeof value, value);
}

/* ---- Steps ------------------------------------------------------------------------------------------- */

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

clf_status clf_run_step(clf_run *run, const clf_plan *plan, const clf_task *task)
{
    return clf_run_part(run, plan, task, plan->primitive->run);
}

clf_status clf_run_engine(clf_run *run, clf_engine *engine, const clf_task *task)
{
    clf_arguments arguments;
    CLF_TRY(clf_run_begin(run, engine, task, &arguments));
    return engine->variant->run(engine, run, &arguments);
}

cl_ulong clf_run_measure(const clf_plan *plan, const clf_task *task)
{
    clf_run run = {.sink = CLF_MEASURE, .context = plan->context};
    clf_run_step(&run, plan, task);
    return run.most;
}
