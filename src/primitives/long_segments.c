/* SPDX-License-Identifier: MIT */
/*
 * long_segments: a step of irregular sorts (irregular_sort.c): the long ones of their segments, sorted digit by digit,
 * each for itself, in launches of all of them together (cl/sort/segments_long.cl). The host knows only how many of them
 * there may be. Its kernels are those of the radix sort's passes that look back (sort.c).
 */
#include "primitives/primitives.h"

enum { DIGITS = 256, CONTROL_WORDS = 1024 /* or twice as many, for keys of more than 8 bytes: cl/sort/control.cl */ };

/* ---- Variants ---------------------------------------------------------------------------------------- */

static const clf_variant *passes_of_sorts(void)
{
    return clf_variant_named(&clf_sort_primitive, "lookback");
}

static void defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    passes_of_sorts()->defaults(facts, op, parameters);
}

static cl_ulong local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    return passes_of_sorts()->local(facts, op, group, items);
}

enum { FIND, TELL, COUNT, SCHEDULE, PASS };
static const char *const kernels[] = {"clf_long_find", "clf_long_tell", "clf_long_count", "clf_long_schedule",
                                      "clf_long_pass", NULL};
enum { PASS_NUMBER, PORTION, PORTIONS, PORTION_TILES, TILES, ROW_SIZE, ROW_TILES, IN_PLACE, LIMIT, SPANS, TURN };
static const char *const numbers[] = {"pass", "portion", "portions", "portion_tiles", "tiles", "row_size", "row_tiles",
                                      "in_place", "limit", "spans", "turn", NULL};
static const clf_variant variants[] = {
    {.name = "lookback", .file = "sort/segments_long.cl", .kernels = kernels, .numbers = numbers,
     .parameters = "items,group,registers,streams,ticket,spin,stall,reverse", .defaults = defaults, .local = local},
    {.name = NULL}};

/* ---- Calls ------------------------------------------------------------------------------------------- */

enum { CONTROL, STARTS, TILE_COUNTS, LASTS, FIRSTS, FOUND, ROWS, TILE_ROWS };
static const clf_named_array arrays[] = {
    {"uint", "control"}, {"ulong", "starts"}, {"uint", "tile_counts"}, {"ulong", "lasts"}, {"ulong", "firsts"},
    {"ulong", "found"}, {"ulong", "rows"}, {"uint", "tile_rows"}, {NULL, NULL}};

/* At most: each begins in a span of its own, and may have a tile that is not full. */
static cl_ulong most_rows(const clf_task *task)
{
    return clf_least(task->size / (task->most + 1), task->entries);
}

/* What is found of rows, and tiles; both numbers are in one word. */
static clf_status find(const clf_plan *plan, clf_run *run, const clf_task *task, clf_arguments *arguments)
{
    const clf_engine *const engine = plan->engine[0];
    const clf_array found = clf_run_array(run, CLF_PLAIN, task->entries, sizeof(cl_ulong));
    const clf_array sums = clf_run_array(run, CLF_PLAIN, task->entries, sizeof(cl_ulong));
    const clf_task scan = {.count = 1, .size = task->entries, .in = &found, .out = &sums};
    arguments->arrays[FOUND] = found;
    CLF_TRY(clf_run_launch(run, plan->engine[0], FIND, arguments, clf_ceiling(task->entries, engine->group)));
    arguments->arrays[FOUND] = sums;
    CLF_TRY(clf_run_step(run, plan->own, &scan));
    return clf_run_launch(run, plan->engine[0], TELL, arguments, clf_ceiling(arguments->numbers[TILES], engine->group));
}

/* The first turn reads the input, and none writes where it reads: so the last one writes to the outputs. */
static cl_uint turns_of(const clf_plan *plan)
{
    const cl_uint passes = plan->op.key_bytes;
    return passes % 2 == (plan->flags & CLF_OVERWRITE_INPUT ? 1 : 0) ? passes : passes + 1;
}

/* A tile each, or with lanes so many as keep the device busy. */
static cl_ulong counting_groups(const clf_engine *engine, cl_ulong tiles)
{
    const clf_facts *const facts = &engine->context->facts;
    return facts->lane_width > 1 ? clf_least(tiles, 8ul * facts->units) : tiles;
}

static clf_status sort_rows(const clf_plan *plan, clf_run *run, cl_ulong rows, cl_ulong tiles, clf_arguments *arguments)
{
    clf_engine *const engine = plan->engine[0];
    const cl_uint passes = plan->op.key_bytes;
    CLF_TRY(clf_run_launch(run, engine, COUNT, arguments, counting_groups(engine, tiles)));
    CLF_TRY(clf_run_launch(run, engine, SCHEDULE, arguments, rows));
    for (cl_uint turn = 0; turn < turns_of(plan); ++turn) {
        arguments->numbers[TURN] = turn;
        arguments->numbers[PASS_NUMBER] = turn < passes ? turn : passes - 1;
        CLF_TRY(clf_run_launch(run, engine, PASS, arguments, tiles));
    }
    return CLF_SUCCESS;
}

static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    const clf_engine *const engine = plan->engine[0];
    const cl_uint passes = plan->op.key_bytes;
    const cl_ulong rows = clf_least(most_rows(task), CL_UINT_MAX), tiles = rows + task->size / engine->tile;
    const cl_ulong counters = (passes > 8 ? 2ul : 1ul) * CONTROL_WORDS + rows * passes * DIGITS,
                   matrix = tiles * DIGITS;
    clf_arguments arguments;
    CLF_TRY(clf_run_begin(run, plan->engine[0], task, &arguments));
    clf_array *const a = arguments.arrays;
    a[CONTROL] = clf_run_array(run, CLF_PLAIN, counters + 2 * matrix, sizeof(cl_uint));
    a[TILE_COUNTS] = (clf_array){a[CONTROL].buffer, a[CONTROL].offset + counters};
    a[STARTS] = clf_run_array(run, CLF_PLAIN, 2 * rows * passes * DIGITS, sizeof(cl_ulong));
    a[ROWS] = clf_run_array(run, CLF_PLAIN, 3 * rows, sizeof(cl_ulong));
    a[TILE_ROWS] = clf_run_array(run, CLF_PLAIN, tiles, sizeof(cl_uint));
    a[LASTS] = task->segments[0];
    a[FIRSTS] = task->segments[1];
    arguments.numbers[PORTIONS] = 1;
    arguments.numbers[PORTION_TILES] = CL_UINT_MAX; /* all */
    arguments.numbers[TILES] = arguments.numbers[ROW_TILES] = (cl_uint)tiles;
    arguments.numbers[LIMIT] = (cl_uint)task->most;
    arguments.numbers[SPANS] = (cl_uint)task->entries;
    CLF_TRY(find(plan, run, task, &arguments));
    CLF_TRY(clf_run_zero(run, &a[CONTROL], counters + matrix, sizeof(cl_uint)));
    return sort_rows(plan, run, rows, tiles, &arguments);
}

/* ---- The primitive ----------------------------------------------------------------------------------- */

const clf_primitive clf_long_segments_primitive = {
    .name = "long_segments", .flags = CLF_SORTING_FLAGS, .function = CLF_FUNCTION_KEY, .out_sets = 2,
    .macro = CLF_OVERWRITE_MACRO, .profile = "sort", .define = clf_define_order, .write = clf_key_write,
    .arrays = arrays, .variants = variants, .roles = clf_main_role, .choose = clf_choose_main, .run = run,
    .compile = clf_own_plan_compile, .close = clf_own_plan_close};

clf_status clf_long_segments_plan(clf_context *context, const clf_operator *op, unsigned flags, clf_plan **plan,
                                  clf_error *error)
{
    clf_plan *scan = NULL;
    CLF_TRY(clf_own_weaken(plan, clf_plan_create_form(context, &clf_long_segments_primitive, (clf_form){.later = true},
                                                      op, flags, NULL, plan, error)));
    const clf_status status = clf_scan_plan(context, clf_builtin(CLF_SUM, CLF_ULONG), 0, NULL, &scan, error);
    (*plan)->own = scan;
    return clf_own_finish(plan, clf_own_weaken(&scan, status));
}
