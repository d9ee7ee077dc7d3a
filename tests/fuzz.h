/* SPDX-License-Identifier: MIT */
/*
 * A random call is a list of numbers, its knobs. Of each knob 0 is the simplest value, and a smaller value is simpler;
 * so a failing call is shrunk without knowing what its knobs mean, and printed as those that are not 0.
 */
#ifndef CLFOLD_TESTS_FUZZ_H
#define CLFOLD_TESTS_FUZZ_H

#include "gen.h"
#include "guarded.h"
#include "ref.h"
#include "route.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Operators of reductions by index from here on are minima and maxima of halves, floats and doubles. */
enum { FUZZ_EXTREMES = 1000 };
/*
 * Those of scans, reductions and differences from here on are those of fuzz_ends.h; those of reductions by key and by
 * index are those before with `finish`.
 */
enum { FUZZ_ENDS = 2000, FUZZ_ENDS_COUNT = 1536 };

/* A plan is made from those below FUZZ_CALL; calls of one plan differ in the others. */
enum {
    FUZZ_PRIMITIVE, FUZZ_OPERATOR, FUZZ_FLAG, FUZZ_DISABLE, FUZZ_VARIANT, FUZZ_HOW,
    FUZZ_PARAMETERS, FUZZ_CALL = FUZZ_PARAMETERS + 21,
    FUZZ_N = FUZZ_CALL, FUZZ_SIZE, FUZZ_BATCH, FUZZ_SHAPE, FUZZ_OFFSET, FUZZ_OFFSET2, FUZZ_INITIAL, FUZZ_IN_PLACE,
    FUZZ_UNORDERED, FUZZ_GATED, FUZZ_SCRATCH, FUZZ_ROOM, FUZZ_DATA,
    FUZZ_KNOBS
};

typedef struct fuzz_case {
    uint64_t knob[FUZZ_KNOBS];
} fuzz_case;

/* The name by which a knob is printed and set; NULL: not in use. */
const char *fuzz_knob(size_t knob);

/* `only`: name of the primitive, or NULL for any. */
void fuzz_draw_plan(gen *random, const char *only, fuzz_case *c);
void fuzz_draw_call(gen *random, fuzz_case *c);

/* Opens the device; fails the test if a primitive of the library is never drawn. */
void fuzz_open(void);

/* Is there such a primitive? */
bool fuzz_is_primitive(const char *name);

/* In words, for people: primitive, operator, variant, parameters, what is disabled. */
void fuzz_describe(const fuzz_case *c, char *text, size_t bytes);

/* Runs it and fails the test on any difference; the plan is kept for the next call. False: the device cannot do it. */
bool fuzz_run(const fuzz_case *c);

/* Parts of a plan's case: the primitive; what is disabled (NULL: nothing); that, the variant and the parameters. */
const char *fuzz_primitive_name(const fuzz_case *c);
const char *fuzz_disabled_of(const fuzz_case *c);
route fuzz_route_of(const fuzz_case *c);
/* Elements of a tile, or thereabouts; how irregular segments are told (NULL: by nothing). */
size_t fuzz_scale_of(const fuzz_case *c);
const clf_segmentation *fuzz_how_of(const fuzz_case *c);

/* ---- fuzz_runs.c ------------------------------------------------------------------------------------------------- */

/* A plan, and what it was made from. */
typedef struct kept {
    clf_plan *plan;
    fuzz_case made;
} kept;
/* Must a plan be made? Not if that of the last call differs in nothing but the call; else it is released. */
bool needs_plan(kept *last, const fuzz_case *c);

/* An operator's name, or the type of elements; has a value, or an element, several fields? */
typedef struct fuzz_operand {
    const char *name;
    bool tuple;
} fuzz_operand;

/* The circumstances of a call; what the device knows of its size. */
circumstances fuzz_under(const fuzz_case *c, bool given, size_t actual);

/* As fuzz_run, each for some rows of the table of calls. */
typedef bool fuzz_runner(const fuzz_case *c);
fuzz_runner run_filter, run_by_key, run_split, run_gather, run_index, run_merge, run_transpose;

/* What the knob FUZZ_OPERATOR stands for, in cases of these. */
typedef fuzz_operand fuzz_operands(const fuzz_case *c);
fuzz_operands filter_operand, by_key_operand, split_operand, index_operand, gather_operand, order_operand,
    transpose_operand;
const ref_by_key *fuzz_by_key_of(const fuzz_case *c);
const ref_order *fuzz_order_of(const fuzz_case *c);

/* ---- fuzz_NAME.c, of primitives that join by suites.h ------------------------------------------------------------ */

#define DECLARE(name)                    \
    bool run_##name(const fuzz_case *c); \
    fuzz_operand name##_operand(const fuzz_case *c);
TEST_PRIMITIVES(DECLARE)
#undef DECLARE

/* ---- fuzz_sort.c ------------------------------------------------------------------------------------------------- */

fuzz_runner run_sort, run_compare, run_top_k;
fuzz_operand sort_operand(const fuzz_case *c);
/* On PoCL 3.1, in kernels for GPUs. */
bool fuzz_sort_ends_the_process(const fuzz_case *c);

/* ---- fuzz_ends.c, fuzz_ends_operators.c -------------------------------------------------------------------------- */

/* With operators from FUZZ_ENDS on, in rows or not. */
bool run_ends(const fuzz_case *c, bool rows);
fuzz_operand ends_operand(const fuzz_case *c);

/* ---- fuzz_once.c ------------------------------------------------------------------------------------------------- */

/* One-call functions: the operator's knob, and others of a plan's, are where a plan is drawn from. */
bool run_once(const fuzz_case *c);
fuzz_operand once_operand(const fuzz_case *c);

/* ---- fuzz_parameters.c ------------------------------------------------------------------------------------------- */

/* Kinds of primitives, and some together. */
enum {
    SCANS = 1, REDUCTIONS = 2, TRANSPOSES = 4, ADJACENT = 8, FOLDS = 11, FILTERS = 16, CHAINS = 17, MOVES = 32,
    MERGES = 64, SPLITS = 128, SORTS = 256, INDICES = 512, ONE_CALLS = 1024, JOINED = 2048, ALL = 1023 | JOINED
};

/* One-call functions make plans of their own; others have one of this primitive and variant (NULL: the default). */
bool fuzz_has_plan(const fuzz_case *c);
const char *fuzz_plan_name(const fuzz_case *c);
const char *fuzz_variant(const fuzz_case *c);

enum { FUZZ_ITEMS, FUZZ_GROUP }; /* the first two parameters */
/* NULL: not given, or foreign. */
const unsigned *fuzz_parameter(const fuzz_case *c, size_t p);
/* "" or "items=4,group=32" */
void fuzz_write_parameters(const fuzz_case *c, char *text, size_t bytes);
/* Those that primitives of this kind have. */
void fuzz_draw_parameters(gen *random, unsigned kind, fuzz_case *c);

#endif
