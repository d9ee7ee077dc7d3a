/* SPDX-License-Identifier: MIT */
/*
 * The transport of MPI: a member per process. Counts of MPI 3 are ints, so that long messages go in pieces; and all
 * goes by a duplicate of the caller's communicator, whose messages meet no others.
 */
#include <clfold/clfold_mpi.h>

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

/* The most bytes, or numbers, of one message. */
enum { PIECE = 1 << 30 };

typedef struct world {
    MPI_Comm comm;
    int rank, size;
    MPI_Request *requests;
    size_t room; /* requests that there is room for */
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

static size_t pieces_of(size_t bytes)
{
    return (bytes + PIECE - 1) / PIECE;
}

/* Requests for all pieces. Where memory does not suffice nobody could be told any more: so it is the end. */
static void make_room(world *w, const size_t *sent, const size_t *got)
{
    size_t needed = 0;
    for (int other = 0; other < w->size; other++)
        needed += pieces_of(sent[other]) + pieces_of(got[other]);
    if (needed <= w->room)
        return;
    MPI_Request *requests = realloc(w->requests, needed * sizeof *requests);
    if (requests == NULL)
        MPI_Abort(w->comm, 1);
    w->requests = requests;
    w->room = needed;
}

/* Begins to send, or to receive, one part piece by piece. */
static int begin(world *w, char *part, size_t bytes, int other, bool sending, int *count)
{
    int code = MPI_SUCCESS;
    for (size_t at = 0; at < bytes && code == MPI_SUCCESS; at += PIECE) {
        const int piece = (int)(bytes - at < PIECE ? bytes - at : PIECE);
        MPI_Request *request = &w->requests[(*count)++];
        code = sending ? MPI_Isend(part + at, piece, MPI_BYTE, other, 0, w->comm, request)
                       : MPI_Irecv(part + at, piece, MPI_BYTE, other, 0, w->comm, request);
    }
    return code;
}

/* To and from the members before and behind, the nearest first, so that not all send to the same one at a time. */
static clf_status exchange(void *self, const void *const *from, const size_t *sent, void *const *to, const size_t *got)
{
    world *w = self;
    int count = 0, code = MPI_SUCCESS;
    make_room(w, sent, got);
    for (int sending = 0; sending < 2; sending++) {
        for (int step = 0; step < w->size && code == MPI_SUCCESS; step++) {
            const int other = (w->rank + (sending ? step : w->size - step)) % w->size;
            const size_t *bytes = sending ? sent : got;
            char *part = sending ? (char *)(size_t)from[0] : to[0];
            for (int before = 0; before < other; before++)
                part += bytes[before];
            code = begin(w, part, bytes[other], other, sending, &count);
        }
    }
    for (int i = 0; i < count; i++) {
        MPI_Status unused;
        const int waited = MPI_Wait(&w->requests[i], &unused);
        code = code == MPI_SUCCESS ? waited : code;
    }
    return status_of(code);
}

/* ---- Life ---------------------------------------------------------------------------------------------- */

static void release(void *self)
{
    world *w = self;
    int finalized = 0;
    if (MPI_Finalized(&finalized) == MPI_SUCCESS && !finalized)
        (void)MPI_Comm_free(&w->comm);
    free(w->requests);
    free(w);
}

clf_status clf_mpi_comm_create(MPI_Comm mpi, clf_context *context, cl_command_queue queue, clf_comm **comm)
{
    int started = 0;
    if (MPI_Initialized(&started) != MPI_SUCCESS || !started || mpi == MPI_COMM_NULL)
        return CLF_E_ARGUMENT;
    world *w = calloc(1, sizeof *w);
    /* Whoever has no memory says so before others count on it. */
    int good = w != NULL && comm != NULL, all = 0;
    if (MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, mpi) != MPI_SUCCESS || !all ||
        MPI_Comm_dup(mpi, &w->comm) != MPI_SUCCESS) {
        free(w);
        return comm == NULL ? CLF_E_ARGUMENT : CLF_E_NO_MEMORY;
    }
    (void)MPI_Comm_set_errhandler(w->comm, MPI_ERRORS_RETURN);
    (void)MPI_Comm_rank(w->comm, &w->rank);
    (void)MPI_Comm_size(w->comm, &w->size);
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
