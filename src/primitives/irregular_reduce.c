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
    (void)clf_slab_deal(op, 1, &map);
    for (cl_uint o = 0; o < op->value.count + op->extra.count; ++o)
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

enum { LOCAL = 192 << 10 /* bytes that a compute unit has for groups that it runs */ };

/*
 * Elements per work-item: a word has a bit for each. At most as many as are `bytes` of inputs and extra outputs; of
 * these whole vectors of the narrowest field, and if there are more than two, an odd number (cl/segments/span.cl).
 */
static cl_uint shares_items(const clf_operator_copy *op, cl_uint bytes, cl_uint resident)
{
    const cl_uint element = clf_fields_sum(&op->input) + clf_fields_sum(&op->extra), local = LOCAL / resident;
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

/* Groups of 256; `resident` work-items at a time per compute unit, whose work-items have `bytes` under way. */
static void shares_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters,
                            cl_uint bytes, cl_uint resident)
{
    cl_uint group = 256;
    bytes = clf_short_of_registers(facts) ? bytes / 3 : bytes; /* what these kernels need besides takes most of 64 */
    clf_parameter_default(parameters, "items", shares_items(op, bytes, resident));
    cl_uint items = clf_parameter_get(parameters, "items", 1);
    clf_parameter_set(parameters, "items", items < 32 ? items : 32);
    items = clf_parameter_get(parameters, "items", 1);
    while (group > clf_least_group(facts) &&
           (group > facts->max_group || shares_local(facts, op, group, items) > facts->local_bytes))
        group /= 2;
    clf_parameter_default(parameters, "group", group);
    group = clf_parameter_get(parameters, "group", group);
    clf_parameter_default(parameters, "groups", facts->units * (group < resident ? resident / group : 1));
}

static void merge_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    shares_defaults(facts, op, parameters, 64, op->value.bytes > 4 ? 768 : 1024);
}

/* A stretch is on its way while the one before is worked on: fewer work-items, with more registers. */
static void bits_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    shares_defaults(facts, op, parameters, 112, 512);
}

/* A record per group (cl/segments/carries.cl). */
static cl_ulong carries_scratch(const clf_engine *engine, cl_ulong n)
{
    (void)n;
    return CLF_SCRATCH_HEADER + clf_parameter_get(&engine->parameters, "groups", 1) * (2 * engine->slot_bytes + 16ul);
}

enum { KERNEL_SHARES, KERNEL_CARRIES, KERNEL_COUNT };

/* A group per share; none with less to do than a quarter of a tile. One alone need not know of others. */
static cl_ulong groups_for(const clf_engine *engine, cl_ulong work)
{
    const cl_ulong least = engine->tile / 4 ? engine->tile / 4 : 1, most = clf_ceiling(work, least);
    const cl_ulong wave = clf_parameter_get(&engine->parameters, "groups", 1);
    return most < wave ? most : wave;
}

static clf_status enqueue_shares(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments, cl_ulong groups,
                                 cl_uint *tickets)
{
    CLF_TRY(clf_launch(chain, &engine->kernels[KERNEL_SHARES], arguments, groups, engine->group));
    if (groups == 1)
        return CLF_SUCCESS;
    *tickets = (cl_uint)groups;
    if (engine->context->facts.fence)
        return CLF_SUCCESS;
    return clf_launch(chain, &engine->kernels[KERNEL_CARRIES], arguments, groups, engine->group);
}

static clf_status merge_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments, cl_uint *tickets)
{
    return enqueue_shares(engine, chain, arguments, groups_for(engine, arguments->size + arguments->count), tickets);
}

static clf_status bits_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments, cl_uint *tickets)
{
    const cl_ulong groups = groups_for(engine, arguments->size);
    if (groups * engine->group > 1)
        CLF_TRY(clf_launch(chain, &engine->kernels[KERNEL_COUNT], arguments, groups, engine->group));
    return enqueue_shares(engine, chain, arguments, groups, tickets);
}

static const char *const merge_kernels[] = {"clf_reduce_merge", "clf_reduce_carries", NULL};
static const char *const bits_kernels[] = {"clf_reduce_bits", "clf_reduce_carries", "clf_reduce_count", NULL};

#define SHARES_PARAMETERS "items,group,groups"

/* By offsets and lengths; by head flags and keys. */
static const clf_variant merge_variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .waits = true, .file = "reduce/reduce_merge_cpu.cl",
     .kernels = merge_kernels, .parameters = CLF_REDUCE_CPU_PARAMETERS, .defaults = clf_reduce_cpu_defaults,
     .scratch = carries_scratch, .enqueue = merge_enqueue},
    {.name = "shares", .waits = true, .file = "reduce/reduce_merge.cl", .kernels = merge_kernels, .local = shares_local,
     .parameters = SHARES_PARAMETERS, .defaults = merge_defaults, .scratch = carries_scratch, .enqueue = merge_enqueue},
    {.name = NULL},
};
static const clf_variant bits_variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .waits = true, .file = "reduce/reduce_bits_cpu.cl", .kernels = bits_kernels,
     .parameters = CLF_REDUCE_CPU_PARAMETERS, .defaults = clf_reduce_cpu_defaults,
     .scratch = carries_scratch, .enqueue = bits_enqueue},
    {.name = "shares", .waits = true, .file = "reduce/reduce_bits.cl", .kernels = bits_kernels, .local = shares_local,
     .parameters = SHARES_PARAMETERS, .defaults = bits_defaults, .scratch = carries_scratch, .enqueue = bits_enqueue},
    {.name = NULL},
};

/* Whether a segmentation is by head flags or keys, which say how many segments there are only to the device. */
static bool by_heads(const clf_segmentation *s)
{
    return s->by != CLF_BY_OFFSETS && s->by != CLF_BY_LENGTHS;
}

/* ---- Scratch ----------------------------------------------------------------------------------------- */

/*
 * Bytes of the pieces besides the engine's scratch: head bits, counts of these; offsets, scratch of the scan that makes
 * them.
 */
typedef struct pieces {
    cl_ulong bits, counts, offsets, scan;
} pieces;

/* The number of segments, and those that start in each share (cl/segments/segment_counts.cl). */
static cl_ulong counts_bytes(const clf_engine *engine)
{
    const cl_ulong groups = clf_parameter_get(&engine->parameters, "groups", 1);
    return 8 * (1 + groups * (clf_engine_is_cpu(engine) ? 1 : engine->group / engine->context->facts.lane_width));
}

static pieces pieces_of(const clf_plan *plan, cl_ulong n, cl_ulong count)
{
    const clf_told *told = plan->own;
    const clf_segmentation *s = &told->segmentation;
    pieces p = {0};
    if (by_heads(s))
        p.counts = clf_scratch_round(counts_bytes(plan->engine[0]));
    if (by_heads(s) && s->by != CLF_BY_HEAD_BITS)
        p.bits = clf_scratch_for(clf_heads_words(n), 4);
    if (told->lengths_scan) {
        p.offsets = clf_scratch_for(count, clf_segmentation_bytes(s)) + 16 /* one more */;
        p.scan = clf_scan_within_scratch(told->lengths_scan, count);
    }
    return p;
}

static cl_ulong scratch_besides(const clf_plan *plan, cl_ulong n, cl_ulong count)
{
    const pieces p = pieces_of(plan, n, count);
    return p.bits + p.counts + p.offsets + p.scan;
}

/* ---- Enqueueing -------------------------------------------------------------------------------------- */

/* Offsets from lengths, in a workspace: 0, and what the lengths add up to. */
static clf_status enqueue_offsets(const clf_told *told, clf_chain *chain, cl_ulong count, const clf_array *lengths,
                                  const clf_workspace *workspace, const clf_array *scratch, clf_array *offsets)
{
    const cl_uint bytes = clf_segmentation_bytes(&told->segmentation);
    const clf_array ends = {workspace->buffer, workspace->offset / bytes + 1};
    *offsets = (clf_array){workspace->buffer, workspace->offset / bytes};
    CLF_TRY(clf_chain_fill(chain, workspace->buffer, workspace->offset, bytes));
    return clf_scan_within(told->lengths_scan, chain, count, lengths, &ends, scratch);
}

/* Makes what kernels are told from what the caller tells, and reduces; then the number of segments is counts[0]. */
static clf_status enqueue_told(clf_plan *plan, clf_chain *chain, clf_arguments *arguments, const clf_array *segments,
                               const clf_array *result_count, clf_workspace *workspace, const clf_array *scratch)
{
    clf_told *const told = plan->own;
    const cl_ulong n = arguments->size, count = arguments->count;
    const pieces p = pieces_of(plan, n, count);
    const clf_array counts = {workspace->buffer, (workspace->offset + p.bits) / 8};
    const clf_array rest =
        clf_scratch_behind(scratch, clf_scratch_round(clf_engine_scratch(plan->engine[0], n)) + p.bits + p.counts +
                                        p.offsets);
    clf_array told_by = *segments; /* offsets, or head bits */
    workspace->clean = 0; /* what is written could be taken for messages */
    if (p.offsets > 0)
        CLF_TRY(enqueue_offsets(told, chain, count, segments, workspace, &rest, &told_by));
    if (p.bits > 0) {
        told_by = (clf_array){workspace->buffer, workspace->offset / 4};
        CLF_TRY(clf_heads_enqueue(&told->heads, chain, n, count, segments, &told_by));
    }
    arguments->arrays[0] = told_by;
    arguments->arrays[1] = counts;
    CLF_TRY(clf_engine_enqueue(plan->engine[0], chain, arguments, n, scratch));
    return result_count ? clf_chain_copy(chain, &counts, result_count, 1, sizeof(cl_ulong)) : CLF_SUCCESS;
}

typedef struct told {
    clf_plan *plan;
    const clf_array *segments, *result_count;
} told;

static clf_status enqueue(void *state, clf_chain *chain, clf_arguments *arguments, const clf_array *scratch)
{
    const told *const c = state;
    clf_plan *const plan = c->plan;
    const cl_ulong n = arguments->size, count = arguments->count;
    const clf_segmentation *const s = clf_told_segmentation(plan);
    if (s->by == CLF_BY_OFFSETS) {
        arguments->arrays[0] = *c->segments;
        return clf_engine_enqueue(plan->engine[0], chain, arguments, n, scratch);
    }
    if (n == 0 && by_heads(s))
        return c->result_count ? clf_chain_fill(chain, c->result_count->buffer, 8 * c->result_count->offset, 8)
                               : CLF_SUCCESS;
    const pieces p = pieces_of(plan, n, count);
    const clf_array rest = clf_scratch_behind(scratch, clf_scratch_round(clf_engine_scratch(plan->engine[0], n)));
    clf_workspace borrowed, *workspace = NULL;
    const cl_ulong bytes = p.bits + p.counts + p.offsets + (rest.buffer ? p.scan : 0);
    CLF_TRY(clf_scratch_take(plan->context, chain, &rest, bytes, &borrowed, &workspace));
    const clf_status status = enqueue_told(plan, chain, arguments, c->segments, c->result_count, workspace, scratch);
    clf_scratch_return(plan->context, chain, workspace, 0, status);
    return status;
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

/* A plan's form is by what kernels are told (-D CLF_SEGMENT: cl/segments/segment.cl). */
enum { BY_BITS = 3, BY_UINTS, BY_ULONGS };
static const clf_named_array uint_offsets[] = {{"const uint", "offsets"}, {NULL, NULL}};
static const clf_named_array ulong_offsets[] = {{"const ulong", "offsets"}, {NULL, NULL}};
static const clf_named_array counted_bits[] = {{"const uint", "heads"}, {"ulong", "counts"}, {NULL, NULL}};

static const clf_named_array *arrays_of(const clf_operator_copy *op)
{
    return op->form == BY_BITS ? counted_bits : op->form == BY_UINTS ? uint_offsets : ulong_offsets;
}

static void define(const clf_engine *engine, clf_text *options)
{
    clf_text_format(options, " -D CLF_SEGMENT=%u", engine->op->form);
}

#define REDUCE(table)                                                                                                  \
    {.name = "irregular_reduce", .flags = CLF_FROM_DEVICE, .define = define, .arrays_of = arrays_of,                   \
     .variants = table, .roles = clf_main_role, .choose = clf_choose_main, .scratch = scratch_besides,                 \
     .compile = clf_told_compile, .close = clf_told_close}
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
    CLF_TRY(clf_told_check(context, segmentation, error));
    const clf_primitive *const of = by_heads(segmentation) ? &by_bits : &clf_irregular_reduce_primitive;
    CLF_TRY(clf_plan_create_form(context, of, (clf_form){.number = form_for(segmentation)}, op, flags, options, plan,
                                 error));
    return clf_told_open(plan, segmentation, by_heads(segmentation), 0, error);
}

/* Sizes that go together, and arrays besides inputs and outputs. */
static clf_status check_rest(clf_check *check, const clf_plan *plan, cl_ulong n, cl_ulong count,
                             const clf_array *segments, const clf_array *result_count)
{
    const clf_segmentation *s = clf_told_segmentation(plan);
    if (!by_heads(s) && n > 0 && count == 0)
        return clf_refuse(check, CLF_E_ARGUMENT, "count is 0, and n is not");
    if (n > CL_ULONG_MAX - count || (!by_heads(s) && s->type == CLF_UINT && n > CL_UINT_MAX))
        return clf_refuse(check, CLF_E_OVERFLOW, "n + count does not fit 64 bits, or n the type of segments");
    const cl_ulong entries = n + count > 0 ? clf_segmentation_entries(s, n, count) : 0;
    CLF_TRY(clf_check_entries(check, CLF_SPAN_SEGMENTS, segments, clf_segmentation_bytes(s), entries));
    return result_count ? clf_check_result_count(check, result_count, 1) : CLF_SUCCESS;
}

clf_status clf_irregular_reduce(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong count,
                                const clf_array *segments, const clf_array *in, const clf_array *out,
                                const clf_array *result_count)
{
    clf_check check;
    clf_array outs[2 * CLF_MAX_FIELDS] = {{0}};
    if (!plan || (plan->primitive != &clf_irregular_reduce_primitive && plan->primitive != &by_bits))
        return clf_refuse_plan(plan, "clf_irregular_reduce");
    CLF_TRY(clf_check_begin(&check, plan->context, "clf_irregular_reduce", &plan->op, call));
    check.values_apart = true;
    CLF_TRY(clf_check_arrays(&check, &plan->op, &n, &count, in, out));
    if (!by_heads(clf_told_segmentation(plan)))
        result_count = NULL;
    CLF_TRY(check_rest(&check, plan, n, count, segments, result_count));
    if (by_heads(clf_told_segmentation(plan)) ? n == 0 && !result_count : count == 0)
        return clf_run_nothing(&check, call);
    if (count > 0)
        memcpy(outs, out, plan->op.value.count * sizeof *out);
    if (n > 0 && plan->op.extra.count > 0)
        memcpy(outs + plan->op.value.count, out + plan->op.value.count, plan->op.extra.count * sizeof *out);
    told state = {.plan = plan, .segments = segments, .result_count = result_count};
    clf_arguments arguments = {.op = &plan->op, .in = n > 0 ? in : clf_no_arrays, .out = outs, .count = count,
                               .size = n};
    return clf_run(&check, plan, call, &arguments, false, enqueue, &state);
}

/* ---- Steps of other primitives ----------------------------------------------------------------------- */

clf_status clf_reduce_step_plan(clf_context *context, const clf_operator *op, clf_plan **plan, clf_error *error)
{
    const clf_form form = {.number = BY_ULONGS, .later = true};
    return clf_own_weaken(plan, clf_plan_create_form(context, &clf_irregular_reduce_primitive, form, op,
                                                     CLF_FROM_DEVICE, NULL, plan, error));
}

clf_status clf_reduce_within(const clf_plan *plan, clf_chain *chain, const clf_reduce_step *step,
                             const clf_array *scratch)
{
    clf_arguments arguments = {.op = &plan->op, .in = step->in, .out = step->out, .count = step->segments,
                               .size = step->n, .from_device = true, .given = step->given,
                               .flags = CLF_ARG_GIVEN_SIZE};
    arguments.arrays[0] = step->offsets;
    return clf_engine_enqueue(plan->engine[0], chain, &arguments, step->n, scratch);
}
