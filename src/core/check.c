/* SPDX-License-Identifier: MIT */
/*
 * The checks that every call makes before it enqueues anything: contexts, sizes, access and overlaps of the
 * caller's arrays. A call that fails here has touched nothing. What was checked is kept as a list of spans, so that
 * each further array is compared with all before it.
 */
#include "core/core.h"

#include <stdio.h>

/* ---- Refusals ---------------------------------------------------------------------------------------- */

clf_status clf_refuse(const clf_check *check, clf_status status, const char *format, ...)
{
    const clf_context *context = check->context;
    if (context->notify) {
        char sentence[256];
        const int length = snprintf(sentence, sizeof sentence, "%s: ", check->call);
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(sentence + length, sizeof sentence - (size_t)length, format, arguments);
        va_end(arguments);
        context->notify(sentence, status, context->user);
    }
    return status;
}

clf_status clf_refuse_plan(const clf_plan *plan, const char *call)
{
    if (!plan)
        return CLF_E_ARGUMENT; /* there is nobody to tell */
    const clf_check check = {.context = plan->context, .call = call};
    return clf_refuse(&check, CLF_E_ARGUMENT, "the plan is one for %s", plan->primitive->name);
}

/* "in[2]" */
typedef struct label {
    char text[32];
} label;

static label name_of(clf_span_role role, cl_uint index)
{
    static const char *const names[] = {"in", "in", "out", "out", "call->initial_arrays", "segments", "indices",
                                        "edges", "low_and_high", "begin_and_width", "call->actual", "result_count",
                                        "call->scratch"};
    label name;
    if (role <= CLF_SPAN_INITIAL)
        snprintf(name.text, sizeof name.text, "%s[%u]", names[role], (unsigned)index);
    else
        snprintf(name.text, sizeof name.text, "%s", names[role]);
    return name;
}

/* A call of OpenCL about this object of the caller's that fails is a refusal, too. `object` is looked at only then. */
#define TRY_ASK(check, object, expression)                                                          \
    do {                                                                                            \
        const clf_status ask_status_ = (expression);                                                \
        if (ask_status_ != CL_SUCCESS)                                                              \
            return clf_refuse(check, ask_status_, "%s: %s", object, clf_status_text(ask_status_));  \
    } while (0)

/* ---- Queues and wait lists --------------------------------------------------------------------------- */

static clf_status check_queue(const clf_check *check, cl_command_queue queue)
{
    const clf_context *context = check->context;
    cl_context cl = NULL;
    cl_device_id device = NULL;
    if (!queue)
        return clf_refuse(check, CLF_E_ARGUMENT, "call->queue is NULL");
    TRY_ASK(check, "queue", clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof cl, &cl, NULL));
    TRY_ASK(check, "queue", clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL));
    if (cl != context->cl || device != context->device)
        return clf_refuse(check, CLF_E_CONTEXT, "call->queue belongs to another cl_context or device");
    return CLF_SUCCESS;
}

/* Does the caller mean as many arrays as the operator has? */
static clf_status check_count(const clf_check *check, const char *name, cl_uint said, cl_uint needed)
{
    if (said == 0 || said == needed)
        return CLF_SUCCESS;
    return clf_refuse(check, CLF_E_ARGUMENT, "call->%s_count is %u, and the operator has %u arrays there", name,
                      (unsigned)said, (unsigned)needed);
}

clf_status clf_check_out_count(const clf_check *check, const clf_call *call, cl_uint needed)
{
    return check_count(check, "out", call->out_count, needed);
}

clf_status clf_check_begin_in(clf_check *check, clf_context *context, const char *name, const clf_operator_copy *op,
                              const clf_call *call)
{
    check->context = context;
    check->call = name;
    check->count = 0;
    check->values_apart = check->extra_apart = check->values_fewer = check->overwrites = check->in_place = false;
    if (!call)
        return clf_refuse(check, CLF_E_ARGUMENT, "call is NULL");
    if (call->size != sizeof *call)
        return clf_refuse(check, CLF_E_ARGUMENT, "call->size is not sizeof(clf_call)");
    if (call->initial && call->initial_arrays)
        return clf_refuse(check, CLF_E_ARGUMENT, "call->initial and call->initial_arrays are both given");
    CLF_TRY(check_count(check, "in", call->in_count, op->in_sets * op->input.count + op->captured.count));
    return check_queue(check, call->queue);
}

clf_status clf_check_begin(clf_check *check, clf_context *context, const char *name, const clf_operator_copy *op,
                           const clf_call *call)
{
    CLF_TRY(clf_check_begin_in(check, context, name, op, call));
    return clf_check_out_count(check, call, clf_operator_arrays(op));
}

clf_status clf_check_wait_list(const clf_check *check, cl_uint wait_count, const cl_event *wait)
{
    if ((wait_count == 0) != (!wait))
        return clf_refuse(check, CL_INVALID_EVENT_WAIT_LIST, "wait_count is %u, and wait is%s NULL",
                          (unsigned)wait_count, wait ? " not" : "");
    for (cl_uint i = 0; i < wait_count; ++i) {
        cl_context cl = NULL;
        if (!wait[i])
            return clf_refuse(check, CL_INVALID_EVENT_WAIT_LIST, "wait[%u] is NULL", (unsigned)i);
        TRY_ASK(check, "wait", clGetEventInfo(wait[i], CL_EVENT_CONTEXT, sizeof cl, &cl, NULL));
        if (cl != check->context->cl)
            return clf_refuse(check, CLF_E_CONTEXT, "wait[%u] belongs to another cl_context", (unsigned)i);
    }
    return CLF_SUCCESS;
}

/* ---- One array --------------------------------------------------------------------------------------- */

static clf_status check_buffer(const clf_check *check, clf_span_role role, cl_uint index, cl_mem buffer,
                               cl_mem_flags forbidden, size_t *size)
{
    cl_context cl = NULL;
    cl_mem_flags flags = 0;
    cl_mem_object_type type = 0;
    if (!buffer)
        return clf_refuse(check, CLF_E_ARGUMENT, "%s.buffer is NULL", name_of(role, index).text);
    TRY_ASK(check, name_of(role, index).text, clGetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof cl, &cl, NULL));
    if (cl != check->context->cl)
        return clf_refuse(check, CLF_E_CONTEXT, "%s.buffer belongs to another cl_context", name_of(role, index).text);
    TRY_ASK(check, name_of(role, index).text, clGetMemObjectInfo(buffer, CL_MEM_TYPE, sizeof type, &type, NULL));
    if (type != CL_MEM_OBJECT_BUFFER)
        return clf_refuse(check, CLF_E_BUFFER, "%s.buffer is an image or a pipe, not a buffer",
                          name_of(role, index).text);
    TRY_ASK(check, name_of(role, index).text, clGetMemObjectInfo(buffer, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    TRY_ASK(check, name_of(role, index).text, clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof *size, size, NULL));
    if (flags & forbidden)
        return clf_refuse(check, CLF_E_BUFFER, "%s.buffer is %s-only", name_of(role, index).text,
                          flags & forbidden & CL_MEM_WRITE_ONLY ? "write" : "read");
    return CLF_SUCCESS;
}

/* Sub-buffers are traced to their parent, so that two of one parent can be compared. */
static clf_status find_owner(const clf_check *check, clf_span_role role, cl_uint index, cl_mem buffer, cl_mem *owner,
                             size_t *offset)
{
    cl_mem parent = NULL;
    *owner = buffer;
    *offset = 0;
    TRY_ASK(check, name_of(role, index).text,
            clGetMemObjectInfo(buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL));
    if (!parent)
        return CLF_SUCCESS;
    *owner = parent;
    TRY_ASK(check, name_of(role, index).text, clGetMemObjectInfo(buffer, CL_MEM_OFFSET, sizeof *offset, offset, NULL));
    return CLF_SUCCESS;
}

static bool is_written(const clf_check *check, const clf_span *s)
{
    return s->role == CLF_SPAN_VALUE || s->role == CLF_SPAN_EXTRA || s->role >= CLF_SPAN_RESULT_COUNT ||
           (s->role == CLF_SPAN_IN && check->overwrites);
}

static bool overlap(const clf_span *a, const clf_span *b)
{
    return a->owner == b->owner && a->begin < b->end && b->begin < a->end;
}

/* An output, b, may lie exactly where an input, a, does; or where its first elements do. */
static bool is_in_place(const clf_check *check, const clf_span *a, const clf_span *b)
{
    const bool output = b->role == CLF_SPAN_EXTRA ? !check->extra_apart
                                                  : b->role == CLF_SPAN_VALUE && !check->values_apart;
    const bool ends = a->end == b->end || (check->values_fewer && b->end < a->end);
    return a->role == CLF_SPAN_IN && !check->overwrites && output && a->begin == b->begin && ends &&
           a->element == b->element;
}

/* What is written is apart from all else, or in the place of an input. */
static clf_status check_overlaps(clf_check *check, const clf_span *s)
{
    for (cl_uint i = 0; i < check->count; ++i) {
        clf_span *const other = &check->span[i];
        if (!overlap(other, s) || !(is_written(check, s) || is_written(check, other)))
            continue;
        if (!is_in_place(check, other, s))
            return clf_refuse(check, CLF_E_ALIAS, "%s overlaps %s", name_of(s->role, s->index).text,
                              name_of(other->role, other->index).text);
        check->in_place = other->replaced = true;
    }
    return CLF_SUCCESS;
}

/* Adds the span of n elements of `element` bytes to the list. */
static clf_status check_array(clf_check *check, clf_span_role role, cl_uint index, const clf_array *array,
                              cl_uint element, cl_ulong n, cl_mem_flags forbidden)
{
    const cl_ulong most = SIZE_MAX / element;
    clf_span *const s = &check->span[check->count];
    size_t size = 0, offset;
    if (n > most || array->offset > most - n)
        return clf_refuse(check, CLF_E_OVERFLOW, "the end of %s does not fit the address space",
                          name_of(role, index).text);
    CLF_TRY(check_buffer(check, role, index, array->buffer, forbidden, &size));
    if ((array->offset + n) * element > size)
        return clf_refuse(check, role == CLF_SPAN_SCRATCH ? CLF_E_SCRATCH : CLF_E_BUFFER,
                          "%s.buffer ends before element %llu", name_of(role, index).text,
                          (unsigned long long)(array->offset + n - 1));
    CLF_TRY(find_owner(check, role, index, array->buffer, &s->owner, &offset));
    s->begin = offset + array->offset * element;
    s->end = s->begin + n * element;
    s->element = element;
    s->role = role;
    s->index = index;
    s->replaced = false;
    CLF_TRY(check_overlaps(check, s));
    if (role != CLF_SPAN_SCRATCH) /* pieces of which follow each other */
        ++check->count;
    return CLF_SUCCESS;
}

/* ---- All arrays of a call ---------------------------------------------------------------------------- */

static clf_status check_fields(clf_check *check, clf_span_role role, cl_uint first, const clf_array *arrays,
                               const clf_fields *fields, cl_ulong n, cl_mem_flags forbidden)
{
    for (cl_uint i = 0; i < fields->count; ++i)
        CLF_TRY(check_array(check, role, first + i, &arrays[first + i], fields->field[i].bytes, n, forbidden));
    return CLF_SUCCESS;
}

static clf_status check_sets(clf_check *check, clf_span_role role, cl_uint sets, const clf_array *arrays,
                             const clf_fields *fields, const cl_ulong *n, cl_mem_flags forbidden)
{
    for (cl_uint s = 0; s < sets; ++s)
        if (n[s] > 0)
            CLF_TRY(check_fields(check, role, s * fields->count, arrays, fields, n[s], forbidden));
    return CLF_SUCCESS;
}

/* Results of a plan that does not want all: an array for each that it wants, and for no other. */
static clf_status check_wanted(clf_check *check, const clf_operator_copy *op, const clf_array *out, cl_ulong n)
{
    const clf_fields *const made = clf_operator_made(op);
    for (cl_uint f = 0; f < made->count && n > 0; ++f) {
        const bool wanted = op->wanted >> f & 1;
        if (wanted && !out[f].buffer)
            return clf_refuse(check, CLF_E_ARGUMENT, "out[%u].buffer is NULL, and the plan wants result \"%s\"",
                              (unsigned)f, made->field[f].name);
        if (!wanted && (out[f].buffer || out[f].offset))
            return clf_refuse(check, CLF_E_ARGUMENT,
                              "out[%u] is not {NULL, 0}, and the plan does not want result \"%s\"", (unsigned)f,
                              made->field[f].name);
        if (wanted)
            CLF_TRY(check_array(check, CLF_SPAN_VALUE, f, &out[f], made->field[f].bytes, n, CL_MEM_READ_ONLY));
    }
    return CLF_SUCCESS;
}

static bool any_elements(const cl_ulong *n, cl_uint sets)
{
    bool any = false;
    for (cl_uint s = 0; s < sets; ++s)
        any = any || n[s] > 0;
    return any;
}

clf_status clf_check_arrays(clf_check *check, const clf_operator_copy *op, const cl_ulong *n_in, const cl_ulong *n_out,
                            const clf_array *in, const clf_array *out)
{
    static const clf_fields none = {0};
    const clf_fields *const made = clf_operator_made(op);
    const bool reads = any_elements(n_in, op->in_sets), writes = any_elements(n_out, op->out_sets);
    const bool captures = reads || (writes && (op->finish || clf_combine_captures(op)));
    const cl_ulong n_extra = check->extra_apart ? n_out[0] : n_in[0];
    const clf_fields *const extra = n_extra > 0 ? &op->extra : &none;
    const clf_fields *const captured = captures ? &op->captured : &none;
    if (!in && ((reads && op->input.count > 0) || captured->count > 0))
        return clf_refuse(check, CLF_E_ARGUMENT, "in is NULL");
    if (!out && (writes || extra->count > 0))
        return clf_refuse(check, CLF_E_ARGUMENT, "out is NULL");
    CLF_TRY(check_sets(check, CLF_SPAN_IN, op->in_sets, in, &op->input, n_in,
                       CL_MEM_WRITE_ONLY | (check->overwrites ? CL_MEM_READ_ONLY : 0)));
    /* How far a map reads captured arrays is not known; each exists, and begins in no output. */
    CLF_TRY(check_fields(check, CLF_SPAN_CAPTURED, op->in_sets * op->input.count, in, captured, 1, CL_MEM_WRITE_ONLY));
    if (op->wanted)
        CLF_TRY(check_wanted(check, op, out, n_out[0]));
    else
        CLF_TRY(check_sets(check, CLF_SPAN_VALUE, op->out_sets, out, made, n_out, CL_MEM_READ_ONLY));
    return check_fields(check, CLF_SPAN_EXTRA, op->out_sets * made->count, out, extra, n_extra, CL_MEM_READ_ONLY);
}

clf_status clf_check_given(clf_check *check, const clf_operator_copy *op, unsigned flags, const clf_call *call)
{
    if ((call->initial_arrays || call->actual.buffer) && !(flags & CLF_FROM_DEVICE))
        return clf_refuse(check, CLF_E_ARGUMENT,
                          "call->actual and call->initial_arrays are for plans with CLF_FROM_DEVICE");
    if (call->initial_arrays)
        CLF_TRY(check_fields(check, CLF_SPAN_INITIAL, 0, call->initial_arrays, &op->value, 1, CL_MEM_WRITE_ONLY));
    if (!call->actual.buffer)
        return CLF_SUCCESS;
    return check_array(check, CLF_SPAN_ACTUAL, 0, &call->actual, sizeof(cl_ulong), op->in_sets, CL_MEM_WRITE_ONLY);
}

clf_status clf_rows_elements(const clf_check *check, cl_ulong count, cl_ulong size, cl_ulong *n)
{
    if (size != 0 && count > CL_ULONG_MAX / size)
        return clf_refuse(check, CLF_E_OVERFLOW, "count * size does not fit 64 bits");
    *n = count * size;
    return CLF_SUCCESS;
}

clf_status clf_check_no_initial(const clf_check *check, const clf_call *call, const char *what)
{
    if (call->initial || call->initial_arrays)
        return clf_refuse(check, CLF_E_ARGUMENT, "a %s has no initial value", what);
    return CLF_SUCCESS;
}

clf_status clf_check_entries(clf_check *check, clf_span_role role, const clf_array *array, cl_uint bytes, cl_ulong n)
{
    if (n == 0)
        return CLF_SUCCESS;
    if (!array)
        return clf_refuse(check, CLF_E_ARGUMENT, "%s is NULL", name_of(role, 0).text);
    return check_array(check, role, 0, array, bytes, n, CL_MEM_WRITE_ONLY);
}

clf_status clf_check_result_count(clf_check *check, const clf_array *result_count, cl_ulong count)
{
    return check_array(check, CLF_SPAN_RESULT_COUNT, 0, result_count, sizeof(cl_ulong), count, CL_MEM_READ_ONLY);
}

clf_status clf_check_out(clf_check *check, const clf_array *out, cl_uint bytes, cl_ulong n)
{
    if (n == 0)
        return CLF_SUCCESS;
    if (!out)
        return clf_refuse(check, CLF_E_ARGUMENT, "out is NULL");
    return check_array(check, CLF_SPAN_VALUE, 0, out, bytes, n, CL_MEM_READ_ONLY);
}

clf_status clf_check_scratch(clf_check *check, const clf_array *scratch, cl_ulong bytes)
{
    if (scratch->offset % 16 != 0)
        return clf_refuse(check, CLF_E_SCRATCH, "scratch.offset is no multiple of 16");
    return check_array(check, CLF_SPAN_SCRATCH, 0, scratch, 1, bytes, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY);
}

bool clf_arrays_aligned(const clf_fields *fields, const clf_array *array)
{
    for (cl_uint i = 0; i < fields->count; ++i)
        if (array[i].offset * fields->field[i].bytes % 16 != 0)
            return false;
    return true;
}
