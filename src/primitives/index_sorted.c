/* SPDX-License-Identifier: MIT */
/*
 * index_sorted: a reduction by index of operators that want their operands in order, or whose values are too wide for
 * atomics and bins too many for tables with locks: values are sorted by their bins (sort.c, stable; binned.c
 * writes its operator), and then are segments, whose offsets a search tells, and which are reduced as such
 * (irregular_reduce.c). Elements that are no wider than their values, and begin with their bin, are sorted as they are,
 * and the reduction maps them: fewer bytes are moved. Results go where they belong, or, where bins are updated or the
 * device may know of fewer rows, by way of scratch.
 */
#include "primitives/binned.h"
#include "primitives/primitives.h"

#include <string.h>

enum { BEGIN, BOUNDS, RESULTS }; /* kernels */
enum { BIN, VALUE };             /* fields that are sorted: the bin, and those of the value */
enum { TOLD_ELEMENTS = CLF_BINNED_NUMBERS, TOLD_OFFSETS }; /* cl/reduce_by_index/index_sorted.cl */

/* ---- What a plan keeps ------------------------------------------------------------------------------- */

enum { SORT, SORT_ROWS, REDUCE, REDUCE_ROWS };
typedef clf_own_steps own; /* of a plan that sorts all its calls, or some */

/* Are elements of one row sorted as they are? */
static bool sorts_inputs(const clf_operator_copy *op)
{
    const clf_field *const bin = &op->input.field[0];
    return clf_index_moves(op) && !op->part && op->captured.count == 0 && bin->width == 1 &&
           (bin->type == CLF_UINT || bin->type == CLF_INT) &&
           clf_fields_sum(&op->input) <= sizeof(cl_uint) + clf_fields_sum(&op->value);
}

/* Of several rows bins are counted through all; so many bins as here may be the same as negative ones. */
static int sort_for(cl_ulong rows, cl_ulong bins)
{
    return rows > 1 || bins > CL_INT_MAX ? SORT_ROWS : SORT;
}

/* The reduction of what a sort leaves: made values, or elements. */
static int reduce_after(const clf_plan *plan, int which)
{
    return which == SORT_ROWS && sorts_inputs(&plan->op) ? REDUCE_ROWS : REDUCE;
}

static clf_status make_sort(clf_plan *plan, own *kept, int which, clf_error *error)
{
    const unsigned flags = plan->flags & CLF_FROM_DEVICE;
    clf_binned binned;
    clf_status status = which == SORT && sorts_inputs(&plan->op)
                            ? clf_binned_inputs(&plan->op, &binned, error)
                            : clf_binned_elements(&plan->op, which == SORT_ROWS, &binned, error);
    if (status == CLF_SUCCESS)
        status = clf_sort_step_plan(plan->context, &binned.op, false, flags, &kept->plan[which], error);
    clf_binned_free(&binned);
    return status;
}

static clf_status make_reduce(clf_plan *plan, own *kept, int which, clf_error *error)
{
    clf_binned binned;
    clf_status status = which == REDUCE && sorts_inputs(&plan->op) ? clf_binned_made(&plan->op, &binned, error)
                                                                   : clf_binned_values(&plan->op, &binned, error);
    if (status == CLF_SUCCESS)
        status = clf_reduce_step_plan(plan->context, &binned.op, &kept->plan[which], error);
    clf_binned_free(&binned);
    return status;
}

clf_status clf_index_sorted_open(clf_plan *plan, clf_error *error)
{
    CLF_TRY(clf_own_memory(plan, sizeof(own), error));
    CLF_TRY(make_sort(plan, plan->own, SORT, error));
    CLF_TRY(make_sort(plan, plan->own, SORT_ROWS, error));
    CLF_TRY(make_reduce(plan, plan->own, REDUCE, error));
    return sorts_inputs(&plan->op) ? make_reduce(plan, plan->own, REDUCE_ROWS, error) : CLF_SUCCESS;
}

/* ---- Scratch ----------------------------------------------------------------------------------------- */

/* Where in scratch its pieces begin, in bytes; steps have theirs behind all. */
typedef struct layout {
    cl_ulong sorted, results, all;
} layout;

static layout layout_of(const clf_plan *plan, int which, cl_ulong n, cl_ulong bins, bool direct)
{
    const own *const kept = plan->own;
    layout l;
    l.sorted = clf_scratch_for(bins, sizeof(cl_ulong)) + clf_scratch_for(TOLD_OFFSETS + 1, sizeof(cl_ulong));
    l.results = l.sorted + clf_values_bytes(&kept->plan[which]->op.value, n);
    l.all = clf_scratch_round(l.results + clf_values_bytes(&plan->op.value, direct ? 0 : bins));
    return l;
}

static cl_ulong scratch_of(const clf_plan *plan, int which, cl_ulong n, cl_ulong bins)
{
    const own *const kept = plan->own;
    const cl_ulong sort = n ? clf_sort_within_scratch(kept->plan[which], 1, n) : 0;
    const cl_ulong reduce = clf_engine_scratch(kept->plan[reduce_after(plan, which)]->engine[0], n);
    return layout_of(plan, which, n, bins, false).all + (sort > reduce ? sort : reduce);
}

cl_ulong clf_index_sorted_scratch(const clf_plan *plan, cl_ulong n, cl_ulong bins)
{
    const cl_ulong one = scratch_of(plan, SORT, n, bins), rows = scratch_of(plan, SORT_ROWS, n, bins);
    return one > rows ? one : rows;
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

/* The plan's engine for this, which has the kernels above. */
static clf_engine *engine_of(const clf_plan *plan)
{
    return plan->engine[plan->engine[1] ? 1 : 0];
}

/* A call under way. */
typedef struct sorting {
    const clf_plan *plan;
    clf_chain *chain;
    clf_arguments arguments;
    cl_ulong n, bins; /* of all rows */
    int sort;         /* SORT, SORT_ROWS */
    bool direct;
    clf_array sorted[CLF_MAX_FIELDS], results[2 * CLF_MAX_FIELDS]; /* results: the caller's, and those in scratch */
    clf_array told, rest;
} sorting;

static clf_status launch(sorting *s, cl_uint kernel, cl_ulong items)
{
    enum { MOST = 1 << 16 };
    clf_engine *const engine = engine_of(s->plan);
    const cl_ulong groups = clf_ceiling(items, engine->group);
    return clf_launch(s->chain, &engine->kernels[kernel], &s->arguments, groups < MOST ? groups : MOST, engine->group);
}

/* A number of those that the device tells, as sizes of steps: bytes. */
static clf_array told_size(const sorting *s, cl_ulong which)
{
    return (clf_array){s->told.buffer, (s->told.offset + which) * sizeof(cl_ulong)};
}

static clf_status sort(sorting *s)
{
    const own *const kept = s->plan->own;
    const clf_operator_copy *const op = &s->plan->op;
    const cl_uint fields = op->input.count + op->captured.count;
    const bool given = clf_arguments_size_given(&s->arguments);
    clf_array in[2 * CLF_MAX_FIELDS] = {{0}};
    if (s->n == 0)
        return CLF_SUCCESS;
    memcpy(in, s->arguments.in, fields * sizeof *in);
    in[fields] = s->told;
    const clf_sort_step step = {1, s->n, false, in, s->sorted, given ? told_size(s, TOLD_ELEMENTS) : (clf_array){0}};
    return clf_sort_within(kept->plan[s->sort], s->chain, &step, &s->rest);
}

/* Elements of no bin lie behind the last offset. */
static clf_status reduce(sorting *s)
{
    const own *const kept = s->plan->own;
    const clf_array offsets = {s->told.buffer, s->told.offset + TOLD_OFFSETS};
    clf_array *const out = s->direct ? s->results : s->results + s->plan->op.value.count;
    const bool made = s->sort == SORT_ROWS || !sorts_inputs(&s->plan->op);
    const clf_reduce_step step = {s->n, s->bins, offsets, told_size(s, TOLD_OFFSETS + s->bins),
                                  s->sorted + (made ? VALUE : BIN), out};
    return clf_reduce_within(kept->plan[reduce_after(s->plan, s->sort)], s->chain, &step, &s->rest);
}

static clf_status all_steps(sorting *s)
{
    CLF_TRY(launch(s, BEGIN, 1));
    CLF_TRY(sort(s));
    CLF_TRY(launch(s, BOUNDS, s->bins + 1));
    CLF_TRY(reduce(s));
    return s->direct ? CLF_SUCCESS : launch(s, RESULTS, s->bins);
}

static void place(sorting *s, const layout *l, const clf_workspace *workspace, const clf_array *out)
{
    const own *const kept = s->plan->own;
    const clf_fields *const value = &s->plan->op.value;
    const cl_mem buffer = workspace->buffer;
    const cl_ulong at = workspace->offset;
    memcpy(s->results, out, value->count * sizeof *out);
    s->told = (clf_array){buffer, at / sizeof(cl_ulong)};
    clf_values_place(&kept->plan[s->sort]->op.value, s->n, buffer, at + l->sorted, s->sorted);
    clf_values_place(value, s->direct ? 0 : s->bins, buffer, at + l->results, s->results + value->count);
    s->arguments.out = s->results;
    s->arguments.arrays[CLF_INDEX_TABLES] = s->sorted[BIN];
    s->arguments.arrays[CLF_INDEX_TOLD] = s->told;
    s->arguments.array_count = engine_of(s->plan)->array_count;
    s->arguments.number_count = engine_of(s->plan)->number_count;
}

clf_status clf_index_sorted_enqueue(const clf_plan *plan, clf_chain *chain, const clf_arguments *arguments,
                                    cl_ulong bins, const clf_array *scratch)
{
    const bool counted = (arguments->flags & CLF_ARG_GIVEN_COUNT) != 0;
    sorting s = {.plan = plan, .chain = chain, .arguments = *arguments, .n = arguments->count * arguments->size,
                 .bins = arguments->count * bins, .sort = sort_for(arguments->count, bins),
                 .direct = !counted && !(plan->flags & CLF_UPDATE)};
    const layout l = layout_of(plan, s.sort, s.n, s.bins, s.direct);
    clf_workspace borrowed, *workspace = NULL;
    s.rest = clf_scratch_behind(scratch, l.all);
    CLF_TRY(clf_engine_prepare(engine_of(plan), chain->check));
    CLF_TRY(clf_scratch_take(plan->context, chain, scratch, l.all, &borrowed, &workspace));
    workspace->clean = 0; /* numbers could be taken for messages */
    place(&s, &l, workspace, arguments->out);
    const clf_status status = all_steps(&s);
    clf_scratch_return(plan->context, chain, workspace, 0, status);
    return status;
}
