/* SPDX-License-Identifier: MIT */
/*
 * own: what plans keep besides engines (clf_plan.own): often a plan for a step of their calls.
 */
#include "primitives/primitives.h"

#include <stdlib.h>

clf_status clf_own_memory(clf_plan *plan, size_t bytes, clf_error *error)
{
    plan->own = calloc(1, bytes);
    return plan->own ? CLF_SUCCESS : clf_fail(error, CLF_E_NO_MEMORY, "out of memory");
}

clf_status clf_own_finish(clf_plan **plan, clf_status status)
{
    if (status != CLF_SUCCESS) {
        clf_plan_release(*plan);
        *plan = NULL;
    }
    return status;
}

clf_status clf_own_weaken(clf_plan **plan, clf_status status)
{
    if (status == CLF_SUCCESS) {
        (*plan)->weak = true;
        clf_context_release((*plan)->context); /* never the last reference */
    }
    return status;
}

clf_status clf_own_plan_compile(clf_plan *plan, clf_error *error)
{
    return plan->own ? clf_plan_compile(plan->own, error) : CLF_SUCCESS;
}

void clf_own_plan_close(clf_plan *plan)
{
    if (plan->own)
        clf_plan_release(plan->own);
}

clf_status clf_own_steps_compile(clf_plan *plan, clf_error *error)
{
    const clf_own_steps *const kept = plan->own;
    for (int i = 0; kept && i < CLF_OWN_STEPS; ++i)
        if (kept->plan[i])
            CLF_TRY(clf_plan_compile(kept->plan[i], error));
    return CLF_SUCCESS;
}

void clf_own_steps_close(clf_plan *plan)
{
    clf_own_steps *const kept = plan->own;
    for (int i = 0; kept && i < CLF_OWN_STEPS; ++i)
        if (kept->plan[i])
            clf_plan_release(kept->plan[i]);
    free(kept);
}
