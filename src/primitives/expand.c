/* SPDX-License-Identifier: MIT */
/*
 * expand: counts or offsets to elements. A map makes each result of its segment and its place there. Kernels get where
 * segments end: offsets from the second one on, or lengths that a scan has added up. The algorithms are in cl/expand/.
 */
#include "primitives/kept.h"
#include "primitives/primitives.h"

#include <stdio.h>

/* ---- Variants ---------------------------------------------------------------------------------------- */

enum { CUTS, TILES }; /* kernels of tiles */

/*
 * A tile is some kilobytes of results, so that finding it is little beside them; more where each reads much and there
 * is local memory for several. From sweeps on an NVIDIA H200, by NVIDIA's driver and by Mesa's.
 */
static void tiles_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const cl_uint bytes = clf_fields_largest(&op->value);
    const bool more = facts->local_more && clf_fields_sum(&op->captured) >= 8;
    const cl_uint words = more ? 40 : facts->optimiser ? 12 : 24;
    clf_parameter_default(parameters, "group", clf_usual_group(facts));
    clf_parameter_default(parameters, "items", bytes < 4 ? 16 : bytes == 4 ? words : bytes < 16 ? 12 : 6);
}

/*
 * Heads, which every element of a tile may be, and have 16 bits to be numbered; a bit for each element, and a count for
 * each word of them; totals; two cuts.
 */
static cl_ulong tiles_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    const cl_ulong tile = (cl_ulong)group * items, words = clf_ceiling(tile, 32 * (cl_ulong)group) * group;
    (void)facts, (void)op;
    return tile < 1 << 16 ? sizeof(cl_uint) * (tile + 2 * words + 2 * group + 16) + 2 * sizeof(cl_ulong) : CL_ULONG_MAX;
}

static void cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    (void)facts, (void)op;
    clf_parameter_default(parameters, "items", 16384);
}

/* Without room the number of results alone is wanted, which one group tells. */
static cl_ulong tiles_of(const clf_engine *engine, const clf_arguments *arguments)
{
    const cl_ulong room = arguments->size, most = CL_ULONG_MAX - room; /* measured: as large as one likes */
    return room ? clf_ceiling(room + clf_least(arguments->count, most), engine->tile) : 1;
}

/* Two cuts by each warp (clf_expand_cuts_body). */
static cl_ulong cuts_groups(const clf_engine *engine, cl_ulong cuts)
{
    const cl_uint lanes = engine->context->facts.lane_width;
    return clf_ceiling(cuts, lanes > 1 ? engine->group / lanes * 2 : engine->group);
}

static clf_status tiles_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    const cl_ulong tiles = tiles_of(engine, arguments);
    const bool cuts = clf_path_has_cuts(engine, tiles);
    clf_run_scratch(run, CLF_PLAIN, cuts ? clf_scratch_for(tiles + 1, sizeof(cl_ulong)) : 0, arguments);
    arguments->numbers[1] = cuts ? (cl_uint)(tiles + 1) : 0;
    if (cuts)
        CLF_TRY(clf_run_launch(run, engine, CUTS, arguments, cuts_groups(engine, tiles + 1)));
    return clf_run_launch(run, engine, TILES, arguments, tiles);
}

static clf_status cpu_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    return clf_run_launch(run, engine, 0, arguments, tiles_of(engine, arguments));
}

static const char *const numbers[] = {"told", "cuts", NULL};
static const char *const cpu_kernels[] = {"clf_expand_cpu", NULL};
static const char *const tile_kernels[] = {"clf_expand_cuts", "clf_expand_tiles", NULL};

static const clf_variant variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .file = "expand/expand_cpu.cl", .kernels = cpu_kernels, .numbers = numbers,
     .parameters = "items", .defaults = cpu_defaults, .run = cpu_launch},
    {.name = "tiles", .file = "expand/expand_tiles.cl", .kernels = tile_kernels, .numbers = numbers,
     .parameters = "items,group", .defaults = tiles_defaults, .local = tiles_local, .run = tiles_launch},
    {.name = NULL},
};

/* ---- Calls ------------------------------------------------------------------------------------------- */

/* The plan that scans lengths; NULL: there are offsets. */
static const clf_plan *lengths_scan(const clf_plan *plan)
{
    return plan->own;
}

static cl_uint entry_bytes(const clf_plan *plan)
{
    const clf_plan *const scan = lengths_scan(plan);
    return scan ? scan->op.input.field[0].bytes : (cl_uint)clf_type_size((clf_type)plan->op.form);
}

/* `count` segments give `size` results at most. */
static clf_status check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task)
{
    const cl_ulong count = task->count, room = task->size, n_in = room ? count : 0, n_out = count ? room : 0;
    const cl_ulong entries = count + (lengths_scan(plan) ? 0 : 1);
    check->values_apart = true;
    CLF_TRY(clf_check_out_count(check, call, plan->op.value.count));
    CLF_TRY(clf_check_no_initial(check, call, "call that expands"));
    if (room > CL_ULONG_MAX - count || count == CL_ULONG_MAX)
        return clf_refuse(check, CLF_E_OVERFLOW, "count + room does not fit 64 bits");
    task->nothing = (count == 0 || room == 0) && !task->result;
    CLF_TRY(clf_check_entries(check, CLF_SPAN_SEGMENTS, task->segments, entry_bytes(plan),
                              count && !task->nothing ? entries : 0));
    if (task->edges && n_in) /* of a captured array that has an element for each segment */
        CLF_TRY(clf_check_entries(check, CLF_SPAN_IN, task->in, plan->op.captured.field[0].bytes, n_in));
    CLF_TRY(clf_check_arrays(check, &plan->op, &n_in, &n_out, task->in, task->out));
    return task->result ? clf_check_result_count(check, task->result, 1) : CLF_SUCCESS;
}

/* Where segments end. */
static clf_status make_ends(const clf_plan *plan, clf_run *run, const clf_task *task, clf_array *ends)
{
    const clf_plan *const scan = lengths_scan(plan);
    *ends = clf_array_of(task->segments);
    ++ends->offset;
    if (!scan)
        return CLF_SUCCESS;
    *ends = clf_run_array(run, CLF_PLAIN, task->count, sizeof(cl_ulong));
    const clf_task all = {.count = 1, .size = task->count, .any = task->any, .in = task->segments, .out = ends};
    return clf_run_step(run, scan, &all);
}

static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    clf_engine *const engine = plan->engine[0];
    clf_arguments arguments;
    if (task->count == 0)
        return clf_run_zero(run, task->result, 1, sizeof(cl_ulong));
    CLF_TRY(clf_run_begin(run, engine, task, &arguments));
    if (task->size == 0) /* arrays that are not checked */
        arguments.in = arguments.out = clf_no_arrays;
    CLF_TRY(make_ends(plan, run, task, &arguments.arrays[0]));
    arguments.arrays[1] = clf_array_of(task->result);
    arguments.numbers[0] = task->result != NULL;
    return engine->variant->run(engine, run, &arguments);
}

static cl_uint worst(const clf_plan *plan, cl_ulong n, cl_ulong count, clf_task *tasks)
{
    (void)plan;
    tasks[0].size = n;
    tasks[0].count = count ? count : 1;
    return 1;
}

/* ---- The primitive ----------------------------------------------------------------------------------- */

/* A plan's form is the type of ends. */
static const clf_named_array uint_ends[] = {{"const uint", "ends"}, {"ulong", "result"}, {NULL, NULL}};
static const clf_named_array ulong_ends[] = {{"const ulong", "ends"}, {"ulong", "result"}, {NULL, NULL}};

static const clf_named_array *arrays_of(const clf_operator_copy *op)
{
    return op->form == CLF_UINT ? uint_ends : ulong_ends;
}

const clf_primitive clf_expand_primitive = {
    .name = "expand", .flags = CLF_FROM_DEVICE, .function = CLF_FUNCTION_MAP, .arrays_of = arrays_of,
    .variants = variants, .roles = clf_main_role, .choose = clf_choose_main, .check = check, .run = run,
    .worst = worst, .compile = clf_own_plan_compile, .close = clf_own_plan_close};

/* Sums of lengths, which stay at 2^64 - 1 instead of beginning again at 0: zink makes add_sat of ulongs wrong. */
static clf_status scan_plan(clf_context *context, clf_type type, clf_plan **plan, clf_error *error)
{
    const clf_operator sums = {
        .size = sizeof sums, .value = "ulong n;", .input = type == CLF_UINT ? "uint n;" : "ulong n;", .map = "widen",
        .combine = "add", .neutral = "zero", .flags = CLF_COMMUTATIVE,
        .source = "clf_value widen(clf_input x, ulong i) { clf_value v = {x.n}; return v; }\n"
                  "clf_value add(clf_value a, clf_value b) { a.n += min(b.n, ~a.n); return a; }\n"
                  "clf_value zero(void) { clf_value v = {0}; return v; }\n"};
    return clf_own_weaken(plan, clf_scan_plan(context, &sums, 0, NULL, plan, error));
}

clf_status clf_expand_plan(clf_context *context, const clf_operator *op, const clf_segmentation *segmentation,
                           unsigned flags, const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_told_check(context, segmentation, plan, error));
    const bool lengths = segmentation->by == CLF_BY_LENGTHS;
    if (!lengths && segmentation->by != CLF_BY_OFFSETS)
        return clf_fail(error, CLF_E_ARGUMENT, "segments of an expand are told by offsets or lengths");
    if (op && clf_operator_is_known(op) && op->extra)
        return clf_fail(error, CLF_E_ARGUMENT, "an expand has no extra outputs");
    const clf_form form = {.number = lengths ? CLF_ULONG : segmentation->type};
    CLF_TRY(clf_plan_create_form(context, &clf_expand_primitive, form, op, flags, options, plan, error));
    if (!lengths)
        return CLF_SUCCESS;
    clf_plan *scan = NULL;
    const clf_status status = scan_plan(context, segmentation->type, &scan, error);
    (*plan)->own = scan;
    return clf_own_finish(plan, status);
}

clf_status clf_expand(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong room, const clf_array *segments,
                      const clf_array *in, const clf_array *out, const clf_array *result_count)
{
    clf_task task = {.count = count, .size = room, .counted = true, .segments = segments, .in = in, .out = out,
                     .result = result_count};
    return clf_call_task(plan, &clf_expand_primitive, "clf_expand", call, &task);
}

/* ---- By one call ------------------------------------------------------------------------------------- */

static clf_status compile_repeat(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    const clf_segmentation lengths = {sizeof lengths, CLF_BY_LENGTHS, w->other};
    char field[16];
    snprintf(field, sizeof field, "%s v;", clf_type_name(w->type));
    const clf_operator repeat = {
        .size = sizeof repeat, .value = field, .captured = field, .map = "repeated",
        .source = "clf_value repeated(clf_input at, ulong i, const clf_captured *c)\n"
                  "{ clf_value v = {c->v[at.segment]}; return v; }\n"};
    return clf_expand_plan(context, &repeat, &lengths, w->flags, NULL, plan, error);
}

clf_status clf_array_repeat(clf_context *context, const clf_call *call, clf_type type, clf_type count_type,
                            cl_ulong count, cl_ulong room, clf_array in, clf_array counts, clf_array out,
                            clf_array result_count)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_REPEAT, .type = type, .other = count_type};
    clf_task task = {.count = count, .size = room, .counted = true, .segments = &counts, .edges = &in, .in = &in,
                     .out = &out, .result = result_count.buffer ? &result_count : NULL};
    CLF_TRY(clf_kept_check_index(context, __func__, "count_type", count_type, 0));
    return clf_kept_call(context, __func__, call, &wanted, compile_repeat, &task);
}
