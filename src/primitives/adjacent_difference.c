/* SPDX-License-Identifier: MIT */
/*
 * adjacent_difference: each element combined with the one before it. No group waits for another, and none needs more
 * than one element of another's tile; in place a launch before keeps these in scratch. The algorithms are in
 * cl/adjacent_difference/.
 */
#include "primitives/primitives.h"

/* ---- Variants ---------------------------------------------------------------------------------------- */

enum { HALOS, DIFFERENCE, IN_PLACE }; /* kernels, where there are so many */

static cl_ulong tiles_of(const clf_engine *engine, cl_ulong n)
{
    return clf_ceiling(n, engine->tile);
}

/* A halo per tile. */
static cl_ulong halo_scratch(const clf_engine *engine, cl_ulong n)
{
    return n > engine->tile ? clf_scratch_for(tiles_of(engine, n), engine->state_bytes) : 0;
}

/* Bytes that an element has in the arrays of inputs or in those of outputs, whichever are more. */
static cl_uint element_bytes(const clf_operator_copy *op)
{
    const cl_uint input = clf_fields_sum(&op->input), output = clf_fields_sum(&op->value) + clf_fields_sum(&op->extra);
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

/* Few groups share the halos out. */
static clf_status enqueue_halos(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments, cl_ulong tiles)
{
    const cl_ulong groups = clf_ceiling(tiles, engine->group);
    const cl_ulong most = 32ul * engine->context->facts.units;
    return clf_launch(chain, &engine->kernels[HALOS], arguments, groups < most ? groups : most, engine->group);
}

static clf_status enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments, cl_uint *tickets)
{
    const cl_ulong tiles = tiles_of(engine, arguments->count * arguments->size);
    const bool in_place = (arguments->flags & CLF_ARG_IN_PLACE) != 0;
    const bool has_kernel = engine->variant->kernels[IN_PLACE] != NULL;
    (void)tickets;
    if (in_place && tiles > 1 && !(arguments->flags & CLF_ARG_ALONE))
        CLF_TRY(enqueue_halos(engine, chain, arguments, tiles));
    return clf_launch(chain, &engine->kernels[in_place && has_kernel ? IN_PLACE : DIFFERENCE], arguments, tiles,
                      engine->group);
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
static const char *const chunks_kernels[] = {"clf_adjacent_halos", "clf_adjacent_apart", "clf_adjacent_in_place",
                                             NULL};

static const clf_variant variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .file = "adjacent_difference/adjacent_cpu.cl", .kernels = cpu_kernels,
     .parameters = "items,streams", .defaults = cpu_defaults, .scratch = halo_scratch, .enqueue = enqueue},
    {.name = "chunks", .file = "adjacent_difference/adjacent_chunks.cl", .kernels = chunks_kernels,
     .parameters = "items,group", .defaults = chunks_defaults, .local = clf_no_local, .scratch = halo_scratch,
     .enqueue = enqueue},
    {.name = NULL},
};

const clf_primitive clf_adjacent_difference_primitive = {
    .name = "adjacent_difference", .flags = CLF_FROM_DEVICE, .define = clf_define_rows, .variants = variants,
    .roles = clf_main_role, .choose = clf_choose_main};

/* ---- Calls ------------------------------------------------------------------------------------------- */

clf_status clf_adjacent_difference_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                        const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return clf_plan_create(context, &clf_adjacent_difference_primitive, op, flags, options, plan, error);
}

/* `counted`: a size on the device is the number of segments, not of elements. */
static clf_status run(clf_plan *plan, const char *name, const clf_call *call, cl_ulong count, cl_ulong size,
                      bool counted, const clf_array *in, const clf_array *out)
{
    clf_check check;
    cl_ulong n;
    if (!plan || plan->primitive != &clf_adjacent_difference_primitive)
        return clf_refuse_plan(plan, name);
    CLF_TRY(clf_check_begin(&check, plan->context, name, &plan->op, call));
    CLF_TRY(clf_rows_elements(&check, count, size, &n));
    CLF_TRY(clf_check_arrays(&check, &plan->op, &n, &n, in, out));
    if (n == 0)
        return clf_run_nothing(&check, call);
    clf_engine *engine = plan->engine[0];
    const bool alone = !check.in_place || engine->tile % size == 0; /* then no halo is needed */
    clf_arguments arguments = {
        .op = &plan->op, .in = in, .out = out, .count = count, .size = size,
        .flags = (alone ? CLF_ARG_ALONE : 0u) | (check.in_place ? CLF_ARG_IN_PLACE : 0u)};
    return clf_engine_run(engine, plan, &check, call, &arguments, n, counted);
}

clf_status clf_adjacent_difference(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                                   const clf_array *out)
{
    return run(plan, "clf_adjacent_difference", call, 1, n, false, in, out);
}

clf_status clf_segmented_adjacent_difference(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size,
                                             const clf_array *in, const clf_array *out)
{
    return run(plan, "clf_segmented_adjacent_difference", call, count, size, true, in, out);
}
