/* SPDX-License-Identifier: MIT */
/*
 * heads: where irregular segments start. However a caller tells (clf_segmentation), kernels that walk over elements are
 * told by one bit per element, which costs a thirty-second of what a pass over 4-byte elements does; so turning one
 * into the other is a small kernel of its own (cl/segments/heads_elements.cl, cl/segments/heads_starts.cl).
 */
#include "primitives/primitives.h"

#include <stdlib.h>

/* ---- Kernels ----------------------------------------------------------------------------------------- */

static void write_entries(clf_text *t, clf_type type)
{
    if (type == CLF_DOUBLE)
        clf_text_format(t, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    if (type == CLF_HALF)
        clf_text_format(t, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    clf_text_format(t, "typedef %s clf_entry;\ntypedef %s4 clf_entry4;\n", clf_type_name(type), clf_type_name(type));
}

/* A CPU's work-item takes many; others as many as are worth an atomic operation, or one. */
static void choose_shape(clf_heads *heads, const clf_facts *facts)
{
    heads->group = facts->is_cpu ? 1 : 256;
    while (heads->group > facts->max_group)
        heads->group /= 2;
    heads->items = facts->is_cpu ? 1024 : heads->scatters ? 8 : 1;
}

static clf_status compile(clf_heads *heads, clf_compiler *compiler, const clf_segmentation *segmentation,
                          const char *file, clf_error *error)
{
    const clf_facts *facts = compiler->facts;
    const clf_type type = segmentation->by == CLF_BY_HEAD_BYTES ? CLF_UCHAR : segmentation->type;
    clf_generated headers[] = {{.name = "entries.cl"}, {.name = NULL}};
    clf_text source = {0}, options = {0};
    write_entries(&headers[0].text, type);
    clf_text_format(&options, "%s -D CLF_GROUP=%u -D CLF_ITEMS=%u -D CLF_KEYS=%d", facts->std, heads->group,
                    heads->items, segmentation->by == CLF_BY_KEYS);
    clf_facts_avoid_bugs(facts, &options);
    clf_status status = headers[0].text.failed || options.failed ? CLF_E_NO_MEMORY : CLF_SUCCESS;
    if (status == CLF_SUCCESS)
        status = clf_flatten(&source, file, headers);
    if (status == CLF_SUCCESS)
        status = clf_compile(compiler, source.data, options.data, false, &heads->program, error);
    else
        clf_fail(error, status, "the source of a kernel for segments could not be written");
    clf_text_free(&headers[0].text);
    clf_text_free(&source);
    clf_text_free(&options);
    return status;
}

clf_status clf_heads_open(clf_heads *heads, clf_compiler *compiler, const clf_segmentation *segmentation, bool names,
                          clf_error *error)
{
    *heads = (clf_heads){0};
    if (segmentation->by == CLF_BY_HEAD_BITS)
        return CLF_SUCCESS;
    heads->scatters = segmentation->by == CLF_BY_OFFSETS || segmentation->by == CLF_BY_LENGTHS;
    choose_shape(heads, compiler->facts);
    CLF_TRY(compile(heads, compiler, segmentation,
                    !heads->scatters ? "segments/heads_elements.cl"
                    : names          ? "segments/heads_names.cl"
                                     : "segments/heads_starts.cl",
                    error));
    heads->kernel.program = heads->names.program = heads->program;
    heads->kernel.name = "clf_heads";
    heads->names.name = "clf_heads_names";
    return CLF_SUCCESS;
}

void clf_heads_close(clf_heads *heads)
{
    clf_kernel_pool_free(&heads->kernel);
    clf_kernel_pool_free(&heads->names);
    if (heads->program)
        clReleaseProgram(heads->program);
}

cl_ulong clf_heads_words(cl_ulong n)
{
    return clf_ceiling(n, 32);
}

clf_status clf_heads_run(clf_heads *heads, clf_run *run, cl_ulong n, cl_ulong count, const clf_array *entries,
                         const clf_array *bits)
{
    const cl_ulong words = clf_heads_words(n), work = heads->scatters ? count : words;
    const cl_ulong each = (cl_ulong)heads->group * heads->items, groups = clf_ceiling(work, each);
    const clf_array from = clf_array_of(entries);
    if (heads->scatters)
        CLF_TRY(clf_run_zero(run, bits, words, sizeof(cl_uint)));
    if (groups == 0)
        return CLF_SUCCESS;
    const clf_argument arguments[] = {
        {sizeof from.buffer, &from.buffer}, {sizeof from.offset, &from.offset},
        {sizeof count, &count}, {sizeof n, &n},
        {sizeof bits->buffer, &bits->buffer}, {sizeof bits->offset, &bits->offset}};
    return clf_run_launch_flat(run, &heads->kernel, arguments, CLF_COUNT(arguments), groups, heads->group);
}

clf_status clf_heads_name(clf_heads *heads, clf_run *run, cl_ulong n, cl_ulong count, const clf_array *starts,
                          const clf_array *bits, const clf_array *before, const clf_array *names)
{
    const cl_ulong groups = clf_ceiling(count, (cl_ulong)heads->group * heads->items);
    const clf_argument arguments[] = {
        {sizeof starts->buffer, &starts->buffer}, {sizeof starts->offset, &starts->offset},
        {sizeof count, &count}, {sizeof n, &n},
        {sizeof bits->buffer, &bits->buffer}, {sizeof bits->offset, &bits->offset},
        {sizeof before->buffer, &before->buffer}, {sizeof before->offset, &before->offset},
        {sizeof names->buffer, &names->buffer}, {sizeof names->offset, &names->offset}};
    return clf_run_launch_flat(run, &heads->names, arguments, CLF_COUNT(arguments), groups, heads->group);
}
