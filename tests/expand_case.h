/* SPDX-License-Identifier: MIT */
/* One expansion, checked: arrays at odd places in buffers with canaries around them, read back whole, and compared. */
#ifndef CLFOLD_TESTS_EXPAND_CASE_H
#define CLFOLD_TESTS_EXPAND_CASE_H

#include "guarded.h"
#include "irregular.h"
#include "ref_expand.h"
#include "route.h"

/* Offsets and lengths of 32 and 64 bits. */
enum { EXPAND_WAYS = 4 };
extern const clf_segmentation expand_ways[EXPAND_WAYS];

/* What a plan is made from; the strings are static. */
typedef struct expand_key {
    const ref_expand *op;
    const clf_segmentation *how;
    route route; /* and by which route */
} expand_key;

/* The plan, with CLF_FROM_DEVICE if asked for; the caller's to release. NULL if the device cannot run it. */
clf_plan *expand_plan(const expand_key *key, bool from_device);

typedef struct expand_case {
    expand_key key; /* of the plan: for messages */
    size_t room;
    bool uncounted; /* nobody wants to know how many results there are */
    const irregular *segments;
    circumstances under;
} expand_case;

/* Runs it and fails the test on any difference. */
void expand_case_run(clf_plan *plan, expand_case test);

#endif
