/* SPDX-License-Identifier: MIT */
/*
 * kept: the context's table of plans, which one-call functions compile on first use.
 *
 * The table's plans are weak: they hold no reference to the context, or neither would ever go. Plans are compiled
 * outside the lock; of two threads that make the same one, the first to come back enters it in the table.
 */
#include "primitives/kept.h"
#include "primitives/primitives.h"

#include <stdio.h>
#include <stdlib.h>

static clf_plan *find(const clf_context *context, int key)
{
    for (const clf_kept *entry = context->kept; entry; entry = entry->next)
        if (entry->key == key)
            return entry->object;
    return NULL;
}

static clf_status release(void *plan)
{
    return clf_plan_release(plan);
}

/* Puts the plan into the table; if there is one for the key already, drops the plan and gives that one. */
static clf_status enter(clf_context *context, int key, clf_plan **plan)
{
    clf_kept *entry = malloc(sizeof *entry);
    if (!entry) {
        clf_plan_release(*plan);
        return CLF_E_NO_MEMORY;
    }
    clf_lock_acquire(&context->lock);
    clf_plan *earlier = find(context, key);
    if (!earlier) {
        *entry = (clf_kept){.next = context->kept, .key = key, .object = *plan, .release = release};
        context->kept = entry;
    }
    clf_lock_release(&context->lock);
    if (earlier) {
        free(entry);
        clf_plan_release(*plan);
        *plan = earlier;
    }
    return CLF_SUCCESS;
}

/* A number of its own for each: 28 bits. */
static int key_of(const clf_wanted *w)
{
    int key = (int)w->kind;
    key = key << 3 | (int)w->op;
    key = key << 4 | (int)w->type;
    key = key << 4 | (int)w->other;
    key = key << 5 | (int)w->bytes;
    return key << 7 | (int)w->flags;
}

/* Has a size of fields that this library knows, and leaves some of it to the device? */
static bool is_from_device(const clf_call *call)
{
    return call && call->size == sizeof *call && (call->actual.buffer || call->initial_arrays);
}

clf_status clf_kept_refuse(clf_context *context, const char *name, clf_status status, const char *why)
{
    if (!context)
        return CLF_E_ARGUMENT; /* there is nobody to tell */
    const clf_check check = {.context = context, .call = name};
    return clf_refuse(&check, status, "%s", why);
}

clf_status clf_kept_check_index(clf_context *context, const char *name, const char *what, clf_type type,
                                cl_ulong numbers)
{
    char why[64];
    snprintf(why, sizeof why, "%s is neither CLF_UINT nor CLF_ULONG", what);
    if (type != CLF_UINT && type != CLF_ULONG)
        return clf_kept_refuse(context, name, CLF_E_ARGUMENT, why);
    if (type == CLF_UINT && numbers > (cl_ulong)1 << 32)
        return clf_kept_refuse(context, name, CLF_E_OVERFLOW, "indices of so many elements do not fit CLF_UINT");
    return CLF_SUCCESS;
}

clf_status clf_kept_check_order(clf_context *context, const char *name, unsigned flags)
{
    if ((flags & ~(CLF_DESCENDING | CLF_TOTAL_ORDER)) == 0)
        return CLF_SUCCESS;
    return clf_kept_refuse(context, name, CLF_E_ARGUMENT, "flags are CLF_DESCENDING, CLF_TOTAL_ORDER, both or 0");
}

clf_segmentation clf_kept_offsets(clf_type type)
{
    return (clf_segmentation){.size = sizeof(clf_segmentation), .by = CLF_BY_OFFSETS, .type = type};
}

clf_status clf_kept_check_operator(clf_context *context, const char *name, clf_op op, clf_type type)
{
    static const char *const names[CLF_OP_COUNT] = {"CLF_SUM", "CLF_PRODUCT", "CLF_MIN", "CLF_MAX", "CLF_AND", "CLF_OR",
                                                    "CLF_XOR"};
    char why[64];
    if (context && clf_builtin(op, type))
        return CLF_SUCCESS;
    if ((unsigned)op >= CLF_OP_COUNT)
        return clf_kept_refuse(context, name, CLF_E_ARGUMENT, "op is no clf_op");
    if ((unsigned)type >= CLF_TYPE_COUNT)
        return clf_kept_refuse(context, name, CLF_E_ARGUMENT, "type is no clf_type");
    snprintf(why, sizeof why, "there is no %s of %s", names[op], clf_type_name(type));
    return clf_kept_refuse(context, name, CLF_E_ARGUMENT, why);
}

clf_status clf_kept_plan(clf_context *context, const char *name, const clf_call *call, const clf_wanted *wanted,
                         clf_wanted_compile compile, clf_plan **plan)
{
    clf_error error = {.size = sizeof error};
    clf_wanted w = *wanted;
    w.flags |= is_from_device(call) ? CLF_FROM_DEVICE : 0;
    CLF_TRY(clf_kept_check_operator(context, name, CLF_SUM, w.type));
    CLF_TRY(clf_kept_check_operator(context, name, w.op, w.kind == CLF_KEPT_GROUP_BY ? w.other : w.type));
    const int key = key_of(&w);
    clf_lock_acquire(&context->lock);
    *plan = find(context, key);
    clf_lock_release(&context->lock);
    if (*plan)
        return CLF_SUCCESS;
    clf_status status = compile(context, &w, plan, &error);
    if (status == CLF_SUCCESS && !(*plan)->weak)
        status = clf_own_weaken(plan, status);
    return status == CLF_SUCCESS ? enter(context, key, plan) : clf_kept_refuse(context, name, status, error.message);
}

clf_status clf_kept_call(clf_context *context, const char *name, const clf_call *call, const clf_wanted *wanted,
                         clf_wanted_compile compile, clf_task *task)
{
    clf_plan *plan;
    CLF_TRY(clf_kept_plan(context, name, call, wanted, compile, &plan));
    return clf_call_task(plan, plan->primitive, name, call, task);
}
