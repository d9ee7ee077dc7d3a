/* SPDX-License-Identifier: MIT */
/*
 * irregular_sort: segments of any lengths sorted, each for itself, by the kernels of segmented_sort.c. Head bits tell
 * them where segments start; what else the caller has is made into such bits first, as for scans (irregular_scan.c).
 * Of each tile's first and last head a scan makes where the segments begin and end that lie in several tiles.
 */
#include "primitives/primitives.h"

/* ---- Before tiles are sorted --------------------------------------------------------------------------- */

enum { CUTS, LASTS, FIRSTS, HEADS };
static const clf_named_array arrays[] = {
    {"ulong", "cuts"}, {"ulong", "lasts"}, {"ulong", "firsts"}, {"const uint", "heads"}, {NULL, NULL}};

/* Which head is the last one up to each tile's end, and which is the first one from its beginning on. */
static clf_status make_ends(const clf_sorting *s, clf_run *run, clf_arguments *arguments)
{
    const clf_told *const told = s->plan->own;
    const clf_array found = clf_run_array(run, CLF_PLAIN, 2 * s->tiles, sizeof(cl_ulong));
    const clf_array scanned = clf_run_array(run, CLF_PLAIN, 2 * s->tiles, sizeof(cl_ulong));
    const clf_array in[] = {found, {found.buffer, found.offset + s->tiles}};
    const clf_array out[] = {scanned, {scanned.buffer, scanned.offset + s->tiles}};
    const clf_task scan = {.count = 1, .size = s->tiles, .in = in, .out = out};
    arguments->arrays[LASTS] = in[0];
    arguments->arrays[FIRSTS] = in[1];
    CLF_TRY(clf_sorting_launch(s, run, CLF_SORTING_ENDS, arguments));
    arguments->arrays[LASTS] = out[0];
    arguments->arrays[FIRSTS] = out[1];
    return clf_run_step(run, told->ends_scan, &scan);
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

static clf_status check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task)
{
    CLF_TRY(clf_sort_check_rows(plan, check, call, task));
    return clf_told_check_array(check, plan, task);
}

static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    clf_sorting s = {.plan = plan, .engine = plan->engine[0]};
    clf_arguments arguments;
    clf_sorting_cut_anywhere(&s, task->size);
    CLF_TRY(clf_sorting_begin(&s, run, task, &arguments));
    CLF_TRY(clf_told_heads(plan, run, task, &arguments.arrays[HEADS]));
    if (s.passes)
        CLF_TRY(make_ends(&s, run, &arguments));
    return clf_sorting_run(&s, run, &arguments);
}

static void define(const clf_engine *engine, clf_text *options)
{
    clf_text_format(options, " -D CLF_SEGMENT=2"); /* cl/segments/segment.cl */
    clf_define_order(engine, options);
}

const clf_primitive clf_irregular_sort_primitive = {
    .name = "irregular_sort", .flags = CLF_SORTING_FLAGS, .function = CLF_FUNCTION_KEY, .out_sets = 2,
    .macro = CLF_OVERWRITE_MACRO, .define = define, .write = clf_key_write, .arrays = arrays,
    .variants = clf_irregular_sort_variants, .roles = clf_main_role, .choose = clf_choose_main,
    .check = check, .run = run, .compile = clf_told_compile, .close = clf_told_close};

static const clf_operator ends = {
    .size = sizeof ends, .value = "ulong last; ulong first;", .combine = "most", .neutral = "none",
    .flags = CLF_COMMUTATIVE,
    .source = "clf_value most(clf_value a, clf_value b)\n"
              "{ clf_value v = {max(a.last, b.last), max(a.first, b.first)}; return v; }\n"
              "clf_value none(void) { clf_value v = {0, 0}; return v; }\n"};

static clf_status create(clf_context *context, clf_form form, const clf_operator *op,
                         const clf_segmentation *segmentation, unsigned flags, const clf_plan_options *options,
                         clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_told_check(context, segmentation, error));
    CLF_TRY(clf_overwriting_check(op, flags, error));
    CLF_TRY(clf_plan_create_form(context, &clf_irregular_sort_primitive, form, op, flags, options, plan, error));
    CLF_TRY(clf_told_open(plan, segmentation, true, CLF_EXCLUSIVE, error));
    clf_told *const told = (*plan)->own;
    const clf_status status = clf_scan_plan(context, &ends, 0, NULL, &told->ends_scan, error);
    return clf_own_finish(plan, clf_own_weaken(&told->ends_scan, status));
}

clf_status clf_irregular_sort_plan(clf_context *context, const clf_operator *op, const clf_segmentation *segmentation,
                                   unsigned flags, const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return create(context, (clf_form){0}, op, segmentation, flags, options, plan, error);
}

clf_status clf_irregular_sort_step_plan(clf_context *context, const clf_operator *op, clf_type offsets, unsigned flags,
                                        clf_plan **plan, clf_error *error)
{
    const clf_segmentation by = {sizeof by, CLF_BY_OFFSETS, offsets};
    return clf_own_weaken(plan, create(context, (clf_form){.later = true}, op, &by, flags, NULL, plan, error));
}

clf_status clf_irregular_sort(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong count,
                              const clf_array *segments, const clf_array *in, const clf_array *out)
{
    clf_task task = {.count = 1, .size = n, .entries = count, .segments = segments, .in = in, .out = out};
    return clf_call_task(plan, &clf_irregular_sort_primitive, "clf_irregular_sort", call, &task);
}
