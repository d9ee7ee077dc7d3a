/* SPDX-License-Identifier: MIT */
/*
 * One scan or adjacent difference, checked: arrays at odd places in buffers with canaries around them, enqueued, read
 * back whole and compared, byte by byte, with what the reference says and with what must not have changed.
 */
#ifndef CLFOLD_TESTS_SCAN_CASE_H
#define CLFOLD_TESTS_SCAN_CASE_H

#include "given.h"
#include "harness.h"
#include "irregular.h"

typedef struct scan_case {
    plan_key plan;
    bool adjacent, segmented;    /* an adjacent difference, not a scan; of segments */
    size_t n, size;              /* size: of the segments; divides n */
    const clf_segmentation *how; /* what tells of irregular segments: static; else NULL */
    const irregular *segments;   /* they, of n elements */
    size_t offset;               /* array k starts this many + k elements behind the canary; */
    bool aligned;                /* or all arrays right behind it: at whole vectors */
    bool tight;                  /* no canary behind arrays: then Oclgrind sees what is read there */
    bool initial;                /* pass an initial value */
    bool in_place;               /* each output that has an input of its size takes its place */
    given given;                 /* what the device knows */
    bool unordered, gated; /* out-of-order queue; it waits for an event, and data come only after it is enqueued */
    scratch_kind scratch;
    uint64_t seed; /* of the data */
    const char *suite;
    long number;     /* for the replay line; negative: not a random case */
    cl_uint *header; /* not NULL: gets the 16 words of the scratch header (needs a scratch of one's own) */
} scan_case;

/* Runs it and fails the test on any difference. False if the device cannot do it: no such plan, or CLF_E_UNSUPPORTED
 * for this call. */
bool scan_case_run(scan_case test);

/* An adjacent difference of one array of `size` elements, or of `count` rows. */
clf_status scan_case_difference(clf_plan *plan, const clf_call *call, bool rows, size_t count, size_t size,
                                const clf_array *in, const clf_array *out);

/* Random cases (rig_next_case), 400 usually: each by one of `count` keys, with random numbers from `seed` on. */
typedef plan_key scan_case_draw(gen *random);
typedef scan_case scan_case_make(const plan_key *key, gen *random);
void scan_case_run_random(size_t count, uint64_t seed, scan_case_draw *draw, scan_case_make *make);
/* For these: a plan for segments, and the circumstances of a call (offset, aligned, initial, in_place,
 * unordered, scratch). */
plan_key scan_case_key(gen *random);
void scan_case_vary(scan_case *test, gen *random);

#endif
