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

clf_status clf_engine_run(clf_engine *engine, cl_command_queue queue, clf_arguments *arguments, cl_ulong n,
                          const clf_array *scratch, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    clf_pool *pool = &engine->context->pool;
    const cl_uint size = clf_parameter_get(&engine->parameters, "size", 0);
    if (size != 0 && size != arguments->size)
        return CLF_E_UNSUPPORTED;
    const cl_ulong bytes = arguments->flags & CLF_ARG_ALONE ? 0 : clf_engine_scratch(engine, n);
    clf_workspace borrowed, *workspace = NULL;
    clf_chain chain;
    cl_uint tickets = 0;
    CLF_TRY(clf_chain_begin(&chain, queue, wait_count, wait, event != NULL));
    if (bytes && scratch && scratch->buffer) {
        CLF_TRY(borrow_scratch(engine->context->cl, scratch, bytes, &borrowed));
        workspace = &borrowed;
    } else if (bytes) {
        CLF_TRY(clf_pool_take(pool, queue, chain.in_order, bytes, &workspace));
    }
    const clf_status status = run_engine(engine, &chain, arguments, workspace, &tickets);
    if (workspace && workspace != &borrowed) {
        if (status == CLF_SUCCESS)
            clf_pool_return(pool, workspace, queue, chain.in_order, tickets, clf_chain_proof(&chain));
        else
            clf_pool_discard(pool, workspace);
    }
    if (status == CLF_SUCCESS)
        clf_chain_end(&chain, event);
    else
        clf_chain_abort(&chain);
    return status;
}
