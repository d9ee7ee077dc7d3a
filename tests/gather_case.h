/* SPDX-License-Identifier: MIT */
/*
 * One gather or scatter, checked: arrays at odd places in buffers with canaries around them, enqueued, read back whole
 * and compared, byte by byte, with what the reference says and with what must not have changed.
 */
#ifndef CLFOLD_TESTS_GATHER_CASE_H
#define CLFOLD_TESTS_GATHER_CASE_H

#include "guarded.h"
#include "route.h"

/* What a plan is made from; the strings are static. */
typedef struct gather_key {
    const ref_moved *moved;
    bool scatter, wide; /* or a gather; by indices of 64 bits, or of 32 */
    route route;
} gather_key;

/* The plan, with CLF_FROM_DEVICE if asked for; the caller's to release. NULL if the device cannot run it. */
clf_plan *gather_plan(const gather_key *key, bool from_device);

/* Which indices there are. Of the first three those behind element n - 1 name nothing. */
typedef enum gather_pattern {
    GATHER_PERMUTED, /* each element once */
    GATHER_IDENTITY,
    GATHER_REVERSE,
    GATHER_RANDOM,   /* each index for itself: some elements several times */
    GATHER_EQUAL,    /* always the same */
    GATHER_OUTSIDE,  /* two of three name nothing: n, n + 1, 2^32 - 1, 2^63 … */
    GATHER_PATTERNS
} gather_pattern;

typedef struct gather_case {
    gather_key key; /* of the plan: for messages */
    size_t n, m;    /* elements that indices name, and indices */
    gather_pattern pattern;
    circumstances under;
} gather_case;

/* Runs it and fails the test on any difference. */
bool gather_case_run(clf_plan *plan, const gather_case *test);

#endif
