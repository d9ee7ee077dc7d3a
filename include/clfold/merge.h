/* SPDX-License-Identifier: MIT */
/* Merge, lower and upper bounds: a part of clfold.h, which says how every call behaves. */
#ifndef CLFOLD_MERGE_H
#define CLFOLD_MERGE_H

#include <clfold/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 15. Merge and bounds ------------------------------------------------------------------------------ */

/*
 * Sorted sequences are in the order of the operator's `less`, a strict weak order. less(a, b) is true if a comes before
 * b. If neither of two elements is less than the other, their order is not specified by `less`. Elements are tuples of
 * arrays as everywhere. `less` may read some fields (keys); the others are payload.
 *
 *     static const clf_operator by_key = {.size = sizeof by_key, .value = "float key; uint payload;", .less = "below",
 *                                         .source = "bool below(clf_input a, clf_input b) { return a.key < b.key; }"};
 *
 * The operator has `value` fields and `less`, and no map, input or extra fields. `less` may look into captured arrays
 * (section 3), which stand behind both sequences' arrays in a call.
 *
 * Sequences may be unsorted, and `less` need not be an order (a < b is none for floats with NaNs). The order of a merge
 * is then unspecified, but it has all elements, each once. Bounds are unspecified, but from 0 to the size of the
 * haystack.
 */

/*
 * Compiles a merge of two sorted sequences into one. It is stable: of equivalent elements those of the first sequence
 * come first, and each sequence keeps its order. `flags` is 0 or CLF_FROM_DEVICE. `options` and `error` may be NULL.
 *
 * Each element is read once and written once, whatever the sequences. Results are cut into equal tiles. Bisection finds
 * where a tile's elements begin in both sequences ("merge path": Odeh et al. 2012; Green, McColl and Bader 2012). No
 * group waits for another. Variants: "tiles" (for many tiles a small launch first finds the cuts), and "cpu". Scratch
 * is 12 bytes per tile.
 */
CLF_API clf_status clf_merge_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                  const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a merge of n_first and n_second elements, either of which may be 0.
 *
 * in        one array of n_first elements per field of clf_value, then one of n_second elements per field, then the
 *           captured ones
 * out       one array of n_first + n_second elements per field, none of which overlaps an input (CLF_E_ALIAS)
 * call      how it runs. With CLF_FROM_DEVICE both sizes may lie on the device: call->actual is then an array of two
 *           cl_ulongs, the true sizes of the first and the second sequence. The call's own sizes are then maxima. Two
 *           earlier filters can write them (result_count at offsets 0 and 1)
 *
 * There is no initial value. Arrays of zero elements are ignored. For clf_plan_scratch n is n_first + n_second.
 */
CLF_API clf_status clf_merge(clf_plan *plan, const clf_call *call, cl_ulong n_first, cl_ulong n_second,
                             const clf_array *in, const clf_array *out);

/* Upper bounds; without the flag lower bounds. */
#define CLF_UPPER 2u
/* A promise that needles are sorted like the haystack. */
#define CLF_SORTED_NEEDLES 4u

/*
 * Compiles a search of a sorted sequence, the haystack, for the elements of another, the needles. A needle's lower
 * bound is the number of elements of the haystack that are less than it. Its upper bound, with CLF_UPPER, is the number
 * of those that are not greater. So it could be inserted there, before or after those like it. Positions in a haystack
 * that is not sorted are unspecified; running totals of floats need not be sorted (src/manual/limits.md). Needles have
 * the fields of the haystack. A field that `less` does not read may be any array that is long enough.
 *
 * positions is CLF_UINT or CLF_ULONG: the type of results. `flags` are any of CLF_UPPER, CLF_SORTED_NEEDLES,
 * CLF_FROM_DEVICE, or 0.
 *
 * Needles in any order are searched for by bisection, several at a time by each work-item: variants "items", and "cpu".
 * With CLF_SORTED_NEEDLES both sequences are read once, as in a merge that writes only positions: variants "tiles",
 * with scratch as in a merge, and "cpu". That suits about as many needles as the haystack has elements, or more. For a
 * few needles in a long haystack bisection is faster.
 */
CLF_API clf_status clf_bounds_plan(clf_context *context, const clf_operator *op, clf_type positions, unsigned flags,
                                   const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a search of n elements for m needles.
 *
 * in        one array of n elements per field of clf_value, the haystack; then one of m per field, the needles; then
 *           the captured ones
 * out       one array of m positions, of the plan's type, which overlaps no input (CLF_E_ALIAS)
 *
 * call->actual is as in clf_merge: two cl_ulongs, the true n and m.
 *
 * CLF_E_OVERFLOW: positions are CLF_UINT, and n is 2^32 or more. Everything else is as in clf_merge; for
 * clf_plan_scratch n is n + m.
 */
CLF_API clf_status clf_bounds(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong m, const clf_array *in,
                              const clf_array *out);

#ifdef __cplusplus
}
#endif
#endif
