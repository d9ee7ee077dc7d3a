/* SPDX-License-Identifier: MIT */
/*
 * group_by: elements of equal keys, in any order, combined or counted. Keys are sorted, with their values, to scratch,
 * and there are runs, which a reduction by key takes.
 */
#include "primitives/kept.h"
#include "primitives/primitives.h"

#include <stdio.h>

/* ---- Plans --------------------------------------------------------------------------------------------- */

/* Keys alone, too: the sort's result is read by the reduction, whatever variant wrote it. */
static clf_status compile_sort(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    char value[48];
    int length = snprintf(value, sizeof value, "%s key;", clf_type_name(w->type));
    if (w->kind == CLF_KEPT_GROUP_SORT)
        snprintf(value + length, sizeof value - (size_t)length, " %s v;", clf_type_name(w->other));
    const clf_operator op = {.size = sizeof op, .value = value};
    return clf_sort_step_plan(context, &op, false, w->flags, plan, error);
}

/*
 * NaNs are one group. Compilers warn of a.key != a.key where keys are integers; differ(a, a) is silent.
 */
#define SAME                                                                                                           \
    "bool differ(clf_input a, clf_input b) { return NUMBER(a.key) != NUMBER(b.key); }\n"                               \
    "bool is_same(clf_input a, clf_input b) { return !differ(a, b) || (differ(a, a) && differ(b, b)); }\n"
#define MAPPED \
    "clf_value of(clf_input x, ulong i, clf_extra *e) { clf_value y; e->key = x.key; y.v = %s; return y; }\n"
#define NARROWED "clf_result narrowed(clf_value a, ulong i) { clf_result y; y.v = clf_narrow(a.v); return y; }\n"

static clf_status compile_reduce(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    const bool counts = w->kind == CLF_KEPT_GROUP_COUNTS, narrows = !counts && w->other == CLF_BFLOAT16;
    char key[32], value[32], input[64], combine[16], source[600];
    snprintf(key, sizeof key, "%s key;", clf_type_name(w->type));
    snprintf(value, sizeof value, "%s v;", counts ? "ulong" : clf_type_name(w->other));
    snprintf(input, sizeof input, "%s %s", key, counts ? "" : value);
    snprintf(source, sizeof source, "%s" SAME MAPPED "%s", CLF_NUMBERS(w->type),
             counts    ? "1"
             : narrows ? "clf_widen(x.v)"
                       : "x.v",
             narrows ? NARROWED : "");
    snprintf(combine, sizeof combine, "clf_%s", clf_op_name(w->op));
    const clf_operator op = {
        .size = sizeof op, .value = narrows ? "float v;" : value, .input = input, .extra = key, .map = "of",
        .combine = combine, .same = "is_same", .source = source, .result = narrows ? value : NULL,
        .finish = narrows ? "narrowed" : NULL,
        .flags = counts ? CLF_COMMUTATIVE : clf_builtin(w->op, w->other)->flags};
    return clf_reduce_by_key_plan(context, &op, w->flags, NULL, plan, error);
}

/* ---- Calls --------------------------------------------------------------------------------------------- */

/* The arrays of the reduction's results are the values', then the keys'. */
static clf_status group(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    const clf_array out[] = {task->out[1], task->out[0]};
    clf_array sorted[2];
    clf_task sort = *task, reduce = *task;
    if (task->size == 0)
        return clf_run_zero(run, task->result, 1, sizeof(cl_ulong));
    clf_run_values(run, &task->other->op.value, task->size, sorted);
    sort.out = reduce.in = sorted;
    sort.result = NULL;
    reduce.out = out;
    CLF_TRY(clf_run_step(run, task->other, &sort));
    return clf_run_step(run, plan, &reduce);
}

/* Results may take the place of what is read: that is sorted to scratch before. */
static clf_status run(const clf_plan *sort, const clf_plan *reduce, const char *name, const clf_call *call,
                      clf_task *task)
{
    clf_operator_copy of_call, value;
    clf_check check;
    clf_operator_none(sort->op.value.field[0].bytes, &of_call);
    clf_operator_none(clf_operator_results(&reduce->op)->field[0].bytes, &value);
    of_call.input = sort->op.value;
    of_call.value.field[of_call.value.count++] = value.value.field[0];
    task->other = sort;
    task->most = task->size;
    CLF_TRY(clf_check_begin(&check, sort->context, name, &of_call, call));
    CLF_TRY(clf_check_no_initial(&check, call, "GROUP BY"));
    CLF_TRY(clf_check_arrays(&check, &of_call, &task->size, &task->size, task->in, task->out));
    CLF_TRY(clf_check_result_count(&check, task->result, 1));
    return clf_call_run(&check, reduce, call, group, task);
}

clf_status clf_array_group_by(clf_context *context, const clf_call *call, clf_op op, clf_type key_type,
                              clf_type value_type, cl_ulong n, clf_array keys, clf_array values, clf_array out_keys,
                              clf_array out_values, clf_array result_count)
{
    const clf_wanted pairs = {.kind = CLF_KEPT_GROUP_SORT, .type = key_type, .other = value_type};
    const clf_wanted groups = {.kind = CLF_KEPT_GROUP_BY, .op = op, .type = key_type, .other = value_type};
    const clf_array in[] = {keys, values}, out[] = {out_keys, out_values};
    clf_plan *sort, *reduce;
    CLF_TRY(clf_kept_check_operator(context, __func__, op, value_type));
    CLF_TRY(clf_kept_plan(context, __func__, call, &pairs, compile_sort, &sort));
    CLF_TRY(clf_kept_plan(context, __func__, call, &groups, compile_reduce, &reduce));
    clf_task task = {.count = 1, .size = n, .in = in, .out = out, .result = &result_count};
    return run(sort, reduce, __func__, call, &task);
}

clf_status clf_array_group_counts(clf_context *context, const clf_call *call, clf_type key_type, cl_ulong n,
                                  clf_array keys, clf_array out_keys, clf_array out_counts, clf_array result_count)
{
    const clf_wanted alone = {.kind = CLF_KEPT_COUNT_SORT, .type = key_type};
    const clf_wanted groups = {.kind = CLF_KEPT_GROUP_COUNTS, .type = key_type};
    const clf_array out[] = {out_keys, out_counts};
    clf_plan *sort, *reduce;
    CLF_TRY(clf_kept_plan(context, __func__, call, &alone, compile_sort, &sort));
    CLF_TRY(clf_kept_plan(context, __func__, call, &groups, compile_reduce, &reduce));
    clf_task task = {.count = 1, .size = n, .in = &keys, .out = out, .result = &result_count};
    return run(sort, reduce, __func__, call, &task);
}
