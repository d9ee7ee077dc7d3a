/* SPDX-License-Identifier: MIT */
/*
 * Transpose: every member turns its rows, so that the part of each other member lies in one piece. The pieces move to
 * their members, which lay them side by side.
 */
#include "distributed/distributed.h"

enum { TURN };
enum { TURNED, PIECES }; /* scratch */

static clf_status make_turn(clf_comm_plan *plan, const clf_plan_options *options, clf_error *error)
{
    clf_status status = CLF_SUCCESS;
    for (cl_uint l = 0; l < plan->comm->locals && status == CLF_SUCCESS; ++l)
        status = clf_transpose_plan(plan->comm->local[l].context, plan->value.packed, options,
                                    &plan->site[l].step[TURN], error);
    return status;
}

clf_status clf_comm_transpose_plan(clf_comm *comm, size_t element_bytes, const clf_plan_options *options,
                                   clf_comm_plan **plan, clf_error *error)
{
    clf_comm_plan *made = NULL;
    if (!comm || !plan)
        return clf_dist_refuse(comm, plan, error);
    clf_status status = clf_dist_plan_new(comm, NULL, CLF_DIST_TRANSPOSE, 0, &made, error);
    if (status == CLF_SUCCESS) {
        made->value = (clf_dist_fields){1, element_bytes, {{.name = "element", .bytes = element_bytes}}};
        status = make_turn(made, options, error);
    }
    if (status == CLF_SUCCESS)
        status = clf_dist_staging(comm);
    return clf_dist_plan_agree(comm, made, status, plan, error);
}

/* ---- Calls --------------------------------------------------------------------------------------------- */

/* A call: where the rows and the columns of each member begin, of all. */
typedef struct matrix {
    clf_comm_plan *plan;
    const cl_ulong *row_at, *column_at;
    cl_ulong rows, columns;
} matrix;

static cl_ulong length(const cl_ulong *at, cl_uint rank)
{
    return at[rank + 1] - at[rank];
}

/* [rows][columns] to [columns][rows], of a member's rows. */
static clf_status turn(const matrix *m, cl_uint l, const clf_array *in, const clf_array *out)
{
    const clf_comm *comm = m->plan->comm;
    const clf_call call = {.size = sizeof call, .queue = comm->local[l].queue};
    return clf_transpose(m->plan->site[l].step[TURN], &call, 1, length(m->row_at, comm->first + l), m->columns, in,
                         out);
}

static clf_status turn_own(const matrix *m, cl_uint l, const clf_array *in, clf_array *turned, clf_array *pieces)
{
    const clf_comm *comm = m->plan->comm;
    const cl_ulong rows = length(m->row_at, comm->first + l), columns = length(m->column_at, comm->first + l);
    if ((m->columns != 0 && rows > ~(cl_ulong)0 / m->columns) || (m->rows != 0 && columns > ~(cl_ulong)0 / m->rows))
        return CLF_E_OVERFLOW;
    clf_status status = clf_dist_scratch_fields(m->plan, l, TURNED, &m->plan->value, rows * m->columns, turned);
    if (status == CLF_SUCCESS)
        status = clf_dist_scratch_fields(m->plan, l, PIECES, &m->plan->value, columns * m->rows, pieces);
    return status == CLF_SUCCESS ? turn(m, l, in, turned) : status;
}

static void make_route(const matrix *m, clf_dist_route *route)
{
    const clf_comm *comm = m->plan->comm;
    for (cl_uint l = 0; l < comm->locals; ++l) {
        const cl_ulong rows = length(m->row_at, comm->first + l), columns = length(m->column_at, comm->first + l);
        for (cl_uint other = 0; other < comm->members; ++other) {
            const size_t i = (size_t)l * comm->members + other;
            route->sent[i] = length(m->column_at, other) * rows;
            route->sent_at[i] = m->column_at[other] * rows;
            route->got[i] = length(m->row_at, other) * columns;
            route->got_at[i] = m->row_at[other] * columns;
        }
    }
}

/* Pieces [columns][rows of a member], one behind the other, to [columns][rows of all]. */
static clf_status assemble(const matrix *m, cl_uint l, const clf_array *pieces, const clf_array *out)
{
    const clf_comm *comm = m->plan->comm;
    const size_t bytes = m->plan->value.packed, columns = (size_t)length(m->column_at, comm->first + l);
    clf_status status = CLF_SUCCESS;
    for (cl_uint other = 0; other < comm->members && columns != 0 && status == CLF_SUCCESS; ++other) {
        const size_t rows = (size_t)length(m->row_at, other);
        const size_t from[] = {(size_t)m->row_at[other] * columns * bytes, 0, 0};
        const size_t to[] = {(size_t)(out->offset + m->row_at[other]) * bytes, 0, 0};
        const size_t region[] = {rows * bytes, columns, 1};
        if (rows != 0)
            status = clEnqueueCopyBufferRect(comm->local[l].queue, pieces->buffer, out->buffer, from, to, region,
                                             rows * bytes, 0, (size_t)m->rows * bytes, 0, 0, NULL, NULL);
    }
    return status;
}

static clf_status transpose_all(const matrix *m, const clf_array *in, const clf_array *out)
{
    clf_comm *comm = m->plan->comm;
    clf_array turned[CLF_DIST_MOST_LOCALS], pieces[CLF_DIST_MOST_LOCALS];
    if (comm->members == 1)
        return CLF_DIST_DO(&comm->local[0], turn(m, 0, in, out));
    for (cl_uint l = 0; l < comm->locals; ++l)
        CLF_DIST_DO(&comm->local[l], turn_own(m, l, &in[l], &turned[l], &pieces[l]));
    clf_dist_route route = clf_dist_route_in(comm, clf_dist_numbers(m->plan, 2));
    make_route(m, &route);
    clf_dist_phase(comm, CLF_COMM_LOCAL);
    const clf_status status = clf_dist_move(comm, &route, &m->plan->value, turned, pieces);
    for (cl_uint l = 0; l < comm->locals && status == CLF_SUCCESS; ++l)
        CLF_DIST_DO(&comm->local[l], assemble(m, l, &pieces[l], &out[l]));
    return status;
}

clf_status clf_comm_transpose(clf_comm_plan *plan, cl_ulong columns, const cl_ulong *rows, const cl_ulong *wanted,
                              const clf_array *in, const clf_array *out)
{
    clf_status status = clf_dist_call(plan, CLF_DIST_TRANSPOSE, rows, columns, in, out);
    if (status != CLF_SUCCESS)
        return status;
    clf_comm *comm = plan->comm;
    cl_ulong *const row_at = clf_dist_numbers(plan, 0), *const column_at = clf_dist_numbers(plan, 1);
    status = clf_dist_offsets(plan, wanted, 0, column_at);
    if (status != CLF_SUCCESS || column_at[comm->members] != columns)
        return status != CLF_SUCCESS ? status : CLF_E_ARGUMENT;
    const matrix m = {plan, row_at, column_at, row_at[comm->members], columns};
    status = transpose_all(&m, in, out);
    return clf_dist_end(comm, status);
}
