/* SPDX-License-Identifier: MIT */
/*
 * merge_sort: a stable sort by the operator's `less`: tiles sorted, then runs merged two by two, in rounds
 * (cl/merge/merge_sort.cl). All launches follow from the size that the host knows. No group waits for another.
 */
#include "primitives/primitives.h"

#include <string.h>

enum { TILE, MERGE, CPU_MEND, CUTS = CPU_MEND, MEND }; /* kernels; those that mend the last */
enum { ROUND, HAS_CUTS };                              /* numbers */

const char *const clf_merging_numbers[] = {"round", "cuts", NULL};
static const char *const cpu_kernels[] = {"clf_merge_sort_tile", "clf_merge_sort_merge", "clf_merge_sort_mend", NULL};
static const char *const tile_kernels[] = {"clf_merge_sort_tile", "clf_merge_sort_merge", "clf_merge_sort_cuts",
                                           "clf_merge_sort_mend", NULL};
/* In the order of keys nothing is to be mended. */
const char *const clf_merging_kernels[] = {"clf_merge_sort_tile", "clf_merge_sort_merge", "clf_merge_sort_cuts", NULL};

/* ---- Parameters -------------------------------------------------------------------------------------- */

/* Whole elements are in registers: of a row so many bytes, and elements at most. Odd rows: see path.c. */
enum { ROW = 96, ROOMY_ROW = 136, LONGEST = 21, SMALL = 9 };

static void row_defaults(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint longest,
                         clf_parameters *parameters)
{
    const cl_uint wanted = (clf_path_is_roomy(facts) ? ROOMY_ROW : ROW) / clf_fields_sum(&op->value);
    clf_parameter_set(parameters, "rounds", 1);
    clf_parameter_default(parameters, "group", group);
    clf_parameter_default(parameters, "items", (wanted < longest ? wanted : longest) | 1);
}

static void tile_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    row_defaults(facts, op, clf_usual_group(facts), LONGEST, parameters);
}

/* Few values: launches are what takes time, so tiles are large, and have many work-items. */
void clf_merging_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const bool many = facts->lane_width > 1 && facts->max_group >= 512;
    row_defaults(facts, op, many ? 512 : clf_usual_group(facts), SMALL, parameters);
}

/* A tile is sorted within the caches: it lies in them twice. */
static void cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    enum { TILE_BYTES = 1 << 17 };
    const cl_uint items = TILE_BYTES / clf_fields_sum(&op->value);
    clf_parameter_default(parameters, "items", items < 1024 ? 1024 : items);
    clf_path_cpu_defaults(facts, op, parameters);
}

/* ---- Scratch ----------------------------------------------------------------------------------------- */

static bool has_cuts(const clf_engine *engine, cl_ulong tiles)
{
    return !clf_engine_is_cpu(engine) && clf_path_has_cuts(engine, tiles);
}

/* The kernel that mends, or that there is none. */
static cl_uint mend_of(const clf_engine *engine)
{
    return clf_engine_is_cpu(engine) ? CPU_MEND : MEND;
}

/* Of a tile a cut, and two words (cl/merge/merge_sort.cl). */
static cl_ulong front_bytes(const clf_engine *engine, cl_ulong tiles)
{
    const cl_ulong cut = has_cuts(engine, tiles) ? sizeof(cl_ulong) : 0;
    const cl_ulong words = tiles > 1 && engine->variant->kernels[mend_of(engine)] ? 2 * sizeof(cl_uint) : 0;
    return clf_scratch_for(tiles, cut + words);
}

/*
 * A tile of a group is sorted where it is; a work-item goes to and fro. The caller's outputs, and behind them as many
 * arrays in scratch, if there is any, or inputs.
 */
static void place(const clf_engine *engine, clf_run *run, clf_arguments *arguments, cl_ulong tiles,
                  clf_array out[2 * CLF_MAX_FIELDS])
{
    const clf_fields *const value = &engine->op->value;
    memcpy(out, arguments->out, value->count * sizeof *out);
    arguments->out = out;
    if (tiles == 1 && !clf_engine_is_cpu(engine))
        return;
    clf_run_scratch(run, CLF_PLAIN, front_bytes(engine, tiles), arguments);
    clf_spare_take(engine->flags, run, value, arguments->size, arguments->in, out + value->count);
}

/* ---- Launches ---------------------------------------------------------------------------------------- */

static clf_status mend(clf_engine *engine, clf_run *run, const clf_arguments *arguments, cl_ulong tiles)
{
    enum { MOST = 64 /* groups: there is hardly ever anything to do */ };
    const cl_uint kernel = mend_of(engine);
    if (tiles == 1 || !engine->variant->kernels[kernel])
        return CLF_SUCCESS;
    return clf_run_launch(run, engine, kernel, arguments, clf_least(tiles, MOST));
}

clf_status clf_merging_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    const cl_ulong tiles = clf_ceiling(arguments->size, engine->tile);
    const bool cuts = has_cuts(engine, tiles);
    clf_array out[2 * CLF_MAX_FIELDS] = {{0}};
    cl_uint rounds = 0;
    while (rounds < 63 && tiles > 1ul << rounds)
        ++rounds;
    place(engine, run, arguments, tiles, out);
    arguments->numbers[HAS_CUTS] = cuts;
    CLF_TRY(clf_run_launch(run, engine, TILE, arguments, tiles));
    for (cl_uint round = 0; round < rounds; ++round) {
        arguments->numbers[ROUND] = round;
        if (cuts)
            CLF_TRY(clf_run_launch(run, engine, CUTS, arguments, clf_ceiling(tiles, engine->group)));
        CLF_TRY(clf_run_launch(run, engine, MERGE, arguments, tiles));
    }
    return mend(engine, run, arguments, tiles);
}

/* ---- A variant of sorts by keys --------------------------------------------------------------------- */

/* Wide values, which merges have whole, may fit neither registers nor a group's local memory. */
clf_status clf_merging_takes(const clf_plan *plan, const clf_variant *variant, clf_error *error)
{
    enum { WIDEST = 8 /* words */ };
    const cl_uint words = clf_fields_words(&plan->op.value);
    if (plan->op.own_input || plan->op.map)
        return clf_fail(error, CLF_E_UNSUPPORTED, "variant \"%s\" sorts values that are given, and there is a map",
                        variant->name);
    if (words > WIDEST)
        return clf_fail(error, CLF_E_UNSUPPORTED, "variant \"%s\" sorts values of up to %d words, and these have %u",
                        variant->name, WIDEST, words);
    return CLF_SUCCESS;
}

/* ---- The primitive ----------------------------------------------------------------------------------- */

static const clf_variant variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .file = "merge/merge_sort_cpu.cl", .kernels = cpu_kernels,
     .numbers = clf_merging_numbers, .parameters = "items,streams", .defaults = cpu_defaults,
     .run = clf_merging_launch},
    {.name = "tiles", .file = "merge/merge_sort_tiles.cl", .kernels = tile_kernels,
     .numbers = clf_merging_numbers, .parameters = "items,group", .defaults = tile_defaults,
     .local = clf_path_local, .run = clf_merging_launch},
    {.name = NULL},
};

static clf_status check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task)
{
    CLF_TRY(clf_sort_check(plan, check, call, "merge sort"));
    const cl_ulong n_out[] = {task->size, 0};
    CLF_TRY(clf_check_arrays(check, &plan->op, &task->size, n_out, task->in, task->out));
    task->nothing = task->size == 0;
    return CLF_SUCCESS;
}

static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    return clf_run_engine(run, plan->engine[0], task);
}

const clf_primitive clf_merge_sort_primitive = {
    .name = "merge_sort", .flags = CLF_FROM_DEVICE | CLF_OVERWRITE_INPUT, .function = CLF_FUNCTION_LESS,
    .out_sets = 2 /* out, and as much scratch */, .macro = CLF_OVERWRITE_MACRO, .variants = variants,
    .roles = clf_main_role, .choose = clf_choose_main, .check = check, .run = run};

clf_status clf_merge_sort_plan(clf_context *context, const clf_operator *op, unsigned flags,
                               const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_path_check_operator("merge sort", op, plan, error));
    return clf_plan_create(context, &clf_merge_sort_primitive, op, flags, options, plan, error);
}

clf_status clf_merge_sort(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in, const clf_array *out)
{
    clf_task task = {.count = 1, .size = n, .in = in, .out = out};
    return clf_call_task(plan, &clf_merge_sort_primitive, "clf_merge_sort", call, &task);
}
