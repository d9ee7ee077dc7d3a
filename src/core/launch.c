/* SPDX-License-Identifier: MIT */
/*
 * Enqueueing: chains of commands, and kernels with their arguments.
 *
 * All kernels have arguments of the same kinds (cl/program/kernel_template.cl), so one function launches them all. A
 * cl_kernel holds its arguments until it is enqueued, so a call owns one for that time: they come from a small pool. In
 * an in-order queue the order of enqueueing is the order of execution, and no events are made unless asked for.
 */
#include "core/core.h"

#include <string.h>

/* ---- Chains ---------------------------------------------------------------------------------------- */

clf_status clf_chain_begin(clf_chain *chain, clf_check *check, const clf_call *call)
{
    cl_command_queue_properties properties = 0;
    CLF_TRY(clGetCommandQueueInfo(call->queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
    CLF_TRY(clf_check_wait_list(check, call->wait_count, call->wait));
    const bool in_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
    const bool want_proof = !in_order || call->wait_count > 0;
    *chain = (clf_chain){
        .queue = call->queue,
        .in_order = in_order,
        .wait_count = call->wait_count,
        .wait = call->wait,
        .want_event = call->event || want_proof,
        .want_proof = want_proof,
        .check = check,
    };
    return CLF_SUCCESS;
}

/*
 * What the next command waits for: the caller's list, or the command before, or nothing. Behind a wait list
 * that is so in an in-order queue too: a command that never ran must fail all after it, or the event lies.
 */
static cl_uint next_wait(const clf_chain *chain, const cl_event **wait)
{
    const bool behind = chain->wait_count == 0 && chain->want_proof && chain->previous;
    *wait = behind ? &chain->previous : chain->wait;
    return behind ? 1 : chain->wait_count;
}

/* Makes `event` (NULL where none was wanted) that of the last command. */
static void advance(clf_chain *chain, cl_event event)
{
    if (chain->previous)
        clReleaseEvent(chain->previous);
    chain->previous = event;
    chain->wait_count = 0;
    chain->wait = NULL;
}

static clf_status fill(clf_chain *chain, const void *pattern, size_t pattern_bytes, cl_mem buffer, cl_ulong offset,
                       cl_ulong bytes)
{
    if (chain->rehearsal)
        return CLF_SUCCESS;
    const cl_event *wait;
    const cl_uint wait_count = next_wait(chain, &wait);
    cl_event event = NULL;
    CLF_TRY(clEnqueueFillBuffer(chain->queue, buffer, pattern, pattern_bytes, (size_t)offset, (size_t)bytes, wait_count,
                                wait, chain->want_event ? &event : NULL));
    advance(chain, event);
    return CLF_SUCCESS;
}

clf_status clf_chain_fill(clf_chain *chain, cl_mem buffer, cl_ulong offset, cl_ulong bytes)
{
    static const cl_uint zero = 0;
    return fill(chain, &zero, sizeof zero, buffer, offset, bytes);
}

clf_status clf_chain_write(clf_chain *chain, cl_mem buffer, cl_ulong offset, cl_ulong value)
{
    return fill(chain, &value, sizeof value, buffer, offset, sizeof value);
}

clf_status clf_chain_copy(clf_chain *chain, const clf_array *in, const clf_array *out, cl_ulong n, cl_uint element)
{
    return clf_chain_copy_bytes(chain, in->buffer, in->offset * element, out->buffer, out->offset * element,
                                n * element);
}

clf_status clf_chain_copy_bytes(clf_chain *chain, cl_mem from, cl_ulong from_at, cl_mem to, cl_ulong to_at,
                                cl_ulong bytes)
{
    if (chain->rehearsal)
        return CLF_SUCCESS;
    const cl_event *wait;
    const cl_uint wait_count = next_wait(chain, &wait);
    cl_event event = NULL;
    CLF_TRY(clEnqueueCopyBuffer(chain->queue, from, to, (size_t)from_at, (size_t)to_at, (size_t)bytes, wait_count, wait,
                                chain->want_event ? &event : NULL));
    advance(chain, event);
    return CLF_SUCCESS;
}

static clf_status mark(clf_chain *chain)
{
    cl_event marker = NULL;
    CLF_TRY(
        clEnqueueMarkerWithWaitList(chain->queue, chain->wait_count, chain->wait, chain->want_event ? &marker : NULL));
    advance(chain, marker);
    return CLF_SUCCESS;
}

clf_status clf_chain_end(clf_chain *chain, cl_event *event)
{
    const bool waits = chain->wait_count > 0 && chain->in_order; /* still: no command has honoured the list */
    if (waits || (event && !chain->previous))
        CLF_TRY(mark(chain));
    if (event) {
        *event = chain->previous;
        chain->previous = NULL;
    }
    clf_chain_abort(chain);
    return CLF_SUCCESS;
}

void clf_chain_abort(clf_chain *chain)
{
    if (chain->previous)
        clReleaseEvent(chain->previous);
    chain->previous = NULL;
}

cl_event clf_chain_proof(const clf_chain *chain)
{
    return chain->want_proof ? chain->previous : NULL;
}

/* ---- Kernels --------------------------------------------------------------------------------------- */

static clf_status take_kernel(clf_kernel_pool *pool, cl_kernel *kernel)
{
    clf_lock_acquire(&pool->lock);
    *kernel = pool->count > 0 ? pool->idle[--pool->count] : NULL;
    clf_lock_release(&pool->lock);
    clf_status status = CLF_SUCCESS;
    if (!*kernel)
        *kernel = clCreateKernel(pool->program, pool->name, &status);
    return status;
}

static void return_kernel(clf_kernel_pool *pool, cl_kernel kernel)
{
    clf_lock_acquire(&pool->lock);
    if (pool->count < CLF_POOLED_KERNELS) {
        pool->idle[pool->count++] = kernel;
        kernel = NULL;
    }
    clf_lock_release(&pool->lock);
    if (kernel)
        clReleaseKernel(kernel);
}

void clf_kernel_pool_free(clf_kernel_pool *pool)
{
    while (pool->count > 0)
        clReleaseKernel(pool->idle[--pool->count]);
}

/* Words of clf_scalars (cl/memory/value.cl): where arrays begin, three sizes, three numbers and the program's own. */
enum { MOST_BUFFERS = 2 * (CLF_MAX_SETS + 1) * CLF_MAX_FIELDS + 2 + CLF_MAX_MORE, SIZES = 3, NUMBERS = 3 };

/* Sets arguments one after the other; the first failure sticks. `stand_in` takes the place of buffers that are not
 * there. Scalars are collected, to be set at last. */
typedef struct setter {
    cl_kernel kernel;
    cl_uint index;
    cl_mem stand_in;
    clf_status status;
    cl_uint scalar_count;
    cl_ulong scalar[MOST_BUFFERS + SIZES + (NUMBERS + CLF_MAX_MORE + 1) / 2];
} setter;

static void set(setter *s, size_t bytes, const void *value)
{
    if (s->status == CLF_SUCCESS)
        s->status = clSetKernelArg(s->kernel, s->index++, bytes, value);
}

static void set_arrays(setter *s, const clf_array *arrays, cl_uint count)
{
    for (cl_uint i = 0; i < count; ++i) {
        const cl_mem bound = arrays[i].buffer ? arrays[i].buffer : s->stand_in;
        set(s, sizeof bound, &bound);
        s->scalar[s->scalar_count++] = arrays[i].offset;
    }
}

static void set_scalars(setter *s, const clf_arguments *a)
{
    cl_uint numbers[NUMBERS + CLF_MAX_MORE + 1] = {a->epoch, a->ticket, a->flags};
    const cl_ulong sizes[SIZES] = {a->count, a->size, a->room};
    const cl_uint words = (NUMBERS + a->number_count + 1) / 2;
    memcpy(numbers + NUMBERS, a->numbers, a->number_count * sizeof *numbers);
    memcpy(s->scalar + s->scalar_count, sizes, sizeof sizes);
    memcpy(s->scalar + s->scalar_count + SIZES, numbers, words * sizeof *s->scalar);
    set(s, (s->scalar_count + SIZES + words) * sizeof *s->scalar, s->scalar);
}

static void set_initial(setter *s, const clf_fields *value, const void *initial)
{
    static const cl_ulong zeros[16]; /* the widest field is 16 doubles */
    for (cl_uint i = 0; i < value->count; ++i) {
        const clf_field *field = &value->field[i];
        set(s, field->bytes, initial ? (const char *)initial + field->offset : (const char *)zeros);
    }
}

static cl_uint inputs_of(const clf_operator_copy *op)
{
    return op->in_sets * op->input.count + op->captured.count;
}

static cl_mem first_buffer(const clf_array *arrays, cl_uint count)
{
    cl_mem found = NULL;
    for (cl_uint i = 0; i < count && !found; ++i)
        found = arrays[i].buffer;
    return found;
}

/*
 * Some buffer of the call, for a driver that runs guarded loads though their guard is false, as Mesa's llvmpipe does
 * (driver_bugs/rusticl_guarded.c): nothing is read from it that matters. NULL for others, which need none.
 */
static cl_mem stand_in_for(const clf_facts *facts, const clf_arguments *a)
{
    cl_mem buffer = facts->is_rusticl ? a->scratch : NULL;
    if (facts->is_rusticl && !buffer)
        buffer = first_buffer(a->out, clf_operator_outputs(a->op));
    if (facts->is_rusticl && !buffer)
        buffer = first_buffer(a->in, inputs_of(a->op));
    return buffer;
}

static clf_status set_arguments(cl_kernel kernel, const clf_facts *facts, const clf_arguments *a)
{
    setter s = {.kernel = kernel, .stand_in = stand_in_for(facts, a)};
    set_arrays(&s, a->in, inputs_of(a->op));
    set_arrays(&s, a->out, clf_operator_outputs(a->op));
    set_arrays(&s, &(clf_array){a->scratch, a->scratch_offset}, 1);
    set_arrays(&s, &a->given, a->from_device ? 1 : 0);
    set_arrays(&s, a->arrays, a->array_count);
    set_initial(&s, &a->op->value, a->initial);
    set_scalars(&s, a);
    return s.status;
}

/* Kernels number groups, and what they publish, in 32 bits. */
static clf_status check_groups(const clf_chain *chain, cl_ulong groups)
{
    if (groups <= (cl_uint)CL_INT_MAX)
        return CLF_SUCCESS;
    return clf_refuse(chain->check, CLF_E_OVERFLOW, "%llu work-groups are more than 32 bits can count",
                      (unsigned long long)groups);
}

static clf_status enqueue(clf_chain *chain, cl_kernel kernel, cl_ulong groups, size_t group)
{
    const size_t items = (size_t)groups * group;
    const cl_event *wait;
    const cl_uint wait_count = next_wait(chain, &wait);
    cl_event event = NULL;
    CLF_TRY(clEnqueueNDRangeKernel(chain->queue, kernel, 1, NULL, &items, &group, wait_count, wait,
                                   chain->want_event ? &event : NULL));
    advance(chain, event);
    return CLF_SUCCESS;
}

clf_status clf_launch(clf_chain *chain, clf_kernel_pool *pool, const clf_arguments *arguments, cl_ulong groups,
                      size_t group)
{
    cl_kernel kernel;
    CLF_TRY(check_groups(chain, groups));
    if (chain->rehearsal)
        return CLF_SUCCESS;
    CLF_TRY(take_kernel(pool, &kernel));
    clf_status status = set_arguments(kernel, &chain->check->context->facts, arguments);
    if (status == CLF_SUCCESS)
        status = enqueue(chain, kernel, groups, group);
    return_kernel(pool, kernel);
    return status;
}

clf_status clf_launch_flat(clf_chain *chain, clf_kernel_pool *pool, const clf_argument *arguments, cl_uint count,
                           cl_ulong groups, size_t group)
{
    setter s = {0};
    CLF_TRY(check_groups(chain, groups));
    if (chain->rehearsal)
        return CLF_SUCCESS;
    CLF_TRY(take_kernel(pool, &s.kernel));
    for (cl_uint i = 0; i < count; ++i)
        set(&s, arguments[i].bytes, arguments[i].value);
    if (s.status == CLF_SUCCESS)
        s.status = enqueue(chain, s.kernel, groups, group);
    return_kernel(pool, s.kernel);
    return s.status;
}
