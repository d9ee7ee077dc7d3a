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
 * What the sizes save a call: no messages where every tile starts a segment or can help itself (it reads what
 * others would overwrite in place), and no more than a look at its neighbour where no segment is longer than
 * a tile.
 */
static cl_uint shortcuts(const clf_engine *engine, cl_ulong size, bool in_place)
{
    const cl_uint halo = clf_parameter_get(&engine->parameters, "halo", HALO);
    if (clf_engine_is_cpu(engine))
        return size <= engine->tile ? CLF_ARG_ALONE : 0u;
    if (engine->tile % size == 0 || (size <= halo && !in_place))
        return CLF_ARG_ALONE;
    return size <= engine->tile ? CLF_ARG_NEAR : 0u;
}

static const clf_tuned_call tuned = {clf_segmented_scan, false, 2, {0, 1023}};

const clf_primitive clf_segmented_scan_primitive = {
    .name = "segmented_scan", .flags = CLF_EXCLUSIVE | CLF_FROM_DEVICE, .profile = "scan",
    .head_words = 1, .exclusive = CLF_EXCLUSIVE, .define = clf_define_rows, .variants = clf_scan_variants,
    .parameters = "limit,fewest,halo,size,index64", .roles = clf_scan_roles, .variant_for = clf_scan_variant_for,
    .choose = clf_scan_choose, .tuned = &tuned};

clf_status clf_segmented_scan_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                   const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return clf_plan_create(context, &clf_segmented_scan_primitive, op, flags, options, plan, error);
}

clf_status clf_segmented_scan(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size, const clf_array *in,
                              const clf_array *out)
{
    clf_check check;
    cl_ulong n;
    if (!plan || plan->primitive != &clf_segmented_scan_primitive)
        return clf_refuse_plan(plan, "clf_segmented_scan");
    CLF_TRY(clf_check_begin(&check, plan->context, "clf_segmented_scan", &plan->op, call));
    CLF_TRY(clf_rows_elements(&check, count, size, &n));
    CLF_TRY(clf_check_arrays(&check, &plan->op, &n, &n, in, out));
    if (n == 0)
        return clf_run_nothing(&check, call);
    clf_engine *engine = clf_scan_choose(plan, &(clf_shape){1, count, size, check.in_place, false});
    const cl_uint shorter = shortcuts(engine, size, check.in_place);
    CLF_TRY(clf_scan_check_engine(&check, engine, engine->variant->waits && !(shorter & CLF_ARG_ALONE), n));
    clf_arguments arguments = {
        .op = &plan->op, .in = in, .out = out, .count = count, .size = size,
        .flags = shorter | (check.in_place ? CLF_ARG_IN_PLACE : 0u)};
    return clf_engine_run(engine, plan, &check, call, &arguments, n, true);
}
