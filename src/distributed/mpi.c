/* SPDX-License-Identifier: MIT */
/*
 * The transport of MPI: a member per process. Counts of MPI 3 are ints, so that long sums go in pieces; parts of
 * exchanges are never longer than 4 MiB. All goes by a duplicate of the caller's communicator, whose messages meet no
 * others.
 */
#include <clfold/clfold_mpi.h>

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

/* The most bytes of one message. */
enum { PIECE = 1 << 30 };

typedef struct world {
    MPI_Comm comm;
    int rank, size;
    MPI_Request *requests; /* two for each rank: where an exchange runs out of memory nobody could be told any more */
} world;

/* With errors as codes, which the communicator is made to return. */
static clf_status status_of(int code)
{
    return code == MPI_SUCCESS ? CLF_SUCCESS : code == MPI_ERR_NO_MEM ? CLF_E_NO_MEMORY : CLF_E_UNSUPPORTED;
}

static clf_status gather(void *self, size_t bytes, const void *from, void *to)
{
    const world *w = self;
    if (bytes > INT_MAX)
        return CLF_E_OVERFLOW; /* for everyone: all share as many */
    return status_of(MPI_Allgather(from, (int)bytes, MPI_BYTE, to, (int)bytes, MPI_BYTE, w->comm));
}

static clf_status sum(void *self, size_t count, const cl_ulong *from, cl_ulong *to)
{
    const world *w = self;
    int code = MPI_SUCCESS;
    for (size_t at = 0; at < count && code == MPI_SUCCESS; at += PIECE / sizeof *to) {
        const size_t piece = count - at < PIECE / sizeof *to ? count - at : PIECE / sizeof *to;
        code = MPI_Allreduce(from + at, to + at, (int)piece, MPI_UINT64_T, MPI_SUM, w->comm);
    }
    return status_of(code);
}

/* ---- Everybody to everybody ---------------------------------------------------------------------------- */

/* Begins to send, or to receive, one part. */
static int begin(world *w, char *part, size_t bytes, int other, bool sending, int *count)
{
    if (bytes == 0)
        return MPI_SUCCESS;
    MPI_Request *request = &w->requests[(*count)++];
    *request = MPI_REQUEST_NULL;
    return sending ? MPI_Isend(part, (int)bytes, MPI_BYTE, other, 0, w->comm, request)
                   : MPI_Irecv(part, (int)bytes, MPI_BYTE, other, 0, w->comm, request);
}

/* To and from the members before and behind, the nearest first, so that not all send to the same one at a time. */
static clf_status exchange(void *self, const void *const *from, const size_t *sent, void *const *to, const size_t *got)
{
    world *w = self;
    int count = 0, code = MPI_SUCCESS;
    for (int sending = 0; sending < 2; ++sending) {
        for (int step = 0; step < w->size && code == MPI_SUCCESS; ++step) {
            const int other = (w->rank + (sending ? step : w->size - step)) % w->size;
            const size_t *bytes = sending ? sent : got;
            char *part = sending ? (char *)(size_t)from[0] : to[0];
            for (int before = 0; before < other; ++before)
                part += bytes[before];
            code = begin(w, part, bytes[other], other, sending, &count);
        }
    }
    for (int i = 0; i < count; ++i) {
        MPI_Status unused;
        const int waited = MPI_Wait(&w->requests[i], &unused);
        code = code == MPI_SUCCESS ? waited : code;
    }
    return status_of(code);
}

/* ---- Life ---------------------------------------------------------------------------------------------- */

static void free_world(world *w)
{
    if (w)
        free(w->requests);
    free(w);
}

static void release(void *self)
{
    world *w = self;
    int finalized = 0;
    if (MPI_Finalized(&finalized) == MPI_SUCCESS && !finalized)
        (void)MPI_Comm_free(&w->comm);
    free_world(w);
}

/* All that calls will need, so that none of them runs out of memory while others wait. */
static world *make_world(MPI_Comm mpi)
{
    world *w = calloc(1, sizeof *w);
    if (!w || MPI_Comm_rank(mpi, &w->rank) != MPI_SUCCESS || MPI_Comm_size(mpi, &w->size) != MPI_SUCCESS ||
        !(w->requests = calloc((size_t)2 * (size_t)w->size, sizeof *w->requests))) {
        free_world(w);
        return NULL;
    }
    return w;
}

clf_status clf_mpi_comm_create(MPI_Comm mpi, clf_context *context, cl_command_queue queue, clf_comm **comm)
{
    int started = 0;
    if (comm)
        *comm = NULL;
    if (MPI_Initialized(&started) != MPI_SUCCESS || !started || mpi == MPI_COMM_NULL)
        return CLF_E_ARGUMENT;
    world *w = make_world(mpi);
    /* Whoever cannot says so before others count on it. */
    const int own = !comm ? CLF_E_ARGUMENT : !w ? CLF_E_NO_MEMORY : CLF_SUCCESS;
    int worst = own;
    if (MPI_Allreduce(&own, &worst, 1, MPI_INT, MPI_MAX, mpi) != MPI_SUCCESS)
        worst = CLF_E_UNSUPPORTED;
    if (worst == CLF_SUCCESS && MPI_Comm_dup(mpi, &w->comm) != MPI_SUCCESS)
        worst = CLF_E_UNSUPPORTED;
    if (worst != CLF_SUCCESS) {
        free_world(w);
        return worst;
    }
    (void)MPI_Comm_set_errhandler(w->comm, MPI_ERRORS_RETURN);
    const clf_comm_member member = {context, queue};
    const clf_comm_transport transport = {.size = sizeof transport,
                                          .members = (cl_uint)w->size,
                                          .first = (cl_uint)w->rank,
                                          .self = w,
                                          .gather = gather,
                                          .sum = sum,
                                          .exchange = exchange,
                                          .release = release};
    const clf_status status = clf_comm_create(1, &member, &transport, comm);
    if (status != CLF_SUCCESS)
        release(w);
    return status;
}
