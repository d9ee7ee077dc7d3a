/* SPDX-License-Identifier: MIT */
/*
 * scan: describe → variants → enqueue (chained.c has the launches). The algorithms are in cl/scan/. They do segmented
 * scans as well, of which a scan is one with one segment; segmented_scan.c and irregular_scan.c have the calls.
 */
#include "primitives/primitives.h"

/* ---- Variants ---------------------------------------------------------------------------------------- */

/* Segments of which every tile would start one need no more than the first launch. */
static void propagate_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    clf_chained_tile_defaults(facts, op, parameters);
    clf_parameter_set(parameters, "halo", 0); /* tiles never read before their start */
}

static clf_status propagate_takes(const clf_plan *plan, const clf_variant *variant, clf_error *error)
{
    if (!clf_operator_ends(&plan->op))
        return CLF_SUCCESS;
    return clf_fail(error, CLF_E_UNSUPPORTED, "%s: variant \"%s\" combines what it wrote, and must find %s here",
                    plan->op.finish  ? "clf_operator.finish"
                    : plan->op.place ? "clf_operator.place"
                                     : "clf_plan_options.wanted",
                    variant->name, plan->op.finish || plan->op.place ? "NULL" : "0");
}

static clf_status propagate_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    const cl_ulong tiles = clf_chained_tiles(engine, clf_chained_total(arguments));
    clf_chained_two_pass_scratch(engine, run, arguments);
    CLF_TRY(clf_run_launch(run, engine, 0, arguments, tiles));
    if (tiles == 1 || (arguments->flags & CLF_ARG_ALONE))
        return CLF_SUCCESS;
    CLF_TRY(clf_run_launch(run, engine, 1, arguments, 1));
    return clf_run_launch(run, engine, 2, arguments, tiles - 1);
}

static clf_status one_group_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    if (clf_chained_total(arguments) > engine->tile)
        return CLF_RUN_REFUSE(run, CLF_E_UNSUPPORTED, "variant \"one_group\" scans %u elements at most",
                              (unsigned)engine->tile);
    return clf_run_launch(run, engine, 0, arguments, 1);
}

/* The sizes of all fields, as bits; of arrays any other. */
static cl_uint sizes_of(const clf_fields *fields)
{
    cl_uint sizes = 0;
    for (cl_uint i = 0; i < fields->count; ++i)
        sizes |= fields->field[i].is_array ? 16 : fields->field[i].bytes;
    return sizes;
}

/*
 * Vectors (cl/cpu/cpu_vector.cl), rows side by side (cpu_sides.cl), or few chains of combines (cpu_streams.cl), in few
 * registers. Of rows of fields of 4 or 8 bytes compilers make vectors; not where the source loops or `finish` looks up.
 */
static cl_uint cpu_streams(const clf_facts *facts, const clf_operator_copy *op)
{
    const cl_uint others = (sizes_of(&op->input) | sizes_of(&op->value)) & ~(4u | 8u);
    const bool sides = facts->is_cpu && !facts->is_rusticl && !others && !op->reversed;
    if (op->vector)
        return 0;
    const bool looks_up = clf_operator_makes(op) && (op->numbers || op->captured.count > 0);
    if (!sides || clf_source_loops(op->source) || looks_up)
        return op->value.bytes <= 8 && !op->place ? 4 : 2;
    return 32;
}

/* More are rows side by side (CLF_MOST_SHARES in cl/cpu/step.cl). */
enum { MOST_CHAINS = 8 };

static void cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    clf_chained_cpu_defaults(facts, op, parameters);
    clf_parameter_default(parameters, "streams", cpu_streams(facts, op));
    const cl_uint asked = clf_parameter_get(parameters, "streams", 0);
    const bool alone = op->reversed || (op->numbers && clf_operator_makes(op)); /* rows side by side go forwards */
    const cl_uint most = alone ? MOST_CHAINS : asked, bytes = op->value.bytes + op->input.bytes + op->result.bytes;
    cl_uint streams = asked == 0 && !op->vector ? 1 : asked < most ? asked : most;
    while (streams > 8 && streams * bytes > 16384) /* eight times as much, and more, lies on a thread's stack */
        streams /= 2;
    clf_parameter_set(parameters, "streams", streams);
}

static const char *const cpu_kernels[] = {"clf_scan_cpu", NULL};
static const char *const lookback_kernels[] = {"clf_scan_lookback", NULL};
static const char *const two_pass_kernels[] = {"clf_scan_up", "clf_scan_spine", "clf_scan_down", NULL};
static const char *const propagate_kernels[] = {"clf_scan_local", "clf_scan_spine", "clf_scan_propagate", NULL};
/* A launch takes longer than a few elements of a work-item do, so a group has thousands of narrow ones. */
static void one_group_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    enum { LEAST = 4, MOST = 16, BYTES = 80 };
    const cl_uint group = clf_parameter_get(parameters, "group", clf_usual_group(facts));
    const cl_uint most = op->value.count > 1 ? LEAST : BYTES / op->value.bytes,
                  rounds = clf_tile_rounds(op, parameters);
    cl_uint items = most < LEAST ? LEAST : most < MOST ? most : MOST;
    while (items > 1 && clf_tile_local(facts, op, rounds, group, items) > facts->local_bytes)
        --items;
    if (clf_parameter_get(parameters, "local", 0) == 0 && !clf_short_of_registers(facts))
        clf_parameter_default(parameters, "items", items);
    clf_tile_defaults(facts, op, parameters);
}

static const char *const one_group_kernels[] = {"clf_scan_one_group", NULL};

#define TILE_PARAMETERS "items,group,rounds,local"
#define CHAIN_PARAMETERS TILE_PARAMETERS ",ticket,spin,stall,reverse,count"
#define CPU_PARAMETERS "items,spin,streams,nontemporal,stall,count"

const clf_variant clf_scan_variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .waits = true, .file = "scan/scan_cpu.cl", .kernels = cpu_kernels,
     .parameters = CPU_PARAMETERS, .defaults = cpu_defaults, .run = clf_chained_cpu_launch, .repeats = true},
    {.name = "central", .needs = CLF_NEEDS_PROGRESS | CLF_NEEDS_LANES, .waits = true, .file = "scan/scan_lookback.cl",
     .kernels = lookback_kernels, .parameters = CHAIN_PARAMETERS, .defaults = clf_chained_central_defaults,
     .run = clf_chained_central_launch},
    {.name = "window", .needs = CLF_NEEDS_PROGRESS | CLF_NEEDS_LANES, .waits = true, .file = "scan/scan_lookback.cl",
     .kernels = lookback_kernels, .parameters = CHAIN_PARAMETERS, .defaults = clf_chained_window_defaults,
     .run = clf_chained_launch},
    {.name = "serial", .needs = CLF_NEEDS_PROGRESS, .waits = true, .file = "scan/scan_lookback.cl",
     .kernels = lookback_kernels, .parameters = CHAIN_PARAMETERS, .defaults = clf_chained_serial_defaults,
     .run = clf_chained_launch},
    {.name = "two_pass", .file = "scan/scan_two_pass.cl", .kernels = two_pass_kernels,
     .parameters = TILE_PARAMETERS ",partials", .defaults = clf_chained_two_pass_defaults,
     .run = clf_chained_two_pass_launch, .repeats = true},
    {.name = "propagate", .takes = propagate_takes, .needs = CLF_NEEDS_ASKING, .file = "scan/scan_propagate.cl",
     .kernels = propagate_kernels, .parameters = TILE_PARAMETERS, .defaults = propagate_defaults,
     .run = propagate_launch, .repeats = true},
    {.name = "one_group", .needs = CLF_NEEDS_ASKING, .file = "scan/scan_one_group.cl", .kernels = one_group_kernels,
     .parameters = TILE_PARAMETERS, .defaults = one_group_defaults, .run = one_group_launch, .repeats = true},
    {.name = NULL},
};

/* ---- Roles ------------------------------------------------------------------------------------------- */

/*
 * main      any n
 * small     one group, for an n that fits its tile, up to its parameter "limit" if a profile has one
 * medium    where the profile names one: for an n up to its parameter "limit", without which it is for none
 * long      the same for segments of no fewer elements than its parameter "fewest", which segmented scans have
 * in_place  where main waits between groups, but the device cannot order plain writes between them
 */
enum { MAIN, SMALL, MEDIUM, LONG, IN_PLACE };
const char *const clf_scan_roles[] = {"main", "small", "medium", "long", "in_place", NULL};

const clf_variant *clf_scan_variant_for(const clf_plan *plan, cl_uint role)
{
    const clf_context *context = plan->context;
    char type_class[16];
    switch (role) {
    case SMALL: return context->facts.is_cpu ? NULL : clf_variant_named(plan->primitive, "one_group");
    case MEDIUM:
    case LONG: clf_type_class(&plan->op.value, type_class); return clf_variant_profiled(plan, type_class, role);
    default:
        return plan->engine[MAIN]->variant->waits && !context->facts.fence
                   ? clf_variant_named(plan->primitive, "two_pass")
                   : NULL;
    }
}

clf_engine *clf_scan_choose(const clf_plan *plan, const clf_task *task)
{
    clf_engine *const small = plan->engine[SMALL], *const medium = plan->engine[MEDIUM];
    clf_engine *const longest = plan->engine[LONG];
    const cl_uint fewest = longest ? clf_parameter_get(&longest->parameters, "fewest", 0) : 0;
    const cl_ulong n = task->count * task->size;
    if (small && n <= small->tile && n <= clf_parameter_get(&small->parameters, "limit", CL_UINT_MAX))
        return small;
    if (task->in_place && plan->engine[IN_PLACE])
        return plan->engine[IN_PLACE];
    if (medium && n <= clf_parameter_get(&medium->parameters, "limit", 0))
        return medium;
    return fewest != 0 && task->size >= fewest ? longest : plan->engine[MAIN];
}

static clf_status scan_row(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size, const clf_array *in,
                           const clf_array *out)
{
    return clf_scan(plan, call, count * size, in, out);
}

static const clf_tuned_call tuned = {scan_row, false, 1, {0}};

/* ---- Calls ------------------------------------------------------------------------------------------- */

/* In place, groups that wait for each other need fences. */
static clf_status run_scan(clf_run *run, clf_engine *engine, const clf_task *task, cl_uint flags,
                           const clf_array *arrays)
{
    const bool waits = engine->variant->waits && !(flags & CLF_ARG_ALONE);
    clf_arguments arguments;
    if (task->in_place && waits && !engine->context->facts.fence && task->count * task->size > engine->tile)
        CLF_TRY(CLF_RUN_REFUSE(run, CLF_E_UNSUPPORTED, "variant \"%s\" cannot scan in place on this device",
                               engine->variant->name));
    CLF_TRY(clf_run_begin(run, engine, task, &arguments));
    arguments.flags |= flags | (task->in_place ? CLF_ARG_IN_PLACE : 0u);
    for (cl_uint i = 0; arrays && i < engine->array_count; ++i)
        arguments.arrays[i] = arrays[i];
    arguments.room = task->most;
    return engine->variant->run(engine, run, &arguments);
}

/* ---- Results by `place` -------------------------------------------------------------------------------- */

static const clf_named_array result[] = {{"ulong", "result"}, {NULL, NULL}};

const clf_named_array *clf_scan_placed_arrays(const clf_operator_copy *op)
{
    return op->place ? result : NULL;
}

static clf_status check_kind(const clf_plan *plan, const clf_check *check, const clf_task *task)
{
    if (!plan->op.place == !task->placed)
        return CLF_SUCCESS;
    if (task->placed)
        return clf_refuse(check, CLF_E_ARGUMENT, "the plan's operator has no place: results lie where elements do");
    return clf_refuse(check, CLF_E_ARGUMENT, "the plan's operator has place: it is called by clf_%s_placed",
                      plan->primitive->name);
}

clf_status clf_scan_placed_check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task)
{
    cl_ulong n;
    CLF_TRY(check_kind(plan, check, task));
    if (!task->placed)
        return clf_rows_check(plan, check, call, task);
    check->values_apart = true;
    CLF_TRY(clf_check_out_count(check, call, clf_operator_arrays(&plan->op)));
    CLF_TRY(clf_rows_elements(check, task->count, task->size, &n));
    const cl_ulong room = n ? task->most : 0;
    CLF_TRY(clf_check_arrays(check, &plan->op, &n, &room, task->in, task->out));
    task->nothing = n == 0 && !task->result;
    return task->result ? clf_check_result_count(check, task->result, 1) : CLF_SUCCESS;
}

/*
 * How results are counted. Groups that have a chain's scratch count there, in a word of 40 and 24 bits, and the last
 * one tells: a command less than to clear the caller's number first.
 */
static cl_uint counted(const clf_engine *engine, const clf_task *task, cl_uint flags)
{
    const cl_ulong n = task->count * task->size;
    const bool chain = engine->variant->waits && !(engine->variant->needs & CLF_NEEDS_CPU) && !(flags & CLF_ARG_ALONE);
    if (!task->result)
        return 0;
    return chain && engine->context->facts.atomics != CLF_ATOMICS_CL12 && n > 0 && n >> 40 == 0 &&
                   clf_ceiling(n, engine->tile) < (1u << 24) - 1
               ? CLF_ARG_COUNTED | CLF_ARG_LAST
               : CLF_ARG_COUNTED;
}

clf_status clf_scan_placed_run(clf_run *run, clf_engine *engine, const clf_task *task, cl_uint flags, clf_array *arrays)
{
    const cl_uint count = counted(engine, task, flags);
    clf_task placed = *task;
    if (count) {
        if (!(count & CLF_ARG_LAST))
            CLF_TRY(clf_run_zero(run, task->result, 1, sizeof(cl_ulong)));
        arrays[engine->array_count - 1] = *task->result;
    }
    if (task->count == 0 || task->size == 0)
        return CLF_SUCCESS;
    if (task->placed && task->most == 0)
        placed.out = clf_no_arrays;
    return run_scan(run, engine, &placed, flags | count, arrays);
}

/* ---- The primitive ------------------------------------------------------------------------------------- */

static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    return clf_scan_placed_run(run, clf_scan_choose(plan, task), task, 0, &(clf_array){0});
}

const clf_primitive clf_scan_primitive = {
    .name = "scan", .flags = CLF_EXCLUSIVE | CLF_REVERSE | CLF_FROM_DEVICE | CLF_REPEATABLE, .function = CLF_PLACING,
    .exclusive = CLF_EXCLUSIVE, .reverse = CLF_REVERSE, .macro = {CLF_REPEATABLE, "CLF_REPEATS"},
    .arrays_of = clf_scan_placed_arrays, .variants = clf_scan_variants, .parameters = "limit",
    .roles = clf_scan_roles, .variant_for = clf_scan_variant_for, .choose = clf_scan_choose,
    .check = clf_scan_placed_check, .run = run, .tuned = &tuned};

clf_status clf_scan_plan(clf_context *context, const clf_operator *op, unsigned flags, const clf_plan_options *options,
                         clf_plan **plan, clf_error *error)
{
    return clf_plan_create(context, &clf_scan_primitive, op, flags, options, plan, error);
}

clf_status clf_scan(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in, const clf_array *out)
{
    clf_task task = {.count = 1, .size = n, .in = in, .out = out};
    return clf_call_task(plan, &clf_scan_primitive, "clf_scan", call, &task);
}

clf_status clf_scan_placed(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong room, const clf_array *in,
                           const clf_array *out, const clf_array *result_count)
{
    clf_task task = {.count = 1, .size = n, .most = room, .placed = true, .in = in, .out = out, .result = result_count};
    return clf_call_task(plan, &clf_scan_primitive, "clf_scan_placed", call, &task);
}
