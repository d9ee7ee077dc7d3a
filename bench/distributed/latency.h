/* SPDX-License-Identifier: MIT */
/* How long a small scan takes over all members, and by MPI_Exscan. */
#ifndef CLFOLD_BENCH_LATENCY_H
#define CLFOLD_BENCH_LATENCY_H

#include "cases.h"

/* Rows of scans of 1 to 1024 elements of each member: the median of so many calls. */
void bench_latency(bench_cases *c, int calls, FILE *json);

#endif
