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
    CLF_TRY(clf_scan_placed_check(plan, check, call, task));
    return clf_told_check_array(check, plan, task);
}

static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    clf_array arrays[CLF_TOLD + 1] = {{0}};
    if (task->size || !task->placed)
        CLF_TRY(clf_told_heads(plan, run, task, arrays));
    return clf_scan_placed_run(run, clf_scan_choose(plan, task), task, 0, arrays);
}

/* cl/segments/segment.cl */
static void define(const clf_engine *engine, clf_text *options)
{
    (void)engine;
    clf_text_format(options, " -D CLF_SEGMENT=2");
}

#define HEADS {"const uint", "heads"}
#define NUMBERS HEADS, {"const ulong", "before"}
#define NAMES NUMBERS, {"const ulong", "names"}
#define RESULT {"ulong", "result"}
#define END {NULL, NULL}

static const clf_named_array *arrays_of(const clf_operator_copy *op)
{
    static const clf_named_array all[][2][CLF_TOLD + 2] = {
        [CLF_NO_NUMBERS] = {{HEADS, END}, {HEADS, RESULT, END}},
        [CLF_NUMBERS_OF_HEADS] = {{NUMBERS, END}, {NUMBERS, RESULT, END}},
        [CLF_NUMBERS_BY_NAMES] = {{NAMES, END}, {NAMES, RESULT, END}}};
    return all[op->numbers][op->place != NULL];
}

const clf_primitive clf_irregular_scan_primitive = {
    .name = "irregular_scan", .flags = CLF_EXCLUSIVE | CLF_REVERSE | CLF_FROM_DEVICE | CLF_REPEATABLE,
    .function = CLF_PLACING,
    .profile = "scan", .head_words = 1, .exclusive = CLF_EXCLUSIVE, .reverse = CLF_REVERSE,
    .macro = {CLF_REPEATABLE, "CLF_REPEATS"},
    .define = define, .arrays_of = arrays_of,
    .variants = clf_scan_variants, .parameters = "limit", .roles = clf_scan_roles,
    .variant_for = clf_scan_variant_for, .choose = clf_scan_choose, .check = check, .run = run,
    .compile = clf_told_compile, .close = clf_told_close};

clf_status clf_irregular_scan_plan(clf_context *context, const clf_operator *op, const clf_segmentation *segmentation,
                                   unsigned flags, const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_told_check(context, segmentation, plan, error));
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

clf_status clf_irregular_scan_placed(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong count, cl_ulong room,
                                     const clf_array *segments, const clf_array *in, const clf_array *out,
                                     const clf_array *result_count)
{
    clf_task task = {.count = 1, .size = n, .entries = count, .segments = segments, .most = room, .placed = true,
                     .in = in, .out = out, .result = result_count};
    return clf_call_task(plan, &clf_irregular_scan_primitive, "clf_irregular_scan_placed", call, &task);
}
