/* SPDX-License-Identifier: MIT */
/*
 * Elements from all members to all. What stays is copied on its device; the others go through pinned staging in rounds,
 * of so many bytes from each to each. Staging has two halves: while the members exchange one round, devices read the
 * next and write the one before. Members of one process exchange nothing: a device writes from the senders' staging.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue is what all versions have */
#include "distributed/distributed.h"

#include <string.h>

/* Staging has room for so many bytes at least, and for so many from each to each. Four times as many gained nothing. */
#ifndef CLF_DIST_STAGING_BYTES /* tests have less, so that little goes in several rounds */
#define CLF_DIST_STAGING_BYTES (8 << 20)
#endif
enum { STAGING_BYTES = CLF_DIST_STAGING_BYTES, PAIR_BYTES = 1024 };

/* Are all members here? Then their staging is what others write from. */
static bool is_one_process(const clf_comm *comm)
{
    return !comm->transport.exchange;
}

/* A queue of its own for reading, so that a device reads and writes at a time. */
static clf_status make_reader(clf_dist_local *local)
{
    cl_context cl;
    cl_device_id device;
    if (local->reader)
        return CLF_SUCCESS;
    cl_int status = clGetCommandQueueInfo(local->queue, CL_QUEUE_CONTEXT, sizeof cl, &cl, NULL);
    if (status == CL_SUCCESS)
        status = clGetCommandQueueInfo(local->queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    if (status == CL_SUCCESS)
        local->reader = clCreateCommandQueue(cl, device, 0, &status);
    return status;
}

clf_status clf_dist_staging(clf_comm *comm)
{
    if (comm->chunk != 0 || comm->members == 1)
        return CLF_SUCCESS;
    const size_t chunk = (size_t)clf_dist_most(STAGING_BYTES, (cl_ulong)PAIR_BYTES * comm->members);
    for (cl_uint l = 0; l < comm->locals; ++l) {
        clf_dist_local *local = &comm->local[l];
        clf_dist_block *const blocks[] = {&local->sent[0], &local->sent[1], &local->got[0], &local->got[1]};
        const size_t used = is_one_process(comm) ? 2 : CLF_DIST_COUNT(blocks);
        clf_status status = make_reader(local);
        for (size_t i = 0; i < used && status == CLF_SUCCESS; ++i)
            if (!blocks[i]->host)
                status = clf_dist_block_make(blocks[i], local->queue, chunk, false, true);
        if (status != CLF_SUCCESS)
            return status;
    }
    comm->chunk = chunk;
    return CLF_SUCCESS;
}

/* ---- Routes -------------------------------------------------------------------------------------------- */

clf_dist_route clf_dist_route_in(const clf_comm *comm, cl_ulong *numbers)
{
    const size_t each = (size_t)comm->locals * comm->members;
    return (clf_dist_route){numbers, numbers + each, numbers + 2 * each, numbers + 3 * each};
}

/* What two ranges have in common, and where that begins in the first. */
static cl_ulong overlap(const cl_ulong *a, const cl_ulong *b, cl_ulong *at)
{
    const cl_ulong begin = clf_dist_most(a[0], b[0]), end = clf_dist_least(a[1], b[1]);
    *at = begin < end ? begin - a[0] : 0;
    return begin < end ? end - begin : 0;
}

void clf_dist_route_ranges(const clf_comm *comm, clf_dist_route *route, const cl_ulong *offsets, const cl_ulong *wanted)
{
    for (cl_uint l = 0; l < comm->locals; ++l) {
        const cl_uint me = comm->first + l;
        for (cl_uint other = 0; other < comm->members; ++other) {
            const size_t i = (size_t)l * comm->members + other;
            route->sent[i] = overlap(offsets + me, wanted + other, &route->sent_at[i]);
            route->got[i] = overlap(wanted + me, offsets + other, &route->got_at[i]);
        }
    }
}

/* ---- Rounds -------------------------------------------------------------------------------------------- */

/* One step of a move: a round of one field. */
typedef struct move {
    clf_comm *comm;
    const clf_dist_route *route;
    const clf_array *from, *to;
    cl_uint fields, field;
    size_t bytes;     /* of an element of the field */
    cl_ulong quota;   /* elements from each to each in a round */
    cl_ulong longest; /* the most that one sends another */
    cl_ulong round;
} move;

/* Elements of `all` between a member here and another that go in this round. A member's own do not. */
static cl_ulong part_of(const move *m, cl_uint l, cl_uint other, cl_ulong all)
{
    const cl_ulong before = m->round * m->quota;
    return other != m->comm->first + l && all > before ? clf_dist_least(all - before, m->quota) : 0;
}

/* A stretch of an array, and the host's memory that it is copied to or from. */
typedef struct stretch {
    size_t at, bytes;
    char *host;
} stretch;

static clf_status copy(cl_command_queue queue, cl_mem buffer, stretch s, bool to_device)
{
    if (s.bytes == 0)
        return CLF_SUCCESS;
    return to_device ? clEnqueueWriteBuffer(queue, buffer, CL_FALSE, s.at, s.bytes, s.host, 0, NULL, NULL)
                     : clEnqueueReadBuffer(queue, buffer, CL_FALSE, s.at, s.bytes, s.host, 0, NULL, NULL);
}

/* Where the part for `target` is in what a member here sends in this round. */
static size_t sent_begin(const move *m, cl_uint l, cl_uint target)
{
    const cl_ulong *sent = m->route->sent + (size_t)l * m->comm->members;
    cl_ulong before = 0;
    for (cl_uint other = 0; other < target; ++other)
        before += part_of(m, l, other, sent[other]);
    return (size_t)before * m->bytes;
}

/*
 * Enqueues the copies of a round between an array and `staging`, which has the others' parts one behind the other. NULL
 * stands for the others' own staging. Neighbours in both are one copy.
 */
static clf_status copy_round(const move *m, cl_uint l, int half, char *staging, bool to_device)
{
    const clf_comm *comm = m->comm;
    const cl_command_queue queue = to_device ? comm->local[l].queue : comm->local[l].reader;
    const clf_array *array = (to_device ? m->to : m->from) + (size_t)l * m->fields + m->field;
    const size_t base = (size_t)l * comm->members;
    const cl_ulong *counts = (to_device ? m->route->got : m->route->sent) + base;
    const cl_ulong *places = (to_device ? m->route->got_at : m->route->sent_at) + base;
    stretch s = {0};
    clf_status status = CLF_SUCCESS;
    for (cl_uint other = 0; other < comm->members && status == CLF_SUCCESS; ++other) {
        const size_t bytes = (size_t)part_of(m, l, other, counts[other]) * m->bytes;
        if (bytes == 0)
            continue;
        const size_t at = (size_t)(array->offset + places[other] + m->round * m->quota) * m->bytes;
        char *host = staging ? staging : comm->local[other].sent[half].host + sent_begin(m, other, l);
        if (s.at + s.bytes != at || s.host + s.bytes != host) {
            status = copy(queue, array->buffer, s, to_device);
            s = (stretch){at, 0, host};
        }
        s.bytes += bytes;
        staging += staging ? bytes : 0;
    }
    return status == CLF_SUCCESS ? copy(queue, array->buffer, s, to_device) : status;
}

/* Goes on to the next step; false behind the last. */
static bool next(move *m, const clf_dist_fields *fields)
{
    if (m->quota != 0 && ++m->round * m->quota < m->longest)
        return true;
    m->round = 0;
    if (m->quota != 0)
        ++m->field;
    if (m->field == m->fields)
        return false;
    m->bytes = fields->field[m->field].bytes;
    m->quota = m->comm->chunk / m->comm->members / m->bytes;
    return true;
}

/* An event behind what has been enqueued so far. */
static clf_status mark(cl_command_queue queue, cl_event *event)
{
    const cl_int status = clEnqueueMarkerWithWaitList(queue, 0, NULL, event);
    return status == CL_SUCCESS ? clFlush(queue) : status;
}

/* What is read comes behind all that the caller's queue has. */
static clf_status follow(const clf_dist_local *local)
{
    cl_event event = NULL;
    cl_int status = mark(local->queue, &event);
    if (status == CL_SUCCESS)
        status = clEnqueueBarrierWithWaitList(local->reader, 1, &event, NULL);
    if (event)
        (void)clReleaseEvent(event);
    return status;
}

/* Waits for an event, if there is one, and forgets it. Waits even where the member has failed. */
static void wait_for(clf_dist_local *local, cl_event *event)
{
    if (!*event)
        return;
    const cl_int status = clWaitForEvents(1, event);
    CLF_DIST_DO(local, status);
    (void)clReleaseEvent(*event);
    *event = NULL;
}

static void read_round(const move *m, int half)
{
    for (cl_uint l = 0; l < m->comm->locals; ++l) {
        clf_dist_local *local = &m->comm->local[l];
        CLF_DIST_DO(local, copy_round(m, l, half, local->sent[half].host, false));
        CLF_DIST_DO(local, mark(local->reader, &local->reading));
    }
}

static void write_round(const move *m, int half)
{
    for (cl_uint l = 0; l < m->comm->locals; ++l) {
        clf_dist_local *local = &m->comm->local[l];
        CLF_DIST_DO(local, copy_round(m, l, half, local->got[half].host, true));
        CLF_DIST_DO(local, mark(local->queue, &local->written[half]));
    }
}

static clf_status exchange_round(const move *m, int half)
{
    clf_comm *comm = m->comm;
    if (is_one_process(comm))
        return CLF_SUCCESS;
    const size_t each = (size_t)comm->locals * comm->members;
    const void *from[CLF_DIST_MOST_LOCALS];
    void *to[CLF_DIST_MOST_LOCALS];
    for (cl_uint l = 0; l < comm->locals; ++l) {
        for (cl_uint other = 0; other < comm->members; ++other) {
            const size_t i = (size_t)l * comm->members + other;
            comm->byte_counts[i] = (size_t)part_of(m, l, other, m->route->sent[i]) * m->bytes;
            comm->byte_counts[each + i] = (size_t)part_of(m, l, other, m->route->got[i]) * m->bytes;
        }
        from[l] = comm->local[l].sent[half].host;
        to[l] = comm->local[l].got[half].host;
    }
    return comm->transport.exchange(comm->transport.self, from, comm->byte_counts, to, comm->byte_counts + each);
}

/* The longest part that any member sends another. */
static clf_status find_longest(move *m)
{
    clf_comm *comm = m->comm;
    for (cl_uint l = 0; l < comm->locals; ++l) {
        cl_ulong longest = 0;
        for (cl_uint other = 0; other < comm->members; ++other)
            if (other != comm->first + l)
                longest = clf_dist_most(longest, m->route->sent[(size_t)l * comm->members + other]);
        memcpy(clf_dist_own(comm, l, sizeof longest), &longest, sizeof longest);
    }
    const clf_status status = clf_dist_meet(comm, sizeof m->longest);
    for (cl_uint rank = 0; rank < comm->members && status == CLF_SUCCESS; ++rank) {
        cl_ulong longest;
        memcpy(&longest, clf_dist_record(comm, rank), sizeof longest);
        m->longest = clf_dist_most(m->longest, longest);
    }
    return status;
}

/* What a member keeps is copied on its device. */
static clf_status keep_own(const move *m, cl_uint l, const clf_dist_fields *fields)
{
    const clf_dist_local *local = &m->comm->local[l];
    const size_t i = (size_t)l * m->comm->members + local->rank;
    clf_status status = CLF_SUCCESS;
    for (cl_uint f = 0; f < m->fields && m->route->sent[i] != 0 && status == CLF_SUCCESS; ++f) {
        const clf_array from = m->from[l * m->fields + f], to = m->to[l * m->fields + f];
        const size_t bytes = fields->field[f].bytes;
        status = clEnqueueCopyBuffer(
            local->queue, from.buffer, to.buffer, (size_t)(from.offset + m->route->sent_at[i]) * bytes,
            (size_t)(to.offset + m->route->got_at[i]) * bytes, (size_t)m->route->sent[i] * bytes, 0, NULL, NULL);
    }
    return status;
}

clf_status clf_dist_move(clf_comm *comm, const clf_dist_route *route, const clf_dist_fields *fields,
                         const clf_array *from, const clf_array *to)
{
    move now = {.comm = comm, .route = route, .from = from, .to = to, .fields = fields->count};
    clf_status status = find_longest(&now);
    if (status != CLF_SUCCESS)
        return status;
    bool going = now.longest != 0 && next(&now, fields);
    for (cl_uint l = 0; l < comm->locals && going; ++l)
        CLF_DIST_DO(&comm->local[l], follow(&comm->local[l]));
    if (going)
        read_round(&now, 0);
    for (cl_uint l = 0; l < comm->locals; ++l)
        CLF_DIST_DO(&comm->local[l], keep_own(&now, l, fields));
    for (int half = 0; going && status == CLF_SUCCESS; half = !half) {
        const int freed = is_one_process(comm) ? !half : half; /* what is read into next; what is exchanged into now */
        move then = now;
        going = next(&then, fields);
        for (cl_uint l = 0; l < comm->locals; ++l) {
            clf_dist_local *local = &comm->local[l];
            wait_for(local, &local->reading);
            wait_for(local, &local->written[freed]);
        }
        if (going)
            read_round(&then, !half);
        status = exchange_round(&now, half);
        write_round(&now, half);
        now = then;
    }
    for (cl_uint l = 0; l < comm->locals; ++l) {
        clf_dist_local *local = &comm->local[l];
        wait_for(local, &local->reading);
        wait_for(local, &local->written[0]);
        wait_for(local, &local->written[1]);
        CLF_DIST_DO(local, status);
    }
    status = clf_dist_meet(comm, 0);
    clf_dist_phase(comm, CLF_COMM_MOVE);
    return status;
}
