/* SPDX-License-Identifier: MIT */
/*
 * argsort: the order that a sort puts elements in, as indices. Elements are sorted with their indices; the sorted
 * elements are in scratch.
 */
#include "primitives/kept.h"
#include "primitives/primitives.h"

static clf_status compile(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    clf_placed placed;
    return clf_sort_plan(context, clf_placed_operator(&placed, w->type, w->other, false), w->flags, NULL, plan, error);
}

static clf_status enqueue(void *state, clf_chain *chain, clf_arguments *arguments, const clf_array *scratch)
{
    const clf_plan *const plan = state;
    const cl_uint element = plan->op.value.field[0].bytes;
    const cl_ulong bytes = clf_scratch_round(arguments->size * element);
    const clf_array rest = clf_scratch_behind(scratch, bytes);
    clf_workspace borrowed, *workspace = NULL;
    CLF_TRY(clf_scratch_take(plan->context, chain, scratch, bytes, &borrowed, &workspace));
    workspace->clean = 0; /* elements could be taken for messages */
    const clf_array out[] = {{workspace->buffer, workspace->offset / element}, arguments->out[0]};
    const clf_sort_step step = {1, arguments->size, false, arguments->in, out, arguments->given};
    const clf_status status = clf_sort_within(plan, chain, &step, &rest);
    clf_scratch_return(plan->context, chain, workspace, 0, status);
    return status;
}

static clf_status run(clf_plan *plan, const char *name, const clf_call *call, cl_ulong n, const clf_array *in,
                      const clf_array *out_indices)
{
    clf_operator_copy of_call, index;
    clf_check check;
    clf_operator_none(plan->op.value.field[0].bytes, &of_call);
    clf_operator_none(plan->op.value.field[1].bytes, &index);
    of_call.value = index.value;
    CLF_TRY(clf_check_begin(&check, plan->context, name, &of_call, call));
    check.values_apart = true;
    CLF_TRY(clf_check_no_initial(&check, call, "sort"));
    CLF_TRY(clf_check_arrays(&check, &of_call, &n, &n, in, out_indices));
    if (n == 0)
        return clf_run_nothing(&check, call);
    clf_arguments arguments = {.op = &plan->op, .in = in, .out = out_indices, .count = 1, .size = n};
    return clf_run(&check, plan, call, &arguments, false, enqueue, plan);
}

clf_status clf_array_argsort(clf_context *context, const clf_call *call, clf_type type, clf_type index_type,
                             unsigned flags, cl_ulong n, clf_array in, clf_array out_indices)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_ARGSORT, .type = type, .other = index_type, .flags = flags};
    clf_plan *plan;
    CLF_TRY(clf_kept_check_order(context, __func__, flags));
    CLF_TRY(clf_kept_check_index(context, __func__, "index_type", index_type, n));
    CLF_TRY(clf_kept_plan(context, __func__, call, &wanted, compile, &plan));
    return run(plan, __func__, call, n, &in, &out_indices);
}
