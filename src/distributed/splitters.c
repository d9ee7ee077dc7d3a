/* SPDX-License-Identifier: MIT */
/*
 * Splitters: where each member's sorted elements are cut, so that every member gets exactly as many as it had.
 *
 * Histogram sort (Kalé and Krishnan 1993; Solomonik and Kalé 2010) with exact cuts. A search finds the code at which a
 * member's results begin; there is one search per border between members. In each round every member counts its codes
 * below some probes, and the counts are added up. That narrows each search by a factor of up to 256: keys of 32 bits
 * take 4 or 5 rounds, keys of 64 bits 8 or 9. There is no sample that data could mislead.
 *
 * Elements whose code is that of a border are divided in the order of ranks, and within a member in its own order. Keys
 * thus count as (key, rank, index), so even if all keys are equal, members get exactly what is theirs.
 */
#include "distributed/distributed.h"

#include <stdlib.h>
#include <string.h>

/* Probes of a round for all borders together, and for one. */
enum { PROBES = 4096, MOST_PER_BORDER = 255 };

enum { CODE, POSITION }; /* columns of the small block */

/* What a search has: parts of plan->more. */
typedef struct search {
    clf_comm_plan *plan;
    const cl_ulong *n;
    const clf_array *codes;
    cl_uint borders, room;  /* probes that there is room for */
    cl_ulong *least, *most; /* of each border: where its code is */
    cl_ulong *probe;
    cl_ulong *own, *all; /* counts below probes: [locals][probes], [probes] */
    cl_ulong *cut;       /* [members][members + 1] */
} search;

static cl_uint room_of(const clf_comm *comm)
{
    return comm->members > PROBES ? comm->members : PROBES;
}

static search parts_of(clf_comm_plan *plan, const cl_ulong *n, const clf_array *codes)
{
    const clf_comm *comm = plan->comm;
    const cl_uint room = room_of(comm);
    search s = {.plan = plan, .n = n, .codes = codes, .borders = comm->members - 1, .room = room};
    s.least = plan->more;
    s.most = s.least + comm->members;
    s.probe = s.most + comm->members;
    s.own = s.probe + room;
    s.all = s.own + (size_t)room * comm->locals;
    s.cut = s.all + room;
    return s;
}

clf_status clf_dist_splitters_make(clf_comm_plan *plan, clf_error *error)
{
    const clf_comm *comm = plan->comm;
    const size_t members = comm->members, room = room_of(comm);
    clf_dist_fields fields = plan->codes;
    plan->more = calloc(members * (members + 3) + room * (comm->locals + 2), sizeof *plan->more);
    if (!plan->more)
        return clf_dist_fail(error, CLF_E_NO_MEMORY, "out of memory");
    fields.field[fields.count++] = (clf_dist_field){.type = "ulong", .name = "position", .bytes = sizeof(cl_ulong)};
    fields.packed += sizeof(cl_ulong);
    const clf_status status = clf_dist_plan_columns(plan, &fields, (cl_uint)room);
    return status == CLF_SUCCESS ? clf_dist_reserve(plan->comm, 2 * sizeof(cl_ulong) * members) : status;
}

/* ---- Counting ------------------------------------------------------------------------------------------ */

/* Enqueues the search of a member's codes for `count` probes; their places come to the host. */
static clf_status enqueue_count(const search *s, cl_uint l, cl_uint step, cl_uint count)
{
    clf_comm_plan *plan = s->plan;
    const clf_dist_site *site = &plan->site[l];
    const cl_command_queue queue = plan->comm->local[l].queue;
    const size_t bytes = plan->codes.field[0].bytes;
    clf_array columns[CLF_MAX_FIELDS], in[2];
    for (cl_uint i = 0; i < count; ++i) {
        const cl_uint narrow = (cl_uint)s->probe[i];
        memcpy(site->small.host + plan->column_at[CODE] + i * bytes,
               bytes == sizeof narrow ? (const void *)&narrow : &s->probe[i], bytes);
    }
    clf_dist_slot(plan, l, 0, columns);
    in[0] = s->codes[l];
    in[1] = columns[CODE];
    clf_status status = clf_dist_block_write(&site->small, queue, plan->column_at[CODE], count * bytes);
    const clf_call call = {.size = sizeof call, .queue = queue};
    if (status == CLF_SUCCESS)
        status = clf_bounds(site->step[step], &call, s->n[l], count, in, &columns[POSITION]);
    return status == CLF_SUCCESS
               ? clf_dist_block_read(&site->small, queue, plan->column_at[POSITION], count * sizeof(cl_ulong))
               : status;
}

/* The members here count: own[l][i] is how many codes of a member are below a probe, or not above it. Who has failed
 * counts nothing. */
static void count_own(const search *s, cl_uint step, cl_uint count, cl_ulong *own)
{
    clf_comm *comm = s->plan->comm;
    for (cl_uint l = 0; l < comm->locals && count != 0; ++l)
        CLF_DIST_DO(&comm->local[l], enqueue_count(s, l, step, count));
    clf_dist_finish(comm);
    for (cl_uint l = 0; l < comm->locals; ++l) {
        if (comm->local[l].status == CLF_SUCCESS)
            memcpy(own + (size_t)l * count, s->plan->site[l].small.host + s->plan->column_at[POSITION],
                   count * sizeof *own);
        else
            memset(own + (size_t)l * count, 0, count * sizeof *own);
    }
}

/* ---- Rounds -------------------------------------------------------------------------------------------- */

/* How far apart the probes of a border are, and how many it has. Its last ones are nearer its end than that. */
static cl_ulong stride_of(const search *s, cl_uint border, cl_uint *count)
{
    const cl_ulong width = s->most[border] - s->least[border];
    const cl_uint most = s->room / s->borders < MOST_PER_BORDER ? s->room / s->borders : MOST_PER_BORDER;
    const cl_ulong stride = width / (most + 1) + 1;
    *count = (cl_uint)clf_dist_least(most, width / stride);
    return stride;
}

static cl_uint choose_probes(const search *s)
{
    cl_uint chosen = 0;
    for (cl_uint border = 0; border < s->borders; ++border) {
        cl_uint count;
        const cl_ulong stride = stride_of(s, border, &count);
        for (cl_uint i = 1; i <= count; ++i)
            s->probe[chosen++] = s->least[border] + i * stride;
    }
    return chosen;
}

/* The code at a border is the largest that at most as many codes are below as elements belong before the border. */
static void narrow(const search *s)
{
    const cl_ulong *below = s->all, *offsets = clf_dist_numbers(s->plan, 0);
    for (cl_uint border = 0; border < s->borders; ++border) {
        cl_uint count, under = 0;
        const cl_ulong stride = stride_of(s, border, &count);
        while (under < count && below[under] <= offsets[border + 1])
            ++under;
        below += count;
        s->least[border] += under * stride;
        if (under < count)
            s->most[border] = s->least[border] + stride - 1;
    }
}

static clf_status find_codes(const search *s)
{
    clf_comm *comm = s->plan->comm;
    for (cl_uint border = 0; border < s->borders; ++border) {
        s->least[border] = 0;
        s->most[border] = ~(cl_ulong)0 >> (64 - s->plan->code_bits);
    }
    for (cl_uint count; (count = choose_probes(s)) != 0; narrow(s)) {
        count_own(s, CLF_DIST_LOWER, count, s->own);
        const clf_status status = comm->transport.sum(comm->transport.self, count, s->own, s->all);
        if (status != CLF_SUCCESS)
            return status;
    }
    return CLF_SUCCESS;
}

/* ---- Cuts ---------------------------------------------------------------------------------------------- */

/* All members tell how many of their codes are below those at the borders, and how many are not above. */
static clf_status share_counts(const search *s)
{
    clf_comm *comm = s->plan->comm;
    const size_t bytes = s->borders * sizeof(cl_ulong);
    memcpy(s->probe, s->least, bytes);
    for (cl_uint upper = 0; upper < 2; ++upper) {
        count_own(s, upper ? CLF_DIST_UPPER : CLF_DIST_LOWER, s->borders, s->own);
        for (cl_uint l = 0; l < comm->locals; ++l)
            memcpy((char *)clf_dist_own(comm, l, 2 * bytes) + upper * bytes, s->own + l * s->borders, bytes);
    }
    return clf_dist_meet(comm, 2 * bytes);
}

static cl_ulong told(const search *s, cl_uint rank, cl_uint upper, cl_uint border)
{
    cl_ulong number;
    memcpy(&number, (const char *)clf_dist_record(s->plan->comm, rank) + (upper * s->borders + border) * sizeof number,
           sizeof number);
    return number;
}

static void make_cuts(const search *s)
{
    const cl_uint members = s->plan->comm->members;
    const cl_ulong *offsets = clf_dist_numbers(s->plan, 0);
    for (cl_uint rank = 0; rank < members; ++rank) {
        s->cut[rank * (members + 1)] = 0;
        s->cut[rank * (members + 1) + members] = offsets[rank + 1] - offsets[rank];
    }
    for (cl_uint border = 0; border < s->borders; ++border) {
        cl_ulong left = offsets[border + 1];
        for (cl_uint rank = 0; rank < members; ++rank)
            left -= told(s, rank, 0, border);
        for (cl_uint rank = 0; rank < members; ++rank) {
            const cl_ulong lower = told(s, rank, 0, border);
            const cl_ulong taken = clf_dist_least(left, told(s, rank, 1, border) - lower);
            s->cut[rank * (members + 1) + border + 1] = lower + taken;
            left -= taken;
        }
    }
}

static void make_route(const search *s, clf_dist_route *route)
{
    const clf_comm *comm = s->plan->comm;
    for (cl_uint l = 0; l < comm->locals; ++l) {
        const cl_uint me = comm->first + l;
        cl_ulong at = 0;
        for (cl_uint other = 0; other < comm->members; ++other) {
            const size_t i = (size_t)l * comm->members + other;
            const cl_ulong *mine = s->cut + me * (comm->members + 1) + other;
            const cl_ulong *theirs = s->cut + other * (comm->members + 1) + me;
            route->sent[i] = mine[1] - mine[0];
            route->sent_at[i] = mine[0];
            route->got[i] = theirs[1] - theirs[0];
            route->got_at[i] = at;
            at += route->got[i];
        }
    }
}

clf_status clf_dist_splitters_find(clf_comm_plan *plan, const cl_ulong *n, const clf_array *codes,
                                   clf_dist_route *route)
{
    const search s = parts_of(plan, n, codes);
    clf_status status = find_codes(&s);
    clf_dist_fail_all(plan->comm, status);
    if (status == CLF_SUCCESS)
        status = share_counts(&s);
    if (status != CLF_SUCCESS)
        return status;
    make_cuts(&s);
    make_route(&s, route);
    return CLF_SUCCESS;
}
