/* SPDX-License-Identifier: MIT */
/* Filter, unique, partition, split: a part of clfold.h, which says how every call behaves. */
#ifndef CLFOLD_FILTER_H
#define CLFOLD_FILTER_H

#include <clfold/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 11. Filter ---------------------------------------------------------------------------------------- */

/*
 * Compiles a filter (stream compaction): the elements for which the operator's predicate is true, contiguous and in
 * input order. `flags` are CLF_FROM_DEVICE, CLF_IN_PLACE, both or 0. `options` and `error` may be NULL.
 *
 *     static const clf_operator positive = {.size = sizeof positive, .value = "int v;", .predicate = "is_positive",
 *                                           .source = "bool is_positive(clf_input x, ulong i) { return x.v > 0; }"};
 *
 * The operator has a predicate, no combine and no neutral. Its input fields are what the predicate sees: payload, keys,
 * flags. Results are the kept elements, or what a map makes of them. The map may leave fields out and add others, such
 * as the element's index ("uint index;" from the map's second argument), or return the index alone. Captured arrays are
 * as in scans. Predicate and map must be pure: each may be evaluated more than once, and the map for other elements,
 * too.
 *
 * To filter by flag bits (bit i % 32 of word i / 32), capture them: .captured = "uint bits;". The predicate then has
 * one more argument, and returns c->bits[i / 32] >> i % 32 & 1. Words begin at any offset. Bits after bit n - 1 are
 * ignored.
 *
 * One pass over the data, as in a scan: a chained scan of counts (Merrill and Garland 2016). Each tile compacts its
 * kept elements in local memory. Variants: "central", "window", "serial", "two_pass" and "one_group" as in scans, and
 * "cpu".
 */
CLF_API clf_status clf_filter_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                   const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a filter of n elements.
 *
 * room          the capacity of `out`: only the first `room` results are written. n is always enough
 * in            one array of n elements per field of clf_input, then the captured ones, as in clf_scan
 * out           one array of min(room, n) elements per field of clf_value, none of which overlaps an input
 *               (CLF_E_ALIAS), unless the call is in place. Elements after the last result are not modified
 * result_count  where the number of kept elements is written, a cl_ulong, whatever the room. A later call can read it
 *               there (clf_call.actual), so that the host need not wait
 *
 * In place (plans with CLF_IN_PLACE): an output array may begin exactly where an input array does (same buffer, same
 * offset, same element size), provided that no other output begins there. Any other overlap is CLF_E_ALIAS. Calls of up
 * to one tile (a few thousand elements) write over the input directly. Larger calls first copy each input that will be
 * overwritten to scratch: as many bytes again, and one extra command per input. (Results of one group are stored where
 * another group may not have read yet. A wait for that group would have no bound.)
 *
 * There is no initial value. For n = 0 the count is 0, and no other array is used.
 */
CLF_API clf_status clf_filter(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong room, const clf_array *in,
                              const clf_array *out, const clf_array *result_count);

/*
 * The first element of each run: a and the next element b belong to one run where the operator's `same(a, b)` is true.
 * `same` may look into captured arrays, so elements are the numbers of strings, say (tests/examples/strings.c).
 * Everything else is as in clf_filter. With a map that returns the index, too, results are a run-length encoding by
 * offsets. With payload fields beside the key they are "unique by key". A key may be a ulong2.
 */
CLF_API clf_status clf_unique_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                   const clf_plan_options *options, clf_plan **plan, clf_error *error);
CLF_API clf_status clf_unique(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong room, const clf_array *in,
                              const clf_array *out, const clf_array *result_count);

/*
 * Compiles a partition: every element goes to one of several outputs, each of which keeps the order. With a predicate
 * there are two outputs: the elements for which it is true, and the others. With `part` instead there are three: part
 * 0, part 1, and all higher parts. Everything else is as in clf_filter_plan, but no partition is in place. (clf_split
 * writes all parts to one output, one after the other.)
 */
CLF_API clf_status clf_partition_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                      const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a partition of n elements. Everything is as in clf_filter, but for
 *
 * room           the capacity of each part
 * out            for each part in turn one array of min(room, n) elements per field of clf_value; none overlaps another
 * result_counts  where the numbers of elements are written, a cl_ulong for each part
 */
CLF_API clf_status clf_partition(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong room, const clf_array *in,
                                 const clf_array *out, const clf_array *result_counts);

/*
 * Compiles a split: a stable partition into up to 256 parts in one output: part 0 first, then part 1 …, each in input
 * order. It is one pass of a radix sort. `parts` is from 1 to 256 (else CLF_E_ARGUMENT), `flags` 0 or CLF_FROM_DEVICE.
 * `options` and `error` may be NULL.
 *
 *     static const clf_operator low = {.size = sizeof low, .value = "uint key; float x;", .part = "digit",
 *                                      .source = "uint digit(clf_input x, ulong i) { return x.key & 255; }"};
 *     clf_split_plan(context, &low, 256, 0, NULL, &plan, NULL);
 *
 * The operator has `part`, which returns an element's part. Any number not below `parts` is the last part. Map,
 * captured arrays, and the need for pure functions are as in clf_filter_plan.
 *
 * Reduce, then scan, then scatter (Merrill and Grimshaw 2011). The first launch counts each tile's elements per part. A
 * scan of these counts gives positions. The last launch ranks each tile's elements in local memory (Satish, Harris and
 * Garland 2009) and writes each part of a tile contiguously. No group waits for another. Scratch is 12 bytes per part
 * and tile, and that of the scan. Few parts cost less than many. Variants: "tile", and "cpu".
 */
CLF_API clf_status clf_split_plan(clf_context *context, const clf_operator *op, cl_uint parts, unsigned flags,
                                  const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a split of n elements.
 *
 * in             one array of n elements per field of clf_input, then the captured ones, as in clf_scan
 * out            one array of n elements per field of clf_value, none of which overlaps an input (CLF_E_ALIAS)
 * result_counts  where the numbers of elements are written, a cl_ulong for each part; NULL: nowhere
 *
 * There is no initial value. For n = 0 the counts are 0, and no other array is used.
 */
CLF_API clf_status clf_split(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                             const clf_array *out, const clf_array *result_counts);

#ifdef __cplusplus
}
#endif
#endif
