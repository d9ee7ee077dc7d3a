/* SPDX-License-Identifier: MIT */
/* Sorts and top-k: a part of clfold.h, which says how every call behaves. */
#ifndef CLFOLD_SORT_H
#define CLFOLD_SORT_H

#include <clfold/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 12. Sort ------------------------------------------------------------------------------------------ */

/* Flags of sorts: the largest key first; and floating-point keys in the total order of IEEE 754, see below. */
#define CLF_DESCENDING 8u
#define CLF_TOTAL_ORDER 0x40u

/*
 * A flag of all sorts: calls give up their inputs, which hold anything afterwards, and are used instead of arrays in
 * scratch. clf_plan_scratch tells what is left: of clf_sort counters, some hundredths of the output. With a map inputs
 * are not the values that are sorted, and such plans are CLF_E_ARGUMENT. Inputs must be no CL_MEM_READ_ONLY buffers
 * (CLF_E_BUFFER), and overlap neither an output nor each other nor anything else of the call (CLF_E_ALIAS); so no call
 * is in place. A radix sort copies the values once more if an even number of the key's bytes differ (all four of random
 * 32-bit keys, say), for after an even number of passes they are back in the input. Merge sorts cost nothing extra.
 */
#define CLF_OVERWRITE_INPUT 0x400u

/*
 * Compiles a stable sort of tuples by a key: a scalar of any type. `flags` are CLF_DESCENDING, CLF_TOTAL_ORDER,
 * CLF_OVERWRITE_INPUT and CLF_FROM_DEVICE. `options` and `error` may be NULL.
 *
 *     static const clf_operator keys = {.size = sizeof keys, .value = "float key;"};
 *     static const clf_operator pairs = {.size = sizeof pairs, .value = "float key; uint payload;"};
 *     static const clf_operator nearest = {.size = sizeof nearest, .value = "float x; float y;", .key = "float radius",
 *                                          .source = "float radius(clf_value p) { return hypot(p.x, p.y); }"};
 *     static const clf_operator order = {.size = sizeof order, .input = "float key;", .value = "float key; uint at;",
 *                                        .map = "at", .source = "clf_value at(clf_input x, ulong i)"
 *                                                               "{ clf_value v = {x.key, (uint)i}; return v; }"};
 *
 * The key is the first field of the value, or what the operator's `key` makes of a value. There is no source where
 * nothing is called. The map makes values of input elements first, as the last of these does, which writes the sorted
 * keys and where they were. By several keys, sort by the least significant one first, and by the most significant one
 * last. A range of bits is a key of a smaller type: `uchar low(clf_value v) { return (uchar)v.id; }`. Key and map must
 * be pure, for both are evaluated more than once for one element.
 *
 * Values with equal keys stay in the order of the input, when descending, too. Floating-point keys: −0 equals +0. All
 * NaNs are equal and come last, when descending, too. CLF_TOTAL_ORDER orders by sign and bits instead: −NaN, −infinity
 * … −0, +0 … infinity, NaN, and backwards when descending. Values keep their bits.
 *
 * A radix sort, eight bits a pass (Satish, Harris and Garland 2009). Digits in which all keys agree cost no pass, which
 * the device finds out: small numbers in wide types sort like those of small types. Scratch is as much as the output
 * (none of that with CLF_OVERWRITE_INPUT), and a kilobyte or two for each some thousand elements. Variants: "lookback",
 * where each pass is one launch that reads and writes each value once (Adinets and Merrill 2022); "two_pass", where no
 * group waits for another; and "cpu". On GPUs calls of few elements (2^15 for each byte of the key, or the parameter
 * "limit" of role "small") are merged instead, if there is no map and a value has up to 8 words, by "merge", which
 * takes the launches of a clf_merge_sort. Values that are one integer of 8 or 16 bits and their own key (or a half, in
 * total order), with or without a map, are counted instead, by "counting" and "counting_cpu": the input is read once,
 * and the output written; scratch does not grow with it. Asked for with other values these are CLF_E_UNSUPPORTED.
 */
CLF_API clf_status clf_sort_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                 const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a sort of n elements.
 *
 * in    one array of n elements per field of clf_input, then the captured ones, as in clf_scan
 * out   one array of n elements per field of clf_value; each is an input exactly (sorted in place), or overlaps none
 *       (CLF_E_ALIAS); with CLF_OVERWRITE_INPUT the latter
 *
 * There is no initial value. n may be anything that memory holds; variant "lookback" takes 2^36 elements and more.
 */
CLF_API clf_status clf_sort(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                            const clf_array *out);

/*
 * Compiles a sort of every row of a [count][size] array for itself. Operators, flags, options and the order are as in
 * clf_sort_plan; the index that a map gets counts through all rows. With CLF_FROM_DEVICE the number of rows may lie on
 * the device. Rows of rows, [a][b][size], are [a * b][size]; one plan does every count and size.
 *
 * Tiles are sorted in local memory, and of rows that are longer the tiles merged, pair by pair, in passes of twice as
 * many ("merge path": Green, McColl and Bader 2012). Rows of up to a tile are read once and written once, in one launch
 * without scratch; longer ones once more for each doubling. Variants: "large", "medium" and "small", by the tile, of
 * which each call takes the one that suits its rows; and "cpu". Rows for which that many passes would take longer are
 * sorted digit by digit as by clf_sort, all in the same launches; but not on CPUs, not where the number of rows may lie
 * on the device, and not where a variant is asked for by name.
 */
CLF_API clf_status clf_segmented_sort_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                           const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a sort of `count` rows of `size` elements, one behind the other in each array. Everything else is as in
 * clf_sort with n = count * size, in place included. clf_plan_scratch tells what rows of any size may need.
 */
CLF_API clf_status clf_segmented_sort(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size,
                                      const clf_array *in, const clf_array *out);

/*
 * Compiles a sort of segments of any lengths (section 7), each for itself. All else is as in clf_segmented_sort_plan; a
 * map's index counts through all elements, and what may lie on the device is n.
 *
 * Tiles cut segments anywhere. Elements of segments that lie in one tile are read and written once, the others once
 * more for each doubling of tiles until their own segment is done, however long others are.
 */
CLF_API clf_status clf_irregular_sort_plan(clf_context *context, const clf_operator *op,
                                           const clf_segmentation *segmentation, unsigned flags,
                                           const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a sort of n elements in segments that the array `segments` describes; `count` and it are as in
 * clf_irregular_scan, the other arrays as in clf_sort. Where call->actual says that there are fewer elements, segments
 * end there.
 */
CLF_API clf_status clf_irregular_sort(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong count,
                                      const clf_array *segments, const clf_array *in, const clf_array *out);

/*
 * Compiles a stable sort of tuples by comparison: in the order of the operator's `less`, a strict weak order, where
 * less(a, b) says that a comes before b. `flags` are CLF_OVERWRITE_INPUT, CLF_FROM_DEVICE, both or 0. `options` and
 * `error` may be NULL.
 *
 *     static const clf_operator names = {.size = sizeof names, .value = "ulong head; ulong tail; uint id;",
 *                                        .less = "before",
 *                                        .source = "bool before(clf_input a, clf_input b)"
 *                                                  "{ return a.head != b.head ? a.head < b.head : a.tail < b.tail; }"};
 *
 * This is for orders that no key of 64 bits can say; where one can, a sort by keys is faster. The operator has `value`
 * fields and `less`, and nothing else: no map, and no input, extra or captured fields. Where `less` is no strict weak
 * order, as a < b is none of floats with NaNs, the order of results is unspecified. They are all elements, each once.
 *
 * A merge sort: tiles are sorted by one group each, then runs are merged two by two, in about log2(n / tile) rounds,
 * each of which reads and writes every element. Merges are cut into equal tiles by their merge path (Odeh et al. 2012;
 * Green, McColl and Bader 2012), so that the time does not depend on the data. No group waits for another. Scratch is
 * as much as the output (none of that with CLF_OVERWRITE_INPUT), and 16 bytes per tile. Variants: "tiles", and "cpu".
 */
CLF_API clf_status clf_merge_sort_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                       const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a sort of n elements by comparison.
 *
 * in    one array of n elements per field of clf_value
 * out   one array of n elements per field; each is an input exactly (sorted in place), or overlaps none (CLF_E_ALIAS);
 *       with CLF_OVERWRITE_INPUT the latter
 *
 * There is no initial value. With CLF_FROM_DEVICE there are as many launches as n asks for, however few elements there
 * really are.
 */
CLF_API clf_status clf_merge_sort(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                                  const clf_array *out);

/*
 * Compiles a test whether elements are sorted, by an operator as in clf_merge_sort_plan. `flags` is 0 or
 * CLF_FROM_DEVICE. `options` and `error` may be NULL. All elements are read once, in one launch, and a small one takes
 * what groups found together. Variants: "tiles", with 8 bytes of scratch per group, and "cpu".
 */
CLF_API clf_status clf_is_sorted_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                      const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a test whether n elements are sorted.
 *
 * in            one array of n elements per field of clf_value
 * result_count  where a cl_ulong is written: how many elements from the first on are sorted, which is the place of the
 *               first one that is less than the one before it, or, if all are sorted, how many elements there are
 *
 * There is no initial value. For n = 0 the result is 0, and no other array is looked at.
 */
CLF_API clf_status clf_is_sorted(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                                 const clf_array *result_count);

/*
 * A flag of plans for the first elements of a sort (clf_top_k_plan): they come in the order of the input.
 */
#define CLF_UNSORTED 0x80u

/*
 * Compiles a top-k: exactly the first k elements of what clf_sort writes by the same operator and flags, for little
 * more than one reading of the input. So of equal keys those that come first in the input are taken, and of
 * floating-point ones NaNs last. `flags` are CLF_DESCENDING, CLF_TOTAL_ORDER, CLF_FROM_DEVICE, and CLF_UNSORTED: then
 * the same elements come in the order of the input, which saves sorting them. `options` and `error` may be NULL.
 *
 * The operator is as in clf_sort_plan. Indices ("argtopk") come by the map; the ten largest of n floats, and where they
 * are:
 *
 *     static const clf_operator order = {.size = sizeof order, .input = "float key;", .value = "float key; uint at;",
 *                                        .map = "at", .source = "clf_value at(clf_input x, ulong i)"
 *                                                               "{ clf_value v = {x.key, (uint)i}; return v; }"};
 *     clf_top_k_plan(context, &order, CLF_DESCENDING, NULL, &plan, NULL);
 *     clf_top_k(plan, CLF_ON(queue), n, 10, &keys, largest_and_where);
 *
 * A radix select (Alabi et al. 2012): it reads digits of keys from the top, eight bits a pass, until the k first
 * elements are known. These are written in input order, then sorted. In a long array, one pass first collects
 * candidates: the elements not behind a threshold from a sample. Where the sample misleads, or all keys are equal, the
 * passes read the whole input. All of this is decided on the device; the host does not wait for it. Up to a few
 * thousand results are sorted by counting, more by a sort. Variants: "groups", and "cpu".
 */
CLF_API clf_status clf_top_k_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                  const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a top-k of n elements.
 *
 * k     how many are wanted. There are min(k, n) results; so the k-th element by itself ("nth element") is the last
 *       result of a top-k
 * in    one array of n elements per field of clf_input, then the captured ones, as in clf_scan
 * out   one array of min(k, n) elements per field of clf_value, none of which overlaps an input (CLF_E_ALIAS)
 *
 * There is no initial value. With no results, no array is used. clf_plan_scratch returns enough for any k, which is at
 * least what a sort takes. With a size on the device (call->actual) there are min(k, that size) results.
 */
CLF_API clf_status clf_top_k(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong k, const clf_array *in,
                             const clf_array *out);

/*
 * The same for each of `count` rows of `size` elements, one behind the other, by the same plan: out has [count][min(k,
 * size)] elements. The index that a map gets counts through all rows. With CLF_FROM_DEVICE call->actual is the number
 * of rows.
 *
 * Short rows, and many, are read once: a few elements of each by a warp, more by a group. Long rows, and fewer than the
 * device has groups for, are read by several groups each, some times over. More than 16384 sorted results of each row
 * cost a sort for each. Rows of about 2^10 elements are the fast case; src/manual/limits.md has times of others.
 */
CLF_API clf_status clf_segmented_top_k(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size, cl_ulong k,
                                       const clf_array *in, const clf_array *out);

#ifdef __cplusplus
}
#endif
#endif
