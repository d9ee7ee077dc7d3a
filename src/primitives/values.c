/* SPDX-License-Identifier: MIT */
/*
 * values: what all sorts check, and where their values are beside the caller's outputs: in scratch, or, if they may be
 * overwritten, in the inputs.
 */
#include "primitives/primitives.h"

#include <string.h>

clf_status clf_overwriting_check(const clf_operator *op, unsigned flags, clf_plan **plan, clf_error *error)
{
    if (!(flags & CLF_OVERWRITE_INPUT) || !op || !clf_operator_is_known(op) || !op->map)
        return CLF_SUCCESS; /* or refused by what all plans check */
    CLF_TRY(clf_plan_none(plan, error));
    return clf_fail(error, CLF_E_ARGUMENT,
                    "CLF_OVERWRITE_INPUT: inputs must be the values that are sorted, "
                    "and there is a map");
}

void clf_spare_take(unsigned flags, clf_run *run, const clf_fields *value, cl_ulong n, const clf_array *in,
                    clf_array *spare)
{
    if (flags & CLF_OVERWRITE_INPUT)
        memcpy(spare, in, value->count * sizeof *spare);
    else
        clf_run_values(run, value, n, spare);
}

clf_status clf_sort_check(const clf_plan *plan, clf_check *check, const clf_call *call, const char *what)
{
    check->overwrites = (plan->flags & CLF_OVERWRITE_INPUT) != 0;
    CLF_TRY(clf_check_out_count(check, call, plan->op.value.count));
    return clf_check_no_initial(check, call, what);
}

clf_status clf_sort_check_rows(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task)
{
    cl_ulong n_out[] = {0, 0};
    CLF_TRY(clf_sort_check(plan, check, call, "sort"));
    CLF_TRY(clf_rows_elements(check, task->count, task->size, n_out));
    CLF_TRY(clf_check_arrays(check, &plan->op, n_out, n_out, task->in, task->out));
    task->in_place = check->in_place;
    task->nothing = n_out[0] == 0;
    return CLF_SUCCESS;
}
