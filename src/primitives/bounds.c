/* SPDX-License-Identifier: MIT */
/*
 * bounds: lower and upper bounds of needles in a sorted haystack. Sorted needles are merged with it but for the result
 * (cl/merge/path.cl); others are searched for, each by itself (cl/merge/search.cl).
 */
#include "primitives/primitives.h"

/* ---- Variants: of sorted needles ----------------------------------------------------------------------- */

static const char *const cuts[] = {"cuts", NULL};
static const char *const cpu_kernels[] = {"clf_bounds_cpu", NULL};
static const char *const tile_kernels[] = {"clf_path_cuts", "clf_bounds_tiles", NULL};

/* Of each element also a place. */
static cl_ulong tiles_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    const cl_ulong path = clf_path_local(facts, op, group, items);
    return path == CL_ULONG_MAX ? path : path + 4ul * group * items;
}

static clf_status tiles_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    return clf_path_launch(engine, run, arguments, 0);
}

static const clf_variant sorted_variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .file = "merge/bounds_cpu.cl", .kernels = cpu_kernels,
     .parameters = "items,streams", .defaults = clf_path_cpu_defaults, .run = clf_path_cpu_launch},
    {.name = "tiles", .file = "merge/bounds_tiles.cl", .kernels = tile_kernels, .numbers = cuts,
     .parameters = "items,group", .defaults = clf_path_defaults, .local = tiles_local, .run = tiles_launch},
    {.name = NULL},
};

/* ---- Variants: of any needles -------------------------------------------------------------------------- */

/* Needles of a work-item under way at a time: as many as 16 bytes of each field are, 4 at most. */
static void search_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const cl_uint most = 16 / clf_fields_largest(&op->input);
    clf_parameter_default(parameters, "group", clf_usual_group(facts));
    clf_parameter_default(parameters, "items", most > 4 ? 4 : most ? most : 1);
}

static void search_cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    enum { TILE = 4096 /* needles */, SIDE = 512 /* bytes of those that are searched for side by side */ };
    const cl_uint streams = SIDE / clf_fields_sum(&op->input);
    (void)facts;
    clf_parameter_default(parameters, "items", TILE);
    clf_parameter_default(parameters, "streams", streams < 1 ? 1 : streams < 64 ? streams : 64);
    if (clf_parameter_get(parameters, "streams", 0) == 0)
        clf_parameter_set(parameters, "streams", 1);
}

static clf_status search_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    return clf_run_launch(run, engine, 0, arguments, clf_ceiling(arguments->count, engine->tile));
}

static const char *const search_kernels[] = {"clf_search_items", NULL};
static const char *const search_cpu_kernels[] = {"clf_search_cpu", NULL};

static const clf_variant variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .file = "merge/search_cpu.cl", .kernels = search_cpu_kernels,
     .parameters = "items,streams", .defaults = search_cpu_defaults, .run = search_launch},
    {.name = "items", .file = "merge/search_items.cl", .kernels = search_kernels, .parameters = "items,group",
     .defaults = search_defaults, .local = clf_no_local, .run = search_launch},
    {.name = NULL},
};

/* ---- Primitives ---------------------------------------------------------------------------------------- */

static const clf_named_array uints[] = {{"uint", "positions"}, {NULL, NULL}};
static const clf_named_array ulongs[] = {{"ulong", "positions"}, {NULL, NULL}};

/* A plan's form is the type of positions. */
static const clf_named_array *arrays_of(const clf_operator_copy *op)
{
    return op->form == CLF_UINT ? uints : ulongs;
}

static void define(const clf_engine *engine, clf_text *options)
{
    clf_text_format(options, " -D CLF_UPPER=%d", (engine->flags & CLF_UPPER) != 0);
}

/* A haystack of `size` elements, and `count` needles. */
static clf_status check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task)
{
    const cl_ulong n = task->size, m = task->count, n_in[] = {n, m}, nothing = 0;
    const bool narrow = plan->op.form == CLF_UINT;
    CLF_TRY(clf_path_check_call(check, plan, call, "search for bounds"));
    CLF_TRY(clf_check_out_count(check, call, 1));
    if (n + m < n)
        return clf_refuse(check, CLF_E_OVERFLOW, "n + m does not fit 64 bits");
    if (narrow && n > CL_UINT_MAX)
        return clf_refuse(check, CLF_E_OVERFLOW, "positions in so many elements do not fit CLF_UINT");
    CLF_TRY(clf_check_arrays(check, &plan->op, n_in, &nothing, task->in, NULL));
    CLF_TRY(clf_check_out(check, task->out, narrow ? sizeof(cl_uint) : sizeof(cl_ulong), m));
    task->nothing = m == 0;
    return CLF_SUCCESS;
}

static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    return clf_path_run(plan, run, task, task->out);
}

#define BOUNDS(title, table)                                                                                           \
    {.name = title, .flags = CLF_UPPER | CLF_SORTED_NEEDLES | CLF_FROM_DEVICE, .function = CLF_FUNCTION_LESS,          \
     .in_sets = 2, .define = define, .arrays_of = arrays_of, .variants = table, .roles = clf_main_role,                \
     .choose = clf_choose_main, .check = check, .run = run, .worst = clf_path_worst}
const clf_primitive clf_bounds_primitive = BOUNDS("bounds", variants);
const clf_primitive clf_sorted_bounds_primitive = BOUNDS("sorted_bounds", sorted_variants);

clf_status clf_bounds_plan(clf_context *context, const clf_operator *op, clf_type positions, unsigned flags,
                           const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    const clf_primitive *const of = flags & CLF_SORTED_NEEDLES ? &clf_sorted_bounds_primitive : &clf_bounds_primitive;
    CLF_TRY(clf_path_check_operator("search for bounds", op, plan, error));
    CLF_TRY(clf_plan_none(plan, error));
    if (positions != CLF_UINT && positions != CLF_ULONG)
        return clf_fail(error, CLF_E_ARGUMENT, "positions are CLF_UINT or CLF_ULONG");
    return clf_plan_create_form(context, of, (clf_form){.number = positions}, op, flags, options, plan, error);
}

/* ---- Calls --------------------------------------------------------------------------------------------- */

clf_status clf_bounds(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong m, const clf_array *in,
                      const clf_array *out)
{
    const bool sorted = plan && plan->flags & CLF_SORTED_NEEDLES;
    const clf_primitive *const of = sorted ? &clf_sorted_bounds_primitive : &clf_bounds_primitive;
    clf_task task = {.size = n, .count = m, .in = in, .out = out};
    return clf_call_task(plan, of, "clf_bounds", call, &task);
}
