/* SPDX-License-Identifier: MIT */
/* Reductions, also of segments: a part of clfold.h, which says how every call behaves. */
#ifndef CLFOLD_REDUCE_H
#define CLFOLD_REDUCE_H

#include <clfold/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 8. Reduce --------------------------------------------------------------------------------------- */

/*
 * Compiles a reduction with `op`: all elements combined, in order, to one value, fused with the operator's map
 * ("redomap"). The same plan reduces one array, or many segments of equal length. The map's extra outputs have one
 * element per input element and are written in the same pass. `flags` are CLF_FROM_DEVICE and CLF_REPEATABLE, or 0.
 * `options` and `error` may be NULL.
 *
 * Each call takes the variant that suits its count and size:
 *
 *   - "large": a work-group per segment, or several; the last to finish combines their aggregates in the same launch
 *   - "warp": a warp per segment, or a few lanes
 *   - "small": many short segments in a work-group
 *   - "sequential": a work-item per segment, reading through a transposition in local memory
 *   - "cpu"
 *
 * All read each input once, coalesced, whatever the sizes and offsets. Without extra outputs elements go straight from
 * global memory to registers, except in "small" and "sequential". Operators that are not CLF_COMMUTATIVE need local
 * memory also on devices without lanes, and in "large" if a value has more than two words.
 *
 * Several results in one pass come from a value of several fields (tests/examples/mean_variance.c), or from joined
 * operators (clf_operator_join).
 *
 * Argmin and argmax: a map makes (value, index) of each element, and combine(a, b) returns a unless b is better. As b
 * is the right operand, ties go to the leftmost. With CLF_COMMUTATIVE there is no left or right: let combine compare
 * indices where values are equal.
 *
 * Results on integers do not depend on the variant. Floating-point results are associated differently by different
 * variants, parameters, devices and shapes, but repeat bitwise for the same plan, count, size and offsets. Two rows
 * with equal elements may have different sums.
 */
CLF_API clf_status clf_reduce_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                   const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a reduction of n elements to one.
 *
 * in        one array of n elements per field of clf_input, then the captured ones, as in clf_scan
 * out       one array of one element per field of clf_value, then one of n elements per field of clf_extra
 * call      how it runs. For n = 0 the result is the initial value, or else that of no elements: the neutral
 *           element, or infinity (section 3)
 *
 * An output array may be exactly an input array, as in clf_scan. Arrays of zero elements are ignored.
 */
CLF_API clf_status clf_reduce(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                              const clf_array *out);

/*
 * Enqueues a reduction of [count][size] elements to [count]: one result for each of `count` consecutive segments.
 * Several outer dimensions are one `count`, the product of their lengths. The map's index argument counts through all
 * elements, so a value that is constant in a segment is a captured array, read at index / size.
 */
CLF_API clf_status clf_segmented_reduce(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size,
                                        const clf_array *in, const clf_array *out);

/* The variant that a reduction of `count` segments of `size` elements takes; NULL if this is no such plan. */
CLF_API const char *clf_reduce_variant(const clf_plan *plan, cl_ulong count, cl_ulong size);

/*
 * Compiles a reduction of segments of any lengths (section 7): one result per segment, in order. An empty segment gives
 * the initial value, or else the result for no elements (section 3). Operators, extra outputs, flags and options are as
 * in clf_reduce_plan.
 *
 * One pass, whose time does not depend on the distribution of lengths. Merge path (Merrill and Garland 2016) cuts
 * elements and the ends of segments into equal shares. So a giant segment is split between groups, and so are a million
 * empty ones. For head flags or keys the shares have equal numbers of elements. Offsets and bits are read from the
 * caller's arrays. Lengths are scanned first; bytes and keys are first made into bits, and bits counted. Variants:
 * "shares", and "cpu".
 *
 * Floating-point results repeat bitwise for the same plan, segments and offsets.
 */
CLF_API clf_status clf_irregular_reduce_plan(clf_context *context, const clf_operator *op,
                                             const clf_segmentation *segmentation, unsigned flags,
                                             const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a reduction of n elements in segments that the array `segments` describes.
 *
 * count         for offsets or lengths: the number of segments, which is 0 only if n is. For heads or keys, which only
 *               the device counts (n at most): the number of results that fit; further ones are not written
 * out           one array of `count` elements per field of clf_value, none of which overlaps an input; then one
 *               of n elements per field of clf_extra, which may be in place as in clf_scan
 * result_count  NULL, or for heads or keys where the number of segments is written, a cl_ulong
 *
 * Everything else is as in clf_reduce. `segments` may be an input array as well, but must not overlap an output. Arrays
 * of zero elements are ignored. If call->actual makes the number of elements smaller, segments end there, and later
 * ones are empty.
 */
CLF_API clf_status clf_irregular_reduce(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong count,
                                        const clf_array *segments, const clf_array *in, const clf_array *out,
                                        const clf_array *result_count);

#ifdef __cplusplus
}
#endif
#endif
