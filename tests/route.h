/* SPDX-License-Identifier: MIT */
/*
 * Routes: what a device is asked to do without, a variant, and parameters. Plans that are made by them, what a case
 * says that fails, and random cases.
 */
#ifndef CLFOLD_TESTS_ROUTE_H
#define CLFOLD_TESTS_ROUTE_H

#include "base/base.h"
#include "harness.h"
#include "primitives.h"

typedef struct route {
    const char *disable, *variant, *parameters; /* static strings; NULL: nothing, clfold's choice, the usual ones */
} route;

/* All that a device with OpenCL 1.2 may lack, and kernels for CPUs. */
#define ROUTE_BARE "ptx,int64_atomics,c11,subgroups,progress,cpu"

/* The plan of a primitive by this route, the caller's to release; NULL if the device or the variant cannot run it.
 * Fails the test if it was refused for anything else, and says what it was a plan of. */
clf_plan *route_plan(const route *r, const char *primitive, const plan_parts *parts, const char *of);

/* The way to a variant of the library's: without kernels for CPUs, where it is for GPUs. */
way way_to(const char *primitive, size_t variant);
/* Has the driver the way? Mesa's has no kernels for CPUs on GPUs. */
bool way_is_here(const way *w);

/* Fails the test: what is wrong, which call it was (by the format), by which route, and the line that repeats it.
 * A negative number is that of no random case. */
void route_fail(const route *r, const char *suite, long number, const char *what, const char *format, ...)
    CLF_PRINTF(5, 6);

/*
 * Runs sizes from 0 to `farthest` tiles around what may matter, in turns 0, step, 2 step …; then some behind as many
 * `tiles`, in turns 0, 1, 2 … A tile is taken for `most` where it is longer. The plan, or NULL, is released.
 */
typedef struct route_sizes {
    size_t most, farthest, tiles;
    unsigned step, turns;
} route_sizes;
typedef void route_size(clf_plan *plan, const void *key, size_t n, size_t tile, unsigned turn, const size_t *actual);
void route_run_sizes(clf_plan *plan, const void *key, const route_sizes *how, route_size *run);
/* The same of some tiles, of which the device knows how many elements there are: `actual`; else NULL. */
void route_run_given(clf_plan *plan, const void *key, size_t most, route_size *run);

/*
 * Runs random cases, of which there are `usual` (rig_next_case): each by one of `count` plans, and with random numbers
 * of its own, from `seed` on. Plans are drawn before, all from one seed; those that are NULL are left out, and in the
 * end all are released.
 */
enum { ROUTE_MOST_PLANS = 16 };
typedef clf_plan *route_draw(size_t which, gen *random);
typedef void route_random(size_t which, clf_plan *plan, gen *own, long number);
void route_run_random(size_t count, uint64_t seed, long usual, route_draw *draw, route_random *run);

#endif
