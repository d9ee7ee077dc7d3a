/* SPDX-License-Identifier: MIT */
/*
 * The checks that every call makes before it enqueues anything: contexts, sizes, access and overlaps of the
 * caller's arrays. A call that fails here has touched nothing.
 */
#include "internal.h"

/* The bytes that an array occupies in the buffer that owns the memory. */
typedef struct span {
    cl_mem owner;
    cl_ulong begin, end;
    cl_uint element;
} span;

static clf_status check_queue(cl_context cl, cl_device_id device, cl_command_queue queue)
{
    cl_context queue_cl = NULL;
    cl_device_id queue_device = NULL;
    if (queue == NULL)
        return CLF_E_ARGUMENT;
    CLF_TRY(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof queue_cl, &queue_cl, NULL));
    CLF_TRY(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof queue_device, &queue_device, NULL));
    return queue_cl == cl && queue_device == device ? CLF_SUCCESS : CLF_E_CONTEXT;
}

static clf_status check_buffer(cl_context cl, cl_mem buffer, cl_mem_flags forbidden, size_t *size)
{
    cl_context buffer_cl = NULL;
    cl_mem_flags flags = 0;
    if (buffer == NULL)
        return CLF_E_ARGUMENT;
    CLF_TRY(clGetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof buffer_cl, &buffer_cl, NULL));
    if (buffer_cl != cl)
        return CLF_E_CONTEXT;
    CLF_TRY(clGetMemObjectInfo(buffer, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    CLF_TRY(clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof *size, size, NULL));
    return (flags & forbidden) == 0 ? CLF_SUCCESS : CLF_E_BUFFER;
}

/* Sub-buffers are traced to their parent, so that two of one parent can be compared. */
static clf_status find_owner(cl_mem buffer, cl_mem *owner, size_t *offset)
{
    cl_mem parent = NULL;
    *owner = buffer;
    *offset = 0;
    CLF_TRY(clGetMemObjectInfo(buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL));
    if (parent == NULL)
        return CLF_SUCCESS;
    *owner = parent;
    return clGetMemObjectInfo(buffer, CL_MEM_OFFSET, sizeof *offset, offset, NULL);
}

static clf_status check_array(cl_context cl, const clf_array *array, cl_uint element, cl_ulong n,
                              cl_mem_flags forbidden, span *s)
{
    const cl_ulong most = (SIZE_MAX < UINT64_MAX ? SIZE_MAX : UINT64_MAX) / element;
    size_t size = 0, offset;
    if (n > most || array->offset > most - n)
        return CLF_E_OVERFLOW;
    CLF_TRY(check_buffer(cl, array->buffer, forbidden, &size));
    if ((array->offset + n) * element > size)
        return CLF_E_BUFFER;
    CLF_TRY(find_owner(array->buffer, &s->owner, &offset));
    s->begin = offset + array->offset * element;
    s->end = s->begin + n * element;
    s->element = element;
    return CLF_SUCCESS;
}

static clf_status check_fields(cl_context cl, const clf_array *arrays, const clf_fields *fields, cl_ulong n,
                               cl_mem_flags forbidden, span *spans)
{
    for (cl_uint i = 0; i < fields->count; i++)
        CLF_TRY(check_array(cl, &arrays[i], fields->field[i].bytes, n, forbidden, &spans[i]));
    return CLF_SUCCESS;
}

static bool overlap(const span *a, const span *b)
{
    return a->owner == b->owner && a->begin < b->end && b->begin < a->end;
}

static bool same(const span *a, const span *b)
{
    return a->owner == b->owner && a->begin == b->begin && a->end == b->end && a->element == b->element;
}

/* Outputs are apart from each other; each is apart from every input, or in its place. */
static clf_status check_overlaps(const span *in, cl_uint in_count, const span *out, cl_uint out_count,
                                 bool *in_place)
{
    for (cl_uint i = 0; i < out_count; i++) {
        for (cl_uint j = 0; j < i; j++)
            if (overlap(&out[i], &out[j]))
                return CLF_E_ALIAS;
        for (cl_uint j = 0; j < in_count; j++) {
            if (!overlap(&out[i], &in[j]))
                continue;
            if (!same(&out[i], &in[j]))
                return CLF_E_ALIAS;
            *in_place = true;
        }
    }
    return CLF_SUCCESS;
}

/* How far a map reads captured arrays is not known; each exists, and begins in no output. */
static clf_status check_captured(cl_context cl, const clf_operator_copy *op, const clf_array *captured, const span *out,
                                 cl_uint out_count)
{
    span spans[CLF_MAX_FIELDS];
    CLF_TRY(check_fields(cl, captured, &op->captured, 1, CL_MEM_WRITE_ONLY, spans));
    for (cl_uint i = 0; i < op->captured.count; i++)
        for (cl_uint o = 0; o < out_count; o++)
            if (overlap(&spans[i], &out[o]))
                return CLF_E_ALIAS;
    return CLF_SUCCESS;
}

clf_status clf_check_call(cl_context cl, cl_device_id device, const clf_operator_copy *op, const clf_call *call)
{
    const cl_uint in_count = op->input.count + op->captured.count, out_count = op->value.count + op->extra.count;
    if (call == NULL || call->size != sizeof *call || (call->initial != NULL && call->initial_arrays != NULL))
        return CLF_E_ARGUMENT;
    if ((call->in_count != 0 && call->in_count != in_count) || (call->out_count != 0 && call->out_count != out_count))
        return CLF_E_ARGUMENT;
    return check_queue(cl, device, call->queue);
}

/* What the call reads on the device besides its inputs. */
static clf_status check_given(cl_context cl, const clf_call *call, const clf_operator_copy *op, cl_ulong n_in,
                              cl_ulong n_out, const clf_array *out)
{
    if (call->actual.buffer != NULL)
        CLF_TRY(clf_check_beside(cl, op, n_in, n_out, out, &call->actual, sizeof(cl_ulong), 1));
    for (cl_uint i = 0; call->initial_arrays != NULL && i < op->value.count; i++)
        CLF_TRY(clf_check_beside(cl, op, n_in, n_out, out, &call->initial_arrays[i], op->value.field[i].bytes, 1));
    return CLF_SUCCESS;
}

clf_status clf_check_arrays(cl_context cl, cl_device_id device, const clf_call *call, const clf_operator_copy *op,
                            cl_ulong n_in, cl_ulong n_out, const clf_array *in, const clf_array *out, bool *in_place)
{
    span in_spans[CLF_MAX_FIELDS], out_spans[2 * CLF_MAX_FIELDS];
    const cl_uint in_count = n_in > 0 ? op->input.count : 0, extra_count = n_in > 0 ? op->extra.count : 0;
    const cl_uint value_count = n_out > 0 ? op->value.count : 0, out_count = value_count + extra_count;
    const cl_uint captured_count = n_in > 0 ? op->captured.count : 0;
    *in_place = false;
    CLF_TRY(clf_check_call(cl, device, op, call));
    if ((in == NULL && in_count + captured_count > 0) || (out == NULL && out_count > 0))
        return CLF_E_ARGUMENT;
    if (in_count > 0)
        CLF_TRY(check_fields(cl, in, &op->input, n_in, CL_MEM_WRITE_ONLY, in_spans));
    if (value_count > 0)
        CLF_TRY(check_fields(cl, out, &op->value, n_out, CL_MEM_READ_ONLY, out_spans));
    if (extra_count > 0)
        CLF_TRY(check_fields(cl, out + op->value.count, &op->extra, n_in, CL_MEM_READ_ONLY, out_spans + value_count));
    if (captured_count > 0)
        CLF_TRY(check_captured(cl, op, in + in_count, out_spans, out_count));
    CLF_TRY(check_given(cl, call, op, n_in, n_out, out));
    return check_overlaps(in_spans, in_count, out_spans, out_count, in_place);
}

clf_status clf_check_beside(cl_context cl, const clf_operator_copy *op, cl_ulong n_in, cl_ulong n_out,
                            const clf_array *out, const clf_array *array, cl_uint bytes, cl_ulong elements)
{
    span beside, spans[2 * CLF_MAX_FIELDS];
    const cl_uint value_count = n_out > 0 ? op->value.count : 0, extra_count = n_in > 0 ? op->extra.count : 0;
    if (elements == 0)
        return CLF_SUCCESS;
    if (array == NULL)
        return CLF_E_ARGUMENT;
    CLF_TRY(check_array(cl, array, bytes, elements, CL_MEM_WRITE_ONLY, &beside));
    if (value_count > 0)
        CLF_TRY(check_fields(cl, out, &op->value, n_out, CL_MEM_READ_ONLY, spans));
    if (extra_count > 0)
        CLF_TRY(check_fields(cl, out + op->value.count, &op->extra, n_in, CL_MEM_READ_ONLY, spans + value_count));
    for (cl_uint i = 0; i < value_count + extra_count; i++)
        if (overlap(&beside, &spans[i]))
            return CLF_E_ALIAS;
    return CLF_SUCCESS;
}

clf_status clf_check_single(cl_context cl, const clf_operator_copy *op, cl_ulong n_in, cl_ulong n_out,
                            const clf_array *in, const clf_array *out, const clf_array *array, cl_uint bytes,
                            cl_ulong elements, const clf_array *single)
{
    span written, read;
    CLF_TRY(check_array(cl, single, sizeof(cl_ulong), 1, CL_MEM_READ_ONLY, &written));
    CLF_TRY(clf_check_beside(cl, op, n_in, n_out, out, single, sizeof(cl_ulong), 1));
    for (cl_uint i = 0; n_in > 0 && i <= op->input.count; i++) {
        const bool beside = i == op->input.count;
        if (beside && elements == 0)
            break;
        CLF_TRY(check_array(cl, beside ? array : &in[i], beside ? bytes : op->input.field[i].bytes,
                            beside ? elements : n_in, CL_MEM_WRITE_ONLY, &read));
        if (overlap(&read, &written))
            return CLF_E_ALIAS;
    }
    return CLF_SUCCESS;
}

bool clf_arrays_aligned(const clf_fields *fields, const clf_array *array)
{
    for (cl_uint i = 0; i < fields->count; ++i)
        if (array[i].offset * fields->field[i].bytes % 16 != 0)
            return false;
    return true;
}
