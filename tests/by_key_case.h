/* SPDX-License-Identifier: MIT */
/*
 * One reduction by key, checked: arrays at odd places in buffers with canaries around them, enqueued, read back whole
 * and compared, byte by byte, with what the reference says and with what must not have changed.
 */
#ifndef CLFOLD_TESTS_BY_KEY_CASE_H
#define CLFOLD_TESTS_BY_KEY_CASE_H

#include "guarded.h"
#include "route.h"

/* What a plan is made from; the strings are static. */
typedef struct by_key_key {
    const ref_by_key *op;
    route route;
    bool nontrivial; /* CLF_NONTRIVIAL_RUNS */
} by_key_key;

/* The plan, with CLF_FROM_DEVICE if asked for; the caller's to release. NULL if the device cannot run it. */
clf_plan *by_key_plan(const by_key_key *key, bool from_device);

/* Which elements start runs, besides the first. */
typedef enum by_key_pattern {
    BY_KEY_RANDOM, /* `percent` of them, each for itself */
    BY_KEY_ONE,    /* none: all is one run */
    BY_KEY_EACH,
    BY_KEY_LONG,   /* a few, so that runs span tiles */
    BY_KEY_STARTS, /* the first of each tile */
    BY_KEY_ENDS,   /* the last of each */
    BY_KEY_TURNS,  /* so that runs of one and of two take turns */
    BY_KEY_PATTERNS
} by_key_pattern;

typedef struct by_key_case {
    by_key_key key; /* of the plan: for messages */
    size_t n, room, tile;
    by_key_pattern pattern;
    unsigned percent;
    cl_uint *header; /* GUARDED_HEADER words: where those of own_scratch go; or NULL */
    circumstances under;
} by_key_case;

/* Runs it and fails the test on any difference. False if the variant cannot do it. */
bool by_key_case_run(clf_plan *plan, const by_key_case *test);

#endif
