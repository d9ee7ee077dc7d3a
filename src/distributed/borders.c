/* SPDX-License-Identifier: MIT */
/*
 * Borders: does the first run of a member go on from the one before? The first and the last elements of all members
 * are a short sequence, whose heads of runs every process finds by the caller's `same`.
 */
#include "distributed/distributed.h"

#include <stdlib.h>
#include <string.h>

enum { HEADS };
enum { FOUND }; /* scratch */
enum { EDGES = 2 };

clf_status clf_dist_borders_plan(clf_comm *comm, const clf_operator *op, clf_comm_plan **plan, clf_error *error)
{
    clf_comm_plan *made = NULL;
    clf_status status = clf_dist_plan_new(comm, op, CLF_DIST_BORDERS, 0, &made, error);
    *plan = made;
    if (status == CLF_SUCCESS)
        status = clf_dist_plan_columns(made, &made->input, EDGES * comm->members);
    if (status == CLF_SUCCESS) {
        made->more = calloc((EDGES + 1) * (size_t)comm->members, sizeof *made->more);
        status = made->more ? clf_dist_reserve(comm, EDGES * made->input.packed) : CLF_E_NO_MEMORY;
    }
    clf_dist_operator heads;
    if (status == CLF_SUCCESS)
        status = clf_dist_heads_operator(op, &heads);
    if (status == CLF_SUCCESS) {
        status = clf_dist_plan_step(made, HEADS, clf_unique_plan, &heads.op, 0, NULL, error);
        clf_dist_operator_free(&heads);
    }
    return status;
}

/* A member's first and last element, to the slots 0 and 1 of the host. */
static clf_status read_edges(const clf_comm_plan *plan, cl_uint l, cl_ulong n, const clf_array *in)
{
    clf_status status = CLF_SUCCESS;
    for (cl_uint f = 0; f < plan->input.count && n != 0; ++f) {
        const size_t bytes = plan->input.field[f].bytes;
        const clf_array *array = in + l * (plan->input.count + plan->captured.count) + f;
        for (cl_uint edge = 0; edge < EDGES && status == CLF_SUCCESS; ++edge)
            status = clEnqueueReadBuffer(plan->comm->local[l].queue, array->buffer, CL_FALSE,
                                         (size_t)(array->offset + (edge ? n - 1 : 0)) * bytes, bytes,
                                         plan->site[l].small.host + plan->column_at[f] + edge * bytes, 0, NULL, NULL);
    }
    return status;
}

/* Finds the heads among `count` edges: their places in this order, to `found`. `captured`: of the first member here. */
static clf_status find_heads(clf_comm_plan *plan, cl_uint count, const clf_array *captured, cl_uint *found)
{
    const clf_dist_local *local = plan->comm->local;
    const clf_call call = {.size = sizeof call, .queue = local->queue};
    const clf_array kept = clf_dist_count_array(plan, 0);
    clf_array edges[2 * CLF_MAX_FIELDS], places = {0};
    clf_dist_slot(plan, 0, 0, edges);
    memcpy(edges + plan->input.count, captured, plan->captured.count * sizeof *captured);
    clf_status status = clf_dist_slots_copy(plan, 0, 0, count, clf_dist_block_write);
    if (status == CLF_SUCCESS)
        status = clf_dist_scratch_grow(plan, 0, FOUND, count * sizeof *found);
    places.buffer = plan->site[0].scratch[FOUND].buffer;
    if (status == CLF_SUCCESS)
        status = clf_unique(plan->site[0].step[HEADS], &call, count, count, edges, &places, &kept);
    if (status == CLF_SUCCESS)
        status = clf_dist_count_read(plan, 0);
    if (status == CLF_SUCCESS)
        status = clEnqueueReadBuffer(local->queue, places.buffer, CL_TRUE, 0, count * sizeof *found, found, 0, NULL,
                                     NULL);
    return status;
}

/* Edges of all members that have elements, from the records to slots of the first member here. */
static cl_uint take_edges(const clf_comm_plan *plan, const cl_ulong *offsets)
{
    cl_uint count = 0;
    for (cl_uint rank = 0; rank < plan->comm->members; ++rank)
        for (cl_uint edge = 0; edge < EDGES && offsets[rank] != offsets[rank + 1]; ++edge)
            clf_dist_unpack(plan, 0, count++,
                            (const char *)clf_dist_record(plan->comm, rank) + edge * plan->input.packed);
    return count;
}

clf_status clf_dist_borders_find(clf_comm_plan *plan, const cl_ulong *offsets, const clf_array *in, cl_ulong *joined)
{
    clf_comm *comm = plan->comm;
    const size_t packed = plan->input.packed;
    for (cl_uint l = 0; l < comm->locals; ++l)
        CLF_DIST_DO(&comm->local[l], read_edges(plan, l, offsets[comm->first + l + 1] - offsets[comm->first + l], in));
    clf_dist_finish(comm);
    for (cl_uint l = 0; l < comm->locals; ++l)
        for (cl_uint edge = 0; edge < EDGES; ++edge)
            clf_dist_pack(plan, l, edge, (char *)clf_dist_own(comm, l, EDGES * packed) + edge * packed);
    const clf_status status = clf_dist_meet(comm, EDGES * packed);
    if (status != CLF_SUCCESS)
        return status;
    cl_uint *const found = (cl_uint *)plan->more;
    const cl_uint count = take_edges(plan, offsets);
    if (count != 0)
        CLF_DIST_DO(&comm->local[0], find_heads(plan, count, in + plan->input.count, found));
    cl_ulong heads = 0;
    if (comm->local[0].status == CLF_SUCCESS && count != 0)
        memcpy(&heads, plan->site[0].small.host + CLF_DIST_COUNT_AT, sizeof heads);
    cl_uint edge = 0, head = 0;
    for (cl_uint rank = 0; rank < comm->members; ++rank) {
        const bool empty = offsets[rank] == offsets[rank + 1];
        while (head < heads && found[head] < edge)
            ++head;
        joined[rank] = !empty && !(head < heads && found[head] == edge);
        edge += empty ? 0 : EDGES;
    }
    return CLF_SUCCESS;
}
