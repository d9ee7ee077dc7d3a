/* SPDX-License-Identifier: MIT */
/*
 * columns: each column of a matrix reduced to one element: the matrix is transposed to scratch, and its rows are
 * reduced there. One row, or one column, is one already.
 */
#include "primitives/kept.h"
#include "primitives/primitives.h"

static clf_status compile(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    return clf_reduce_plan(context, clf_builtin(w->op, w->type), w->flags, NULL, plan, error);
}

/* Columns are counted, and have a size. */
static clf_status reduce_columns(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    const clf_array turned = clf_run_array(run, CLF_PLAIN, task->count * task->size, plan->op.value.field[0].bytes);
    const clf_task turn = {.batch = 1, .count = task->size, .size = task->count, .in = task->in, .out = &turned};
    clf_task reduce = *task;
    reduce.in = &turned;
    CLF_TRY(clf_run_step(run, task->other, &turn));
    return clf_run_step(run, plan, &reduce);
}

static clf_status run(const clf_plan *plan, const char *name, const clf_call *call, clf_task *task)
{
    const clf_operator_copy *const op = &plan->op;
    clf_check check;
    cl_ulong n;
    CLF_TRY(clf_check_begin(&check, plan->context, name, op, call));
    CLF_TRY(clf_rows_elements(&check, task->count, task->size, &n));
    CLF_TRY(clf_check_arrays(&check, op, &n, &task->count, task->in, task->out));
    return clf_call_run(&check, plan, call, reduce_columns, task);
}

clf_status clf_columns_reduce(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong rows,
                              cl_ulong columns, clf_array in, clf_array out)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_REDUCE, .op = op, .type = type};
    clf_task task = {.count = columns, .size = rows, .counted = true, .in = &in, .out = &out};
    clf_plan *reduce, *transpose;
    CLF_TRY(clf_kept_plan(context, __func__, NULL, &wanted, compile, &reduce));
    if (rows <= 1 || columns <= 1)
        return clf_call_task(reduce, &clf_reduce_primitive, __func__, call, &task);
    CLF_TRY(clf_kept_transpose(context, __func__, clf_type_size(type), &transpose));
    task.other = transpose;
    return run(reduce, __func__, call, &task);
}
