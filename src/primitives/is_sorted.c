/* SPDX-License-Identifier: MIT */
/*
 * is_sorted: how many elements are sorted from the start (cl/merge/is_sorted.cl): what each group finds, and then the
 * least of it.
 */
#include "primitives/primitives.h"

enum { GROUPS, RESULT }; /* kernels */

static const char *const numbers[] = {"groups", NULL};
static const char *const kernels[] = {"clf_is_sorted_groups", "clf_is_sorted_result", NULL};
static const clf_named_array result[] = {{"ulong", "result"}, {NULL, NULL}};

/* Pairs of a work-item under way at a time: 64 bytes of each of their elements. */
static void tile_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const cl_uint most = 64 / clf_fields_sum(&op->input);
    clf_parameter_default(parameters, "group", clf_usual_group(facts));
    clf_parameter_default(parameters, "items", most > 16 ? 16 : most ? most : 1);
    clf_parameter_default(parameters, "groups", 8 * facts->units);
}

static void cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    (void)op;
    clf_parameter_default(parameters, "items", 1 << 10);
    clf_parameter_default(parameters, "groups", 4 * facts->units);
}

static cl_ulong local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    (void)facts, (void)op, (void)items;
    return (cl_ulong)group * sizeof(cl_ulong);
}

/* There is a group at least: someone has to say that there is nothing. */
static cl_uint groups_of(const clf_engine *engine, cl_ulong n)
{
    const cl_uint most = clf_parameter_get(&engine->parameters, "groups", 1);
    const cl_ulong tiles = clf_ceiling(n, engine->tile);
    return tiles < most ? tiles ? (cl_uint)tiles : 1 : most;
}

static clf_status launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    const cl_uint groups = groups_of(engine, arguments->size);
    clf_run_scratch(run, CLF_PLAIN, groups > 1 ? clf_scratch_for(groups, sizeof(cl_ulong)) : 0, arguments);
    arguments->numbers[0] = groups;
    CLF_TRY(clf_run_launch(run, engine, GROUPS, arguments, groups));
    return groups > 1 ? clf_run_launch(run, engine, RESULT, arguments, 1) : CLF_SUCCESS;
}

static const clf_variant variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .file = "merge/is_sorted_cpu.cl", .kernels = kernels, .numbers = numbers,
     .parameters = "items,groups", .defaults = cpu_defaults, .run = launch},
    {.name = "tiles", .file = "merge/is_sorted_tiles.cl", .kernels = kernels, .numbers = numbers,
     .parameters = "items,group,groups", .defaults = tile_defaults, .local = local, .run = launch},
    {.name = NULL},
};

static clf_status check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task)
{
    const cl_ulong nothing = 0;
    CLF_TRY(clf_check_out_count(check, call, 0));
    CLF_TRY(clf_check_no_initial(check, call, "test whether elements are sorted"));
    if (!task->result)
        return clf_refuse(check, CLF_E_ARGUMENT, "result_count is NULL");
    CLF_TRY(clf_check_arrays(check, &plan->op, &task->size, &nothing, task->in, NULL));
    return clf_check_result_count(check, task->result, 1);
}

static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    clf_arguments arguments;
    CLF_TRY(clf_run_begin(run, plan->engine[0], task, &arguments));
    arguments.in = task->size ? task->in : clf_no_arrays;
    arguments.arrays[0] = clf_array_of(task->result);
    return launch(plan->engine[0], run, &arguments);
}

const clf_primitive clf_is_sorted_primitive = {
    .name = "is_sorted", .flags = CLF_FROM_DEVICE, .function = CLF_FUNCTION_LESS, .arrays = result,
    .variants = variants, .roles = clf_main_role, .choose = clf_choose_main, .check = check, .run = run};

clf_status clf_is_sorted_plan(clf_context *context, const clf_operator *op, unsigned flags,
                              const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_path_check_operator("test whether elements are sorted", op, plan, error));
    return clf_plan_create(context, &clf_is_sorted_primitive, op, flags, options, plan, error);
}

clf_status clf_is_sorted(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                         const clf_array *result_count)
{
    clf_task task = {.count = 1, .size = n, .in = in, .out = clf_no_arrays, .result = result_count};
    return clf_call_task(plan, &clf_is_sorted_primitive, "clf_is_sorted", call, &task);
}
