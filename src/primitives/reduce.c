/* SPDX-License-Identifier: MIT */
/*
 * reduce: one segment or many of equal length, one value each. The algorithms are in cl/reduce/.
 *
 * The dispatcher is `choose` with the roles below it and parts_of: what to do for `count` segments of
 * `size` elements. All its thresholds are parameters, so a profile can set them; the defaults are from sweeps
 * on an NVIDIA H200, in units that suit other devices (bytes, compute units):
 *     reduce.b4.small.limit = 1024           longest segment for the role "small" …
 *     reduce.b4.medium.limit = 8192          … and for "medium", if there are …
 *     reduce.b4.medium.fewest = 1056         … at least so many of that length
 *     reduce.b4.large.groups = 1056          groups of "large" that the device runs at a time
 */
#include "primitives/primitives.h"

#include <string.h>

/* ---- Shapes ------------------------------------------------------------------------------------------ */

/* Elements of a stretch (cl/memory/stretch.cl), which a unit of the group's work-items holds. */
static cl_uint stretch_of(const clf_engine *engine)
{
    const cl_uint lanes = engine->context->facts.lane_width;
    return lanes > 1 && !clf_engine_is_cpu(engine) ? engine->tile / engine->group * lanes : engine->tile;
}

static cl_uint groups_of(const clf_engine *engine)
{
    return clf_parameter_get(&engine->parameters, "groups", 1);
}

/*
 * Groups per segment. As many as make the device full at once, but no more: a second wave that is not
 * nearly full costs as much as one that is. With more segments than that, the fewest that make good use
 * of the last wave. And none with less to do than a tile; a few tiles are not worth parting.
 */
enum { MOST_WAVES = 8, WORTH_PARTING = 5 /* tiles, where no profile says */ };

static cl_uint parts_of(const clf_engine *engine, cl_ulong count, cl_ulong size)
{
    const cl_ulong wave = groups_of(engine), most = size / engine->tile;
    if (count >= MOST_WAVES * wave || most < clf_parameter_get(&engine->parameters, "parting", WORTH_PARTING))
        return 1;
    cl_ulong best = 1, best_use = 0;
    for (cl_ulong parts = count < wave ? wave / count : 1; count * parts <= MOST_WAVES * wave; ++parts) {
        const cl_ulong groups = count * parts, use = groups * 16 / (clf_ceiling(groups, wave) * wave);
        if (use > best_use) {
            best = parts;
            best_use = use;
        }
        if (use >= 15)
            break;
    }
    return (cl_uint)(best < most ? best : most);
}

/* ---- Variants ---------------------------------------------------------------------------------------- */

/* The stretches of inputs or of extra outputs. */
static cl_ulong stretches_bytes(const clf_fields *fields, cl_ulong elements)
{
    cl_ulong bytes = 0;
    for (cl_uint i = 0; i < fields->count; ++i)
        bytes += clf_stretch_bytes(elements, &fields->field[i]);
    return bytes;
}

static cl_ulong stretch_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    const cl_ulong elements = (cl_ulong)group * items, values = group / facts->lane_width + 1;
    const cl_ulong data = stretches_bytes(&op->input, elements) + stretches_bytes(&op->extra, elements);
    return data + values * (op->value.bytes + 16 + 16 * op->input.count);
}

/* Do the operands of a combination across lanes cost little? */
static bool is_cheap(const clf_operator_copy *op)
{
    return (op->flags & CLF_COMMUTATIVE) || clf_operator_words(op) <= 2;
}

/* Are ranges combined in registers (CLF_STRIPED of cl/group/rows.cl)? Large values are not in "large". */
static bool is_striped(const clf_facts *facts, const clf_operator_copy *op)
{
    return op->extra.count == 0 && ((op->flags & CLF_COMMUTATIVE) || facts->lane_width > 1);
}

static cl_ulong warp_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    const cl_ulong values = group / facts->lane_width + 1;
    return is_striped(facts, op) ? values * (op->value.bytes + 16) : stretch_local(facts, op, group, items);
}

static cl_ulong large_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    return is_cheap(op) ? warp_local(facts, op, group, items) : stretch_local(facts, op, group, items);
}

/* Groups whose work-items each have `bytes` of inputs and extra outputs under way at a time. */
static void stretch_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters,
                             cl_uint group, cl_uint bytes)
{
    const cl_uint element = clf_fields_sum(&op->input) + clf_fields_sum(&op->extra);
    cl_uint items = 1;
    while (items * 2 * (element ? element : 4) <= bytes)
        items *= 2;
    while (group > clf_least_group(facts) &&
           (group > facts->max_group || stretch_local(facts, op, group, items) > facts->local_bytes))
        group /= 2;
    clf_parameter_default(parameters, "group", group);
    clf_parameter_default(parameters, "items", items);
}

/* Bytes of an element's inputs; where there is none it counts as a word. */
static cl_uint input_bytes(const clf_operator_copy *op)
{
    const cl_uint bytes = clf_fields_sum(&op->input);
    return bytes ? bytes : 4;
}

/* Longer ones are better in "warp", if its teams pay: in order, where they have some work. */
static void small_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const cl_uint elements = (op->flags & CLF_COMMUTATIVE ? 96 : 240) / input_bytes(op);
    stretch_defaults(facts, op, parameters, 256, 128);
    if (is_striped(facts, op) && facts->lane_width > 1)
        clf_parameter_default(parameters, "limit", !is_cheap(op) ? 512 : elements > 28 ? elements : 28);
}

/* Rows of 32 elements of 4 bytes: with lanes as many, the rows are the same for a whole load. */
static void sequential_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    stretch_defaults(facts, op, parameters, 256, 128);
}

/* Few work-items with much under way: 1024 per compute unit; in smaller groups where they combine for long. */
static void large_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const bool blocked = !is_cheap(op) && op->extra.count == 0;
    stretch_defaults(facts, op, parameters, is_striped(facts, op) && !blocked ? 512 : 256, blocked ? 128 : 64);
    const cl_uint group = clf_parameter_get(parameters, "group", 1);
    clf_parameter_default(parameters, "groups", facts->units * (group < 1024 ? 1024 / group : 1));
}

/* In order teams have more to do together. Cheap segments of more than 32 KB are better in "large", and so are few. */
static void warp_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const bool cheap = is_cheap(op), ordered = !(op->flags & CLF_COMMUTATIVE) && cheap && op->extra.count == 0;
    stretch_defaults(facts, op, parameters, 128, ordered ? 128 : 64);
    clf_parameter_default(parameters, "limit", (cheap ? 32768 : 65536) / input_bytes(op));
    clf_parameter_default(parameters, "fewest", (cheap ? 3 : 16) * facts->units);
}

/*
 * Four groups per core even out what else the cores are doing. Streams: values side by side, some vectors of each
 * field (cl/cpu/side.cl), of a page in all. Of an operator with a loop no compiler makes vectors; and often it costs
 * less the longer the chain is, such as that of greatest common divisors: then one at a time, as on what is no CPU and
 * has no vectors. Mesa's compiler unrolls 32 rounds, and takes minutes where there are more.
 */
void clf_reduce_cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    cl_uint streams = clf_source_loops(op->source) || !facts->is_cpu ? 1 : facts->is_rusticl ? 32 : 64;
    while (streams > 8 && streams * op->value.bytes > 4096)
        streams /= 2;
    clf_parameter_default(parameters, "items", 16384);
    clf_parameter_default(parameters, "groups", 4 * facts->units);
    clf_parameter_default(parameters, "streams", streams);
    if (clf_parameter_get(parameters, "streams", 0) == 0)
        clf_parameter_set(parameters, "streams", 1);
}

/* A message per part: as many as any shape of n elements may need. */
static void take_parts(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    const cl_ulong slots = (cl_ulong)MOST_WAVES * groups_of(engine) * engine->slot_bytes;
    if (arguments->size > 0)
        clf_run_scratch(run, CLF_MESSAGES, CLF_SCRATCH_HEADER + slots, arguments);
}

enum { KERNEL_PARTS, KERNEL_FINISH, KERNEL_MANY };

/*
 * Only where parts are published does anyone finish: the last group, or, where it cannot, another launch. One segment's
 * last group can if it may load inputs again: if no extra output has overwritten them. But it combines these in another
 * order, so results that are to repeat are left to the other launch.
 */
static clf_status launch_parts(clf_engine *engine, clf_run *run, const clf_arguments *arguments)
{
    const cl_uint parts = parts_of(engine, arguments->count, arguments->size);
    const cl_ulong groups = arguments->count * parts;
    CLF_TRY(clf_run_launch(run, engine, KERNEL_PARTS, arguments, groups));
    if (parts == 1)
        return CLF_SUCCESS;
    clf_run_tickets(run, groups);
    const bool again = arguments->count == 1 && engine->op->extra.count == 0 && !(engine->flags & CLF_REPEATABLE);
    const bool finished = engine->context->facts.fence || again;
    return finished ? CLF_SUCCESS : clf_run_launch(run, engine, KERNEL_FINISH, arguments, groups);
}

static clf_status large_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    take_parts(engine, run, arguments);
    return launch_parts(engine, run, arguments);
}

/* Of `most` segments in a stretch, those that a unit takes, and work-items for each: few are to be idle in any turn. */
static void deal(cl_uint most, cl_uint unit, cl_uint *segments, cl_uint *width)
{
    const cl_uint all = most < unit ? unit / most : 1, rest = most % unit;
    *width = all * most * 5 < unit * 4 ? all + 1 : all;
    *segments = most < unit / *width ? most : unit / *width;
    if (most >= unit)
        *segments = most > 3 * unit || rest * 8 < unit * 5 ? most - rest : most;
}

/* Is it better in clf_reduce_tiny of cl/reduce/reduce_small.cl? */
static bool is_tiny(const clf_engine *engine, const clf_arguments *a)
{
    const cl_uint narrowest = clf_operator_narrowest(a->op);
    return narrowest < 4 && is_striped(&engine->context->facts, a->op) && a->size > 0 && a->size <= 16 / narrowest &&
           (a->size & (a->size - 1)) == 0 && clf_arrays_aligned(&a->op->input, a->in) &&
           clf_arrays_aligned(clf_operator_results(a->op), a->out);
}

enum { KERNEL_SMALL, KERNEL_TINY };

static clf_status small_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    const cl_uint stretch = stretch_of(engine), unit = stretch / (engine->tile / engine->group);
    if (arguments->size > stretch)
        return CLF_RUN_REFUSE(run, CLF_E_UNSUPPORTED, "variant \"small\" reduces segments of %u elements at most",
                              (unsigned)stretch);
    if (is_tiny(engine, arguments))
        return clf_run_launch(run, engine, KERNEL_TINY, arguments,
                              clf_ceiling(arguments->count * arguments->size, engine->tile));
    cl_uint *const segments = &arguments->numbers[0], *const width = &arguments->numbers[1];
    deal(arguments->size ? stretch / (cl_uint)arguments->size : stretch, unit, segments, width);
    if (clf_operator_narrowest(arguments->op) < 4 && *segments >= 16)
        *segments -= *segments % 16; /* so units begin at whole vectors */
    return clf_run_launch(run, engine, KERNEL_SMALL, arguments,
                          clf_ceiling(arguments->count, (cl_ulong)*segments * (engine->tile / stretch)));
}

enum { KERNEL_WARP, KERNEL_TEAM };

/* A segment of one batch goes to a team, of 4 lanes at least (cl/reduce/reduce_warp.cl). */
static clf_status warp_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    const clf_facts *facts = &engine->context->facts;
    const cl_uint stretch = stretch_of(engine), items = engine->tile / engine->group;
    cl_uint team = 4;
    if (!is_striped(facts, arguments->op) || facts->lane_width < 2 * team || arguments->size > stretch)
        return clf_run_launch(run, engine, KERNEL_WARP, arguments,
                              clf_ceiling(arguments->count, engine->tile / stretch));
    while (items * team < arguments->size)
        team *= 2;
    return clf_run_launch(run, engine, KERNEL_TEAM, arguments, clf_ceiling(arguments->count, engine->group / team));
}

static clf_status sequential_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    return clf_run_launch(run, engine, 0, arguments, clf_ceiling(arguments->count, engine->group));
}

static clf_status cpu_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    const cl_ulong groups = groups_of(engine), tiles = clf_ceiling(arguments->count * arguments->size, engine->tile);
    take_parts(engine, run, arguments);
    if (arguments->count < groups && arguments->size > engine->tile)
        return launch_parts(engine, run, arguments);
    const cl_ulong useful = clf_least(tiles, arguments->count);
    return clf_run_launch(run, engine, KERNEL_MANY, arguments, useful == 0 ? 1 : clf_least(useful, groups));
}

static const char *const cpu_kernels[] = {"clf_reduce_parts", "clf_reduce_finish", "clf_reduce_many", NULL};
static const char *const large_kernels[] = {"clf_reduce_parts", "clf_reduce_finish", NULL};
static const char *const warp_kernels[] = {"clf_reduce_warp", "clf_reduce_team", NULL};
static const char *const small_kernels[] = {"clf_reduce_small", "clf_reduce_tiny", NULL};
static const char *const small_numbers[] = {"segments", "width", NULL}; /* that a unit takes; work-items of each */
static const char *const sequential_kernels[] = {"clf_reduce_sequential", NULL};

static const clf_variant variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .waits = true, .file = "reduce/reduce_cpu.cl", .kernels = cpu_kernels,
     .parameters = CLF_REDUCE_CPU_PARAMETERS, .defaults = clf_reduce_cpu_defaults,
     .run = cpu_launch, .repeats = true},
    {.name = "large", .waits = true, .file = "reduce/reduce_large.cl", .kernels = large_kernels,
     .parameters = "items,group,groups,parting", .local = large_local, .defaults = large_defaults,
     .run = large_launch, .repeats = true},
    {.name = "warp", .needs = CLF_NEEDS_ASKING, .file = "reduce/reduce_warp.cl", .kernels = warp_kernels,
     .parameters = "items,group", .local = warp_local, .defaults = warp_defaults, .run = warp_launch, .repeats = true},
    {.name = "small", .needs = CLF_NEEDS_ASKING, .file = "reduce/reduce_small.cl", .kernels = small_kernels,
     .numbers = small_numbers, .parameters = "items,group", .local = stretch_local,
     .defaults = small_defaults, .run = small_launch, .repeats = true},
    {.name = "sequential", .needs = CLF_NEEDS_ASKING, .file = "reduce/reduce_sequential.cl",
     .kernels = sequential_kernels, .parameters = "items,group", .local = stretch_local,
     .defaults = sequential_defaults, .run = sequential_launch, .repeats = true},
    {.name = NULL},
};

/* ---- Roles ------------------------------------------------------------------------------------------- */

/*
 * main    any count and size
 * small   size up to "limit", by default what fits a stretch
 * medium  size up to "limit", for which it takes "fewest" segments; for shorter ones proportionally less. Only
 *         where there are lanes
 */
enum { MAIN, SMALL, MEDIUM };
static const char *const roles[] = {"main", "small", "medium", NULL};

static const clf_variant *variant_for(const clf_plan *plan, cl_uint role)
{
    if (clf_engine_is_cpu(plan->engine[MAIN]))
        return NULL; /* a CPU's kernels do it all */
    if (role == SMALL)
        return clf_variant_named(plan->primitive, "small");
    return plan->context->facts.lane_width > 1 ? clf_variant_named(plan->primitive, "warp") : NULL;
}

static cl_ulong limit_of(const clf_engine *engine)
{
    return clf_parameter_get(&engine->parameters, "limit", CL_UINT_MAX);
}

static cl_ulong fewest_of(const clf_engine *engine)
{
    return clf_parameter_get(&engine->parameters, "fewest", 1);
}

/* In place too: every element is read, once, before anything takes its place. */
static clf_engine *choose(const clf_plan *plan, const clf_task *task)
{
    const cl_ulong count = task->count, size = task->size;
    clf_engine *const small = plan->engine[SMALL], *const medium = plan->engine[MEDIUM];
    if (small && size <= limit_of(small) && size <= stretch_of(small))
        return small;
    if (medium && size <= limit_of(medium) && count * limit_of(medium) >= fewest_of(medium) * size)
        return medium;
    return plan->engine[MAIN];
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

static clf_status check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task)
{
    const clf_operator_copy *const op = &plan->op;
    cl_ulong n;
    CLF_TRY(clf_check_out_count(check, call, clf_operator_arrays(op)));
    CLF_TRY(clf_rows_elements(check, task->count, task->size, &n));
    task->nothing = task->count == 0;
    return clf_check_arrays(check, op, &n, &task->count, task->in, task->out);
}

static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    clf_engine *const engine = choose(plan, task);
    clf_array in[2 * CLF_MAX_FIELDS], out[2 * CLF_MAX_FIELDS] = {{0}};
    clf_arguments arguments;
    CLF_TRY(clf_run_begin(run, engine, task, &arguments));
    if (task->size == 0) {
        memcpy(out, task->out, clf_operator_results(&plan->op)->count * sizeof *out);
        arguments.in = clf_captured_alone(&plan->op, task->in, in);
        arguments.out = out;
    }
    return engine->variant->run(engine, run, &arguments);
}

static const clf_tuned_call tuned = {clf_segmented_reduce, true, 3, {0, 1023, 15}};

const clf_primitive clf_reduce_primitive = {
    .name = "reduce", .flags = CLF_FROM_DEVICE | CLF_REPEATABLE, .function = CLF_REDUCING, .variants = variants,
    .parameters = "limit,fewest,size", .roles = roles, .variant_for = variant_for, .choose = choose, .check = check,
    .run = run, .tuned = &tuned};

clf_status clf_reduce_plan(clf_context *context, const clf_operator *op, unsigned flags,
                           const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return clf_plan_create(context, &clf_reduce_primitive, op, flags, options, plan, error);
}

const char *clf_reduce_variant(const clf_plan *plan, cl_ulong count, cl_ulong size)
{
    if (!clf_plan_is_of(plan, &clf_reduce_primitive))
        return NULL;
    return choose(plan, &(clf_task){.count = count, .size = size})->variant->name;
}

/* The device may know that there are fewer segments, or of one, fewer elements. */
clf_status clf_segmented_reduce(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size,
                                const clf_array *in, const clf_array *out)
{
    clf_task task = {.count = count, .size = size, .counted = true, .in = in, .out = out};
    return clf_call_task(plan, &clf_reduce_primitive, "clf_segmented_reduce", call, &task);
}

clf_status clf_reduce(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in, const clf_array *out)
{
    clf_task task = {.count = 1, .size = n, .in = in, .out = out};
    return clf_call_task(plan, &clf_reduce_primitive, "clf_reduce", call, &task);
}
