/* SPDX-License-Identifier: MIT */
/*
 * One reduction by index, checked: arrays at odd places in buffers with canaries around them, enqueued, read back whole
 * and compared, byte by byte, with what the reference says and with what must not have changed.
 */
#ifndef CLFOLD_TESTS_INDEX_CASE_H
#define CLFOLD_TESTS_INDEX_CASE_H

#include "guarded.h"
#include "route.h"
#include "ref_index.h"

/* What a plan is made from; the strings are static. */
typedef struct index_key {
    const ref_index *index;
    unsigned flags; /* CLF_UPDATE, CLF_ORDERED, CLF_FROM_DEVICE */
    route route;
} index_key;

/* The plan; the caller's to release. NULL if the device cannot run it, or the variant cannot do such values. */
clf_plan *index_plan(const index_key *key);

/* Which bins elements belong to. */
typedef enum index_pattern {
    INDEX_UNIFORM,
    INDEX_BEYOND, /* half of them belong to none, before or behind */
    INDEX_ONE,    /* all to the last one */
    INDEX_SORTED,
    INDEX_TWO,    /* to the first, or to one in the middle, in turn */
    INDEX_NONE,
    INDEX_SKEWED, /* small ones are frequent */
    INDEX_PATTERNS
} index_pattern;

typedef struct index_case {
    index_key key;            /* of the plan: for messages */
    size_t count, size, bins; /* count 1: a plain one, unless `rows` */
    bool rows;
    index_pattern pattern;
    bool may_refuse; /* CLF_E_UNSUPPORTED is right, too: nothing is written then */
    circumstances under;
} index_case;

/* Runs it and fails the test on any difference. */
void index_case_run(clf_plan *plan, const index_case *test);

#endif
