/* SPDX-License-Identifier: MIT */
/*
 * Calls that are refused: a context that tells a test its sentences, plans in it, and buffers; and what all sorts of an
 * array refuse.
 */
#ifndef CLFOLD_TESTS_REFUSED_H
#define CLFOLD_TESTS_REFUSED_H

#include "harness.h"

enum { REFUSED_PLANS = 3, REFUSED_BUFFERS = 10 };
typedef struct refused {
    rig_told told;
    clf_context *context;
    cl_command_queue queue;
    clf_plan *plan[REFUSED_PLANS]; /* the caller makes them; or NULL */
    size_t buffers;
    cl_mem buffer[REFUSED_BUFFERS];
} refused;

void refused_open(refused *r);
/* A new buffer. */
clf_array refused_array(refused *r, size_t bytes);
/* Waits for calls that were none, and releases all. */
void refused_close(refused *r);

/* Sorts of two arrays of 4 bytes, or of their beginning. */
typedef struct refused_sort {
    const char *name, *initial; /* the function's, and what it says of initial values */
    clf_status (*call)(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in, const clf_array *out);
    bool in_place;    /* outputs may lie where inputs are */
    bool all_scratch; /* 100 elements need all that clf_plan_scratch says */
} refused_sort;
/* plan[0] is that of the sort, and plan[1] that of another primitive; both are of r->context. */
void refused_check_sort(refused *r, const refused_sort *sort);

/* Operators that are no orders: the first has no `less`, others have what orders must not have, the second a map. */
enum { REFUSED_ORDERS = 5 };
extern const clf_operator refused_orders[REFUSED_ORDERS];

#endif
