/* SPDX-License-Identifier: MIT */
/*
 * Reduce by index: every member first reduces its own elements. Then each combines all members' values of its share
 * of the bins, in rank order, and sends these to everyone. So this is a reduce-scatter and an all-gather: each member
 * sends and gets about twice the bins, however many members there are.
 */
#include "distributed/distributed.h"

#include <string.h>

enum { LOCAL, COLUMNS };
enum { OWN, OF_ALL, COMBINED }; /* scratch */

/* Several members: empty bins of one must not count where others have elements. */
static bool is_held(const clf_comm_plan *plan, const clf_operator *op)
{
    return plan->comm->members > 1 && clf_dist_has_extremes(op, &plan->value);
}

static clf_status make_fields(clf_comm_plan *plan, const clf_operator *op, clf_error *error)
{
    plan->held = plan->value;
    if (is_held(plan, op) && clf_dist_held_fields(&plan->value, &plan->held) != CLF_SUCCESS)
        return clf_dist_fail(error, CLF_E_UNSUPPORTED,
                             "over several members bins of floating minima and maxima have "
                             "%d fields at most",
                             CLF_MAX_FIELDS - 1);
    return clf_dist_plan_columns(plan, &plan->value, 1);
}

static clf_status make_columns(clf_comm_plan *plan, const clf_operator *op, clf_error *error)
{
    clf_dist_operator held = {.op = clf_dist_operator_whole(op)}, columns;
    clf_status status = is_held(plan, op) ? clf_dist_held_operator(op, &plan->value, &held) : CLF_SUCCESS;
    if (status == CLF_SUCCESS)
        status = clf_dist_columns_operator(&held.op, &plan->held, &columns);
    if (status != CLF_SUCCESS)
        status = clf_dist_fail(error, status, "out of memory");
    else {
        status = clf_dist_plan_step(plan, COLUMNS, clf_reduce_plan, &columns.op, 0, NULL, error);
        clf_dist_operator_free(&columns);
    }
    clf_dist_operator_free(&held);
    return status;
}

static clf_status make_local(clf_comm_plan *plan, const clf_operator *op, unsigned flags,
                             const clf_plan_options *options, clf_error *error)
{
    clf_dist_operator held = {.op = clf_dist_operator_whole(op)};
    clf_status status = is_held(plan, op) ? clf_dist_held_operator(op, &plan->value, &held) : CLF_SUCCESS;
    if (status == CLF_SUCCESS)
        status = clf_dist_plan_rewritten(plan, LOCAL, clf_reduce_by_index_plan, &held.op, CLF_DIST_INDEXED, flags,
                                         options, error);
    else
        status = clf_dist_fail(error, status, "out of memory");
    clf_dist_operator_free(&held);
    return status;
}

clf_status clf_comm_reduce_by_index_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                         const clf_plan_options *options, clf_comm_plan **plan, clf_error *error)
{
    clf_comm_plan *made = NULL;
    if (!comm || !op || !plan)
        return clf_dist_refuse(comm, plan, error);
    clf_status status = clf_dist_plan_new(comm, op, CLF_DIST_REDUCE_BY_INDEX, flags, &made, error);
    if (status == CLF_SUCCESS)
        status = make_fields(made, op, error);
    if (status == CLF_SUCCESS)
        status = make_local(made, op, flags, options, error);
    if (status == CLF_SUCCESS)
        status = make_columns(made, op, error);
    if (status == CLF_SUCCESS)
        status = clf_dist_staging(comm);
    return clf_dist_plan_agree(comm, made, status, plan, error);
}

/* ---- Calls --------------------------------------------------------------------------------------------- */

/* The arrays of the members here. */
typedef struct arrays {
    clf_array own[CLF_DIST_MOST_LOCALS * CLF_MAX_FIELDS], all[CLF_DIST_MOST_LOCALS * CLF_MAX_FIELDS];
    clf_array combined[CLF_DIST_MOST_LOCALS * CLF_MAX_FIELDS];
} arrays;

/* Bins [result, that of the next) are a member's. */
static cl_ulong bin_at(const clf_comm *comm, cl_ulong bins, cl_uint rank)
{
    return bins / comm->members * rank + clf_dist_least(rank, bins % comm->members);
}

static cl_ulong bins_of(const clf_comm *comm, cl_ulong bins, cl_uint rank)
{
    return bin_at(comm, bins, rank + 1) - bin_at(comm, bins, rank);
}

static clf_status reduce_own(clf_comm_plan *plan, cl_uint l, cl_ulong n, cl_ulong bins, const clf_array *in,
                             const clf_array *out)
{
    const clf_comm *comm = plan->comm;
    const cl_ulong *offsets = clf_dist_numbers(plan, 0);
    clf_array inputs[2 * CLF_MAX_FIELDS + 1];
    clf_call call = {.size = sizeof call, .queue = comm->local[l].queue};
    const clf_status status = clf_dist_place(plan, l, 0, offsets[comm->first + l], offsets[comm->members]);
    call.in_count = clf_dist_inputs(plan, l, in, 0, 0, inputs);
    return status == CLF_SUCCESS ? clf_reduce_by_index(plan->site[l].step[LOCAL], &call, n, bins, inputs, out) : status;
}

/* Scratch, and a member's own bins there. */
static clf_status begin_own(clf_comm_plan *plan, cl_uint l, cl_ulong n, cl_ulong bins, const clf_array *in, arrays *a)
{
    const clf_comm *comm = plan->comm;
    const cl_uint fields = plan->held.count;
    const cl_ulong part = bins_of(comm, bins, comm->first + l);
    if (bins > ~(cl_ulong)0 / 2 / comm->members)
        return CLF_E_OVERFLOW;
    clf_status status = clf_dist_scratch_fields(plan, l, OWN, &plan->held, bins, a->own + l * fields);
    if (status == CLF_SUCCESS)
        status = clf_dist_scratch_fields(plan, l, OF_ALL, &plan->held, part * comm->members, a->all + l * fields);
    if (status == CLF_SUCCESS)
        status = clf_dist_scratch_fields(plan, l, COMBINED, &plan->held, part, a->combined + l * fields);
    return status == CLF_SUCCESS ? reduce_own(plan, l, n, bins, in, a->own + l * fields) : status;
}

/* Everyone's values of a member's bins, [members][bins], to one for each bin. */
static clf_status combine_own(clf_comm_plan *plan, cl_uint l, cl_ulong bins, const arrays *a)
{
    const clf_comm *comm = plan->comm;
    const cl_uint fields = plan->held.count;
    const cl_ulong part = bins_of(comm, bins, comm->first + l);
    clf_array in[CLF_MAX_FIELDS + 1];
    const clf_call call = {.size = sizeof call, .queue = comm->local[l].queue};
    const clf_status status = clf_dist_pair(plan, l, 1, part, 0);
    clf_dist_shift(fields, a->all + l * fields, 0, in);
    in[fields] = (clf_array){plan->site[l].small.device, 2};
    return status == CLF_SUCCESS ? clf_segmented_reduce(plan->site[l].step[COLUMNS], &call, part, comm->members, in,
                                                        a->combined + l * fields)
                                 : status;
}

/* To everyone its bins of mine, or to everyone what I have made of mine. */
static void make_route(const clf_comm *comm, cl_ulong bins, bool back, clf_dist_route *route)
{
    for (cl_uint l = 0; l < comm->locals; ++l) {
        const cl_ulong mine = bins_of(comm, bins, comm->first + l);
        for (cl_uint other = 0; other < comm->members; ++other) {
            const size_t i = (size_t)l * comm->members + other;
            const cl_ulong at = bin_at(comm, bins, other), theirs = bins_of(comm, bins, other);
            route->sent[i] = back ? mine : theirs;
            route->sent_at[i] = back ? 0 : at;
            route->got[i] = back ? theirs : mine;
            route->got_at[i] = back ? at : other * mine;
        }
    }
}

static clf_status exchange(clf_comm_plan *plan, cl_ulong bins, arrays *a, const clf_array *out)
{
    clf_comm *comm = plan->comm;
    clf_dist_route route = clf_dist_route_in(comm, clf_dist_numbers(plan, 2));
    make_route(comm, bins, false, &route);
    clf_dist_phase(comm, CLF_COMM_LOCAL);
    const clf_status status = clf_dist_move(comm, &route, &plan->held, a->own, a->all);
    if (status != CLF_SUCCESS)
        return status;
    for (cl_uint l = 0; l < comm->locals; ++l)
        CLF_DIST_DO(&comm->local[l], combine_own(plan, l, bins, a));
    make_route(comm, bins, true, &route);
    for (cl_uint l = 0; l < comm->locals; ++l) /* only the value's */
        memmove(a->combined + l * plan->value.count, a->combined + l * plan->held.count,
                plan->value.count * sizeof *a->combined);
    clf_dist_phase(comm, CLF_COMM_LAST);
    return clf_dist_move(comm, &route, &plan->value, a->combined, out);
}

clf_status clf_comm_reduce_by_index(clf_comm_plan *plan, cl_ulong bins, const cl_ulong *n, const clf_array *in,
                                    const clf_array *out)
{
    arrays a;
    clf_status status = clf_dist_call(plan, CLF_DIST_REDUCE_BY_INDEX, n, bins, in, out);
    if (status != CLF_SUCCESS)
        return status;
    clf_comm *comm = plan->comm;
    if (comm->members == 1)
        CLF_DIST_DO(&comm->local[0], reduce_own(plan, 0, n[0], bins, in, out));
    else {
        for (cl_uint l = 0; l < comm->locals; ++l)
            CLF_DIST_DO(&comm->local[l], begin_own(plan, l, n[l], bins, in, &a));
        status = exchange(plan, bins, &a, out);
    }
    return clf_dist_end(comm, status);
}
