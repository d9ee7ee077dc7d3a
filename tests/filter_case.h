/* SPDX-License-Identifier: MIT */
/*
 * One filter, checked: arrays at odd places in buffers with canaries around them, enqueued, read back whole and
 * compared, byte by byte, with what the reference says and with what must not have changed.
 */
#ifndef CLFOLD_TESTS_FILTER_CASE_H
#define CLFOLD_TESTS_FILTER_CASE_H

#include "guarded.h"
#include "route.h"

/* What a plan is made from; the strings are static. */
typedef struct filter_key {
    const ref_filter *filter;
    route route;
    bool in_place; /* the plan has CLF_IN_PLACE */
} filter_key;

/* The plan, with CLF_FROM_DEVICE if asked for; the caller's to release. NULL if the device cannot run it. */
clf_plan *filter_plan(const filter_key *key, bool from_device);

/* Which elements are kept. */
typedef enum filter_pattern {
    FILTER_RANDOM, /* `percent` of them, each for itself */
    FILTER_RUNS,   /* in stretches of some hundred */
    FILTER_SPARSE, /* one of 512 */
    FILTER_LAST,   /* those of the last eighth */
    FILTER_PATTERNS
} filter_pattern;

typedef struct filter_case {
    filter_key key; /* of the plan: for messages */
    size_t n, room;
    filter_pattern pattern;
    unsigned percent;
    bool in_place;   /* outputs take the places of inputs: PLACE_SWAPPED */
    cl_uint *header; /* GUARDED_HEADER words: where those of own_scratch go; or NULL */
    circumstances under;
} filter_case;

/* Runs it and fails the test on any difference. False if the variant cannot do it. */
bool filter_case_run(clf_plan *plan, const filter_case *test);

/* A case of n elements; circumstances go by the numbers, so that each comes with each (test_filter.c). */
filter_case filter_case_of(const filter_key *key, size_t n, unsigned turn);

#endif
