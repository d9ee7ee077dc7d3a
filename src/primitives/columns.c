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

typedef struct reduction {
    const clf_plan *reduce, *transpose;
} reduction;

static clf_status reduce_rows(const clf_plan *plan, clf_chain *chain, clf_arguments *arguments,
                              const clf_array *scratch)
{
    const clf_shape shape = {1, arguments->count, arguments->size, false, false};
    return clf_engine_enqueue(plan->primitive->choose(plan, &shape), chain, arguments, arguments->size, scratch);
}

/* Columns are counted, and have a size. */
static clf_status enqueue(void *state, clf_chain *chain, clf_arguments *arguments, const clf_array *scratch)
{
    const reduction *const r = state;
    const cl_uint element = r->reduce->op.value.field[0].bytes;
    const cl_ulong columns = arguments->count, rows = arguments->size;
    const cl_ulong bytes = clf_scratch_round(rows * columns * element);
    const clf_array rest = clf_scratch_behind(scratch, bytes);
    clf_workspace borrowed, *workspace = NULL;
    CLF_TRY(clf_scratch_take(r->reduce->context, chain, scratch, bytes, &borrowed, &workspace));
    workspace->clean = 0; /* elements could be taken for messages */
    const clf_array turned = {workspace->buffer, workspace->offset / element};
    clf_arguments own = *arguments;
    own.in = &turned;
    clf_status status = clf_transpose_within(r->transpose, chain, rows, columns, arguments->in, &turned);
    if (status == CLF_SUCCESS)
        status = reduce_rows(r->reduce, chain, &own, &rest);
    clf_scratch_return(r->reduce->context, chain, workspace, 0, status);
    return status;
}

static clf_status run(reduction *r, const char *name, const clf_call *call, cl_ulong rows, cl_ulong columns,
                      const clf_array *in, const clf_array *out)
{
    const clf_operator_copy *const op = &r->reduce->op;
    clf_check check;
    cl_ulong n;
    CLF_TRY(clf_check_begin(&check, r->reduce->context, name, op, call));
    CLF_TRY(clf_rows_elements(&check, rows, columns, &n));
    CLF_TRY(clf_check_arrays(&check, op, &n, &columns, in, out));
    clf_arguments arguments = {.op = op, .in = in, .out = out, .count = columns, .size = rows};
    return clf_run(&check, r->reduce, call, &arguments, true, enqueue, r);
}

clf_status clf_columns_reduce(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong rows,
                              cl_ulong columns, clf_array in, clf_array out)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_REDUCE, .op = op, .type = type};
    clf_plan *reduce, *transpose;
    CLF_TRY(clf_kept_plan(context, __func__, NULL, &wanted, compile, &reduce));
    if (rows <= 1 || columns <= 1)
        return clf_segmented_reduce(reduce, call, columns, rows, &in, &out);
    CLF_TRY(clf_kept_transpose(context, __func__, clf_type_size(type), &transpose));
    return run(&(reduction){reduce, transpose}, __func__, call, rows, columns, &in, &out);
}
