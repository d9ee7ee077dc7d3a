/* SPDX-License-Identifier: MIT */
/*
 * One reduction of one or many segments, regular or not, checked: arrays at odd places in buffers with canaries around
 * them, enqueued, read back whole and compared, byte by byte, with what the reference says and with what
 * must not have changed.
 */
#ifndef CLFOLD_TESTS_REDUCE_CASE_H
#define CLFOLD_TESTS_REDUCE_CASE_H

#include "given.h"
#include "harness.h"
#include "irregular.h"

/* What a plan is made from; the strings are static. */
typedef struct reduce_key {
    const ref_operator *op;
    bool commutes; /* promise so */
    const char *disable, *variant, *parameters;
    const clf_segmentation *how; /* of irregular segments; else NULL */
} reduce_key;

/* The plan, compiled if need be; the rig's own. NULL if the device cannot run it. */
clf_plan *reduce_plan(const reduce_key *key);

typedef struct reduce_case {
    reduce_key plan;
    size_t count, size;        /* count: of irregular segments told by heads or keys, room for results */
    const irregular *segments; /* where plan.how is given */
    given given;               /* what the device knows: of one segment its size, of several how many there are */
    size_t offset;             /* array k starts this many + k elements behind the canary; */
    bool aligned, tight;       /* or all right behind it, at whole vectors; no canary behind arrays, for Oclgrind */
    bool initial, uncounted;   /* pass an initial value; do not ask how many segments there are */
    bool in_place;             /* extra outputs take the places of inputs of their size */
    bool unordered, gated;     /* out-of-order queue; it waits for an event, and data come only after it is enqueued */
    bool own_scratch;
    const char *suite; /* NULL: "reduce" */
    uint64_t seed;     /* of the data */
    long number;       /* for the replay line; negative: not a random case */
} reduce_case;

/* Parameters for groups of few work-items, fewer than a vector may have elements; static strings "group=2,items=1" … */
enum { SMALL_GROUPS = 5, SMALL_ITEMS = 7 };
const char *reduce_small_parameters(int group, int items);

/* Runs it and fails the test on any difference. False if the device or the variant cannot do it. */
bool reduce_case_run(reduce_case test);

#endif
