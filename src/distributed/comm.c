/* SPDX-License-Identifier: MIT */
/* Communicators: their members, and where these meet. */
#include "distributed/distributed.h"

#include <stdlib.h>
#include <string.h>

/* A record has its member's status before it. */
enum { STATUS_BYTES = 8 };

/* ---- Members ------------------------------------------------------------------------------------------- */

static clf_status take_member(clf_dist_local *local, const clf_comm_member *member, cl_uint rank)
{
    cl_command_queue_properties properties = 0;
    if (!member->context || !member->queue)
        return CLF_E_ARGUMENT;
    cl_int status = clGetCommandQueueInfo(member->queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
    if (status != CL_SUCCESS)
        return status;
    if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
        return CLF_E_UNSUPPORTED;
    status = clRetainCommandQueue(member->queue);
    if (status != CL_SUCCESS)
        return status;
    local->queue = member->queue;
    local->rank = rank;
    status = clf_context_retain(member->context);
    if (status == CLF_SUCCESS)
        local->context = member->context;
    return status;
}

static void free_local(clf_dist_local *local)
{
    for (int half = 0; half < 2 && local->queue; ++half) {
        clf_dist_block_free(&local->sent[half], local->queue);
        clf_dist_block_free(&local->got[half], local->queue);
    }
    if (local->context)
        (void)clf_context_release(local->context);
    if (local->reader)
        (void)clReleaseCommandQueue(local->reader);
    if (local->queue)
        (void)clReleaseCommandQueue(local->queue);
}

static void free_comm(clf_comm *comm)
{
    for (cl_uint l = 0; comm->local && l < comm->locals; ++l)
        free_local(&comm->local[l]);
    if (comm->owns_transport && comm->transport.release)
        comm->transport.release(comm->transport.self);
    free(comm->local);
    free(comm->own);
    free(comm->all);
    free(comm->byte_counts);
    free(comm);
}

/* ---- Life ---------------------------------------------------------------------------------------------- */

static clf_status make_comm(cl_uint locals, const clf_comm_transport *transport, clf_comm *comm)
{
    *comm = (clf_comm){.references = 1, .locals = locals};
    if (transport) {
        comm->transport = *transport;
        comm->members = transport->members;
        comm->first = transport->first;
    } else {
        clf_dist_in_process(locals, &comm->transport);
        comm->members = locals;
    }
    comm->local = calloc(locals, sizeof *comm->local);
    comm->byte_counts = calloc((size_t)2 * locals * comm->members, sizeof *comm->byte_counts);
    return comm->local && comm->byte_counts ? clf_dist_reserve(comm, 2 * sizeof(cl_ulong)) : CLF_E_NO_MEMORY;
}

static bool is_transport(const clf_comm_transport *t, cl_uint locals)
{
    return t->size == sizeof *t && t->gather && t->sum && t->exchange && t->members >= locals &&
           t->first <= t->members - locals;
}

/* Members here that cannot even meet say so before others wait for their records. Takes no memory, which may be what
 * there is none of. */
static clf_status agree_to_meet(const clf_comm_transport *transport, clf_status status)
{
    const cl_ulong no_memory = status == CLF_E_NO_MEMORY, refused = status != CLF_SUCCESS && !no_memory;
    cl_ulong own[2 * CLF_DIST_MOST_LOCALS] = {no_memory, refused}, all[2] = {0};
    if (!transport)
        return status;
    const clf_status met = transport->sum(transport->self, 2, own, all);
    if (met != CLF_SUCCESS)
        return met;
    return all[1] != 0 ? CLF_E_ARGUMENT : all[0] != 0 ? CLF_E_NO_MEMORY : CLF_SUCCESS;
}

clf_status clf_comm_create(cl_uint locals, const clf_comm_member *members, const clf_comm_transport *transport,
                           clf_comm **comm)
{
    if (comm)
        *comm = NULL;
    if (locals == 0 || locals > CLF_DIST_MOST_LOCALS || (!transport && (!members || !comm)) ||
        (transport && !is_transport(transport, locals)))
        return CLF_E_ARGUMENT;
    clf_comm *made = malloc(sizeof *made);
    clf_status status = made ? make_comm(locals, transport, made) : CLF_E_NO_MEMORY;
    status = agree_to_meet(transport, comm ? status : CLF_E_ARGUMENT);
    if (status == CLF_SUCCESS) {
        for (cl_uint l = 0; l < locals; ++l)
            made->local[l].status = members ? take_member(&made->local[l], &members[l], made->first + l)
                                            : CLF_E_ARGUMENT;
        status = clf_dist_meet(made, 0);
    }
    if (status == CLF_SUCCESS) {
        made->owns_transport = true;
        *comm = made;
    } else if (made)
        free_comm(made);
    return status;
}

clf_status clf_comm_retain(clf_comm *comm)
{
    if (!comm)
        return CLF_E_ARGUMENT;
    ++comm->references;
    return CLF_SUCCESS;
}

clf_status clf_comm_release(clf_comm *comm)
{
    if (!comm)
        return CLF_E_ARGUMENT;
    if (--comm->references == 0)
        free_comm(comm);
    return CLF_SUCCESS;
}

cl_uint clf_comm_members(const clf_comm *comm)
{
    return comm ? comm->members : 0;
}

cl_uint clf_comm_first(const clf_comm *comm)
{
    return comm ? comm->first : 0;
}

cl_uint clf_comm_locals(const clf_comm *comm)
{
    return comm ? comm->locals : 0;
}

cl_uint clf_comm_failed(const clf_comm *comm)
{
    return comm ? comm->failed : 0;
}

clf_status clf_comm_watch(clf_comm *comm, void (*ended)(void *self, clf_comm_phase phase), void *self)
{
    if (!comm)
        return CLF_E_ARGUMENT;
    comm->ended = ended;
    comm->watcher = self;
    return CLF_SUCCESS;
}

/* ---- Meetings ------------------------------------------------------------------------------------------ */

clf_status clf_dist_reserve(clf_comm *comm, size_t bytes)
{
    bytes += STATUS_BYTES;
    if (bytes <= comm->room)
        return CLF_SUCCESS;
    char *own = realloc(comm->own, bytes * comm->locals);
    if (own)
        comm->own = own;
    char *all = realloc(comm->all, bytes * comm->members);
    if (all)
        comm->all = all;
    if (!own || !all)
        return CLF_E_NO_MEMORY;
    memset(own, 0, bytes * comm->locals);
    comm->room = bytes;
    return CLF_SUCCESS;
}

void *clf_dist_own(const clf_comm *comm, cl_uint l, size_t bytes)
{
    return comm->own + l * (STATUS_BYTES + bytes) + STATUS_BYTES;
}

const void *clf_dist_record(const clf_comm *comm, cl_uint rank)
{
    return comm->all + rank * (STATUS_BYTES + comm->bytes) + STATUS_BYTES;
}

void clf_dist_begin(clf_comm *comm)
{
    for (cl_uint l = 0; l < comm->locals; ++l)
        comm->local[l].status = CLF_SUCCESS;
}

void clf_dist_fail_all(clf_comm *comm, clf_status status)
{
    for (cl_uint l = 0; l < comm->locals; ++l)
        CLF_DIST_DO(&comm->local[l], status);
}

clf_status clf_dist_meet(clf_comm *comm, size_t bytes)
{
    comm->bytes = bytes;
    for (cl_uint l = 0; l < comm->locals; ++l) {
        const cl_long status = comm->local[l].status;
        memcpy((char *)clf_dist_own(comm, l, bytes) - STATUS_BYTES, &status, sizeof status);
    }
    const clf_status met = comm->transport.gather(comm->transport.self, STATUS_BYTES + bytes, comm->own, comm->all);
    if (met != CLF_SUCCESS) {
        clf_dist_fail_all(comm, met);
        return met;
    }
    for (cl_uint rank = 0; rank < comm->members; ++rank) {
        cl_long status;
        memcpy(&status, (const char *)clf_dist_record(comm, rank) - STATUS_BYTES, sizeof status);
        if (status != CLF_SUCCESS) {
            comm->failed = rank;
            return (clf_status)status;
        }
    }
    return CLF_SUCCESS;
}

void clf_dist_finish(clf_comm *comm)
{
    for (cl_uint l = 0; l < comm->locals; ++l)
        CLF_DIST_DO(&comm->local[l], clFlush(comm->local[l].queue));
    for (cl_uint l = 0; l < comm->locals; ++l) {
        clf_dist_local *local = &comm->local[l];
        const cl_int status = clFinish(local->queue); /* also where something has failed: what runs has to end */
        CLF_DIST_DO(local, status);
    }
}

clf_status clf_dist_refuse(clf_comm *comm, clf_comm_plan **plan, clf_error *error)
{
    if (plan)
        *plan = NULL;
    (void)clf_dist_fail(error, CLF_E_ARGUMENT, "an argument is NULL");
    if (!comm)
        return CLF_E_ARGUMENT;
    clf_dist_begin(comm);
    clf_dist_fail_all(comm, CLF_E_ARGUMENT);
    return clf_dist_meet(comm, 0);
}

void clf_dist_phase(clf_comm *comm, clf_comm_phase phase)
{
    if (!comm->ended)
        return;
    clf_dist_finish(comm);
    comm->ended(comm->watcher, phase);
}

clf_status clf_dist_end(clf_comm *comm, clf_status status)
{
    clf_dist_finish(comm);
    const clf_status agreed = status == CLF_SUCCESS ? clf_dist_meet(comm, 0) : status;
    clf_dist_phase(comm, CLF_COMM_LAST);
    return agreed;
}
