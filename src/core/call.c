/* SPDX-License-Identifier: MIT */
/*
 * call: an engine enqueued with scratch of the caller's or the pool's: the part of a call that all primitives
 * share. See "Life of a call" in src/README.md.
 */
#include "core/core.h"

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

/* `bytes`: how much of the workspace the engine uses. */
static clf_status run_engine(clf_engine *engine, clf_chain *chain, clf_arguments *arguments, clf_workspace *workspace,
                             cl_ulong bytes, cl_uint *tickets)
{
    const bool messages = engine->variant->waits;
    if (workspace) {
        if (messages)
            CLF_TRY(clear(chain, workspace, bytes));
        else
            workspace->clean = 0; /* other variants leave words that could be taken for messages */
        arguments->scratch = workspace->buffer;
        arguments->scratch_offset = workspace->offset;
        arguments->epoch = workspace->epoch;
        arguments->ticket = workspace->ticket;
    }
    arguments->array_count = engine->array_count;
    arguments->number_count = engine->number_count;
    CLF_TRY(engine->variant->enqueue(engine, chain, arguments, tickets));
    if (workspace && *tickets == CLF_TICKETS_UNKNOWN) {
        workspace->clean = 0;
        *tickets = 0;
    }
    return CLF_SUCCESS;
}

clf_status clf_scratch_take(clf_context *context, const clf_chain *chain, const clf_array *scratch, cl_ulong bytes,
                            clf_workspace *borrowed, clf_workspace **workspace)
{
    const bool given = scratch && scratch->buffer;
    if (!given && !chain->rehearsal)
        return clf_pool_take(&context->pool, chain->queue, chain->in_order, bytes, workspace);
    *borrowed = (clf_workspace){.bytes = bytes, .epoch = 1};
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

cl_ulong clf_engine_scratch(const clf_engine *engine, cl_ulong n)
{
    return engine && engine->variant->scratch ? engine->variant->scratch(engine, n) : 0;
}

cl_ulong clf_scratch_round(cl_ulong bytes)
{
    return bytes < CLF_SCRATCH_MOST ? (bytes + 15) / 16 * 16 : CLF_SCRATCH_MOST;
}

cl_ulong clf_scratch_for(cl_ulong count, cl_ulong each)
{
    return each == 0 || count < CLF_SCRATCH_MOST / each ? clf_scratch_round(count * each) : CLF_SCRATCH_MOST;
}

clf_array clf_scratch_behind(const clf_array *scratch, cl_ulong bytes)
{
    const clf_array none = {0};
    return scratch && scratch->buffer ? (clf_array){scratch->buffer, scratch->offset + bytes} : none;
}

clf_status clf_engine_prepare(clf_engine *engine, const clf_check *check)
{
    clf_error error = {.size = sizeof error};
    const clf_status status = clf_engine_compile(engine, &error);
    return status == CLF_SUCCESS ? status : clf_refuse(check, status, "%s", error.message);
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
    CLF_TRY(clf_engine_prepare(engine, chain->check));
    if (bytes)
        CLF_TRY(clf_scratch_take(engine->context, chain, scratch, bytes, &borrowed, &workspace));
    const clf_status status = run_engine(engine, chain, arguments, workspace, bytes, &tickets);
    if (workspace)
        clf_scratch_return(engine->context, chain, workspace, tickets, status);
    return status;
}

/* ---- What only the device knows ------------------------------------------------------------------------ */

enum { GIVEN_SIZES = 16 }; /* bytes before the initial value, if there are sizes: cl/memory/given.cl */

cl_ulong clf_call_scratch(const clf_plan *plan)
{
    return plan->flags & CLF_FROM_DEVICE ? clf_scratch_round(GIVEN_SIZES + 4 * clf_fields_words(&plan->op.value)) : 0;
}

/* Alone an initial value of one field, whole words, is where kernels want it. */
static bool is_in_place(const clf_call *call, const clf_operator_copy *op)
{
    const clf_fields *const value = &op->value;
    return !call->actual.buffer && value->count == 1 && value->field[0].bytes == 4 * clf_field_words(&value->field[0]);
}

/* Copies the words of the initial value, and the size if there is one, to where kernels look for both. */
static clf_status copy_given(clf_chain *chain, const clf_call *call, const clf_operator_copy *op, clf_workspace *given)
{
    cl_ulong at = given->offset + (call->actual.buffer ? GIVEN_SIZES : 0);
    given->clean = 0; /* the words could be taken for messages */
    if (call->actual.buffer)
        CLF_TRY(clf_chain_copy_bytes(chain, call->actual.buffer, call->actual.offset * sizeof(cl_ulong), given->buffer,
                                     given->offset, sizeof(cl_ulong)));
    for (cl_uint i = 0; i < op->value.count; ++i) {
        const clf_field *field = &op->value.field[i];
        const clf_array *from = &call->initial_arrays[i];
        CLF_TRY(
            clf_chain_copy_bytes(chain, from->buffer, from->offset * field->bytes, given->buffer, at, field->bytes));
        at += 4 * clf_field_words(field);
    }
    return CLF_SUCCESS;
}

/* What the host can say of size and initial value. Of two sequences both sizes are on the device. */
static void say_given(const clf_call *call, clf_arguments *arguments, bool counted)
{
    arguments->initial = call->initial;
    arguments->flags |= call->initial ? CLF_ARG_INITIAL : 0u;
    arguments->flags |= call->initial_arrays ? CLF_ARG_INITIAL | CLF_ARG_GIVEN_INITIAL : 0u;
    if (!call->actual.buffer)
        return;
    arguments->given = (clf_array){call->actual.buffer, call->actual.offset * sizeof(cl_ulong)};
    arguments->flags |= counted ? CLF_ARG_GIVEN_COUNT : CLF_ARG_GIVEN_SIZE;
    arguments->flags |= arguments->op->in_sets > 1 ? CLF_ARG_GIVEN_COUNT : 0u;
}

clf_status clf_plan_scratch(const clf_plan *plan, cl_ulong n, cl_ulong count, cl_ulong *bytes)
{
    if (!plan || !bytes)
        return CLF_E_ARGUMENT;
    const clf_primitive *primitive = plan->primitive;
    *bytes = clf_call_scratch(plan);
    if (n == 0 && count == 0)
        return CLF_SUCCESS;
    const clf_shape shapes[] = {{1, 1, n, false, false}, {1, 1, n, true, false}, {1, n, 1, false, false}};
    cl_ulong most = 0;
    for (size_t i = 0; i < CLF_COUNT(shapes); ++i) {
        const cl_ulong one = clf_engine_scratch(primitive->choose(plan, &shapes[i]), n);
        most = one > most ? one : most;
    }
    cl_ulong all = *bytes + most;
    if (primitive->scratch)
        all = clf_scratch_round(all) + primitive->scratch(plan, n, count);
    *bytes = all < CLF_SCRATCH_MOST && all <= SIZE_MAX ? all : 0;
    return *bytes == all ? CLF_SUCCESS : CLF_E_OVERFLOW;
}

/* ---- A whole call -------------------------------------------------------------------------------------- */

/* Behind the commands that copy an initial value, if there is one that must be. The first bytes of scratch are for
 * that, used or not. */
static clf_status run_once(clf_chain *chain, const clf_plan *plan, const clf_call *call, clf_arguments *arguments,
                           clf_commands commands, void *state)
{
    clf_context *const context = chain->check->context;
    const cl_ulong bytes = clf_call_scratch(plan);
    const clf_array scratch = {call->scratch.buffer, call->scratch.offset + bytes};
    clf_workspace borrowed, *given = NULL;
    clf_status status = CLF_SUCCESS;
    if (call->initial_arrays && is_in_place(call, arguments->op)) {
        const clf_array *const initial = &call->initial_arrays[0];
        arguments->given = (clf_array){initial->buffer, initial->offset * arguments->op->value.field[0].bytes};
    } else if (call->initial_arrays) {
        CLF_TRY(clf_scratch_take(context, chain, &call->scratch, bytes, &borrowed, &given));
        arguments->given = (clf_array){given->buffer, given->offset};
        status = copy_given(chain, call, arguments->op, given);
    }
    if (status == CLF_SUCCESS)
        status = commands(state, chain, arguments, &scratch);
    if (given)
        clf_scratch_return(context, chain, given, 0, status);
    return status;
}

clf_status clf_run(clf_check *check, const clf_plan *plan, const clf_call *call, clf_arguments *arguments, bool counted,
                   clf_commands commands, void *state)
{
    clf_chain chain;
    CLF_TRY(clf_check_given(check, arguments->op, plan->flags, call));
    CLF_TRY(clf_chain_begin(&chain, check, call));
    say_given(call, arguments, counted);
    arguments->from_device = (plan->flags & CLF_FROM_DEVICE) != 0;
    chain.rehearsal = true;
    CLF_TRY(run_once(&chain, plan, call, arguments, commands, state));
    chain.rehearsal = false;
    clf_status status = run_once(&chain, plan, call, arguments, commands, state);
    if (status == CLF_SUCCESS)
        status = clf_chain_end(&chain, call->event);
    if (status != CLF_SUCCESS)
        clf_chain_abort(&chain);
    return status;
}

const clf_array clf_no_arrays[(CLF_MAX_SETS + 1) * CLF_MAX_FIELDS];

clf_status clf_run_nothing(clf_check *check, const clf_call *call)
{
    clf_chain chain;
    CLF_TRY(clf_chain_begin(&chain, check, call));
    const clf_status status = clf_chain_end(&chain, call->event);
    if (status != CLF_SUCCESS)
        clf_chain_abort(&chain);
    return status;
}

typedef struct engine_call {
    clf_engine *engine;
    cl_ulong n;
} engine_call;

static clf_status enqueue_alone(void *state, clf_chain *chain, clf_arguments *arguments, const clf_array *scratch)
{
    const engine_call *call = state;
    return clf_engine_enqueue(call->engine, chain, arguments, call->n, scratch);
}

clf_status clf_engine_run(clf_engine *engine, const clf_plan *plan, clf_check *check, const clf_call *call,
                          clf_arguments *arguments, cl_ulong n, bool counted)
{
    engine_call state = {engine, n};
    return clf_run(check, plan, call, arguments, counted, enqueue_alone, &state);
}
