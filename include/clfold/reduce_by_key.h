/* SPDX-License-Identifier: MIT */
/* Reduce by key: a part of clfold.h, which says how every call behaves. */
#ifndef CLFOLD_REDUCE_BY_KEY_H
#define CLFOLD_REDUCE_BY_KEY_H

#include <clfold/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 13. Reduce by key --------------------------------------------------------------------------------- */

/* A flag of reductions by key: runs of one element have no results, and are not counted. */
#define CLF_NONTRIVIAL_RUNS 0x800u

/*
 * Compiles a reduction of runs: one result per run, in order, in one pass over the data. A run is neighbours that
 * belong together, such as elements of the same key. `flags` are CLF_NONTRIVIAL_RUNS, CLF_FROM_DEVICE and
 * CLF_REPEATABLE, or 0. `options` and `error` may be NULL.
 *
 * The operator has combine and neutral, as for a reduction. `same(a, b)` is true if an element, a, and the next one, b,
 * belong to one run. It sees input elements, a key (a ulong2, too), and the payload beside it, and captured arrays.
 * The map makes the value to combine from an element. Extra outputs are what it makes of the first element of each
 * run: its key, or, from the index, the start of the run. Sums by key are
 *
 *     static const clf_operator sums = {
 *         .size = sizeof sums, .input = "int key; float x;", .value = "float sum;", .extra = "int key;",
 *         .map = "of", .combine = "add", .neutral = "zero", .same = "same_key",
 *         .source = "clf_value of(clf_input x, ulong i, clf_extra *e) { e->key = x.key; return (clf_value){x.x}; }\n"
 *                   "clf_value add(clf_value a, clf_value b) { return (clf_value){a.sum + b.sum}; }\n"
 *                   "clf_value zero(void) { return (clf_value){0}; }\n"
 *                   "bool same_key(clf_input a, clf_input b) { return a.key == b.key; }"};
 *
 * A run-length encoding of bytes counts the elements of each run (clf_array_run_lengths does it in one call):
 *
 *     .input = "uchar v;", .value = "uint length;", .extra = "uchar v;", .map = "one", …
 *     clf_value one(clf_input x, ulong i, clf_extra *e) { e->v = x.v; return (clf_value){1}; }
 *
 * With .extra = "uchar v; ulong start;" and e->start = i it has the offsets of runs, too. In plans with
 * CLF_NONTRIVIAL_RUNS runs of length 1, as defined by `same`, have no result. Results are those of the longer runs, in
 * order, and only these are counted. `same` is then evaluated a few times more per element.
 *
 * This is GROUP BY of sorted input. If the input is not sorted, each run is a group of its own. combine need not be
 * commutative. All functions must be pure: each may be evaluated more than once, and the map for every element.
 *
 * A chained scan (Merrill and Garland 2016) of sums and of the number of runs. Each tile collects its results in local
 * memory before it writes them. Variants: "central", "window", "serial", "two_pass" and "one_group" as in scans, and
 * "cpu".
 *
 * Operands of a run are combined in order. With single-pass variants, the default, floating-point results of a run that
 * spans several tiles may differ in the last bits from call to call: its aggregates may be associated differently.
 * Results of a run within one tile repeat. Plans with CLF_REPEATABLE take "two_pass", or for small n "one_group", and
 * repeat bitwise, as does clf_irregular_reduce by keys.
 */
CLF_API clf_status clf_reduce_by_key_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                          const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a reduction by key of n elements.
 *
 * room          the capacity of each output: only the first `room` results are written. n is always enough
 * in            one array of n elements per field of clf_input, then the captured ones, as in clf_scan
 * out           one array of min(room, n) elements per field of clf_value (clf_result, if the operator has `finish`,
 *               which gets the run's number), then one per field of clf_extra, none of which
 *               overlaps an input (CLF_E_ALIAS). Elements after the last result are not modified
 * result_count  where the number of runs (with CLF_NONTRIVIAL_RUNS: of those of several elements) is written, a
 *               cl_ulong, whatever the room. A later call can read it there (clf_call.actual), so that the host need
 *               not wait
 *
 * There is no initial value. For n = 0 the count is 0, and no other array is used.
 */
CLF_API clf_status clf_reduce_by_key(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong room,
                                     const clf_array *in, const clf_array *out, const clf_array *result_count);

#ifdef __cplusplus
}
#endif
#endif
