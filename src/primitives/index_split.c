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

enum { MAIN, FINISH, START }; /* kernels */
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

/* ---- Scratch ----------------------------------------------------------------------------------------- */

/* Where in scratch its pieces begin, in bytes; the split has its own behind all. */
typedef struct layout {
    cl_ulong tables, moved, all;
} layout;

static layout layout_of(const clf_plan *plan, cl_ulong n, cl_ulong tables)
{
    layout l;
    l.tables = clf_scratch_round(MOST_TOLD * sizeof(cl_ulong));
    l.moved = l.tables + tables;
    l.all = clf_scratch_round(l.moved + clf_values_bytes(&plan->op.input, n));
    return l;
}

cl_ulong clf_index_split_scratch(const clf_plan *plan, cl_ulong n, cl_ulong bins)
{
    enum { WIDEST_CELL = 8 };
    const cl_ulong split = n ? clf_split_within_scratch(step_of(plan), CLF_INDEX_RANGES, n) : 0;
    return layout_of(plan, n, clf_scratch_for(bins, WIDEST_CELL)).all + split;
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

/* A call under way. */
typedef struct splitting {
    const clf_index_cut *cut;
    clf_chain *chain;
    clf_arguments arguments;
    clf_array in[2 * CLF_MAX_FIELDS], moved[2 * CLF_MAX_FIELDS]; /* the caller's, and for the split one more behind */
    clf_array rest;
} splitting;

static clf_status launch(splitting *s, cl_uint kernel, cl_ulong groups)
{
    clf_engine *const engine = s->cut->engine;
    return clf_launch(s->chain, &engine->kernels[kernel], &s->arguments, groups, engine->group);
}

static clf_status split(splitting *s)
{
    const clf_array *const told = &s->arguments.arrays[CLF_INDEX_TOLD];
    const bool given = (s->arguments.flags & CLF_ARG_GIVEN_SIZE) != 0;
    const clf_split_step step = {s->cut->size, s->cut->ranges, s->in, s->moved,
                                 {told->buffer, told->offset + TOLD_STARTS},
                                 given ? s->arguments.given : (clf_array){0}};
    return clf_split_within(step_of(s->cut->plan), s->chain, &step, &s->rest);
}

static clf_status all_steps(splitting *s)
{
    const clf_index_cut *const c = s->cut;
    CLF_TRY(launch(s, START, c->striding));
    if (c->size == 0)
        return c->direct ? CLF_SUCCESS : launch(s, FINISH, c->striding);
    CLF_TRY(split(s));
    s->arguments.in = s->moved;
    s->arguments.numbers[CLF_INDEX_CHUNKS] = (cl_uint)c->chunks;
    CLF_TRY(launch(s, MAIN, (c->chunks + c->ranges) * c->slices));
    s->arguments.numbers[CLF_INDEX_CHUNKS] = 1; /* of tables */
    return c->direct ? CLF_SUCCESS : launch(s, FINISH, c->striding);
}

static void place(splitting *s, const layout *l, const clf_workspace *workspace)
{
    const clf_operator_copy *const op = &s->cut->plan->op;
    const cl_mem buffer = workspace->buffer;
    const cl_ulong at = workspace->offset;
    const cl_uint fields = s->cut->size ? op->input.count + op->captured.count : 0;
    clf_array *const arrays = s->arguments.arrays;
    arrays[CLF_INDEX_TOLD] = (clf_array){buffer, at / sizeof(cl_ulong)};
    arrays[CLF_INDEX_TABLES] = (clf_array){buffer, (at + l->tables) / sizeof(cl_uint)};
    arrays[CLF_INDEX_HOT] = arrays[CLF_INDEX_TABLES]; /* has none */
    memcpy(s->in, s->arguments.in, fields * sizeof *s->in);
    memcpy(s->moved, s->in, fields * sizeof *s->in);
    s->in[op->input.count + op->captured.count] = arrays[CLF_INDEX_TOLD];
    clf_values_place(&op->input, s->cut->size, buffer, at + l->moved, s->moved);
}

clf_status clf_index_split_enqueue(const clf_index_cut *cut, clf_chain *chain, const clf_arguments *arguments,
                                   const clf_array *scratch)
{
    splitting s = {.cut = cut, .chain = chain, .arguments = *arguments};
    const layout l = layout_of(cut->plan, cut->size, cut->tables);
    clf_workspace borrowed, *workspace = NULL;
    s.rest = clf_scratch_behind(scratch, l.all);
    CLF_TRY(clf_engine_prepare(cut->engine, chain->check));
    CLF_TRY(clf_scratch_take(cut->plan->context, chain, scratch, l.all, &borrowed, &workspace));
    workspace->clean = 0; /* numbers could be taken for messages */
    s.arguments.array_count = cut->engine->array_count;
    s.arguments.number_count = cut->engine->number_count;
    place(&s, &l, workspace);
    const clf_status status = all_steps(&s);
    clf_scratch_return(cut->plan->context, chain, workspace, 0, status);
    return status;
}
