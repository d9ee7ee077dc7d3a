/* SPDX-License-Identifier: MIT */
/*
 * subject: an operator on trial: a program that calls its functions, arrays, and a queue of its own.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue: the one that every version has */
#include "explore/laws.h"

enum { GROUP = 64, MOST_GROUPS = 4096 };

static size_t group_of(const clf_facts *facts)
{
    return facts->max_group < GROUP ? 1 : GROUP;
}

clf_status clf_subject_declare(clf_subject *s, const clf_operator *op, clf_error *error)
{
    CLF_TRY(clf_fields_parse(op->captured, "captured", &s->op.captured, error));
    CLF_TRY(clf_fields_parse(clf_operator_result(op), "result", &s->op.result, error));
    return clf_check_types(&s->context->facts, &s->op, error);
}

/* Where nothing is finished, a result is a value elsewhere. */
void clf_subject_write(clf_text *t, const clf_operator_copy *op)
{
    if (op->finish || !op->result.count)
        return;
    clf_text_format(t, "#undef clf_result\ntypedef struct {\n");
    for (cl_uint f = 0; f < op->result.count; ++f) {
        clf_text_format(t, "   ");
        clf_field_declare(t, &op->result.field[f]);
        clf_text_format(t, "\n");
    }
    clf_text_format(t, "} clf_result;\n");
}

/* How far functions read is not known; an element is there. */
static clf_status capture(clf_subject *s, const clf_array *captured, clf_error *error)
{
    for (cl_uint f = 0; captured && f < s->op.captured.count; ++f) {
        const clf_field *const field = &s->op.captured.field[f];
        cl_context cl = NULL;
        size_t size = 0;
        clf_status status = CLF_SUCCESS;
        if (captured[f].buffer)
            status = clGetMemObjectInfo(captured[f].buffer, CL_MEM_CONTEXT, sizeof cl, &cl, NULL);
        if (captured[f].buffer && status == CLF_SUCCESS)
            status = clGetMemObjectInfo(captured[f].buffer, CL_MEM_SIZE, sizeof size, &size, NULL);
        if (status != CLF_SUCCESS)
            return clf_laws_fail(status, error);
        if (cl != s->context->cl || captured[f].offset >= size / field->bytes)
            return clf_fail(error, CLF_E_ARGUMENT,
                            "clf_laws_options.captured[%u], of field '%s', is no array of this context with an element",
                            f, field->name);
        s->in[s->op.input.count + f] = captured[f];
    }
    return CLF_SUCCESS;
}

clf_status clf_subject_compile(clf_subject *s, const clf_entry *entry, const clf_array *captured, clf_error *error)
{
    const clf_facts *const facts = &s->context->facts;
    clf_text source = {0}, options = {0};
    CLF_TRY(capture(s, captured, error));
    clf_status status = clf_source_write(&source, &s->op, 1, entry);
    clf_text_format(&options, "%s -D CLF_CPU=%d -D CLF_ATOMICS=0 -D CLF_LANES=0 -D CLF_LANE_WIDTH=1 -D CLF_GROUP=%u",
                    facts->std, facts->is_cpu, (unsigned)group_of(facts));
    clf_facts_avoid_bugs(facts, &options);
    if (facts->is_pocl && clf_source_prints(s->op.source))
        clf_text_format(&options, " -cl-opt-disable");
    if (status == CLF_SUCCESS && options.failed)
        status = CLF_E_NO_MEMORY;
    if (status == CLF_SUCCESS)
        status = clf_compile(&s->context->compiler, source.data, options.data, false, &s->program, error);
    else
        clf_fail(error, status, "the program that tries laws could not be written");
    if (status == CLF_E_OPERATOR)
        status = clf_function_blame(&s->op, status, error);
    clf_text_free(&source);
    clf_text_free(&options);
    for (size_t k = 0; k < CLF_COUNT(s->kernels) && entry->kernels[k]; ++k)
        s->kernels[k] = (clf_kernel_pool){.program = s->program, .name = entry->kernels[k]};
    return status;
}

clf_status clf_subject_open(clf_subject *s)
{
    clf_status status;
    s->queue = clCreateCommandQueue(s->context->cl, s->context->device, 0, &status);
    if (!s->queue)
        return status;
    s->check = (clf_check){.context = s->context, .call = "clf_operator_check"};
    s->arguments = (clf_arguments){.op = &s->op, .in = s->in, .out = s->out, .array_count = 1, .number_count = 2};
    return clf_chain_begin(&s->chain, &s->check, &(clf_call){.size = sizeof(clf_call), .queue = s->queue});
}

clf_status clf_subject_array(const clf_subject *s, cl_uint count, cl_uint bytes, clf_array *array)
{
    clf_status status;
    array->buffer = clCreateBuffer(s->context->cl, CL_MEM_READ_WRITE, (size_t)count * bytes, NULL, &status);
    return status;
}

clf_status clf_subject_launch(clf_subject *s, cl_uint kernel, cl_ulong count, cl_uint size)
{
    const size_t group = group_of(&s->context->facts);
    s->arguments.count = count;
    s->arguments.size = size;
    return clf_launch(&s->chain, &s->kernels[kernel], &s->arguments, clf_least(clf_ceiling(count, group), MOST_GROUPS),
                      group);
}

static void release(cl_mem buffer)
{
    if (buffer)
        clReleaseMemObject(buffer);
}

void clf_subject_close(clf_subject *s)
{
    if (s->queue)
        clFinish(s->queue);
    for (cl_uint f = 0; f < s->op.input.count; ++f) /* what is behind them is the caller's */
        release(s->in[f].buffer);
    for (size_t i = 0; i < CLF_COUNT(s->out); ++i)
        release(s->out[i].buffer);
    release(s->arguments.arrays[0].buffer);
    for (size_t k = 0; k < CLF_COUNT(s->kernels); ++k)
        clf_kernel_pool_free(&s->kernels[k]);
    if (s->queue)
        clReleaseCommandQueue(s->queue);
    if (s->program)
        clReleaseProgram(s->program);
    clf_operator_free(&s->op);
}
