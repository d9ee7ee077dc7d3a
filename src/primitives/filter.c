/* SPDX-License-Identifier: MIT */
/*
 * filter: elements kept in order, by a predicate (filter) or where they differ from the one before (unique), or dealt
 * out to two or three outputs (partition). The algorithms are in cl/filter/: a chained scan of counts, whose tiles
 * bring together what they keep.
 */
#include "primitives/primitives.h"

/* ---- Variants ---------------------------------------------------------------------------------------- */

/* A row's elements have a bit each; of three parts a word counts two (cl/filter/filter_tile.cl). */
enum { MOST_ITEMS = 64, MOST_OF_THREE = 65535 };

/* A tile's arrays, and what warps and the central group exchange: up to 64 bytes each. */
static cl_ulong tile_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    if (items > MOST_ITEMS || (op->out_sets > 2 && group * items > MOST_OF_THREE))
        return CL_ULONG_MAX;
    return clf_slab_bytes(op, 1, group, items) + (group / facts->lane_width + 2) * 64ul;
}

/* Rows of some hundred bytes of the widest array: an odd number of vectors, so that rows need no padding. */
static void tile_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const cl_uint vector = 16 / clf_smallest_field(op), bytes = clf_fields_largest(&op->input);
    cl_uint vectors = 9;
    while (vectors > 1 && (vectors * vector * bytes > 144 || vectors * vector > MOST_ITEMS))
        vectors -= 2;
    clf_parameter_set(parameters, "rounds", 1);
    clf_parameter_default(parameters, "items", facts->is_cpu ? vector : vectors * vector);
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

static const char *const cpu_kernels[] = {"clf_filter_cpu", NULL};
static const char *const lookback_kernels[] = {"clf_filter_lookback", NULL};
static const char *const two_pass_kernels[] = {"clf_filter_up", "clf_scan_spine", "clf_filter_down", NULL};
static const char *const one_group_kernels[] = {"clf_filter_one_group", NULL};

#define TILE_PARAMETERS "items,group"
#define CHAIN_PARAMETERS TILE_PARAMETERS ",ticket,spin,stall,reverse,count"
#define CPU_PARAMETERS "items,spin,stall,count"

static const clf_variant variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .waits = true, .file = "filter/filter_cpu.cl", .kernels = cpu_kernels,
     .numbers = numbers, .parameters = CPU_PARAMETERS, .defaults = clf_chained_cpu_defaults,
     .scratch = clf_chained_cpu_scratch, .enqueue = clf_chained_cpu_enqueue},
    {.name = "central", .needs = CLF_NEEDS_PROGRESS | CLF_NEEDS_LANES, .waits = true,
     .file = "filter/filter_lookback.cl", .kernels = lookback_kernels, .numbers = numbers,
     .parameters = CHAIN_PARAMETERS, .defaults = central_defaults, .local = tile_local,
     .scratch = clf_chained_central_scratch, .enqueue = clf_chained_central_enqueue},
    {.name = "window", .needs = CLF_NEEDS_PROGRESS | CLF_NEEDS_LANES, .waits = true,
     .file = "filter/filter_lookback.cl", .kernels = lookback_kernels, .numbers = numbers,
     .parameters = CHAIN_PARAMETERS, .defaults = window_defaults, .local = tile_local, .scratch = clf_chained_scratch,
     .enqueue = clf_chained_enqueue},
    {.name = "serial", .needs = CLF_NEEDS_PROGRESS, .waits = true, .file = "filter/filter_lookback.cl",
     .kernels = lookback_kernels, .numbers = numbers, .parameters = CHAIN_PARAMETERS, .defaults = serial_defaults,
     .local = tile_local, .scratch = clf_chained_scratch, .enqueue = clf_chained_enqueue},
    {.name = "two_pass", .file = "filter/filter_two_pass.cl", .kernels = two_pass_kernels, .numbers = numbers,
     .parameters = TILE_PARAMETERS, .defaults = two_pass_defaults, .local = tile_local,
     .scratch = clf_chained_two_pass_scratch, .enqueue = clf_chained_two_pass_enqueue},
    {.name = "one_group", .needs = CLF_NEEDS_ASKING, .file = "filter/filter_one_group.cl",
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

enum { COUNT_WORDS = 2 }; /* a count in the chain's state */
const clf_primitive clf_filter_primitive = {
    .name = "filter", .flags = CLF_FROM_DEVICE, .function = CLF_FUNCTION_PREDICATE, .state_words = COUNT_WORDS,
    .arrays = arrays, .variants = variants, .roles = roles, .variant_for = variant_for, .choose = choose};
const clf_primitive clf_unique_primitive = {
    .name = "unique", .flags = CLF_FROM_DEVICE, .function = CLF_FUNCTION_SAME, .state_words = COUNT_WORDS,
    .profile = "filter", .arrays = arrays, .variants = variants, .roles = roles, .variant_for = variant_for,
    .choose = choose};
/* Of partitions there are two, known to others by one name. */
const clf_primitive clf_partition_primitive = {
    .name = "partition", .flags = CLF_FROM_DEVICE, .function = CLF_FUNCTION_PREDICATE, .out_sets = 2,
    .state_words = COUNT_WORDS, .profile = "filter", .arrays = arrays, .variants = variants, .roles = roles,
    .variant_for = variant_for, .choose = choose};
static const clf_primitive in_three = {
    .name = "partition", .flags = CLF_FROM_DEVICE, .function = CLF_FUNCTION_PART, .out_sets = 3,
    .state_words = 2 * COUNT_WORDS, .profile = "filter", .arrays = arrays, .variants = variants, .roles = roles,
    .variant_for = variant_for, .choose = choose};

/* ---- Calls ------------------------------------------------------------------------------------------- */

static clf_status plan_of(const clf_primitive *primitive, clf_context *context, const clf_operator *op, unsigned flags,
                          const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    if (op && op->size == sizeof *op && op->extra) {
        CLF_TRY(clf_error_reset(error));
        return clf_fail(error, CLF_E_ARGUMENT, "a %s has no extra outputs", primitive->name);
    }
    return clf_plan_create(context, primitive, op, flags, options, plan, error);
}

clf_status clf_filter_plan(clf_context *context, const clf_operator *op, unsigned flags,
                           const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return plan_of(&clf_filter_primitive, context, op, flags, options, plan, error);
}

clf_status clf_partition_plan(clf_context *context, const clf_operator *op, unsigned flags,
                              const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    const bool three = op && op->size == sizeof *op && op->part;
    return plan_of(three ? &in_three : &clf_partition_primitive, context, op, flags, options, plan, error);
}

clf_status clf_unique_plan(clf_context *context, const clf_operator *op, unsigned flags,
                           const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return plan_of(&clf_unique_primitive, context, op, flags, options, plan, error);
}

static clf_status run(clf_plan *plan, const char *name, const clf_call *call, cl_ulong n, cl_ulong room,
                      const clf_array *in, const clf_array *out, const clf_array *result_count)
{
    clf_check check;
    CLF_TRY(clf_check_begin(&check, plan->context, name, &plan->op, call));
    check.values_apart = true;
    if (call->initial || call->initial_arrays)
        return clf_refuse(&check, CLF_E_ARGUMENT, "a %s has no initial value", plan->primitive->name);
    if (!result_count)
        return clf_refuse(&check, CLF_E_ARGUMENT, "result_count is NULL");
    const cl_ulong most = room < n ? room : n, rooms[CLF_MAX_SETS] = {most, most, most};
    CLF_TRY(clf_check_arrays(&check, &plan->op, &n, rooms, in, out));
    CLF_TRY(clf_check_result_count(&check, result_count, plan->op.out_sets));
    clf_arguments arguments = {.op = &plan->op, .in = in, .out = room && n ? out : clf_no_arrays, .count = 1, .size = n,
                               .arrays = {*result_count}, .numbers = {(cl_uint)room, (cl_uint)(room >> 32)}};
    if (n == 0)
        return clf_run(&check, plan, call, &arguments, false, clf_chained_count_nothing, NULL);
    clf_engine *const engine = choose(plan, &(clf_shape){1, 1, n, false, false});
    return clf_engine_run(engine, plan, &check, call, &arguments, n, false);
}

clf_status clf_filter(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong room, const clf_array *in,
                      const clf_array *out, const clf_array *result_count)
{
    if (!plan || plan->primitive != &clf_filter_primitive)
        return CLF_E_ARGUMENT;
    return run(plan, "clf_filter", call, n, room, in, out, result_count);
}

clf_status clf_unique(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong room, const clf_array *in,
                      const clf_array *out, const clf_array *result_count)
{
    if (!plan || plan->primitive != &clf_unique_primitive)
        return CLF_E_ARGUMENT;
    return run(plan, "clf_unique", call, n, room, in, out, result_count);
}

clf_status clf_partition(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong room, const clf_array *in,
                         const clf_array *out, const clf_array *result_counts)
{
    if (!plan || (plan->primitive != &clf_partition_primitive && plan->primitive != &in_three))
        return CLF_E_ARGUMENT;
    return run(plan, "clf_partition", call, n, room, in, out, result_counts);
}
