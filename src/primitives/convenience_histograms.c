/* SPDX-License-Identifier: MIT */
/*
 * convenience_histograms: one-call functions that count elements in bins; their plans are made in histograms.c.
 */
#include "primitives/kept.h"
#include "primitives/primitives.h"

/* The form, and whether sizes are on the device, as histograms.c takes them. */
static clf_status compile(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    const unsigned form = (unsigned)w->bytes | w->flags;
    switch (w->kind) {
    case CLF_KEPT_HISTOGRAM: return clf_histogram_plan(context, w->type, form, plan, error);
    case CLF_KEPT_HISTOGRAM_EVEN: return clf_histogram_even_plan(context, w->type, form, plan, error);
    case CLF_KEPT_HISTOGRAM_EDGES: return clf_histogram_edges_plan(context, w->type, form, plan, error);
    default: return clf_histogram_range_plan(context, w->type, form, plan, error);
    }
}

static clf_status plan_for(clf_context *context, const char *name, const clf_call *call, clf_kept_kind kind,
                           clf_type type, unsigned form, clf_plan **plan)
{
    const clf_wanted wanted = {.kind = kind, .type = type, .bytes = form};
    return clf_kept_plan(context, name, call, &wanted, compile, plan);
}

clf_status clf_array_histogram(clf_context *context, const clf_call *call, clf_type type, cl_ulong n, cl_ulong bins,
                               clf_array in, clf_array out)
{
    clf_plan *plan;
    if ((unsigned)type >= CLF_HALF)
        return clf_kept_refuse(context, __func__, CLF_E_ARGUMENT, "type is none of an integer");
    CLF_TRY(plan_for(context, __func__, call, CLF_KEPT_HISTOGRAM, type, 0, &plan));
    return clf_histogram_run(plan, __func__, call, n, bins, NULL, &in, &out);
}

static clf_status check_even(clf_context *context, const char *name, clf_type type, cl_ulong bins)
{
    if (type != CLF_FLOAT && type != CLF_DOUBLE)
        return clf_kept_refuse(context, name, CLF_E_ARGUMENT, "type is neither CLF_FLOAT nor CLF_DOUBLE");
    if (bins > CLF_MOST_EVEN_BINS)
        return clf_kept_refuse(context, name, CLF_E_OVERFLOW, "bins is more than 2^32 - 256");
    return CLF_SUCCESS;
}

clf_status clf_array_histogram_even(clf_context *context, const clf_call *call, clf_type type, cl_ulong n,
                                    cl_ulong bins, clf_array begin_and_width, clf_array in, clf_array out)
{
    const clf_array both[] = {in, begin_and_width};
    const clf_index_edges edges = {CLF_SPAN_BEGIN_AND_WIDTH, 2};
    clf_plan *plan;
    CLF_TRY(check_even(context, __func__, type, bins));
    CLF_TRY(plan_for(context, __func__, call, CLF_KEPT_HISTOGRAM_EVEN, type, 0, &plan));
    return clf_histogram_run(plan, __func__, call, n, bins, &edges, both, &out);
}

/* The kinds of plans that count_type and flags tell apart. */
static clf_status find_form(clf_context *context, const char *name, clf_type count_type, unsigned flags, unsigned *form)
{
    if (count_type != CLF_UINT && count_type != CLF_ULONG)
        return clf_kept_refuse(context, name, CLF_E_ARGUMENT, "count_type is neither CLF_UINT nor CLF_ULONG");
    if (flags & ~CLF_UPPER_END)
        return clf_kept_refuse(context, name, CLF_E_ARGUMENT, "flags has more than CLF_UPPER_END");
    *form = (flags & CLF_UPPER_END ? CLF_FORM_UPPER_END : 0u) | (count_type == CLF_ULONG ? CLF_FORM_ULONG : 0u);
    return CLF_SUCCESS;
}

clf_status clf_array_histogram_edges(clf_context *context, const clf_call *call, clf_type type, clf_type count_type,
                                     unsigned flags, cl_ulong n, cl_ulong bins, clf_array edges, clf_array in,
                                     clf_array out)
{
    const clf_array both[] = {in, edges};
    clf_plan *plan;
    unsigned form = 0;
    CLF_TRY(find_form(context, __func__, count_type, flags, &form));
    if (bins > CL_UINT_MAX)
        return clf_kept_refuse(context, __func__, CLF_E_OVERFLOW, "bins is more than 2^32 - 1");
    CLF_TRY(plan_for(context, __func__, call, CLF_KEPT_HISTOGRAM_EDGES, type, form, &plan));
    return clf_histogram_run(plan, __func__, call, n, bins, &(clf_index_edges){CLF_SPAN_EDGES, bins + 1}, both, &out);
}

clf_status clf_array_histogram_range(clf_context *context, const clf_call *call, clf_type type, clf_type count_type,
                                     unsigned flags, cl_ulong n, cl_ulong bins, clf_array low_and_high, clf_array in,
                                     clf_array out)
{
    const clf_array both[] = {in, low_and_high};
    const clf_index_edges edges = {CLF_SPAN_LOW_AND_HIGH, 2};
    clf_plan *plan;
    unsigned form = 0;
    CLF_TRY(check_even(context, __func__, type, bins));
    CLF_TRY(find_form(context, __func__, count_type, flags, &form));
    CLF_TRY(plan_for(context, __func__, call, CLF_KEPT_HISTOGRAM_RANGE, type, form, &plan));
    return clf_histogram_run(plan, __func__, call, n, bins, &edges, both, &out);
}
