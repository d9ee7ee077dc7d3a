/* SPDX-License-Identifier: MIT */
/*
 * call: an engine enqueued with scratch of the caller's or the pool's: the part of a call that all primitives
 * share. See "Life of a call" in README.md.
 */
#include "internal.h"

static clf_status run_engine(clf_engine *engine, clf_chain *chain, clf_arguments *arguments, clf_workspace *workspace,
                             cl_uint *tickets)
{
    const bool messages = engine->variant->waits;
    if (workspace) {
        if (messages && workspace->fresh) {
            CLF_TRY(clf_chain_fill(chain, workspace->buffer, workspace->offset, workspace->bytes));
            workspace->ticket = 0;
        }
        workspace->fresh = !messages; /* other variants leave words that could be taken for messages */
        arguments->scratch = workspace->buffer;
        arguments->scratch_offset = workspace->offset;
        arguments->epoch = workspace->epoch;
        arguments->ticket = workspace->ticket;
    }
    return engine->variant->enqueue(engine, chain, arguments, tickets);
}

clf_status clf_scratch_take(clf_context *context, const clf_chain *chain, const clf_array *scratch, cl_ulong bytes,
                            clf_workspace *borrowed, clf_workspace **workspace)
{
    const bool given = scratch && scratch->buffer;
    if (!given && !chain->rehearsal)
        return clf_pool_take(&context->pool, chain->queue, chain->in_order, bytes, workspace);
    *borrowed = (clf_workspace){.bytes = bytes, .epoch = 1, .fresh = true};
    *workspace = borrowed;
    if (!given)
        return CLF_SUCCESS;
    borrowed->buffer = scratch->buffer;
    borrowed->offset = scratch->offset;
    return chain->rehearsal ? clf_check_scratch(chain->check, scratch, bytes) : CLF_SUCCESS;
}

void clf_scratch_return(clf_context *context, const clf_chain *chain, clf_workspace *workspace, cl_uint tickets,
                        clf_status status)
{
    if (status == CLF_SUCCESS)
        clf_pool_return(&context->pool, workspace, chain->queue, chain->in_order, tickets, clf_chain_proof(chain));
    else
        clf_pool_discard(&context->pool, workspace);
}

cl_ulong clf_scratch_round(cl_ulong bytes)
{
    return (bytes + 15) / 16 * 16;
}

clf_status clf_engine_enqueue(clf_engine *engine, clf_chain *chain, clf_arguments *arguments, cl_ulong n,
                              const clf_array *scratch)
{
    const cl_uint size = clf_parameter_get(&engine->parameters, "size", 0);
    const cl_ulong bytes = arguments->flags & CLF_ARG_ALONE ? 0 : clf_engine_scratch(engine, n);
    clf_workspace borrowed, *workspace = NULL;
    cl_uint tickets = 0;
    if (size != 0 && size != arguments->size)
        return clf_refuse(chain->check, CLF_E_UNSUPPORTED, "the plan is for segments of %u elements", (unsigned)size);
    if (bytes)
        CLF_TRY(clf_scratch_take(engine->context, chain, scratch, bytes, &borrowed, &workspace));
    const clf_status status = run_engine(engine, chain, arguments, workspace, &tickets);
    if (workspace)
        clf_scratch_return(engine->context, chain, workspace, tickets, status);
    return status;
}

typedef struct engine_call {
    clf_engine *engine;
    clf_arguments *arguments;
    cl_ulong n;
    const clf_array *scratch;
} engine_call;

static clf_status enqueue_alone(void *state, clf_chain *chain)
{
    const engine_call *call = state;
    return clf_engine_enqueue(call->engine, chain, call->arguments, call->n, call->scratch);
}

clf_status clf_engine_run(clf_engine *engine, clf_check *check, cl_command_queue queue, clf_arguments *arguments,
                          cl_ulong n, const clf_array *scratch, cl_uint wait_count, const cl_event *wait,
                          cl_event *event)
{
    engine_call call = {engine, arguments, n, scratch};
    return clf_run(check, queue, wait_count, wait, event, enqueue_alone, &call);
}
