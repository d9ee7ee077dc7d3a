/* SPDX-License-Identifier: MIT */
/*
 * One sort, checked: arrays at odd places between canaries, compared byte by byte with what the reference says and with
 * what must not have changed.
 */
#ifndef CLFOLD_TESTS_SORT_CASE_H
#define CLFOLD_TESTS_SORT_CASE_H

#include "guarded.h"
#include "route.h"
#include "irregular.h"

/* What is sorted for itself: all, each row, or each segment of any length. */
typedef enum sort_kind { SORT_WHOLE, SORT_ROWS, SORT_SEGMENTS, SORT_KINDS } sort_kind;

/* What a plan is made from; the strings are static. */
typedef struct sort_key {
    const ref_sort *sort;
    unsigned flags; /* CLF_DESCENDING, CLF_TOTAL_ORDER, CLF_FROM_DEVICE, CLF_OVERWRITE_INPUT */
    route route;
    sort_kind kind;
    clf_segments_by by; /* of segments: what tells where they start, */
    clf_type type;      /* and its type */
} sort_key;

/* The plan, the caller's to release. NULL if the device cannot run it. */
clf_plan *sort_plan(const sort_key *key);

/* Which bits keys have. */
typedef enum sort_pattern {
    SORT_UNIFORM,
    SORT_UP,
    SORT_DOWN,
    SORT_EQUAL,
    SORT_TWO,      /* two values in turn */
    SORT_LITTLE,   /* most bits are 0 */
    SORT_FEW,      /* one of five values */
    SORT_SOME,     /* only some of the bytes differ: those of case.bytes */
    SORT_RARE,     /* all but one of some hundred are equal */
    SORT_ZIPF,     /* key k about 1 / (k + 1) times as often as 0 */
    SORT_TILES,    /* one low digit in a stretch of about a tile, another in the next */
    SORT_STEPS,    /* each row has a value of its own */
    SORT_ZEROS,    /* of both signs; of integers 0 and the first */
    SORT_SPECIAL,  /* zeros, infinities, NaNs and denormals of both signs; of integers the first and the last */
    SORT_PATTERNS
} sort_pattern;

typedef struct sort_case {
    sort_key key;            /* of the plan: for messages */
    size_t n, rows;          /* rows: of SORT_ROWS, of n / rows elements; n is a multiple of it */
    irregular_shape lengths; /* of SORT_SEGMENTS, */
    size_t scale;            /* irregular.h */
    sort_pattern pattern;
    unsigned bytes; /* of SORT_SOME: bit b says that byte b of keys differs */
    guarded_place place;
    circumstances under;
    cl_command_queue queue; /* NULL: as circumstances say */
    const char *suite;      /* for the replay line; NULL: sort */
} sort_case;

/* CLF_DESCENDING and CLF_TOTAL_ORDER: a bit of the turn each. */
unsigned sort_flags(unsigned turn);
/* CLF_OVERWRITE_INPUT, if asked for and there is no map. Outputs of such cases are apart, whatever `place` says. */
unsigned sort_overwriting(int sort, bool asked);
/* A case of n elements whose circumstances go by the turn, so that each comes with each. */
sort_case sort_case_of(const sort_key *key, size_t n, unsigned turn);
/* One with all but its size at random, as CLFOLD_TEST_CASE tells. `most`: what there can be on the device. */
sort_case sort_case_random(const sort_key *key, gen *own, size_t n, size_t most, long number);

/* Its inputs, n elements each. */
void sort_case_generate(const sort_case *c, void *const *in);

/* Runs it and fails the test on any difference. */
void sort_case_run(clf_plan *plan, const sort_case *test);
/* The same of n elements, of which the device knows how many there are; every other turn data come late. */
void sort_case_run_given(clf_plan *plan, const sort_key *key, size_t n, size_t actual, unsigned turn);

/* The same in two steps, so that several can be under way; `test` must live on. */
typedef struct sort_running sort_running;
sort_running *sort_case_begin(clf_plan *plan, const sort_case *test);
void sort_case_end(sort_running *running);

#endif
