/* SPDX-License-Identifier: MIT */
/*
 * Calls that suite `injection` lets fail, of one-call functions that are several steps. Their plans are the context's:
 * what is here a plan is any, and to make it has the context forget all of its own, so that calls compile them anew.
 */
#include "injection.h"

#include <stdlib.h>

enum { PAIRS = ROW, PAYLOAD = 12, HALF = ELEMENTS / 2 };

static clf_status kept_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    while (context && context->kept) {
        clf_kept *const entry = context->kept;
        context->kept = entry->next;
        (void)entry->release(entry->object);
        free(entry);
    }
    return clf_transpose_plan(context, sizeof(cl_int), NULL, plan, error);
}

/* ---- Results ----------------------------------------------------------------------------------------------- */

/* Of the first n elements the index of that with this rank. */
static int index_of(int rank, int n)
{
    for (int first = 0; first < RUN; ++first) {
        const int count = (n - first + RUN - 1) / RUN;
        if (rank < count)
            return first + rank * RUN;
        rank -= count;
    }
    return 0;
}

WORLD_RESULT(order, index_of(i, ELEMENTS))

/* Keys, then payloads of three elements each. */
static cl_int pairs(int i)
{
    const int word = i - PAIRS;
    return i < PAIRS ? world_element(index_of(i, PAIRS)) : world_element(3 * index_of(word / 3, PAIRS) + word % 3);
}

/* Keys, and from the middle on their sums. */
static cl_int groups(int i)
{
    const int group = i % HALF;
    if (group >= RUN)
        return WORLD_PATTERN;
    return i < HALF ? world_element(group) : world_element(group) * ((HALF - group + RUN - 1) / RUN);
}

static cl_int columns(int i)
{
    cl_int sum = 0;
    for (int row = 0; row < ROWS; ++row)
        sum += world_element(row * ROW + i);
    return sum;
}

/* ---- Calls ------------------------------------------------------------------------------------------------- */

WORLD_CALL(argsort, clf_array_argsort(plan->context, call, CLF_INT, CLF_UINT, 0, ELEMENTS, w->in, w->out))

static clf_status sort_pairs(const world *w, clf_plan *plan, const clf_call *call)
{
    const clf_array payloads = {w->out.buffer, PAIRS * sizeof(cl_int) / PAYLOAD};
    return clf_array_sort_pairs(plan->context, call, CLF_INT, PAYLOAD, 0, PAIRS, w->in, w->in, w->out, payloads);
}

/* The size is in two ints of the input: 0 and 1 make 2^32, which is no less than the call's own. */
static clf_status given_pairs(const world *w, clf_plan *plan, const clf_call *call)
{
    clf_call given = *call;
    const clf_array payloads = {w->out.buffer, PAIRS * sizeof(cl_int) / PAYLOAD};
    given.actual = (clf_array){w->in.buffer, 1};
    return clf_array_sort_pairs(plan->context, &given, CLF_INT, PAYLOAD, 0, PAIRS, w->in, w->in, w->out, payloads);
}

static clf_status group_by(const world *w, clf_plan *plan, const clf_call *call)
{
    const clf_array sums = {w->out.buffer, HALF};
    return clf_array_group_by(plan->context, call, CLF_SUM, CLF_INT, CLF_INT, HALF, w->in, w->in, w->out, sums,
                              w->count);
}

WORLD_CALL(columns_reduce, clf_columns_reduce(plan->context, call, CLF_SUM, CLF_INT, ROWS, ROW, w->in, w->out))

/* ---- The table ------------------------------------------------------------------------------------------------- */

static const subject several_steps[] = {
    {"argsort", "transpose", argsort, order, ELEMENTS, .scratch = NO_SCRATCH, .plan = kept_plan},
    {"sort of pairs", "transpose", sort_pairs, pairs, 4 * ROW, .scratch = NO_SCRATCH, .plan = kept_plan},
    {"the same, given", "transpose", given_pairs, pairs, 4 * ROW, .scratch = NO_SCRATCH, .plan = kept_plan},
    {"group by", "transpose", group_by, groups, ELEMENTS / 2 + RUN, .scratch = NO_SCRATCH, .plan = kept_plan},
    {"reduce columns", "transpose", columns_reduce, columns, ROW, .scratch = NO_SCRATCH, .plan = kept_plan},
};
const subjects once_subjects = {several_steps, COUNT(several_steps)};
