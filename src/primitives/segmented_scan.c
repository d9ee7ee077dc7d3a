/* SPDX-License-Identifier: MIT */
/*
 * segmented_scan: scans of many segments in one call, on the engines of scan.c: a tile that starts a segment
 * waits for nobody, one with a start inside knows its prefix at once, and looking back ends at the start
 * (Clausen 2021). Traffic is that of a plain scan.
 */
#include "primitives/primitives.h"

/* ---- Regular segments --------------------------------------------------------------------------------- */

/* Segments so short that a tile would rather read what lies before it in its segment than wait for it. */
enum { HALO = 256 };

/*
 * What the sizes save a call: no messages where every tile starts a segment or can help itself (it reads what others
 * would overwrite in place), and no more than a look at its neighbour where no segment is longer than a tile.
 */
static cl_uint shortcuts(const clf_engine *engine, const clf_task *task)
{
    const cl_ulong size = task->size;
    const cl_uint halo = clf_parameter_get(&engine->parameters, "halo", HALO);
    if (task->any)
        return 0;
    if (clf_engine_is_cpu(engine))
        return size <= engine->tile ? CLF_ARG_ALONE : 0u;
    if (engine->tile % size == 0 || (size <= halo && !task->in_place))
        return CLF_ARG_ALONE;
    return size <= engine->tile ? CLF_ARG_NEAR : 0u;
}

static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    clf_engine *const engine = clf_scan_choose(plan, task);
    return clf_scan_placed_run(run, engine, task, task->size ? shortcuts(engine, task) : 0, &(clf_array){0});
}

static const clf_tuned_call tuned = {clf_segmented_scan, false, 2, {0, 1023}};

const clf_primitive clf_segmented_scan_primitive = {
    .name = "segmented_scan", .flags = CLF_EXCLUSIVE | CLF_REVERSE | CLF_FROM_DEVICE | CLF_REPEATABLE,
    .function = CLF_PLACING, .arrays_of = clf_scan_placed_arrays, .profile = "scan", .head_words = 1,
    .exclusive = CLF_EXCLUSIVE, .reverse = CLF_REVERSE, .macro = {CLF_REPEATABLE, "CLF_REPEATS"},
    .define = clf_define_rows, .variants = clf_scan_variants, .parameters = "limit,fewest,halo,size,index64",
    .roles = clf_scan_roles, .variant_for = clf_scan_variant_for, .choose = clf_scan_choose,
    .check = clf_scan_placed_check, .run = run,
    .tuned = &tuned};

clf_status clf_segmented_scan_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                   const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return clf_plan_create(context, &clf_segmented_scan_primitive, op, flags, options, plan, error);
}

clf_status clf_segmented_scan(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size, const clf_array *in,
                              const clf_array *out)
{
    clf_task task = {.count = count, .size = size, .counted = true, .in = in, .out = out};
    return clf_call_task(plan, &clf_segmented_scan_primitive, "clf_segmented_scan", call, &task);
}

clf_status clf_segmented_scan_placed(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size, cl_ulong room,
                                     const clf_array *in, const clf_array *out, const clf_array *result_count)
{
    clf_task task = {.count = count, .size = size, .counted = true, .most = room, .placed = true, .in = in, .out = out,
                     .result = result_count};
    return clf_call_task(plan, &clf_segmented_scan_primitive, "clf_segmented_scan_placed", call, &task);
}
