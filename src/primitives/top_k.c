/* SPDX-License-Identifier: MIT */
/*
 * top_k: the first k elements of a sort, for less than a sort: of an array, or of each row of one. Which way is taken
 * depends on the shape alone, and the device decides the rest, so that nobody waits (cl/top_k/):
 *
 *   steps    a radix select: a launch for each digit of keys, which all groups read together; then what is taken is
 *            counted, and goes out in the order of the input. Of a long array a sample tells a threshold first, and a
 *            filter (filter.c) keeps what is not behind it, so that the input is read once: the steps are taken on what
 *            is kept, or, where this is not enough or too much, on the input
 *   row      the same by a group for each row, in one launch
 *   few      a few of each row, or of each part of it, by a warp, or by a group without lanes; then of what parts had,
 *            in one launch more or some; on CPUs a few of each row by a work-item
 *   short    rows of few elements are sorted as a whole, in registers; without lanes by counting, as results are, too
 *
 * Many results are sorted by sort.c.
 */
#include "primitives/primitives.h"

#include <stdlib.h>

/* ---- Variants ---------------------------------------------------------------------------------------- */

enum { DIGITS = 256, COPIES = 4 /* of counters */ };

static cl_ulong groups_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    const cl_ulong warps = clf_top_k_warps(facts, group);
    const cl_ulong totals = facts->lane_width > 1 ? warps : group + group / 7 + 8;
    const cl_ulong by_digits = 4 * DIGITS * COPIES + 8 * totals + 16 * warps + 64;
    const cl_ulong entry = sizeof(cl_uint) + (clf_type_size(op->key_type) > 4 ? sizeof(cl_ulong) : sizeof(cl_uint));
    const cl_ulong in_lists = 4 * totals + group / clf_top_k_unit(facts, group) * clf_top_k_list(facts, group) * entry;
    (void)items;
    return by_digits > in_lists ? by_digits : in_lists;
}

static void groups_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    (void)op;
    const cl_uint usual = clf_usual_group(facts);
    clf_parameter_default(parameters, "group", facts->lane_width == 1 && usual > 64 ? 64 : usual);
}

enum { SAMPLE, DIGIT, COUNT, TAKE, ROW, FEW, SHORT, ORDER };
static const char *const kernels[] = {"clf_top_sample", "clf_top_digits", "clf_top_count", "clf_top_take",
                                      "clf_top_row", "clf_top_few", "clf_top_short", "clf_top_order", NULL};
enum { K_LOW, K_HIGH, ROOM_LOW, ROOM_HIGH, PASS, CHUNKS, EACH, HOW };
static const char *const numbers[] = {"k_low", "k_high", "room_low", "room_high", "pass", "chunks", "each", "how",
                                      NULL};
enum { UNSORTED = 1 }; /* numbers[HOW]: cl/top_k/work.cl */

static const clf_variant variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .file = "top_k/top_k_cpu.cl", .kernels = kernels, .numbers = numbers},
    {.name = "groups", .file = "top_k/top_k_groups.cl", .kernels = kernels, .numbers = numbers, .parameters = "group",
     .defaults = groups_defaults, .local = groups_local},
    {.name = NULL},
};

/* ---- What a plan keeps ------------------------------------------------------------------------------- */

enum { COLLECT, SORT };
typedef clf_own_steps own;

/* ---- Scratch ----------------------------------------------------------------------------------------- */

static cl_ulong collect_scratch(const clf_plan *plan, cl_ulong n)
{
    return clf_scratch_round(clf_engine_scratch(((const own *)plan->own)->plan[COLLECT]->engine[0], n));
}

static cl_ulong scratch_needed(const clf_plan *plan, cl_ulong n, cl_ulong count)
{
    const cl_ulong collect = collect_scratch(plan, n);
    const cl_ulong sort = clf_sort_within_scratch(((const own *)plan->own)->plan[SORT], 1, n);
    (void)count;
    return clf_top_k_layout_most(plan, n).all + (collect > sort ? collect : sort);
}

/* ---- The primitive ----------------------------------------------------------------------------------- */

enum { CONTROL, COUNTERS, PARTS };
enum { CONTROL_THRESHOLD, CONTROL_COLLECTED, CONTROL_RESULTS }; /* words of it */
static const clf_named_array arrays[] = {{"ulong", "control"}, {"uint", "counters"}, {"ulong", "parts"}, {NULL, NULL}};

const clf_primitive clf_top_k_primitive = {
    .name = "top_k", .flags = CLF_DESCENDING | CLF_TOTAL_ORDER | CLF_UNSORTED | CLF_FROM_DEVICE,
    .function = CLF_FUNCTION_KEY, .out_sets = 2 /* out, and what is in scratch */, .define = clf_define_order,
    .write = clf_key_write,
    .arrays = arrays, .variants = variants, .parameters = "limit,groups,counted,few", .roles = clf_main_role,
    .choose = clf_choose_main, .scratch = scratch_needed, .compile = clf_own_steps_compile,
    .close = clf_own_steps_close};

static clf_status open(clf_plan *plan, const clf_operator *op, clf_error *error)
{
    const unsigned flags = plan->flags & ~CLF_UNSORTED;
    CLF_TRY(clf_own_memory(plan, sizeof(own), error));
    own *const kept = plan->own;
    CLF_TRY(clf_least_plan(plan->context, op, flags, &kept->plan[COLLECT], error));
    return clf_sort_step_plan(plan->context, op, true, flags, &kept->plan[SORT], error);
}

clf_status clf_top_k_plan(clf_context *context, const clf_operator *op, unsigned flags, const clf_plan_options *options,
                          clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_plan_create(context, &clf_top_k_primitive, op, flags, options, plan, error));
    return clf_own_finish(plan, open(*plan, op, error));
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

/* A call under way. */
typedef struct calling {
    const clf_plan *plan;
    const clf_top_k_shape *shape;
    clf_chain *chain;
    clf_arguments arguments;
    clf_array out[2 * CLF_MAX_FIELDS]; /* of the next launch: where it writes, and what there is in scratch */
    clf_array rest;                    /* scratch of other plans */
    const clf_array *results;          /* the caller's */
    clf_array candidates[CLF_MAX_FIELDS], unsorted[CLF_MAX_FIELDS];
} calling;

static clf_status launch(calling *c, cl_uint kernel, cl_ulong groups)
{
    clf_engine *const engine = c->plan->engine[0];
    return clf_launch(c->chain, &engine->kernels[kernel], &c->arguments, groups, engine->group);
}

/* The next launches write to `to`, and find `from` in scratch (NULL: nothing). */
static void direct(calling *c, const clf_array *to, const clf_array *from)
{
    const cl_uint fields = c->plan->op.value.count;
    for (cl_uint i = 0; i < fields; ++i) {
        c->out[i] = to[i];
        c->out[fields + i] = from ? from[i] : (clf_array){0};
    }
}

static void set_room(calling *c, cl_ulong room)
{
    c->arguments.numbers[ROOM_LOW] = (cl_uint)room;
    c->arguments.numbers[ROOM_HIGH] = (cl_uint)(room >> 32);
}

static clf_status collect(calling *c)
{
    const own *const kept = c->plan->own;
    const clf_array control = c->arguments.arrays[CONTROL];
    clf_arguments arguments = c->arguments;
    arguments.op = &kept->plan[COLLECT]->op;
    arguments.out = c->candidates;
    arguments.arrays[0] = (clf_array){control.buffer, control.offset + CONTROL_COLLECTED};
    arguments.arrays[1] = (clf_array){control.buffer, control.offset + CONTROL_THRESHOLD};
    arguments.numbers[0] = (cl_uint)c->shape->room;
    arguments.numbers[1] = (cl_uint)(c->shape->room >> 32);
    return clf_engine_enqueue(kept->plan[COLLECT]->engine[0], c->chain, &arguments, c->shape->size, &c->rest);
}

static clf_status by_steps(calling *c, const clf_array *to)
{
    const clf_top_k_shape *const s = c->shape;
    const cl_uint passes = (cl_uint)clf_type_size(c->plan->op.key_type);
    const cl_ulong groups = s->count * s->chunks;
    direct(c, to, s->sampled ? c->candidates : NULL);
    if (s->sampled) {
        CLF_TRY(launch(c, SAMPLE, 1));
        CLF_TRY(collect(c));
    }
    for (cl_uint pass = 0; pass < passes; ++pass) {
        c->arguments.numbers[PASS] = pass;
        CLF_TRY(launch(c, DIGIT, groups));
    }
    CLF_TRY(launch(c, COUNT, groups));
    return launch(c, TAKE, groups);
}

/* Groups that stride over `elements`. */
static cl_ulong striding(const calling *c, cl_ulong elements)
{
    const cl_ulong all = clf_ceiling(elements, c->plan->engine[0]->group);
    const cl_ulong most = clf_top_k_is_cpu(c->plan) ? 256 : 1 << 20;
    return all < most ? all : most;
}

/* Rows, in parts; then what these had. */
static clf_status by_few(calling *c)
{
    const clf_top_k_shape *const s = c->shape;
    const cl_ulong units = c->plan->engine[0]->group / clf_top_k_unit(&c->plan->context->facts,
                                                                      c->plan->engine[0]->group);
    const clf_array *from = NULL;
    cl_ulong size = s->size;
    for (cl_uint pass = 0;; ++pass) {
        const clf_top_k_parts p = clf_top_k_parts_of(c->plan, s, size);
        const clf_array *const to = p.parts == 1 ? c->results : pass % 2 ? c->unsorted : c->candidates;
        direct(c, to, from);
        set_room(c, size);
        c->arguments.numbers[PASS] = pass;
        c->arguments.numbers[CHUNKS] = p.parts;
        c->arguments.numbers[EACH] = p.each;
        CLF_TRY(launch(c, FEW, clf_ceiling(s->count * p.parts, units)));
        if (p.parts == 1)
            return CLF_SUCCESS;
        size = clf_top_k_parts_left(s, &p);
        from = to;
    }
}

/* Results by counting. Where they are few, several work-items count for each. */
static clf_status order_results(calling *c)
{
    enum { MOST = 32 /* work-items for each */, LEAST = 32 /* keys that each looks at */ };
    const cl_ulong results = c->shape->count * c->shape->results, group = c->plan->engine[0]->group;
    const cl_ulong busy = c->plan->context->facts.units * 1024ul;
    cl_uint parts = 1;
    direct(c, c->results, c->unsorted);
    if (clf_top_k_is_cpu(c->plan))
        return launch(c, ORDER, striding(c, results));
    while (parts < MOST && 2 * parts <= group && 2 * parts * LEAST <= c->shape->results && parts < busy / results)
        parts *= 2;
    c->arguments.numbers[CHUNKS] = parts;
    return launch(c, ORDER, clf_ceiling(results, group / parts));
}

/* Rows one after the other. Where the device knows how many rows there are, this is the only one (is_counted). */
static clf_status sort_rows(calling *c)
{
    const own *const kept = c->plan->own;
    const clf_array control = c->arguments.arrays[CONTROL], nowhere = {0};
    const clf_array actual = {control.buffer, (control.offset + CONTROL_RESULTS) * sizeof(cl_ulong)};
    const bool given = clf_arguments_size_given(&c->arguments);
    for (cl_ulong row = 0; row < c->shape->count; ++row) {
        clf_array values[CLF_MAX_FIELDS];
        for (cl_uint i = 0; i < c->plan->op.value.count; ++i)
            values[i] = (clf_array){c->results[i].buffer, c->results[i].offset + row * c->shape->results};
        const clf_sort_step step = {1, c->shape->results, true, clf_no_arrays, values, given ? actual : nowhere};
        CLF_TRY(clf_sort_within(kept->plan[SORT], c->chain, &step, &c->rest));
    }
    return CLF_SUCCESS;
}

/* For short rows, which some lanes have, or without lanes a work-item each element. */
static cl_ulong short_groups(const calling *c)
{
    const clf_top_k_shape *const s = c->shape;
    if (c->plan->context->facts.lane_width == 1)
        return striding(c, s->count * s->size);
    return clf_ceiling(s->count << s->chunks, c->plan->engine[0]->group);
}

static clf_status all_steps(calling *c)
{
    const clf_top_k_shape *const s = c->shape;
    const clf_array *const to = s->counted ? c->unsorted : c->results;
    direct(c, to, NULL);
    switch (s->way) {
    case CLF_TOP_BY_SHORT:
        c->arguments.numbers[CHUNKS] = s->chunks;
        return launch(c, SHORT, short_groups(c));
    case CLF_TOP_BY_FEW:
        return by_few(c);
    case CLF_TOP_BY_ROW:
        CLF_TRY(launch(c, ROW, s->count));
        break;
    default:
        CLF_TRY(by_steps(c, to));
    }
    if (s->sorted)
        return sort_rows(c);
    if (!s->counted)
        return CLF_SUCCESS;
    return order_results(c);
}

static void place(calling *c, const clf_top_k_layout *l, const clf_workspace *workspace)
{
    const clf_fields *const value = &c->plan->op.value;
    const cl_mem buffer = workspace->buffer;
    const cl_ulong at = workspace->offset;
    c->arguments.arrays[CONTROL] = (clf_array){buffer, at / sizeof(cl_ulong)};
    c->arguments.arrays[COUNTERS] = (clf_array){buffer, (at + l->counters) / sizeof(cl_uint)};
    c->arguments.arrays[PARTS] = (clf_array){buffer, (at + l->cleared) / sizeof(cl_ulong)};
    clf_values_place(value, c->shape->room, buffer, at + l->candidates, c->candidates);
    clf_values_place(value, c->shape->more, buffer, at + l->results, c->unsorted);
    c->arguments.out = c->out;
    c->arguments.array_count = c->plan->engine[0]->array_count;
    c->arguments.number_count = c->plan->engine[0]->number_count;
    set_room(c, c->shape->room);
    c->arguments.numbers[CHUNKS] = c->shape->chunks;
    c->arguments.numbers[HOW] = c->plan->flags & CLF_UNSORTED ? UNSORTED : 0;
}

typedef struct state {
    const clf_plan *plan;
    clf_top_k_shape shape;
} state;

static clf_status enqueue(void *own_state, clf_chain *chain, clf_arguments *arguments, const clf_array *scratch)
{
    const state *const is = own_state;
    const clf_top_k_layout l = clf_top_k_layout_of(is->plan, &is->shape);
    clf_workspace borrowed, *workspace = NULL;
    CLF_TRY(clf_scratch_take(is->plan->context, chain, scratch, l.all, &borrowed, &workspace));
    workspace->clean = 0; /* counts could be taken for messages */
    calling c = {.plan = is->plan, .shape = &is->shape, .chain = chain, .arguments = *arguments,
                 .rest = clf_scratch_behind(scratch, l.all), .results = arguments->out};
    place(&c, &l, workspace);
    clf_status status = CLF_SUCCESS;
    if (is->shape.way == CLF_TOP_BY_STEPS)
        status = clf_chain_fill(chain, workspace->buffer, workspace->offset, l.cleared);
    if (status == CLF_SUCCESS)
        status = all_steps(&c);
    clf_scratch_return(is->plan->context, chain, workspace, 0, status);
    return status;
}

static clf_status run(clf_plan *plan, const char *name, const clf_call *call, cl_ulong count, cl_ulong size, cl_ulong k,
                      const clf_array *in, const clf_array *out, bool counted)
{
    clf_check check;
    cl_ulong n;
    if (!plan || plan->primitive != &clf_top_k_primitive)
        return clf_refuse_plan(plan, name);
    CLF_TRY(clf_check_begin_in(&check, plan->context, name, &plan->op, call));
    check.values_apart = true;
    CLF_TRY(clf_check_out_count(&check, call, plan->op.value.count));
    CLF_TRY(clf_check_no_initial(&check, call, "top-k"));
    CLF_TRY(clf_rows_elements(&check, count, size, &n));
    const cl_ulong n_out[] = {count * (k < size ? k : size), 0}, n_in = n_out[0] ? n : 0;
    CLF_TRY(clf_check_arrays(&check, &plan->op, &n_in, n_out, in, out));
    if (n_out[0] == 0)
        return clf_run_nothing(&check, call);
    clf_arguments arguments = {.op = &plan->op, .in = in, .out = out, .count = count, .size = size,
                               .numbers = {[K_LOW] = (cl_uint)k, [K_HIGH] = (cl_uint)(k >> 32)}};
    state is = {plan, clf_top_k_shape_of(plan, count, size, k, call->actual.buffer != NULL)};
    return clf_run(&check, plan, call, &arguments, counted, enqueue, &is);
}

clf_status clf_top_k(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong k, const clf_array *in,
                     const clf_array *out)
{
    return run(plan, "clf_top_k", call, 1, n, k, in, out, false);
}

clf_status clf_segmented_top_k(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size, cl_ulong k,
                               const clf_array *in, const clf_array *out)
{
    return run(plan, "clf_segmented_top_k", call, count, size, k, in, out, true);
}
