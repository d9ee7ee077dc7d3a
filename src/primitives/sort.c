/* SPDX-License-Identifier: MIT */
/*
 * sort: a stable radix sort by keys of up to 64 bits, eight bits a pass, the lowest first. The algorithms are in
 * cl/sort/: a count of all digits, a pass for each, of which the device leaves out those in whose digit all keys agree,
 * and a copy where what is sorted is not where it belongs. Passes are one launch each (variant "lookback"), or count,
 * scan and deal out (digits.c). Keys of up to 16 bits with nothing else are counted instead (sort_counting.c), and a
 * few values, on GPUs, are merged (merge_sort.c): passes of few elements are nothing but launches.
 */
#include "primitives/primitives.h"

#include <string.h>

enum {
    DIGITS = 256,
    MOST_PORTIONS = 120,     /* each pass has a ticket counter for each: cl/sort/control.cl */
    MOST_LIMIT = 1 << 30,    /* elements that a launch of variant "lookback" can count */
    CONTROL_WORDS = 1024,
    COUNT_EACH = 1 << 12     /* keys of a work-item, where there are enough for all */
};

/* ---- Variants ---------------------------------------------------------------------------------------- */

static cl_ulong tile_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    return clf_digits_local(facts, op, DIGITS, op->value.count > 1, group, items);
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
    clf_parameter_default(parameters, "ticket", 1);
    clf_parameter_default(parameters, "spin", facts->type & CL_DEVICE_TYPE_CPU ? 1 << 8 : 1 << 16);
}

static void cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    (void)facts, (void)op;
    clf_parameter_default(parameters, "items", 1 << 16);
}

enum { COUNT, SCHEDULE, FINISH, PASS, UP = PASS, DOWN, TILE };
#define ONCE "clf_sort_count", "clf_sort_schedule", "clf_sort_finish"
static const char *const cpu_kernels[] = {ONCE, "clf_digit_cpu_up", "clf_digit_cpu_down", "clf_sort_tile", NULL};
static const char *const lookback_kernels[] = {ONCE, "clf_sort_pass", NULL};
static const char *const two_pass_kernels[] = {ONCE, "clf_digit_up", "clf_digit_down", NULL};

enum { PASS_NUMBER, PORTION, PORTIONS, PORTION_TILES, TILES, ROW_SIZE, ROW_TILES, IN_PLACE };
static const char *const numbers[] = {"pass", "portion", "portions", "portion_tiles", "tiles", "row_size", "row_tiles",
                                      "in_place", NULL};

enum { BY_CPU = CLF_SORT_WAYS, BY_LOOKBACK, BY_TWO_PASSES };
static const clf_variant variants[] = {
    CLF_COUNTING_CPU, /* of few operators, and of no step of others: clf_counting_takes */
    CLF_COUNTING,
    {.name = "cpu", .way = BY_CPU, .needs = CLF_NEEDS_CPU, .file = "sort/sort_cpu.cl", .kernels = cpu_kernels,
     .numbers = numbers, .parameters = "items", .defaults = cpu_defaults},
    {.name = "lookback", .way = BY_LOOKBACK, .needs = CLF_NEEDS_PROGRESS, .file = "sort/sort_lookback.cl",
     .kernels = lookback_kernels, .numbers = numbers,
     .parameters = "items,group,registers,streams,ticket,spin,stall,reverse", .defaults = lookback_defaults,
     .local = tile_local},
    {.name = "two_pass", .way = BY_TWO_PASSES, .file = "sort/sort_two_pass.cl", .kernels = two_pass_kernels,
     .numbers = numbers, .parameters = "items,group", .defaults = tile_defaults, .local = tile_local},
    CLF_MERGING,
    {.name = NULL},
};

static bool counts(const clf_engine *engine)
{
    return engine->variant->way == CLF_SORT_BY_COUNTING;
}

static bool merges(const clf_engine *engine)
{
    return engine->variant->way == CLF_SORT_BY_MERGING;
}

static bool looks_back(const clf_plan *plan)
{
    return plan->engine[0]->variant->way == BY_LOOKBACK;
}

/* ---- Roles ------------------------------------------------------------------------------------------- */

enum { MAIN, SMALL };
static const char *const roles[] = {"main", "small", NULL};

static const clf_variant *variant_for(const clf_plan *plan, cl_uint role)
{
    const clf_variant *const small = clf_variant_named(plan->primitive, "merge");
    const bool is_gpu = !(plan->context->facts.type & CL_DEVICE_TYPE_CPU);
    (void)role;
    if (plan->op.form != CLF_SORT_CALLS)
        return NULL;
    return is_gpu && !counts(plan->engine[MAIN]) && small->takes(plan, small, NULL) == CLF_SUCCESS ? small : NULL;
}

/* On an H200 merges of 2^17 keys of 32 bits, and twice as many of 64, were as fast as passes. */
static clf_engine *choose(const clf_plan *plan, const clf_shape *shape)
{
    enum { EACH = 1 << 15 /* elements, of each byte of the key */ };
    clf_engine *const small = plan->engine[SMALL];
    const cl_uint most = EACH * (cl_uint)clf_type_size(plan->op.key_type);
    return small && shape->size <= clf_parameter_get(&small->parameters, "limit", most) ? small : plan->engine[MAIN];
}

/* ---- Scratch ----------------------------------------------------------------------------------------- */

/* How a call is cut, and where in scratch its pieces begin, in bytes. Several rows are one portion. */
typedef struct layout {
    cl_ulong rows, row_tiles, tiles, portions, portion_tiles;
    clf_digits_pieces digits; /* of two passes */
    cl_ulong cleared;         /* from the start: counters, and counts of tiles that look back */
    cl_ulong starts, counts, places, values, all;
} layout;

/* On a CPU a work-item sorts a tile by itself. */
static bool is_one_launch(const clf_plan *plan, const layout *l)
{
    return l->tiles == 1 && plan->engine[0]->variant->way == BY_CPU;
}

static cl_uint passes_of(const clf_plan *plan)
{
    return (cl_uint)clf_type_size(plan->op.key_type);
}

static void cut(const clf_plan *plan, cl_ulong n, cl_ulong rows, layout *l)
{
    const clf_engine *const engine = plan->engine[0];
    const cl_ulong limit = clf_parameter_get(&engine->parameters, "limit", 0);
    const cl_ulong most = (limit && limit < MOST_LIMIT ? limit : MOST_LIMIT - 1) / engine->tile;
    l->rows = rows;
    l->row_tiles = clf_ceiling(n / rows, engine->tile);
    l->tiles = rows * l->row_tiles;
    l->portion_tiles = most ? most : 1;
    if (clf_ceiling(l->row_tiles, l->portion_tiles) > MOST_PORTIONS)
        l->portion_tiles = clf_ceiling(l->row_tiles, MOST_PORTIONS);
    if (rows > 1)
        l->portion_tiles = l->row_tiles; /* clf_sort_takes_rows sees to it that these are not too many */
    l->portions = clf_ceiling(l->row_tiles, l->portion_tiles);
}

static layout layout_of(const clf_plan *plan, cl_ulong n, cl_ulong rows)
{
    layout l = {0};
    cut(plan, n, rows, &l);
    const cl_ulong passes = passes_of(plan), matrix = clf_scratch_for(l.tiles, DIGITS * sizeof(cl_uint));
    l.counts = clf_scratch_for(CONTROL_WORDS + rows * l.portions * passes * DIGITS, sizeof(cl_uint));
    l.cleared = l.counts;
    if (looks_back(plan)) {
        l.cleared += matrix;
        l.starts = l.places = clf_scratch_round(l.counts + 2 * matrix);
    } else {
        l.digits = clf_digits_pieces_of(plan->own, DIGITS, l.tiles);
        l.places = l.counts + l.digits.counts;
        l.starts = l.places + l.digits.places;
    }
    l.values = l.starts + clf_scratch_for(rows, 2 * passes * DIGITS * sizeof(cl_ulong));
    l.all = clf_scratch_round(l.values + clf_spare_bytes(plan->flags, &plan->op.value, n));
    return l;
}

/* Enough for fewer elements, too: what passes need is more than what merges do. */
static cl_ulong scratch_needed(const clf_plan *plan, cl_ulong n, cl_ulong count)
{
    const clf_shape shape = {.batch = 1, .count = 1, .size = n};
    const clf_engine *const engine = choose(plan, &shape);
    (void)count;
    return counts(engine) || merges(engine) ? 0 : clf_sort_within_scratch(plan, 1, n);
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
    .roles = roles, .variant_for = variant_for, .choose = choose, .scratch = scratch_needed,
    .compile = clf_own_plan_compile, .close = clf_own_plan_close};

static clf_status create(clf_context *context, clf_form form, const clf_operator *op, unsigned flags,
                         const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_error_reset(error));
    CLF_TRY(clf_overwriting_check(op, flags, error));
    CLF_TRY(clf_plan_create_form(context, &clf_sort_primitive, form, op, flags, options, plan, error));
    clf_plan *scan = NULL;
    const clf_engine *const main = (*plan)->engine[MAIN];
    const bool scans = !looks_back(*plan) && !counts(main) && !merges(main);
    const clf_status status = scans ? clf_digits_scan_plan(context, &scan, error) : CLF_SUCCESS;
    (*plan)->own = scan;
    return clf_own_finish(plan, status);
}

clf_status clf_sort_plan(clf_context *context, const clf_operator *op, unsigned flags, const clf_plan_options *options,
                         clf_plan **plan, clf_error *error)
{
    return create(context, (clf_form){CLF_SORT_CALLS, false}, op, flags, options, plan, error);
}

clf_status clf_sort_step_plan(clf_context *context, const clf_operator *op, bool of_outputs, unsigned flags,
                              clf_plan **plan, clf_error *error)
{
    const clf_form form = {of_outputs ? CLF_SORT_VALUES : CLF_SORT_INPUTS, true};
    return clf_own_weaken(plan, create(context, form, op, flags, NULL, plan, error));
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

/* Everything but the launches. */
typedef struct sorting {
    clf_engine *engine;
    clf_chain *chain;
    clf_arguments *arguments;
    const layout *layout;
} sorting;

static clf_status launch(const sorting *s, cl_uint kernel, cl_ulong groups)
{
    return clf_launch(s->chain, &s->engine->kernels[kernel], s->arguments, groups, s->engine->group);
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
    return clf_ceiling(striding(s, elements), s->layout->rows) * s->layout->rows;
}

static clf_status each_portion(const sorting *s, cl_uint kernel)
{
    const layout *const l = s->layout;
    for (cl_ulong portion = 0; portion < l->portions; ++portion) {
        const cl_ulong left = l->tiles - portion * l->portion_tiles;
        const cl_ulong tiles = l->rows > 1 || left < l->portion_tiles ? left : l->portion_tiles;
        s->arguments->numbers[PORTION] = (cl_uint)portion;
        CLF_TRY(launch(s, kernel, kernel == COUNT ? counting(s, tiles * s->engine->tile) : tiles));
    }
    return CLF_SUCCESS;
}

static clf_status all_steps(const clf_plan *plan, const sorting *s, const clf_workspace *workspace,
                            const clf_array *rest)
{
    static const clf_digits_step step = {UP, DOWN, CLF_SORT_TILE_COUNTS, CLF_SORT_PLACES};
    const cl_uint passes = passes_of(plan);
    if (is_one_launch(plan, s->layout))
        return launch(s, TILE, 1);
    CLF_TRY(clf_chain_fill(s->chain, workspace->buffer, workspace->offset, s->layout->cleared));
    CLF_TRY(each_portion(s, COUNT));
    CLF_TRY(launch(s, SCHEDULE, passes * s->layout->rows));
    for (cl_uint pass = 0; pass < passes; ++pass) {
        s->arguments->numbers[PASS_NUMBER] = pass;
        CLF_TRY(looks_back(plan) ? each_portion(s, PASS)
                                 : clf_digits_enqueue(s->engine, plan->own, s->chain, &s->layout->digits, &step,
                                                      s->arguments, rest));
    }
    return launch(s, FINISH, striding(s, s->arguments->size));
}

/* The arrays of a call in its scratch; values, or the inputs, behind the outputs of the caller. */
static void place(const clf_plan *plan, const layout *l, const clf_workspace *workspace, clf_arguments *arguments,
                  clf_array out[2 * CLF_MAX_FIELDS])
{
    const clf_fields *const value = &plan->op.value;
    const cl_ulong at = workspace->offset;
    arguments->arrays[CLF_SORT_CONTROL] = (clf_array){workspace->buffer, at / sizeof(cl_uint)};
    arguments->arrays[CLF_SORT_STARTS] = (clf_array){workspace->buffer, (at + l->starts) / sizeof(cl_ulong)};
    arguments->arrays[CLF_SORT_TILE_COUNTS] = (clf_array){workspace->buffer, (at + l->counts) / sizeof(cl_uint)};
    arguments->arrays[CLF_SORT_PLACES] = (clf_array){workspace->buffer, (at + l->places) / sizeof(cl_ulong)};
    memcpy(out, arguments->out, value->count * sizeof *out);
    clf_spare_place(plan->flags, value, arguments->size, arguments->in, workspace->buffer, at + l->values,
                    out + value->count);
}

static clf_status enqueue_sort(const clf_plan *plan, clf_chain *chain, const clf_arguments *arguments,
                               const clf_array *scratch)
{
    const layout l = layout_of(plan, arguments->size, arguments->count);
    const clf_array rest = clf_scratch_behind(scratch, l.all);
    clf_array out[2 * CLF_MAX_FIELDS];
    clf_workspace borrowed, *workspace = NULL;
    clf_arguments own = *arguments;
    if (looks_back(plan) && l.portion_tiles * plan->engine[0]->tile >= MOST_LIMIT)
        return clf_refuse(chain->check, CLF_E_OVERFLOW, "%llu elements are too many for variant \"lookback\"",
                          (unsigned long long)arguments->size);
    CLF_TRY(clf_scratch_take(plan->context, chain, scratch, l.all, &borrowed, &workspace));
    workspace->clean = 0; /* counts could be taken for messages */
    place(plan, &l, workspace, &own, out);
    own.out = out;
    own.array_count = plan->engine[0]->array_count;
    own.number_count = plan->engine[0]->number_count;
    own.numbers[PORTIONS] = (cl_uint)l.portions;
    own.numbers[PORTION_TILES] = (cl_uint)l.portion_tiles;
    own.numbers[TILES] = (cl_uint)l.tiles;
    own.numbers[ROW_SIZE] = (cl_uint)(l.rows > 1 ? arguments->size / l.rows : 0);
    own.numbers[ROW_TILES] = (cl_uint)l.row_tiles;
    const clf_status status = all_steps(plan, &(sorting){plan->engine[0], chain, &own, &l}, workspace, &rest);
    clf_scratch_return(plan->context, chain, workspace, 0, status);
    return status;
}

static clf_status enqueue(void *state, clf_chain *chain, clf_arguments *arguments, const clf_array *scratch)
{
    return enqueue_sort(state, chain, arguments, scratch);
}

clf_status clf_sort_check_call(clf_check *check, const clf_plan *plan, const char *name, const clf_call *call)
{
    CLF_TRY(clf_check_begin_in(check, plan->context, name, &plan->op, call));
    check->overwrites = (plan->flags & CLF_OVERWRITE_INPUT) != 0;
    CLF_TRY(clf_check_out_count(check, call, plan->op.value.count));
    return clf_check_no_initial(check, call, "sort");
}

clf_status clf_sort(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in, const clf_array *out)
{
    clf_check check;
    if (!plan || plan->primitive != &clf_sort_primitive)
        return clf_refuse_plan(plan, "clf_sort");
    CLF_TRY(clf_sort_check_call(&check, plan, "clf_sort", call));
    const cl_ulong n_out[] = {n, 0};
    CLF_TRY(clf_check_arrays(&check, &plan->op, &n, n_out, in, out));
    if (n == 0)
        return clf_run_nothing(&check, call);
    clf_arguments arguments = {.op = &plan->op, .in = in, .out = out, .count = 1, .size = n};
    const clf_shape shape = {.batch = 1, .count = 1, .size = n};
    clf_engine *const engine = choose(plan, &shape);
    if (counts(engine) || merges(engine))
        return clf_engine_run(engine, plan, &check, call, &arguments, n, false);
    arguments.numbers[IN_PLACE] = check.in_place;
    return clf_run(&check, plan, call, &arguments, false, enqueue, plan);
}

/* ---- Steps of other primitives ----------------------------------------------------------------------- */

bool clf_sort_takes_rows(cl_ulong rows, cl_ulong size)
{
    return rows <= CL_UINT_MAX / DIGITS && size < MOST_LIMIT / 2;
}

cl_ulong clf_sort_within_scratch(const clf_plan *plan, cl_ulong rows, cl_ulong n)
{
    const layout l = layout_of(plan, n, rows);
    return l.all + l.digits.scan;
}

clf_status clf_sort_within(const clf_plan *plan, clf_chain *chain, const clf_sort_step *step, const clf_array *scratch)
{
    clf_arguments arguments = {.op = &plan->op, .in = step->in, .out = step->out, .count = step->rows, .size = step->n,
                               .from_device = (plan->flags & CLF_FROM_DEVICE) != 0, .given = step->given,
                               .flags = step->given.buffer ? CLF_ARG_GIVEN_SIZE : 0};
    arguments.numbers[IN_PLACE] = step->in_place;
    CLF_TRY(clf_engine_prepare(plan->engine[0], chain->check));
    return enqueue_sort(plan, chain, &arguments, scratch);
}
