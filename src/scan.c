/* SPDX-License-Identifier: MIT */
/*
 * scan: describe → variants → enqueue. The algorithms are in cl/scan_*.cl.
 */
#include "internal.h"

/* ---- Variants --------------------------------------------------------------------------------------------- */

static cl_ulong tiles_of(const clf_engine *engine, cl_ulong n)
{
    return n / engine->tile + (n % engine->tile != 0);
}

/* Polls before a waiting group helps itself: long against any pause of a running group, short against a watchdog. */
enum { SPIN = 1 << 16 };

static void chain_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters,
                           cl_uint lookback)
{
    clf_tile_defaults(facts, op, parameters);
    clf_parameter_set(parameters, "lookback", lookback);
    clf_parameter_default(parameters, "ticket", 1);
    clf_parameter_default(parameters, "spin", SPIN);
}

static void serial_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    chain_defaults(facts, op, parameters, 0);
}

static void window_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    chain_defaults(facts, op, parameters, 1);
}

static void central_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    chain_defaults(facts, op, parameters, 2);
}

/* A slot per tile. */
static cl_ulong chain_scratch(const clf_engine *engine, cl_ulong n)
{
    return CLF_SCRATCH_HEADER + tiles_of(engine, n) * engine->slot_bytes;
}

static cl_ulong central_scratch(const clf_engine *engine, cl_ulong n)
{
    return CLF_SCRATCH_HEADER + 2 * tiles_of(engine, n) * engine->slot_bytes;
}

static clf_status enqueue_groups(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments, cl_ulong groups,
                                 cl_uint *tickets)
{
    if (groups > (cl_uint)CL_INT_MAX)
        return CLF_E_OVERFLOW;
    *tickets = clf_parameter_get(&engine->parameters, "ticket", 0) ? (cl_uint)groups : 0;
    return clf_launch(chain, &engine->kernels[0], arguments, (size_t)groups, engine->group);
}

static clf_status chain_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments, cl_uint *tickets)
{
    return enqueue_groups(engine, chain, arguments, tiles_of(engine, arguments->size), tickets);
}

/* The central group comes on top. */
static clf_status central_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments, cl_uint *tickets)
{
    return enqueue_groups(engine, chain, arguments, tiles_of(engine, arguments->size) + 1, tickets);
}

static void two_pass_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    chain_defaults(facts, op, parameters, 0);
    clf_parameter_set(parameters, "ticket", 0);
}

static cl_ulong two_pass_scratch(const clf_engine *engine, cl_ulong n)
{
    return CLF_SCRATCH_HEADER + tiles_of(engine, n) * engine->value_bytes;
}

static clf_status two_pass_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments,
                                   cl_uint *tickets)
{
    const cl_ulong tiles = tiles_of(engine, arguments->size);
    (void)tickets;
    if (tiles > (cl_uint)CL_INT_MAX)
        return CLF_E_OVERFLOW;
    CLF_TRY(clf_launch(chain, &engine->kernels[0], arguments, (size_t)tiles, engine->group));
    CLF_TRY(clf_launch(chain, &engine->kernels[1], arguments, 1, engine->group));
    return clf_launch(chain, &engine->kernels[2], arguments, (size_t)tiles, engine->group);
}

static clf_status one_group_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments,
                                    cl_uint *tickets)
{
    (void)tickets;
    if (arguments->size > engine->tile)
        return CLF_E_UNSUPPORTED;
    return clf_launch(chain, &engine->kernels[0], arguments, 1, engine->group);
}

/* On a CPU a tile is what stays in the second-level cache between its two readings. */
static void cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const cl_uint bytes = clf_fields_sum(&op->input);
    (void)facts;
    clf_parameter_set(parameters, "group", 1);
    clf_parameter_default(parameters, "items", bytes < 256 ? (1u << 18) / bytes * 4 : 4096);
    clf_parameter_default(parameters, "ticket", 1);
    clf_parameter_default(parameters, "spin", 1 << 20);
}

/* One group per core: each takes tiles until there are none. A group takes one ticket more than it has tiles. */
static clf_status cpu_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments, cl_uint *tickets)
{
    const cl_ulong tiles = tiles_of(engine, arguments->size);
    const cl_uint cores = engine->context->facts.compute_units;
    const cl_uint groups = tiles < cores ? (cl_uint)tiles : cores;
    if (tiles > (cl_uint)CL_INT_MAX)
        return CLF_E_OVERFLOW;
    *tickets = (cl_uint)tiles + groups;
    return clf_launch(chain, &engine->kernels[0], arguments, groups, 1);
}

static const char *const cpu_kernels[] = {"clf_scan_cpu", NULL};
static const char *const lookback_kernels[] = {"clf_scan_lookback", NULL};
static const char *const two_pass_kernels[] = {"clf_scan_up", "clf_scan_spine", "clf_scan_down", NULL};
static const char *const one_group_kernels[] = {"clf_scan_one_group", NULL};

static const clf_variant variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .waits = true, .file = "scan_cpu.cl", .kernels = cpu_kernels,
     .defaults = cpu_defaults, .scratch = chain_scratch, .enqueue = cpu_enqueue},
    {.name = "central", .needs = CLF_NEEDS_PROGRESS | CLF_NEEDS_LANES, .waits = true, .file = "scan_lookback.cl",
     .kernels = lookback_kernels, .defaults = central_defaults, .scratch = central_scratch,
     .enqueue = central_enqueue},
    {.name = "window", .needs = CLF_NEEDS_PROGRESS | CLF_NEEDS_LANES, .waits = true, .file = "scan_lookback.cl",
     .kernels = lookback_kernels, .defaults = window_defaults, .scratch = chain_scratch, .enqueue = chain_enqueue},
    {.name = "serial", .needs = CLF_NEEDS_PROGRESS, .waits = true, .file = "scan_lookback.cl",
     .kernels = lookback_kernels, .defaults = serial_defaults, .scratch = chain_scratch, .enqueue = chain_enqueue},
    {.name = "two_pass", .file = "scan_two_pass.cl", .kernels = two_pass_kernels, .defaults = two_pass_defaults,
     .scratch = two_pass_scratch, .enqueue = two_pass_enqueue},
    {.name = "one_group", .needs = CLF_NEEDS_ASKING, .file = "scan_one_group.cl", .kernels = one_group_kernels,
     .defaults = clf_tile_defaults, .enqueue = one_group_enqueue},
    {.name = NULL},
};

/* ---- Roles ------------------------------------------------------------------------------------------------- */

/*
 * main      any n
 * small     one group, for an n that fits its tile
 * medium    where the profile names one: for an n up to its parameter "limit"
 * in_place  where main waits between groups, but the device cannot order plain writes between them
 */
enum { MAIN, SMALL, MEDIUM, IN_PLACE };
static const char *const roles[] = {"main", "small", "medium", "in_place", NULL};

static const clf_variant *cast(const clf_plan *plan, cl_uint role)
{
    const clf_context *context = plan->context;
    char type_class[8], name[32];
    switch (role) {
    case SMALL:
        return context->facts.is_cpu ? NULL : clf_variant_named(plan->primitive, "one_group");
    case MEDIUM:
        clf_type_class(&plan->op.value, type_class);
        if (!clf_profile_cast(&context->profile, &context->facts, plan->primitive->name, type_class, roles[role],
                              name))
            return NULL;
        return clf_variant_named(plan->primitive, name);
    default:
        return plan->engine[MAIN]->variant->waits && !context->facts.fence
                   ? clf_variant_named(plan->primitive, "two_pass")
                   : NULL;
    }
}

static clf_engine *choose(const clf_plan *plan, cl_ulong count, cl_ulong size, bool in_place)
{
    clf_engine *const small = plan->engine[SMALL], *const medium = plan->engine[MEDIUM];
    (void)count;
    if (small && size <= small->tile)
        return small;
    if (in_place && plan->engine[IN_PLACE])
        return plan->engine[IN_PLACE];
    return medium && size <= clf_parameter_get(&medium->parameters, "limit", 0) ? medium : plan->engine[MAIN];
}

const clf_primitive clf_scan_primitive = {
    .name = "scan", .variants = variants, .roles = roles, .cast = cast, .choose = choose};

/* ---- Calls ---------------------------------------------------------------------------------------------------- */

clf_status clf_scan_plan(clf_context *context, const clf_operator *op, unsigned flags, const clf_plan_options *options,
                         clf_plan **plan, clf_error *error)
{
    if (flags & ~CLF_EXCLUSIVE) {
        CLF_TRY(clf_error_reset(error));
        return clf_fail(error, CLF_E_ARGUMENT, "unknown flags 0x%x", flags & ~CLF_EXCLUSIVE);
    }
    return clf_plan_create(context, &clf_scan_primitive, op, flags, options, plan, error);
}

clf_status clf_scan(clf_plan *plan, cl_command_queue queue, cl_ulong n, const clf_array *in, const clf_array *out,
                    const void *initial, const clf_array *scratch, cl_uint wait_count, const cl_event *wait,
                    cl_event *event)
{
    bool in_place;
    if (!plan || plan->primitive != &clf_scan_primitive)
        return CLF_E_ARGUMENT;
    CLF_TRY(clf_check_arrays(plan->context->cl, plan->context->device, queue, &plan->op, n, n, in, out, &in_place));
    if (n == 0)
        return clf_launch_nothing(queue, wait_count, wait, event);
    clf_engine *engine = choose(plan, 1, n, in_place);
    if (in_place && engine->variant->waits && !plan->context->facts.fence && n > engine->tile)
        return CLF_E_UNSUPPORTED;
    clf_arguments arguments = {
        .op = &plan->op, .in = in, .out = out, .initial = initial, .count = 1, .size = n,
        .flags = (initial ? CLF_ARG_INITIAL : 0u) | (in_place ? CLF_ARG_IN_PLACE : 0u)};
    return clf_engine_run(engine, queue, &arguments, n, scratch, wait_count, wait, event);
}
