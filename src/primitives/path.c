/* SPDX-License-Identifier: MIT */
/*
 * path: variants that walk two sorted sequences as one, cut into equal tiles (cl/merge/path.cl): what merges and bounds
 * of sorted needles share. No group waits for another.
 */
#include "primitives/primitives.h"

enum { CUTS, TILES };     /* kernels */
enum { MOST_ITEMS = 32 }; /* a row's elements have a bit each: cl/merge/path_tile.cl */
/* Of a work-item's row: bytes of its largest field, and elements; the same of a single field where memory is large. */
enum { ROW = 60, LONGEST = 17, ROOMY_ROW = 120, ROOMY_LONGEST = 29 };

/* ---- In local memory --------------------------------------------------------------------------------- */

/* A tile's arrays, two cuts, and where rows end. */
cl_ulong clf_path_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    (void)facts;
    return items > MOST_ITEMS ? CL_ULONG_MAX : clf_slab_bytes(op, 1, group, items) + 48 + 4ul * group;
}

/* In the 64 KiB of a unit of AMD's there is not. */
bool clf_path_is_roomy(const clf_facts *facts)
{
    return clf_local_most(facts) > 1 << 16;
}

/* Odd rows: then they need no padding, and an element's place is its number. */
void clf_path_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const bool roomy = clf_path_is_roomy(facts) && op->input.count == 1;
    const cl_uint wanted = (roomy ? ROOMY_ROW : ROW) / clf_fields_largest(&op->input);
    const cl_uint longest = roomy ? ROOMY_LONGEST : LONGEST;
    clf_parameter_set(parameters, "rounds", 1);
    clf_parameter_default(parameters, "group", clf_usual_group(facts));
    clf_parameter_default(parameters, "items", (wanted < longest ? wanted : longest) | 1);
}

/* Groups look for the cuts of few tiles themselves: that is less than another launch. */
bool clf_path_has_cuts(const clf_engine *engine, cl_ulong tiles)
{
    return tiles > 4ul * engine->context->facts.units;
}

clf_status clf_path_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments, cl_ulong behind)
{
    const cl_ulong tiles = clf_ceiling(arguments->size + arguments->count, engine->tile);
    const bool cuts = clf_path_has_cuts(engine, tiles);
    clf_run_scratch(run, CLF_PLAIN, (cuts ? clf_scratch_for(tiles, sizeof(cl_ulong)) : 0) + behind, arguments);
    arguments->numbers[0] = cuts;
    if (cuts)
        CLF_TRY(clf_run_launch(run, engine, CUTS, arguments, clf_ceiling(tiles, engine->group)));
    return clf_run_launch(run, engine, TILES, arguments, tiles);
}

/* ---- On CPUs ----------------------------------------------------------------------------------------- */

/* A tile is enough that the search for its cuts is little beside it; streams are as many as registers are for. */
void clf_path_cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    enum { TILE = 1 << 18 }; /* bytes */
    const cl_uint items = TILE / clf_fields_sum(&op->input);
    (void)facts;
    clf_parameter_default(parameters, "items", items < 1024 ? 1024 : items);
    clf_parameter_default(parameters, "streams", clf_fields_sum(&op->input) <= 8 ? 6 : 4);
    if (clf_parameter_get(parameters, "streams", 0) == 0)
        clf_parameter_set(parameters, "streams", 1);
}

clf_status clf_path_cpu_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    return clf_run_launch(run, engine, 0, arguments, clf_ceiling(arguments->size + arguments->count, engine->tile));
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

clf_status clf_path_run(const clf_plan *plan, clf_run *run, const clf_task *task, const clf_array *positions)
{
    clf_engine *const engine = plan->engine[0];
    const cl_uint fields = plan->op.input.count, captured = plan->op.captured.count;
    clf_array in[3 * CLF_MAX_FIELDS] = {{0}};
    clf_arguments arguments;
    CLF_TRY(clf_run_begin(run, engine, task, &arguments));
    for (cl_uint i = 0; i < 2 * fields + captured; ++i)
        if ((i < fields ? task->size : i < 2 * fields ? task->count : 1) > 0)
            in[i] = task->in[i];
    arguments.in = in;
    if (positions) {
        arguments.arrays[0] = *positions;
        arguments.out = clf_no_arrays;
    }
    return engine->variant->run(engine, run, &arguments);
}

cl_uint clf_path_worst(const clf_plan *plan, cl_ulong n, cl_ulong count, clf_task *tasks)
{
    (void)plan, (void)count;
    tasks[0].size = n;
    tasks[0].count = 0;
    return 1;
}

/* Elements are what is compared; `less` may look into captured arrays. */
clf_status clf_path_check_operator(const char *what, const clf_operator *op, clf_plan **plan, clf_error *error)
{
    if (!op || !clf_operator_is_known(op) || !(op->map || op->input || op->extra))
        return CLF_SUCCESS; /* or refused by what all plans check */
    CLF_TRY(clf_plan_none(plan, error));
    return clf_fail(error, CLF_E_ARGUMENT, "a %s has no map, and no input or extra fields", what);
}

clf_status clf_path_check_call(clf_check *check, const clf_plan *plan, const clf_call *call, const char *what)
{
    check->values_apart = true;
    CLF_TRY(clf_check_no_initial(check, call, what));
    return clf_check_given(check, &plan->op, plan->flags, call);
}
