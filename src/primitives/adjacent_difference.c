/* SPDX-License-Identifier: MIT */
/*
 * adjacent_difference: each element combined with the one before it. No group waits for another, and none needs more
 * than one element of another's tile; in place a launch before keeps these in scratch. The algorithms are in
 * cl/adjacent_difference/.
 */
#include "primitives/primitives.h"

/* ---- Variants ---------------------------------------------------------------------------------------- */

enum { HALOS, DIFFERENCE, IN_PLACE }; /* kernels, where there are so many */

/* Bytes that an element has in the arrays of inputs or in those of outputs, whichever are more. */
static cl_uint element_bytes(const clf_operator_copy *op)
{
    const cl_uint input = clf_fields_sum(&op->input), results = clf_fields_sum(clf_operator_results(op));
    const cl_uint output = results + clf_fields_sum(&op->extra);
    return input > output ? input : output;
}

enum { UNDER_WAY = 64, MOST = 128 }; /* bytes of a work-item: all its rows; a chunk, of which registers hold several */

/*
 * Rows of whole vectors of the smallest field, but for wide elements. The number of rows of single elements is odd, for
 * else chunks would be of more (cl/memory/tile.cl).
 */
static void chunks_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const cl_uint element = element_bytes(op);
    cl_uint chunk = 16 / clf_smallest_field(op);
    while (chunk > 1 && chunk * element > MOST)
        chunk /= 2;
    const cl_uint rows = UNDER_WAY / (chunk * element);
    clf_parameter_default(parameters, "group", clf_usual_group(facts));
    clf_parameter_default(parameters, "items", chunk == 1 ? rows | 1 : rows ? rows * chunk : chunk);
}

/* A halo per tile. Few groups share them out. */
static clf_status make_halos(clf_engine *engine, clf_run *run, clf_arguments *arguments, cl_ulong tiles)
{
    const cl_ulong groups = clf_ceiling(tiles, engine->group), most = 32ul * engine->context->facts.units;
    clf_run_scratch(run, CLF_PLAIN, clf_scratch_for(tiles, engine->state_bytes), arguments);
    return clf_run_launch(run, engine, HALOS, arguments, clf_least(groups, most));
}

static clf_status launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    const cl_ulong tiles = clf_ceiling(arguments->count * arguments->size, engine->tile);
    const bool in_place = (arguments->flags & CLF_ARG_IN_PLACE) != 0;
    const bool has_kernel = engine->variant->kernels[IN_PLACE];
    if (in_place && tiles > 1 && !(arguments->flags & CLF_ARG_ALONE))
        CLF_TRY(make_halos(engine, run, arguments, tiles));
    return clf_run_launch(run, engine, in_place && has_kernel ? IN_PLACE : DIFFERENCE, arguments, tiles);
}

/* A tile is enough that it is worth a group, and not so much that cores have nothing left to do. */
static void cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    enum { TILE = 1 << 17, SIDE = 1 << 14 }; /* bytes: of a tile's inputs or outputs, of values side by side */
    const cl_uint items = TILE / element_bytes(op), most = SIDE / clf_fields_sum(&op->value);
    (void)facts;
    clf_parameter_default(parameters, "items", items < 512 ? 512 : items);
    clf_parameter_default(parameters, "streams", most < 256 ? most : 256);
    if (clf_parameter_get(parameters, "streams", 0) == 0)
        clf_parameter_set(parameters, "streams", 1);
}

static const char *const cpu_kernels[] = {"clf_adjacent_halos", "clf_adjacent_cpu", NULL};
static const char *const chunks_kernels[] = {"clf_adjacent_halos", "clf_adjacent_apart", "clf_adjacent_in_place", NULL};

static const clf_variant variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .file = "adjacent_difference/adjacent_cpu.cl", .kernels = cpu_kernels,
     .parameters = "items,streams", .defaults = cpu_defaults, .run = launch},
    {.name = "chunks", .file = "adjacent_difference/adjacent_chunks.cl", .kernels = chunks_kernels,
     .parameters = "items,group", .defaults = chunks_defaults, .local = clf_no_local, .run = launch},
    {.name = NULL},
};

/* ---- Calls ------------------------------------------------------------------------------------------- */

/* Tiles of whole rows need no halo. */
static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    clf_engine *const engine = plan->engine[0];
    const bool alone = !task->in_place || (!task->any && engine->tile % task->size == 0);
    clf_arguments arguments;
    CLF_TRY(clf_run_begin(run, engine, task, &arguments));
    arguments.flags |= (alone ? CLF_ARG_ALONE : 0u) | (task->in_place ? CLF_ARG_IN_PLACE : 0u);
    return launch(engine, run, &arguments);
}

const clf_primitive clf_adjacent_difference_primitive = {
    .name = "adjacent_difference", .flags = CLF_FROM_DEVICE,
    .function = CLF_FINISHING, .define = clf_define_rows, .variants = variants,
    .roles = clf_main_role, .choose = clf_choose_main, .check = clf_rows_check, .run = run};

clf_status clf_adjacent_difference_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                        const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return clf_plan_create(context, &clf_adjacent_difference_primitive, op, flags, options, plan, error);
}

clf_status clf_adjacent_difference(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                                   const clf_array *out)
{
    clf_task task = {.count = 1, .size = n, .in = in, .out = out};
    return clf_call_task(plan, &clf_adjacent_difference_primitive, "clf_adjacent_difference", call, &task);
}

clf_status clf_segmented_adjacent_difference(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size,
                                             const clf_array *in, const clf_array *out)
{
    clf_task task = {.count = count, .size = size, .counted = true, .in = in, .out = out};
    return clf_call_task(plan, &clf_adjacent_difference_primitive, "clf_segmented_adjacent_difference", call, &task);
}
