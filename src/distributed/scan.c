/* SPDX-License-Identifier: MIT */
/*
 * Scan: every member but the last reduces its elements. A member's own scan begins with the initial value, combined
 * with the values of all members before it. So elements are read twice and written once.
 */
#include "distributed/distributed.h"

enum { LOCAL, COMBINE, SCAN };

clf_status clf_comm_scan_plan(clf_comm *comm, const clf_operator *op, unsigned flags, const clf_plan_options *options,
                              clf_comm_plan **plan, clf_error *error)
{
    const clf_dist_step steps[] = {{SCAN, clf_scan_plan, CLF_DIST_INDEXED, flags | CLF_FROM_DEVICE, options},
                                   {LOCAL, clf_reduce_plan, CLF_DIST_INDEXED | CLF_DIST_NO_EXTRA, 0, NULL},
                                   {COMBINE, clf_reduce_plan, CLF_DIST_NO_MAP, 0, NULL}};
    return clf_dist_plan_of(comm, op, CLF_DIST_SCAN, flags, 2, steps, CLF_DIST_COUNT(steps), plan, error);
}

static clf_status reduce_own(clf_comm_plan *plan, cl_uint l, const cl_ulong *offsets, cl_ulong n, const clf_array *in)
{
    clf_array inputs[2 * CLF_MAX_FIELDS + 1], value[CLF_MAX_FIELDS];
    const clf_comm *comm = plan->comm;
    const cl_uint me = comm->first + l;
    clf_call call = {.size = sizeof call, .queue = comm->local[l].queue};
    clf_status status = clf_dist_place(plan, l, 0, offsets[me], offsets[comm->members]);
    if (status != CLF_SUCCESS || me + 1 == comm->members) /* nobody comes behind the last one */
        return status;
    call.in_count = clf_dist_inputs(plan, l, in, 0, 0, inputs);
    clf_dist_slot(plan, l, comm->members, value);
    status = clf_reduce(plan->site[l].step[LOCAL], &call, n, inputs, value);
    return status == CLF_SUCCESS ? clf_dist_slots_copy(plan, l, comm->members, 1, clf_dist_block_read) : status;
}

static clf_status scan_own(clf_comm_plan *plan, cl_uint l, const void *initial, cl_ulong n, const clf_array *in,
                           const clf_array *out)
{
    clf_array inputs[2 * CLF_MAX_FIELDS + 1], before[CLF_MAX_FIELDS];
    const clf_comm *comm = plan->comm;
    const cl_uint me = comm->first + l;
    cl_uint count;
    clf_status status = clf_dist_slots_share(plan, l, 0, me, &count);
    clf_call call = {.size = sizeof call, .queue = comm->local[l].queue,
                     .initial_arrays = count || initial ? before : NULL};
    call.in_count = clf_dist_inputs(plan, l, in, 0, 0, inputs);
    clf_dist_slot(plan, l, comm->members + 1, before);
    if (status == CLF_SUCCESS && call.initial_arrays)
        status = clf_dist_combine(plan, l, COMBINE, 0, count, initial, before);
    return status == CLF_SUCCESS
               ? clf_scan(plan->site[l].step[SCAN], &call, n, inputs, out + l * (plan->value.count + plan->extra.count))
               : status;
}

clf_status clf_comm_scan(clf_comm_plan *plan, const void *initial, const cl_ulong *n, const clf_array *in,
                         const clf_array *out)
{
    clf_status status = clf_dist_call(plan, CLF_DIST_SCAN, n, 0, in, out);
    if (status != CLF_SUCCESS)
        return status;
    clf_comm *comm = plan->comm;
    const cl_ulong *const offsets = clf_dist_numbers(plan, 0);
    for (cl_uint l = 0; l < comm->locals; ++l)
        CLF_DIST_DO(&comm->local[l], reduce_own(plan, l, offsets, n[l], in));
    status = clf_dist_slots_meet(plan, comm->members, 0);
    for (cl_uint l = 0; l < comm->locals && status == CLF_SUCCESS; ++l)
        CLF_DIST_DO(&comm->local[l], scan_own(plan, l, initial, n[l], in, out));
    return clf_dist_end(comm, status);
}
