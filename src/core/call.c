/* SPDX-License-Identifier: MIT */
/*
 * call: a plan's task from the check of its arguments to its event, and the commands and steps that a primitive's `run`
 * makes of it on the way. See "Life of a call" in src/README.md.
 */
#include "core/core.h"

#include <string.h>

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
    if (run->sink == CLF_MEASURE || run->status != CLF_SUCCESS || n == 0)
        return run->status;
    return clf_chain_fill(run->chain, array->buffer, array->offset * bytes, n * bytes);
}

clf_status clf_run_write(clf_run *run, const clf_array *array, cl_ulong value)
{
    if (run->sink == CLF_MEASURE || run->status != CLF_SUCCESS)
        return run->status;
    return clf_chain_write(run->chain, array->buffer, array->offset * sizeof value, value);
}

/* ---- Steps ------------------------------------------------------------------------------------------- */

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

/* ---- What only the device knows ------------------------------------------------------------------------ */

enum { GIVEN_SIZES = 16 }; /* bytes before the initial value, if there are sizes: cl/memory/value.cl */

/* Bytes that a call takes for itself: the first ones. */
static cl_ulong given_bytes(const clf_plan *plan)
{
    return plan->flags & CLF_FROM_DEVICE ? clf_scratch_round(GIVEN_SIZES + 4 * clf_operator_words(&plan->op)) : 0;
}

/* Alone an initial value of one field, whole words, is where kernels want it. */
static bool is_in_place(const clf_call *call, const clf_operator_copy *op)
{
    const clf_fields *const value = &op->value;
    return !call->actual.buffer && value->count == 1 && value->field[0].bytes == 4 * clf_field_words(&value->field[0]);
}

/* Copies the words of the initial value, and the size if there is one, to where kernels look for both. */
static clf_status copy_given(clf_chain *chain, const clf_call *call, const clf_operator_copy *op,
                             const clf_array *given)
{
    cl_ulong at = given->offset + (call->actual.buffer ? GIVEN_SIZES : 0);
    if (call->actual.buffer)
        CLF_TRY(clf_chain_copy_bytes(chain, call->actual.buffer, call->actual.offset * sizeof(cl_ulong), given->buffer,
                                     given->offset, sizeof(cl_ulong)));
    for (cl_uint i = 0; i < op->value.count; ++i) {
        const clf_field *field = &op->value.field[i];
        const clf_array *from = &call->initial_arrays[i];
        if (!clf_operator_carries(op, i))
            continue;
        CLF_TRY(
            clf_chain_copy_bytes(chain, from->buffer, from->offset * field->bytes, given->buffer, at, field->bytes));
        at += 4 * clf_field_words(field);
    }
    return CLF_SUCCESS;
}

/* What the host can say of size and initial value. Of two sequences both sizes are on the device. */
static void say_given(const clf_call *call, const clf_plan *plan, clf_task *task)
{
    task->initial = call->initial;
    task->flags |= call->initial ? CLF_ARG_INITIAL : 0u;
    task->flags |= call->initial_arrays ? CLF_ARG_INITIAL | CLF_ARG_GIVEN_INITIAL : 0u;
    if (!call->actual.buffer)
        return;
    task->given = (clf_array){call->actual.buffer, call->actual.offset * sizeof(cl_ulong)};
    task->flags |= task->counted ? CLF_ARG_GIVEN_COUNT : CLF_ARG_GIVEN_SIZE;
    task->flags |= plan->op.in_sets > 1 ? CLF_ARG_GIVEN_COUNT : 0u;
}

/* ---- Scratch that a plan's calls need ------------------------------------------------------------------ */

static cl_uint usual_tasks(cl_ulong n, clf_task *tasks)
{
    tasks[0].size = tasks[1].size = tasks[2].count = n;
    tasks[1].in_place = true;
    return n ? 3 : 1;
}

/* Measures the worst tasks, none of which has arrays. */
static cl_ulong measure(const clf_plan *plan, cl_ulong n, cl_ulong count)
{
    clf_task tasks[CLF_WORST];
    clf_run run = {.sink = CLF_MEASURE, .context = plan->context, .used = given_bytes(plan)};
    for (cl_uint i = 0; i < CLF_WORST; ++i)
        tasks[i] = (clf_task){.batch = 1, .count = 1, .size = 1, .entries = count, .any = 1, .replaced = ~0ull,
                              .in = clf_no_arrays, .out = clf_no_arrays};
    const cl_uint number = plan->primitive->worst ? plan->primitive->worst(plan, n, count, tasks)
                                                  : usual_tasks(n, tasks);
    run.most = run.used;
    for (cl_uint i = 0; i < number; ++i)
        clf_run_step(&run, plan, &tasks[i]);
    return run.most;
}

clf_status clf_plan_scratch(const clf_plan *plan, cl_ulong n, cl_ulong count, cl_ulong *bytes)
{
    if (!plan || !bytes)
        return CLF_E_ARGUMENT;
    *bytes = given_bytes(plan);
    if (n == 0 && count == 0)
        return CLF_SUCCESS;
    const cl_ulong all = measure(plan, n, count);
    *bytes = all < CLF_SCRATCH_MOST && all <= SIZE_MAX ? all : 0;
    return *bytes == all ? CLF_SUCCESS : CLF_E_OVERFLOW;
}

/* ---- A whole call -------------------------------------------------------------------------------------- */

const clf_array clf_no_arrays[(CLF_MAX_SETS + 1) * CLF_MAX_FIELDS];

const clf_array *clf_captured_alone(const clf_operator_copy *op, const clf_array *in, clf_array alone[])
{
    if (!(op->finish || op->key || clf_combine_captures(op)) || op->captured.count == 0)
        return clf_no_arrays;
    memset(alone, 0, op->input.count * sizeof *alone);
    memcpy(alone + op->input.count, in + op->input.count, op->captured.count * sizeof *alone);
    return alone;
}

clf_status clf_call_nothing(clf_check *check, const clf_call *call)
{
    clf_chain chain;
    CLF_TRY(clf_chain_begin(&chain, check, call));
    const clf_status status = clf_chain_end(&chain, call->event);
    if (status != CLF_SUCCESS)
        clf_chain_abort(&chain);
    return status;
}

/*
 * Where kernels find the initial value on the device: where it is, or in scratch, behind the size. The first bytes of
 * the caller's scratch are for that, used or not.
 */
static void place_given(clf_run *run, const clf_plan *plan, const clf_call *call, clf_task *task)
{
    const clf_operator_copy *const op = &plan->op;
    const bool copied = call->initial_arrays && !is_in_place(call, op);
    clf_array given = {0};
    if (copied || !run->pooled)
        given = clf_run_array(run, CLF_PLAIN, given_bytes(plan), 1);
    if (call->initial_arrays && !copied) {
        const clf_array *const initial = &call->initial_arrays[0];
        task->given = (clf_array){initial->buffer, initial->offset * op->value.field[0].bytes};
    }
    if (!copied)
        return;
    task->given = given;
    if (run->status == CLF_SUCCESS)
        run->status = copy_given(run->chain, call, op, &given);
}

/* The whole call for a sink. */
static clf_status run_for(clf_sink sink, clf_run *run, const clf_plan *plan, const clf_call *call,
                          clf_run_function *function, clf_task task)
{
    run->sink = sink;
    run->chain->rehearsal = sink == CLF_REHEARSE;
    run->needed = run->most;
    run->used = run->most = 0;
    place_given(run, plan, call, &task);
    const clf_status status = clf_run_part(run, plan, &task, function);
    clf_run_end(run, status);
    return status;
}

clf_status clf_call_run(clf_check *check, const clf_plan *plan, const clf_call *call, clf_run_function *function,
                        clf_task *task)
{
    clf_chain chain;
    clf_run run = {.pooled = !call->scratch.buffer, .context = check->context, .chain = &chain};
    CLF_TRY(clf_check_given(check, &plan->op, plan->flags, call));
    CLF_TRY(clf_chain_begin(&chain, check, call));
    say_given(call, plan, task);
    if (!run.pooled)
        run.scratch = call->scratch;
    CLF_TRY(run_for(CLF_REHEARSE, &run, plan, call, function, *task));
    if (!run.pooled && run.most > 0)
        CLF_TRY(clf_check_scratch(check, &call->scratch, run.most));
    clf_status status = run_for(CLF_ENQUEUE, &run, plan, call, function, *task);
    if (status == CLF_SUCCESS)
        status = clf_chain_end(&chain, call->event);
    if (status != CLF_SUCCESS)
        clf_chain_abort(&chain);
    return status;
}

clf_status clf_rows_check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task)
{
    const clf_operator_copy *const op = &plan->op;
    cl_ulong n;
    CLF_TRY(clf_check_out_count(check, call, clf_operator_arrays(op)));
    CLF_TRY(clf_rows_elements(check, task->count, task->size, &n));
    CLF_TRY(clf_check_arrays(check, op, &n, &n, task->in, task->out));
    task->in_place = check->in_place;
    task->nothing = n == 0;
    return CLF_SUCCESS;
}

bool clf_plan_is_of(const clf_plan *plan, const clf_primitive *of)
{
    return plan && strcmp(plan->primitive->name, of->name) == 0;
}

/* What is written, as kernels have it: without the results that the plan does not want. Extra outputs may not exist. */
static void take_wanted(const clf_operator_copy *op, clf_task *task, clf_array *taken)
{
    const cl_uint made = clf_operator_made(op)->count, all = made + (task->size ? op->extra.count : 0);
    cl_uint count = 0;
    for (cl_uint f = 0; f < all; ++f)
        if (f >= made || op->wanted >> f & 1)
            taken[count++] = task->out[f];
    task->out = taken;
}

clf_status clf_call_task(const clf_plan *plan, const clf_primitive *of, const char *name, const clf_call *call,
                         clf_task *task)
{
    clf_check check;
    clf_array wanted[2 * CLF_MAX_FIELDS]; /* filled where the plan does not want all */
    if (!clf_plan_is_of(plan, of))
        return clf_refuse_plan(plan, name);
    CLF_TRY(clf_check_begin_in(&check, plan->context, name, &plan->op, call));
    CLF_TRY(plan->primitive->check(plan, &check, call, task));
    if (task->nothing)
        return clf_call_nothing(&check, call);
    if (plan->op.wanted && task->out)
        take_wanted(&plan->op, task, wanted);
    return clf_call_run(&check, plan, call, plan->primitive->run, task);
}
