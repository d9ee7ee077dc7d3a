/* SPDX-License-Identifier: MIT */
/*
 * segmented_sort: segments sorted, each for itself, by merging (cl/sort/segments.cl): tiles are sorted, and where
 * segments are longer than a tile, passes join tiles: log2 of the number of tiles that the longest may have. Rows are
 * cut into tiles row by row, or have a tile with others, which is written in one launch. Irregular segments
 * (irregular_sort.c) are cut anywhere. Rows of so many passes that digits are faster are left to a radix sort (sort.c).
 */
#include "primitives/primitives.h"

#include <string.h>

/* ---- Variants ---------------------------------------------------------------------------------------- */

/* Kernels and numbers of sorting_tiles.c. */
enum { TILES, MERGE, CUTS };
enum { PASS, UNIT, STRIDE, MAGIC, ROW_TILES, LIMIT };

/* ---- Roles ------------------------------------------------------------------------------------------- */

/* main: any; medium and small: rows of up to "limit" elements. */
enum { MAIN, MEDIUM, SMALL };
static const char *const roles[] = {"main", "medium", "small", NULL};

/* A CPU's kernels do it all. */
static const clf_variant *variant_for(const clf_plan *plan, cl_uint role)
{
    const bool is_cpu = clf_engine_is_cpu(plan->engine[MAIN]);
    return is_cpu ? NULL : clf_variant_named(plan->primitive, role == SMALL ? "small" : "medium");
}

/* Up to its limit, and a tile. */
static bool takes(const clf_engine *engine, cl_ulong size, cl_uint limit)
{
    return engine && size <= engine->tile && size <= clf_parameter_get(&engine->parameters, "limit", limit);
}

/* Of small tiles at least four rows are in one. */
static clf_engine *choose(const clf_plan *plan, const clf_task *task)
{
    clf_engine *const small = plan->engine[SMALL], *const medium = plan->engine[MEDIUM];
    if (takes(small, task->size, small ? small->tile / 4 : 0))
        return small;
    return takes(medium, task->size, CL_UINT_MAX) ? medium : plan->engine[MAIN];
}

/* ---- Tiles ------------------------------------------------------------------------------------------- */

static cl_uint log2_ceiling(cl_ulong n)
{
    cl_uint bits = 0;
    while (bits < 63 && (cl_ulong)1 << bits < n)
        ++bits;
    return bits;
}

/* A work-item's rows on a CPU: as many as are in a tile, unless then some processor would have few tiles. */
static void cut_rows_of_cpu(clf_sorting *s, cl_ulong count, cl_uint size)
{
    enum { TILES_EACH = 4 };
    const cl_ulong most = s->engine->tile / size;
    const cl_ulong share = clf_ceiling(count, TILES_EACH * s->engine->context->facts.units);
    const cl_ulong rows = share < most ? share : most;
    s->unit = (cl_uint)rows * size;
    s->stride = s->engine->tile;
    s->row_tiles = s->span = 1;
    s->tiles = clf_ceiling(count, rows);
}

/*
 * Rows of a tile, which begin at work-items: each, or as many as one work-item takes. Work-items left over are shared
 * out: so more rows have a power of two of them, and pairs are within warps.
 */
static void cut_short_rows(clf_sorting *s, cl_ulong count, cl_uint size)
{
    const cl_uint group = s->engine->group, items = s->engine->tile / group;
    const cl_uint rows = items / size > 1 ? items / size : 1;
    s->unit = rows * size;
    s->stride = group / (group / (cl_uint)clf_ceiling(s->unit, items)) * items;
    s->magic = s->stride > s->unit ? (cl_uint)(((cl_ulong)1 << 32) / s->unit) + 1 : 0;
    s->row_tiles = s->span = 1;
    s->tiles = clf_ceiling(count, (cl_ulong)(s->engine->tile / s->stride) * rows);
}

/* Equal tiles of each row. */
static void cut_long_rows(clf_sorting *s, cl_ulong count, cl_ulong size)
{
    const cl_uint items = clf_engine_is_cpu(s->engine) ? 1 : s->engine->tile / s->engine->group;
    const cl_ulong share = clf_ceiling(size, clf_ceiling(size, s->engine->tile));
    s->unit = (cl_uint)clf_ceiling(share, items) * items;
    s->stride = s->engine->tile;
    s->row_tiles = s->span = clf_ceiling(size, s->unit);
    s->tiles = count * s->row_tiles;
}

/* Segments that are merged lie in one tile more than their lengths need, at most. */
void clf_sorting_cut_anywhere(clf_sorting *s, cl_ulong n, cl_uint limit)
{
    s->unit = s->stride = s->engine->tile;
    s->tiles = s->row_tiles = clf_ceiling(n, s->engine->tile);
    s->pieces = 2;
    s->limit = limit;
    s->span = limit ? clf_least(s->tiles, clf_ceiling(limit, s->engine->tile) + 1ul) : s->tiles;
}

/* ---- Long rows --------------------------------------------------------------------------------------- */

/*
 * Passes of merging that are faster than a radix sort. On an H200 one pass is, of keys of 4 bytes, with or without
 * places, and of 8 bytes six; of fewer bytes sorting tiles alone takes longer. On CPUs a pass costs as four digits do.
 */
static cl_uint passes_of_a_radix_sort(const clf_plan *plan)
{
    const cl_uint bytes = plan->op.key_bytes, on_gpus = bytes > 4 ? 6 : bytes > 2 ? 1 : 0;
    return clf_engine_is_cpu(plan->engine[MAIN]) ? bytes / 4 : on_gpus;
}

cl_uint clf_sorting_longest(const clf_plan *plan)
{
    const clf_engine *const main = plan->engine[MAIN];
    const cl_uint usual = main->tile << passes_of_a_radix_sort(plan);
    const cl_uint limit = clf_parameter_get(&main->parameters, "limit", usual);
    return limit > main->tile ? limit : main->tile;
}

/* Rows longer than this are sorted digit by digit. Each has counters, and tiles of its own, too much for short ones. */
static cl_ulong longest_merged(const clf_plan *plan)
{
    enum { SHORT = 1 << 13 };
    const clf_plan *const sort = plan->own;
    const cl_uint asked = clf_parameter_get(&plan->engine[MAIN]->parameters, "limit", 0);
    if (!sort)
        return CL_ULONG_MAX;
    const cl_ulong least = sort->engine[0]->tile > SHORT ? sort->engine[0]->tile : SHORT;
    const cl_ulong most = (cl_ulong)plan->engine[MAIN]->tile << passes_of_a_radix_sort(plan);
    return asked ? asked : most > least ? most : least;
}

static bool are_long(const clf_plan *plan, const clf_task *task)
{
    return task->size > longest_merged(plan) && clf_sort_takes_rows(task->count, task->size);
}

/* ---- Steps ------------------------------------------------------------------------------------------- */

/* A piece each, on CPUs a tile; where pieces are listed, several in turn (cl/sort/segments.cl). */
static cl_ulong merging_groups(const clf_sorting *s)
{
    const clf_facts *const facts = &s->engine->context->facts;
    const cl_ulong pieces = s->pieces * s->tiles;
    if (clf_engine_is_cpu(s->engine))
        return s->tiles;
    return s->pieces > 1 && facts->lane_width > 1 ? clf_least(pieces, 8ul * facts->units) : pieces;
}

clf_status clf_sorting_launch(const clf_sorting *s, clf_run *run, cl_uint kernel, const clf_arguments *arguments)
{
    const cl_uint lanes = kernel == CLF_SORTING_ENDS ? s->engine->context->facts.lane_width : s->pieces;
    const cl_ulong each = clf_ceiling(lanes * s->tiles, s->engine->group); /* a piece is a work-item's, ends a warp's */
    const cl_ulong groups = kernel == TILES ? s->tiles : kernel == MERGE ? merging_groups(s) : each;
    return clf_run_launch(run, s->engine, kernel, arguments, groups);
}

/* CPUs merge in global memory from the beginning. */
clf_status clf_sorting_begin(clf_sorting *s, clf_run *run, const clf_task *task, clf_arguments *arguments)
{
    const clf_plan *const plan = s->plan;
    const cl_uint fields = plan->op.value.count;
    const cl_ulong n = task->count * task->size;
    s->passes = log2_ceiling(s->span);
    CLF_TRY(clf_run_begin(run, s->engine, task, arguments));
    memcpy(s->out, task->out, fields * sizeof *s->out);
    if (s->passes)
        arguments->arrays[0] = clf_run_array(run, CLF_PLAIN, s->pieces * (s->tiles + 1), sizeof(cl_ulong));
    if (s->passes || clf_engine_is_cpu(s->engine))
        clf_spare_take(plan->flags, run, &plan->op.value, n, task->in, s->out + fields);
    arguments->out = s->out;
    arguments->numbers[UNIT] = s->unit;
    arguments->numbers[STRIDE] = s->stride;
    arguments->numbers[MAGIC] = s->magic;
    arguments->numbers[ROW_TILES] = (cl_uint)s->row_tiles;
    arguments->numbers[LIMIT] = s->limit;
    return CLF_SUCCESS;
}

clf_status clf_sorting_run(const clf_sorting *s, clf_run *run, clf_arguments *arguments)
{
    CLF_TRY(clf_sorting_launch(s, run, TILES, arguments));
    for (cl_uint pass = 0; pass < s->passes; ++pass) {
        arguments->numbers[PASS] = pass;
        CLF_TRY(clf_sorting_launch(s, run, CUTS, arguments));
        CLF_TRY(clf_sorting_launch(s, run, MERGE, arguments));
    }
    return CLF_SUCCESS;
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

enum { ANY_MERGED = 1, ANY_LONG };

/* Rows that are a little longer than a tile have the most tiles. */
static void cut_worst(clf_sorting *s, cl_ulong n)
{
    s->engine = s->plan->engine[MAIN];
    clf_sorting_cut_anywhere(s, n, 0);
    s->tiles *= 2;
}

static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    clf_sorting s = {.plan = plan, .engine = choose(plan, task), .pieces = 1};
    clf_arguments arguments;
    if (task->any ? task->any == ANY_LONG : are_long(plan, task))
        return clf_run_step(run, plan->own, task);
    if (task->any)
        cut_worst(&s, task->size);
    else if (clf_engine_is_cpu(s.engine) && task->size <= s.engine->tile)
        cut_rows_of_cpu(&s, task->count, (cl_uint)task->size);
    else if (task->size <= s.engine->tile)
        cut_short_rows(&s, task->count, (cl_uint)task->size);
    else
        cut_long_rows(&s, task->count, task->size);
    CLF_TRY(clf_sorting_begin(&s, run, task, &arguments));
    return clf_sorting_run(&s, run, &arguments);
}

/* Rows of any length; and as many as may be long, each with a part of a tile behind its full ones. */
static cl_uint worst(const clf_plan *plan, cl_ulong n, cl_ulong count, clf_task *tasks)
{
    const clf_plan *const sort = plan->own;
    (void)count;
    n = clf_least(n, (cl_ulong)1 << 60); /* too many already */
    tasks[0].size = n;
    if (!sort)
        return 1;
    const cl_ulong most = n / longest_merged(plan), rows = most ? most : 1;
    tasks[1].any = ANY_LONG;
    tasks[1].count = rows;
    tasks[1].size = (n + rows * (sort->engine[0]->tile + 1ul)) / rows;
    return 2;
}

static const clf_named_array arrays[] = {{"ulong", "cuts"}, {"uint", "moved"}, {NULL, NULL}}; /* no list is made */

static void define(const clf_engine *engine, clf_text *options)
{
    clf_define_rows(engine, options);
    clf_define_order(engine, options);
}

const clf_primitive clf_segmented_sort_primitive = {
    .name = "segmented_sort", .flags = CLF_SORTING_FLAGS, .function = CLF_FUNCTION_KEY, .out_sets = 2,
    .macro = CLF_OVERWRITE_MACRO, .define = define, .write = clf_key_write, .arrays = arrays,
    .variants = clf_rows_sort_variants, .parameters = "limit", .roles = roles, .variant_for = variant_for,
    .choose = choose, .check = clf_sort_check_rows, .run = run, .worst = worst, .compile = clf_own_plan_compile,
    .close = clf_own_plan_close};

clf_status clf_segmented_sort_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                   const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_overwriting_check(op, flags, plan, error));
    CLF_TRY(clf_plan_create(context, &clf_segmented_sort_primitive, op, flags, options, plan, error));
    const clf_engine *const main = (*plan)->engine[MAIN];
    const bool one_variant = options && options->variant && !clf_parameter_get(&main->parameters, "limit", 0);
    if (one_variant || flags & CLF_FROM_DEVICE)
        return CLF_SUCCESS; /* merged, whatever the length */
    clf_plan *sort = NULL;
    const clf_status status = clf_sort_step_plan(context, op, false, flags, &sort, error);
    (*plan)->own = sort;
    return clf_own_finish(plan, status);
}

clf_status clf_segmented_sort(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size, const clf_array *in,
                              const clf_array *out)
{
    clf_task task = {.count = count, .size = size, .counted = true, .in = in, .out = out};
    return clf_call_task(plan, &clf_segmented_sort_primitive, "clf_segmented_sort", call, &task);
}
