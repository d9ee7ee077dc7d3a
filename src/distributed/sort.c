/* SPDX-License-Identifier: MIT */
/*
 * Sort: every member sorts its elements. Splitters (splitters.c) say which of them belong to which member, and they
 * move there. Then every member sorts what it got. Elements arrive by ranks, and each sort is stable, so the whole is.
 */
#include "distributed/distributed.h"

#include <stdlib.h>
#include <string.h>

enum { SORT = CLF_DIST_SORT_STEPS, AGAIN, CODES };
enum { SORTED, CODED }; /* scratch */

/* Searches of codes, before and behind those that are equal. */
static clf_status make_bounds(clf_context *context, const clf_operator *op, unsigned flags,
                              const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return clf_bounds_plan(context, op, CLF_ULONG, flags, options, plan, error);
}

static clf_status make_codes(clf_comm_plan *plan, const clf_operator *op, clf_error *error)
{
    clf_dist_operator codes;
    clf_status status = clf_dist_key_codes(op, plan->flags, &codes, &plan->code_bits, error);
    if (status != CLF_SUCCESS)
        return status;
    const clf_operator order = {.size = sizeof order,
                                .value = codes.op.value,
                                .less = "distributed_below",
                                .source = "bool distributed_below(clf_input a, clf_input b)\n"
                                          "{\n    return a.distributed_code < b.distributed_code;\n}\n"};
    status = clf_dist_parse(order.value, "code", &plan->codes, error);
    if (status == CLF_SUCCESS)
        status = clf_dist_plan_step(plan, CODES, clf_adjacent_difference_plan, &codes.op, 0, NULL, error);
    if (status == CLF_SUCCESS)
        status = clf_dist_plan_step(plan, CLF_DIST_LOWER, make_bounds, &order, 0, NULL, error);
    if (status == CLF_SUCCESS)
        status = clf_dist_plan_step(plan, CLF_DIST_UPPER, make_bounds, &order, CLF_UPPER, NULL, error);
    clf_dist_operator_free(&codes);
    return status;
}

clf_status clf_comm_sort_plan(clf_comm *comm, const clf_operator *op, unsigned flags, const clf_plan_options *options,
                              clf_comm_plan **plan, clf_error *error)
{
    clf_comm_plan *made = NULL;
    if (!comm || !op || !plan)
        return clf_dist_refuse(comm, plan, error);
    clf_status status = clf_dist_plan_new(comm, op, CLF_DIST_SORT, flags, &made, error);
    if (status == CLF_SUCCESS)
        status = clf_dist_plan_rewritten(made, SORT, clf_sort_plan, op, CLF_DIST_INDEXED, flags, options, error);
    if (status == CLF_SUCCESS)
        status = clf_dist_plan_rewritten(made, AGAIN, clf_sort_plan, op, CLF_DIST_NO_MAP, flags, options, error);
    if (status == CLF_SUCCESS)
        status = make_codes(made, op, error);
    if (status == CLF_SUCCESS)
        status = clf_dist_splitters_make(made, error);
    if (status == CLF_SUCCESS)
        status = clf_dist_staging(comm);
    return clf_dist_plan_agree(comm, made, status, plan, error);
}

/* Values, and where the operator has `key` captured arrays, which it may look into: from the caller's inputs. */
static void keyed(const clf_comm_plan *plan, cl_uint l, const clf_array *in, const clf_array *values,
                  clf_array made[2 * CLF_MAX_FIELDS])
{
    const cl_uint all = plan->input.count + plan->captured.count;
    memcpy(made, values, plan->value.count * sizeof *made);
    memcpy(made + plan->value.count, in + l * all + plan->input.count, plan->captured.count * sizeof *made);
}

/* A member's elements, sorted: to scratch, and as codes. Where there is one member it is the result. */
static clf_status sort_own(clf_comm_plan *plan, cl_uint l, cl_ulong n, const clf_array *in, const clf_array *out,
                           clf_array *sorted, clf_array *codes)
{
    const clf_comm *comm = plan->comm;
    const cl_ulong *offsets = clf_dist_numbers(plan, 0);
    clf_array inputs[2 * CLF_MAX_FIELDS + 1];
    clf_call call = {.size = sizeof call, .queue = comm->local[l].queue};
    clf_status status = clf_dist_place(plan, l, 0, offsets[comm->first + l], offsets[comm->members]);
    call.in_count = clf_dist_inputs(plan, l, in, 0, 0, inputs);
    if (status == CLF_SUCCESS && comm->members == 1)
        return clf_sort(plan->site[l].step[SORT], &call, n, inputs, out);
    if (status == CLF_SUCCESS)
        status = clf_dist_scratch_fields(plan, l, SORTED, &plan->value, n, sorted);
    if (status == CLF_SUCCESS)
        status = clf_dist_scratch_fields(plan, l, CODED, &plan->codes, n, codes);
    if (status == CLF_SUCCESS)
        status = clf_sort(plan->site[l].step[SORT], &call, n, inputs, sorted);
    call.in_count = 0;
    keyed(plan, l, in, sorted, inputs);
    return status == CLF_SUCCESS ? clf_adjacent_difference(plan->site[l].step[CODES], &call, n, inputs, codes) : status;
}

static clf_status sort_again(clf_comm_plan *plan, cl_uint l, cl_ulong n, const clf_array *in, const clf_array *out)
{
    clf_array inputs[2 * CLF_MAX_FIELDS];
    const clf_call call = {.size = sizeof call, .queue = plan->comm->local[l].queue};
    const clf_array *arrays = out + l * plan->value.count;
    keyed(plan, l, in, arrays, inputs);
    return clf_sort(plan->site[l].step[AGAIN], &call, n, inputs, arrays);
}

clf_status clf_comm_sort(clf_comm_plan *plan, const cl_ulong *n, const clf_array *in, const clf_array *out)
{
    clf_array sorted[CLF_DIST_MOST_LOCALS * CLF_MAX_FIELDS], codes[CLF_DIST_MOST_LOCALS];
    clf_status status = clf_dist_call(plan, CLF_DIST_SORT, n, 0, in, out);
    if (status != CLF_SUCCESS)
        return status;
    clf_comm *comm = plan->comm;
    for (cl_uint l = 0; l < comm->locals; ++l)
        CLF_DIST_DO(&comm->local[l], sort_own(plan, l, n[l], in, out, sorted + l * plan->value.count, codes + l));
    clf_dist_phase(comm, CLF_COMM_LOCAL);
    if (comm->members > 1) {
        clf_dist_route route = clf_dist_route_in(comm, clf_dist_numbers(plan, 2));
        status = clf_dist_splitters_find(plan, n, codes, &route);
        clf_dist_phase(comm, CLF_COMM_BORDERS);
        if (status == CLF_SUCCESS)
            status = clf_dist_move(comm, &route, &plan->value, sorted, out);
        for (cl_uint l = 0; l < comm->locals && status == CLF_SUCCESS; ++l)
            CLF_DIST_DO(&comm->local[l], sort_again(plan, l, n[l], in, out));
    }
    return clf_dist_end(comm, status);
}
