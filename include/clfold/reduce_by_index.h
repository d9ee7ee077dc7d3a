/* SPDX-License-Identifier: MIT */
/* Reduce by index: a part of clfold.h, which says how every call behaves. */
#ifndef CLFOLD_REDUCE_BY_INDEX_H
#define CLFOLD_REDUCE_BY_INDEX_H

#include <clfold/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 14. Reduce by index ------------------------------------------------------------------------------- */

/*
 * Bins are combined with their old values: out[b] = out[b] + the elements of bin b, for any operator. An empty bin
 * keeps every bit. Without the flag `out` is not read, and an empty bin gets the neutral element, or infinity (section
 * 3).
 */
#define CLF_UPDATE 0x100u

/*
 * CLF_REPEATABLE, of a reduction by index: the elements of a bin are combined in order, even if the operator is
 * CLF_COMMUTATIVE.
 */
#define CLF_ORDERED CLF_REPEATABLE

/*
 * Compiles a reduction by index: elements are combined by the bin that each belongs to. This is a histogram with any
 * operator ("reduce_by_index" of Futhark: Henriksen et al. 2020). `flags` are CLF_UPDATE, CLF_ORDERED and
 * CLF_FROM_DEVICE, or 0. `options` and `error` may be NULL.
 *
 * The bin of an element is what `part` returns, or without one the first field of `input`: an integer scalar of any
 * type. Elements with a negative bin, or a bin that does not exist, are ignored: the map is not called for them. A
 * count of occurrences is
 *
 *     static const clf_operator count = {
 *         .size = sizeof count, .input = "uint bin;", .value = "uint count;", .map = "one",
 *         .source = "clf_value one(clf_input x, ulong i) { clf_value v = {1}; return v; }",
 *         .combine = "clf_sum", .flags = CLF_COMMUTATIVE | CLF_NO_INDEX};
 *
 * With .input = "float x;" and your own `part`, bins have equal widths, or lie between edges in a captured array (as
 * clf_array_histogram_edges does):
 *
 *     uint bin(clf_input x, ulong i) { return x.x >= 0 && x.x < 1 ? (uint)(x.x * 100) : ~0u; }
 *
 * For several histograms of the same bins in one pass, use an operator of several fields, such as clf_operator_join
 * makes. There are no extra outputs. `finish` gets the number of the bin, counted through all rows: with the captured
 * arrays' clf_bins that is index % clf_bins. It makes results, which are no values: with CLF_UPDATE it is refused
 * (CLF_E_UNSUPPORTED), and so is clf_plan_options.wanted, for bins are whole values then.
 *
 * A CLF_COMMUTATIVE operator combines elements in any order, so sums of floating types may differ in the last bits from
 * call to call. (Variant "global" adds floats by atomics; NVIDIA's flush subnormal floats to 0.)
 *
 * Several work-items that update one bin use the device's atomics, where it has them for the operator. Otherwise they
 * use atomic exchanges, for values of up to 4 bytes in all their fields, or 8 where the device has 64-bit atomics.
 * Wider values, up to 32 words (a field takes at least one), use locks, in local memory only. A work-item that has a
 * lock waits for nothing, and no group waits for another.
 *
 * All other operators, wider values, and CLF_ORDERED plans take a stable sort of the values by bin, which is several
 * times slower; operands are then in order. The input is sorted instead, and mapped afterwards, where it is no wider
 * than the value. That requires one row, a bin of 32 bits, no part, no captured arrays, and no map or one that is
 * CLF_NO_INDEX.
 *
 * Variants:
 *
 *     "local"    tables in local memory: several copies for few bins, up to 12 slices for many
 *     "global"   one table in global memory, and tables in local memory for bins with very many elements. Calls of
 *                "local" take it for more bins. CLF_E_UNSUPPORTED for values that need locks: from a few thousand bins
 *                on (without lanes a few hundred) calls of "local" sort these
 *     "split"    elements are first split by ranges of bins, which then have tables in local memory. Calls of "local"
 *                take it for very many elements of more bins, if elements may be reordered: the operator has neither
 *                map nor part, or is CLF_NO_INDEX. One row only; scratch is as much as the elements
 *     "sorted"   a stable sort by bins: for up to 2^32 - 2 bins in all rows, and 15 fields
 *     "cpu"      always in order, for values of any size
 *
 * What needs a sort (see above) is CLF_E_UNSUPPORTED in "local", "global" and "split".
 */
CLF_API clf_status clf_reduce_by_index_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                            const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a reduction by index of n elements to `bins` results.
 *
 * in        one array of n elements per field of clf_input, then the captured ones, as in clf_scan
 * out       one array of `bins` elements per field of clf_value, or of clf_result, if the operator has `finish`, none
 *           of which overlaps an input (CLF_E_ALIAS)
 * call      how it runs. With CLF_FROM_DEVICE the number of elements may lie on the device (call->actual). All results
 *           are written for any number
 *
 * There is no initial value. With no elements every result is that of an empty bin. For clf_plan_scratch `count` is the
 * number of bins.
 */
CLF_API clf_status clf_reduce_by_index(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong bins,
                                       const clf_array *in, const clf_array *out);

/*
 * The same for every row of a [count][size] array by itself, to a [count][bins] array. The index that functions get
 * counts through all rows. The number of rows may lie on the device (call->actual): results of further rows are not
 * written. For clf_plan_scratch `count` is count * bins.
 */
CLF_API clf_status clf_segmented_reduce_by_index(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size,
                                                 cl_ulong bins, const clf_array *in, const clf_array *out);

#ifdef __cplusplus
}
#endif
#endif
