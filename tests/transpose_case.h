/* SPDX-License-Identifier: MIT */
/*
 * One transposition, checked: both arrays at odd places in buffers with canaries around them, read back whole and
 * compared with what the reference says and with what must not have changed.
 */
#ifndef CLFOLD_TESTS_TRANSPOSE_CASE_H
#define CLFOLD_TESTS_TRANSPOSE_CASE_H

#include "route.h"

/* What a plan is made from. */
typedef struct transpose_key {
    size_t bytes;
    route route;
} transpose_key;

/* NULL if the device cannot run it; the caller's to release. */
clf_plan *transpose_plan(const transpose_key *key);

typedef struct transpose_case {
    transpose_key key; /* of the plan: for messages, and the size of elements */
    size_t batch, rows, columns;
    size_t in_offset, out_offset; /* elements behind the canaries */
    bool unordered;               /* out-of-order queue */
    bool gated;                   /* the call waits for an event, and data come only after it is enqueued */
    uint64_t seed;                /* of the data */
    long number;                  /* for the replay line; negative: not a random case */
} transpose_case;

/* Runs it and fails the test on any difference. False if the variant cannot do it. */
bool transpose_case_run(clf_plan *plan, const transpose_case *test);

#endif
