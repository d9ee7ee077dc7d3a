/* SPDX-License-Identifier: MIT */
/* What clfold-bench-distributed times: each primitive over members, and on one device by clfold itself. */
#ifndef CLFOLD_BENCH_CASES_H
#define CLFOLD_BENCH_CASES_H

#include "bench_world.h"

enum bench_what { REDUCE, SCAN, ROWS, SORT, TRANSPOSE, BENCH_KINDS };
extern const char *const bench_names[BENCH_KINDS];

/* Elements of a row, and of a row of the matrix. */
enum { BENCH_ROW = 1024 };

/* The elements of all members, and room for their results. */
typedef struct bench_cases {
    bench_world *w;
    cl_ulong n;    /* elements of each member */
    cl_uint *host; /* room for a member's results */
    clf_array in[BENCH_MEMBERS], out[BENCH_MEMBERS];
} bench_cases;

/* The most elements of each member, whole rows, that memory suffices for. */
cl_ulong bench_fitting(const bench_world *w, cl_ulong n);

void bench_fill(bench_cases *c, bench_world *w, cl_ulong n);
void bench_empty(bench_cases *c);

/* Over the members of the communicator that is open. */
clf_comm_plan *bench_plan(const bench_cases *c, enum bench_what what);
void bench_call(const bench_cases *c, enum bench_what what, clf_comm_plan *plan);

/* On the first device alone, waiting for the result, by a variant (NULL: whichever clfold chooses). NULL if there is
 * nothing to time by that one. */
clf_plan *bench_plan_alone(const bench_cases *c, enum bench_what what, const char *variant);
void bench_call_alone(const bench_cases *c, enum bench_what what, clf_plan *plan);

/* Are the results of so many members, from rank `first` on, those of `members`? */
bool bench_right(const bench_cases *c, enum bench_what what, cl_uint first, cl_uint locals, cl_uint members);

/* Are these the results of member `me`, in a scan of the first n elements of each? */
bool bench_right_part(const bench_cases *c, cl_uint me, cl_ulong n, const cl_uint *results);

#endif
