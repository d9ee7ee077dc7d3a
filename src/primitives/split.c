/* SPDX-License-Identifier: MIT */
/*
 * split: a stable partition by a digit into up to 256 parts, one behind the other: a pass of a radix sort (digits.c).
 */
#include "primitives/primitives.h"

#include <stdlib.h>

/* ---- Variants ---------------------------------------------------------------------------------------- */

enum { MOST_PARTS = 256 };

static cl_ulong tile_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    return clf_digits_local(facts, op, op->form, true, group, items);
}

/*
 * 24 words per work-item: long runs of each part count for more than many groups at a time (on an H200). Bytes: as many
 * as there are registers for; AMD's compilers take more for each.
 */
static void tile_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const cl_uint items = 120 / (clf_fields_largest(&op->value) + 1), most = facts->lane_width > 32 ? 32 : 48;
    clf_parameter_default(parameters, "group", clf_usual_group(facts));
    clf_parameter_default(parameters, "items", items > most ? most : items > 1 ? items : 1);
}

/* Tiles so large that the matrix of counts is little beside them. */
static void cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    (void)facts, (void)op;
    clf_parameter_default(parameters, "items", 32768);
}

enum { UP, DOWN };
static const char *const cpu_kernels[] = {"clf_split_cpu_up", "clf_split_cpu_down", NULL};
static const char *const tile_kernels[] = {"clf_split_up", "clf_split_down", NULL};
enum { PARTS, TELL };
static const char *const numbers[] = {"parts", "tell", NULL};
/* numbers[TELL]: cl/split/part.cl */
enum { TELL_NOTHING, TELL_COUNTS, TELL_STARTS };

static const clf_variant variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .file = "split/split_cpu.cl", .kernels = cpu_kernels, .numbers = numbers,
     .parameters = "items", .defaults = cpu_defaults},
    {.name = "tile", .file = "split/split_tile.cl", .kernels = tile_kernels, .numbers = numbers,
     .parameters = "items,group", .defaults = tile_defaults, .local = tile_local},
    {.name = NULL},
};

/* ---- What a plan keeps ------------------------------------------------------------------------------- */

typedef struct own {
    cl_uint parts;
    clf_plan *scan; /* of counts */
} own;

static clf_status compile(clf_plan *plan, clf_error *error)
{
    return clf_plan_compile(((const own *)plan->own)->scan, error);
}

static void close(clf_plan *plan)
{
    own *const kept = plan->own;
    if (kept && kept->scan)
        clf_plan_release(kept->scan);
    free(kept);
}

enum { COUNTS, PLACES, RESULT };
static const clf_named_array arrays[] = {
    {"uint", "tile_counts"}, {"ulong", "places"}, {"ulong", "result"}, {NULL, NULL}};

/* ---- Calls ------------------------------------------------------------------------------------------- */

static clf_status check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task)
{
    const clf_operator_copy *const op = &plan->op;
    task->most = ((const own *)plan->own)->parts;
    CLF_TRY(clf_check_out_count(check, call, op->value.count + op->extra.count));
    check->values_apart = true;
    CLF_TRY(clf_check_no_initial(check, call, "split"));
    CLF_TRY(clf_check_arrays(check, op, &task->size, &task->size, task->in, task->out));
    task->nothing = task->size == 0 && !task->result;
    return task->result ? clf_check_result_count(check, task->result, task->most) : CLF_SUCCESS;
}

/* Without elements every part has none. A step is told where parts start. */
static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    clf_engine *const engine = plan->engine[0];
    const clf_digits_step step = {((const own *)plan->own)->scan, UP, DOWN, COUNTS, PLACES, (cl_uint)task->most,
                                  clf_ceiling(task->size, engine->tile)};
    clf_arguments arguments;
    if (task->size == 0 && task->result)
        return clf_run_zero(run, task->result, task->most, sizeof(cl_ulong));
    CLF_TRY(clf_run_begin(run, engine, task, &arguments));
    clf_digits_take(run, &step, &arguments);
    arguments.arrays[RESULT] = clf_array_of(task->result ? task->result : task->told);
    arguments.numbers[PARTS] = step.digits;
    arguments.numbers[TELL] = task->result ? TELL_COUNTS : task->told ? TELL_STARTS : TELL_NOTHING;
    return clf_digits_run(engine, run, &step, &arguments);
}

static cl_uint worst(const clf_plan *plan, cl_ulong n, cl_ulong count, clf_task *tasks)
{
    (void)count;
    tasks[0].size = n;
    tasks[0].most = ((const own *)plan->own)->parts;
    return 1;
}

/* ---- Primitives -------------------------------------------------------------------------------------- */

/* A plan's form is how many parts its kernels are made for at most: a power of two. */
static cl_uint form_for(cl_uint parts)
{
    cl_uint most = 2;
    while (most < parts)
        most *= 2;
    return most;
}

static void define(const clf_engine *engine, clf_text *options)
{
    clf_text_format(options, " -D CLF_PARTS=%u", engine->op->form);
}

const clf_primitive clf_split_primitive = {
    .name = "split", .flags = CLF_FROM_DEVICE, .function = CLF_FUNCTION_PART, .define = define, .arrays = arrays,
    .variants = variants, .roles = clf_main_role, .choose = clf_choose_main, .check = check, .run = run,
    .worst = worst, .compile = compile, .close = close};

static clf_status open(clf_plan *plan, cl_uint parts, clf_error *error)
{
    CLF_TRY(clf_own_memory(plan, sizeof(own), error));
    own *const kept = plan->own;
    kept->parts = parts;
    return clf_digits_scan_plan(plan->context, &kept->scan, error);
}

clf_status clf_split_plan(clf_context *context, const clf_operator *op, cl_uint parts, unsigned flags,
                          const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_plan_none(plan, error));
    if (parts == 0 || parts > MOST_PARTS)
        return clf_fail(error, CLF_E_ARGUMENT, "a split has 1 to %d parts, not %u", MOST_PARTS, (unsigned)parts);
    CLF_TRY(clf_plan_create_form(context, &clf_split_primitive, (clf_form){.number = form_for(parts)}, op, flags,
                                 options, plan, error));
    return clf_own_finish(plan, open(*plan, parts, error));
}

clf_status clf_split_step_plan(clf_context *context, const clf_operator *op, unsigned flags, clf_plan **plan,
                               clf_error *error)
{
    const clf_form form = {.number = MOST_PARTS, .later = true}; /* calls say how many parts there are */
    CLF_TRY(clf_plan_create_form(context, &clf_split_primitive, form, op, flags, NULL, plan, error));
    return clf_own_weaken(plan, clf_own_finish(plan, open(*plan, MOST_PARTS, error)));
}

clf_status clf_split(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in, const clf_array *out,
                     const clf_array *result_counts)
{
    clf_task task = {.count = 1, .size = n, .in = in, .out = out, .result = result_counts};
    return clf_call_task(plan, &clf_split_primitive, "clf_split", call, &task);
}
