/* SPDX-License-Identifier: MIT */
/*
 * irregular_sort: segments of any lengths sorted, each for itself, by the kernels of segmented_sort.c. Head bits tell
 * them where segments start; what else the caller has is made into such bits first, as for scans (irregular_scan.c).
 * Of each tile's first and last head a scan makes where the segments begin and end that lie in several tiles.
 *
 *     scratch   first and last heads | the same scanned | head bits | of lengths: starts | the rest of a sort's
 */
#include "primitives/primitives.h"

/* ---- Scratch ----------------------------------------------------------------------------------------- */

/* Where the pieces begin, in bytes. */
typedef struct pieces {
    cl_ulong scanned, heads, starts, all, scan;
} pieces;

static pieces pieces_of(const clf_plan *plan, cl_ulong tiles, cl_ulong n, cl_ulong count)
{
    const clf_told *const told = plan->own;
    const cl_ulong both = clf_scratch_for(tiles, 2 * sizeof(cl_ulong));
    pieces p = {.scanned = both, .heads = 2 * both};
    p.scan = clf_scan_within_scratch(told->ends_scan, tiles);
    p.starts = p.heads;
    if (told->segmentation.by != CLF_BY_HEAD_BITS)
        p.starts += clf_scratch_for(clf_heads_words(n), 4);
    p.all = p.starts;
    if (told->lengths_scan) {
        const cl_ulong scan = clf_scan_within_scratch(told->lengths_scan, count);
        p.all += clf_scratch_for(count, clf_segmentation_bytes(&told->segmentation));
        p.scan = p.scan > scan ? p.scan : scan;
    }
    return p;
}

static void cut_anywhere(clf_sorting *s, cl_ulong n)
{
    s->unit = s->stride = s->engine->tile;
    s->tiles = s->row_tiles = clf_ceiling(n, s->engine->tile);
}

static clf_sorting sorting_of(clf_plan *plan, cl_ulong n, cl_ulong count)
{
    clf_sorting s = {.plan = plan, .engine = plan->engine[0], .told = count};
    cut_anywhere(&s, n);
    const pieces p = pieces_of(plan, s.tiles, n, count);
    s.front = p.all;
    s.scan = p.scan;
    clf_sorting_place(&s, n);
    return s;
}

static cl_ulong scratch_needed(const clf_plan *plan, cl_ulong n, cl_ulong count)
{
    const clf_sorting s = sorting_of((clf_plan *)plan, n, count);
    return s.all + s.scan;
}

/* ---- Before tiles are sorted --------------------------------------------------------------------------- */

enum { CUTS, LASTS, FIRSTS, HEADS };
static const clf_named_array arrays[] = {
    {"ulong", "cuts"}, {"ulong", "lasts"}, {"ulong", "firsts"}, {"const uint", "heads"}, {NULL, NULL}};

/* Head bits of what else tells where segments start. */
static clf_status make_heads(const clf_sorting *s, const pieces *p, clf_chain *chain, const clf_workspace *workspace,
                             const clf_array *rest, clf_arguments *arguments)
{
    clf_told *const told = s->plan->own;
    const clf_array *entries = s->segments;
    clf_array starts;
    arguments->arrays[HEADS] = *s->segments;
    if (told->segmentation.by == CLF_BY_HEAD_BITS)
        return CLF_SUCCESS;
    if (told->lengths_scan) {
        starts = clf_sorting_words(workspace, p->starts, clf_segmentation_bytes(&told->segmentation));
        CLF_TRY(clf_scan_within(told->lengths_scan, chain, s->told, s->segments, &starts, rest));
        entries = &starts;
    }
    arguments->arrays[HEADS] = clf_sorting_words(workspace, p->heads, sizeof(cl_uint));
    return clf_heads_enqueue(&told->heads, chain, arguments->size, s->told, entries, &arguments->arrays[HEADS]);
}

/* Which head is the last one up to each tile's end, and which is the first one from its beginning on. */
static clf_status make_ends(const clf_sorting *s, const pieces *p, clf_chain *chain, const clf_workspace *workspace,
                            const clf_array *rest, clf_arguments *arguments)
{
    const clf_told *const told = s->plan->own;
    const cl_ulong half = s->tiles * sizeof(cl_ulong);
    const clf_array in[] = {clf_sorting_words(workspace, 0, sizeof(cl_ulong)),
                            clf_sorting_words(workspace, half, sizeof(cl_ulong))};
    const clf_array out[] = {clf_sorting_words(workspace, p->scanned, sizeof(cl_ulong)),
                             clf_sorting_words(workspace, p->scanned + half, sizeof(cl_ulong))};
    arguments->arrays[LASTS] = in[0];
    arguments->arrays[FIRSTS] = in[1];
    CLF_TRY(clf_sorting_launch(s, chain, CLF_SORTING_ENDS, arguments));
    arguments->arrays[LASTS] = out[0];
    arguments->arrays[FIRSTS] = out[1];
    return clf_scan_within(told->ends_scan, chain, s->tiles, in, out, rest);
}

static clf_status begin(const clf_sorting *s, clf_chain *chain, const clf_workspace *workspace, const clf_array *rest,
                        clf_arguments *arguments)
{
    const pieces p = pieces_of(s->plan, s->tiles, arguments->size, s->told);
    CLF_TRY(make_heads(s, &p, chain, workspace, rest, arguments));
    return s->passes ? make_ends(s, &p, chain, workspace, rest, arguments) : CLF_SUCCESS;
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

static void define(const clf_engine *engine, clf_text *options)
{
    clf_text_format(options, " -D CLF_SEGMENT=2"); /* cl/segments/segment.cl */
    clf_define_order(engine, options);
}

const clf_primitive clf_irregular_sort_primitive = {
    .name = "irregular_sort", .flags = CLF_SORTING_FLAGS, .function = CLF_FUNCTION_KEY, .out_sets = 2,
    .macro = CLF_OVERWRITE_MACRO, .define = define, .write = clf_key_write, .arrays = arrays,
    .variants = clf_irregular_sort_variants, .roles = clf_main_role, .choose = clf_choose_main,
    .scratch = scratch_needed, .compile = clf_told_compile, .close = clf_told_close};

static const clf_operator ends = {
    .size = sizeof ends, .value = "ulong last; ulong first;", .combine = "most", .neutral = "none",
    .flags = CLF_COMMUTATIVE,
    .source = "clf_value most(clf_value a, clf_value b)\n"
              "{ clf_value v = {max(a.last, b.last), max(a.first, b.first)}; return v; }\n"
              "clf_value none(void) { clf_value v = {0, 0}; return v; }\n"};

clf_status clf_irregular_sort_plan(clf_context *context, const clf_operator *op, const clf_segmentation *segmentation,
                                   unsigned flags, const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_told_check(context, segmentation, error));
    CLF_TRY(clf_overwriting_check(op, flags, error));
    CLF_TRY(clf_plan_create(context, &clf_irregular_sort_primitive, op, flags, options, plan, error));
    CLF_TRY(clf_told_open(plan, segmentation, true, CLF_EXCLUSIVE, error));
    clf_told *const told = (*plan)->own;
    const clf_status status = clf_scan_plan(context, &ends, 0, NULL, &told->ends_scan, error);
    return clf_own_finish(plan, clf_own_weaken(&told->ends_scan, status));
}

clf_status clf_irregular_sort(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong count,
                              const clf_array *segments, const clf_array *in, const clf_array *out)
{
    clf_check check;
    if (!plan || plan->primitive != &clf_irregular_sort_primitive)
        return clf_refuse_plan(plan, "clf_irregular_sort");
    CLF_TRY(clf_sort_check_call(&check, plan, "clf_irregular_sort", call));
    const cl_ulong n_out[] = {n, 0};
    CLF_TRY(clf_check_arrays(&check, &plan->op, &n, n_out, in, out));
    CLF_TRY(clf_told_check_array(&check, plan, n, count, segments));
    if (n == 0)
        return clf_run_nothing(&check, call);
    clf_sorting s = sorting_of(plan, n, count);
    s.segments = segments;
    s.begin = begin;
    clf_arguments arguments = {.op = &plan->op, .in = in, .out = out, .count = 1, .size = n};
    return clf_run(&check, plan, call, &arguments, false, clf_sorting_enqueue, &s);
}
