/* SPDX-License-Identifier: MIT */
/*
 * One top-k, checked: arrays at odd places between canaries, compared byte by byte with what the reference says and
 * with what must not have changed.
 */
#ifndef CLFOLD_TESTS_TOP_K_CASE_H
#define CLFOLD_TESTS_TOP_K_CASE_H

#include "sort_case.h"

/* The plan, the caller's to release. NULL if the device cannot run it. `key`: of a sort, with CLF_UNSORTED besides. */
clf_plan *top_k_plan(const sort_key *key);

typedef struct top_k_case {
    sort_case sort; /* operator, data, and how the call runs; but outputs are apart. n: all elements */
    bool rows;      /* clf_segmented_top_k, of rows of `size` elements */
    size_t size, k; /* of rows; n is a multiple. sort.actual counts rows */
} top_k_case;

/* Runs it and fails the test on any difference. */
void top_k_case_run(clf_plan *plan, const top_k_case *test);

#endif
