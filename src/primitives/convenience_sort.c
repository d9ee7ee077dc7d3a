/* SPDX-License-Identifier: MIT */
/*
 * convenience_sort: one-call functions for sorts, top-k and random orders. Those that are several steps are in
 * argsort.c, pairs.c and shuffle.c.
 */
#include "primitives/kept.h"
#include "primitives/primitives.h"

#include <stdio.h>

/* ---- Plans --------------------------------------------------------------------------------------------- */

/* Values that are their own keys: "float v;". */
typedef struct alone {
    char value[32];
    clf_operator op;
} alone;

static const clf_operator *values_alone(const clf_wanted *w, alone *a)
{
    snprintf(a->value, sizeof a->value, "%s v;", clf_type_name(w->type));
    a->op = (clf_operator){.size = sizeof a->op, .value = a->value};
    return &a->op;
}

static clf_status compile_sort(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    alone a;
    return clf_sort_plan(context, values_alone(w, &a), w->flags, NULL, plan, error);
}

static clf_status compile_rows_sort(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    alone a;
    return clf_segmented_sort_plan(context, values_alone(w, &a), w->flags, NULL, plan, error);
}

static clf_status compile_segments_sort(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    const clf_segmentation by_offsets = clf_kept_offsets(w->other);
    alone a;
    return clf_irregular_sort_plan(context, values_alone(w, &a), &by_offsets, w->flags, NULL, plan, error);
}

static clf_status compile_top_k(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    alone a;
    return clf_top_k_plan(context, values_alone(w, &a), w->flags, NULL, plan, error);
}

/* Elements with their indices. */
static clf_status compile_arg_top_k(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    clf_placed placed;
    const bool rows = w->kind == CLF_KEPT_ROWS_ARG_TOP_K;
    return clf_top_k_plan(context, clf_placed_operator(&placed, w->type, w->other, rows), w->flags, NULL, plan, error);
}

static clf_status compile_shuffle(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    return clf_shuffle_plan(context, w->type, plan, error);
}

static clf_status compile_permutation(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    return clf_permutation_plan(context, w->type, plan, error);
}

/* ---- Sorts --------------------------------------------------------------------------------------------- */

static clf_status sort(clf_context *context, const char *name, const clf_call *call, clf_type type, unsigned flags,
                       cl_ulong n, const clf_array *in, const clf_array *out)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_SORT, .type = type, .flags = flags};
    clf_task task = {.count = 1, .size = n, .in = in, .out = out};
    return clf_kept_call(context, name, call, &wanted, compile_sort, &task);
}

clf_status clf_array_sort(clf_context *context, const clf_call *call, clf_type type, cl_ulong n, clf_array in,
                          clf_array out)
{
    return sort(context, __func__, call, type, 0, n, &in, &out);
}

clf_status clf_array_sort_descending(clf_context *context, const clf_call *call, clf_type type, cl_ulong n,
                                     clf_array in, clf_array out)
{
    return sort(context, __func__, call, type, CLF_DESCENDING, n, &in, &out);
}

clf_status clf_rows_sort(clf_context *context, const clf_call *call, clf_type type, unsigned flags, cl_ulong count,
                         cl_ulong size, clf_array in, clf_array out)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_ROWS_SORT, .type = type, .flags = flags};
    clf_task task = {.count = count, .size = size, .counted = true, .in = &in, .out = &out};
    CLF_TRY(clf_kept_check_order(context, __func__, flags));
    return clf_kept_call(context, __func__, call, &wanted, compile_rows_sort, &task);
}

clf_status clf_segments_sort(clf_context *context, const clf_call *call, clf_type type, clf_type offset_type,
                             unsigned flags, cl_ulong n, cl_ulong count, clf_array offsets, clf_array in, clf_array out)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_SEGMENTS_SORT, .type = type, .other = offset_type, .flags = flags};
    clf_task task = {.count = 1, .size = n, .entries = count, .segments = &offsets, .in = &in, .out = &out};
    CLF_TRY(clf_kept_check_order(context, __func__, flags));
    CLF_TRY(clf_kept_check_index(context, __func__, "offset_type", offset_type, 0));
    return clf_kept_call(context, __func__, call, &wanted, compile_segments_sort, &task);
}

/* ---- Top-k --------------------------------------------------------------------------------------------- */

static clf_status top_k(clf_context *context, const char *name, const clf_call *call, clf_type type, cl_bool largest,
                        clf_task *task)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_TOP_K, .type = type, .flags = largest ? CLF_DESCENDING : 0};
    return clf_kept_call(context, name, call, &wanted, compile_top_k, task);
}

clf_status clf_array_top_k(clf_context *context, const clf_call *call, clf_type type, cl_bool largest, cl_ulong n,
                           cl_ulong k, clf_array in, clf_array out)
{
    clf_task task = {.count = 1, .size = n, .most = k, .in = &in, .out = &out};
    return top_k(context, __func__, call, type, largest, &task);
}

clf_status clf_rows_top_k(clf_context *context, const clf_call *call, clf_type type, cl_bool largest, cl_ulong count,
                          cl_ulong size, cl_ulong k, clf_array in, clf_array out)
{
    clf_task task = {.count = count, .size = size, .most = k, .counted = true, .in = &in, .out = &out};
    return top_k(context, __func__, call, type, largest, &task);
}

/* Indices are below the size of the array, or of a row. */
static clf_status arg_top_k(clf_context *context, const char *name, const clf_call *call, clf_kept_kind kind,
                            clf_type type, clf_type index_type, cl_bool largest, clf_task *task)
{
    const clf_wanted wanted = {.kind = kind, .type = type, .other = index_type, .flags = largest ? CLF_DESCENDING : 0};
    CLF_TRY(clf_kept_check_index(context, name, "index_type", index_type, task->size));
    return clf_kept_call(context, name, call, &wanted, compile_arg_top_k, task);
}

clf_status clf_array_arg_top_k(clf_context *context, const clf_call *call, clf_type type, clf_type index_type,
                               cl_bool largest, cl_ulong n, cl_ulong k, clf_array in, clf_array out,
                               clf_array out_indices)
{
    const clf_array both[] = {out, out_indices};
    clf_task task = {.count = 1, .size = n, .most = k, .in = &in, .out = both};
    return arg_top_k(context, __func__, call, CLF_KEPT_ARG_TOP_K, type, index_type, largest, &task);
}

clf_status clf_rows_arg_top_k(clf_context *context, const clf_call *call, clf_type type, clf_type index_type,
                              cl_bool largest, cl_ulong count, cl_ulong size, cl_ulong k, clf_array in, clf_array out,
                              clf_array out_indices)
{
    const clf_array ins[] = {in, in}, both[] = {out, out_indices};
    clf_task task = {.count = count, .size = size, .most = k, .counted = true, .in = ins, .out = both};
    clf_call copy;
    return arg_top_k(context, __func__, clf_placed_call(call, &copy), CLF_KEPT_ROWS_ARG_TOP_K, type, index_type,
                     largest, &task);
}

/* ---- Random orders ------------------------------------------------------------------------------------- */

/* What is moved is only bits. */
clf_status clf_array_shuffle(clf_context *context, const clf_call *call, clf_type type, cl_ulong n, cl_ulong seed,
                             clf_array in, clf_array out)
{
    static const clf_type bits[] = {[1] = CLF_UCHAR, [2] = CLF_USHORT, [4] = CLF_UINT, [8] = CLF_ULONG};
    const size_t bytes = clf_type_size(type);
    clf_plan *plan;
    if (bytes == 0)
        return clf_kept_refuse(context, __func__, CLF_E_ARGUMENT, "type is no clf_type");
    const clf_wanted wanted = {.kind = CLF_KEPT_SHUFFLE, .type = bits[bytes]};
    CLF_TRY(clf_kept_plan(context, __func__, NULL, &wanted, compile_shuffle, &plan));
    return clf_shuffle_run(plan, call, n, seed, &in, &out);
}

clf_status clf_array_permutation(clf_context *context, const clf_call *call, clf_type index_type, cl_ulong n,
                                 cl_ulong seed, clf_array out)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_PERMUTATION, .type = index_type};
    clf_plan *plan;
    CLF_TRY(clf_kept_check_index(context, __func__, "index_type", index_type, 0));
    CLF_TRY(clf_kept_plan(context, __func__, NULL, &wanted, compile_permutation, &plan));
    return clf_permutation_run(plan, call, n, seed, &out);
}
