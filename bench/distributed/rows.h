/* SPDX-License-Identifier: MIT */
/* Rows of the table, and of JSON. */
#ifndef CLFOLD_BENCH_ROWS_H
#define CLFOLD_BENCH_ROWS_H

#include "bench_world.h"

/* Milliseconds of the clock. */
double bench_now(void);

typedef struct bench_row {
    const char *what;
    const char *variant; /* if it is not clfold over members */
    cl_uint members;
    cl_ulong n;               /* elements of each */
    double ms, one, two_pass; /* 0: not measured */
    double phase[CLF_COMM_PHASES];
} bench_row;

/* The first process does, and, if there is a file, appends an object on a line of its own. */
void bench_print_head(void);
void bench_print_row(const bench_world *w, FILE *json, const bench_row *r);

#endif
