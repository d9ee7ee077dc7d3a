/* SPDX-License-Identifier: MIT */
/*
 * What primitives tell clf_context_tune about their plans.
 */
#ifndef CLF_TUNED_H
#define CLF_TUNED_H

#include "probe/probe.h"

struct clf_plan;

/* What tuning measures: [count][size] elements, of several sizes, the same for all of a primitive's plans. */
enum { CLF_TUNED_SIZES = 3 };
typedef struct clf_tuned_call {
    clf_status (*call)(struct clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size, const clf_array *in,
                       const clf_array *out);
    bool sums;                                 /* a result per row, not per element */
    cl_uint size_count, size[CLF_TUNED_SIZES]; /* odd ones; 0: all elements are one row */
} clf_tuned_call;

#endif
