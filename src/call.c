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
    const clf_status status = engine->variant->enqueue(engine, chain, arguments, tickets);
    if (workspace && *tickets == CLF_TICKETS_UNKNOWN) {
        workspace->fresh = true;
        *tickets = 0;
    }
    return status;
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

/* ---- A whole call ------------------------------------------------------------------------------------- */

enum { GIVEN_INITIAL_AT = 16 }; /* bytes: cl/given.cl */

cl_ulong clf_call_scratch(const clf_operator_copy *op)
{
    return op->source ? clf_scratch_round(GIVEN_INITIAL_AT + 4 * clf_fields_words(&op->value)) : 0;
}

/* Copies the words of the initial value, and the size if there is one, to where kernels look for both. */
static clf_status copy_given(clf_running *run, const clf_call *call, const clf_operator_copy *op)
{
    const clf_array bytes = {run->given->buffer, run->given->offset};
    cl_ulong at = bytes.offset + GIVEN_INITIAL_AT;
    run->given->fresh = true; /* the words could be taken for messages */
    if (call->actual.buffer)
        CLF_TRY(clf_chain_copy_bytes(&run->chain, call->actual.buffer, call->actual.offset * sizeof(cl_ulong), bytes.buffer,
                                     bytes.offset, sizeof(cl_ulong)));
    for (cl_uint i = 0; i < op->value.count; ++i) {
        const clf_field *field = &op->value.field[i];
        const clf_array *from = &call->initial_arrays[i];
        CLF_TRY(clf_chain_copy_bytes(&run->chain, from->buffer, from->offset * field->bytes, bytes.buffer, at, field->bytes));
        at += 4 * clf_field_words(field);
    }
    return CLF_SUCCESS;
}

/* The first bytes of scratch are for this, used or not. */
static clf_status give_initial(clf_running *run, const clf_call *call, const clf_operator_copy *op,
                               clf_arguments *arguments)
{
    const cl_ulong bytes = clf_call_scratch(op);
    CLF_TRY(clf_scratch_take(run->context, &run->chain, &call->scratch, bytes, &run->borrowed, &run->given));
    arguments->given = (clf_array){run->given->buffer, run->given->offset};
    arguments->flags |= CLF_ARG_INITIAL | CLF_ARG_GIVEN_INITIAL;
    return copy_given(run, call, op);
}

clf_status clf_call_begin(clf_running *run, clf_plan *plan, const clf_call *call, clf_arguments *arguments, bool counted)
{
    *run = (clf_running){.context = plan->context, .scratch = call->scratch};
    run->scratch.offset += clf_call_scratch(&plan->op);
    CLF_TRY(clf_chain_begin(&run->chain, call));
    arguments->initial = call->initial;
    arguments->flags |= call->initial ? CLF_ARG_INITIAL : 0u;
    if (call->actual.buffer) {
        arguments->given = (clf_array){call->actual.buffer, call->actual.offset * sizeof(cl_ulong)};
        arguments->flags |= counted ? CLF_ARG_GIVEN_COUNT : CLF_ARG_GIVEN_SIZE;
    }
    const clf_status status = call->initial_arrays ? give_initial(run, call, &plan->op, arguments) : CLF_SUCCESS;
    return status == CLF_SUCCESS ? status : clf_call_end(run, call, status);
}

clf_status clf_call_end(clf_running *run, const clf_call *call, clf_status status)
{
    if (run->given)
        clf_scratch_return(run->context, &run->chain, run->given, 0, status);
    if (status == CLF_SUCCESS)
        clf_chain_end(&run->chain, call->event);
    else
        clf_chain_abort(&run->chain);
    return status;
}

clf_status clf_engine_run(clf_engine *engine, clf_plan *plan, const clf_call *call, clf_arguments *arguments, cl_ulong n,
                          bool counted)
{
    clf_running run;
    CLF_TRY(clf_call_begin(&run, plan, call, arguments, counted));
    return clf_call_end(&run, call, clf_engine_enqueue(engine, &run.chain, arguments, n, &run.scratch));
}
