/* SPDX-License-Identifier: MIT */
/*
 * Rows of equal length that may begin and end at any member. A member has a head, which is the rest of a row that
 * began before; whole rows; and a tail, which is the beginning of a row. Where rows begin follows from the numbers of
 * elements. So members share only the value of their open part: of the tail, or, if no row begins there, of all
 * elements. A row that reaches a member from before combines the open values since the member where it begins.
 */
#include "distributed/distributed.h"

#include <string.h>

enum { LOCAL, COMBINE, HEAD, ROWS };

/* Three pairs of first index and size: one per part. */
enum { OF_HEAD, OF_ROWS, OF_TAIL };

/* Slots behind those of all members. */
enum { OPEN, OWN_HEAD, BEFORE, MORE_SLOTS };

/* ---- Plans --------------------------------------------------------------------------------------------- */

clf_status clf_comm_segmented_scan_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                        const clf_plan_options *options, clf_comm_plan **plan, clf_error *error)
{
    const clf_dist_step steps[] = {{ROWS, clf_segmented_scan_plan, CLF_DIST_INDEXED, flags, options},
                                   {HEAD, clf_scan_plan, CLF_DIST_INDEXED, flags | CLF_FROM_DEVICE, NULL},
                                   {LOCAL, clf_reduce_plan, CLF_DIST_INDEXED | CLF_DIST_NO_EXTRA, 0, NULL},
                                   {COMBINE, clf_reduce_plan, CLF_DIST_NO_MAP, 0, NULL}};
    return clf_dist_plan_of(comm, op, CLF_DIST_SEGMENTED_SCAN, flags, MORE_SLOTS, steps, CLF_DIST_COUNT(steps), plan,
                            error);
}

clf_status clf_comm_segmented_reduce_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                          const clf_plan_options *options, clf_comm_plan **plan, clf_error *error)
{
    const clf_dist_step steps[] = {{LOCAL, clf_reduce_plan, CLF_DIST_INDEXED, 0, options},
                                   {COMBINE, clf_reduce_plan, CLF_DIST_NO_MAP, 0, NULL}};
    return clf_dist_plan_of(comm, op, CLF_DIST_SEGMENTED_REDUCE, flags, MORE_SLOTS, steps, CLF_DIST_COUNT(steps), plan,
                            error);
}

/* ---- Parts --------------------------------------------------------------------------------------------- */

/* A call, seen from one member. */
typedef struct view {
    clf_comm_plan *plan;
    cl_uint l, me;
    const void *initial;
    const cl_ulong *offsets;
    const clf_array *in, *out; /* those of all members here */
    cl_ulong first, n, size;
    cl_ulong head, rows, tail; /* elements, whole rows, elements */
    bool begins;               /* does a row begin here? */
    bool ends;                 /* does the one of the head part end here? */
} view;

static view view_of(clf_comm_plan *plan, cl_uint l, const void *initial, cl_ulong size, const cl_ulong *offsets,
                    const clf_array *in, const clf_array *out)
{
    const cl_uint me = plan->comm->first + l;
    view v = {plan,        l, me, initial, offsets, in, out, .first = offsets[me], .n = offsets[me + 1] - offsets[me],
              .size = size};
    if (v.n == 0)
        return v;
    const cl_ulong left = v.first % size == 0 ? 0 : size - v.first % size;
    v.head = clf_dist_least(left, v.n);
    v.rows = (v.n - v.head) / size;
    v.tail = (v.n - v.head) % size;
    v.begins = v.n > v.head;
    v.ends = v.head != 0 && v.head == left;
    return v;
}

/* The member at which the row begins that reaches member `me` from before. */
static cl_uint where_begun(const view *v)
{
    cl_uint rank = v->me;
    const cl_ulong begin = v->first / v->size * v->size;
    while (rank > 0 && v->offsets[rank] > begin)
        --rank;
    while (v->offsets[rank + 1] <= begin) /* those of no elements, and those that end where it begins */
        ++rank;
    return rank;
}

/* The arguments of a part that begins with element `at`. */
typedef struct part {
    clf_call call;
    clf_array in[2 * CLF_MAX_FIELDS + 1], out[2 * CLF_MAX_FIELDS];
} part;

static clf_status take_part(const view *v, cl_uint pair, cl_ulong at, part *p)
{
    const cl_uint values = v->plan->value.count, outs = values + v->plan->extra.count;
    *p = (part){.call = {.size = sizeof p->call, .queue = v->plan->comm->local[v->l].queue}};
    p->call.in_count = clf_dist_inputs(v->plan, v->l, v->in, at, pair, p->in);
    clf_dist_shift(outs, v->out + v->l * outs, at, p->out);
    return clf_dist_place(v->plan, v->l, pair, v->first + at, v->size);
}

/* Reduces n elements from element `at` on to a slot; extra outputs, if the step has them, go to their places. */
static clf_status reduce_to(const view *v, cl_uint pair, cl_ulong at, cl_ulong n, cl_uint slot)
{
    part p;
    clf_status status = take_part(v, pair, at, &p);
    clf_dist_slot(v->plan, v->l, slot, p.out);
    if (status == CLF_SUCCESS)
        status = clf_reduce(v->plan->site[v->l].step[LOCAL], &p.call, n, p.in, p.out);
    return status == CLF_SUCCESS ? clf_dist_slots_copy(v->plan, v->l, slot, 1, clf_dist_block_read) : status;
}

/* Nobody asks for the value of a member that leaves no row open. */
static clf_status reduce_open(const view *v)
{
    const cl_ulong n = v->begins ? v->tail : v->head;
    if ((v->begins && n == 0) || v->me + 1 == v->plan->comm->members)
        return CLF_SUCCESS;
    return reduce_to(v, OF_TAIL, v->n - n, n, v->plan->comm->members + OPEN);
}

/* ---- Scan ---------------------------------------------------------------------------------------------- */

static clf_status scan_head(const view *v)
{
    part p;
    clf_array before[CLF_MAX_FIELDS];
    const cl_uint begun = where_begun(v);
    cl_uint count;
    clf_status status = clf_dist_slots_share(v->plan, v->l, begun, v->me, &count);
    clf_dist_slot(v->plan, v->l, v->plan->comm->members + BEFORE, before);
    if (status == CLF_SUCCESS)
        status = clf_dist_combine(v->plan, v->l, COMBINE, begun, count, v->initial, before);
    if (status == CLF_SUCCESS)
        status = take_part(v, OF_HEAD, 0, &p);
    p.call.initial_arrays = before;
    return status == CLF_SUCCESS ? clf_scan(v->plan->site[v->l].step[HEAD], &p.call, v->head, p.in, p.out) : status;
}

static clf_status scan_rows(const view *v, cl_uint pair, cl_ulong at, cl_ulong count, cl_ulong size)
{
    part p;
    const clf_status status = take_part(v, pair, at, &p);
    p.call.initial = v->initial;
    return status == CLF_SUCCESS ? clf_segmented_scan(v->plan->site[v->l].step[ROWS], &p.call, count, size, p.in, p.out)
                                 : status;
}

static clf_status scan_own(const view *v)
{
    clf_status status = v->head != 0 ? scan_head(v) : CLF_SUCCESS;
    if (status == CLF_SUCCESS && v->rows != 0)
        status = scan_rows(v, OF_ROWS, v->head, v->rows, v->size);
    if (status == CLF_SUCCESS && v->tail != 0)
        status = scan_rows(v, OF_TAIL, v->n - v->tail, 1, v->tail);
    return status;
}

/* Everyone's elements are whole rows together? */
static clf_status begin(clf_comm_plan *plan, enum clf_dist_kind kind, cl_ulong size, const cl_ulong *n,
                        const clf_array *in, const clf_array *out)
{
    const clf_status status = clf_dist_call(plan, kind, n, size, in, out);
    const cl_ulong total = status == CLF_SUCCESS ? clf_dist_numbers(plan, 0)[plan->comm->members] : 0;
    return status == CLF_SUCCESS && total != 0 && (size == 0 || total % size != 0) ? CLF_E_ARGUMENT : status;
}

clf_status clf_comm_segmented_scan(clf_comm_plan *plan, const void *initial, cl_ulong size, const cl_ulong *n,
                                   const clf_array *in, const clf_array *out)
{
    clf_status status = begin(plan, CLF_DIST_SEGMENTED_SCAN, size, n, in, out);
    if (status != CLF_SUCCESS)
        return status;
    clf_comm *comm = plan->comm;
    for (cl_uint l = 0; l < comm->locals; ++l) {
        const view v = view_of(plan, l, initial, size, clf_dist_numbers(plan, 0), in, out);
        CLF_DIST_DO(&comm->local[l], reduce_open(&v));
    }
    status = clf_dist_slots_meet(plan, comm->members + OPEN, 0);
    for (cl_uint l = 0; l < comm->locals && status == CLF_SUCCESS; ++l) {
        const view v = view_of(plan, l, initial, size, clf_dist_numbers(plan, 0), in, out);
        CLF_DIST_DO(&comm->local[l], scan_own(&v));
    }
    return clf_dist_end(comm, status);
}

/* ---- Reduce -------------------------------------------------------------------------------------------- */

/* All that needs nobody else: the value of the open part, that of a head part that ends here, and whole rows. */
static clf_status reduce_own(const view *v)
{
    clf_status status = CLF_SUCCESS;
    if (v->ends)
        status = reduce_to(v, OF_HEAD, 0, v->head, v->plan->comm->members + OWN_HEAD);
    if (status == CLF_SUCCESS && (v->begins || !v->ends))
        status = reduce_open(v);
    if (status == CLF_SUCCESS && v->rows != 0) {
        part p;
        const cl_uint values = v->plan->value.count;
        status = take_part(v, OF_ROWS, v->head, &p);
        p.call.initial = v->initial;
        clf_dist_shift(values, v->out + v->l * (values + v->plan->extra.count), v->ends, p.out);
        if (status == CLF_SUCCESS)
            status = clf_segmented_reduce(v->plan->site[v->l].step[LOCAL], &p.call, v->rows, v->size, p.in, p.out);
    }
    return status;
}

/* The row of the head part: the values from where it begins, and this member's. */
static clf_status reduce_head(const view *v)
{
    char packed[CLF_MAX_FIELDS * sizeof(cl_double16)];
    const cl_uint begun = where_begun(v);
    cl_uint count;
    clf_dist_pack(v->plan, v->l, v->plan->comm->members + OWN_HEAD, packed);
    clf_status status = clf_dist_slots_share(v->plan, v->l, begun, v->me, &count);
    clf_dist_unpack(v->plan, v->l, begun + count, packed);
    if (status == CLF_SUCCESS)
        status = clf_dist_slots_copy(v->plan, v->l, begun + count, 1, clf_dist_block_write);
    return status == CLF_SUCCESS ? clf_dist_combine(v->plan, v->l, COMBINE, begun, count + 1, v->initial,
                                                    v->out + v->l * (v->plan->value.count + v->plan->extra.count))
                                 : status;
}

clf_status clf_comm_segmented_reduce(clf_comm_plan *plan, const void *initial, cl_ulong size, const cl_ulong *n,
                                     const clf_array *in, const clf_array *out, clf_comm_results *results)
{
    clf_status status = begin(plan, CLF_DIST_SEGMENTED_REDUCE, size, n, in, out);
    if (status != CLF_SUCCESS)
        return status;
    clf_comm *comm = plan->comm;
    const cl_ulong *const offsets = clf_dist_numbers(plan, 0);
    for (cl_uint l = 0; l < comm->locals; ++l) {
        const view v = view_of(plan, l, initial, size, offsets, in, out);
        CLF_DIST_DO(&comm->local[l], reduce_own(&v));
        if (results)
            results[l] = (clf_comm_results){v.ends + v.rows, size != 0 ? v.first / size : 0,
                                            size != 0 ? offsets[comm->members] / size : 0};
    }
    status = clf_dist_slots_meet(plan, comm->members + OPEN, 0);
    for (cl_uint l = 0; l < comm->locals && status == CLF_SUCCESS; ++l) {
        const view v = view_of(plan, l, initial, size, offsets, in, out);
        if (v.ends)
            CLF_DIST_DO(&comm->local[l], reduce_head(&v));
    }
    return clf_dist_end(comm, status);
}
