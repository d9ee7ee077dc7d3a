/* SPDX-License-Identifier: MIT */
/*
 * scan: describe → variants → enqueue. The algorithms are in cl/scan_*.cl. They do segmented scans as well, of
 * which a scan is one with one segment; segmented_scan.c and irregular_scan.c have the calls.
 */
#include "primitives/primitives.h"

/* ---- Variants ---------------------------------------------------------------------------------------- */

static cl_ulong total_of(const clf_arguments *arguments)
{
    return arguments->count * arguments->size;
}

static cl_ulong tiles_of(const clf_engine *engine, cl_ulong n)
{
    return clf_ceiling(n, engine->tile);
}

/*
 * Polls before a waiting group helps itself: on GPUs long against any pause of a running group and short
 * against a watchdog; on CPUs, where the group waited for may not be running at all, short.
 */
enum { SPIN_GPU = 1 << 16, SPIN_CPU = 1 << 8 };

static void chain_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters,
                           cl_uint lookback)
{
    clf_tile_defaults(facts, op, parameters);
    clf_parameter_set(parameters, "lookback", lookback);
    clf_parameter_default(parameters, "ticket", 1);
    clf_parameter_default(parameters, "spin", facts->type & CL_DEVICE_TYPE_CPU ? SPIN_CPU : SPIN_GPU);
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
    if (!(arguments->flags & CLF_ARG_ALONE))
        *tickets = clf_parameter_get(&engine->parameters, "ticket", 0) ? (cl_uint)groups : 0;
    return clf_launch(chain, &engine->kernels[0], arguments, groups, engine->group);
}

static clf_status chain_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments, cl_uint *tickets)
{
    return enqueue_groups(engine, chain, arguments, tiles_of(engine, total_of(arguments)), tickets);
}

/* The central group comes on top, where it is of use. */
static clf_status central_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments,
                                  cl_uint *tickets)
{
    const cl_ulong central = arguments->flags & (CLF_ARG_ALONE | CLF_ARG_NEAR) ? 0 : 1;
    return enqueue_groups(engine, chain, arguments, tiles_of(engine, total_of(arguments)) + central, tickets);
}

static void two_pass_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    chain_defaults(facts, op, parameters, 0);
    clf_parameter_set(parameters, "ticket", 0);
}

/* A value per tile, and whether a segment starts in it. */
static cl_ulong two_pass_scratch(const clf_engine *engine, cl_ulong n)
{
    const cl_uint bytes = engine->value_bytes + (engine->primitive->options ? 4 : 0);
    return CLF_SCRATCH_HEADER + tiles_of(engine, n) * bytes;
}

static clf_status two_pass_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments,
                                   cl_uint *tickets)
{
    const cl_ulong tiles = tiles_of(engine, total_of(arguments));
    (void)tickets;
    if (!(arguments->flags & CLF_ARG_ALONE)) {
        CLF_TRY(clf_launch(chain, &engine->kernels[0], arguments, tiles, engine->group));
        CLF_TRY(clf_launch(chain, &engine->kernels[1], arguments, 1, engine->group));
    }
    return clf_launch(chain, &engine->kernels[2], arguments, tiles, engine->group);
}

/* Segments of which every tile would start one need no more than the first launch. */
static void propagate_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    two_pass_defaults(facts, op, parameters);
    clf_parameter_set(parameters, "halo", 0); /* tiles never read before their start */
}

static clf_status propagate_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments,
                                    cl_uint *tickets)
{
    const cl_ulong tiles = tiles_of(engine, total_of(arguments));
    (void)tickets;
    CLF_TRY(clf_launch(chain, &engine->kernels[0], arguments, tiles, engine->group));
    if (tiles == 1 || (arguments->flags & CLF_ARG_ALONE))
        return CLF_SUCCESS;
    CLF_TRY(clf_launch(chain, &engine->kernels[1], arguments, 1, engine->group));
    return clf_launch(chain, &engine->kernels[2], arguments, tiles - 1, engine->group);
}

static clf_status one_group_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments,
                                    cl_uint *tickets)
{
    (void)tickets;
    if (total_of(arguments) > engine->tile)
        return clf_refuse(chain->check, CLF_E_UNSUPPORTED, "variant \"one_group\" scans %u elements at most",
                          (unsigned)engine->tile);
    return clf_launch(chain, &engine->kernels[0], arguments, 1, engine->group);
}

/*
 * On a CPU a tile is what stays in the second-level cache between its two readings, with what is written
 * meanwhile: a quarter of it. (CPU drivers tend to say its size, or less, when asked for local memory.)
 */
static cl_uint cpu_tile(const clf_facts *facts, const clf_operator_copy *op)
{
    const cl_ulong least = 1u << 18, most = 1u << 22, cache = facts->local_bytes;
    const cl_ulong bytes = (cache < least ? least : cache > most ? most : cache) / 4;
    const cl_uint element = clf_fields_sum(&op->input), items = (cl_uint)bytes / (element ? element : 4);
    return items < 512 ? 512 : items / 16 * 16;
}

/* Streams: chains of combines side by side, in few registers; 0 takes vectors instead (cl/cpu/cpu_vector.cl). */
static void cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    clf_parameter_set(parameters, "group", 1);
    clf_parameter_default(parameters, "items", cpu_tile(facts, op));
    clf_parameter_default(parameters, "ticket", 1);
    clf_parameter_default(parameters, "spin", 1 << 14);
    clf_parameter_default(parameters, "nontemporal", 1);
    clf_parameter_default(parameters, "streams", op->vector ? 0 : op->value.bytes <= 8 ? 4 : 2);
    if (!op->vector && clf_parameter_get(parameters, "streams", 0) == 0)
        clf_parameter_set(parameters, "streams", 1);
}

static cl_ulong cpu_groups(const clf_engine *engine, cl_ulong n)
{
    const cl_ulong tiles = tiles_of(engine, n), cores = engine->context->facts.compute_units;
    return tiles < cores ? tiles : cores;
}

/* A group that is alone has nobody to send messages to. */
static cl_ulong cpu_scratch(const clf_engine *engine, cl_ulong n)
{
    return cpu_groups(engine, n) > 1 ? chain_scratch(engine, n) : 0;
}

/* Stores go past the caches where input and output would not fit (nontemporal = 1; 0: never, 2: always). */
static bool cpu_streams_out(const clf_engine *engine, const clf_arguments *arguments)
{
    const cl_uint when = clf_parameter_get(&engine->parameters, "nontemporal", 0);
    const cl_uint element = clf_fields_sum(&arguments->op->value) + clf_fields_sum(&arguments->op->input);
    const cl_ulong cache = engine->context->facts.cache_bytes;
    const bool large = cache > 0 && total_of(arguments) > cache / element;
    return when == 2 || (when == 1 && large && !(arguments->flags & CLF_ARG_IN_PLACE));
}

/*
 * One group per core: each takes tiles until there are none. A group takes one ticket more than it has tiles.
 * Where tiles are made of whole segments there is one group per tile.
 */
static clf_status cpu_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments, cl_uint *tickets)
{
    const bool alone = (arguments->flags & CLF_ARG_ALONE) != 0;
    const cl_ulong n = total_of(arguments);
    const cl_ulong tile = alone ? engine->tile - engine->tile % arguments->size : engine->tile;
    const cl_ulong tiles = clf_ceiling(n, tile), groups = alone ? tiles : cpu_groups(engine, n);
    clf_arguments with_flags = *arguments;
    if (tiles > (cl_uint)CL_INT_MAX) /* more tickets than the counter has */
        return clf_refuse(chain->check, CLF_E_OVERFLOW, "%llu tiles are more than 32 bits can count",
                          (unsigned long long)tiles);
    if (cpu_streams_out(engine, arguments))
        with_flags.flags |= CLF_ARG_STREAM;
    *tickets = !alone && groups > 1 ? (cl_uint)(tiles + groups) : 0;
    if (arguments->flags & (CLF_ARG_GIVEN_SIZE | CLF_ARG_GIVEN_COUNT))
        *tickets = CLF_TICKETS_UNKNOWN; /* fewer tiles, fewer tickets */
    return clf_launch(chain, &engine->kernels[0], &with_flags, groups, 1);
}

static const char *const cpu_kernels[] = {"clf_scan_cpu", NULL};
static const char *const lookback_kernels[] = {"clf_scan_lookback", NULL};
static const char *const two_pass_kernels[] = {"clf_scan_up", "clf_scan_spine", "clf_scan_down", NULL};
static const char *const propagate_kernels[] = {"clf_scan_local", "clf_scan_spine", "clf_scan_propagate", NULL};
static const char *const one_group_kernels[] = {"clf_scan_one_group", NULL};

#define TILE_PARAMETERS "items,group,rounds,local"
#define CHAIN_PARAMETERS TILE_PARAMETERS ",ticket,spin,stall,reverse,count"
#define CPU_PARAMETERS "items,spin,streams,nontemporal,stall,count"

const clf_variant clf_scan_variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .waits = true, .file = "scan/scan_cpu.cl", .kernels = cpu_kernels,
     .parameters = CPU_PARAMETERS, .defaults = cpu_defaults, .scratch = cpu_scratch, .enqueue = cpu_enqueue},
    {.name = "central", .needs = CLF_NEEDS_PROGRESS | CLF_NEEDS_LANES, .waits = true, .file = "scan/scan_lookback.cl",
     .kernels = lookback_kernels, .parameters = CHAIN_PARAMETERS, .defaults = central_defaults,
     .scratch = central_scratch, .enqueue = central_enqueue},
    {.name = "window", .needs = CLF_NEEDS_PROGRESS | CLF_NEEDS_LANES, .waits = true, .file = "scan/scan_lookback.cl",
     .kernels = lookback_kernels, .parameters = CHAIN_PARAMETERS, .defaults = window_defaults, .scratch = chain_scratch,
     .enqueue = chain_enqueue},
    {.name = "serial", .needs = CLF_NEEDS_PROGRESS, .waits = true, .file = "scan/scan_lookback.cl",
     .kernels = lookback_kernels, .parameters = CHAIN_PARAMETERS, .defaults = serial_defaults, .scratch = chain_scratch,
     .enqueue = chain_enqueue},
    {.name = "two_pass", .file = "scan/scan_two_pass.cl", .kernels = two_pass_kernels,
     .parameters = TILE_PARAMETERS, .defaults = two_pass_defaults, .scratch = two_pass_scratch,
     .enqueue = two_pass_enqueue},
    {.name = "propagate", .needs = CLF_NEEDS_ASKING, .file = "scan/scan_propagate.cl", .kernels = propagate_kernels,
     .parameters = TILE_PARAMETERS, .defaults = propagate_defaults, .scratch = two_pass_scratch,
     .enqueue = propagate_enqueue},
    {.name = "one_group", .needs = CLF_NEEDS_ASKING, .file = "scan/scan_one_group.cl", .kernels = one_group_kernels,
     .parameters = TILE_PARAMETERS, .defaults = clf_tile_defaults, .enqueue = one_group_enqueue},
    {.name = NULL},
};

/* ---- Roles ------------------------------------------------------------------------------------------- */

/*
 * main      any n
 * small     one group, for an n that fits its tile
 * medium    where the profile names one: for an n up to its parameter "limit"
 * in_place  where main waits between groups, but the device cannot order plain writes between them
 */
enum { MAIN, SMALL, MEDIUM, IN_PLACE };
const char *const clf_scan_roles[] = {"main", "small", "medium", "in_place", NULL};

const clf_variant *clf_scan_variant_for(const clf_plan *plan, cl_uint role)
{
    const clf_context *context = plan->context;
    char type_class[16];
    switch (role) {
    case SMALL:
        return context->facts.is_cpu ? NULL : clf_variant_named(plan->primitive, "one_group");
    case MEDIUM:
        clf_type_class(&plan->op.value, type_class);
        return clf_variant_profiled(plan->primitive, context, type_class, role);
    default:
        return plan->engine[MAIN]->variant->waits && !context->facts.fence
                   ? clf_variant_named(plan->primitive, "two_pass")
                   : NULL;
    }
}

clf_engine *clf_scan_choose(const clf_plan *plan, const clf_shape *shape)
{
    clf_engine *const small = plan->engine[SMALL], *const medium = plan->engine[MEDIUM];
    const cl_ulong n = shape->count * shape->size;
    if (small && n <= small->tile)
        return small;
    if (shape->in_place && plan->engine[IN_PLACE])
        return plan->engine[IN_PLACE];
    return medium && n <= clf_parameter_get(&medium->parameters, "limit", 0) ? medium : plan->engine[MAIN];
}

const clf_primitive clf_scan_primitive = {
    .name = "scan", .flags = CLF_EXCLUSIVE | CLF_FROM_DEVICE, .variants = clf_scan_variants,
    .parameters = "limit", .roles = clf_scan_roles, .variant_for = clf_scan_variant_for, .choose = clf_scan_choose};

/* ---- Calls ------------------------------------------------------------------------------------------- */

clf_status clf_scan_plan(clf_context *context, const clf_operator *op, unsigned flags, const clf_plan_options *options,
                         clf_plan **plan, clf_error *error)
{
    return clf_plan_create(context, &clf_scan_primitive, op, flags, options, plan, error);
}

clf_status clf_scan_check_engine(clf_check *check, const clf_engine *engine, bool waits, cl_ulong n)
{
    if (check->in_place && waits && !engine->context->facts.fence && n > engine->tile)
        return clf_refuse(check, CLF_E_UNSUPPORTED, "variant \"%s\" cannot scan in place on this device",
                          engine->variant->name);
    return CLF_SUCCESS;
}

clf_status clf_scan(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in, const clf_array *out)
{
    clf_check check;
    if (!plan || plan->primitive != &clf_scan_primitive)
        return CLF_E_ARGUMENT;
    CLF_TRY(clf_check_begin(&check, plan->context, "clf_scan", &plan->op, call));
    CLF_TRY(clf_check_arrays(&check, &plan->op, n, n, in, out));
    if (n == 0)
        return clf_run_nothing(&check, call);
    clf_engine *engine = clf_scan_choose(plan, &(clf_shape){1, 1, n, check.in_place, false});
    CLF_TRY(clf_scan_check_engine(&check, engine, engine->variant->waits, n));
    clf_arguments arguments = {.op = &plan->op, .in = in, .out = out, .count = 1, .size = n,
                               .flags = check.in_place ? CLF_ARG_IN_PLACE : 0u};
    return clf_engine_run(engine, plan, &check, call, &arguments, n, false);
}
