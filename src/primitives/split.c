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

/* ---- Scratch ----------------------------------------------------------------------------------------- */

static clf_digits_pieces pieces_of(const clf_plan *plan, cl_uint parts, cl_ulong n)
{
    const own *const kept = plan->own;
    return clf_digits_pieces_of(kept->scan, parts, clf_ceiling(n, plan->engine[0]->tile));
}

cl_ulong clf_split_within_scratch(const clf_plan *plan, cl_uint parts, cl_ulong n)
{
    const clf_digits_pieces p = pieces_of(plan, parts, n);
    return p.counts + p.places + p.scan;
}

static cl_ulong scratch_needed(const clf_plan *plan, cl_ulong n, cl_ulong count)
{
    (void)count;
    return clf_split_within_scratch(plan, ((const own *)plan->own)->parts, n);
}

/* ---- The primitive ----------------------------------------------------------------------------------- */

enum { COUNTS, PLACES, RESULT };
static const clf_named_array arrays[] = {
    {"uint", "tile_counts"}, {"ulong", "places"}, {"ulong", "result"}, {NULL, NULL}};

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
    .variants = variants, .roles = clf_main_role, .choose = clf_choose_main, .scratch = scratch_needed,
    .compile = compile, .close = close};

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
    CLF_TRY(clf_error_reset(error));
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

/* ---- Calls ------------------------------------------------------------------------------------------- */

static const clf_digits_step step = {UP, DOWN, COUNTS, PLACES};

static clf_status enqueue(void *state, clf_chain *chain, clf_arguments *arguments, const clf_array *scratch)
{
    const clf_plan *const plan = state;
    const clf_digits_pieces p = pieces_of(plan, arguments->numbers[PARTS], arguments->size);
    const clf_array rest = clf_scratch_behind(scratch, p.counts + p.places);
    clf_workspace borrowed, *workspace = NULL;
    CLF_TRY(clf_scratch_take(plan->context, chain, scratch, p.counts + p.places, &borrowed, &workspace));
    workspace->clean = 0; /* counts could be taken for messages */
    arguments->arrays[COUNTS] = (clf_array){workspace->buffer, workspace->offset / sizeof(cl_uint)};
    arguments->arrays[PLACES] = (clf_array){workspace->buffer, (workspace->offset + p.counts) / sizeof(cl_ulong)};
    arguments->array_count = plan->engine[0]->array_count;
    arguments->number_count = plan->engine[0]->number_count;
    const clf_status status = clf_digits_enqueue(plan->engine[0], ((const own *)plan->own)->scan, chain, &p, &step,
                                                 arguments, &rest);
    clf_scratch_return(plan->context, chain, workspace, 0, status);
    return status;
}

/* Of no elements every part has none. */
static clf_status tell_nothing(void *state, clf_chain *chain, clf_arguments *arguments, const clf_array *scratch)
{
    const own *const kept = ((const clf_plan *)state)->own;
    const clf_array *const result = &arguments->arrays[RESULT];
    (void)scratch;
    return clf_chain_fill(chain, result->buffer, 8 * result->offset, 8ul * kept->parts);
}

clf_status clf_split(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in, const clf_array *out,
                     const clf_array *result_counts)
{
    clf_check check;
    if (!plan || plan->primitive != &clf_split_primitive)
        return clf_refuse_plan(plan, "clf_split");
    const cl_uint parts = ((const own *)plan->own)->parts;
    CLF_TRY(clf_check_begin(&check, plan->context, "clf_split", &plan->op, call));
    check.values_apart = true;
    CLF_TRY(clf_check_no_initial(&check, call, "split"));
    CLF_TRY(clf_check_arrays(&check, &plan->op, &n, &n, in, out));
    if (result_counts)
        CLF_TRY(clf_check_result_count(&check, result_counts, parts));
    clf_arguments arguments = {.op = &plan->op, .in = in, .out = out, .count = 1, .size = n,
                               .numbers = {parts, result_counts ? TELL_COUNTS : TELL_NOTHING}};
    if (result_counts)
        arguments.arrays[RESULT] = *result_counts;
    if (n == 0 && !result_counts)
        return clf_run_nothing(&check, call);
    return clf_run(&check, plan, call, &arguments, false, n ? enqueue : tell_nothing, plan);
}

/* ---- Steps of other primitives ----------------------------------------------------------------------- */

clf_status clf_split_within(clf_plan *plan, clf_chain *chain, const clf_split_step *its, const clf_array *scratch)
{
    clf_arguments arguments = {.op = &plan->op, .in = its->in, .out = its->out, .count = 1, .size = its->n,
                               .from_device = (plan->flags & CLF_FROM_DEVICE) != 0, .given = its->given,
                               .flags = its->given.buffer ? CLF_ARG_GIVEN_SIZE : 0,
                               .numbers = {its->parts, TELL_STARTS}};
    arguments.arrays[RESULT] = its->starts;
    CLF_TRY(clf_engine_prepare(plan->engine[0], chain->check));
    return enqueue(plan, chain, &arguments, scratch);
}
