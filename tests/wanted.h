/* SPDX-License-Identifier: MIT */
/* Plans that want some results (clf_plan_options.wanted), beside plans of the same operator that want all. */
#ifndef CLFOLD_TESTS_WANTED_H
#define CLFOLD_TESTS_WANTED_H

#include "finish.h"

enum { WANTED_N = 900, WANTED_BYTES = 16, WANTED_ARRAYS = 7, WANTED_OPERATORS = 5 };

/* Four results, the largest sum of a segment first. It does not commute. */
extern const clf_operator wanted_largest_sum;
/* `finish` with captured arrays and an extra output; the above; fields of several sizes; minima without a map; none. */
const clf_operator *wanted_operator(size_t which, bool scans);
/* The largest sum, a hash that finishes, a maximum, joined; the caller releases it. */
clf_operator *wanted_join(bool scans, bool keyed);

typedef struct wanted_data {
    cl_uchar in[WANTED_ARRAYS][WANTED_N * WANTED_BYTES];
    cl_uint offsets[WANTED_N + 1];
    cl_uchar flags[WANTED_N];
    size_t count;
} wanted_data;

/* A call of WANTED_N elements: all of one primitive. */
typedef struct wanted_case wanted_case;
typedef clf_status wanted_call(clf_plan *plan, const clf_call *call, const wanted_case *c, const wanted_data *d,
                               const clf_array *in, const clf_array *out);
struct wanted_case {
    const char *primitive;
    wanted_call *call;
    const clf_segmentation *how;
    size_t op, size;                 /* size: of rows, if there are any; an odd one has an initial value */
    bool scans, may_share, in_place; /* scans: the operator's finish is that of scans; may_share: with inputs */
    bool keyed;                      /* the operator has `same` */
    unsigned flags;
    cl_ulong wanted;
};

/*
 * Runs plans that want one result, or all others, with rows of each of the sizes: what they write is what a plan writes
 * that wants all. A short run draws which.
 */
void wanted_run(const route *r, wanted_case c, const size_t *sizes, size_t count, gen *random);
/* Some operators of each variant in a short run: every `of`-th. */
bool wanted_in_turn(size_t op, int test, size_t of);

#endif
