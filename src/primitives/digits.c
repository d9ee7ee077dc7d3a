/* SPDX-License-Identifier: MIT */
/*
 * digits: elements dealt out by a digit in two passes (cl/digit/): a step of splits and of sorts.
 *
 *   up      how many elements of each digit each tile has      reads n
 *   scan    of these counts, digit by digit, to 64 bits        digits × tiles
 *   down    every tile's elements go to their places           reads and writes n; of one tile this is all
 */
#include "primitives/primitives.h"

static const clf_operator places = {
    .size = sizeof places, .value = "ulong place;", .input = "uint count;", .combine = "add", .neutral = "none",
    .map = "widen", .flags = CLF_COMMUTATIVE,
    .source = "clf_value add(clf_value a, clf_value b) { clf_value v = {a.place + b.place}; return v; }\n"
              "clf_value none(void) { clf_value v = {0}; return v; }\n"
              "clf_value widen(clf_input x, ulong i) { clf_value v = {x.count}; return v; }\n"};

clf_status clf_digits_scan_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return clf_own_weaken(plan, clf_plan_create_form(context, &clf_scan_primitive, (clf_form){.later = true}, &places,
                                                     CLF_EXCLUSIVE, NULL, plan, error));
}

enum { MOST_IN_TILE = 65535 /* places in a tile are 16 bits */ };

/* A warp, or as many work-items as cl/digit/column.cl takes together. */
static cl_uint column_width(const clf_facts *facts, cl_uint group)
{
    cl_uint width = 32;
    while (group % width)
        width /= 2;
    return facts->lane_width > 1 ? facts->lane_width : width;
}

bool clf_ranks_are_local(const clf_facts *facts, const clf_operator_copy *op)
{
    return facts->lanes == CLF_LANES_PTX && op->value.count == 1 && clf_fields_sum(&op->value) <= 8 &&
           !clf_key_captures(op);
}

/*
 * One field of a tile, and the digits, or ranks of keys alone; counters of each column, or of both halves
 * of it, and where digits go. Without lanes columns have two words for each digit before there is a tile.
 */
cl_ulong clf_digits_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint digits, bool kept, cl_uint group,
                          cl_uint items)
{
    const bool lanes = facts->lane_width > 1;
    const cl_ulong columns = clf_ceiling(group, column_width(facts, group));
    const cl_ulong chains = facts->lane_width >= 32 && items % 2 == 0 ? 2 : 1;
    const cl_ulong totals = lanes ? columns : group + group / 7 + 8, words = lanes ? 0 : 8 * digits * columns;
    if ((cl_ulong)group * items > MOST_IN_TILE)
        return CL_ULONG_MAX;
    const cl_ulong tile = (cl_ulong)group * items, together = (tile + tile / 32 + 1) * clf_fields_largest(&op->value);
    const cl_ulong besides = kept ? tile : clf_ranks_are_local(facts, op) ? tile * sizeof(cl_ushort) : 0;
    return (together > words ? together : words) + besides + digits * (2 * columns * chains + 8) + 4 * totals + 128;
}

clf_status clf_digits_count(clf_engine *engine, clf_run *run, const clf_digits_step *step, clf_arguments *arguments)
{
    const cl_ulong cells = step->digits * clf_least(step->tiles, CLF_SCRATCH_MOST);
    const clf_task scan = {.count = 1, .size = cells, .in = &arguments->arrays[step->counts],
                           .out = &arguments->arrays[step->places]};
    CLF_TRY(clf_run_launch(run, engine, step->up, arguments, step->tiles));
    return clf_run_step(run, step->scan, &scan);
}

clf_status clf_digits_run(clf_engine *engine, clf_run *run, const clf_digits_step *step, clf_arguments *arguments)
{
    if (step->tiles > 1 || clf_engine_is_cpu(engine))
        CLF_TRY(clf_digits_count(engine, run, step, arguments));
    return clf_run_launch(run, engine, step->down, arguments, step->tiles);
}

void clf_digits_take(clf_run *run, const clf_digits_step *step, clf_arguments *arguments)
{
    const cl_ulong cells = step->digits * clf_least(step->tiles, CLF_SCRATCH_MOST);
    arguments->arrays[step->counts] = clf_run_array(run, CLF_PLAIN, cells, sizeof(cl_uint));
    arguments->arrays[step->places] = clf_run_array(run, CLF_PLAIN, cells, sizeof(cl_ulong));
}
