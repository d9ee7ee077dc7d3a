/* SPDX-License-Identifier: MIT */
/* One top-k of segments of any lengths, checked. */
#ifndef CLFOLD_TESTS_IRREGULAR_TOP_K_CASE_H
#define CLFOLD_TESTS_IRREGULAR_TOP_K_CASE_H

#include "cases.h"

/* Offsets and lengths of 32 and 64 bits. */
enum { TOLD_WAYS = 4 };
extern const clf_segmentation told_ways[TOLD_WAYS];

/* The plan, the caller's to release. NULL if the device cannot run it. `key`: of a sort of segments. */
clf_plan *irregular_top_k_plan(const sort_key *key);

typedef struct irregular_top_k_case {
    sort_case sort; /* operator, data, lengths, and how the call runs; but outputs are apart */
    size_t k;
    bool unasked; /* nobody wants to know where results are */
} irregular_top_k_case;

void irregular_top_k_case_run(clf_plan *plan, irregular_top_k_case test);

#endif
