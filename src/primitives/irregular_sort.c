/* SPDX-License-Identifier: MIT */
/*
 * irregular_sort: segments of any lengths sorted, each for itself, by the kernels of segmented_sort.c. Head bits tell
 * them where segments start; what else the caller has is made into such bits first, as for scans (irregular_scan.c).
 * Of each tile's first and last head a scan makes where the segments begin and end that lie in several tiles. On GPUs
 * those that would take many passes of merging are left to a radix sort (long_segments.c).
 */
#include "primitives/primitives.h"

/* ---- Before tiles are sorted --------------------------------------------------------------------------- */

enum { CUTS, LASTS, FIRSTS, HEADS, MOVED };
enum { MOST_PASSES = 64 /* each counts what it moves: cl/sort/segments.cl */ };
static const clf_named_array arrays[] = {
    {"ulong", "cuts"}, {"ulong", "lasts"}, {"ulong", "firsts"}, {"const uint", "heads"}, {"uint", "moved"},
    {NULL, NULL}};

/* Which head is the last one up to each tile's end, and which is the first one from its beginning on. */
static clf_status make_ends(const clf_sorting *s, clf_run *run, clf_arguments *arguments)
{
    const clf_told *const told = s->plan->own;
    const clf_array found = clf_run_array(run, CLF_PLAIN, 2 * s->tiles, sizeof(cl_ulong));
    const clf_array scanned = clf_run_array(run, CLF_PLAIN, 2 * s->tiles, sizeof(cl_ulong));
    const clf_array in[] = {found, {found.buffer, found.offset + s->tiles}};
    const clf_array out[] = {scanned, {scanned.buffer, scanned.offset + s->tiles}};
    const clf_task scan = {.count = 1, .size = s->tiles, .in = in, .out = out};
    arguments->arrays[MOVED] = clf_run_array(run, CLF_PLAIN, MOST_PASSES + s->pieces * s->tiles, sizeof(cl_uint));
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

/* ---- Roles ------------------------------------------------------------------------------------------- */

/* main: any; medium: segments that are short on average. */
enum { MAIN, MEDIUM };
enum { ANY_MAIN = 1, ANY_MEDIUM };
static const char *const roles[] = {"main", "medium", NULL};

enum { STEP = 1 /* a form of plans: others measure their scratch */ };

/* A CPU's kernels do it all. */
static const clf_variant *variant_for(const clf_plan *plan, cl_uint role)
{
    (void)role;
    const bool one = plan->op.form == STEP || clf_engine_is_cpu(plan->engine[MAIN]);
    return one ? NULL : clf_variant_named(plan->primitive, "medium");
}

/*
 * Where the host knows how many segments there are. Lengths may differ: so several have room in a tile; more of values
 * that merges have to fetch. (On an H200 keys of 4 bytes in segments of 2^10 on average took 1334 us, not 1502.)
 */
static clf_engine *choose(const clf_plan *plan, const clf_task *task)
{
    enum { KEYS_ALONE = 4, VALUES = 16 };
    clf_engine *const main = plan->engine[MAIN], *const medium = plan->engine[MEDIUM];
    if (task->any || !medium)
        return task->any == ANY_MEDIUM ? medium : main;
    const clf_segments_by by = clf_told_segmentation(plan)->by;
    const cl_ulong room = medium->tile / (clf_sorting_is_alone(plan) ? KEYS_ALONE : VALUES);
    const bool counted = by == CLF_BY_OFFSETS || by == CLF_BY_LENGTHS;
    return counted && task->size <= clf_least(task->entries, CL_UINT_MAX) * room ? medium : main;
}

/* ---- Calls, and their scratch ------------------------------------------------------------------------ */

/* 0: there is no other sort, or it cannot count so many elements. */
static cl_uint limit_of(const clf_plan *plan, cl_ulong n)
{
    const clf_told *const told = plan->own;
    return told->sort && n <= CLF_MOST_OF_LONG ? clf_sorting_longest(plan) : 0;
}

static clf_status sort_long(const clf_sorting *s, clf_run *run, const clf_task *task, const clf_arguments *arguments)
{
    const clf_told *const told = s->plan->own;
    const clf_task rows = {.count = 1, .size = task->size, .most = s->limit, .entries = s->tiles,
                           .segments = &arguments->arrays[LASTS], .in = task->in, .out = s->out, .given = task->given,
                           .flags = task->flags};
    return s->limit && task->size > s->limit ? clf_run_step(run, told->sort, &rows) : CLF_SUCCESS;
}

static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    clf_sorting s = {.plan = plan, .engine = choose(plan, task)};
    clf_arguments arguments;
    clf_sorting_cut_anywhere(&s, task->size, limit_of(plan, task->size));
    CLF_TRY(clf_sorting_begin(&s, run, task, &arguments));
    CLF_TRY(clf_told_heads(plan, run, task, &arguments.arrays[HEADS]));
    if (s.passes)
        CLF_TRY(make_ends(&s, run, &arguments));
    CLF_TRY(clf_sorting_run(&s, run, &arguments));
    return sort_long(&s, run, task, &arguments);
}

/* In both kinds of tiles; and as many elements as may be in long segments. */
static cl_uint worst(const clf_plan *plan, cl_ulong n, cl_ulong count, clf_task *tasks)
{
    const cl_uint kinds = plan->engine[MEDIUM] ? 2 : 1, sizes = n > CLF_MOST_OF_LONG ? 2 : 1;
    (void)count;
    for (cl_uint i = 0; i < kinds * sizes; ++i) {
        tasks[i].any = i % kinds ? ANY_MEDIUM : ANY_MAIN;
        tasks[i].size = i < kinds ? n : CLF_MOST_OF_LONG;
    }
    return kinds * sizes;
}

static void define(const clf_engine *engine, clf_text *options)
{
    clf_text_format(options, " -D CLF_SEGMENT=2"); /* cl/segments/segment.cl */
    clf_define_order(engine, options);
}

const clf_primitive clf_irregular_sort_primitive = {
    .name = "irregular_sort", .flags = CLF_SORTING_FLAGS, .function = CLF_FUNCTION_KEY, .out_sets = 2,
    .macro = CLF_OVERWRITE_MACRO, .define = define, .write = clf_key_write, .arrays = arrays,
    .variants = clf_irregular_sort_variants, .parameters = "limit", .roles = roles, .variant_for = variant_for,
    .choose = choose, .check = check, .run = run, .worst = worst, .compile = clf_told_compile, .close = clf_told_close};

static const clf_operator ends = {
    .size = sizeof ends, .value = "ulong last; ulong first;", .combine = "most", .neutral = "none",
    .flags = CLF_COMMUTATIVE,
    .source = "clf_value most(clf_value a, clf_value b)\n"
              "{ clf_value v = {max(a.last, b.last), max(a.first, b.first)}; return v; }\n"
              "clf_value none(void) { clf_value v = {0, 0}; return v; }\n"};

/*
 * Where groups may wait for each other, and have lanes: without these tiles are small, so that their counters take more
 * than the values. Variants that the caller names merge, unless he says what is long.
 */
static bool has_long(const clf_plan *plan, const clf_plan_options *options)
{
    const clf_engine *const main = plan->engine[0];
    if (clf_engine_is_cpu(main))
        return false;
    const bool asked = clf_parameter_get(&main->parameters, "limit", 0) > 0;
    const clf_facts *const facts = &plan->context->facts;
    return asked || (facts->progress && facts->lane_width > 1 && !(options && options->variant));
}

static clf_status open(clf_plan *plan, const clf_operator *op, unsigned flags, const clf_plan_options *options,
                       clf_error *error)
{
    clf_told *const told = plan->own;
    CLF_TRY(clf_own_weaken(&told->ends_scan, clf_scan_plan(plan->context, &ends, 0, NULL, &told->ends_scan, error)));
    return has_long(plan, options) ? clf_long_segments_plan(plan->context, op, flags, &told->sort, error) : CLF_SUCCESS;
}

static clf_status create(clf_context *context, clf_form form, const clf_operator *op,
                         const clf_segmentation *segmentation, unsigned flags, const clf_plan_options *options,
                         clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_told_check(context, segmentation, plan, error));
    CLF_TRY(clf_overwriting_check(op, flags, plan, error));
    CLF_TRY(clf_plan_create_form(context, &clf_irregular_sort_primitive, form, op, flags, options, plan, error));
    CLF_TRY(clf_told_open(plan, segmentation, true, CLF_EXCLUSIVE, error));
    return clf_own_finish(plan, open(*plan, op, flags, options, error));
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
    return clf_own_weaken(
        plan, create(context, (clf_form){.number = STEP, .later = true}, op, &by, flags, NULL, plan, error));
}

clf_status clf_irregular_sort(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong count,
                              const clf_array *segments, const clf_array *in, const clf_array *out)
{
    clf_task task = {.count = 1, .size = n, .entries = count, .segments = segments, .in = in, .out = out};
    return clf_call_task(plan, &clf_irregular_sort_primitive, "clf_irregular_sort", call, &task);
}
