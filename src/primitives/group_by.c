/* SPDX-License-Identifier: MIT */
/*
 * group_by: elements of equal keys, in any order, combined or counted. Keys are sorted, with their values, to scratch,
 * and there are runs, which a reduction by key takes.
 *
 *     scratch   sorted keys and values | scratch of the sort, or of the reduction
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

/* NaNs are one group. Compilers warn of a.key != a.key where keys are integers; differ(a, a) is silent. */
#define SAME                                                                                                           \
    "bool differ(clf_input a, clf_input b) { return a.key != b.key; }\n"                                               \
    "bool is_same(clf_input a, clf_input b) { return !differ(a, b) || (differ(a, a) && differ(b, b)); }\n"
#define MAPPED(made) \
    "clf_value of(clf_input x, ulong i, clf_extra *e) { clf_value y; e->key = x.key; y.v = " made "; return y; }\n" SAME

static clf_status compile_reduce(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    const bool counts = w->kind == CLF_KEPT_GROUP_COUNTS;
    char key[32], value[32], input[64], combine[16];
    snprintf(key, sizeof key, "%s key;", clf_type_name(w->type));
    snprintf(value, sizeof value, "%s v;", counts ? "ulong" : clf_type_name(w->other));
    snprintf(input, sizeof input, "%s %s", key, counts ? "" : value);
    snprintf(combine, sizeof combine, "clf_%s", clf_op_name(w->op));
    const clf_operator op = {
        .size = sizeof op, .value = value, .input = input, .extra = key, .map = "of", .combine = combine,
        .same = "is_same", .source = counts ? MAPPED("1") : MAPPED("x.v"),
        .flags = counts ? CLF_COMMUTATIVE : clf_builtin(w->op, w->other)->flags};
    return clf_reduce_by_key_plan(context, &op, w->flags, NULL, plan, error);
}

/* ---- Calls --------------------------------------------------------------------------------------------- */

typedef struct grouping {
    clf_plan *sort, *reduce;
} grouping;

/* The arrays of the reduction's results are the values', then the keys'. */
static clf_status reduce(const grouping *g, clf_chain *chain, const clf_arguments *arguments, const clf_array *sorted,
                         const clf_array *scratch)
{
    const clf_array out[] = {arguments->out[1], arguments->out[0]};
    clf_arguments own = *arguments;
    own.in = sorted;
    own.out = out;
    clf_engine *const engine = clf_chained_choose(g->reduce, &(clf_shape){1, 1, own.size, false, false});
    return clf_engine_enqueue(engine, chain, &own, own.size, scratch);
}

static clf_status enqueue(void *state, clf_chain *chain, clf_arguments *arguments, const clf_array *scratch)
{
    const grouping *const g = state;
    const clf_fields *const fields = &g->sort->op.value;
    const cl_ulong n = arguments->size, bytes = clf_scratch_round(clf_values_bytes(fields, n));
    const clf_array rest = clf_scratch_behind(scratch, bytes);
    clf_array sorted[2];
    clf_workspace borrowed, *workspace = NULL;
    CLF_TRY(clf_scratch_take(g->sort->context, chain, scratch, bytes, &borrowed, &workspace));
    workspace->clean = 0; /* elements could be taken for messages */
    clf_values_place(fields, n, workspace->buffer, workspace->offset, sorted);
    const clf_sort_step step = {1, n, false, arguments->in, sorted, arguments->given};
    clf_status status = clf_sort_within(g->sort, chain, &step, &rest);
    if (status == CLF_SUCCESS)
        status = reduce(g, chain, arguments, sorted, &rest);
    clf_scratch_return(g->sort->context, chain, workspace, 0, status);
    return status;
}

static clf_status count_nothing(void *state, clf_chain *chain, clf_arguments *arguments, const clf_array *scratch)
{
    const clf_array *const result = &arguments->arrays[0];
    (void)state, (void)scratch;
    return clf_chain_fill(chain, result->buffer, 8 * result->offset, 8);
}

/* Results may take the place of what is read: that is sorted to scratch before. */
static clf_status run(grouping *g, const char *name, const clf_call *call, cl_ulong n, const clf_array *in,
                      const clf_array *out, const clf_array *result_count)
{
    clf_operator_copy of_call, value;
    clf_check check;
    clf_operator_none(g->sort->op.value.field[0].bytes, &of_call);
    clf_operator_none(g->reduce->op.value.field[0].bytes, &value);
    of_call.input = g->sort->op.value;
    of_call.value.field[of_call.value.count++] = value.value.field[0];
    CLF_TRY(clf_check_begin(&check, g->sort->context, name, &of_call, call));
    CLF_TRY(clf_check_no_initial(&check, call, "GROUP BY"));
    CLF_TRY(clf_check_arrays(&check, &of_call, &n, &n, in, out));
    CLF_TRY(clf_check_result_count(&check, result_count, 1));
    clf_arguments arguments = {.op = &g->reduce->op, .in = in, .out = out, .count = 1, .size = n,
                               .arrays = {*result_count}, .numbers = {(cl_uint)n, (cl_uint)(n >> 32)}};
    return clf_run(&check, g->reduce, call, &arguments, false, n ? enqueue : count_nothing, g);
}

clf_status clf_array_group_by(clf_context *context, const clf_call *call, clf_op op, clf_type key_type,
                              clf_type value_type, cl_ulong n, clf_array keys, clf_array values, clf_array out_keys,
                              clf_array out_values, clf_array result_count)
{
    const clf_wanted pairs = {.kind = CLF_KEPT_GROUP_SORT, .type = key_type, .other = value_type};
    const clf_wanted groups = {.kind = CLF_KEPT_GROUP_BY, .op = op, .type = key_type, .other = value_type};
    const clf_array in[] = {keys, values}, out[] = {out_keys, out_values};
    grouping g;
    CLF_TRY(clf_kept_check_operator(context, __func__, op, value_type));
    CLF_TRY(clf_kept_plan(context, __func__, call, &pairs, compile_sort, &g.sort));
    CLF_TRY(clf_kept_plan(context, __func__, call, &groups, compile_reduce, &g.reduce));
    return run(&g, __func__, call, n, in, out, &result_count);
}

clf_status clf_array_group_counts(clf_context *context, const clf_call *call, clf_type key_type, cl_ulong n,
                                  clf_array keys, clf_array out_keys, clf_array out_counts, clf_array result_count)
{
    const clf_wanted alone = {.kind = CLF_KEPT_COUNT_SORT, .type = key_type};
    const clf_wanted groups = {.kind = CLF_KEPT_GROUP_COUNTS, .type = key_type};
    const clf_array out[] = {out_keys, out_counts};
    grouping g;
    CLF_TRY(clf_kept_plan(context, __func__, call, &alone, compile_sort, &g.sort));
    CLF_TRY(clf_kept_plan(context, __func__, call, &groups, compile_reduce, &g.reduce));
    return run(&g, __func__, call, n, &keys, out, &result_count);
}
