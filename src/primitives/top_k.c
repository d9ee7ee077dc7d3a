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
 *   sort     of a few elements as many results as a list has no room for: all are sorted by one group (sort_few.c)
 *   short    rows of few elements are sorted as a whole, in registers; without lanes by counting, as results are, too
 *   lead     a few of each of many short rows, by a few lanes, in registers
 *
 * Many results are sorted by sort.c.
 */
#include "primitives/primitives.h"

#include <stdlib.h>

/* ---- Variants ---------------------------------------------------------------------------------------- */

enum { DIGITS = 256, COPIES = 4 /* of counters */ };

cl_ulong clf_top_k_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    const cl_ulong warps = clf_top_k_warps(facts, group);
    const cl_ulong totals = facts->lane_width > 1 ? warps : group + group / 7 + 8;
    const cl_ulong by_digits = 4 * DIGITS * COPIES + 8 * totals + 16 * warps + 64;
    const cl_ulong entry = sizeof(cl_uint) + (op->key_bytes > 4 ? op->key_bytes : sizeof(cl_uint));
    const cl_ulong in_lists = 4 * totals + group / clf_top_k_unit(facts, group) * clf_top_k_list(facts, group) * entry;
    (void)items;
    return by_digits > in_lists ? by_digits : in_lists;
}

void clf_top_k_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    (void)op;
    const cl_uint usual = clf_usual_group(facts);
    clf_parameter_default(parameters, "group", facts->lane_width == 1 && usual > 64 ? 64 : usual);
}

enum { SAMPLE, DIGIT, COUNT, TAKE, ROW, FEW, SHORT, ORDER, LEAD };
static const char *const kernels[] = {"clf_top_sample", "clf_top_digits", "clf_top_count", "clf_top_take",
                                      "clf_top_row", "clf_top_few", "clf_top_short", "clf_top_order",
                                      "clf_top_lead", NULL};
enum { K_LOW, K_HIGH, ROOM_LOW, ROOM_HIGH, PASS, CHUNKS, EACH, HOW };
static const char *const numbers[] = {"k_low", "k_high", "room_low", "room_high", "pass", "chunks", "each", "how",
                                      NULL};
enum { UNSORTED = 1 }; /* numbers[HOW]: cl/top_k/work.cl */

static const clf_variant variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .file = "top_k/top_k_cpu.cl", .kernels = kernels, .numbers = numbers},
    {.name = "groups", .file = "top_k/top_k_groups.cl", .kernels = kernels, .numbers = numbers, .parameters = "group",
     .defaults = clf_top_k_defaults, .local = clf_top_k_local},
    {.name = NULL},
};

/* ---- What a plan keeps ------------------------------------------------------------------------------- */

enum { COLLECT, SORT, FEWEST = CLF_TOP_K_FEWEST };
typedef clf_own_steps own;

/* ---- The primitive ----------------------------------------------------------------------------------- */

enum { CONTROL, COUNTERS, PARTS };
enum { CONTROL_THRESHOLD, CONTROL_COLLECTED, CONTROL_RESULTS }; /* words of it */
static const clf_named_array arrays[] = {{"ulong", "control"}, {"uint", "counters"}, {"ulong", "parts"}, {NULL, NULL}};

/* ---- Calls ------------------------------------------------------------------------------------------- */

/* A call under way. */
typedef struct calling {
    const clf_plan *plan;
    const clf_top_k_shape *shape;
    clf_run *run;
    clf_arguments arguments;
    clf_array out[2 * CLF_MAX_FIELDS]; /* of the next launch: where it writes, and what there is in scratch */
    const clf_array *results;          /* the caller's */
    clf_array candidates[CLF_MAX_FIELDS], unsorted[CLF_MAX_FIELDS];
} calling;

static clf_status launch(calling *c, cl_uint kernel, cl_ulong groups)
{
    return clf_run_launch(c->run, c->plan->engine[0], kernel, &c->arguments, groups);
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
    const clf_array result = {control.buffer, control.offset + CONTROL_COLLECTED};
    const clf_array threshold = {control.buffer, control.offset + CONTROL_THRESHOLD};
    const clf_task task = {.count = 1, .size = c->shape->size, .most = c->shape->room, .in = c->arguments.in,
                           .out = c->candidates, .result = &result, .told = &threshold,
                           .given = c->arguments.given, .flags = c->arguments.flags};
    return clf_run_step(c->run, kept->plan[COLLECT], &task);
}

static clf_status by_steps(calling *c, const clf_array *to)
{
    const clf_top_k_shape *const s = c->shape;
    const cl_uint passes = c->plan->op.key_bytes;
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
    const cl_ulong units = c->plan->engine[0]->group /
                           clf_top_k_unit(&c->plan->context->facts, c->plan->engine[0]->group);
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
    clf_array in[2 * CLF_MAX_FIELDS];
    const clf_array *const read = clf_captured_alone(&c->plan->op, c->arguments.in, in);
    for (cl_ulong row = 0; row < c->shape->count; ++row) {
        clf_array values[CLF_MAX_FIELDS];
        for (cl_uint i = 0; i < c->plan->op.value.count; ++i)
            values[i] = (clf_array){c->results[i].buffer, c->results[i].offset + row * c->shape->results};
        const clf_task sort = {.count = 1, .size = c->shape->results, .in_place = true, .in = read, .out = values,
                               .given = given ? actual : nowhere,
                               .flags = given ? CLF_ARG_GIVEN_SIZE : 0};
        CLF_TRY(clf_run_step(c->run, kept->plan[SORT], &sort));
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

/* For any shape. */
static clf_status measure_steps(calling *c)
{
    if (c->shape->sampled)
        CLF_TRY(collect(c));
    return c->shape->sorted ? sort_rows(c) : CLF_SUCCESS;
}

/* A few elements are sorted as a whole, in one launch. */
static clf_status by_sort(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    const own *const kept = plan->own;
    clf_task sort = *task;
    sort.counted = false;
    return clf_run_step(run, kept->plan[FEWEST], &sort);
}

static clf_status all_steps(calling *c)
{
    const clf_top_k_shape *const s = c->shape;
    const clf_array *const to = s->counted ? c->unsorted : c->results;
    direct(c, to, NULL);
    switch (s->way) {
    case CLF_TOP_BY_SHORT: c->arguments.numbers[CHUNKS] = s->chunks; return launch(c, SHORT, short_groups(c));
    case CLF_TOP_BY_LEAD: return launch(c, LEAD, short_groups(c));
    case CLF_TOP_BY_FEW: return by_few(c);
    case CLF_TOP_BY_ROW: CLF_TRY(launch(c, ROW, s->count)); break;
    default: CLF_TRY(by_steps(c, to));
    }
    if (s->sorted)
        return sort_rows(c);
    if (!s->counted)
        return CLF_SUCCESS;
    return order_results(c);
}

static void place(calling *c)
{
    const clf_fields *const value = &c->plan->op.value;
    clf_array *const to = c->arguments.arrays;
    clf_top_k_take(c->plan, c->run, c->shape, &to[CONTROL], &to[COUNTERS], &to[PARTS]);
    clf_run_values(c->run, value, c->shape->room, c->candidates);
    clf_run_values(c->run, value, c->shape->more, c->unsorted);
    c->arguments.out = c->out;
    set_room(c, c->shape->room);
    c->arguments.numbers[CHUNKS] = c->shape->chunks;
    c->arguments.numbers[HOW] = c->plan->flags & CLF_UNSORTED ? UNSORTED : 0;
}

static clf_status check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task)
{
    cl_ulong n;
    check->values_apart = true;
    CLF_TRY(clf_check_out_count(check, call, plan->op.value.count));
    CLF_TRY(clf_check_no_initial(check, call, "top-k"));
    CLF_TRY(clf_rows_elements(check, task->count, task->size, &n));
    const cl_ulong n_out[] = {task->count * clf_least(task->most, task->size), 0}, n_in = n_out[0] ? n : 0;
    task->nothing = n_out[0] == 0;
    return clf_check_arrays(check, &plan->op, &n_in, n_out, task->in, task->out);
}

static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    const clf_top_k_shape shape = clf_top_k_shape_of(plan, task);
    calling c = {.plan = plan, .shape = &shape, .run = run, .results = task->out};
    if (shape.way == CLF_TOP_BY_SORT)
        return by_sort(plan, run, task);
    CLF_TRY(clf_run_begin(run, plan->engine[0], task, &c.arguments));
    c.arguments.numbers[K_LOW] = (cl_uint)task->most;
    c.arguments.numbers[K_HIGH] = (cl_uint)(task->most >> 32);
    place(&c);
    return task->any ? measure_steps(&c) : all_steps(&c);
}

static cl_uint worst(const clf_plan *plan, cl_ulong n, cl_ulong count, clf_task *tasks)
{
    (void)plan, (void)count;
    tasks[0].size = n;
    return 1;
}

/* The sort of a few elements has one kernel; no other is compiled. */
static clf_status compile(clf_plan *plan, clf_error *error)
{
    const own *const kept = plan->own;
    CLF_TRY(clf_plan_compile(kept->plan[COLLECT], error));
    CLF_TRY(clf_plan_compile(kept->plan[SORT], error));
    return kept->plan[FEWEST] ? clf_sort_compile_few(kept->plan[FEWEST], error) : CLF_SUCCESS;
}

const clf_primitive clf_top_k_primitive = {
    .name = "top_k", .flags = CLF_DESCENDING | CLF_TOTAL_ORDER | CLF_UNSORTED | CLF_FROM_DEVICE,
    .function = CLF_FUNCTION_KEY, .out_sets = 2 /* out, and what is in scratch */, .define = clf_define_order,
    .write = clf_key_write, .arrays = arrays, .variants = variants, .parameters = "limit,groups,counted,few",
    .roles = clf_main_role, .choose = clf_choose_main, .check = check, .run = run, .worst = worst,
    .compile = compile, .close = clf_own_steps_close};

static clf_status open(clf_plan *plan, const clf_operator *op, clf_error *error)
{
    const unsigned flags = plan->flags & ~CLF_UNSORTED;
    CLF_TRY(clf_own_memory(plan, sizeof(own), error));
    own *const kept = plan->own;
    CLF_TRY(clf_least_plan(plan->context, op, flags, &kept->plan[COLLECT], error));
    CLF_TRY(clf_sort_step_plan(plan->context, op, true, flags, &kept->plan[SORT], error));
    if (clf_top_k_is_cpu(plan) || plan->flags & CLF_UNSORTED)
        return CLF_SUCCESS;
    return clf_sort_step_plan(plan->context, op, false, flags, &kept->plan[FEWEST], error);
}

clf_status clf_top_k_plan(clf_context *context, const clf_operator *op, unsigned flags, const clf_plan_options *options,
                          clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_plan_create(context, &clf_top_k_primitive, op, flags, options, plan, error));
    return clf_own_finish(plan, open(*plan, op, error));
}

clf_status clf_top_k(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong k, const clf_array *in,
                     const clf_array *out)
{
    clf_task task = {.count = 1, .size = n, .most = k, .in = in, .out = out};
    return clf_call_task(plan, &clf_top_k_primitive, "clf_top_k", call, &task);
}

clf_status clf_segmented_top_k(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size, cl_ulong k,
                               const clf_array *in, const clf_array *out)
{
    clf_task task = {.count = count, .size = size, .most = k, .counted = true, .in = in, .out = out};
    return clf_call_task(plan, &clf_top_k_primitive, "clf_segmented_top_k", call, &task);
}
