/* SPDX-License-Identifier: MIT */
/*
 * call: an engine enqueued with scratch of the caller's or the pool's: the part of a call that all primitives
 * share. See "Life of a call" in README.md.
 */
#include "internal.h"

/* The caller's scratch as a workspace of this one call. */
static clf_status borrow_scratch(cl_context cl, const clf_array *scratch, cl_ulong bytes, clf_workspace *workspace)
{
    size_t size = 0;
    cl_context other = NULL;
    cl_mem_flags access = 0;
    if (scratch->offset % 16 != 0)
        return CLF_E_SCRATCH;
    CLF_TRY(clGetMemObjectInfo(scratch->buffer, CL_MEM_CONTEXT, sizeof other, &other, NULL));
    if (other != cl)
        return CLF_E_CONTEXT;
    CLF_TRY(clGetMemObjectInfo(scratch->buffer, CL_MEM_FLAGS, sizeof access, &access, NULL));
    if (access & (CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY))
        return CLF_E_BUFFER;
    CLF_TRY(clGetMemObjectInfo(scratch->buffer, CL_MEM_SIZE, sizeof size, &size, NULL));
    if (scratch->offset > size || bytes > size - scratch->offset)
        return CLF_E_SCRATCH;
    *workspace = (clf_workspace){
        .buffer = scratch->buffer, .offset = scratch->offset, .bytes = bytes, .epoch = 1, .fresh = true};
    return CLF_SUCCESS;
}

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
    if (!scratch || !scratch->buffer)
        return clf_pool_take(&context->pool, chain->queue, chain->in_order, bytes, workspace);
    *workspace = borrowed;
    return borrow_scratch(context->cl, scratch, bytes, borrowed);
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
        return CLF_E_UNSUPPORTED;
    if (bytes)
        CLF_TRY(clf_scratch_take(engine->context, chain, scratch, bytes, &borrowed, &workspace));
    const clf_status status = run_engine(engine, chain, arguments, workspace, &tickets);
    if (workspace)
        clf_scratch_return(engine->context, chain, workspace, tickets, status);
    return status;
}

clf_status clf_engine_run(clf_engine *engine, cl_command_queue queue, clf_arguments *arguments, cl_ulong n,
                          const clf_array *scratch, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    clf_chain chain;
    CLF_TRY(clf_chain_begin(&chain, queue, wait_count, wait, event != NULL));
    const clf_status status = clf_engine_enqueue(engine, &chain, arguments, n, scratch);
    if (status == CLF_SUCCESS)
        clf_chain_end(&chain, event);
    else
        clf_chain_abort(&chain);
    return status;
}
