/* SPDX-License-Identifier: MIT */
/* Filter: every member keeps what it keeps; where results stand among all is counted. Rebalance: elements in order, so
 * many for each member. */
#include "distributed/distributed.h"

#include <string.h>

enum { FILTER };

clf_status clf_comm_filter_plan(clf_comm *comm, const clf_operator *op, unsigned flags, const clf_plan_options *options,
                                clf_comm_plan **plan, clf_error *error)
{
    const clf_dist_step filter = {FILTER, clf_filter_plan, CLF_DIST_INDEXED, flags, options};
    return clf_dist_plan_of(comm, op, CLF_DIST_FILTER, flags, 0, &filter, 1, plan, error);
}

static clf_status filter_own(clf_comm_plan *plan, cl_uint l, cl_ulong n, cl_ulong room, const clf_array *in,
                             const clf_array *out)
{
    const clf_comm *comm = plan->comm;
    const cl_ulong *offsets = clf_dist_numbers(plan, 0);
    clf_array inputs[2 * CLF_MAX_FIELDS + 1];
    const clf_array count = clf_dist_count_array(plan, l);
    clf_call call = {.size = sizeof call, .queue = comm->local[l].queue};
    clf_status status = clf_dist_place(plan, l, 0, offsets[comm->first + l], offsets[comm->members]);
    call.in_count = clf_dist_inputs(plan, l, in, 0, 0, inputs);
    if (status == CLF_SUCCESS)
        status = clf_filter(plan->site[l].step[FILTER], &call, n, room, inputs, out + l * plan->value.count, &count);
    return status == CLF_SUCCESS ? clf_dist_count_read(plan, l) : status;
}

clf_status clf_comm_filter(clf_comm_plan *plan, const cl_ulong *n, const cl_ulong *room, const clf_array *in,
                           const clf_array *out, clf_comm_results *results)
{
    const clf_status status = clf_dist_call(plan, CLF_DIST_FILTER, n, 0, in, out);
    if (status != CLF_SUCCESS)
        return status;
    clf_comm *comm = plan->comm;
    for (cl_uint l = 0; l < comm->locals; ++l)
        CLF_DIST_DO(&comm->local[l], filter_own(plan, l, n[l], room ? room[l] : n[l], in, out));
    return clf_dist_counts(plan, results);
}

/* ---- Rebalance ----------------------------------------------------------------------------------------- */

clf_status clf_comm_rebalance_plan(clf_comm *comm, const char *fields, clf_comm_plan **plan, clf_error *error)
{
    clf_comm_plan *made = NULL;
    if (!comm || !fields || !plan)
        return clf_dist_refuse(comm, plan, error);
    clf_status status = clf_dist_plan_new(comm, NULL, CLF_DIST_REBALANCE, 0, &made, error);
    if (status == CLF_SUCCESS)
        status = clf_dist_parse(fields, "fields", &made->value, error);
    if (status == CLF_SUCCESS)
        status = clf_dist_staging(comm);
    return clf_dist_plan_agree(comm, made, status, plan, error);
}

/* Inputs are read while outputs are written. */
static clf_status check_overlap(const clf_comm_plan *plan, const cl_ulong *n, const cl_ulong *wanted,
                                const clf_array *in, const clf_array *out)
{
    const cl_uint fields = plan->value.count;
    for (cl_uint i = 0; i < plan->comm->locals * fields; ++i)
        for (cl_uint o = i / fields * fields; o < (i / fields + 1) * fields; ++o)
            if (clf_dist_overlap(in[i], n[i / fields], plan->value.field[i % fields].bytes, out[o], wanted[i / fields],
                                 plan->value.field[o % fields].bytes))
                return CLF_E_ALIAS;
    return CLF_SUCCESS;
}

clf_status clf_comm_rebalance(clf_comm_plan *plan, const cl_ulong *n, const cl_ulong *wanted, const clf_array *in,
                              const clf_array *out)
{
    clf_status status = clf_dist_call(plan, CLF_DIST_REBALANCE, n, 0, in, out);
    if (status != CLF_SUCCESS)
        return status;
    clf_comm *comm = plan->comm;
    cl_ulong *const have = clf_dist_numbers(plan, 0), *const get = clf_dist_numbers(plan, 1);
    if (wanted)
        clf_dist_fail_all(comm, check_overlap(plan, n, wanted, in, out));
    status = clf_dist_offsets(plan, wanted, 0, get);
    if (status != CLF_SUCCESS || have[comm->members] != get[comm->members])
        return status != CLF_SUCCESS ? status : CLF_E_ARGUMENT;
    clf_dist_route route = clf_dist_route_in(comm, clf_dist_numbers(plan, 2));
    clf_dist_route_ranges(comm, &route, have, get);
    status = clf_dist_move(comm, &route, &plan->value, in, out);
    return clf_dist_end(comm, status);
}
