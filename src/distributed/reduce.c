/* SPDX-License-Identifier: MIT */
/* Reduce: every member its own elements, then every member all members' values, in rank order. */
#include "distributed/distributed.h"

#include <string.h>

enum { LOCAL, COMBINE };

clf_status clf_comm_reduce_plan(clf_comm *comm, const clf_operator *op, unsigned flags, const clf_plan_options *options,
                                clf_comm_plan **plan, clf_error *error)
{
    const clf_dist_step steps[] = {{LOCAL, clf_reduce_plan, CLF_DIST_INDEXED, 0, options},
                                   {COMBINE, clf_reduce_plan, CLF_DIST_NO_MAP, 0, NULL}};
    return clf_dist_plan_of(comm, op, CLF_DIST_REDUCE, flags, 1, steps, CLF_DIST_COUNT(steps), plan, error);
}

/* A member's own value goes to the slot behind those of all. */
static clf_status reduce_own(clf_comm_plan *plan, cl_uint l, cl_ulong first, cl_ulong total, cl_ulong n,
                             const clf_array *in, const clf_array *out)
{
    clf_array inputs[2 * CLF_MAX_FIELDS + 1], outputs[2 * CLF_MAX_FIELDS];
    const cl_uint values = plan->value.count, extras = plan->extra.count;
    clf_call call = {.size = sizeof call, .queue = plan->comm->local[l].queue};
    clf_status status = clf_dist_place(plan, l, 0, first, total);
    call.in_count = clf_dist_inputs(plan, l, in, 0, 0, inputs);
    clf_dist_slot(plan, l, plan->comm->members, outputs);
    memcpy(outputs + values, out + l * (values + extras) + values, extras * sizeof *out);
    if (status == CLF_SUCCESS)
        status = clf_reduce(plan->site[l].step[LOCAL], &call, n, inputs, outputs);
    return status == CLF_SUCCESS ? clf_dist_slots_copy(plan, l, plan->comm->members, 1, clf_dist_block_read) : status;
}

static clf_status reduce_all(clf_comm_plan *plan, cl_uint l, const void *initial, const clf_array *out)
{
    cl_uint count;
    const clf_status status = clf_dist_slots_share(plan, l, 0, plan->comm->members, &count);
    return status == CLF_SUCCESS ? clf_dist_combine(plan, l, COMBINE, 0, count, initial,
                                                    out + l * (plan->value.count + plan->extra.count))
                                 : status;
}

clf_status clf_comm_reduce(clf_comm_plan *plan, const void *initial, const cl_ulong *n, const clf_array *in,
                           const clf_array *out)
{
    clf_status status = clf_dist_call(plan, CLF_DIST_REDUCE, n, 0, in, out);
    if (status != CLF_SUCCESS)
        return status;
    clf_comm *comm = plan->comm;
    const cl_ulong *const offsets = clf_dist_numbers(plan, 0);
    for (cl_uint l = 0; l < comm->locals; ++l)
        CLF_DIST_DO(&comm->local[l],
                    reduce_own(plan, l, offsets[comm->first + l], offsets[comm->members], n[l], in, out));
    status = clf_dist_slots_meet(plan, comm->members, 0);
    for (cl_uint l = 0; l < comm->locals && status == CLF_SUCCESS; ++l)
        CLF_DIST_DO(&comm->local[l], reduce_all(plan, l, initial, out));
    return clf_dist_end(comm, status);
}
