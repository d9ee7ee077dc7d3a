/* SPDX-License-Identifier: MIT */
/*
 * One merge, or one search for bounds, checked: arrays at odd places between canaries, compared byte by byte with what
 * the reference says and with what must not have changed.
 */
#ifndef CLFOLD_TESTS_MERGE_CASE_H
#define CLFOLD_TESTS_MERGE_CASE_H

#include "guarded.h"
#include "route.h"

typedef enum merge_kind { MERGE, BOUNDS, SORTED_BOUNDS, MERGE_KINDS } merge_kind;

/* What a plan is made from; the strings are static. */
typedef struct merge_key {
    merge_kind kind;
    const ref_order *order;
    bool upper, wide; /* of bounds: upper ones; positions of 64 bits */
    route route;
    bool from_device; /* the sizes of a case lie on the device */
} merge_key;

/* The primitive's name. */
const char *merge_name(merge_kind kind);
/* The plan, the caller's to release. NULL if the device cannot run it. */
clf_plan *merge_plan(const merge_key *key);

/* How elements of the two sequences follow each other. */
typedef enum merge_pattern {
    MERGE_RANDOM,
    MERGE_ALTERNATING,
    MERGE_EQUAL,  /* all are alike */
    MERGE_BEFORE, /* all of the first come before all of the second, */
    MERGE_BEHIND, /* or behind */
    MERGE_RUNS,   /* long runs of equal ones */
    MERGE_BLOCKS, /* some hundred of either in turn */
    MERGE_PATTERNS
} merge_pattern;

typedef struct merge_case {
    merge_key key; /* of the plan: for messages */
    size_t n_first, n_second;
    size_t actual[2]; /* of plans from_device: how many there really are; what is more is left out */
    merge_pattern pattern;
    bool disorder; /* nothing is sorted: only what lies outside of the outputs is looked at */
    circumstances under;
} merge_case;

/* Runs it and fails the test on any difference. */
void merge_case_run(clf_plan *plan, const merge_case *test);

#endif
