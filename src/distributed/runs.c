/* SPDX-License-Identifier: MIT */
/*
 * Reduce by key, and first elements of runs, where runs cross from member to member. Every member does its own; a run
 * belongs to the member where it begins. So whoever has a first run that goes on from before leaves it out, and hands
 * its value to where the run begins.
 */
#include "distributed/distributed.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS, COMBINE };
enum { MOVED }; /* scratch: results on their way, a piece at a time */
enum { MOVED_BYTES = 1 << 22 };

/* Slots behind those of all members. */
enum { FIRST_RUN, LAST_RUN, MORE_SLOTS };

static clf_status make_plan(clf_comm *comm, const clf_operator *op, enum clf_dist_kind kind, unsigned flags,
                            const clf_plan_options *options, clf_comm_plan **plan, clf_error *error)
{
    const bool reduces = kind == CLF_DIST_REDUCE_BY_KEY;
    clf_comm_plan *made = NULL;
    if (!comm || !op || !plan)
        return clf_dist_refuse(comm, plan, error);
    clf_status status = clf_dist_plan_new(comm, op, kind, flags, &made, error);
    if (status == CLF_SUCCESS)
        status = clf_dist_plan_columns(made, &made->value, comm->members + MORE_SLOTS);
    if (status == CLF_SUCCESS)
        status = clf_dist_plan_rewritten(made, RUNS, reduces ? clf_reduce_by_key_plan : clf_unique_plan, op,
                                         CLF_DIST_INDEXED, 0, options, error);
    if (status == CLF_SUCCESS && reduces)
        status = clf_dist_plan_rewritten(made, COMBINE, clf_reduce_plan, op, CLF_DIST_NO_MAP, 0, NULL, error);
    if (status == CLF_SUCCESS)
        status = clf_dist_borders_plan(comm, op, &made->borders, error);
    if (status == CLF_SUCCESS) {
        made->more = calloc(comm->members, sizeof *made->more);
        status = made->more ? clf_dist_reserve(comm, sizeof(cl_ulong) + 2 * made->value.packed) : CLF_E_NO_MEMORY;
    }
    return clf_dist_plan_agree(comm, made, status, plan, error);
}

clf_status clf_comm_reduce_by_key_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                       const clf_plan_options *options, clf_comm_plan **plan, clf_error *error)
{
    return make_plan(comm, op, CLF_DIST_REDUCE_BY_KEY, flags, options, plan, error);
}

clf_status clf_comm_unique_plan(clf_comm *comm, const clf_operator *op, unsigned flags, const clf_plan_options *options,
                                clf_comm_plan **plan, clf_error *error)
{
    return make_plan(comm, op, CLF_DIST_UNIQUE, flags, options, plan, error);
}

/* ---- A member's own ------------------------------------------------------------------------------------ */

static cl_uint outputs_of(const clf_comm_plan *plan)
{
    return plan->value.count + (plan->kind == CLF_DIST_REDUCE_BY_KEY ? plan->extra.count : 0);
}

static clf_status run_own(clf_comm_plan *plan, cl_uint l, cl_ulong n, const clf_array *in, const clf_array *out)
{
    const clf_comm *comm = plan->comm;
    const cl_ulong *offsets = clf_dist_numbers(plan, 0);
    const clf_array count = clf_dist_count_array(plan, l), *mine = out + l * outputs_of(plan);
    clf_array inputs[2 * CLF_MAX_FIELDS + 1];
    clf_plan *step = plan->site[l].step[RUNS];
    clf_call call = {.size = sizeof call, .queue = comm->local[l].queue};
    clf_status status = clf_dist_place(plan, l, 0, offsets[comm->first + l], offsets[comm->members]);
    call.in_count = clf_dist_inputs(plan, l, in, 0, 0, inputs);
    if (status == CLF_SUCCESS)
        status = plan->kind == CLF_DIST_UNIQUE ? clf_unique(step, &call, n, n, inputs, mine, &count)
                                               : clf_reduce_by_key(step, &call, n, n, inputs, mine, &count);
    return status == CLF_SUCCESS ? clf_dist_count_read(plan, l) : status;
}

static cl_ulong count_of(const clf_comm_plan *plan, cl_uint l)
{
    cl_ulong count;
    memcpy(&count, plan->site[l].small.host + CLF_DIST_COUNT_AT, sizeof count);
    return count;
}

/* Leaves out the first result: the others move up, by way of scratch. */
static clf_status drop_first(clf_comm_plan *plan, cl_uint l, cl_ulong count, const clf_array *out)
{
    const cl_command_queue queue = plan->comm->local[l].queue;
    clf_status status = clf_dist_scratch_grow(plan, l, MOVED, MOVED_BYTES);
    const cl_mem moved = plan->site[l].scratch[MOVED].buffer;
    for (cl_uint o = 0; o < outputs_of(plan); ++o) {
        const clf_array array = out[l * outputs_of(plan) + o];
        const clf_dist_field *field = o < plan->value.count ? &plan->value.field[o]
                                                            : &plan->extra.field[o - plan->value.count];
        const size_t begin = (size_t)array.offset * field->bytes, end = begin + (size_t)(count - 1) * field->bytes;
        for (size_t at = begin; at < end && status == CLF_SUCCESS; at += MOVED_BYTES) {
            const size_t bytes = (size_t)clf_dist_least(end - at, MOVED_BYTES);
            status = clEnqueueCopyBuffer(queue, array.buffer, moved, at + field->bytes, 0, bytes, 0, NULL, NULL);
            if (status == CL_SUCCESS)
                status = clEnqueueCopyBuffer(queue, moved, array.buffer, 0, at, bytes, 0, NULL, NULL);
        }
    }
    return status;
}

/* ---- Values across borders ----------------------------------------------------------------------------- */

/* Values of the first and the last run to the host. */
static clf_status read_runs(const clf_comm_plan *plan, cl_uint l, const clf_array *out)
{
    const cl_ulong count = count_of(plan, l);
    clf_status status = CLF_SUCCESS;
    for (cl_uint f = 0; f < plan->value.count && count != 0; ++f) {
        const size_t bytes = plan->value.field[f].bytes;
        const clf_array array = out[l * outputs_of(plan) + f];
        for (cl_uint slot = FIRST_RUN; slot <= LAST_RUN && status == CLF_SUCCESS; ++slot)
            status = clEnqueueReadBuffer(
                plan->comm->local[l].queue, array.buffer, CL_FALSE,
                (size_t)(array.offset + (slot == LAST_RUN ? count - 1 : 0)) * bytes, bytes,
                plan->site[l].small.host + plan->column_at[f] + (plan->comm->members + slot) * bytes, 0, NULL, NULL);
    }
    return status;
}

/* Everyone tells how many runs it has, and the values of the first and of the last. */
static clf_status share_runs(clf_comm_plan *plan, const clf_array *out)
{
    clf_comm *comm = plan->comm;
    const size_t packed = plan->value.packed, bytes = sizeof(cl_ulong) + 2 * packed;
    for (cl_uint l = 0; l < comm->locals; ++l)
        CLF_DIST_DO(&comm->local[l], read_runs(plan, l, out));
    clf_dist_finish(comm);
    for (cl_uint l = 0; l < comm->locals; ++l) {
        char *record = clf_dist_own(comm, l, bytes);
        const cl_ulong count = count_of(plan, l);
        memcpy(record, &count, sizeof count);
        clf_dist_pack(plan, l, comm->members + FIRST_RUN, record + sizeof count);
        clf_dist_pack(plan, l, comm->members + LAST_RUN, record + sizeof count + packed);
    }
    return clf_dist_meet(comm, bytes);
}

/* A member's last run, and what others have of it, to slots; how many these are. */
static cl_uint take_run(const clf_comm_plan *plan, cl_uint l, const cl_ulong *offsets)
{
    const clf_comm *comm = plan->comm;
    const cl_uint me = comm->first + l;
    const char *mine = clf_dist_record(comm, me);
    cl_uint taken = 0;
    clf_dist_unpack(plan, l, taken++, mine + sizeof(cl_ulong) + plan->value.packed);
    for (cl_uint rank = me + 1; rank < comm->members; ++rank) {
        const char *theirs = clf_dist_record(comm, rank);
        cl_ulong count;
        if (offsets[rank] == offsets[rank + 1])
            continue;
        if (!plan->more[rank])
            break;
        clf_dist_unpack(plan, l, taken++, theirs + sizeof(cl_ulong));
        memcpy(&count, theirs, sizeof count);
        if (count > 1)
            break;
    }
    return taken;
}

/* Puts together the run that begins here and goes on elsewhere. */
static clf_status complete_last(clf_comm_plan *plan, cl_uint l, const clf_array *out)
{
    const cl_ulong count = count_of(plan, l);
    if (count == 0 || (count == 1 && plan->more[plan->comm->first + l]))
        return CLF_SUCCESS;
    const cl_uint parts = take_run(plan, l, clf_dist_numbers(plan, 0));
    if (parts == 1)
        return CLF_SUCCESS;
    clf_array last[CLF_MAX_FIELDS];
    clf_dist_shift(plan->value.count, out + l * outputs_of(plan), count - 1, last);
    const clf_status status = clf_dist_slots_copy(plan, l, 0, parts, clf_dist_block_write);
    return status == CLF_SUCCESS ? clf_dist_combine(plan, l, COMBINE, 0, parts, NULL, last) : status;
}

/* ---- Calls --------------------------------------------------------------------------------------------- */

static clf_status run_all(clf_comm_plan *plan, enum clf_dist_kind kind, const cl_ulong *n, const clf_array *in,
                          const clf_array *out, clf_comm_results *results)
{
    cl_ulong counts[CLF_DIST_MOST_LOCALS];
    clf_status status = clf_dist_call(plan, kind, n, 0, in, out);
    if (status != CLF_SUCCESS)
        return status;
    clf_comm *comm = plan->comm;
    for (cl_uint l = 0; l < comm->locals; ++l)
        CLF_DIST_DO(&comm->local[l], run_own(plan, l, n[l], in, out));
    clf_dist_phase(comm, CLF_COMM_LOCAL);
    status = clf_dist_borders_find(plan->borders, clf_dist_numbers(plan, 0), in, plan->more);
    clf_dist_phase(comm, CLF_COMM_BORDERS);
    if (status == CLF_SUCCESS && kind == CLF_DIST_REDUCE_BY_KEY)
        status = share_runs(plan, out);
    for (cl_uint l = 0; l < comm->locals && status == CLF_SUCCESS; ++l) {
        clf_dist_local *local = &comm->local[l];
        counts[l] = count_of(plan, l);
        if (kind == CLF_DIST_REDUCE_BY_KEY)
            CLF_DIST_DO(local, complete_last(plan, l, out));
        if (plan->more[local->rank] && local->status == CLF_SUCCESS)
            CLF_DIST_DO(local, drop_first(plan, l, counts[l]--, out));
    }
    clf_dist_finish(comm);
    return status == CLF_SUCCESS ? clf_dist_results(plan, counts, results) : status;
}

clf_status clf_comm_reduce_by_key(clf_comm_plan *plan, const cl_ulong *n, const clf_array *in, const clf_array *out,
                                  clf_comm_results *results)
{
    return run_all(plan, CLF_DIST_REDUCE_BY_KEY, n, in, out, results);
}

clf_status clf_comm_unique(clf_comm_plan *plan, const cl_ulong *n, const clf_array *in, const clf_array *out,
                           clf_comm_results *results)
{
    return run_all(plan, CLF_DIST_UNIQUE, n, in, out, results);
}
