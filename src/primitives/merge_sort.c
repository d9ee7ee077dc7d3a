/* SPDX-License-Identifier: MIT */
/*
 * merge_sort: a stable sort by the operator's `less`: tiles sorted, then runs merged two by two, in rounds
 * (cl/merge/merge_sort.cl). All launches follow from the size that the host knows. No group waits for another.
 */
#include "primitives/primitives.h"

#include <string.h>

enum { TILE, MERGE, CPU_MEND, CUTS = CPU_MEND, MEND }; /* kernels; those that mend the last */
enum { ROUND, HAS_CUTS };   /* numbers */

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

/* A tile of a group is sorted where it is; a work-item goes to and fro. */
cl_ulong clf_merging_scratch(const clf_engine *engine, cl_ulong n)
{
    const cl_ulong tiles = clf_ceiling(n, engine->tile);
    if (tiles == 1 && !clf_engine_is_cpu(engine))
        return 0;
    return front_bytes(engine, tiles) + clf_scratch_round(clf_spare_bytes(engine->flags, &engine->op->value, n));
}

/* The caller's outputs, and behind them as many arrays in scratch, if there is any, or inputs. */
static void place(const clf_engine *engine, const clf_arguments *arguments, cl_ulong tiles,
                  clf_array out[2 * CLF_MAX_FIELDS])
{
    const clf_fields *const value = &engine->op->value;
    const cl_ulong at = arguments->scratch_offset + front_bytes(engine, tiles);
    memcpy(out, arguments->out, value->count * sizeof *out);
    clf_spare_place(engine->flags, value, arguments->size, arguments->in, arguments->scratch, at, out + value->count);
}

/* ---- Launches ---------------------------------------------------------------------------------------- */

static clf_status mend(clf_engine *engine, clf_chain *chain, const clf_arguments *own, cl_ulong tiles)
{
    enum { MOST = 64 /* groups: there is hardly ever anything to do */ };
    const cl_uint kernel = mend_of(engine);
    if (tiles == 1 || !engine->variant->kernels[kernel])
        return CLF_SUCCESS;
    return clf_launch(chain, &engine->kernels[kernel], own, clf_least(tiles, MOST), engine->group);
}

clf_status clf_merging_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments, cl_uint *tickets)
{
    const cl_ulong tiles = clf_ceiling(arguments->size, engine->tile);
    const bool cuts = has_cuts(engine, tiles);
    clf_array out[2 * CLF_MAX_FIELDS] = {{0}};
    clf_arguments own = *arguments;
    cl_uint rounds = 0;
    (void)tickets;
    while (tiles > 1ul << rounds)
        ++rounds;
    place(engine, arguments, tiles, out);
    own.out = out;
    own.numbers[HAS_CUTS] = cuts;
    CLF_TRY(clf_launch(chain, &engine->kernels[TILE], &own, tiles, engine->group));
    for (cl_uint round = 0; round < rounds; ++round) {
        own.numbers[ROUND] = round;
        if (cuts)
            CLF_TRY(clf_launch(chain, &engine->kernels[CUTS], &own, clf_ceiling(tiles, engine->group), engine->group));
        CLF_TRY(clf_launch(chain, &engine->kernels[MERGE], &own, tiles, engine->group));
    }
    return mend(engine, chain, &own, tiles);
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
     .scratch = clf_merging_scratch, .enqueue = clf_merging_enqueue},
    {.name = "tiles", .file = "merge/merge_sort_tiles.cl", .kernels = tile_kernels,
     .numbers = clf_merging_numbers, .parameters = "items,group", .defaults = tile_defaults,
     .local = clf_path_local, .scratch = clf_merging_scratch, .enqueue = clf_merging_enqueue},
    {.name = NULL},
};

const clf_primitive clf_merge_sort_primitive = {
    .name = "merge_sort", .flags = CLF_FROM_DEVICE | CLF_OVERWRITE_INPUT, .function = CLF_FUNCTION_LESS,
    .out_sets = 2 /* out, and as much scratch */, .macro = CLF_OVERWRITE_MACRO, .variants = variants,
    .roles = clf_main_role, .choose = clf_choose_main};

clf_status clf_merge_sort_plan(clf_context *context, const clf_operator *op, unsigned flags,
                               const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_path_check_operator("merge sort", op, error));
    return clf_plan_create(context, &clf_merge_sort_primitive, op, flags, options, plan, error);
}

clf_status clf_merge_sort(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in, const clf_array *out)
{
    clf_check check;
    const cl_ulong n_out[] = {n, 0};
    if (!plan || plan->primitive != &clf_merge_sort_primitive)
        return clf_refuse_plan(plan, "clf_merge_sort");
    CLF_TRY(clf_check_begin_in(&check, plan->context, "clf_merge_sort", &plan->op, call));
    check.overwrites = (plan->flags & CLF_OVERWRITE_INPUT) != 0;
    CLF_TRY(clf_check_out_count(&check, call, plan->op.value.count));
    CLF_TRY(clf_check_no_initial(&check, call, "merge sort"));
    CLF_TRY(clf_check_arrays(&check, &plan->op, &n, n_out, in, out));
    if (n == 0)
        return clf_run_nothing(&check, call);
    clf_arguments arguments = {.op = &plan->op, .in = in, .out = out, .count = 1, .size = n};
    return clf_engine_run(plan->engine[0], plan, &check, call, &arguments, n, false);
}
