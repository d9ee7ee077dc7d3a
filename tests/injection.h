/* SPDX-License-Identifier: MIT */
/*
 * What suite `injection` lets fail: a call of every primitive. A new primitive joins by a row in the table of
 * injection.c.
 */
#ifndef CLFOLD_TESTS_INJECTION_H
#define CLFOLD_TESTS_INJECTION_H

#include "harness.h"

enum { ROWS = 10, ROW = 300, ELEMENTS = ROWS * ROW };

/* ---- injection_world.c ------------------------------------------------------------------------------------------ */

/* The arrays of all calls. */
typedef struct world {
    cl_mem whole;      /* has a part that is the input */
    clf_array in;      /* ELEMENTS ints */
    clf_array lengths; /* ROWS uints, each ROW */
    clf_array flags;   /* ELEMENTS uchars, which say the same */
    clf_array out;     /* ELEMENTS ints */
    clf_array count;   /* two ulongs */
} world;
/* Element i of the input, and each of a wiped output. */
cl_int world_element(int i);
/* The sum of elements first to last. */
cl_int world_sum(int first, int last);
enum { WORLD_PATTERN = 0x5a5a5a5a };
void world_open(world *w);
void world_close(world *w);
/* Fills the output with a pattern; is it still that? */
void world_wipe(const world *w);
bool world_is_wiped(const world *w);

/* ---- injection.c ------------------------------------------------------------------------------------------------ */

/* Where and how a call is enqueued. */
typedef struct place {
    cl_command_queue queue;
    const clf_array *scratch;
    cl_uint wait_count;
    const cl_event *wait;
    cl_event *event;
} place;

/* What a call of this place begins with. */
clf_call call_of(const place *p);

typedef clf_status subject_plan(clf_context *context, clf_plan **plan, clf_error *error);
typedef clf_status subject_call(const world *w, clf_plan *plan, const place *p);
typedef cl_int subject_expected(int i);

typedef struct subject {
    const char *name;
    subject_plan *plan;
    clf_status (*scratch)(const clf_plan *plan, cl_ulong *bytes); /* NULL: none */
    subject_call *call;
    subject_expected *expected; /* output i of `results` */
    int results;
} subject;
extern const subject subjects[];
extern const int subject_count;

/* Are the results what they should be? */
bool world_is_right(const world *w, const subject *s);

/* ---- injection_select.c ----------------------------------------------------------------------------------------- */

enum { RUN = 7, RUNS = (ELEMENTS + RUN - 1) / RUN }; /* the input ascends in runs of 7 */

subject_plan inject_filter_plan, inject_in_place_plan, inject_partition_plan, inject_gather_plan, inject_scatter_plan,
    inject_merge_plan, inject_bounds_plan, inject_by_key_plan, inject_split_plan, inject_sort_plan,
    inject_two_pass_plan, inject_rows_plan, inject_segments_plan,
    inject_merge_sort_plan, inject_is_sorted_plan, inject_shuffle_plan, inject_top_k_plan, inject_by_index_plan,
    inject_ordered_plan, inject_by_ranges_plan, inject_histogram_plan;
subject_call inject_filter, inject_in_place, inject_partition, inject_gather, inject_scatter, inject_merge,
    inject_bounds, inject_by_key, inject_split, inject_sort, inject_rows, inject_segments,
    inject_merge_sort, inject_is_sorted, inject_shuffle, inject_top_k, inject_by_index, inject_histogram;
subject_expected inject_filtered, inject_kept_in_place, inject_dealt, inject_gathered, inject_scattered, inject_bound,
    inject_sorted, inject_sorted_rows, inject_reduced_by_key, inject_sorted_count, inject_first,
    inject_counted, inject_between;

/* ---- injection_once.c ------------------------------------------------------------------------------------------- */

subject_plan inject_kept_plan;
subject_call inject_argsort, inject_sort_pairs, inject_given_pairs, inject_group_by, inject_columns_reduce;
subject_expected inject_order, inject_pairs, inject_groups, inject_columns;

/* ---- outcome.c: what a failure may come to ---------------------------------------------------------------------- */

/* The ways to fail: each code once, and for good. */
enum { FAILURES = LAYER_CODES + 1 };

extern bool outcome_with_disk; /* plans are made in a context with a cache on disk */
/* From now on call number k fails. */
void outcome_arm(unsigned long k, int failure);
/* Ends that, and checks the status; false if k was beyond the last call. */
bool outcome_judge(clf_status status, const char *what, unsigned long k, int failure);
/* May it be this status, where the call at `site` failed with `code`? */
bool outcome_is_right(const layer_site *site, cl_int code, clf_status status);
/* Is all released that there was not before? */
void outcome_balance(const layer_ledger *before, const char *what, unsigned long k, int failure);

#endif
