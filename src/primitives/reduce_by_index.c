/* SPDX-License-Identifier: MIT */
/*
 * reduce_by_index: histograms with any operator: elements combined by the bin that each belongs to. Which way is taken
 * depends on sizes alone (cl/reduce_by_index/):
 *
 *   local    groups combine their chunks in tables in local memory, in as many slices of the bins as it takes; what
 *            chunks add up to is combined by a second launch
 *   global   one table in global memory, for many bins
 *   cpu      a table for each core, or a slice of the bins
 */
#include "primitives/primitives.h"

/* ---- Variants ---------------------------------------------------------------------------------------- */

/* Vectors of the narrowest array, and several under way; not so many that the code does not fit caches. */
static void walk_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    enum { UNDER_WAY = 64 /* bytes of the inputs of a work-item */, MOST = 32 };
    const cl_uint chunk = 16 / clf_smallest_field(op), element = op->input.count ? clf_fields_sum(&op->input) : 4;
    const cl_uint rows = UNDER_WAY / (chunk * element);
    clf_parameter_default(parameters, "items", chunk * rows > MOST ? MOST : rows > 1 ? chunk * rows : chunk);
    clf_parameter_default(parameters, "groups", facts->compute_units * (facts->type & CL_DEVICE_TYPE_CPU ? 1 : 4));
}

/* Few slices of the bins count for most; then work-items, so that two such groups of an H200 fill a compute unit. */
static void local_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    enum { LOCAL = 96 << 10, USUAL = 48 << 10, ASIDE = 64 /* bytes that drivers keep for themselves */ };
    const bool is_cpu = facts->type & CL_DEVICE_TYPE_CPU;
    const cl_ulong most = facts->local_bytes + facts->local_more;
    cl_ulong bytes = clf_parameter_get(parameters, "local", 0);
    if (bytes == 0 || bytes > most)
        bytes = most >= LOCAL ? LOCAL : most >= USUAL ? USUAL : most - ASIDE;
    const cl_uint usual = clf_usual_group(facts), wanted = bytes > USUAL ? 1024 : 512;
    const cl_uint group = facts->max_group < wanted ? usual : wanted;
    const cl_uint cells = (cl_uint)(bytes / clf_index_cell_bytes(op));
    clf_parameter_set(parameters, "cells", cells > 64 ? cells : 64);
    clf_parameter_default(parameters, "group", is_cpu ? usual : group);
    if (!is_cpu)
        clf_parameter_default(parameters, "groups", facts->compute_units * (group > 512 ? 2 : 4));
    clf_parameter_default(parameters, "limit", 12);
    walk_defaults(facts, op, parameters);
}

static void global_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    clf_parameter_default(parameters, "group", clf_usual_group(facts));
    if (!(facts->type & CL_DEVICE_TYPE_CPU))
        clf_parameter_default(parameters, "groups", 8 * facts->compute_units);
    walk_defaults(facts, op, parameters);
}

static void cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    (void)op;
    clf_parameter_set(parameters, "group", 1);
    clf_parameter_default(parameters, "groups", facts->compute_units);
}

enum { MAIN, FINISH, FINISH_TEAM, START = 2, SAMPLE }; /* kernels */
static const char *const cpu_kernels[] = {"clf_index_cpu", "clf_index_finish", NULL};
static const char *const local_kernels[] = {"clf_index_local", "clf_index_finish", "clf_index_finish_team", NULL};
static const char *const global_kernels[] = {"clf_index_global", "clf_index_finish", "clf_index_start",
                                             "clf_index_sample", NULL};

enum { BINS_LOW, BINS_HIGH, ROWS_EACH, CHUNKS, SLICES, COPIES, TEAM, HOW };
static const char *const numbers[] = {"bins_low", "bins_high", "rows_each", "chunks", "slices", "copies", "team",
                                      "how", NULL};
enum { HOW_UPDATE = 1, HOW_DIRECT = 2, HOW_SCATTER = 4, HOW_HOT = 8 }; /* numbers[HOW]: cl/reduce_by_index/bins.cl */

static const clf_variant variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .file = "reduce_by_index/index_cpu.cl", .kernels = cpu_kernels,
     .numbers = numbers, .parameters = "groups", .defaults = cpu_defaults},
    {.name = "local", .file = "reduce_by_index/index_local.cl", .kernels = local_kernels, .numbers = numbers,
     .parameters = "items,group,groups,local,limit", .defaults = local_defaults, .local = clf_no_local},
    {.name = "global", .file = "reduce_by_index/index_global.cl", .kernels = global_kernels, .numbers = numbers,
     .parameters = "items,group,groups", .defaults = global_defaults, .local = clf_no_local},
    {.name = NULL},
};

/* ---- The primitive ----------------------------------------------------------------------------------- */

enum { TABLES, HOT };
static const clf_named_array arrays[] = {{"uint", "tables"}, {"uint", "hot"}, {NULL, NULL}};
static const char *const roles[] = {"main", "wide", NULL};

/* Beside local tables there is one in global memory. */
static const clf_variant *variant_for(const clf_plan *plan, cl_uint role)
{
    (void)role;
    return clf_index_way_of(plan->engine[0]) == CLF_INDEX_LOCAL ? clf_variant_named(plan->primitive, "global") : NULL;
}

/* The plan is compiled when it is known that its engines can have the values. */
const clf_primitive clf_reduce_by_index_primitive = {
    .name = "reduce_by_index", .flags = CLF_FROM_DEVICE | CLF_UPDATE,
    .function = CLF_FUNCTION_COMBINE | CLF_FUNCTION_PART, .later = true, .arrays = arrays, .variants = variants,
    .roles = roles, .variant_for = variant_for, .choose = clf_choose_main, .scratch = clf_index_scratch};

static clf_status check_operator(const clf_operator *op, clf_error *error)
{
    if (!op || op->size != sizeof *op)
        return CLF_SUCCESS; /* clf_plan_create says so */
    if (op->extra)
        return clf_fail(error, CLF_E_ARGUMENT, "a reduce_by_index has no extra outputs");
    if (!(op->flags & CLF_COMMUTATIVE))
        return clf_fail(error, CLF_E_UNSUPPORTED, "a reduce_by_index takes elements in any order: its operator must be "
                        "CLF_COMMUTATIVE");
    return CLF_SUCCESS;
}

/* What the plan can do with the operator. */
static clf_status check_plan(const clf_plan *plan, clf_error *error)
{
    const clf_operator_copy *const op = &plan->op;
    const clf_field *const first = &op->input.field[0];
    const cl_uint bytes = clf_fields_sum(&op->value);
    const cl_uint most = plan->context->facts.int64_atomics ? 8 : 4;
    if (!op->part && (op->input.count == 0 || first->width != 1 || clf_type_is_real(first->type)))
        return clf_fail(error, CLF_E_ARGUMENT, "where the operator has no part, the first field of input is the bin, "
                        "and must be an integer scalar");
    if (clf_index_way_of(plan->engine[0]) != CLF_INDEX_CPU && bytes > most)
        return clf_fail(error, CLF_E_UNSUPPORTED, "values of %u bytes cannot be updated by variant \"%s\": this device "
                        "has atomics of %u bytes", bytes, plan->engine[0]->variant->name, most);
    return CLF_SUCCESS;
}

clf_status clf_reduce_by_index_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                    const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_error_reset(error));
    CLF_TRY(check_operator(op, error));
    CLF_TRY(clf_plan_create(context, &clf_reduce_by_index_primitive, op, flags, options, plan, error));
    clf_status status = check_plan(*plan, error);
    if (status == CLF_SUCCESS)
        status = clf_engine_compile((*plan)->engine[0], error);
    if (status != CLF_SUCCESS) {
        clf_plan_release(*plan);
        *plan = NULL;
    }
    return status;
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

static clf_status launch(const clf_index_cut *c, clf_chain *chain, const clf_arguments *arguments, cl_uint kernel,
                         cl_ulong groups)
{
    return clf_launch(chain, &c->engine->kernels[kernel], arguments, groups, c->engine->group);
}

/* Groups that stride over the bins. */
static cl_ulong striding(const clf_index_cut *c)
{
    const cl_ulong groups = clf_ceiling(c->rows * c->bins, c->engine->group);
    const cl_ulong most = clf_index_way_of(c->engine) == CLF_INDEX_CPU ? 256 : 1 << 16;
    return groups < most ? groups : most;
}

static clf_status finish(const clf_index_cut *c, clf_chain *chain, clf_arguments *arguments)
{
    if (c->direct)
        return CLF_SUCCESS;
    if (clf_index_way_of(c->engine) == CLF_INDEX_GLOBAL)
        arguments->numbers[CHUNKS] = 1; /* of tables */
    if (c->team > 1)
        return launch(c, chain, arguments, FINISH_TEAM, clf_ceiling(c->rows * c->bins, c->engine->group / c->team));
    return launch(c, chain, arguments, FINISH, striding(c));
}

static clf_status all_steps(const clf_index_cut *c, clf_chain *chain, clf_arguments *arguments)
{
    const bool global = clf_index_way_of(c->engine) == CLF_INDEX_GLOBAL;
    const cl_ulong parts = clf_ceiling(c->rows, c->rows_each) * c->chunks * c->slices;
    if (c->hot)
        CLF_TRY(launch(c, chain, arguments, SAMPLE, 1));
    if (global && !(c->direct && c->update))
        CLF_TRY(launch(c, chain, arguments, START, striding(c)));
    const bool strides = parts > CLF_INDEX_GROUPS && clf_index_way_of(c->engine) != CLF_INDEX_LOCAL;
    const cl_ulong groups = strides ? CLF_INDEX_GROUPS : parts;
    CLF_TRY(launch(c, chain, arguments, MAIN, groups));
    return finish(c, chain, arguments);
}

static clf_status enqueue(void *state, clf_chain *chain, clf_arguments *arguments, const clf_array *scratch)
{
    const clf_index_cut *const c = state;
    clf_workspace borrowed, *workspace = NULL;
    CLF_TRY(clf_engine_prepare(c->engine, chain->check));
    if (c->scratch) {
        CLF_TRY(clf_scratch_take(c->engine->context, chain, scratch, c->scratch, &borrowed, &workspace));
        workspace->fresh = true; /* tables could be taken for messages */
        arguments->arrays[TABLES] = (clf_array){workspace->buffer, workspace->offset / sizeof(cl_uint)};
        arguments->arrays[HOT] = (clf_array){workspace->buffer, (workspace->offset + c->tables) / sizeof(cl_uint)};
    }
    arguments->array_count = c->engine->array_count;
    arguments->number_count = c->engine->number_count;
    arguments->numbers[CHUNKS] = (cl_uint)c->chunks;
    const clf_status status = all_steps(c, chain, arguments);
    if (workspace)
        clf_scratch_return(c->engine->context, chain, workspace, 0, status);
    return status;
}

static clf_status run(clf_plan *plan, const char *name, const clf_call *call, cl_ulong count, cl_ulong size,
                      cl_ulong bins, const clf_array *in, const clf_array *out, bool counted)
{
    clf_check check;
    if (!plan || plan->primitive != &clf_reduce_by_index_primitive)
        return CLF_E_ARGUMENT;
    CLF_TRY(clf_check_begin(&check, plan->context, name, &plan->op, call));
    check.values_apart = true;
    CLF_TRY(clf_check_no_initial(&check, call, "reduce_by_index"));
    if (size && count > CL_ULONG_MAX / size)
        return clf_refuse(&check, CLF_E_OVERFLOW, "count * size does not fit 64 bits");
    if (bins && count > CL_ULONG_MAX / bins)
        return clf_refuse(&check, CLF_E_OVERFLOW, "count * bins does not fit 64 bits");
    const cl_ulong n_out = count * bins, n_in = n_out ? count * size : 0;
    const bool update = (plan->flags & CLF_UPDATE) != 0;
    CLF_TRY(clf_check_arrays(&check, &plan->op, &n_in, &n_out, in, out));
    if (n_out == 0 || (n_in == 0 && update))
        return clf_run_nothing(&check, call);
    clf_index_cut c = clf_index_cut_of(plan, count, size, bins, update);
    if (clf_index_way_of(c.engine) == CLF_INDEX_LOCAL && !clf_index_takes(&c))
        return clf_refuse(&check, CLF_E_UNSUPPORTED, "%llu bins of %llu rows are too many for variant \"local\"",
                          (unsigned long long)bins, (unsigned long long)count);
    clf_arguments arguments = {
        .op = &plan->op, .in = n_in ? in : clf_no_arrays, .out = out, .count = count, .size = size,
        .numbers = {[BINS_LOW] = (cl_uint)bins, [BINS_HIGH] = (cl_uint)(bins >> 32), [ROWS_EACH] = c.rows_each,
                    [SLICES] = (cl_uint)c.slices, [COPIES] = c.copies, [TEAM] = c.team,
                    [HOW] = (update ? HOW_UPDATE : 0u) | (c.direct ? HOW_DIRECT : 0u) |
                             (c.scatter ? HOW_SCATTER : 0u) | (c.hot ? HOW_HOT : 0u)}};
    return clf_run(&check, plan, call, &arguments, counted, enqueue, &c);
}

clf_status clf_reduce_by_index(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong bins, const clf_array *in,
                               const clf_array *out)
{
    return run(plan, "clf_reduce_by_index", call, 1, n, bins, in, out, false);
}

clf_status clf_segmented_reduce_by_index(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size,
                                         cl_ulong bins, const clf_array *in, const clf_array *out)
{
    return run(plan, "clf_segmented_reduce_by_index", call, count, size, bins, in, out, true);
}
