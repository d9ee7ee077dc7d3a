/* SPDX-License-Identifier: MIT */
/*
 * reduce_by_key: one result for each run of neighbours that belong together. The algorithms are in cl/reduce_by_key/: a
 * chained scan of heads and sums, whose tiles bring together the results of the runs that end in them.
 */
#include "primitives/primitives.h"

/* ---- Variants ---------------------------------------------------------------------------------------- */

enum {
    MOST_ITEMS = 64,      /* a row's elements have a bit each: cl/reduce_by_key/by_key_tile.cl */
    MOST_ROW_BYTES = 144, /* of a work-item's row in all regions, by default: several groups share a multiprocessor */
    COUNT_WORDS = 2
};

/* A tile's regions; the totals of a scan and what groups exchange, of a value with a count; and a value kept apart. */
static cl_ulong tile_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    const cl_ulong totals = facts->lane_width > 1 ? 3 * (group / facts->lane_width) : group + group / 7 + 8;
    if (items > MOST_ITEMS)
        return CL_ULONG_MAX;
    return clf_slab_bytes(op, 1, group, items) + (totals + 4) * (2 * op->value.bytes + 32) + op->extra.bytes;
}

/*
 * An odd number of vectors of the smallest field, so that its rows need no padding; of wide tuples, of whose fields a
 * row has as many, parts of a vector. (CPUs run this for tests, and PoCL 3.1 ends the process while it compiles long
 * rows of tuples.)
 */
static void tile_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const bool cpu = (facts->type & CL_DEVICE_TYPE_CPU) != 0;
    cl_uint vector = 16 / clf_smallest_field(op), vectors = 9;
    while (vectors > 1 &&
           (vectors * vector > MOST_ITEMS || clf_slab_bytes(op, 1, 1, vectors * vector) > MOST_ROW_BYTES))
        vectors -= 2;
    while (vector > 1 && clf_slab_bytes(op, 1, 1, vectors * vector) > MOST_ROW_BYTES)
        vector /= 2;
    clf_parameter_set(parameters, "rounds", 1);
    clf_parameter_default(parameters, "items", cpu ? 4 : vectors * vector);
}

static void serial_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    tile_defaults(facts, op, parameters);
    clf_chained_serial_defaults(facts, op, parameters);
}

static void window_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    tile_defaults(facts, op, parameters);
    clf_chained_window_defaults(facts, op, parameters);
}

static void central_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    tile_defaults(facts, op, parameters);
    clf_chained_central_defaults(facts, op, parameters);
}

/* The chain's files want to know how to wait, even where nobody does. */
static void two_pass_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    tile_defaults(facts, op, parameters);
    clf_chained_two_pass_defaults(facts, op, parameters);
}

/* Room for results: two words. */
static const char *const numbers[] = {"room_low", "room_high", NULL};

static const char *const cpu_kernels[] = {"clf_by_key_cpu", NULL};
static const char *const lookback_kernels[] = {"clf_by_key_lookback", NULL};
static const char *const two_pass_kernels[] = {"clf_by_key_up", "clf_scan_spine", "clf_by_key_down", NULL};
static const char *const one_group_kernels[] = {"clf_by_key_one_group", NULL};

#define TILE_PARAMETERS "items,group"
#define CHAIN_PARAMETERS TILE_PARAMETERS ",ticket,spin,stall,reverse,count"
#define CPU_PARAMETERS "items,spin,stall,count"

static const clf_variant variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .waits = true, .file = "reduce_by_key/by_key_cpu.cl",
     .kernels = cpu_kernels, .numbers = numbers, .parameters = CPU_PARAMETERS, .defaults = clf_chained_cpu_defaults,
     .scratch = clf_chained_cpu_scratch, .enqueue = clf_chained_cpu_enqueue},
    {.name = "central", .needs = CLF_NEEDS_PROGRESS | CLF_NEEDS_LANES, .waits = true,
     .file = "reduce_by_key/by_key_lookback.cl", .kernels = lookback_kernels, .numbers = numbers,
     .parameters = CHAIN_PARAMETERS, .defaults = central_defaults, .local = tile_local,
     .scratch = clf_chained_central_scratch, .enqueue = clf_chained_central_enqueue},
    {.name = "window", .needs = CLF_NEEDS_PROGRESS | CLF_NEEDS_LANES, .waits = true,
     .file = "reduce_by_key/by_key_lookback.cl", .kernels = lookback_kernels, .numbers = numbers,
     .parameters = CHAIN_PARAMETERS, .defaults = window_defaults, .local = tile_local, .scratch = clf_chained_scratch,
     .enqueue = clf_chained_enqueue},
    {.name = "serial", .needs = CLF_NEEDS_PROGRESS, .waits = true, .file = "reduce_by_key/by_key_lookback.cl",
     .kernels = lookback_kernels, .numbers = numbers, .parameters = CHAIN_PARAMETERS, .defaults = serial_defaults,
     .local = tile_local, .scratch = clf_chained_scratch, .enqueue = clf_chained_enqueue},
    {.name = "two_pass", .file = "reduce_by_key/by_key_two_pass.cl", .kernels = two_pass_kernels, .numbers = numbers,
     .parameters = TILE_PARAMETERS, .defaults = two_pass_defaults, .local = tile_local,
     .scratch = clf_chained_two_pass_scratch, .enqueue = clf_chained_two_pass_enqueue},
    {.name = "one_group", .needs = CLF_NEEDS_ASKING, .file = "reduce_by_key/by_key_one_group.cl",
     .kernels = one_group_kernels, .numbers = numbers, .parameters = TILE_PARAMETERS, .defaults = two_pass_defaults,
     .local = tile_local, .enqueue = clf_chained_one_group_enqueue},
    {.name = NULL},
};

/* ---- Roles ------------------------------------------------------------------------------------------- */

/*
 * main   any n
 * small  one group, for an n that fits its tile
 */
enum { MAIN, SMALL };
static const char *const roles[] = {"main", "small", NULL};

static const clf_variant *variant_for(const clf_plan *plan, cl_uint role)
{
    (void)role;
    return plan->context->facts.is_cpu ? NULL : clf_variant_named(plan->primitive, "one_group");
}

static clf_engine *choose(const clf_plan *plan, const clf_shape *shape)
{
    clf_engine *const small = plan->engine[SMALL];
    return small && shape->size <= small->tile ? small : plan->engine[MAIN];
}

static const clf_named_array arrays[] = {{"ulong", "result"}, {NULL, NULL}};

const clf_primitive clf_reduce_by_key_primitive = {
    .name = "reduce_by_key", .flags = CLF_FROM_DEVICE, .function = CLF_FUNCTION_COMBINE | CLF_FUNCTION_SAME,
    .more_words = COUNT_WORDS, .arrays = arrays, .variants = variants, .roles = roles, .variant_for = variant_for,
    .choose = choose};

/* ---- Calls ------------------------------------------------------------------------------------------- */

clf_status clf_reduce_by_key_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                  const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return clf_plan_create(context, &clf_reduce_by_key_primitive, op, flags, options, plan, error);
}

clf_status clf_reduce_by_key(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong room, const clf_array *in,
                             const clf_array *out, const clf_array *result_count)
{
    clf_check check;
    if (!plan || plan->primitive != &clf_reduce_by_key_primitive)
        return CLF_E_ARGUMENT;
    CLF_TRY(clf_check_begin(&check, plan->context, "clf_reduce_by_key", &plan->op, call));
    check.values_apart = check.extra_apart = true;
    if (call->initial || call->initial_arrays)
        return clf_refuse(&check, CLF_E_ARGUMENT, "a reduce_by_key has no initial value");
    if (!result_count)
        return clf_refuse(&check, CLF_E_ARGUMENT, "result_count is NULL");
    const cl_ulong most = room < n ? room : n;
    CLF_TRY(clf_check_arrays(&check, &plan->op, &n, &most, in, out));
    CLF_TRY(clf_check_result_count(&check, result_count, 1));
    clf_arguments arguments = {.op = &plan->op, .in = in, .out = most ? out : clf_no_arrays, .count = 1, .size = n,
                               .arrays = {*result_count}, .numbers = {(cl_uint)room, (cl_uint)(room >> 32)}};
    if (n == 0)
        return clf_run(&check, plan, call, &arguments, false, clf_chained_count_nothing, NULL);
    clf_engine *const engine = choose(plan, &(clf_shape){1, 1, n, false, false});
    return clf_engine_run(engine, plan, &check, call, &arguments, n, false);
}
