/* SPDX-License-Identifier: MIT */
/*
 * index_split: a reduction by index of more bins than tables in local memory have room for, and very many elements:
 * these are dealt out by ranges of bins first (split.c; binned.c writes its operator). A range has a table in
 * local memory then, and its elements lie together (cl/reduce_by_index/index_split.cl). Skewed elements take as long as
 * others.
 */
#include "primitives/binned.h"
#include "primitives/primitives.h"

#include <string.h>

enum { MAIN, FINISH, START };                                                                /* kernels */
enum { TOLD_STARTS = CLF_BINNED_SHIFT + 1, MOST_TOLD = TOLD_STARTS + CLF_INDEX_RANGES + 1 }; /* index_split.cl */

bool clf_index_moves(const clf_operator_copy *op)
{
    const bool looks = op->map || op->part; /* they get the element's index, */
    return (!looks || op->flags & CLF_NO_INDEX) && op->input.count > 0 && op->captured.count < CLF_MAX_FIELDS;
}

static clf_plan *step_of(const clf_plan *plan)
{
    return ((const clf_own_steps *)plan->own)->plan[0];
}

clf_status clf_index_split_open(clf_plan *plan, clf_error *error)
{
    clf_binned binned;
    CLF_TRY(clf_own_memory(plan, sizeof(clf_own_steps), error));
    clf_plan **const step = ((clf_own_steps *)plan->own)->plan;
    clf_status status = clf_binned_ranges(&plan->op, &binned, error);
    if (status == CLF_SUCCESS)
        status = clf_split_step_plan(plan->context, &binned.op, plan->flags & CLF_FROM_DEVICE, step, error);
    clf_binned_free(&binned);
    return status;
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

/* A call under way. */
typedef struct splitting {
    const clf_index_cut *cut;
    clf_run *run;
    clf_arguments *arguments;
    clf_array in[2 * CLF_MAX_FIELDS], moved[2 * CLF_MAX_FIELDS]; /* the caller's, and for the split one more behind */
} splitting;

static clf_status launch(splitting *s, cl_uint kernel, cl_ulong groups)
{
    return clf_run_launch(s->run, s->cut->engine, kernel, s->arguments, groups);
}

static clf_status split(splitting *s)
{
    const clf_array *const told = &s->arguments->arrays[CLF_INDEX_TOLD];
    const clf_array starts = {told->buffer, told->offset + TOLD_STARTS};
    const bool given = (s->arguments->flags & CLF_ARG_GIVEN_SIZE) != 0;
    const clf_task task = {.count = 1, .size = s->cut->size, .most = s->cut->ranges, .in = s->in, .out = s->moved,
                           .told = &starts, .given = given ? s->arguments->given : (clf_array){0},
                           .flags = given ? CLF_ARG_GIVEN_SIZE : 0};
    return clf_run_step(s->run, step_of(s->cut->plan), &task);
}

static clf_status all_steps(splitting *s)
{
    const clf_index_cut *const c = s->cut;
    CLF_TRY(launch(s, START, c->striding));
    if (c->size == 0)
        return c->direct ? CLF_SUCCESS : launch(s, FINISH, c->striding);
    CLF_TRY(split(s));
    s->arguments->in = s->moved;
    s->arguments->numbers[CLF_INDEX_CHUNKS] = (cl_uint)c->chunks;
    CLF_TRY(launch(s, MAIN, (c->chunks + c->ranges) * c->slices));
    s->arguments->numbers[CLF_INDEX_CHUNKS] = 1; /* of tables */
    return c->direct ? CLF_SUCCESS : launch(s, FINISH, c->striding);
}

clf_status clf_index_split_run(const clf_index_cut *cut, clf_run *run, clf_arguments *arguments)
{
    const clf_operator_copy *const op = &cut->plan->op;
    const cl_uint fields = cut->size ? op->input.count + op->captured.count : 0;
    splitting s = {.cut = cut, .run = run, .arguments = arguments};
    clf_array *const arrays = arguments->arrays;
    arrays[CLF_INDEX_TOLD] = clf_run_array(run, CLF_PLAIN, MOST_TOLD, sizeof(cl_ulong));
    arrays[CLF_INDEX_TABLES] = clf_run_array(run, CLF_PLAIN, cut->tables / sizeof(cl_uint), sizeof(cl_uint));
    arrays[CLF_INDEX_HOT] = arrays[CLF_INDEX_TABLES]; /* has none */
    memcpy(s.in, arguments->in, fields * sizeof *s.in);
    memcpy(s.moved, s.in, fields * sizeof *s.in);
    s.in[op->input.count + op->captured.count] = arrays[CLF_INDEX_TOLD];
    clf_run_values(run, &op->input, cut->size, s.moved);
    return all_steps(&s);
}
