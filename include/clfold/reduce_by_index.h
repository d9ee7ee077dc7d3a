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
 * Bins are combined with what they hold: out[b] = out[b] + the elements of bin b, for any operator. A bin that no
 * element belongs to keeps every bit. Without the flag nothing of what `out` held is read, and such a bin gets the
 * neutral element, or infinity (section 3).
 */
#define CLF_UPDATE 0x100u

/*
 * The elements of a bin are combined in order, though the operator is CLF_COMMUTATIVE: so that sums of floating types
 * repeat bitwise, for the same plan, sizes and bins.
 */
#define CLF_ORDERED 0x200u

/*
 * Compiles a reduction by index: elements are combined by the bin that each belongs to, a histogram with any operator
 * ("reduce_by_index" of Futhark: Henriksen et al. 2020). `flags` are CLF_UPDATE, CLF_ORDERED and CLF_FROM_DEVICE, or 0.
 * `options` and `error` may be NULL.
 *
 * The bin of an element is what `part` says, or, where the operator has none, the first field of `input`: an integer
 * scalar of any type. Elements of negative bins, and of bins that there are not, are left out: the map does not see
 * them. Occurrences are counted by
 *
 *     static const clf_operator count = {
 *         .size = sizeof count, .input = "uint bin;", .value = "uint count;", .map = "one",
 *         .source = "clf_value one(clf_input x, ulong i) { clf_value v = {1}; return v; }",
 *         .combine = "clf_sum", .flags = CLF_COMMUTATIVE | CLF_NO_INDEX};
 *
 * and with .input = "float x;" and a part of yours bins are even, or lie between edges in a captured array
 * (clf_array_histogram_edges does just that):
 *
 *     uint bin(clf_input x, ulong i) { return x.x >= 0 && x.x < 1 ? (uint)(x.x * 100) : ~0u; }
 *
 * Several histograms of the same bins in one reading are one operator of several fields, as clf_operator_join makes
 * of several. There are no extra outputs.
 *
 * Elements of an operator that is CLF_COMMUTATIVE are combined in any order, and sums of floating types may differ in
 * the last bits from call to call (and NVIDIA's atomics, which variant "global" adds floats by, take subnormal ones for
 * 0). Where several work-items update one bin, they do so by the device's own atomics, where it has some for the
 * operator, else by exchanging what is there, for values of up to 4 bytes in all their fields, or 8 where the device
 * has 64-bit atomics. Wider values, of up to 32 words (a field is one at least), have locks, in local memory alone:
 * whoever has one waits for nothing, and no group waits for another. All other operators, still wider values, and plans
 * that are CLF_ORDERED take a stable sort of the values by their bins, several times as long; then operands are in
 * order. What is sorted is the input instead, and mapped after that, where it is no wider than the value: of one row,
 * an operator without part and captured arrays, whose bin has 32 bits, and whose map, if any, is CLF_NO_INDEX.
 *
 * Variants:
 *     "local"    tables in local memory: several copies where bins are few, up to 12 slices where they are many
 *     "global"   one table in global memory, and tables in local memory for bins that very many elements belong to.
 *                Calls of "local" take it where there are more bins; of values with locks they are sorted instead, from
 *                a few thousand bins on (a few hundred where there are no lanes), and this is CLF_E_UNSUPPORTED
 *     "split"    elements are dealt out by ranges of bins first, which then have tables in local memory. Calls of
 *                "local" take it for very many elements of more bins, where elements may be reordered: where the
 *                operator has neither map nor part, or is CLF_NO_INDEX. One row; scratch is as much as the elements
 *     "sorted"   a stable sort by bins: for up to 2^32 - 2 bins in all rows, and 15 fields
 *     "cpu"      always in order, for values of any size
 * What takes a sort, see above, is CLF_E_UNSUPPORTED by "local", "global" and "split".
 */
CLF_API clf_status clf_reduce_by_index_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                            const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a reduction by index of n elements to `bins` results.
 *
 * in        one array of n elements per field of clf_input, then the captured ones, as in clf_scan
 * out       one array of `bins` elements per field of clf_value, none of which overlaps an input (CLF_E_ALIAS)
 * call      how it runs. With CLF_FROM_DEVICE the number of elements may lie on the device (call->actual); all results
 *           are written whatever it is
 *
 * There is no initial value. With no elements every result is that of an empty bin. For clf_plan_scratch `count` is the
 * number of bins.
 */
CLF_API clf_status clf_reduce_by_index(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong bins,
                                       const clf_array *in, const clf_array *out);

/*
 * The same of every row of a [count][size] array for itself, to a [count][bins] array. The index that functions get
 * counts through all rows. On the device (call->actual) may lie the number of rows: results of those beyond are not
 * written. For clf_plan_scratch `count` is count * bins.
 */
CLF_API clf_status clf_segmented_reduce_by_index(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size,
                                                 cl_ulong bins, const clf_array *in, const clf_array *out);

#ifdef __cplusplus
}
#endif
#endif
