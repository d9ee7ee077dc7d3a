/* SPDX-License-Identifier: MIT */
/*
 * sort: a stable radix sort by keys of up to 128 bits, eight bits a pass, the lowest first. The algorithms are in
 * cl/sort/: a count of all digits, a pass for each, of which the device leaves out those in whose digit all keys agree,
 * and a copy where what is sorted is not where it belongs. Passes are one launch each (variant "lookback"), or count,
 * scan and deal out (digits.c). On CPUs elements are first split by the highest bits, and sorted in buckets that fit a
 * cache (buckets_cpu.cl); passes are left to keys that make a bucket too large. Keys of up to 16 bits with nothing else
 * are counted instead (sort_counting.c). On GPUs passes of few elements are nothing but launches: a few are sorted by
 * one group, and others by tiles that are merged, many at a time (sort_few.c), or two by two (merge_sort.c).
 */
#include "primitives/primitives.h"

#include <string.h>

enum {
    DIGITS = 256,
    MOST_PORTIONS = 120,     /* each pass has a ticket counter for each: cl/sort/control.cl */
    MOST_LIMIT = 1 << 30,    /* elements that a launch of variant "lookback" can count */
    CONTROL_WORDS = 1024,    /* or twice as many, for keys of more than 8 bytes */
    COUNT_EACH = 1 << 12,    /* keys of a work-item, where there are enough for all */
    FEWEST_BITS = 8,         /* of buckets; more, where these would have more than 2^BUCKET elements on average, */
    BUCKET = 12,
    MOST_BITS = 11,          /* but so many at most: cl/sort/key.cl, which has FEWEST_BITS for more than WIDE fields */
    WIDE = 4,
    BUCKET_TILES = 4,        /* what the largest bucket may have, in any case, */
    MOST_BUCKET = 1 << 26    /* and at most: beyond, parts of it do not fit a cache either */
};

#define MANY ((cl_ulong)1 << 40) /* rows, or tiles: too many for any memory */

/* ---- Variants ---------------------------------------------------------------------------------------- */

static cl_ulong tile_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    return clf_digits_local(facts, op, DIGITS, op->value.count > 1 || clf_key_captures(op), group, items);
}

/* As many as fit, for long runs of each digit count; on an H200 32 are faster than 28 or 36. For lanes of 32 AMD's
 * compilers keep to 128 registers (on gfx11), too few for so many. */
static void tile_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const bool several = op->value.count > 1, few_registers = facts->lanes == CLF_LANES_AMD && facts->lane_width == 32;
    const cl_uint most = !few_registers ? 32 : several ? 12 : 24, largest = clf_fields_largest(&op->value);
    const cl_uint usual = clf_usual_group(facts);
    cl_uint items = several ? 140 / (largest + 1) : (clf_ranks_are_local(facts, op) ? 128 : 160) / largest;
    clf_parameter_default(parameters, "group", usual < 256 ? usual : 256);
    const cl_uint group = clf_parameter_get(parameters, "group", 1);
    items = items < most ? items : most;
    while (items > 8 && tile_local(facts, op, group, items) > facts->local_bytes)
        items -= 4;
    clf_parameter_default(parameters, "items", items);
}

static void lookback_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    tile_defaults(facts, op, parameters);
    clf_parameter_default(parameters, "streams", 4);
    clf_parameter_default(parameters, "ticket", !facts->in_order);
    clf_parameter_default(parameters, "spin", facts->type & CL_DEVICE_TYPE_CPU ? 1 << 8 : 1 << 16);
}

static void cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    (void)facts, (void)op;
    clf_parameter_default(parameters, "items", 1 << 16);
}

enum { COUNT, SCHEDULE, FINISH, PASS, UP = PASS, DOWN, TILE, DIFFER, BUCKET_UP, CHOOSE, BUCKET_DOWN, BUCKETS };
#define ONCE "clf_sort_count", "clf_sort_schedule", "clf_sort_finish"
static const char *const cpu_kernels[] = {ONCE, "clf_digit_cpu_up", "clf_digit_cpu_down", "clf_sort_tile",
                                          "clf_buckets_differ", "clf_buckets_up", "clf_buckets_choose",
                                          "clf_buckets_down", "clf_buckets_sort", NULL};
static const char *const lookback_kernels[] = {ONCE, "clf_sort_pass", NULL};
static const char *const two_pass_kernels[] = {ONCE, "clf_digit_up", "clf_digit_down", NULL};

enum { PASS_NUMBER, PORTION, PORTIONS, PORTION_TILES, TILES, ROW_SIZE, ROW_TILES, IN_PLACE, BUCKET_BITS, BUCKET_MOST,
       BUCKET_SHARES };
#define NUMBERS "pass", "portion", "portions", "portion_tiles", "tiles", "row_size", "row_tiles", "in_place"
static const char *const numbers[] = {NUMBERS, NULL};
static const char *const cpu_numbers[] = {NUMBERS, "bucket_bits", "bucket_most", "bucket_shares", NULL};

enum { BY_CPU = CLF_SORT_WAYS, BY_LOOKBACK, BY_TWO_PASSES };
static const clf_variant variants[] = {
    CLF_COUNTING_CPU, /* of few operators, and of no step of others: clf_counting_takes */
    CLF_COUNTING,
    {.name = "cpu", .way = BY_CPU, .needs = CLF_NEEDS_CPU, .file = "sort/sort_cpu.cl", .kernels = cpu_kernels,
     .numbers = cpu_numbers, .parameters = "items,buckets", .defaults = cpu_defaults},
    {.name = "lookback", .way = BY_LOOKBACK, .needs = CLF_NEEDS_PROGRESS, .file = "sort/sort_lookback.cl",
     .kernels = lookback_kernels, .numbers = numbers,
     .parameters = "items,group,registers,streams,ticket,spin,stall,reverse", .defaults = lookback_defaults,
     .local = tile_local},
    {.name = "two_pass", .way = BY_TWO_PASSES, .file = "sort/sort_two_pass.cl", .kernels = two_pass_kernels,
     .numbers = numbers, .parameters = "items,group", .defaults = tile_defaults, .local = tile_local},
    CLF_MERGING,
    CLF_FEW("one_group", clf_few_defaults),
    CLF_FEW("ranks", clf_ranks_defaults),
    {.name = NULL},
};

/* By digits, one after the other? Other files have the other variants. */
static bool has_passes(const clf_engine *engine)
{
    return engine->variant->way >= CLF_SORT_WAYS;
}

static bool looks_back(const clf_plan *plan)
{
    return plan->engine[0]->variant->way == BY_LOOKBACK;
}

/* ---- Roles ------------------------------------------------------------------------------------------- */

enum { MAIN, SMALL = CLF_SORT_SMALL, FEW = CLF_SORT_FEW };
static const char *const roles[] = {"main", "small", "few", NULL};

/* On an H100 keys of 8 bytes were merged two by two as fast as by ranks, or faster; of 4 bytes by ranks 1.2 times. */
static const clf_variant *variant_for(const clf_plan *plan, cl_uint role)
{
    const clf_variant *const merge = clf_variant_named(plan->primitive, "merge");
    const bool is_gpu = !(plan->context->facts.type & CL_DEVICE_TYPE_CPU);
    if (role == FEW)
        return plan->context->facts.is_cpu ? NULL : clf_variant_named(plan->primitive, "one_group");
    if (plan->op.form != CLF_SORT_CALLS || !is_gpu || !has_passes(plan->engine[MAIN]))
        return NULL;
    const bool merges = plan->op.key_bytes > 4 && merge->takes(plan, merge, NULL) == CLF_SUCCESS;
    return merges ? merge : clf_variant_named(plan->primitive, "ranks");
}

/* On an H200 merges of 2^17 keys of 32 bits, and twice as many of 64, were as fast as passes; so were ranks. */
static cl_uint limit_of(const clf_plan *plan)
{
    enum { EACH = 1 << 15 /* elements, of each byte of the key; by ranks of 4 at most */ };
    const clf_engine *const small = plan->engine[SMALL];
    const cl_uint bytes = plan->op.key_bytes;
    const bool all = small->variant->way == CLF_SORT_BY_MERGING || bytes < 4;
    return clf_parameter_get(&small->parameters, "limit", EACH * (all ? bytes : 4));
}

static clf_engine *choose(const clf_plan *plan, const clf_task *task)
{
    if (task->count == 1 && clf_sort_is_few(plan, task->size))
        return plan->engine[FEW];
    return plan->engine[plan->engine[SMALL] && task->size <= limit_of(plan) ? SMALL : MAIN];
}

/* ---- Cuts -------------------------------------------------------------------------------------------- */

/* How a call is cut. Several rows are one portion. */
typedef struct cut {
    cl_ulong n, rows, row_tiles, tiles, portions, portion_tiles;
    cl_uint passes, bits; /* of the buckets; 0: passes alone */
} cut;

/* On a CPU a work-item sorts a tile by itself. */
static bool is_one_launch(const clf_plan *plan, const cut *c)
{
    return c->tiles == 1 && plan->engine[0]->variant->way == BY_CPU;
}

static cl_uint bits_of(const clf_plan *plan, const cut *c)
{
    const cl_uint most = plan->op.value.count > WIDE ? FEWEST_BITS : MOST_BITS;
    cl_uint bits = FEWEST_BITS;
    if (plan->engine[0]->variant->way != BY_CPU || c->rows > 1 || c->tiles < 2)
        return 0;
    while (bits < most && c->n >> (bits + BUCKET) > 0)
        ++bits;
    return clf_parameter_get(&plan->engine[0]->parameters, "buckets", 1) ? bits : 0;
}

static cut cut_of(const clf_plan *plan, cl_ulong rows, cl_ulong size)
{
    const clf_engine *const engine = plan->engine[0];
    const cl_ulong limit = clf_parameter_get(&engine->parameters, "limit", 0);
    const cl_ulong most = (limit && limit < MOST_LIMIT ? limit : MOST_LIMIT - 1) / engine->tile;
    cut c = {.n = rows * size, .rows = rows, .row_tiles = clf_ceiling(size, engine->tile),
             .portion_tiles = most ? most : 1, .passes = plan->op.key_bytes};
    c.tiles = rows * c.row_tiles;
    if (clf_ceiling(c.row_tiles, c.portion_tiles) > MOST_PORTIONS)
        c.portion_tiles = clf_ceiling(c.row_tiles, MOST_PORTIONS);
    if (rows > 1)
        c.portion_tiles = c.row_tiles; /* clf_sort_takes_rows sees to it that these are not too many */
    c.portions = clf_ceiling(c.row_tiles, c.portion_tiles);
    c.bits = bits_of(plan, &c);
    return c;
}

/* ---- Launches ---------------------------------------------------------------------------------------- */

/* Everything but the launches. */
typedef struct sorting {
    clf_engine *engine;
    clf_run *run;
    clf_arguments *arguments;
    cut cut;
} sorting;

static clf_status launch(const sorting *s, cl_uint kernel, cl_ulong groups)
{
    return clf_run_launch(s->run, s->engine, kernel, s->arguments, groups);
}

/* As many groups as keep the device busy, for kernels that stride over `elements`. */
static cl_ulong striding(const sorting *s, cl_ulong elements)
{
    const cl_ulong most = 8ul * s->engine->context->facts.units;
    const cl_ulong each = clf_engine_is_cpu(s->engine) ? COUNT_EACH : 8;
    const cl_ulong useful = clf_ceiling(elements, s->engine->group * each);
    return useful < most ? useful : most;
}

/* For keys of rows that are counted each for itself: as many groups for each. */
static cl_ulong counting(const sorting *s, cl_ulong elements)
{
    return clf_ceiling(striding(s, elements), s->cut.rows) * s->cut.rows;
}

static clf_status each_portion(const sorting *s, cl_uint kernel)
{
    const cut *const c = &s->cut;
    for (cl_ulong portion = 0; portion < c->portions; ++portion) {
        const cl_ulong left = c->tiles - portion * c->portion_tiles;
        const cl_ulong tiles = c->rows > 1 || left < c->portion_tiles ? left : c->portion_tiles;
        s->arguments->numbers[PORTION] = (cl_uint)portion;
        CLF_TRY(launch(s, kernel, kernel == COUNT ? counting(s, tiles * s->engine->tile) : tiles));
    }
    return CLF_SUCCESS;
}

/* Counters, and of tiles that look back two words for each digit, the first of which begin as zeros, too. */
static cl_ulong take_control(const clf_plan *plan, const sorting *s)
{
    const cl_ulong head = s->cut.passes > 8 ? 2 * CONTROL_WORDS : CONTROL_WORDS;
    const cl_ulong words = head + clf_least(s->cut.rows, MANY) * s->cut.portions * s->cut.passes * DIGITS;
    const cl_ulong matrix = looks_back(plan) ? clf_least(s->cut.tiles, MANY) * DIGITS : 0;
    clf_array *const arrays = s->arguments->arrays;
    arrays[CLF_SORT_CONTROL] = clf_run_array(s->run, CLF_PLAIN, words + 2 * matrix, sizeof(cl_uint));
    arrays[CLF_SORT_TILE_COUNTS] = arrays[CLF_SORT_CONTROL];
    arrays[CLF_SORT_TILE_COUNTS].offset += words;
    return words + matrix;
}

/* A bucket has at most 1.25 of a work-item's share, so that on two cores each of two values may be one. */
static cl_uint largest_bucket(const sorting *s)
{
    const cl_ulong share = s->cut.n / 4 * 5 / s->engine->context->facts.units;
    const cl_ulong tiles = (cl_ulong)BUCKET_TILES * s->engine->tile, most = share > tiles ? share : tiles;
    return (cl_uint)(most < MOST_BUCKET ? most : MOST_BUCKET);
}

/* Of the input, for the split. A share's counts are 32 bits. */
static cl_ulong shares_of(const sorting *s)
{
    const cl_ulong most = clf_least(s->cut.tiles, MANY), busy = 4ul * s->engine->context->facts.units;
    const cl_ulong fewest = clf_ceiling(s->cut.n, MOST_LIMIT);
    return clf_least(most, busy > fewest ? busy : fewest);
}

static clf_status by_buckets(const sorting *s, const clf_digits_step *split)
{
    s->arguments->numbers[BUCKET_BITS] = s->cut.bits;
    s->arguments->numbers[BUCKET_MOST] = largest_bucket(s);
    s->arguments->numbers[BUCKET_SHARES] = (cl_uint)split->tiles;
    CLF_TRY(launch(s, DIFFER, striding(s, s->cut.n)));
    CLF_TRY(clf_digits_count(s->engine, s->run, split, s->arguments));
    CLF_TRY(launch(s, CHOOSE, 1));
    CLF_TRY(launch(s, BUCKET_DOWN, split->tiles));
    return launch(s, BUCKETS, 8ul * s->engine->context->facts.units);
}

static clf_status all_steps(const clf_plan *plan, const sorting *s, clf_array *spare)
{
    const clf_digits_step step = {plan->own, UP, DOWN, CLF_SORT_TILE_COUNTS, CLF_SORT_PLACES, DIGITS, s->cut.tiles};
    clf_array *const arrays = s->arguments->arrays;
    const cl_ulong cleared = take_control(plan, s), starts = clf_least(s->cut.rows, MANY) * 2 * s->cut.passes * DIGITS;
    const clf_digits_step split = {plan->own, BUCKET_UP, BUCKET_DOWN, CLF_SORT_TILE_COUNTS, CLF_SORT_PLACES,
                                   1u << s->cut.bits, shares_of(s)};
    if (!looks_back(plan))
        clf_digits_take(s->run, split.digits * split.tiles > DIGITS * step.tiles ? &split : &step, s->arguments);
    arrays[CLF_SORT_STARTS] = clf_run_array(s->run, CLF_PLAIN, starts > split.digits ? starts : split.digits + 1ul,
                                            sizeof(cl_ulong));
    if (looks_back(plan))
        arrays[CLF_SORT_PLACES] = arrays[CLF_SORT_STARTS]; /* has none */
    clf_spare_take(plan->flags, s->run, &plan->op.value, s->cut.n, s->arguments->in, spare);
    if (is_one_launch(plan, &s->cut))
        return launch(s, TILE, 1);
    CLF_TRY(clf_run_zero(s->run, &arrays[CLF_SORT_CONTROL], cleared, sizeof(cl_uint)));
    if (s->cut.bits)
        CLF_TRY(by_buckets(s, &split));
    CLF_TRY(each_portion(s, COUNT));
    if (!s->engine->context->facts.fence || s->engine->group == 1 || s->cut.rows > 1 || s->cut.portions > 1)
        CLF_TRY(launch(s, SCHEDULE, s->cut.rows)); /* else the last group to count does so */
    for (cl_uint pass = 0; pass < s->cut.passes; ++pass) {
        s->arguments->numbers[PASS_NUMBER] = pass;
        CLF_TRY(looks_back(plan) ? each_portion(s, PASS) : clf_digits_run(s->engine, s->run, &step, s->arguments));
    }
    if (looks_back(plan) && !s->arguments->numbers[IN_PLACE])
        return CLF_SUCCESS; /* the last pass has copied what no pass moves */
    return launch(s, FINISH, striding(s, s->cut.n));
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

/* The caller's outputs, and behind them values in scratch, or the inputs. */
static clf_status sort_by_digits(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    clf_engine *const engine = plan->engine[MAIN];
    clf_array out[2 * CLF_MAX_FIELDS];
    clf_arguments arguments;
    sorting s = {engine, run, &arguments, cut_of(plan, task->count, task->size)};
    CLF_TRY(clf_run_begin(run, engine, task, &arguments));
    if (looks_back(plan) && s.cut.portion_tiles * engine->tile >= MOST_LIMIT)
        CLF_TRY(CLF_RUN_REFUSE(run, CLF_E_OVERFLOW, "%llu elements are too many for variant \"lookback\"",
                               (unsigned long long)s.cut.n));
    memcpy(out, task->out, plan->op.value.count * sizeof *out);
    arguments.out = out;
    arguments.size = s.cut.n;
    arguments.numbers[PORTIONS] = (cl_uint)s.cut.portions;
    arguments.numbers[PORTION_TILES] = (cl_uint)s.cut.portion_tiles;
    arguments.numbers[TILES] = (cl_uint)s.cut.tiles;
    arguments.numbers[ROW_SIZE] = (cl_uint)(task->count > 1 ? task->size : 0);
    arguments.numbers[ROW_TILES] = (cl_uint)s.cut.row_tiles;
    arguments.numbers[IN_PLACE] = task->in_place || plan->flags & CLF_OVERWRITE_INPUT;
    return all_steps(plan, &s, out + plan->op.value.count);
}

static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    clf_engine *const engine = choose(plan, task);
    if (engine->variant->way == CLF_SORT_BY_RANKS)
        return clf_few_run(engine, run, task);
    return has_passes(engine) ? sort_by_digits(plan, run, task) : clf_run_engine(run, engine, task);
}

/* Few elements may be merged; so fewer may be. */
static cl_uint worst(const clf_plan *plan, cl_ulong n, cl_ulong count, clf_task *tasks)
{
    (void)count;
    tasks[0].size = n;
    tasks[1].size = plan->engine[SMALL] ? clf_least(n, limit_of(plan)) : 0;
    return plan->engine[SMALL] ? 2 : 1;
}

/* ---- The primitive ----------------------------------------------------------------------------------- */

static const clf_named_array arrays[] = {
    {"uint", "control"}, {"ulong", "starts"}, {"uint", "tile_counts"}, {"ulong", "places"}, {NULL, NULL}};

static void define(const clf_engine *engine, clf_text *options)
{
    clf_define_order(engine, options);
    if (engine->op->form == CLF_SORT_VALUES)
        clf_text_format(options, " -D CLF_OF_VALUES=1");
}

const clf_primitive clf_sort_primitive = {
    .name = "sort", .flags = CLF_SORTING_FLAGS, .function = CLF_FUNCTION_KEY,
    .out_sets = 2 /* out, and as much scratch */, .macro = CLF_OVERWRITE_MACRO, .define = define,
    .write = clf_key_write, .arrays = arrays, .variants = variants, .parameters = "limit",
    .roles = roles, .variant_for = variant_for, .choose = choose, .check = clf_sort_check_rows,
    .run = run, .worst = worst, .compile = clf_own_plan_compile, .close = clf_own_plan_close};

static clf_status create(clf_context *context, clf_form form, const clf_operator *op, unsigned flags,
                         const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_overwriting_check(op, flags, plan, error));
    CLF_TRY(clf_plan_create_form(context, &clf_sort_primitive, form, op, flags, options, plan, error));
    clf_plan *scan = NULL;
    const bool scans = !looks_back(*plan) && has_passes((*plan)->engine[MAIN]);
    const clf_status status = scans ? clf_digits_scan_plan(context, &scan, error) : CLF_SUCCESS;
    (*plan)->own = scan;
    return clf_own_finish(plan, status);
}

clf_status clf_sort_plan(clf_context *context, const clf_operator *op, unsigned flags, const clf_plan_options *options,
                         clf_plan **plan, clf_error *error)
{
    return create(context, (clf_form){.number = CLF_SORT_CALLS}, op, flags, options, plan, error);
}

clf_status clf_sort_step_plan(clf_context *context, const clf_operator *op, bool of_outputs, unsigned flags,
                              clf_plan **plan, clf_error *error)
{
    const clf_form form = {.number = of_outputs ? CLF_SORT_VALUES : CLF_SORT_INPUTS, .later = true};
    return clf_own_weaken(plan, create(context, form, op, flags, NULL, plan, error));
}

clf_status clf_sort(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in, const clf_array *out)
{
    clf_task task = {.count = 1, .size = n, .in = in, .out = out};
    return clf_call_task(plan, &clf_sort_primitive, "clf_sort", call, &task);
}

bool clf_sort_takes_rows(cl_ulong rows, cl_ulong size)
{
    return rows <= CL_UINT_MAX / DIGITS && size < MOST_LIMIT / 2;
}
