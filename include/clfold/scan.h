/* SPDX-License-Identifier: MIT */
/* Scans, also of segments: a part of clfold.h, which says how every call behaves. */
#ifndef CLFOLD_SCAN_H
#define CLFOLD_SCAN_H

#include <clfold/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 5. Scan ------------------------------------------------------------------------------------------- */

/*
 * out[i] excludes element i: out[0] is the initial value, or else the result for no elements (section 3). Without the
 * flag a scan is inclusive.
 */
#define CLF_EXCLUSIVE 1u

/*
 * Scans go from the right: out[i] = in[i] + in[i + 1] + … + in[n - 1] + the initial value, operands in this order.
 * With CLF_EXCLUSIVE out[i] excludes element i, and out[n - 1] is the initial value. The index that functions get
 * stays the element's. Rows and irregular segments are scanned so, each by itself: there the last result of each is the
 * initial value. If call->actual makes the number of elements smaller, scans begin at the last of these. Elements are
 * loaded and stored one by one, not by vectors.
 */
#define CLF_REVERSE 0x2000u

/*
 * Compiles a scan: prefix "sums" under any associative operator, fused with the operator's map ("scanomap"). `flags`
 * are CLF_EXCLUSIVE, CLF_REVERSE, CLF_FROM_DEVICE and CLF_REPEATABLE, or 0. `options` and `error` may be NULL.
 *
 * Single-pass variants read each input once and write each output once, in one launch. They are chained scans with
 * decoupled look-back (Merrill and Garland 2016), bounded waiting and decoupled fallback (Smith, Levien and Owens
 * 2025). Look-back is serial, by a window, or by a central prefix group. Where no profile sets the tile's size, local
 * memory or the model of Clausen 2021 does.
 *
 * Other variants: two-pass reduce-then-scan, one group for small n, and a kernel of its own for CPUs. "propagate", the
 * scan-then-propagate of textbooks, is there for comparison.
 *
 * Results on integers do not depend on the variant. Floating-point results are associated differently by different
 * variants, parameters and devices. With single-pass variants they may differ in rounding from run to run; plans
 * with CLF_REPEATABLE take "two_pass", or for small n "one_group", and repeat bitwise. Running totals of non-negative
 * floats may fall by a rounding error from one element to the next, and clf_bounds of them is unspecified. Remedies: a
 * second scan with CLF_MAX over the totals, or totals of integers (src/manual/limits.md).
 */
CLF_API clf_status clf_scan_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                 const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a scan of n elements.
 *
 * in        one array per field of clf_input, then one per captured field. A call checks that captured arrays exist and
 *           do not begin inside an output, but not how far the map reads. The map must not read what the call writes
 * out       one array per field of clf_value, then one per field of clf_extra
 * call      how it runs; its initial value is what the scan starts from
 *
 * In place: an output array may be exactly an input array (same buffer, same offset, same element size), provided that
 * no other output is that input. Any other overlap of an output with an input or output is CLF_E_ALIAS.
 */
CLF_API clf_status clf_scan(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                            const clf_array *out);

/*
 * The same by plans whose operator has `place` (section 3), which says where each result goes. clf_scan refuses these
 * plans, and this function all others (CLF_E_ARGUMENT).
 *
 * room          how long the outputs are: results with places from there on are dropped
 * out           one array of `room` elements per field that is written, none of which overlaps another array
 *               (CLF_E_ALIAS). What no result is placed at is not modified. If several are, it is one of them, each
 *               field, and each component of a vector or array, maybe of another
 * result_count  NULL, or where the number of results that have a place is written, a cl_ulong, whatever the room: more
 *               than fit say that some were dropped
 *
 * For n = 0 the count is 0, and no other array is used.
 */
CLF_API clf_status clf_scan_placed(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong room, const clf_array *in,
                                   const clf_array *out, const clf_array *result_count);

/* ---- 6. Segmented scan --------------------------------------------------------------------------------- */

/*
 * Scans every row of a [count][size] array by itself: each row starts from the initial value. Flags, options, operators
 * and results are those of clf_scan_plan; the index that a map gets counts through all rows. Rows of rows,
 * [a][b][size], are [a * b][size]. One plan works for every count and size.
 *
 * The algorithm is that of Clausen, "Regular Segmented Single-pass Scan in Futhark" (2021): one launch, every input
 * read once, every output written once, nothing stored about segments. With short segments, up to 256 elements before a
 * tile are read again. No group waits across the start of a segment, and none at all for short segments. In variant
 * "two_pass" no group ever waits.
 */
CLF_API clf_status clf_segmented_scan_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                           const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a scan of `count` segments of `size` elements, one after the other in each array. Everything else is as in
 * clf_scan with n = count * size, clf_plan_scratch included.
 */
CLF_API clf_status clf_segmented_scan(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size,
                                      const clf_array *in, const clf_array *out);

/* The same by plans whose operator has `place`: places and everything else are as in clf_scan_placed. */
CLF_API clf_status clf_segmented_scan_placed(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size,
                                             cl_ulong room, const clf_array *in, const clf_array *out,
                                             const clf_array *result_count);

/* ---- 7. Irregular segments ----------------------------------------------------------------------------- */

/*
 * How an array describes segments of any lengths. Element 0 always starts a segment, whatever the array has there.
 *
 *   CLF_BY_HEAD_BYTES   n uchars: element i starts a segment where byte i is not 0
 *   CLF_BY_HEAD_BITS    n bits in uints: bit i % 32 (from the least significant one) of uint i / 32. The
 *                       array's offset counts uints; bits after the n-th may be anything
 *   CLF_BY_OFFSETS      count + 1 ascending numbers, as in CSR: segment k is elements offsets[k] up to, not
 *                       including, offsets[k + 1]; offsets[0] is 0 and offsets[count] is n
 *   CLF_BY_LENGTHS      count numbers that add up to n
 *   CLF_BY_KEYS         n keys: a segment is a longest run of neighbours that are == (each NaN is a run of its own)
 *
 * Offsets and lengths may describe empty segments, anywhere and any number of them. A malformed array gives
 * unspecified results, but nothing outside of the arrays is ever touched.
 */
typedef enum clf_segments_by {
    CLF_BY_HEAD_BYTES, CLF_BY_HEAD_BITS, CLF_BY_OFFSETS, CLF_BY_LENGTHS, CLF_BY_KEYS
} clf_segments_by;

typedef struct clf_segmentation {
    size_t size; /* sizeof(clf_segmentation) */
    clf_segments_by by;
    clf_type type; /* of offsets and lengths: CLF_UINT (for n below 2^32) or CLF_ULONG; of keys: any but CLF_BFLOAT16 */
} clf_segmentation;

/*
 * Compiles a scan of every segment by itself: each starts from the initial value. Flags, options, operators and results
 * are those of clf_scan_plan; the index that a map gets counts through all elements. CLF_WITH_SEGMENT of the operator
 * (section 3) tells it the number of the segment, too.
 *
 * One pass over the data like every other scan, by an operator on pairs of flag and value (Blelloch 1990). A bit per
 * element marks where segments start. Head bits are read from the caller's array. A kernel first makes bits from all
 * other forms, and scans lengths before that. Work is split evenly by elements, whatever the lengths.
 */
CLF_API clf_status clf_irregular_scan_plan(clf_context *context, const clf_operator *op,
                                           const clf_segmentation *segmentation, unsigned flags,
                                           const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a scan of n elements in segments that the array `segments` describes. Empty segments have no results.
 * `count` is used for offsets and lengths only: the number of segments, empty ones included, which is 0 only if n is.
 * For n = 0 no array is used.
 *
 * Everything else is as in clf_scan. `segments` may be an input array as well, but must not overlap an output. If
 * call->actual makes the number of elements smaller, segments end there.
 */
CLF_API clf_status clf_irregular_scan(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong count,
                                      const clf_array *segments, const clf_array *in, const clf_array *out);

/*
 * The same by plans whose operator has `place`: places and everything else are as in clf_scan_placed. With
 * CLF_WITH_SEGMENT `place` gets the number of the segment.
 */
CLF_API clf_status clf_irregular_scan_placed(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong count,
                                             cl_ulong room, const clf_array *segments, const clf_array *in,
                                             const clf_array *out, const clf_array *result_count);

#ifdef __cplusplus
}
#endif
#endif
