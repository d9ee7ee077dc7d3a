/* SPDX-License-Identifier: MIT */
/*
 * One call of a primitive, checked: arrays at odd places in buffers with canaries around them, enqueued, read back
 * whole and compared, byte by byte, with what the reference says and with what must not have changed.
 *
 * X_key is what a plan is made from; its strings are static. X_plan makes it, with CLF_FROM_DEVICE if asked for: the
 * caller's to release, or NULL if the device cannot run it. X_case_run fails the test on any difference; it is false
 * if the variant cannot do the call.
 */
#ifndef CLFOLD_TESTS_CASES_H
#define CLFOLD_TESTS_CASES_H

#include "guarded.h"
#include "irregular.h"
#include "ref_index.h"
#include "route.h"

/* ---- filter_case.c: one filter ---------------------------------------------------------------------------------- */

typedef struct filter_key {
    const ref_filter *filter;
    route route;
    bool in_place; /* the plan has CLF_IN_PLACE */
} filter_key;

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
    filter_key key;
    size_t n, room;
    filter_pattern pattern;
    unsigned percent;
    bool in_place;   /* outputs take the places of inputs: PLACE_SWAPPED */
    cl_uint *header; /* GUARDED_HEADER words: where those of own_scratch go; or NULL */
    circumstances under;
} filter_case;

bool filter_case_run(clf_plan *plan, filter_case test);

/* A case of n elements; circumstances go by the numbers, so that each comes with each (test_filter.c). */
filter_case filter_case_of(const filter_key *key, size_t n, unsigned turn);

/* ---- by_key_case.c: one reduction by key ------------------------------------------------------------------------ */

typedef struct by_key_key {
    const ref_by_key *op;
    route route;
    bool nontrivial; /* CLF_NONTRIVIAL_RUNS */
    bool finished;   /* results are numbers and values (finish_numbered) */
    cl_ulong wanted; /* as in clf_plan_options */
} by_key_key;

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
    by_key_key key;
    size_t n, room, tile;
    by_key_pattern pattern;
    unsigned percent;
    cl_uint *header; /* GUARDED_HEADER words: where those of own_scratch go; or NULL */
    circumstances under;
} by_key_case;

bool by_key_case_run(clf_plan *plan, by_key_case test);

/* ---- split_case.c: one split ------------------------------------------------------------------------------------ */

typedef struct split_key {
    const ref_split *split;
    unsigned parts;
    route route;
} split_key;

clf_plan *split_plan(const split_key *key, bool from_device);

/* Which digits elements have. */
typedef enum split_pattern {
    SPLIT_RANDOM,
    SPLIT_BEYOND,     /* as many are too large, and belong to the last part */
    SPLIT_ONE,        /* all in one part */
    SPLIT_DESCENDING,
    SPLIT_STRETCHES,  /* `period` elements of the same */
    SPLIT_PATTERNS
} split_pattern;

typedef struct split_case {
    split_key key;
    size_t n, period;
    split_pattern pattern;
    bool uncounted; /* nobody asks for the counts */
    circumstances under;
} split_case;

void split_case_run(clf_plan *plan, split_case test);

/* ---- gather_case.c: one gather or scatter ----------------------------------------------------------------------- */

typedef struct gather_key {
    const ref_moved *moved;
    bool scatter, wide; /* or a gather; by indices of 64 bits, or of 32 */
    route route;
} gather_key;

clf_plan *gather_plan(const gather_key *key, bool from_device);

/* Which indices there are. Of the first three those behind element n - 1 name nothing. */
typedef enum gather_pattern {
    GATHER_PERMUTED, /* each element once */
    GATHER_IDENTITY,
    GATHER_REVERSE,
    GATHER_RANDOM,   /* each index for itself: some elements several times */
    GATHER_EQUAL,    /* always the same */
    GATHER_OUTSIDE,  /* two of three name nothing: n, n + 1, 2^32 - 1, 2^63 … */
    GATHER_PATTERNS
} gather_pattern;

typedef struct gather_case {
    gather_key key;
    size_t n, m; /* elements that indices name, and indices */
    gather_pattern pattern;
    circumstances under;
} gather_case;

bool gather_case_run(clf_plan *plan, gather_case test);

/* ---- transpose_case.c: one transposition ------------------------------------------------------------------------ */

typedef struct transpose_key {
    size_t bytes;
    route route;
} transpose_key;

clf_plan *transpose_plan(const transpose_key *key);

typedef struct transpose_case {
    transpose_key key; /* of the plan: for messages, and the size of elements */
    size_t batch, rows, columns;
    size_t in_offset, out_offset; /* elements behind the canaries */
    bool unordered;               /* out-of-order queue */
    bool gated;                   /* the call waits for an event, and data come only after it is enqueued */
    uint64_t seed;                /* of the data */
    long number;                  /* for the replay line; negative: not a random case */
} transpose_case;

bool transpose_case_run(clf_plan *plan, transpose_case test);

/* ---- merge_case.c: one merge, or one search for bounds ---------------------------------------------------------- */

typedef enum merge_kind { MERGE, BOUNDS, SORTED_BOUNDS, MERGE_KINDS } merge_kind;

typedef struct merge_key {
    merge_kind kind;
    const ref_order *order;
    bool upper, wide; /* of bounds: upper ones; positions of 64 bits */
    route route;
    bool from_device; /* the sizes of a case lie on the device */
} merge_key;

/* The primitive's name. */
const char *merge_name(merge_kind kind);
clf_plan *merge_plan(const merge_key *key);

/* How elements of the two sequences follow each other. */
typedef enum merge_pattern {
    MERGE_RANDOM,
    MERGE_ALTERNATING,
    MERGE_EQUAL,  /* all are alike */
    MERGE_BEFORE, /* all of the first come before all of the second, */
    MERGE_BEHIND, /* or behind */
    MERGE_RUNS,   /* long runs of equal ones */
    MERGE_BLOCKS, /* some hundred of either in turn */
    MERGE_PATTERNS
} merge_pattern;

typedef struct merge_case {
    merge_key key;
    size_t n_first, n_second;
    size_t actual[2]; /* of plans from_device: how many there really are; what is more is left out */
    merge_pattern pattern;
    bool disorder; /* nothing is sorted: only what lies outside of the outputs is looked at */
    circumstances under;
} merge_case;

/* Adds the captured arrays of an order, if it has any. */
void order_capture(const ref_order *order, const circumstances *u, guarded_list *list);
void merge_case_run(clf_plan *plan, merge_case test);

/* ---- compare_case.c: one sort by comparison, or one test whether elements are sorted ---------------------------- */

typedef enum compare_kind { MERGE_SORT, IS_SORTED, COMPARE_KINDS } compare_kind;

typedef struct compare_key {
    compare_kind kind;
    const ref_order *order;
    route route;
    bool from_device; /* the size of a case lies on the device */
    bool overwrites;  /* CLF_OVERWRITE_INPUT: outputs are apart, whatever `place` says */
} compare_key;

clf_plan *compare_plan(const compare_key *key);

/* In which order elements come. */
typedef enum compare_pattern {
    COMPARE_RANDOM,
    COMPARE_UP,
    COMPARE_DOWN,
    COMPARE_EQUAL,
    COMPARE_TWO,    /* two in turn */
    COMPARE_FEW,    /* one of five */
    COMPARE_TEETH,  /* sorted runs of some hundred */
    COMPARE_ONE,    /* sorted but for one, anywhere, */
    COMPARE_LAST,   /* or for the last one */
    COMPARE_STEPS,  /* sorted, each several times */
    COMPARE_PATTERNS
} compare_pattern;

typedef struct compare_case {
    compare_key key;
    size_t n;
    compare_pattern pattern;
    guarded_place place;
    circumstances under;
} compare_case;

void compare_case_run(clf_plan *plan, compare_case test);

/* ---- sort_case.c: one sort -------------------------------------------------------------------------------------- */

/* What is sorted for itself: all, each row, or each segment of any length. */
typedef enum sort_kind { SORT_WHOLE, SORT_ROWS, SORT_SEGMENTS, SORT_KINDS } sort_kind;

typedef struct sort_key {
    const ref_sort *sort;
    unsigned flags; /* CLF_DESCENDING, CLF_TOTAL_ORDER, CLF_FROM_DEVICE, CLF_OVERWRITE_INPUT */
    route route;
    sort_kind kind;
    clf_segments_by by; /* of segments: what tells where they start, */
    clf_type type;      /* and its type */
} sort_key;

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
    SORT_TWINS,    /* of eight bytes the two below the highest are the same; of that two bits differ */
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
    sort_key key;
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

void sort_case_run(clf_plan *plan, sort_case test);
/* The same of n elements, of which the device knows how many there are; every other turn data come late. */
void sort_case_run_given(clf_plan *plan, const sort_key *key, size_t n, size_t actual, unsigned turn);

/* The same in two steps, so that several can be under way; `test` must live on. */
typedef struct sort_running sort_running;
sort_running *sort_case_begin(clf_plan *plan, const sort_case *test);
void sort_case_end(sort_running *running);

/* ---- top_k_case.c: one top-k ------------------------------------------------------------------------------------ */

/* The plan, the caller's to release. NULL if the device cannot run it. `key`: of a sort, with CLF_UNSORTED besides. */
clf_plan *top_k_plan(const sort_key *key);

typedef struct top_k_case {
    sort_case sort; /* operator, data, and how the call runs; but outputs are apart. n: all elements */
    bool rows;      /* clf_segmented_top_k, of rows of `size` elements */
    size_t size, k; /* of rows; n is a multiple. sort.actual counts rows */
} top_k_case;

void top_k_case_run(clf_plan *plan, top_k_case test);

/* ---- index_case.c: one reduction by index ----------------------------------------------------------------------- */

typedef struct index_key {
    const ref_index *index;
    unsigned flags; /* CLF_UPDATE, CLF_ORDERED, CLF_FROM_DEVICE */
    route route;
    bool finished;   /* results are numbers and values (finish_numbered) */
    cl_ulong wanted; /* as in clf_plan_options */
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
    index_key key;
    size_t count, size, bins; /* count 1: a plain one, unless `rows` */
    bool rows;
    index_pattern pattern;
    bool may_refuse; /* CLF_E_UNSUPPORTED is right, too: nothing is written then */
    circumstances under;
} index_case;

void index_case_run(clf_plan *plan, index_case test);

#endif
