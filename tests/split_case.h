/* SPDX-License-Identifier: MIT */
/*
 * One split, checked: arrays at odd places in buffers with canaries around them, enqueued, read back whole and
 * compared, byte by byte, with what the reference says and with what must not have changed.
 */
#ifndef CLFOLD_TESTS_SPLIT_CASE_H
#define CLFOLD_TESTS_SPLIT_CASE_H

#include "guarded.h"
#include "route.h"

/* What a plan is made from; the strings are static. */
typedef struct split_key {
    const ref_split *split;
    unsigned parts;
    route route;
} split_key;

/* The plan, with CLF_FROM_DEVICE if asked for; the caller's to release. NULL if the device cannot run it. */
clf_plan *split_plan(const split_key *key, bool from_device);

/* Which digits elements have. */
typedef enum split_pattern {
    SPLIT_RANDOM,
    SPLIT_BEYOND,     /* as many are too large, and belong to the last part */
    SPLIT_ONE,        /* all in one part */
    SPLIT_DESCENDING,
    SPLIT_STRETCHES,  /* `period` elements of the same */
    SPLIT_PATTERNS
} split_pattern;

typedef struct split_case {
    split_key key; /* of the plan: for messages */
    size_t n, period;
    split_pattern pattern;
    bool uncounted; /* nobody asks for the counts */
    circumstances under;
} split_case;

/* Runs it and fails the test on any difference. */
void split_case_run(clf_plan *plan, const split_case *test);

#endif
