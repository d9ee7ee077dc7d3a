/* SPDX-License-Identifier: MIT */
/* Expand: a part of clfold.h, which says how every call behaves. */
#ifndef CLFOLD_EXPAND_H
#define CLFOLD_EXPAND_H

#include <clfold/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 18. Expand ---------------------------------------------------------------------------------------- */

/*
 * Compiles an expansion: counts or offsets become elements. Segment k has as many results as its length says, one
 * segment after the other. It is the reverse of a run-length encoding, and the repeat of NumPy and PyTorch.
 *
 *     static const clf_operator repeat = {.size = sizeof repeat, .value = "float x;", .captured = "float runs;",
 *                                         .map = "of_run", .source =
 *                                         "clf_value of_run(clf_input at, ulong i, const clf_captured *c)\n"
 *                                         "{ clf_value v = {c->runs[at.segment]}; return v; }"};
 *     static const clf_segmentation lengths = {sizeof lengths, CLF_BY_LENGTHS, CLF_UINT};
 *     clf_expand_plan(context, &repeat, &lengths, 0, NULL, &plan, NULL);
 *
 * The operator is a map and nothing else. There is no input array: its clf_input has the members `ulong segment`, the
 * number of the segment, and `ulong place`, from 0 on the place in it. `i` is the number of the result. What else a
 * result is made of is captured: arrays of an element per segment are read at `segment`, for example. The map must be
 * pure. (clf_captured.clf_size is `room`.)
 *
 * Segments are told by CLF_BY_OFFSETS or CLF_BY_LENGTHS (section 7), of type CLF_UINT or CLF_ULONG; else
 * CLF_E_ARGUMENT. `flags` is 0 or CLF_FROM_DEVICE. `options` and `error` may be NULL.
 *
 * Merge path (Green, McColl and Bader 2012; for this task Baxter 2013) cuts results and the ends of segments into equal
 * tiles. So time depends on how many there are of both, and not on lengths: a giant segment is split between groups,
 * and so are a million empty ones. Offsets are read where they are. Lengths are scanned first, to ulongs in scratch.
 * Variants: "tiles", and "cpu". No group waits for another.
 */
CLF_API clf_status clf_expand_plan(clf_context *context, const clf_operator *op, const clf_segmentation *segmentation,
                                   unsigned flags, const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues an expansion of `count` segments.
 *
 * room          the capacity of `out`: only the first `room` results are written
 * segments      count + 1 offsets, of which the first is taken to be 0, or `count` lengths
 * in            the captured arrays, as many as the operator has; without any it may be NULL
 * out           one array of `room` elements per field of clf_value, none of which overlaps another array
 *               (CLF_E_ALIAS). Elements after the last result are not modified
 * result_count  NULL, or where the number of results is written, a cl_ulong, whatever the room
 * call          how it runs. With CLF_FROM_DEVICE the number of segments may lie on the device (call->actual), where a
 *               run-length encoding wrote it, for example: `count` is then the maximum, and the array has as many
 *               entries
 *
 * Sums of lengths do not wrap, of either type: 2^64 - 1 results mean that there are as many or more, and the first
 * `room` of them are right. CLF_E_OVERFLOW: count + room does not fit 64 bits. There is no initial value. Without
 * segments the count is 0. Arrays that no result needs are ignored. clf_plan_scratch takes `room` as its n.
 */
CLF_API clf_status clf_expand(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong room,
                              const clf_array *segments, const clf_array *in, const clf_array *out,
                              const clf_array *result_count);

/*
 * The same by one call, as those of section 17: element k of `in` is repeated counts[k] times. The counts, of
 * count_type, CLF_UINT or CLF_ULONG, are lengths. `result_count` is where the number of results is written, or an array
 * without a buffer.
 */
CLF_API clf_status clf_array_repeat(clf_context *context, const clf_call *call, clf_type type, clf_type count_type,
                                    cl_ulong count, cl_ulong room, clf_array in, clf_array counts, clf_array out,
                                    clf_array result_count);

#ifdef __cplusplus
}
#endif
#endif
