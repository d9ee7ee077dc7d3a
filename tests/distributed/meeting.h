/* SPDX-License-Identifier: MIT */
/*
 * A transport between threads of this process, each of which has one member of a communicator: what processes are to
 * MPI. Members that wait for one that does not come, or that do something else than the others, end the program.
 */
#ifndef CLFOLD_TEST_MEETING_H
#define CLFOLD_TEST_MEETING_H

#include "world.h"

#include <pthread.h>

typedef struct meeting {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    cl_uint members, waiting;
    unsigned long turn;
    const char *what[MOST_MEMBERS]; /* each does, and with so many bytes */
    size_t bytes[MOST_MEMBERS];
    const void *from[MOST_MEMBERS];
    const size_t *sent[MOST_MEMBERS];
} meeting;

typedef struct seat {
    meeting *m;
    cl_uint rank;
    int released;
} seat;

void meeting_open(meeting *m, cl_uint members);
void meeting_close(meeting *m);

/* Waits until all are there. */
void meeting_wait(meeting *m);

/* What seat->rank creates its communicator with. */
clf_comm_transport meeting_transport(seat *s);

#endif
