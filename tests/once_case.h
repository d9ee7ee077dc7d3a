/* SPDX-License-Identifier: MIT */
/*
 * One-call functions that are made of several steps, or of a plan with a map: what one call should write, and the call,
 * checked. once_ref.c has the reference: elements are put in order, and everything else follows from that.
 */
#ifndef CLFOLD_TESTS_ONCE_CASE_H
#define CLFOLD_TESTS_ONCE_CASE_H

#include "guarded.h"
#include "irregular.h"

typedef enum once_function {
    ONCE_SORT_DESCENDING, ONCE_SORT_PAIRS, ONCE_ARGSORT, ONCE_ROWS_SORT, ONCE_SEGMENTS_SORT,
    ONCE_ROWS_TOP_K, ONCE_ARG_TOP_K, ONCE_ROWS_ARG_TOP_K,
    ONCE_ARGMIN, ONCE_ARGMAX, ONCE_ROWS_ARGMIN, ONCE_ROWS_ARGMAX, ONCE_SEGMENTS_ARGMIN, ONCE_SEGMENTS_ARGMAX,
    ONCE_ROWS_SCAN, ONCE_SEGMENTS_INCLUSIVE, ONCE_SEGMENTS_EXCLUSIVE, ONCE_SEGMENTS_REDUCE, ONCE_COLUMNS_REDUCE,
    ONCE_GROUP_BY, ONCE_GROUP_COUNTS,
    ONCE_HISTOGRAM, ONCE_HISTOGRAM_EDGES,
    ONCE_FUNCTIONS
} once_function;

/* What the context's plan is made from. */
typedef struct once_key {
    once_function function;
    clf_op op;
    clf_type type, value_type;       /* of keys, or elements; of what is grouped by them */
    bool wide_indices, wide_offsets; /* counts of histograms are as indices */
    unsigned flags;                  /* of sorts; CLF_DESCENDING: the largest of a top-k; CLF_UPPER_END */
    size_t payload;                  /* bytes, 1 to 16 */
    bool given;                      /* the size is on the device */
    const char *disable;             /* a static string, or NULL */
} once_key;

typedef struct once_case {
    once_key key;
    size_t n, size, k; /* elements; of a row, or columns, or bins; results of each row */
    irregular_shape shape;
    unsigned wild; /* how many in a hundred keys are anything: others are few numbers, zeros, infinities, NaNs */
    guarded_place places;
    circumstances under;
} once_case;

const char *once_name(once_function function);
/* The plan of the function with this number, of which any are different; operators exist on their types. */
void once_draw_key(gen *random, once_function function, once_key *key);
/* Sizes up to `most`, and all else that calls of a plan differ in. */
void once_draw_call(gen *random, size_t most, once_case *c);
/* Runs it, and fails the test on any difference. False: the device has not the type. */
bool once_case_run(once_case c);

/* ---- once_ref.c -------------------------------------------------------------------------------------------------- */

/* What it does to whole arrays, to rows, or to segments by offsets. */
bool once_is_rows(once_function function);
bool once_is_segments(once_function function);
/* The call as lists of lengths: each segment for itself, true elements alone. */
typedef struct once_parts {
    size_t count, *lengths;
} once_parts;
/* A key or element of the type. */
void once_element(gen *random, clf_type type, unsigned wild, void *element);
/* What tells size bins apart: size + 1 elements that ascend, none of which is NaN. */
void once_edges(const once_case *c, gen *random, void *edges);
/* What is written to the outputs, in the order of the call; returns how many results of each, where the device counts
 * them, else 0. */
size_t once_expect(const once_case *c, const once_parts *parts, void *const *in, void *const *out);

#endif
