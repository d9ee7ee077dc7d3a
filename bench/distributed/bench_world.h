/* SPDX-License-Identifier: MIT */
/* Members for the bench: devices of this process, or, with MPI, a device for each process. */
#ifndef CLFOLD_BENCH_WORLD_H
#define CLFOLD_BENCH_WORLD_H

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold_distributed.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BENCH_MEMBERS = 16, BENCH_NAME = 256 };

typedef struct bench_world {
    cl_uint opened; /* devices of this process */
    cl_device_id device[BENCH_MEMBERS];
    cl_context cl[BENCH_MEMBERS];
    clf_context *context[BENCH_MEMBERS];
    cl_command_queue queue[BENCH_MEMBERS];
    cl_uint devices, sharing; /* different ones of this host, and the most members that share one */
    cl_uint total, place;     /* members of all processes, and those of processes before this one */
    char name[BENCH_NAME];    /* of the first device */

    clf_comm *comm; /* between bench_meet and bench_part */
    cl_uint members, first, locals;
} bench_world;

/* Ends the program unless `status` is 0. */
void bench_check(cl_int status, const char *what);

void bench_start(int *argc, char ***argv);
void bench_stop(void);

/* How many members there are to begin with, and at most: with MPI all processes, both times. */
void bench_range(cl_uint wanted, cl_uint *least, cl_uint *most);

/* A device for each member, as far as there are some: GPUs, if there are any. Says which. */
void bench_open(bench_world *w, cl_uint members);
void bench_close(bench_world *w);

/* The least that any member's device tells: memory for each member, and for one buffer. */
void bench_memory(const bench_world *w, cl_ulong *bytes, cl_ulong *buffer);

/* A communicator of so many members, and its end. */
void bench_meet(bench_world *w, cl_uint members);
void bench_part(bench_world *w);

/* Over all processes: is it so on all; the largest number; may this one print? */
bool bench_all(bool good);
double bench_most(double number);
bool bench_speaks(void);

/* The sum of what the processes before this one have, by MPI_Exscan. False without MPI. */
bool bench_exscan(cl_uint mine, cl_uint *before);

#endif
