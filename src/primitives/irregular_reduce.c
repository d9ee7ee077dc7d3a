/* SPDX-License-Identifier: MIT */
/*
 * irregular_reduce: segments of any lengths, one value each. Kernels are told by offsets (cl/reduce/reduce_merge.cl) or
 * by head bits (cl/reduce/reduce_bits.cl), which a kernel counts beforehand (cl/segments/segment_counts.cl): so groups
 * know where their results go.
 *
 *     irregular_reduce.b4.shares.groups = 528    groups that the device runs at a time; each gets an equal share
 *
 * Defaults of both are from sweeps on an NVIDIA H200.
 */
#include "primitives/primitives.h"

#include <string.h>

/* ---- Variants ---------------------------------------------------------------------------------------- */

/* Bytes of local memory for an element: inputs, and outputs that take no input's place. */
static cl_uint staged_bytes(const clf_operator_copy *op)
{
    cl_uint bytes = clf_fields_sum(&op->input);
    clf_slab_map map;
    if (clf_operator_ends(op)) /* values are staged, and not results */
        return bytes + clf_fields_sum(&op->value) + clf_fields_sum(&op->extra);
    (void)clf_slab_deal(op, 1, &map);
    for (cl_uint o = 0; o < clf_operator_outputs(op); ++o)
        if (map.region[o] == CLF_REGION_OWN)
            bytes += clf_output_field(op, o)->bytes;
    return bytes ? bytes : 1;
}

/* Stretches, with room for padding; what goes with work-items and units. */
static cl_ulong shares_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    const cl_ulong units = group / facts->lane_width + 1, elements = (cl_ulong)group * items;
    return group * 8 + 3 * units * (op->value.bytes + 16) + elements * staged_bytes(op) * 33 / 32;
}

/*
 * Elements per work-item: a word has a bit for each. At most as many as are `bytes` of inputs and extra outputs, and as
 * `local` bytes hold. Whole vectors of the narrowest field, and if there are more than two, an odd number
 * (cl/segments/span.cl).
 */
static cl_uint shares_items(const clf_operator_copy *op, cl_uint bytes, cl_uint local)
{
    const cl_uint element = clf_fields_sum(&op->input) + clf_fields_sum(&op->extra);
    const cl_uint wanted = bytes / (element ? element : 1), room = local / staged_bytes(op);
    const cl_uint most = wanted < room ? wanted : room;
    cl_uint vector = 1, items = 1;
    for (cl_uint i = 0; i < op->input.count; ++i)
        if (16 / op->input.field[i].bytes > vector)
            vector = 16 / op->input.field[i].bytes;
    while (vector > 1 && vector > most)
        vector /= 2;
    for (cl_uint k = 1; k * vector <= 32 && (k == 1 || k * vector <= most); ++k)
        if (k <= 2 || k % 2)
            items = k * vector;
    return items;
}

/* What a work-item may have under way and in local memory, and how many of them a compute unit runs at a time. */
typedef struct {
    cl_uint bytes, local, resident;
} shares_limits;

/* Groups of 256. */
static void shares_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters,
                            shares_limits most)
{
    cl_uint group = 256;
    if (clf_short_of_registers(facts)) /* what these kernels need besides takes most of 64 */
        most.bytes /= 3;
    clf_parameter_default(parameters, "items", shares_items(op, most.bytes, most.local));
    cl_uint items = clf_parameter_get(parameters, "items", 1);
    clf_parameter_set(parameters, "items", items < 32 ? items : 32);
    items = clf_parameter_get(parameters, "items", 1);
    while (group > clf_least_group(facts) &&
           (group > facts->max_group || shares_local(facts, op, group, items) > facts->local_bytes))
        group /= 2;
    clf_parameter_default(parameters, "group", group);
    group = clf_parameter_get(parameters, "group", group);
    clf_parameter_default(parameters, "groups", facts->units * (group < most.resident ? most.resident / group : 1));
}

/* A bound of registers keeps all groups resident: one that waits for another's end takes as long again. */
static void merge_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const cl_uint input = clf_fields_sum(&op->input), value = op->value.bytes;
    const bool word = value <= 4, pair = !word && value <= 8 && input <= 4; /* a maximum and a sum, say */
    const shares_limits limits[] = {{input < 4 ? 80 : 48, 192, 1024}, {80, 256, 896}, {64, 256, 768}};
    if (word || pair)
        clf_parameter_default(parameters, "registers", word ? 64 : 72);
    shares_defaults(facts, op, parameters, limits[word ? 0 : pair ? 1 : 2]);
}

/* A stretch is on its way while the one before is worked on: fewer work-items, with more registers. */
static void bits_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    shares_defaults(facts, op, parameters, (shares_limits){112, 384, 512});
}

enum { KERNEL_SHARES, KERNEL_CARRIES, KERNEL_COUNT };

/* A group per share; none with less to do than a quarter of a tile. One alone need not know of others. */
static cl_ulong groups_for(const clf_engine *engine, cl_ulong work)
{
    const cl_ulong least = engine->tile / 4 ? engine->tile / 4 : 1, most = clf_ceiling(work, least);
    const cl_ulong wave = clf_parameter_get(&engine->parameters, "groups", 1);
    return most < wave ? most : wave;
}

/* A record per group (cl/segments/carries.cl): as many as there may be. */
static void take_carries(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    const cl_ulong groups = clf_parameter_get(&engine->parameters, "groups", 1);
    clf_run_scratch(run, CLF_MESSAGES, CLF_SCRATCH_HEADER + groups * (2 * engine->slot_bytes + 16ul), arguments);
}

static clf_status launch_shares(clf_engine *engine, clf_run *run, const clf_arguments *arguments, cl_ulong groups)
{
    CLF_TRY(clf_run_launch(run, engine, KERNEL_SHARES, arguments, groups));
    if (groups == 1)
        return CLF_SUCCESS;
    clf_run_tickets(run, groups);
    if (engine->context->facts.fence)
        return CLF_SUCCESS;
    return clf_run_launch(run, engine, KERNEL_CARRIES, arguments, groups);
}

static clf_status merge_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    take_carries(engine, run, arguments);
    return launch_shares(engine, run, arguments, groups_for(engine, arguments->size + arguments->count));
}

static clf_status bits_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    const cl_ulong groups = groups_for(engine, arguments->size);
    take_carries(engine, run, arguments);
    if (groups * engine->group > 1)
        CLF_TRY(clf_run_launch(run, engine, KERNEL_COUNT, arguments, groups));
    return launch_shares(engine, run, arguments, groups);
}

static const char *const merge_kernels[] = {"clf_reduce_merge", "clf_reduce_carries", NULL};
static const char *const bits_kernels[] = {"clf_reduce_bits", "clf_reduce_carries", "clf_reduce_count", NULL};

#define SHARES_PARAMETERS "items,group,groups"

/* By offsets and lengths; by head flags and keys. */
static const clf_variant merge_variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .waits = true, .file = "reduce/reduce_merge_cpu.cl",
     .kernels = merge_kernels, .parameters = CLF_REDUCE_CPU_PARAMETERS, .defaults = clf_reduce_cpu_defaults,
     .run = merge_launch, .repeats = true},
    {.name = "shares", .waits = true, .file = "reduce/reduce_merge.cl", .kernels = merge_kernels, .local = shares_local,
     .parameters = SHARES_PARAMETERS, .defaults = merge_defaults, .run = merge_launch, .repeats = true},
    {.name = NULL},
};
static const clf_variant bits_variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .waits = true, .file = "reduce/reduce_bits_cpu.cl", .kernels = bits_kernels,
     .parameters = CLF_REDUCE_CPU_PARAMETERS, .defaults = clf_reduce_cpu_defaults,
     .run = bits_launch, .repeats = true},
    {.name = "shares", .waits = true, .file = "reduce/reduce_bits.cl", .kernels = bits_kernels, .local = shares_local,
     .parameters = SHARES_PARAMETERS, .defaults = bits_defaults, .run = bits_launch, .repeats = true},
    {.name = NULL},
};

/* Whether a segmentation is by head flags or keys, which say how many segments there are only to the device. */
static bool by_heads(const clf_segmentation *s)
{
    return s->by != CLF_BY_OFFSETS && s->by != CLF_BY_LENGTHS;
}

/* ---- What kernels are told ------------------------------------------------------------------------------ */

/* The number of segments, and those that start in each share (cl/segments/segment_counts.cl). */
static clf_array take_counts(const clf_engine *engine, clf_run *run)
{
    const cl_ulong groups = clf_parameter_get(&engine->parameters, "groups", 1);
    const cl_ulong each = clf_engine_is_cpu(engine) ? 1 : engine->group / engine->context->facts.lane_width;
    return clf_run_array(run, CLF_PLAIN, 1 + groups * each, sizeof(cl_ulong));
}

/* Which array is the counts: behind the head bits, and what goes with them. */
static cl_uint counts_of(const clf_operator_copy *op)
{
    return op->numbers ? 2 : 1;
}

/* Offsets, and head bits where kernels want numbers; or head bits and counts. */
static clf_status make_told(const clf_plan *plan, clf_run *run, const clf_task *task, clf_array *arrays)
{
    const clf_told *const told = plan->own;
    arrays[0] = clf_array_of(task->segments);
    if (!told) /* a step of another primitive's: clf_reduce_step_plan */
        return CLF_SUCCESS;
    if (by_heads(&told->segmentation)) {
        CLF_TRY(clf_told_heads(plan, run, task, arrays));
        arrays[counts_of(&plan->op)] = take_counts(plan->engine[0], run);
        return CLF_SUCCESS;
    }
    CLF_TRY(clf_told_offsets(plan, run, task, &arrays[0]));
    return plan->op.numbers ? clf_told_starts(plan, run, task, &arrays[0], &arrays[1]) : CLF_SUCCESS;
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

/* Sizes that go together, and arrays besides inputs and outputs. */
static clf_status check_rest(clf_check *check, const clf_plan *plan, const clf_task *task)
{
    const clf_segmentation *s = clf_told_segmentation(plan);
    const cl_ulong n = task->size, count = task->entries;
    if (!by_heads(s) && n > 0 && count == 0)
        return clf_refuse(check, CLF_E_ARGUMENT, "count is 0, and n is not");
    if (n > CL_ULONG_MAX - count || (!by_heads(s) && s->type == CLF_UINT && n > CL_UINT_MAX))
        return clf_refuse(check, CLF_E_OVERFLOW, "n + count does not fit 64 bits, or n the type of segments");
    const cl_ulong entries = n + count > 0 ? clf_segmentation_entries(s, n, count) : 0;
    CLF_TRY(clf_check_entries(check, CLF_SPAN_SEGMENTS, task->segments, clf_segmentation_bytes(s), entries));
    return task->result ? clf_check_result_count(check, task->result, 1) : CLF_SUCCESS;
}

static clf_status check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task)
{
    const clf_operator_copy *const op = &plan->op;
    const bool heads = by_heads(clf_told_segmentation(plan));
    CLF_TRY(clf_check_out_count(check, call, clf_operator_arrays(op)));
    check->values_apart = true;
    CLF_TRY(clf_check_arrays(check, op, &task->size, &task->entries, task->in, task->out));
    if (!heads)
        task->result = NULL;
    task->nothing = heads ? task->size == 0 && !task->result : task->entries == 0;
    return check_rest(check, plan, task);
}

/* Arrays of no elements need not exist. */
static void place(const clf_operator_copy *op, const clf_task *task, clf_arguments *arguments, clf_array in[],
                  clf_array out[])
{
    const cl_uint values = clf_operator_results(op)->count;
    if (task->entries > 0)
        memcpy(out, task->out, values * sizeof *out);
    if (task->size > 0 && op->extra.count > 0)
        memcpy(out + values, task->out + values, op->extra.count * sizeof *out);
    arguments->in = task->size > 0 ? task->in : clf_captured_alone(op, task->in, in);
    arguments->out = out;
    arguments->count = task->entries;
}

static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    clf_engine *const engine = plan->engine[0];
    clf_array in[2 * CLF_MAX_FIELDS], out[2 * CLF_MAX_FIELDS] = {{0}};
    clf_arguments arguments;
    if (task->size == 0 && task->result)
        return clf_run_zero(run, task->result, 1, sizeof(cl_ulong));
    CLF_TRY(clf_run_begin(run, engine, task, &arguments));
    place(&plan->op, task, &arguments, in, out);
    CLF_TRY(make_told(plan, run, task, arguments.arrays));
    CLF_TRY(engine->variant->run(engine, run, &arguments));
    return task->result ? clf_run_copy(run, &arguments.arrays[counts_of(&plan->op)], task->result, 1, sizeof(cl_ulong))
                        : CLF_SUCCESS;
}

/* A plan's form is by what kernels are told (-D CLF_SEGMENT: cl/segments/segment.cl). */
enum { BY_BITS = 3, BY_UINTS, BY_ULONGS };
#define NAMED {"const uint", "heads"}, {"const ulong", "before"}, {"const ulong", "names"}, {NULL, NULL}
static const clf_named_array *arrays_of(const clf_operator_copy *op)
{
    static const clf_named_array uints[] = {{"const uint", "offsets"}, {NULL, NULL}};
    static const clf_named_array ulongs[] = {{"const ulong", "offsets"}, {NULL, NULL}};
    static const clf_named_array bits[] = {{"const uint", "heads"}, {"ulong", "counts"}, {NULL, NULL}};
    static const clf_named_array named_uints[] = {{"const uint", "offsets"}, NAMED};
    static const clf_named_array named_ulongs[] = {{"const ulong", "offsets"}, NAMED};
    static const clf_named_array numbered_bits[] = {
        {"const uint", "heads"}, {"const ulong", "before"}, {"ulong", "counts"}, {NULL, NULL}};
    if (op->form == BY_BITS)
        return op->numbers ? numbered_bits : bits;
    if (op->form == BY_ULONGS)
        return op->numbers ? named_ulongs : ulongs;
    return op->numbers ? named_uints : uints;
}

static void define(const clf_engine *engine, clf_text *options)
{
    clf_text_format(options, " -D CLF_SEGMENT=%u", engine->op->form);
}

#define REDUCE(table)                                                                                                  \
    {.name = "irregular_reduce", .flags = CLF_FROM_DEVICE | CLF_REPEATABLE, .function = CLF_REDUCING,                  \
     .define = define, .arrays_of = arrays_of, .variants = table, .roles = clf_main_role, .choose = clf_choose_main,   \
     .check = check, .run = run, .compile = clf_told_compile, .close = clf_told_close}
/* The first one has the name. */
const clf_primitive clf_irregular_reduce_primitive = REDUCE(merge_variants);
static const clf_primitive by_bits = REDUCE(bits_variants);

static cl_uint form_for(const clf_segmentation *s)
{
    return by_heads(s) ? BY_BITS : s->type == CLF_ULONG ? BY_ULONGS : BY_UINTS;
}

clf_status clf_irregular_reduce_plan(clf_context *context, const clf_operator *op, const clf_segmentation *segmentation,
                                     unsigned flags, const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_told_check(context, segmentation, plan, error));
    const clf_primitive *const of = by_heads(segmentation) ? &by_bits : &clf_irregular_reduce_primitive;
    const clf_form form = {.number = form_for(segmentation), .numbers = clf_told_numbers(segmentation)};
    CLF_TRY(clf_plan_create_form(context, of, form, op, flags, options, plan, error));
    return clf_told_open(plan, segmentation, by_heads(segmentation), 0, error);
}

clf_status clf_irregular_reduce(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong count,
                                const clf_array *segments, const clf_array *in, const clf_array *out,
                                const clf_array *result_count)
{
    clf_task task = {.count = 1, .size = n, .entries = count, .segments = segments, .in = in, .out = out,
                     .result = result_count};
    return clf_call_task(plan, &clf_irregular_reduce_primitive, "clf_irregular_reduce", call, &task);
}

/* ---- Steps of other primitives ----------------------------------------------------------------------- */

clf_status clf_reduce_step_plan(clf_context *context, const clf_operator *op, cl_ulong wanted, clf_plan **plan,
                                clf_error *error)
{
    const clf_plan_options options = {.size = sizeof options, .wanted = wanted};
    const clf_form form = {.number = BY_ULONGS, .later = true};
    return clf_own_weaken(plan, clf_plan_create_form(context, &clf_irregular_reduce_primitive, form, op,
                                                     CLF_FROM_DEVICE, &options, plan, error));
}
