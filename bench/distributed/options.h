/* SPDX-License-Identifier: MIT */
/* The command line of clfold-bench-distributed and clfold-bench-mpi. */
#ifndef CLFOLD_BENCH_DISTRIBUTED_OPTIONS_H
#define CLFOLD_BENCH_DISTRIBUTED_OPTIONS_H

#include "bench_world.h"

typedef struct bench_options {
    cl_uint members;
    cl_ulong n; /* elements of each */
    int repeats;
    FILE *json; /* of the first process, if there is to be one */
} bench_options;

/* Ends the program after --help and --version, with status 0, and after what it does not understand, with 2. */
bench_options bench_read_options(int argc, char **argv);

#endif
