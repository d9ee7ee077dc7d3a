/* SPDX-License-Identifier: MIT */
/*
 * irregular_scan: scans of segments of any lengths, on the engines of scan.c, which are told by a bit per
 * element where segments start (Blelloch's operator on pairs of flag and value: cl/segments/segment.cl). Work does
 * not depend on how lengths are distributed, and empty segments are nothing to the scan.
 *
 * Bits that the caller has are read in place. What else tells is made into bits in scratch first: flags, keys
 * and offsets by one kernel (heads.c), lengths after a scan of them:
 *
 *     scratch   the engine's | head bits | of lengths: starts of segments, scratch of the scan of lengths
 */
#include "primitives/primitives.h"

/* ---- Scratch ----------------------------------------------------------------------------------------- */

/* Bytes of the pieces, each of which another may follow. */
typedef struct pieces {
    cl_ulong bits, starts, scan;
} pieces;

static pieces pieces_of(const clf_plan *plan, cl_ulong n, cl_ulong count)
{
    pieces p = {0};
    const clf_told *told = plan->own;
    if (told->segmentation.by != CLF_BY_HEAD_BITS)
        p.bits = clf_scratch_for(clf_heads_words(n), 4);
    if (told->lengths_scan) {
        p.starts = clf_scratch_for(count, clf_segmentation_bytes(&told->segmentation));
        p.scan = clf_scan_within_scratch(told->lengths_scan, count);
    }
    return p;
}

static cl_ulong scratch_besides(const clf_plan *plan, cl_ulong n, cl_ulong count)
{
    const pieces p = pieces_of(plan, n, count);
    return p.bits + p.starts + p.scan;
}

/* ---- Head bits --------------------------------------------------------------------------------------- */

/* Head bits, in a workspace; its words are *heads. */
static clf_status enqueue_bits(clf_plan *plan, clf_chain *chain, cl_ulong n, cl_ulong count, const clf_array *segments,
                               clf_workspace *workspace, const clf_array *scratch, clf_array *heads)
{
    clf_told *const told = plan->own;
    const pieces p = pieces_of(plan, n, count);
    workspace->clean = 0; /* bits could be taken for messages */
    *heads = (clf_array){workspace->buffer, workspace->offset / 4};
    if (!told->lengths_scan)
        return clf_heads_enqueue(&told->heads, chain, n, count, segments, heads);
    const clf_array starts = {workspace->buffer,
                              (workspace->offset + p.bits) / clf_segmentation_bytes(&told->segmentation)};
    const clf_array rest = clf_scratch_behind(scratch, p.bits + p.starts);
    CLF_TRY(clf_scan_within(told->lengths_scan, chain, count, segments, &starts, &rest));
    return clf_heads_enqueue(&told->heads, chain, n, count, &starts, heads);
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

typedef struct shape {
    clf_plan *plan;
    clf_engine *engine;
    cl_ulong count;
    const clf_array *segments;
} shape;

static clf_status enqueue(void *state, clf_chain *chain, clf_arguments *arguments, const clf_array *scratch)
{
    const shape *c = state;
    const cl_ulong n = arguments->size;
    const pieces p = pieces_of(c->plan, n, c->count);
    const clf_array rest = clf_scratch_behind(scratch, clf_scratch_round(clf_engine_scratch(c->engine, n)));
    clf_workspace borrowed, *workspace = NULL;
    clf_array heads = {0};
    arguments->arrays[0] = *c->segments;
    if (p.bits == 0)
        return clf_engine_enqueue(c->engine, chain, arguments, n, scratch);
    const cl_ulong bytes = p.bits + p.starts + (rest.buffer ? p.scan : 0);
    CLF_TRY(clf_scratch_take(c->plan->context, chain, &rest, bytes, &borrowed, &workspace));
    clf_status status = enqueue_bits(c->plan, chain, n, c->count, c->segments, workspace, &rest, &heads);
    arguments->arrays[0] = heads;
    if (status == CLF_SUCCESS)
        status = clf_engine_enqueue(c->engine, chain, arguments, n, scratch);
    clf_scratch_return(c->plan->context, chain, workspace, 0, status);
    return status;
}

/* cl/segments/segment.cl */
static void define(const clf_engine *engine, clf_text *options)
{
    (void)engine;
    clf_text_format(options, " -D CLF_SEGMENT=2");
}

static const clf_named_array head_bits[] = {{"const uint", "heads"}, {NULL, NULL}};
const clf_primitive clf_irregular_scan_primitive = {
    .name = "irregular_scan", .flags = CLF_EXCLUSIVE | CLF_FROM_DEVICE, .profile = "scan",
    .head_words = 1, .exclusive = CLF_EXCLUSIVE, .define = define, .arrays = head_bits, .variants = clf_scan_variants,
    .parameters = "limit", .roles = clf_scan_roles, .variant_for = clf_scan_variant_for, .choose = clf_scan_choose,
    .scratch = scratch_besides, .compile = clf_told_compile, .close = clf_told_close};

clf_status clf_irregular_scan_plan(clf_context *context, const clf_operator *op, const clf_segmentation *segmentation,
                                   unsigned flags, const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_told_check(context, segmentation, error));
    CLF_TRY(clf_plan_create(context, &clf_irregular_scan_primitive, op, flags, options, plan, error));
    return clf_told_open(plan, segmentation, true, CLF_EXCLUSIVE, error);
}

clf_status clf_irregular_scan(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong count,
                              const clf_array *segments, const clf_array *in, const clf_array *out)
{
    clf_check check;
    if (!plan || plan->primitive != &clf_irregular_scan_primitive)
        return clf_refuse_plan(plan, "clf_irregular_scan");
    CLF_TRY(clf_check_begin(&check, plan->context, "clf_irregular_scan", &plan->op, call));
    CLF_TRY(clf_check_arrays(&check, &plan->op, &n, &n, in, out));
    CLF_TRY(clf_told_check_array(&check, plan, n, count, segments));
    if (n == 0)
        return clf_run_nothing(&check, call);
    clf_engine *engine = clf_scan_choose(plan, &(clf_shape){1, 1, n, check.in_place, false});
    CLF_TRY(clf_scan_check_engine(&check, engine, engine->variant->waits, n));
    shape state = {.plan = plan, .engine = engine, .count = count, .segments = segments};
    clf_arguments arguments = {.op = &plan->op, .in = in, .out = out, .count = 1, .size = n,
                               .flags = check.in_place ? CLF_ARG_IN_PLACE : 0u};
    return clf_run(&check, plan, call, &arguments, false, enqueue, &state);
}
