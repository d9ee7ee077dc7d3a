/* SPDX-License-Identifier: MIT */
/*
 * gather: elements moved by an array of indices, from where these say (gather) or to there (scatter). There is no
 * operator but a list of fields. The algorithms are in cl/gather/: both primitives have the same, told apart by
 * CLF_SCATTER.
 */
#include "primitives/primitives.h"

/* ---- Variants ---------------------------------------------------------------------------------------- */

/* Eight loads under way hide what memory takes for one; of elements of 16 bytes half of that is enough. */
static void direct_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    clf_parameter_default(parameters, "group", clf_usual_group(facts));
    clf_parameter_default(parameters, "items", clf_fields_largest(&op->value) < 16 ? 8 : 4);
}

/* Few enough indices to stay in the nearest cache. */
static void cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    (void)facts, (void)op;
    clf_parameter_default(parameters, "items", 4096);
}

static clf_status launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    return clf_run_launch(run, engine, 0, arguments, clf_ceiling(arguments->size, engine->tile));
}

static const char *const cpu_kernels[] = {"clf_gather_cpu", NULL};
static const char *const direct_kernels[] = {"clf_gather_direct", NULL};

static const clf_variant variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .file = "gather/gather_cpu.cl", .kernels = cpu_kernels,
     .parameters = "items", .defaults = cpu_defaults, .run = launch},
    {.name = "direct", .file = "gather/gather_direct.cl", .kernels = direct_kernels, .parameters = "items,group",
     .defaults = direct_defaults, .local = clf_no_local, .run = launch},
    {.name = NULL},
};

static const clf_named_array arrays[] = {{"const CLF_INDEX", "indices"}, {NULL, NULL}};

/* A plan's form is the type of its indices; and SCATTERS, if these say where elements go. */
enum { SCATTERS = 1 << 16 };

static bool scatters(const clf_operator_copy *op)
{
    return (op->form & SCATTERS) != 0;
}

static clf_type index_type_of(const clf_operator_copy *op)
{
    return (clf_type)(op->form & ~(cl_uint)SCATTERS);
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

/* `size` indices name elements of one side, which has `count`. */
static clf_status check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task)
{
    const cl_ulong named = task->count, count = task->size;
    const cl_uint bytes = (cl_uint)clf_type_size(index_type_of(&plan->op));
    const cl_ulong n_in = scatters(&plan->op) ? count : named, n_out = scatters(&plan->op) ? named : count;
    check->values_apart = true;
    CLF_TRY(clf_check_out_count(check, call, plan->op.value.count));
    CLF_TRY(clf_check_no_initial(check, call, plan->primitive->name));
    CLF_TRY(clf_check_entries(check, CLF_SPAN_INDICES, task->indices, bytes, count));
    CLF_TRY(clf_check_arrays(check, &plan->op, &n_in, &n_out, task->in, task->out));
    task->nothing = count == 0 || named == 0;
    return CLF_SUCCESS;
}

static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    clf_arguments arguments;
    CLF_TRY(clf_run_begin(run, plan->engine[0], task, &arguments));
    arguments.arrays[0] = clf_array_of(task->indices);
    return launch(plan->engine[0], run, &arguments);
}

/* ---- Primitives -------------------------------------------------------------------------------------- */

static void define(const clf_engine *engine, clf_text *options)
{
    clf_text_format(options, " -D CLF_SCATTER=%d -D CLF_INDEX=%s", scatters(engine->op),
                    clf_type_name(index_type_of(engine->op)));
}

#define PRIMITIVE(primitive)                                                                                           \
    {.name = primitive, .flags = CLF_FROM_DEVICE, .function = CLF_FUNCTION_NONE, .define = define,                     \
     .arrays = arrays, .variants = variants, .roles = clf_main_role, .choose = clf_choose_main, .check = check,        \
     .run = run}
const clf_primitive clf_gather_primitive = PRIMITIVE("gather");
const clf_primitive clf_scatter_primitive = PRIMITIVE("scatter");

/* ---- Plans ------------------------------------------------------------------------------------------- */

static clf_status plan_of(const clf_primitive *primitive, cl_uint form, clf_context *context, const char *fields,
                          clf_type index_type, unsigned flags, const clf_plan_options *options, clf_plan **plan,
                          clf_error *error)
{
    const clf_operator op = {.size = sizeof op, .value = fields, .source = ""};
    clf_fields parsed;
    CLF_TRY(clf_plan_none(plan, error));
    if (!fields)
        return clf_fail(error, CLF_E_ARGUMENT, "fields must not be NULL");
    CLF_TRY(clf_fields_parse(fields, "fields", &parsed, error)); /* so that messages call it that */
    if (index_type != CLF_UINT && index_type != CLF_ULONG)
        return clf_fail(error, CLF_E_ARGUMENT, "indices are CLF_UINT or CLF_ULONG");
    return clf_plan_create_form(context, primitive, (clf_form){.number = form | index_type}, &op, flags, options, plan,
                                error);
}

clf_status clf_gather_plan(clf_context *context, const char *fields, clf_type index_type, unsigned flags,
                           const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return plan_of(&clf_gather_primitive, 0, context, fields, index_type, flags, options, plan, error);
}

clf_status clf_scatter_plan(clf_context *context, const char *fields, clf_type index_type, unsigned flags,
                            const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return plan_of(&clf_scatter_primitive, SCATTERS, context, fields, index_type, flags, options, plan, error);
}

clf_status clf_gather(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong m, const clf_array *in,
                      const clf_array *indices, const clf_array *out)
{
    clf_task task = {.count = n, .size = m, .in = in, .out = out, .indices = indices};
    return clf_call_task(plan, &clf_gather_primitive, "clf_gather", call, &task);
}

clf_status clf_scatter(clf_plan *plan, const clf_call *call, cl_ulong m, cl_ulong n, const clf_array *in,
                       const clf_array *indices, const clf_array *out)
{
    clf_task task = {.count = n, .size = m, .in = in, .out = out, .indices = indices};
    return clf_call_task(plan, &clf_scatter_primitive, "clf_scatter", call, &task);
}
