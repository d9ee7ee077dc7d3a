/* SPDX-License-Identifier: MIT */
/*
 * index_sorted: a reduction by index of operators that want their operands in order, or whose values are too wide for
 * atomics and bins too many for tables with locks: values are sorted by their bins (sort.c, stable; binned.c
 * writes its operator), and then are segments, whose offsets a search tells, and which are reduced as such
 * (irregular_reduce.c). Elements that are no wider than their values, and begin with their bin, are sorted as they are,
 * and the reduction maps them: fewer bytes are moved. Results go where they belong. They go by way of scratch where
 * bins are updated, values are finished, or the device may know of fewer rows. The reduction makes only what is wanted,
 * unless values are finished.
 */
#include "primitives/binned.h"
#include "primitives/primitives.h"

#include <string.h>

enum { BEGIN, BOUNDS, RESULTS };                           /* kernels */
enum { BIN, VALUE };                                       /* fields that are sorted: the bin, and those of the value */
enum { TOLD_ELEMENTS = CLF_BINNED_NUMBERS, TOLD_OFFSETS }; /* cl/reduce_by_index/index_sorted.cl */

/* ---- What a plan keeps ------------------------------------------------------------------------------- */

enum { SORT, SORT_ROWS, REDUCE, REDUCE_ROWS };
typedef clf_own_steps own; /* of a plan that sorts all its calls, or some */

/* Are elements of one row sorted as they are? */
static bool sorts_inputs(const clf_operator_copy *op)
{
    const clf_field *const bin = &op->input.field[0];
    return clf_index_moves(op) && !op->part && op->captured.count == 0 && clf_field_is_scalar(bin) &&
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

/* Of values: those that the reduction makes, a bit for each, where that is not all. */
static cl_ulong made_part(const clf_operator_copy *op)
{
    return op->finish ? 0 : op->wanted;
}

static clf_status make_reduce(clf_plan *plan, own *kept, int which, clf_error *error)
{
    clf_binned binned;
    clf_status status = which == REDUCE && sorts_inputs(&plan->op) ? clf_binned_made(&plan->op, &binned, error)
                                                                   : clf_binned_values(&plan->op, &binned, error);
    if (status == CLF_SUCCESS)
        status = clf_reduce_step_plan(plan->context, &binned.op, made_part(&plan->op), &kept->plan[which], error);
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

/* ---- Calls ------------------------------------------------------------------------------------------- */

/* The plan's engine for this, which has the kernels above. */
static clf_engine *engine_of(const clf_plan *plan)
{
    return plan->engine[plan->engine[1] ? 1 : 0];
}

/* A call under way. */
typedef struct sorting {
    const clf_plan *plan;
    clf_run *run;
    clf_arguments *arguments;
    cl_ulong n, bins; /* of all rows */
    int sort;         /* SORT, SORT_ROWS */
    bool direct;
    clf_array sorted[2 * CLF_MAX_FIELDS];  /* behind values what combine captures */
    clf_array results[2 * CLF_MAX_FIELDS]; /* the caller's, and those in scratch */
    clf_array told;
} sorting;

static clf_status launch(sorting *s, cl_uint kernel, cl_ulong items)
{
    enum { MOST = 1 << 16 };
    clf_engine *const engine = engine_of(s->plan);
    return clf_run_launch(s->run, engine, kernel, s->arguments, clf_least(clf_ceiling(items, engine->group), MOST));
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
    const bool given = clf_arguments_size_given(s->arguments);
    clf_array in[2 * CLF_MAX_FIELDS] = {{0}};
    if (s->n == 0)
        return CLF_SUCCESS;
    memcpy(in, s->arguments->in, fields * sizeof *in);
    in[fields] = s->told;
    const clf_task task = {.count = 1, .size = s->n, .in = in, .out = s->sorted,
                           .given = given ? told_size(s, TOLD_ELEMENTS) : (clf_array){0},
                           .flags = given ? CLF_ARG_GIVEN_SIZE : 0};
    return clf_run_step(s->run, kept->plan[s->sort], &task);
}

/* Where the reduction's results go, which are fewer than fields of the value if only some are wanted. */
static const clf_array *sums(const sorting *s, clf_array made[])
{
    const clf_operator_copy *const op = &s->plan->op;
    const clf_array *const values = s->results + clf_operator_results(op)->count;
    const cl_ulong part = made_part(op);
    cl_uint count = 0;
    for (cl_uint f = 0; f < op->value.count; ++f)
        if (part == 0 || part >> f & 1)
            made[count++] = values[f];
    return s->direct ? s->results : made;
}

/* Elements of no bin lie behind the last offset. */
static clf_status reduce(sorting *s)
{
    const own *const kept = s->plan->own;
    clf_array made[CLF_MAX_FIELDS];
    const clf_array offsets = {s->told.buffer, s->told.offset + TOLD_OFFSETS};
    const bool maps = s->sort == SORT && sorts_inputs(&s->plan->op);
    const clf_task task = {.count = 1, .size = s->n, .entries = s->bins, .segments = &offsets,
                           .given = told_size(s, TOLD_OFFSETS + s->bins), .flags = CLF_ARG_GIVEN_SIZE,
                           .in = s->sorted + (maps ? BIN : VALUE), .out = sums(s, made)};
    return clf_run_step(s->run, kept->plan[reduce_after(s->plan, s->sort)], &task);
}

static clf_status all_steps(sorting *s)
{
    CLF_TRY(launch(s, BEGIN, 1));
    CLF_TRY(sort(s));
    CLF_TRY(launch(s, BOUNDS, s->bins + 1));
    CLF_TRY(reduce(s));
    return s->direct ? CLF_SUCCESS : launch(s, RESULTS, s->bins);
}

static void place(sorting *s)
{
    const own *const kept = s->plan->own;
    const clf_fields *const value = &s->plan->op.value;
    const cl_uint results = clf_operator_results(&s->plan->op)->count;
    const cl_ulong words = clf_least(s->bins, CLF_SCRATCH_MOST) + TOLD_OFFSETS + 1;
    clf_array *const arrays = s->arguments->arrays;
    memcpy(s->results, s->arguments->out, results * sizeof *s->results);
    s->told = clf_run_array(s->run, CLF_PLAIN, words, sizeof(cl_ulong));
    clf_run_values(s->run, &kept->plan[s->sort]->op.value, s->n, s->sorted);
    if (clf_combine_captures(&s->plan->op))
        memcpy(s->sorted + VALUE + value->count, s->arguments->in + s->plan->op.input.count,
               s->plan->op.captured.count * sizeof *s->sorted);
    clf_run_values(s->run, value, s->direct ? 0 : s->bins, s->results + results);
    s->arguments->out = s->results;
    arrays[CLF_INDEX_TABLES] = s->sorted[BIN];
    arrays[CLF_INDEX_TOLD] = s->told;
}

clf_status clf_index_sorted_run(const clf_index_cut *cut, clf_run *run, clf_arguments *arguments)
{
    const clf_plan *const plan = cut->plan;
    const bool made = (arguments->flags & CLF_ARG_GIVEN_COUNT) || plan->flags & CLF_UPDATE || plan->op.finish;
    sorting s = {.plan = plan, .run = run, .arguments = arguments, .n = cut->rows * cut->size,
                 .bins = cut->rows * cut->bins, .direct = !made && !cut->any,
                 .sort = cut->several ? SORT_ROWS : sort_for(cut->rows, cut->bins)};
    place(&s);
    return all_steps(&s);
}
