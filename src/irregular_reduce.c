/* SPDX-License-Identifier: MIT */
/*
 * irregular_reduce: segments of any lengths, one value each. Kernels are told by offsets (cl/reduce_merge.cl) or
 * by head bits and their ranks (cl/reduce_bits.cl).
 *
 *     irregular_reduce.b4.shares.groups = 528    groups that the device runs at a time; each gets an equal share
 */
#include "internal.h"

#include <string.h>

/* ---- Variants ---------------------------------------------------------------------------------------- */

/*
 * Stretches of inputs and of outputs that take no input's place; places of ends; what goes with work-items and
 * units.
 */
static cl_ulong shares_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    const cl_uint units = group / facts->lane_width + 1;
    const cl_ulong elements = (cl_ulong)group * items;
    cl_ulong bytes = elements * 2 + group * 4 + 3 * units * (op->value.bytes + 16);
    clf_slab_map map;
    (void)clf_slab_deal(op, 1, &map);
    for (cl_uint i = 0; i < op->input.count; ++i)
        bytes += clf_stretch_bytes(elements, op->input.field[i].bytes);
    for (cl_uint o = 0; o < op->value.count + op->extra.count; ++o)
        if (map.region[o] == CLF_REGION_OWN)
            bytes += clf_stretch_bytes(elements, clf_output_field(op, o)->bytes);
    return bytes;
}

/* Groups of 256 whose work-items each have 64 bytes of elements under way; a word has a bit for each. */
static void shares_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const cl_uint element = clf_fields_sum(&op->input) + clf_fields_sum(&op->extra);
    cl_uint group = 256, items = 1;
    while (items < 32 && items * 2 * element <= 64)
        items *= 2;
    clf_parameter_default(parameters, "items", items);
    items = clf_parameter_get(parameters, "items", items);
    clf_parameter_set(parameters, "items", items < 32 ? items : 32);
    while (group > facts->lane_width &&
           (group > facts->max_group || shares_local(facts, op, group, items) > facts->local_bytes))
        group /= 2;
    clf_parameter_default(parameters, "group", group);
    group = clf_parameter_get(parameters, "group", group);
    const cl_uint resident = op->value.bytes > 4 ? 768 : 1024; /* work-items per compute unit, by their registers */
    clf_parameter_default(parameters, "groups", facts->compute_units * (group < resident ? resident / group : 1));
}

/* A record per group (cl/carries.cl). */
static cl_ulong carries_scratch(const clf_engine *engine, cl_ulong n)
{
    (void)n;
    return CLF_SCRATCH_HEADER + clf_parameter_get(&engine->parameters, "groups", 1) * (2 * engine->slot_bytes + 16ul);
}

enum { KERNEL_SHARES, KERNEL_CARRIES };

/* A group per share; none with less to do than a quarter of a tile. */
static clf_status shares_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments, cl_uint *tickets)
{
    const cl_ulong work = arguments->size + (engine->segments == CLF_SEGMENTS_RANKED ? 0 : arguments->count);
    const cl_ulong least = engine->tile / 4 ? engine->tile / 4 : 1, most = work / least + (work % least != 0);
    const cl_ulong wave = clf_parameter_get(&engine->parameters, "groups", 1), groups = most < wave ? most : wave;
    CLF_TRY(clf_launch(chain, &engine->kernels[KERNEL_SHARES], arguments, groups, engine->group));
    if (groups == 1)
        return CLF_SUCCESS;
    *tickets = (cl_uint)groups;
    if (engine->context->facts.fence)
        return CLF_SUCCESS;
    return clf_launch(chain, &engine->kernels[KERNEL_CARRIES], arguments, groups, engine->group);
}

static const char *const merge_kernels[] = {"clf_reduce_merge", "clf_reduce_carries", NULL};
static const char *const bits_kernels[] = {"clf_reduce_bits", "clf_reduce_carries", NULL};

/* By offsets and lengths; by head flags and keys. */
static const clf_variant merge_variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .waits = true, .file = "reduce_merge_cpu.cl", .kernels = merge_kernels,
     .defaults = clf_reduce_cpu_defaults, .scratch = carries_scratch, .enqueue = shares_enqueue},
    {.name = "shares", .waits = true, .file = "reduce_merge.cl", .kernels = merge_kernels, .local = shares_local,
     .defaults = shares_defaults, .scratch = carries_scratch, .enqueue = shares_enqueue},
    {.name = NULL},
};
static const clf_variant bits_variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .waits = true, .file = "reduce_bits_cpu.cl", .kernels = bits_kernels,
     .defaults = clf_reduce_cpu_defaults, .scratch = carries_scratch, .enqueue = shares_enqueue},
    {.name = "shares", .waits = true, .file = "reduce_bits.cl", .kernels = bits_kernels, .local = shares_local,
     .defaults = shares_defaults, .scratch = carries_scratch, .enqueue = shares_enqueue},
    {.name = NULL},
};

static const char *const roles[] = {"main", NULL};

static clf_engine *choose(const clf_plan *plan, cl_ulong count, cl_ulong size, bool in_place)
{
    (void)count;
    (void)size;
    (void)in_place; /* every element is read, once, before anything takes its place */
    return plan->engine[0];
}

/* Whether a segmentation is by head flags or keys, which say how many segments there are only to the device. */
static bool by_heads(const clf_segmentation *s)
{
    return s->by != CLF_BY_OFFSETS && s->by != CLF_BY_LENGTHS;
}

static cl_ulong beside(const clf_plan *plan, cl_ulong n, cl_ulong count);

/* By what kernels are told. */
static const clf_primitive by_uints = {.name = "irregular_reduce", .segments = CLF_SEGMENTS_OFFSETS, .beside = beside,
                                       .variants = merge_variants, .roles = roles, .choose = choose};
static const clf_primitive by_ulongs = {.name = "irregular_reduce", .segments = CLF_SEGMENTS_LONG_OFFSETS,
                                        .beside = beside, .variants = merge_variants, .roles = roles, .choose = choose};
static const clf_primitive by_ranks = {.name = "irregular_reduce", .segments = CLF_SEGMENTS_RANKED, .beside = beside,
                                       .variants = bits_variants, .roles = roles, .choose = choose};

static const clf_primitive *primitive_for(const clf_segmentation *s)
{
    return by_heads(s) ? &by_ranks : s->type == CLF_ULONG ? &by_ulongs : &by_uints;
}

/* ---- Plans ------------------------------------------------------------------------------------------- */

/* Scanned, words of head bits become their ranks. Element 0 is a head, whatever its bit. */
static const clf_operator ranks = {
    .size = sizeof ranks, .value = "ulong rank;", .input = "uint bits;", .combine = "add", .neutral = "zero",
    .map = "heads", .flags = CLF_COMMUTATIVE,
    .source = "clf_value add(clf_value a, clf_value b) { a.rank += b.rank; return a; }\n"
              "clf_value zero(void) { clf_value v = {0}; return v; }\n"
              "clf_value heads(clf_input x, ulong i) { clf_value v = {popcount(x.bits | (i == 0))}; return v; }\n"};

/* Offsets need nothing besides; lengths become offsets of their own type. */
static clf_status open_scan(clf_plan *plan, clf_error *error)
{
    const clf_segmentation *s = &plan->segmentation;
    if (s->by == CLF_BY_OFFSETS)
        return CLF_SUCCESS;
    if (s->by == CLF_BY_LENGTHS)
        return clf_scan_plan(plan->context, clf_builtin(CLF_SUM, s->type), 0, NULL, &plan->starts, error);
    return clf_scan_plan(plan->context, &ranks, CLF_EXCLUSIVE, NULL, &plan->starts, error);
}

clf_status clf_irregular_reduce_plan(clf_context *context, const clf_operator *op, const clf_segmentation *segmentation,
                                     unsigned flags, const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_error_reset(error));
    if (flags != 0)
        return clf_fail(error, CLF_E_ARGUMENT, "unknown flags 0x%x", flags);
    if (!context)
        return clf_fail(error, CLF_E_ARGUMENT, "context, operator and plan must not be NULL");
    CLF_TRY(clf_segmentation_check(segmentation, &context->facts, error));
    CLF_TRY(clf_plan_create(context, primitive_for(segmentation), op, flags, options, plan, error));
    (*plan)->segmentation = *segmentation;
    clf_status status = open_scan(*plan, error);
    if (status == CLF_SUCCESS && by_heads(segmentation))
        status = clf_heads_open(&(*plan)->heads, &context->compiler, segmentation, error);
    if (status != CLF_SUCCESS) {
        clf_plan_release(*plan);
        *plan = NULL;
    }
    return status;
}

/* ---- Scratch ----------------------------------------------------------------------------------------- */

/*
 * Bytes of the pieces besides the engine's scratch: head bits; offsets, or ranks of words of head bits and the number
 * of segments; scratch of the scan that makes these.
 */
typedef struct pieces {
    cl_ulong bits, scanned, scan;
} pieces;

/* What is scanned: lengths, or words of head bits. */
static cl_ulong scan_size(const clf_plan *plan, cl_ulong n, cl_ulong count)
{
    return by_heads(&plan->segmentation) ? clf_heads_words(n) : count;
}

static clf_engine *scan_engine(const clf_plan *plan, cl_ulong size)
{
    return plan->starts->primitive->choose(plan->starts, 1, size, false);
}

static pieces pieces_of(const clf_plan *plan, cl_ulong n, cl_ulong count)
{
    const clf_segmentation *s = &plan->segmentation;
    pieces p = {0};
    if (by_heads(s) && s->by != CLF_BY_HEAD_BITS)
        p.bits = clf_scratch_round(4 * clf_heads_words(n));
    if (plan->starts) {
        const cl_ulong size = scan_size(plan, n, count);
        p.scanned = clf_scratch_round((size + 1) * (by_heads(s) ? 8 : clf_segmentation_bytes(s)));
        p.scan = clf_scratch_round(clf_engine_scratch(scan_engine(plan, size), size));
    }
    return p;
}

static cl_ulong beside(const clf_plan *plan, cl_ulong n, cl_ulong count)
{
    const pieces p = pieces_of(plan, n, count);
    return p.bits + p.scanned + p.scan;
}

/* The caller's scratch from `bytes` on, if it is the caller's. */
static clf_array behind(const clf_array *scratch, cl_ulong bytes)
{
    const clf_array none = {0};
    return scratch && scratch->buffer ? (clf_array){scratch->buffer, scratch->offset + bytes} : none;
}

/* ---- Enqueueing -------------------------------------------------------------------------------------- */

static clf_status enqueue_scan(const clf_plan *plan, clf_chain *chain, cl_ulong size, const clf_array *in,
                               const clf_array *out, const clf_array *scratch)
{
    clf_arguments arguments = {.op = &plan->starts->op, .in = in, .out = out, .count = 1, .size = size};
    return clf_engine_enqueue(scan_engine(plan, size), chain, &arguments, size, scratch);
}

/* What kernels are told: `heads` and `ranks` of clf_arguments. */
typedef struct telling {
    clf_array heads, ranks;
} telling;

/* Makes it from what the caller tells, in a workspace. */
static clf_status enqueue_telling(clf_plan *plan, clf_chain *chain, cl_ulong n, cl_ulong count,
                                  const clf_array *segments, clf_workspace *workspace, const clf_array *scratch,
                                  telling *t)
{
    const pieces p = pieces_of(plan, n, count);
    const clf_array rest = behind(scratch, p.bits + p.scanned);
    const cl_ulong scanned = workspace->offset + p.bits, size = scan_size(plan, n, count);
    workspace->fresh = true; /* what is written could be taken for messages */
    if (!by_heads(&plan->segmentation)) {
        const cl_uint bytes = clf_segmentation_bytes(&plan->segmentation);
        const clf_array ends = {workspace->buffer, scanned / bytes + 1};
        t->heads = (clf_array){workspace->buffer, scanned / 4};
        CLF_TRY(clf_chain_fill(chain, workspace->buffer, scanned, bytes));
        return enqueue_scan(plan, chain, size, segments, &ends, &rest);
    }
    t->heads = *segments;
    t->ranks = (clf_array){workspace->buffer, scanned / 8};
    if (p.bits > 0) {
        t->heads = (clf_array){workspace->buffer, workspace->offset / 4};
        CLF_TRY(clf_heads_enqueue(&plan->heads, chain, n, count, segments, &t->heads));
    }
    return enqueue_scan(plan, chain, size, &t->heads, &t->ranks, &rest);
}

/* Tells and reduces; then the number of segments lies behind the ranks. */
static clf_status enqueue_told(clf_plan *plan, clf_chain *chain, clf_arguments *arguments, const clf_array *segments,
                               const clf_array *result_count, clf_workspace *workspace, const clf_array *scratch)
{
    clf_engine *const engine = plan->engine[0];
    const cl_ulong n = arguments->size, count = arguments->count, words = clf_heads_words(n);
    const clf_array rest = behind(scratch, clf_scratch_round(clf_engine_scratch(engine, n)));
    telling t = {{0}, {0}};
    CLF_TRY(enqueue_telling(plan, chain, n, count, segments, workspace, &rest, &t));
    arguments->heads = &t.heads;
    arguments->ranks = by_heads(&plan->segmentation) ? &t.ranks : NULL;
    CLF_TRY(clf_engine_enqueue(engine, chain, arguments, n, scratch));
    if (!result_count)
        return CLF_SUCCESS;
    const clf_array counted = {t.ranks.buffer, t.ranks.offset + words};
    return clf_chain_copy(chain, &counted, result_count, 1, sizeof(cl_ulong));
}

static clf_status enqueue(clf_plan *plan, clf_chain *chain, clf_arguments *arguments, const clf_array *segments,
                          const clf_array *result_count, const clf_array *scratch)
{
    const cl_ulong n = arguments->size, count = arguments->count;
    if (!plan->starts) {
        const clf_array offsets = {segments->buffer, segments->offset * clf_segmentation_bytes(&plan->segmentation) / 4};
        arguments->heads = &offsets;
        return clf_engine_enqueue(plan->engine[0], chain, arguments, n, scratch);
    }
    if (n == 0 && by_heads(&plan->segmentation))
        return result_count ? clf_chain_fill(chain, result_count->buffer, 8 * result_count->offset, 8) : CLF_SUCCESS;
    const pieces p = pieces_of(plan, n, count);
    const clf_array rest = behind(scratch, clf_scratch_round(clf_engine_scratch(plan->engine[0], n)));
    clf_workspace borrowed, *workspace = NULL;
    const cl_ulong bytes = p.bits + p.scanned + (rest.buffer ? p.scan : 0);
    CLF_TRY(clf_scratch_take(plan->context, chain, &rest, bytes, &borrowed, &workspace));
    const clf_status status = enqueue_told(plan, chain, arguments, segments, result_count, workspace, scratch);
    clf_scratch_return(plan->context, chain, workspace, 0, status);
    return status;
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

/* Sizes that go together, and arrays that are apart from those that are written. */
static clf_status check(const clf_plan *plan, cl_ulong n, cl_ulong count, const clf_array *segments,
                        const clf_array *in, const clf_array *out, const clf_array *result_count)
{
    const clf_segmentation *s = &plan->segmentation;
    const clf_fields *input = &plan->op.input;
    const cl_context cl = plan->context->cl;
    if (!by_heads(s) && n > 0 && count == 0)
        return CLF_E_ARGUMENT;
    if (n > CL_ULONG_MAX - count || (!by_heads(s) && s->type == CLF_UINT && n > CL_UINT_MAX))
        return CLF_E_OVERFLOW;
    const cl_ulong entries = n + count > 0 ? clf_segmentation_entries(s, n, count) : 0;
    CLF_TRY(clf_check_beside(cl, &plan->op, n, count, out, segments, clf_segmentation_bytes(s), entries));
    for (cl_uint i = 0; n > 0 && i < input->count; ++i) /* no value takes the place of an input */
        CLF_TRY(clf_check_beside(cl, &plan->op, 0, count, out, &in[i], input->field[i].bytes, n));
    if (!result_count)
        return CLF_SUCCESS;
    return clf_check_single(cl, &plan->op, n, count, in, out, segments, clf_segmentation_bytes(s), entries, result_count);
}

/* Arrays of no elements need not exist; kernels get null pointers for them. */
static const clf_array nothing[2 * CLF_MAX_FIELDS];

clf_status clf_irregular_reduce(clf_plan *plan, cl_command_queue queue, cl_ulong n, cl_ulong count,
                                const clf_array *segments, const clf_array *in, const clf_array *out,
                                const clf_array *result_count, const void *initial, const clf_array *scratch,
                                cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    bool in_place;
    clf_chain chain;
    clf_array outs[2 * CLF_MAX_FIELDS] = {{0}};
    if (!plan || (plan->primitive != &by_uints && plan->primitive != &by_ulongs && plan->primitive != &by_ranks))
        return CLF_E_ARGUMENT;
    CLF_TRY(clf_check_arrays(plan->context->cl, plan->context->device, queue, &plan->op, n, count, in, out, &in_place));
    if (!by_heads(&plan->segmentation))
        result_count = NULL;
    CLF_TRY(check(plan, n, count, segments, in, out, result_count));
    if (by_heads(&plan->segmentation) ? n == 0 && !result_count : count == 0)
        return clf_launch_nothing(queue, wait_count, wait, event);
    if (count > 0)
        memcpy(outs, out, plan->op.value.count * sizeof *out);
    if (n > 0 && plan->op.extra.count > 0)
        memcpy(outs + plan->op.value.count, out + plan->op.value.count, plan->op.extra.count * sizeof *out);
    clf_arguments arguments = {.op = &plan->op, .in = n > 0 ? in : nothing, .out = outs, .initial = initial,
                               .count = count, .size = n, .flags = initial ? CLF_ARG_INITIAL : 0u};
    CLF_TRY(clf_chain_begin(&chain, queue, wait_count, wait, event != NULL));
    const clf_status status = enqueue(plan, &chain, &arguments, segments, result_count, scratch);
    if (status == CLF_SUCCESS)
        clf_chain_end(&chain, event);
    else
        clf_chain_abort(&chain);
    return status;
}
