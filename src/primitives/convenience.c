/* SPDX-License-Identifier: MIT */
/*
 * convenience: one-call functions for scans, reductions, filters and matrices. Those for sorts, segments and histograms
 * are in convenience_sort.c, convenience_segments.c and convenience_histograms.c.
 */
#include "primitives/kept.h"
#include "primitives/primitives.h"

#include <stdio.h>

/* ---- Plans --------------------------------------------------------------------------------------------- */

static clf_status compile_scan(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    return clf_scan_plan(context, clf_builtin(w->op, w->type), w->flags, NULL, plan, error);
}

static clf_status compile_rows_scan(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    return clf_segmented_scan_plan(context, clf_builtin(w->op, w->type), w->flags, NULL, plan, error);
}

static clf_status compile_reduce(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    return clf_reduce_plan(context, clf_builtin(w->op, w->type), w->flags, NULL, plan, error);
}

/* Those whose flag is set. */
static clf_status compile_filter(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    char value[32], input[48];
    snprintf(value, sizeof value, "%s v;", clf_type_name(w->type));
    snprintf(input, sizeof input, "%s uchar flag;", value);
    const clf_operator op = {
        .size = sizeof op, .value = value, .input = input, .map = "value_of", .predicate = "is_flagged",
        .source = "clf_value value_of(clf_input x, ulong i) { clf_value y; y.v = x.v; return y; }\n"
                  "bool is_flagged(clf_input x, ulong i) { return x.flag != 0; }\n"};
    return clf_filter_plan(context, &op, CLF_IN_PLACE | w->flags, NULL, plan, error);
}

/* Two elements of one number. */
#define SAME "bool is_same(clf_input a, clf_input b) { return NUMBER(a.v) == NUMBER(b.v); }\n"

static clf_status compile_unique(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    char value[32], source[200];
    snprintf(value, sizeof value, "%s v;", clf_type_name(w->type));
    snprintf(source, sizeof source, "%s" SAME, CLF_NUMBERS(w->type));
    const clf_operator op = {.size = sizeof op, .value = value, .same = "is_same", .source = source};
    return clf_unique_plan(context, &op, CLF_IN_PLACE | w->flags, NULL, plan, error);
}

static clf_status compile_run_lengths(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    char element[32], source[500];
    snprintf(element, sizeof element, "%s v;", clf_type_name(w->type));
    snprintf(source, sizeof source,
             "%s" SAME
             "clf_value of(ulong length) { clf_value y; y.length = length; return y; }\n"
             "clf_value one(clf_input x, ulong i, clf_extra *e) { e->v = x.v; return of(1); }\n"
             "clf_value add(clf_value a, clf_value b) { return of(a.length + b.length); }\n"
             "clf_value none(void) { return of(0); }\n",
             CLF_NUMBERS(w->type));
    const clf_operator op = {
        .size = sizeof op, .value = "ulong length;", .input = element, .extra = element, .map = "one", .combine = "add",
        .neutral = "none", .same = "is_same", .flags = CLF_COMMUTATIVE, .source = source};
    return clf_reduce_by_key_plan(context, &op, w->flags, NULL, plan, error);
}

static clf_status compile_transpose(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    return clf_transpose_plan(context, w->bytes, NULL, plan, error);
}

/* ---- Calls --------------------------------------------------------------------------------------------- */

clf_status clf_inclusive_scan(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong n,
                              clf_array in, clf_array out)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_SCAN, .op = op, .type = type};
    clf_task task = {.count = 1, .size = n, .in = &in, .out = &out};
    return clf_kept_call(context, __func__, call, &wanted, compile_scan, &task);
}

clf_status clf_exclusive_scan(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong n,
                              clf_array in, clf_array out)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_SCAN, .op = op, .type = type, .flags = CLF_EXCLUSIVE};
    clf_task task = {.count = 1, .size = n, .in = &in, .out = &out};
    return clf_kept_call(context, __func__, call, &wanted, compile_scan, &task);
}

clf_status clf_array_reduce(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong n,
                            clf_array in, clf_array out)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_REDUCE, .op = op, .type = type};
    clf_task task = {.count = 1, .size = n, .in = &in, .out = &out};
    return clf_kept_call(context, __func__, call, &wanted, compile_reduce, &task);
}

clf_status clf_rows_inclusive_scan(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong count,
                                   cl_ulong size, clf_array in, clf_array out)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_ROWS_SCAN, .op = op, .type = type};
    clf_task task = {.count = count, .size = size, .counted = true, .in = &in, .out = &out};
    return clf_kept_call(context, __func__, call, &wanted, compile_rows_scan, &task);
}

clf_status clf_rows_exclusive_scan(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong count,
                                   cl_ulong size, clf_array in, clf_array out)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_ROWS_SCAN, .op = op, .type = type, .flags = CLF_EXCLUSIVE};
    clf_task task = {.count = count, .size = size, .counted = true, .in = &in, .out = &out};
    return clf_kept_call(context, __func__, call, &wanted, compile_rows_scan, &task);
}

clf_status clf_rows_reduce(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong count,
                           cl_ulong size, clf_array in, clf_array out)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_REDUCE, .op = op, .type = type};
    clf_task task = {.count = count, .size = size, .counted = true, .in = &in, .out = &out};
    return clf_kept_call(context, __func__, call, &wanted, compile_reduce, &task);
}

clf_status clf_array_filter(clf_context *context, const clf_call *call, clf_type type, cl_ulong n, clf_array in,
                            clf_array flags, clf_array out, clf_array result_count)
{
    const clf_array both[] = {in, flags};
    const clf_wanted wanted = {.kind = CLF_KEPT_FILTER, .type = type};
    clf_task task = {.count = 1, .size = n, .most = n, .in = both, .out = &out, .result = &result_count};
    return clf_kept_call(context, __func__, call, &wanted, compile_filter, &task);
}

clf_status clf_array_unique(clf_context *context, const clf_call *call, clf_type type, cl_ulong n, clf_array in,
                            clf_array out, clf_array result_count)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_UNIQUE, .type = type};
    clf_task task = {.count = 1, .size = n, .most = n, .in = &in, .out = &out, .result = &result_count};
    return clf_kept_call(context, __func__, call, &wanted, compile_unique, &task);
}

clf_status clf_array_run_lengths(clf_context *context, const clf_call *call, clf_type type, cl_ulong n, clf_array in,
                                 clf_array out_values, clf_array out_lengths, clf_array result_count)
{
    const clf_array both[] = {out_lengths, out_values};
    const clf_wanted wanted = {.kind = CLF_KEPT_RUN_LENGTHS, .type = type};
    clf_task task = {.count = 1, .size = n, .most = n, .in = &in, .out = both, .result = &result_count};
    return clf_kept_call(context, __func__, call, &wanted, compile_run_lengths, &task);
}

clf_status clf_kept_transpose(clf_context *context, const char *name, size_t element_bytes, clf_plan **plan)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_TRANSPOSE, .bytes = element_bytes};
    if (element_bytes < 1 || element_bytes > 16)
        return clf_kept_refuse(context, name, CLF_E_ARGUMENT, "element_bytes is not from 1 to 16");
    return clf_kept_plan(context, name, NULL, &wanted, compile_transpose, plan);
}

clf_status clf_matrix_transpose(clf_context *context, const clf_call *call, size_t element_bytes, cl_ulong rows,
                                cl_ulong columns, clf_array in, clf_array out)
{
    clf_task task = {.batch = 1, .count = rows, .size = columns, .packed = true, .in = &in, .out = &out};
    clf_plan *plan;
    CLF_TRY(clf_kept_transpose(context, __func__, element_bytes, &plan));
    return clf_call_task(plan, &clf_transpose_primitive, __func__, call, &task);
}
