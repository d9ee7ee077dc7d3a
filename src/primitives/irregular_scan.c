/* SPDX-License-Identifier: MIT */
/*
 * irregular_scan: scans of segments of any lengths, on the engines of scan.c, which are told by a bit per
 * element where segments start (Blelloch's operator on pairs of flag and value: cl/segments/segment.cl). Work does
 * not depend on how lengths are distributed, and empty segments are nothing to the scan.
 *
 * Bits that the caller has are read in place. What else tells is made into bits in scratch first: flags, keys
 * and offsets by one kernel (heads.c), lengths after a scan of them:
 */
#include "primitives/primitives.h"

/* ---- Calls ------------------------------------------------------------------------------------------- */

static clf_status check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task)
{
    CLF_TRY(clf_rows_check(plan, check, call, task));
    return clf_told_check_array(check, plan, task);
}

static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    clf_array told[CLF_TOLD] = {{0}};
    CLF_TRY(clf_told_heads(plan, run, task, told));
    return clf_scan_run(run, clf_scan_choose(plan, task), task, 0, told);
}

/* cl/segments/segment.cl */
static void define(const clf_engine *engine, clf_text *options)
{
    (void)engine;
    clf_text_format(options, " -D CLF_SEGMENT=2");
}

static const clf_named_array *arrays_of(const clf_operator_copy *op)
{
    static const clf_named_array bits[] = {{"const uint", "heads"}, {NULL, NULL}};
    static const clf_named_array numbered[] = {{"const uint", "heads"}, {"const ulong", "before"}, {NULL, NULL}};
    static const clf_named_array named[] = {
        {"const uint", "heads"}, {"const ulong", "before"}, {"const ulong", "names"}, {NULL, NULL}};
    static const clf_named_array *const all[] = {
        [CLF_NO_NUMBERS] = bits, [CLF_NUMBERS_OF_HEADS] = numbered, [CLF_NUMBERS_BY_NAMES] = named};
    return all[op->numbers];
}

const clf_primitive clf_irregular_scan_primitive = {
    .name = "irregular_scan", .flags = CLF_EXCLUSIVE | CLF_REVERSE | CLF_FROM_DEVICE | CLF_REPEATABLE,
    .function = CLF_SCANNING,
    .profile = "scan", .head_words = 1, .exclusive = CLF_EXCLUSIVE, .reverse = CLF_REVERSE,
    .macro = {CLF_REPEATABLE, "CLF_REPEATS"},
    .define = define, .arrays_of = arrays_of,
    .variants = clf_scan_variants, .parameters = "limit", .roles = clf_scan_roles,
    .variant_for = clf_scan_variant_for, .choose = clf_scan_choose, .check = check, .run = run,
    .compile = clf_told_compile, .close = clf_told_close};

clf_status clf_irregular_scan_plan(clf_context *context, const clf_operator *op, const clf_segmentation *segmentation,
                                   unsigned flags, const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_told_check(context, segmentation, error));
    const clf_form form = {.numbers = clf_told_numbers(segmentation)};
    CLF_TRY(clf_plan_create_form(context, &clf_irregular_scan_primitive, form, op, flags, options, plan, error));
    return clf_told_open(plan, segmentation, true, CLF_EXCLUSIVE, error);
}

clf_status clf_irregular_scan(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong count,
                              const clf_array *segments, const clf_array *in, const clf_array *out)
{
    clf_task task = {.count = 1, .size = n, .entries = count, .segments = segments, .in = in, .out = out};
    return clf_call_task(plan, &clf_irregular_scan_primitive, "clf_irregular_scan", call, &task);
}
