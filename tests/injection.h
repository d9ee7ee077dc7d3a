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

typedef struct subject {
    const char *name;
    clf_status (*plan)(clf_context *context, clf_plan **plan, clf_error *error);
    clf_status (*scratch)(const clf_plan *plan, cl_ulong *bytes); /* NULL: none */
    clf_status (*call)(const world *w, clf_plan *plan, const place *p);
    cl_int (*expected)(int i); /* output i of `results` */
    int results;
} subject;
extern const subject subjects[];
extern const int subject_count;

/* Are the results what they should be? */
bool world_is_right(const world *w, const subject *s);

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
