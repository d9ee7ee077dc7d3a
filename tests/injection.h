/* SPDX-License-Identifier: MIT */
/*
 * What suite `injection` lets fail, and what other tests of every call go through: calls of all primitives on one small
 * world. A new primitive joins by a row of suites.h.
 */
#ifndef CLFOLD_TESTS_INJECTION_H
#define CLFOLD_TESTS_INJECTION_H

#include "harness.h"
#include "primitives.h"

enum { ROWS = 10, ROW = 300, ELEMENTS = ROWS * ROW };

/* ---- injection_world.c ------------------------------------------------------------------------------------------ */

/* The arrays of all calls. */
typedef struct world {
    cl_mem whole;      /* has a part that is the input */
    clf_array in, out; /* ELEMENTS ints */
    clf_array lengths; /* ROWS uints, each ROW */
    clf_array flags;   /* ELEMENTS uchars, which say the same */
    clf_array count;   /* two ulongs */
} world;
/* Element i of the input, and each of a wiped output. */
cl_int world_element(int i);
/* The lengths of rows. */
extern const clf_segmentation world_by_lengths;
/* The sum of elements first to last. */
cl_int world_sum(int first, int last);
enum { WORLD_PATTERN = 0x5a5a5a5a };
void world_open(world *w);
void world_close(world *w);
/* Fills the output with a pattern; is it still that? */
void world_wipe(const world *w);
bool world_is_wiped(const world *w);

/* ---- injection.c ------------------------------------------------------------------------------------------------ */

enum { RUN = 7, RUNS = (ELEMENTS + RUN - 1) / RUN }; /* the input ascends in runs of 7 */

/* What a call's scratch is for: nothing, so many elements, and ROWS segments or bins. */
typedef enum subject_scratch { NO_SCRATCH, OF_ELEMENTS, OF_SEGMENTS } subject_scratch;

typedef struct subject {
    const char *name;
    const char *primitive;
    clf_status (*call)(const world *w, clf_plan *plan, const clf_call *call);
    cl_int (*expected)(int i); /* output i of `results` */
    int results;
    subject_scratch scratch;
    /* The plan: what is not set is as usual (primitives.h). */
    plan_parts parts;
    const char *variant, *parameters, *on_cpus /* parameters, on CPUs */;
    clf_status (*plan)(clf_context *context, clf_plan **plan, clf_error *error); /* or what makes it */
} subject;

/* A call, and what output i is expected to be, of one expression each. */
#define WORLD_CALL(NAME, ...) \
    static clf_status NAME(const world *w, clf_plan *plan, const clf_call *call) \
    { \
        return __VA_ARGS__; \
    }
#define WORLD_RESULT(NAME, ...) \
    static cl_int NAME(int i) \
    { \
        (void)i; \
        return __VA_ARGS__; \
    }

/* All subjects have numbers from 0 on. */
const subject *subject_number(int number);
int subject_count(void);

clf_status subject_plan(const subject *s, clf_context *context, clf_plan **plan, clf_error *error);
clf_status subject_bytes(const subject *s, const clf_plan *plan, cl_ulong *bytes);
/* Are the results what they should be? */
bool world_is_right(const world *w, const subject *s);

/* Parts of the table: of injection.c, injection_select.c, injection_once.c. */
typedef struct subjects {
    const subject *list;
    size_t count;
} subjects;
extern const subjects fold_subjects, idle_subjects, select_subjects, once_subjects;
#define DECLARE(name) extern const subjects name##_subjects;
TEST_PRIMITIVES(DECLARE)
#undef DECLARE

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
