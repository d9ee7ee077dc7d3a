/* SPDX-License-Identifier: MIT */
/* Plans: made by all members together, of plans of clfold for each member here. */
#include "distributed/distributed.h"

#include <stdlib.h>
#include <string.h>

/* ---- Making -------------------------------------------------------------------------------------------- */

static clf_status take_fields(clf_comm_plan *plan, const clf_operator *op, clf_error *error)
{
    if (op->size != sizeof *op && op->size != offsetof(clf_operator, place) &&
        op->size != offsetof(clf_operator, result))
        return clf_dist_fail(error, CLF_E_ARGUMENT, "clf_operator.size is not sizeof(clf_operator)");
    if (clf_dist_operator_whole(op).finish || clf_dist_operator_whole(op).result)
        return clf_dist_fail(error, CLF_E_UNSUPPORTED,
                             "clf_operator.finish: over several members there is none, and it must be NULL");
    if (op->flags & CLF_WITH_SEGMENT)
        return clf_dist_fail(error, CLF_E_UNSUPPORTED,
                             "clf_operator.flags: over several members segments have no numbers");
    if (op->flags & CLF_COMBINE_CAPTURES)
        return clf_dist_fail(error, CLF_E_UNSUPPORTED,
                             "clf_operator.flags: over several members combine reads no captured arrays");
    if (clf_dist_operator_whole(op).place)
        return clf_dist_fail(error, CLF_E_UNSUPPORTED,
                             "clf_operator.place: over several members there is none, and it must be NULL");
    clf_status status = clf_dist_parse(op->value, "value", &plan->value, error);
    if (status == CLF_SUCCESS)
        status = clf_dist_parse(op->input ? op->input : op->value, "input", &plan->input, error);
    if (status == CLF_SUCCESS)
        status = clf_dist_parse(op->extra, "extra", &plan->extra, error);
    if (status == CLF_SUCCESS)
        status = clf_dist_parse(op->captured, "captured", &plan->captured, error);
    plan->indexed = clf_dist_sees_index(op);
    return status;
}

/* The flags that primitives take; the others take none. */
static const unsigned known_flags[] = {
    [CLF_DIST_SCAN] = CLF_EXCLUSIVE,          [CLF_DIST_SEGMENTED_SCAN] = CLF_EXCLUSIVE,
    [CLF_DIST_FILTER] = CLF_IN_PLACE,         [CLF_DIST_SORT] = CLF_DESCENDING | CLF_TOTAL_ORDER,
    [CLF_DIST_REDUCE_BY_INDEX] = CLF_ORDERED, [CLF_DIST_BORDERS] = 0, /* the last kind */
};

clf_status clf_dist_plan_new(clf_comm *comm, const clf_operator *op, enum clf_dist_kind kind, unsigned flags,
                             clf_comm_plan **plan, clf_error *error)
{
    clf_dist_begin(comm);
    clf_comm_plan *made = calloc(1, sizeof *made);
    if (!made)
        return clf_dist_fail(error, CLF_E_NO_MEMORY, "out of memory");
    *plan = made;
    made->kind = kind;
    made->flags = flags;
    made->comm = comm;
    (void)clf_comm_retain(comm);
    made->site = calloc(comm->locals, sizeof *made->site);
    /* offsets of elements and of results, and a route */
    made->numbers = calloc((size_t)(4 * comm->locals + 2) * (comm->members + 1), sizeof *made->numbers);
    if (!made->site || !made->numbers)
        return clf_dist_fail(error, CLF_E_NO_MEMORY, "out of memory");
    if (flags & ~known_flags[kind])
        return clf_dist_fail(error, CLF_E_ARGUMENT, "over several members the primitive has no such flags");
    return op ? take_fields(made, op, error) : CLF_SUCCESS;
}

static size_t round_up(size_t bytes, size_t multiple)
{
    return (bytes + multiple - 1) / multiple * multiple;
}

clf_status clf_dist_plan_columns(clf_comm_plan *plan, const clf_dist_fields *fields, cl_uint slots)
{
    size_t at = CLF_DIST_COLUMNS_AT;
    plan->columns = *fields;
    plan->slots = slots;
    for (cl_uint f = 0; f < fields->count; ++f) {
        plan->column_at[f] = at;
        at += round_up(slots * fields->field[f].bytes, 128);
    }
    clf_status status = CLF_SUCCESS;
    for (cl_uint l = 0; l < plan->comm->locals && status == CLF_SUCCESS; ++l)
        status = clf_dist_block_make(&plan->site[l].small, plan->comm->local[l].queue, at, true, true);
    return status;
}

clf_status clf_dist_plan_step(clf_comm_plan *plan, cl_uint step, clf_dist_maker *make, const clf_operator *op,
                              unsigned flags, const clf_plan_options *options, clf_error *error)
{
    const clf_dist_local *local = plan->comm->local;
    clf_status status = CLF_SUCCESS;
    if (options && options->size == sizeof *options && options->wanted)
        return clf_dist_fail(error, CLF_E_UNSUPPORTED,
                             "clf_plan_options.wanted: calls over several devices write all results");
    for (cl_uint l = 0; l < plan->comm->locals && status == CLF_SUCCESS; ++l) {
        cl_uint like = 0;
        while (local[like].context != local[l].context)
            ++like;
        if (like == l)
            status = make(local[l].context, op, flags, options, &plan->site[l].step[step], error);
        else
            status = clf_plan_retain(plan->site[l].step[step] = plan->site[like].step[step]);
    }
    return status;
}

clf_status clf_dist_plan_rewritten(clf_comm_plan *plan, cl_uint step, clf_dist_maker *make, const clf_operator *op,
                                   unsigned how, unsigned flags, const clf_plan_options *options, clf_error *error)
{
    clf_dist_operator made;
    clf_status status = clf_dist_rewrite(op, how, &made);
    if (status != CLF_SUCCESS)
        return clf_dist_fail(error, status, "out of memory");
    status = clf_dist_plan_step(plan, step, make, &made.op, flags, options, error);
    clf_dist_operator_free(&made);
    return status;
}

clf_status clf_dist_plan_agree(clf_comm *comm, clf_comm_plan *plan, clf_status status, clf_comm_plan **made,
                               clf_error *error)
{
    clf_dist_fail_all(comm, status);
    const clf_status agreed = clf_dist_meet(comm, 0);
    *made = agreed == CLF_SUCCESS ? plan : NULL;
    if (agreed == CLF_SUCCESS)
        return agreed;
    if (status == CLF_SUCCESS)
        (void)clf_dist_fail(error, agreed, "member %u could not make its plan", comm->failed);
    if (plan)
        (void)clf_comm_plan_release(plan);
    return agreed;
}

clf_status clf_dist_plan_of(clf_comm *comm, const clf_operator *op, enum clf_dist_kind kind, unsigned flags,
                            cl_uint slots, const clf_dist_step *steps, size_t count, clf_comm_plan **plan,
                            clf_error *error)
{
    clf_comm_plan *made = NULL;
    if (!comm || !op || !plan)
        return clf_dist_refuse(comm, plan, error);
    clf_status status = clf_dist_plan_new(comm, op, kind, flags, &made, error);
    if (status == CLF_SUCCESS)
        status = clf_dist_plan_columns(made, &made->value, slots ? comm->members + slots : 1);
    for (const clf_dist_step *s = steps; s < steps + count && status == CLF_SUCCESS; ++s)
        status = clf_dist_plan_rewritten(made, s->step, s->make, op, s->how, s->flags, s->options, error);
    if (status == CLF_SUCCESS && slots)
        status = clf_dist_reserve(comm, made->value.packed);
    return clf_dist_plan_agree(comm, made, status, plan, error);
}

clf_status clf_comm_plan_release(clf_comm_plan *plan)
{
    if (!plan)
        return CLF_E_ARGUMENT;
    for (cl_uint l = 0; plan->site && l < plan->comm->locals; ++l) {
        clf_dist_site *site = &plan->site[l];
        for (int step = 0; step < CLF_DIST_STEPS; ++step)
            if (site->step[step])
                (void)clf_plan_release(site->step[step]);
        for (int which = 0; which < CLF_DIST_SCRATCHES; ++which)
            if (site->scratch[which].buffer)
                (void)clReleaseMemObject(site->scratch[which].buffer);
        clf_dist_block_free(&site->small, plan->comm->local[l].queue);
    }
    if (plan->borders)
        (void)clf_comm_plan_release(plan->borders);
    (void)clf_comm_release(plan->comm);
    free(plan->site);
    free(plan->numbers);
    free(plan->more);
    free(plan);
    return CLF_SUCCESS;
}

/* ---- Calls --------------------------------------------------------------------------------------------- */

/* What a member tells of itself. */
typedef struct share {
    cl_ulong count, same;
} share;

clf_status clf_dist_offsets(clf_comm_plan *plan, const cl_ulong *n, cl_ulong same, cl_ulong *offsets)
{
    clf_comm *comm = plan->comm;
    if (!n)
        clf_dist_fail_all(comm, CLF_E_ARGUMENT);
    for (cl_uint l = 0; n && l < comm->locals; ++l) {
        const share mine = {n[l], same};
        memcpy(clf_dist_own(comm, l, sizeof mine), &mine, sizeof mine);
    }
    const clf_status status = clf_dist_meet(comm, sizeof(share));
    if (status != CLF_SUCCESS)
        return status;
    offsets[0] = 0;
    for (cl_uint rank = 0; rank < comm->members; ++rank) {
        share one, first;
        memcpy(&one, clf_dist_record(comm, rank), sizeof one);
        memcpy(&first, clf_dist_record(comm, 0), sizeof first);
        const bool same_number = one.same == first.same, fits = one.count <= ~(cl_ulong)0 - offsets[rank];
        if (!same_number || !fits) { /* for everyone: all see the same numbers */
            comm->failed = rank;
            return same_number ? CLF_E_OVERFLOW : CLF_E_ARGUMENT;
        }
        offsets[rank + 1] = offsets[rank] + one.count;
    }
    return CLF_SUCCESS;
}

clf_status clf_dist_call(clf_comm_plan *plan, enum clf_dist_kind kind, const cl_ulong *n, cl_ulong same,
                         const clf_array *in, const clf_array *out)
{
    if (!plan)
        return CLF_E_ARGUMENT;
    clf_dist_begin(plan->comm);
    if (plan->kind != kind || !in || !out)
        clf_dist_fail_all(plan->comm, CLF_E_ARGUMENT);
    return clf_dist_offsets(plan, n, same, clf_dist_numbers(plan, 0));
}

clf_status clf_dist_results(clf_comm_plan *plan, const cl_ulong *counts, clf_comm_results *results)
{
    const clf_comm *comm = plan->comm;
    cl_ulong *const offsets = clf_dist_numbers(plan, 1);
    const clf_status status = clf_dist_offsets(plan, counts, 0, offsets);
    for (cl_uint l = 0; l < comm->locals && status == CLF_SUCCESS && results; ++l)
        results[l] = (clf_comm_results){counts[l], offsets[comm->first + l], offsets[comm->members]};
    clf_dist_phase(plan->comm, CLF_COMM_LAST);
    return status;
}

bool clf_dist_overlap(clf_array a, cl_ulong n, size_t bytes, clf_array b, cl_ulong m, size_t others)
{
    return a.buffer == b.buffer && n != 0 && m != 0 && a.offset * bytes < (b.offset + m) * others &&
           b.offset * others < (a.offset + n) * bytes;
}

clf_array clf_dist_count_array(const clf_comm_plan *plan, cl_uint l)
{
    return (clf_array){plan->site[l].small.device, CLF_DIST_COUNT_AT / sizeof(cl_ulong)};
}

clf_status clf_dist_count_read(clf_comm_plan *plan, cl_uint l)
{
    return clf_dist_block_read(&plan->site[l].small, plan->comm->local[l].queue, CLF_DIST_COUNT_AT, sizeof(cl_ulong));
}

clf_status clf_dist_counts(clf_comm_plan *plan, clf_comm_results *results)
{
    cl_ulong counts[CLF_DIST_MOST_LOCALS];
    clf_dist_finish(plan->comm);
    clf_dist_phase(plan->comm, CLF_COMM_LOCAL);
    for (cl_uint l = 0; l < plan->comm->locals; ++l)
        memcpy(&counts[l], plan->site[l].small.host + CLF_DIST_COUNT_AT, sizeof *counts);
    return clf_dist_results(plan, counts, results);
}

clf_status clf_dist_pair(clf_comm_plan *plan, cl_uint l, cl_uint pair, cl_ulong first, cl_ulong size)
{
    const clf_dist_block *small = &plan->site[l].small;
    const cl_ulong numbers[] = {first, size};
    memcpy(small->host + pair * sizeof numbers, numbers, sizeof numbers);
    return clf_dist_block_write(small, plan->comm->local[l].queue, pair * sizeof numbers, sizeof numbers);
}

clf_status clf_dist_place(clf_comm_plan *plan, cl_uint l, cl_uint pair, cl_ulong first, cl_ulong size)
{
    return plan->indexed ? clf_dist_pair(plan, l, pair, first, size) : CLF_SUCCESS;
}

cl_uint clf_dist_inputs(const clf_comm_plan *plan, cl_uint l, const clf_array *in, cl_ulong at, cl_uint pair,
                        clf_array *made)
{
    const cl_uint inputs = plan->input.count, all = inputs + plan->captured.count;
    clf_dist_shift(inputs, in + l * all, at, made);
    memcpy(made + inputs, in + l * all + inputs, plan->captured.count * sizeof *in);
    if (!plan->indexed)
        return all;
    made[all] = (clf_array){plan->site[l].small.device, 2 * pair};
    return all + 1;
}

void clf_dist_shift(cl_uint count, const clf_array *arrays, cl_ulong at, clf_array *made)
{
    for (cl_uint i = 0; i < count; ++i)
        made[i] = (clf_array){arrays[i].buffer, arrays[i].offset + at};
}

/* ---- Columns ------------------------------------------------------------------------------------------- */

void clf_dist_slot(const clf_comm_plan *plan, cl_uint l, cl_uint slot, clf_array *made)
{
    for (cl_uint f = 0; f < plan->columns.count; ++f)
        made[f] = (clf_array){plan->site[l].small.device, plan->column_at[f] / plan->columns.field[f].bytes + slot};
}

clf_status clf_dist_slots_copy(clf_comm_plan *plan, cl_uint l, cl_uint slot, cl_uint count, clf_dist_block_copy *copy)
{
    clf_status status = CLF_SUCCESS;
    for (cl_uint f = 0; f < plan->columns.count && status == CLF_SUCCESS; ++f) {
        const size_t bytes = plan->columns.field[f].bytes;
        status = copy(&plan->site[l].small, plan->comm->local[l].queue, plan->column_at[f] + slot * bytes,
                      count * bytes);
    }
    return status;
}

void clf_dist_pack(const clf_comm_plan *plan, cl_uint l, cl_uint slot, void *packed)
{
    char *to = packed;
    for (cl_uint f = 0; f < plan->columns.count; ++f) {
        const size_t bytes = plan->columns.field[f].bytes;
        memcpy(to, plan->site[l].small.host + plan->column_at[f] + slot * bytes, bytes);
        to += bytes;
    }
}

void clf_dist_unpack(const clf_comm_plan *plan, cl_uint l, cl_uint slot, const void *packed)
{
    const char *from = packed;
    for (cl_uint f = 0; f < plan->columns.count; ++f) {
        const size_t bytes = plan->columns.field[f].bytes;
        memcpy(plan->site[l].small.host + plan->column_at[f] + slot * bytes, from, bytes);
        from += bytes;
    }
}

clf_status clf_dist_slots_meet(clf_comm_plan *plan, cl_uint slot, size_t more)
{
    clf_comm *comm = plan->comm;
    const size_t bytes = more + plan->columns.packed;
    clf_dist_finish(comm);
    clf_dist_phase(comm, CLF_COMM_LOCAL);
    for (cl_uint l = 0; l < comm->locals; ++l)
        clf_dist_pack(plan, l, slot, (char *)clf_dist_own(comm, l, bytes) + more);
    return clf_dist_meet(comm, bytes);
}

clf_status clf_dist_slots_share(clf_comm_plan *plan, cl_uint l, cl_uint begin, cl_uint end, cl_uint *count)
{
    const size_t more = plan->comm->bytes - plan->columns.packed;
    const cl_ulong *const offsets = clf_dist_numbers(plan, 0);
    *count = 0;
    for (cl_uint rank = begin; rank < end; ++rank)
        if (offsets[rank] != offsets[rank + 1])
            clf_dist_unpack(plan, l, begin + (*count)++, (const char *)clf_dist_record(plan->comm, rank) + more);
    return *count ? clf_dist_slots_copy(plan, l, begin, *count, clf_dist_block_write) : CLF_SUCCESS;
}

clf_status clf_dist_combine(clf_comm_plan *plan, cl_uint l, cl_uint step, cl_uint slot, cl_uint count,
                            const void *initial, const clf_array *out)
{
    clf_array in[CLF_MAX_FIELDS];
    const clf_call call = {.size = sizeof call, .queue = plan->comm->local[l].queue, .initial = initial};
    clf_dist_slot(plan, l, slot, in);
    return clf_reduce(plan->site[l].step[step], &call, count, in, out);
}

/* ---- Scratch ------------------------------------------------------------------------------------------- */

clf_status clf_dist_scratch_grow(clf_comm_plan *plan, cl_uint l, cl_uint which, size_t bytes)
{
    clf_dist_scratch *scratch = &plan->site[l].scratch[which];
    if (bytes <= scratch->bytes && scratch->buffer)
        return CLF_SUCCESS;
    if (scratch->buffer)
        (void)clReleaseMemObject(scratch->buffer);
    cl_context cl;
    cl_int status = clGetCommandQueueInfo(plan->comm->local[l].queue, CL_QUEUE_CONTEXT, sizeof cl, &cl, NULL);
    *scratch = (clf_dist_scratch){NULL, bytes != 0 ? bytes : 16};
    if (status == CL_SUCCESS)
        scratch->buffer = clCreateBuffer(cl, CL_MEM_READ_WRITE, scratch->bytes, NULL, &status);
    return status;
}

clf_status clf_dist_scratch_fields(clf_comm_plan *plan, cl_uint l, cl_uint which, const clf_dist_fields *fields,
                                   cl_ulong n, clf_array *made)
{
    size_t at[CLF_MAX_FIELDS], bytes = 0;
    if (n > (~(size_t)0 - 128 * CLF_MAX_FIELDS) / 2048)
        return CLF_E_OVERFLOW;
    for (cl_uint f = 0; f < fields->count; ++f) {
        at[f] = bytes;
        bytes += round_up((size_t)n * fields->field[f].bytes, 128);
    }
    const clf_status status = clf_dist_scratch_grow(plan, l, which, bytes);
    for (cl_uint f = 0; f < fields->count; ++f)
        made[f] = (clf_array){plan->site[l].scratch[which].buffer, at[f] / fields->field[f].bytes};
    return status;
}
