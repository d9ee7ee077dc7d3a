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

static clf_status sort(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    const clf_array sorted = clf_run_array(run, CLF_PLAIN, task->size, plan->op.value.field[0].bytes);
    const clf_array out[] = {sorted, task->out[0]};
    clf_task step = *task;
    step.out = out;
    return clf_run_step(run, plan, &step);
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
    clf_task task = {.count = 1, .size = n, .in = in, .out = out_indices};
    return n ? clf_call_run(&check, plan, call, sort, &task) : clf_call_nothing(&check, call);
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
