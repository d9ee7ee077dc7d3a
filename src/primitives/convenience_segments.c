/* SPDX-License-Identifier: MIT */
/*
 * convenience_segments: one-call functions for scans and reductions of segments of any lengths, by offsets.
 */
#include "primitives/kept.h"
#include "primitives/primitives.h"

static clf_status compile_scan(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    const clf_segmentation by_offsets = clf_kept_offsets(w->other);
    return clf_irregular_scan_plan(context, clf_builtin(w->op, w->type), &by_offsets, w->flags, NULL, plan, error);
}

static clf_status compile_reduce(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    const clf_segmentation by_offsets = clf_kept_offsets(w->other);
    return clf_irregular_reduce_plan(context, clf_builtin(w->op, w->type), &by_offsets, w->flags, NULL, plan, error);
}

static clf_status call_for(clf_context *context, const char *name, const clf_call *call, const clf_wanted *wanted,
                           clf_wanted_compile compile, clf_task *task)
{
    CLF_TRY(clf_kept_check_index(context, name, "offset_type", wanted->other, 0));
    return clf_kept_call(context, name, call, wanted, compile, task);
}

clf_status clf_segments_inclusive_scan(clf_context *context, const clf_call *call, clf_op op, clf_type type,
                                       clf_type offset_type, cl_ulong n, cl_ulong count, clf_array offsets,
                                       clf_array in, clf_array out)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_SEGMENTS_SCAN, .op = op, .type = type, .other = offset_type};
    clf_task task = {.count = 1, .size = n, .entries = count, .segments = &offsets, .in = &in, .out = &out};
    return call_for(context, __func__, call, &wanted, compile_scan, &task);
}

clf_status clf_segments_exclusive_scan(clf_context *context, const clf_call *call, clf_op op, clf_type type,
                                       clf_type offset_type, cl_ulong n, cl_ulong count, clf_array offsets,
                                       clf_array in, clf_array out)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_SEGMENTS_SCAN, .op = op, .type = type, .other = offset_type,
                               .flags = CLF_EXCLUSIVE};
    clf_task task = {.count = 1, .size = n, .entries = count, .segments = &offsets, .in = &in, .out = &out};
    return call_for(context, __func__, call, &wanted, compile_scan, &task);
}

clf_status clf_segments_reduce(clf_context *context, const clf_call *call, clf_op op, clf_type type,
                               clf_type offset_type, cl_ulong n, cl_ulong count, clf_array offsets, clf_array in,
                               clf_array out)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_SEGMENTS_REDUCE, .op = op, .type = type, .other = offset_type};
    clf_task task = {.count = 1, .size = n, .entries = count, .segments = &offsets, .in = &in, .out = &out};
    return call_for(context, __func__, call, &wanted, compile_reduce, &task);
}
