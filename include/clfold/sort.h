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
 * A flag of all sorts: calls overwrite their inputs, which hold anything afterwards, and use them instead of arrays in
 * scratch. clf_plan_scratch returns what is still needed: for clf_sort counters, some hundredths of the output. With a
 * map inputs are not the values that are sorted, and such plans are CLF_E_ARGUMENT. Inputs must not be CL_MEM_READ_ONLY
 * buffers (CLF_E_BUFFER). They must not overlap an output, each other, or any other array of the call (CLF_E_ALIAS); so
 * no call is in place.
 *
 * With an even number of passes the values of a radix sort end up in the input, so one more copy is made. That is the
 * case if an even number of the key's bytes differ, for example all four of random 32-bit keys. Merge sorts cost
 * nothing extra.
 */
#define CLF_OVERWRITE_INPUT 0x400u

/*
 * Compiles a stable sort of tuples by a key: a scalar of any type, or a ulong2, an unsigned number of 128 bits of which
 * .y is the upper half. `flags` are CLF_DESCENDING, CLF_TOTAL_ORDER, CLF_OVERWRITE_INPUT and CLF_FROM_DEVICE. `options`
 * and `error` may be NULL.
 *
 *     static const clf_operator keys = {.size = sizeof keys, .value = "float key;"};
 *     static const clf_operator pairs = {.size = sizeof pairs, .value = "float key; uint payload;"};
 *     static const clf_operator nearest = {.size = sizeof nearest, .value = "float x; float y;", .key = "float radius",
 *                                          .source = "float radius(clf_value p) { return hypot(p.x, p.y); }"};
 *     static const clf_operator order = {.size = sizeof order, .input = "float key;", .value = "float key; uint at;",
 *                                        .map = "at", .source = "clf_value at(clf_input x, ulong i)"
 *                                                               "{ clf_value v = {x.key, (uint)i}; return v; }"};
 *     static const clf_operator names = {.size = sizeof names, .value = "ulong head; ulong tail;",
 *                                        .key = "ulong2 name",
 *                                        .source = "ulong2 name(clf_value v) { return (ulong2)(v.tail, v.head); }"};
 *
 * The key is the first field of the value, or what the operator's `key` returns for a value. If no function is named,
 * there is no source. The map makes values of input elements first. Operator `order` above does: it writes the sorted
 * keys and their old places. To sort by several keys, sort by the least significant one first, and by the most
 * significant one last. A range of bits is a key of a smaller type: `uchar low(clf_value v) { return (uchar)v.id; }`.
 * Key and map must be pure: both are evaluated more than once for one element.
 *
 * `key` may look into captured arrays. So row numbers are sorted by a column that is not moved, or by several, one sort
 * after the other. `key` is asked about values of the input and no others, in each pass: of a large column a map, which
 * sees each once, may make keys faster. `clf_size` means nothing there.
 *
 *     static const clf_operator rows = {.size = sizeof rows, .value = "uint row;", .captured = "float column;",
 *                                       .key = "float of",
 *                                       .source = "float of(clf_value v, const clf_captured *c)"
 *                                                 "{ return c->column[v.row]; }"};
 *
 * Values with equal keys stay in the order of the input, when descending, too. Floating-point keys: −0 equals +0. All
 * NaNs are equal and come last, when descending, too. CLF_TOTAL_ORDER orders by sign and bits instead: −NaN, −infinity
 * … −0, +0 … infinity, NaN, and backwards when descending. Values keep their bits.
 *
 * A radix sort, eight bits a pass (Satish, Harris and Garland 2009). The device skips the pass of a digit in which all
 * keys agree, so small numbers in wide types sort like those of small types. Scratch is as much as the output (with
 * CLF_OVERWRITE_INPUT none of that), and a kilobyte or two for each few thousand elements. Variants:
 *
 *   - "lookback": each pass is one launch that reads and writes each value once (Adinets and Merrill 2022)
 *   - "two_pass": no group waits for another
 *   - "cpu"
 *
 * On GPUs "ranks" takes small calls: groups sort tiles, and an element's place is its rank among these. Keys of more
 * than 4 bytes go to "merge", with the launches of a clf_merge_sort, if there is no map and a value has up to 8 words.
 * Small is up to 2^15 elements for each byte of the key (of 4 bytes at most in "ranks"), or the parameter "limit" of
 * role "small". What fits one group "one_group" sorts in one launch and without scratch (role "few").
 *
 * "counting" and "counting_cpu" take values that are one integer of 8 or 16 bits and their own key, with or without a
 * map. In total order they take a half, too. The input is read once, and the output written; scratch does not grow with
 * it. For other values these are CLF_E_UNSUPPORTED.
 */
CLF_API clf_status clf_sort_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                 const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a sort of n elements.
 *
 * in    one array of n elements per field of clf_input, then the captured ones, as in clf_scan
 * out   one array of n elements per field of clf_value. Each is exactly an input (sorted in place), or overlaps none
 *       (CLF_E_ALIAS); with CLF_OVERWRITE_INPUT it overlaps none
 *
 * There is no initial value. n may be anything that memory holds; variant "lookback" takes 2^36 elements and more.
 */
CLF_API clf_status clf_sort(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                            const clf_array *out);

/*
 * Compiles a sort of every row of a [count][size] array by itself. Operators, flags, options and the order are as in
 * clf_sort_plan; the index that a map gets counts through all rows. With CLF_FROM_DEVICE the number of rows may lie on
 * the device. Rows of rows, [a][b][size], are [a * b][size]. One plan works for every count and size.
 *
 * Tiles are sorted in local memory. The tiles of a longer row are then merged in pairs, in passes that double the
 * length ("merge path": Green, McColl and Bader 2012). Rows of up to a tile are read once and written once, in one
 * launch without scratch. Longer rows are read and written once more for each doubling. Variants: "large", "medium" and
 * "small", by the size of the tile, and "cpu"; each call takes the one that suits its rows.
 *
 * Rows that would need more time for those passes are sorted digit by digit as by clf_sort, all in the same launches.
 * That excludes CPUs, a number of rows on the device, and a variant that the caller names.
 */
CLF_API clf_status clf_segmented_sort_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                           const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a sort of `count` rows of `size` elements, one after the other in each array. Everything else is as in
 * clf_sort with n = count * size, in place included. clf_plan_scratch returns what rows of any size may need.
 */
CLF_API clf_status clf_segmented_sort(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size,
                                      const clf_array *in, const clf_array *out);

/*
 * Compiles a sort of segments of any lengths (section 7), each by itself. Everything else is as in
 * clf_segmented_sort_plan. A map's index counts through all elements, and the size that may lie on the device is n.
 *
 * Tiles cut segments anywhere. Elements of segments within one tile are read and written once. The others are read and
 * written once more for each doubling of tiles until their own segment is done, however long others are. Segments that
 * would need more time for those passes are sorted digit by digit, all in the same launches. That excludes CPUs,
 * devices without lanes or whose groups may not wait for others, calls of 2^30 elements and more, and variants by name.
 */
CLF_API clf_status clf_irregular_sort_plan(clf_context *context, const clf_operator *op,
                                           const clf_segmentation *segmentation, unsigned flags,
                                           const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a sort of n elements in segments that the array `segments` describes; `count` and `segments` are as in
 * clf_irregular_scan, the other arrays as in clf_sort. If call->actual makes the number of elements smaller, segments
 * end there.
 */
CLF_API clf_status clf_irregular_sort(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong count,
                                      const clf_array *segments, const clf_array *in, const clf_array *out);

/*
 * Compiles a stable sort of tuples by comparison: in the order of the operator's `less`, a strict weak order, where
 * less(a, b) is true if a comes before b. `flags` are CLF_OVERWRITE_INPUT, CLF_FROM_DEVICE, both or 0. `options` and
 * `error` may be NULL.
 *
 *     static const clf_operator names = {.size = sizeof names, .value = "ulong head; ulong tail; uint id;",
 *                                        .less = "before",
 *                                        .source = "bool before(clf_input a, clf_input b)"
 *                                                  "{ return a.head != b.head ? a.head < b.head : a.tail != b.tail ?"
 *                                                  "a.tail < b.tail : a.id < b.id; }"};
 *
 * This is for orders that no key of 128 bits expresses; otherwise a sort by keys is faster. The operator has `value`
 * fields and `less`, and no map, input or extra fields. If `less` is no strict weak order (a < b is none for floats
 * with NaNs), the order of results is unspecified. They are all elements, each once.
 *
 * `less` may look into captured arrays. So indices are sorted by what they stand for, strings or wide rows, which are
 * not moved (tests/examples/strings.c). `less` is asked about elements of the input and no others:
 *
 *     static const clf_operator rows = {.size = sizeof rows, .value = "uint row;",
 *                                       .captured = "int major; float minor;", .less = "before",
 *                                       .source = "bool before(clf_input a, clf_input b, const clf_captured *c) {"
 *                                                 "int x = c->major[a.row], y = c->major[b.row];"
 *                                                 "return x != y ? x < y : c->minor[a.row] < c->minor[b.row]; }"};
 *
 * A merge sort: one group sorts each tile. Then runs are merged two by two, in about log2(n / tile) rounds, each of
 * which reads and writes every element. Merge path cuts merges into equal tiles (Odeh et al. 2012; Green, McColl and
 * Bader 2012), so that the time does not depend on the data. No group waits for another. Scratch is as much as the
 * output (with CLF_OVERWRITE_INPUT none of that), and 16 bytes per tile. Variants: "tiles", and "cpu".
 */
CLF_API clf_status clf_merge_sort_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                       const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a sort of n elements by comparison.
 *
 * in    one array of n elements per field of clf_value, then the captured ones
 * out   one array of n elements per field. Each is exactly an input (sorted in place), or overlaps none (CLF_E_ALIAS);
 *       with CLF_OVERWRITE_INPUT it overlaps none. None overlaps a captured array
 *
 * There is no initial value. With CLF_FROM_DEVICE the number of launches depends on n, not on the number of elements on
 * the device.
 */
CLF_API clf_status clf_merge_sort(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                                  const clf_array *out);

/*
 * Compiles a test whether elements are sorted, by an operator as in clf_merge_sort_plan. `flags` is 0 or
 * CLF_FROM_DEVICE. `options` and `error` may be NULL. One launch reads all elements once, and a small one combines the
 * groups' results. Variants: "tiles", with 8 bytes of scratch per group, and "cpu".
 */
CLF_API clf_status clf_is_sorted_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                      const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a test whether n elements are sorted.
 *
 * in            one array of n elements per field of clf_value, then the captured ones
 * result_count  where a cl_ulong is written: the number of elements, from the first on, that are sorted. It is the
 *               index of the first one that is less than its predecessor, or n if all are sorted
 *
 * There is no initial value. For n = 0 the result is 0, and no other array is used.
 */
CLF_API clf_status clf_is_sorted(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                                 const clf_array *result_count);

/*
 * A flag of plans for the first elements of a sort (clf_top_k_plan): they come in the order of the input.
 */
#define CLF_UNSORTED 0x80u

/*
 * Compiles a top-k: exactly the first k elements of what clf_sort writes by the same operator and flags, for little
 * more than one reading of the input. So equal keys are taken in input order, and NaNs last. `flags` are
 * CLF_DESCENDING, CLF_TOTAL_ORDER, CLF_FROM_DEVICE and CLF_UNSORTED. With CLF_UNSORTED the same elements come in input
 * order: of many results that saves a sort, few may take longer. `options` and `error` may be NULL.
 *
 * The operator is as in clf_sort_plan. The map can return indices ("argtopk"). The ten largest of n floats, and where
 * they are:
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
 * thousand results are sorted by counting, more by a sort. Where elements are few, one group sorts all, as by clf_sort.
 * Variants: "groups", and "cpu".
 */
CLF_API clf_status clf_top_k_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                  const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a top-k of n elements.
 *
 * k     the number of results, which are min(k, n). So the k-th element by itself ("nth element") is the last result
 *       of a top-k
 * in    one array of n elements per field of clf_input, then the captured ones, as in clf_scan
 * out   one array of min(k, n) elements per field of clf_value, none of which overlaps an input (CLF_E_ALIAS)
 *
 * There is no initial value. With no results, no array is used. clf_plan_scratch returns enough for any k, which is at
 * least what a sort takes. With a size on the device (call->actual) there are min(k, that size) results.
 */
CLF_API clf_status clf_top_k(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong k, const clf_array *in,
                             const clf_array *out);

/*
 * The same for each of `count` rows of `size` elements, one after the other, by the same plan. `out` has [count][min(k,
 * size)] elements. The index that a map gets counts through all rows. With CLF_FROM_DEVICE call->actual is the number
 * of rows.
 *
 * Short rows, if there are many, are read once: a warp takes a row for few results, a group for more. Long rows, if
 * there are fewer than the device runs groups, are read several times by several groups each. More than 16384 sorted
 * results per row cost a sort for each row. Rows of about 2^10 elements are the fast case; src/manual/limits.md has
 * times of others.
 */
CLF_API clf_status clf_segmented_top_k(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size, cl_ulong k,
                                       const clf_array *in, const clf_array *out);

/*
 * Compiles a top-k of segments of any lengths (section 7), which are told by offsets or lengths: of each segment the
 * first k elements of what clf_irregular_sort writes, or all of a shorter one. Everything else is as in clf_top_k_plan;
 * the index that a map gets counts through all elements.
 *
 * Short segments are sorted in registers. Longer ones are cut into pieces of some thousand elements, a few of which are
 * left of each, and these again: so a giant takes little more time than as many elements in short segments. That is for
 * up to 128 results each (on CPUs 64), or, with CLF_UNSORTED, for any k. More sorted results cost a sort of all
 * segments. Variants: "groups", and "cpu".
 */
CLF_API clf_status clf_irregular_top_k_plan(clf_context *context, const clf_operator *op,
                                            const clf_segmentation *segmentation, unsigned flags,
                                            const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a top-k of n elements in segments that the array `segments` describes.
 *
 * count           the number of segments, which is 0 only if n is
 * k               the most results of each: a segment of m elements has min(k, m), which follow those of the segment
 *                 before it
 * in              as in clf_top_k
 * out             one array of min(n, count * k) elements per field of clf_value, of which the results come first. None
 *                 overlaps an input, or `segments` (CLF_E_ALIAS)
 * result_offsets  NULL, or where count + 1 cl_ulongs are written: where the results of each segment begin, and behind
 *                 the last one how many there are
 *
 * There is no initial value. `segments` may be an input array as well. If call->actual makes the number of elements
 * smaller, segments end there. With no results, only result_offsets is used. clf_plan_scratch returns enough for any k.
 */
CLF_API clf_status clf_irregular_top_k(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong count, cl_ulong k,
                                       const clf_array *segments, const clf_array *in, const clf_array *out,
                                       const clf_array *result_offsets);

#ifdef __cplusplus
}
#endif
#endif
