/* SPDX-License-Identifier: MIT */
/*
 * reduce_by_index: histograms with any operator: elements combined by the bin that each belongs to. The variant depends
 * on sizes alone (cl/reduce_by_index/):
 *
 *   local    groups combine their chunks in tables in local memory, in as many slices of the bins as needed; a second
 *            launch combines the chunks' tables. Values without an atomic have locks
 *   global   one table in global memory, for many bins, by atomics
 *   split    for many bins and very many elements, which are first split by ranges of bins (index_split.c)
 *   cpu      a table for each core, or a slice of the bins
 *   sorted   elements are sorted by their bins, and are segments then (index_sorted.c)
 */
#include "primitives/primitives.h"
#include <string.h>

/* ---- Variants ---------------------------------------------------------------------------------------- */

/* Vectors of the narrowest array, and several under way; not so many that the code does not fit caches. */
static void walk_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    enum { UNDER_WAY = 64 /* bytes of the inputs of a work-item */, MOST = 32 };
    const cl_uint chunk = 16 / clf_smallest_field(op), element = op->input.count ? clf_fields_sum(&op->input) : 4;
    const cl_uint rows = UNDER_WAY / (chunk * element);
    clf_parameter_default(parameters, "items", chunk * rows > MOST ? MOST : rows > 1 ? chunk * rows : chunk);
    clf_parameter_default(parameters, "groups", facts->units * (facts->type & CL_DEVICE_TYPE_CPU ? 1 : 4));
}

/* Cells of a table of so many bytes; of wide values words of locks, too: a power of two, a bit for each cell. */
static void set_cells(const clf_facts *facts, const clf_operator_copy *op, cl_uint bytes, clf_parameters *parameters)
{
    enum { FEWEST = 64, LEAST = 512 /* bytes */ };
    const cl_uint value = clf_index_cell_bytes(facts, op);
    cl_uint cells = bytes / value, locks = 1;
    if (!clf_index_is_wide(facts, op)) {
        clf_parameter_set(parameters, "cells", cells > FEWEST ? cells : FEWEST);
        return;
    }
    bytes = bytes > LEAST ? bytes : LEAST;
    while (cells = (bytes - locks * 4) / value, cells > 32 * locks)
        locks *= 2;
    clf_parameter_set(parameters, "cells", cells);
    clf_parameter_set(parameters, "locks", locks);
}

/*
 * Few slices of the bins count for most; then work-items, so that two such groups of an H200 fill a compute unit, or of
 * wide values, which take twice the registers, half of them, or fewer.
 */
static void local_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    enum { LOCAL = 96 << 10, USUAL = 48 << 10, RESERVED = 64 /* bytes that drivers keep for themselves */, WIDER = 32 };
    const bool is_cpu = facts->type & CL_DEVICE_TYPE_CPU;
    const cl_ulong most = clf_local_most(facts);
    cl_ulong bytes = clf_parameter_get(parameters, "local", 0);
    if (bytes == 0 || bytes > most)
        bytes = most >= LOCAL ? LOCAL : most >= USUAL ? USUAL : most - RESERVED;
    const bool is_wide = clf_index_is_wide(facts, op);
    const cl_uint wide = clf_index_cell_bytes(facts, op) > WIDER ? 256 : 512, narrow = bytes > USUAL ? 1024 : 512;
    const cl_uint usual = clf_usual_group(facts), wanted = is_wide ? wide : narrow;
    const cl_uint group = facts->max_group < wanted ? usual : wanted;
    set_cells(facts, op, (cl_uint)bytes, parameters);
    clf_parameter_default(parameters, "group", is_cpu ? usual : group);
    if (!is_cpu)
        clf_parameter_default(parameters, "groups", facts->units * (group > 512 || (is_wide && bytes > USUAL) ? 2 : 4));
    clf_parameter_default(parameters, "limit", 12);
    walk_defaults(facts, op, parameters);
}

/* Where teams meet: cl/reduce_by_index/finish_team.cl. (Tables are as large as there is room.) */
static cl_ulong team_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    (void)facts, (void)items;
    return 4ul * clf_operator_words(op) * group;
}

static void global_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    clf_parameter_set(parameters, "hot", facts->local_bytes < 24 << 10 ? 7 : 9); /* cl/reduce_by_index/hot.cl */
    clf_parameter_default(parameters, "group", clf_usual_group(facts));
    if (!(facts->type & CL_DEVICE_TYPE_CPU))
        clf_parameter_default(parameters, "groups", 8 * facts->units);
    walk_defaults(facts, op, parameters);
}

static void cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    clf_parameter_set(parameters, "items", 16 / clf_smallest_field(op)); /* a chunk */
    clf_parameter_default(parameters, "groups", facts->units);
}

static void sorted_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    (void)op;
    clf_parameter_set(parameters, "group", clf_usual_group(facts));
}

enum { MAIN, FINISH, FINISH_TEAM, START = 2, SAMPLE }; /* kernels */
static const char *const cpu_kernels[] = {"clf_index_cpu", "clf_index_finish", NULL};
static const char *const local_kernels[] = {"clf_index_local", "clf_index_finish", "clf_index_finish_team", NULL};
static const char *const global_kernels[] = {"clf_index_global", "clf_index_finish", "clf_index_start",
                                             "clf_index_sample", NULL};
static const char *const split_kernels[] = {"clf_index_split", "clf_index_finish", "clf_index_start", NULL};
static const char *const sorted_kernels[] = {"clf_index_begin", "clf_index_bounds", "clf_index_results", NULL};

/* For clf_variant: what work-items of several groups, or of one, update, in any order. */
static clf_status takes(const clf_plan *plan, const clf_variant *variant, bool can, clf_error *error)
{
    if (!(plan->op.flags & CLF_COMMUTATIVE))
        return clf_fail(error, CLF_E_UNSUPPORTED,
                        "variant \"%s\" takes elements in any order: its operator must be CLF_COMMUTATIVE",
                        variant->name);
    if (!can)
        return clf_fail(error, CLF_E_UNSUPPORTED, "values of %u bytes cannot be updated by variant \"%s\"",
                        clf_fields_sum(&plan->op.value), variant->name);
    return CLF_SUCCESS;
}

static clf_status global_takes(const clf_plan *plan, const clf_variant *variant, clf_error *error)
{
    return takes(plan, variant, !clf_index_is_wide(&plan->context->facts, &plan->op), error);
}

static clf_status local_takes(const clf_plan *plan, const clf_variant *variant, clf_error *error)
{
    return takes(plan, variant, clf_operator_words(&plan->op) <= CLF_INDEX_WIDEST, error);
}

static clf_status split_takes(const clf_plan *plan, const clf_variant *variant, clf_error *error)
{
    CLF_TRY(takes(plan, variant, !clf_index_is_wide(&plan->context->facts, &plan->op), error));
    if (!clf_index_moves(&plan->op))
        return clf_fail(error, CLF_E_UNSUPPORTED,
                        "variant \"split\" moves elements before their functions see them: "
                        "an operator with a map or part must be CLF_NO_INDEX, and have an input");
    return CLF_SUCCESS;
}

enum { BINS_LOW, BINS_HIGH, ROWS_EACH, SLICES = CLF_INDEX_CHUNKS + 1, COPIES, TEAM, SHIFT = TEAM, HOW };
static const char *const numbers[] = {"bins_low", "bins_high", "rows_each", "chunks", "slices", "copies", "team",
                                      "how", NULL};
static const char *const split_numbers[] = {"bins_low", "bins_high", "rows_each", "chunks", "slices", "copies", "shift",
                                            "how", NULL};
/* numbers[HOW]: cl/reduce_by_index/result.cl */
enum { HOW_UPDATE = 1, HOW_DIRECT = 2, HOW_SCATTER = 4, HOW_HOT = 8 };

static const clf_variant variants[] = {
    {.name = "cpu", .way = CLF_INDEX_CPU, .needs = CLF_NEEDS_CPU, .file = "reduce_by_index/index_cpu.cl",
     .kernels = cpu_kernels, .numbers = numbers, .parameters = "groups", .defaults = cpu_defaults, .repeats = true},
    {.name = "local", .way = CLF_INDEX_LOCAL, .takes = local_takes, .file = "reduce_by_index/index_local.cl",
     .kernels = local_kernels, .numbers = numbers, .parameters = "items,group,groups,local,limit",
     .defaults = local_defaults, .local = team_local},
    {.name = "global", .way = CLF_INDEX_GLOBAL, .takes = global_takes, .file = "reduce_by_index/index_global.cl",
     .kernels = global_kernels, .numbers = numbers, .parameters = "items,group,groups,fewest",
     .defaults = global_defaults, .local = clf_no_local, .exchanges = true},
    {.name = "split", .way = CLF_INDEX_SPLIT, .takes = split_takes, .file = "reduce_by_index/index_split.cl",
     .kernels = split_kernels, .numbers = split_numbers, .parameters = "items,group,groups,local,limit,fewest",
     .defaults = local_defaults, .local = clf_no_local, .exchanges = true},
    {.name = "sorted", .way = CLF_INDEX_SORTED, .file = "reduce_by_index/index_sorted.cl",
     .kernels = sorted_kernels, .numbers = numbers, .defaults = sorted_defaults, .local = clf_no_local,
     .repeats = true},
    {.name = NULL},
};

/* ---- The primitive ----------------------------------------------------------------------------------- */

static const clf_named_array arrays[] = {{"uint", "tables"}, {"uint", "hot"}, {"ulong", "told"}, {NULL, NULL}};
static const char *const roles[] = {"main", "wide", "many", NULL};

/*
 * Beside local tables there is one in global memory, or, of values that no atomic takes, a sort; and for very many
 * elements, if they may be moved, a split.
 */
static const clf_variant *variant_for(const clf_plan *plan, cl_uint role)
{
    const bool is_wide = clf_index_is_wide(&plan->context->facts, &plan->op);
    const bool splits = !is_wide && clf_index_moves(&plan->op);
    if (clf_index_way_of(plan->engine[0]) != CLF_INDEX_LOCAL || (role == CLF_INDEX_MANY && !splits))
        return NULL;
    return clf_variant_named(plan->primitive, role == CLF_INDEX_MANY ? "split" : is_wide ? "sorted" : "global");
}

static bool may_sort(const clf_plan *plan)
{
    const clf_engine *const wide = plan->engine[CLF_INDEX_WIDE];
    return clf_index_way_of(wide ? wide : plan->engine[CLF_INDEX_MAIN]) == CLF_INDEX_SORTED;
}

static bool may_split(const clf_plan *plan)
{
    return plan->engine[CLF_INDEX_MANY] || clf_index_way_of(plan->engine[0]) == CLF_INDEX_SPLIT;
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

static clf_status finish(const clf_index_cut *c, clf_run *run, clf_arguments *arguments)
{
    if (c->direct)
        return CLF_SUCCESS;
    if (clf_index_way_of(c->engine) == CLF_INDEX_GLOBAL)
        arguments->numbers[CLF_INDEX_CHUNKS] = 1; /* of tables */
    if (c->team > 1)
        return clf_run_launch(run, c->engine, FINISH_TEAM, arguments,
                              clf_ceiling(c->rows * c->bins, c->engine->group / c->team));
    return clf_run_launch(run, c->engine, FINISH, arguments, c->striding);
}

static clf_status run_parts(const clf_index_cut *c, clf_run *run, clf_arguments *arguments)
{
    const bool global = clf_index_way_of(c->engine) == CLF_INDEX_GLOBAL;
    const cl_ulong parts = clf_ceiling(c->rows, c->rows_each) * c->chunks * c->slices;
    const bool strides = parts > CLF_INDEX_GROUPS && clf_index_way_of(c->engine) != CLF_INDEX_LOCAL;
    clf_array *const tables = &arguments->arrays[CLF_INDEX_TABLES], *const hot = &arguments->arrays[CLF_INDEX_HOT];
    if (c->scratch)
        *tables = clf_run_array(run, CLF_PLAIN, c->scratch / sizeof(cl_uint), sizeof(cl_uint));
    *hot = (clf_array){tables->buffer, tables->offset + c->tables / sizeof(cl_uint)};
    if (c->hot)
        CLF_TRY(clf_run_launch(run, c->engine, SAMPLE, arguments, 1));
    if (global && !(c->direct && c->update))
        CLF_TRY(clf_run_launch(run, c->engine, START, arguments, c->striding));
    CLF_TRY(clf_run_launch(run, c->engine, MAIN, arguments, strides ? CLF_INDEX_GROUPS : parts));
    return finish(c, run, arguments);
}

/* What kernels are told of a cut. */
static void tell(const clf_plan *plan, const clf_index_cut *c, clf_arguments *arguments)
{
    const bool update = (plan->flags & CLF_UPDATE) != 0;
    cl_uint *const n = arguments->numbers;
    n[BINS_LOW] = (cl_uint)c->bins;
    n[BINS_HIGH] = (cl_uint)(c->bins >> 32);
    n[ROWS_EACH] = c->rows_each;
    n[CLF_INDEX_CHUNKS] = (cl_uint)c->chunks;
    n[SLICES] = (cl_uint)c->slices;
    n[COPIES] = c->copies;
    n[TEAM] = clf_index_way_of(c->engine) == CLF_INDEX_SPLIT ? c->shift : c->team;
    n[HOW] = (update ? HOW_UPDATE : 0u) | (c->direct ? HOW_DIRECT : 0u) | (c->scatter ? HOW_SCATTER : 0u) |
             (c->hot ? HOW_HOT : 0u);
}

/* The device may know of fewer rows. */
static bool are_rows_told(const clf_task *task)
{
    return task->counted && task->flags & CLF_ARG_GIVEN_COUNT;
}

static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    const bool told = are_rows_told(task);
    const clf_index_cut c = task->any ? clf_index_cut_any(plan, task) : clf_index_cut_of(plan, task, told);
    clf_array in[2 * CLF_MAX_FIELDS], out[2 * CLF_MAX_FIELDS] = {{0}};
    clf_arguments arguments;
    CLF_TRY(clf_run_begin(run, c.engine, task, &arguments));
    CLF_TRY(clf_index_check(run, &c, told));
    memcpy(out, task->out, clf_operator_results(&plan->op)->count * sizeof *out);
    arguments.in = task->count * task->size > 0 ? task->in : clf_captured_alone(&plan->op, task->in, in);
    arguments.out = out;
    tell(plan, &c, &arguments);
    switch (clf_index_way_of(c.engine)) {
    case CLF_INDEX_SPLIT: return clf_index_split_run(&c, run, &arguments);
    case CLF_INDEX_SORTED: return clf_index_sorted_run(&c, run, &arguments);
    default: return run_parts(&c, run, &arguments);
    }
}

static clf_status check_sizes(const clf_check *check, const clf_task *task)
{
    if (task->size && task->count > CL_ULONG_MAX / task->size)
        return clf_refuse(check, CLF_E_OVERFLOW, "count * size does not fit 64 bits");
    if (task->most && task->count > CL_ULONG_MAX / task->most)
        return clf_refuse(check, CLF_E_OVERFLOW, "count * bins does not fit 64 bits");
    return CLF_SUCCESS;
}

/* Edges are the one captured array, and of known length. */
static clf_status check_edges(clf_check *check, const clf_operator_copy *op, const clf_task *task)
{
    const clf_index_edges *const edges = task->edges;
    return clf_check_entries(check, edges->role, &task->in[op->input.count], op->captured.field[0].bytes, edges->count);
}

static clf_status check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task)
{
    const clf_operator_copy *const op = &plan->op;
    check->values_apart = true;
    CLF_TRY(clf_check_out_count(check, call, clf_operator_made(op)->count));
    CLF_TRY(clf_check_no_initial(check, call, "reduce_by_index"));
    CLF_TRY(check_sizes(check, task));
    const cl_ulong n_out[] = {task->count * task->most, 0}, n_in = n_out[0] ? task->count * task->size : 0;
    if (n_in && task->edges)
        CLF_TRY(check_edges(check, op, task));
    task->nothing = n_out[0] == 0 || (n_in == 0 && plan->flags & CLF_UPDATE);
    return clf_check_arrays(check, op, &n_in, n_out, task->in, task->out);
}

const clf_primitive clf_reduce_by_index_primitive = {
    .name = "reduce_by_index", .flags = CLF_FROM_DEVICE | CLF_UPDATE | CLF_ORDERED,
    .function = CLF_FINISHING | CLF_FUNCTION_PART, .out_sets = 2 /* of variant "sorted": in scratch */,
    .write = clf_index_write, .coded = true, .arrays = arrays, .variants = variants, .roles = roles,
    .variant_for = variant_for, .choose = clf_choose_main, .check = check, .run = run,
    .worst = clf_index_worst, .compile = clf_own_steps_compile, .close = clf_own_steps_close};

static clf_status check_operator(const clf_operator *op, unsigned flags, clf_error *error)
{
    if (op && clf_operator_is_known(op) && op->extra) /* clf_plan_create says what else is wrong */
        return clf_fail(error, CLF_E_ARGUMENT, "a reduce_by_index has no extra outputs");
    if (op && clf_operator_finish(op) && flags & CLF_UPDATE)
        return clf_fail(error, CLF_E_UNSUPPORTED,
                        "clf_operator.finish: bins that are updated (CLF_UPDATE) hold values, and it must be NULL");
    return CLF_SUCCESS;
}

static clf_status check_bins(const clf_operator_copy *op, clf_error *error)
{
    const clf_field *const first = &op->input.field[0];
    if (!op->part && (op->input.count == 0 || !clf_field_is_scalar(first) || clf_type_is_real(first->type)))
        return clf_fail(error, CLF_E_ARGUMENT,
                        "where the operator has no part, the first field of input is the bin, "
                        "and must be an integer scalar");
    return CLF_SUCCESS;
}

static clf_status finish_plan(clf_plan *plan, clf_error *error)
{
    if (plan->op.wanted && plan->flags & CLF_UPDATE)
        return clf_fail(
            error, CLF_E_UNSUPPORTED,
            "clf_plan_options.wanted: bins that are updated (CLF_UPDATE) hold whole values, and it must be 0");
    CLF_TRY(check_bins(&plan->op, error));
    if (may_sort(plan))
        CLF_TRY(clf_index_sorted_open(plan, error));
    else if (may_split(plan))
        CLF_TRY(clf_index_split_open(plan, error));
    return clf_engine_compile(plan->engine[0], error);
}

clf_status clf_index_plan(clf_context *context, const clf_operator *op, clf_index_form edges, unsigned flags,
                          const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_plan_none(plan, error));
    CLF_TRY(check_operator(op, flags, error));
    const clf_form form = {.number = edges,
                           .later = true}; /* compiled when it is known that its engines can have the values */
    CLF_TRY(clf_plan_create_form(context, &clf_reduce_by_index_primitive, form, op, flags, options, plan, error));
    return clf_own_finish(plan, finish_plan(*plan, error));
}

clf_status clf_reduce_by_index_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                    const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return clf_index_plan(context, op, CLF_INDEX_NO_EDGES, flags, options, plan, error);
}

clf_status clf_reduce_by_index(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong bins, const clf_array *in,
                               const clf_array *out)
{
    clf_task task = {.count = 1, .size = n, .most = bins, .in = in, .out = out};
    return clf_call_task(plan, &clf_reduce_by_index_primitive, "clf_reduce_by_index", call, &task);
}

clf_status clf_segmented_reduce_by_index(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size,
                                         cl_ulong bins, const clf_array *in, const clf_array *out)
{
    clf_task task = {.count = count, .size = size, .most = bins, .counted = true, .in = in, .out = out};
    return clf_call_task(plan, &clf_reduce_by_index_primitive, "clf_segmented_reduce_by_index", call, &task);
}

clf_status clf_histogram_run(clf_plan *plan, const char *name, const clf_call *call, cl_ulong n, cl_ulong bins,
                             const clf_index_edges *edges, const clf_array *in, const clf_array *out)
{
    clf_task task = {.count = 1, .size = n, .most = bins, .edges = edges, .in = in, .out = out};
    return clf_call_task(plan, &clf_reduce_by_index_primitive, name, call, &task);
}
