/* SPDX-License-Identifier: MIT */
/*
 * rows: segments of equal lengths, one behind the other: what all calls on them check.
 */
#include "primitives/primitives.h"

clf_status clf_rows_elements(const clf_check *check, cl_ulong count, cl_ulong size, cl_ulong *n)
{
    if (size != 0 && count > CL_ULONG_MAX / size)
        return clf_refuse(check, CLF_E_OVERFLOW, "count * size does not fit 64 bits");
    *n = count * size;
    return CLF_SUCCESS;
}

clf_status clf_rows_check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task)
{
    const clf_operator_copy *const op = &plan->op;
    cl_ulong n;
    CLF_TRY(clf_check_out_count(check, call, op->value.count + op->extra.count));
    CLF_TRY(clf_rows_elements(check, task->count, task->size, &n));
    CLF_TRY(clf_check_arrays(check, op, &n, &n, task->in, task->out));
    task->in_place = check->in_place;
    task->nothing = n == 0;
    return CLF_SUCCESS;
}

void clf_define_rows(const clf_engine *engine, clf_text *options)
{
    (void)engine;
    clf_text_format(options, " -D CLF_SEGMENT=1");
}
