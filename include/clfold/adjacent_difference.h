/* SPDX-License-Identifier: MIT */
/* Adjacent difference: a part of clfold.h, which says how every call behaves. */
#ifndef CLFOLD_ADJACENT_DIFFERENCE_H
#define CLFOLD_ADJACENT_DIFFERENCE_H

#include <clfold/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 10. Adjacent difference --------------------------------------------------------------------------- */

/*
 * Compiles an adjacent difference: out[i] = f(in[i - 1], in[i]). f is any function of two values: a difference, a
 * quotient, "is it another?". `flags` is 0 or CLF_FROM_DEVICE. `options` and `error` may be NULL.
 *
 * f is the operator's combine(previous, x), which here need not be associative; its neutral element is not used. A map
 * is applied first, to both elements, each with its own index. f is called for neighbours of the same segment only.
 * Extra outputs and captured arrays are as in scans; `finish` gets the value and the index of the element (section 3).
 *
 * The first element of the array, or of each segment, has no predecessor. With an initial value (clf_call.initial,
 * initial_arrays) its result is f(initial, x). Otherwise it is x itself (mapped), as in std::adjacent_difference.
 *
 * Variants: "chunks", and "cpu". Both read and write each element once, in one launch. In place, a small launch comes
 * first, which saves a value per tile in scratch. Each result depends on its two elements alone: no variant associates
 * differently.
 */
CLF_API clf_status clf_adjacent_difference_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                                const clf_plan_options *options, clf_plan **plan, clf_error *error);

/* Enqueues it for n elements. Arrays are as in clf_scan, in place included. */
CLF_API clf_status clf_adjacent_difference(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                                           const clf_array *out);

/* The same for each of `count` segments of `size` elements, one after the other in each array, by the same plan. */
CLF_API clf_status clf_segmented_adjacent_difference(clf_plan *plan, const clf_call *call, cl_ulong count,
                                                     cl_ulong size, const clf_array *in, const clf_array *out);

#ifdef __cplusplus
}
#endif
#endif
