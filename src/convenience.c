/* SPDX-License-Identifier: MIT */
/*
 * The one-call functions: the built-in operators' plans, made on first use and kept in the context's table.
 *
 * The table's plans are weak: they hold no reference to the context, or neither would ever go. Plans are
 * compiled outside the lock; of two threads that make the same one, the first to come back enters it in the
 * table.
 */
#include "internal.h"

#include <stdlib.h>

static clf_plan *find(const clf_context *context, int key)
{
    for (const clf_builtin_plan *entry = context->plans; entry != NULL; entry = entry->next)
        if (entry->key == key)
            return entry->plan;
    return NULL;
}

/* Puts the plan into the table; if there is one for the key already, drops the plan and gives that one. */
static clf_status enter(clf_context *context, int key, clf_plan **plan)
{
    clf_builtin_plan *entry = malloc(sizeof *entry);
    if (entry == NULL) {
        clf_plan_release(*plan);
        return CLF_E_NO_MEMORY;
    }
    clf_lock_acquire(&context->lock);
    clf_plan *earlier = find(context, key);
    if (earlier == NULL) {
        *entry = (clf_builtin_plan){.next = context->plans, .key = key, .plan = *plan};
        context->plans = entry;
    }
    clf_lock_release(&context->lock);
    if (earlier != NULL) {
        free(entry);
        clf_plan_release(*plan);
        *plan = earlier;
    }
    return CLF_SUCCESS;
}

static clf_status make(clf_context *context, const clf_operator *builtin, unsigned flags, int key,
                       clf_plan **plan)
{
    CLF_TRY(clf_scan_plan(context, builtin, flags, NULL, plan, NULL));
    (*plan)->weak = true;
    clf_context_release(context); /* the plan's reference, never the last one: the caller has another */
    return enter(context, key, plan);
}

static clf_status scan(clf_context *context, cl_command_queue queue, clf_op op, clf_type type, unsigned flags,
                       cl_ulong n, const clf_array *in, const clf_array *out, cl_uint wait_count,
                       const cl_event *wait, cl_event *event)
{
    const clf_operator *builtin = clf_builtin(op, type);
    if (context == NULL || builtin == NULL)
        return CLF_E_ARGUMENT;
    const int key = ((int)op * CLF_TYPE_COUNT + (int)type) * 2 + (int)flags;
    clf_lock_acquire(&context->lock);
    clf_plan *plan = find(context, key);
    clf_lock_release(&context->lock);
    if (plan == NULL)
        CLF_TRY(make(context, builtin, flags, key, &plan));
    return clf_scan(plan, queue, n, in, out, NULL, NULL, wait_count, wait, event);
}

clf_status clf_inclusive_scan(clf_context *context, cl_command_queue queue, clf_op op, clf_type type,
                              cl_ulong n, clf_array in, clf_array out, cl_uint wait_count,
                              const cl_event *wait, cl_event *event)
{
    return scan(context, queue, op, type, 0, n, &in, &out, wait_count, wait, event);
}

clf_status clf_exclusive_scan(clf_context *context, cl_command_queue queue, clf_op op, clf_type type,
                              cl_ulong n, clf_array in, clf_array out, cl_uint wait_count,
                              const cl_event *wait, cl_event *event)
{
    return scan(context, queue, op, type, CLF_EXCLUSIVE, n, &in, &out, wait_count, wait, event);
}
