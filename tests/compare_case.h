/* SPDX-License-Identifier: MIT */
/*
 * One sort by comparison, or one test whether elements are sorted, checked: arrays at odd places between canaries,
 * compared byte by byte with what the reference says and with what must not have changed.
 */
#ifndef CLFOLD_TESTS_COMPARE_CASE_H
#define CLFOLD_TESTS_COMPARE_CASE_H

#include "guarded.h"
#include "route.h"

typedef enum compare_kind { MERGE_SORT, IS_SORTED, COMPARE_KINDS } compare_kind;

/* What a plan is made from; the strings are static. */
typedef struct compare_key {
    compare_kind kind;
    const ref_order *order;
    route route;
    bool from_device; /* the size of a case lies on the device */
    bool overwrites;  /* CLF_OVERWRITE_INPUT: outputs are apart, whatever `place` says */
} compare_key;

/* The plan, the caller's to release. NULL if the device cannot run it. */
clf_plan *compare_plan(const compare_key *key);

/* In which order elements come. */
typedef enum compare_pattern {
    COMPARE_RANDOM,
    COMPARE_UP,
    COMPARE_DOWN,
    COMPARE_EQUAL,
    COMPARE_TWO,    /* two in turn */
    COMPARE_FEW,    /* one of five */
    COMPARE_TEETH,  /* sorted runs of some hundred */
    COMPARE_ONE,    /* sorted but for one, anywhere, */
    COMPARE_LAST,   /* or for the last one */
    COMPARE_STEPS,  /* sorted, each several times */
    COMPARE_PATTERNS
} compare_pattern;

typedef struct compare_case {
    compare_key key; /* of the plan: for messages */
    size_t n;
    compare_pattern pattern;
    guarded_place place;
    circumstances under;
} compare_case;

/* Runs it and fails the test on any difference. */
void compare_case_run(clf_plan *plan, const compare_case *test);

#endif
