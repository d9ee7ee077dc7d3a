/* SPDX-License-Identifier: MIT */
/* One-call functions: a part of clfold.h, which says how every call behaves. */
#ifndef CLFOLD_ONE_CALL_H
#define CLFOLD_ONE_CALL_H

#include <clfold/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 17. One-call functions ---------------------------------------------------------------------------- */

/*
 * Plain cases without a plan of your own. The plan is compiled on first use (that one call is slow), and the context
 * stores it. `in` and `out` are one array each. CLF_E_ARGUMENT if the operator does not exist on the type.
 *
 *     clf_inclusive_scan(context, CLF_ON(queue), CLF_SUM, CLF_FLOAT, n, in, out);
 *
 * A size or an initial value on the device (clf_call.actual, .initial_arrays) is valid where the primitive takes one; a
 * second plan with CLF_FROM_DEVICE then runs the call. So a call can depend on the result count of an earlier one:
 *
 *     clf_array_filter(context, CLF_ON(queue), CLF_INT, n, in, flags, kept, count);
 *     clf_call of_kept = {.size = sizeof of_kept, .queue = queue, .actual = count};
 *     clf_inclusive_scan(context, &of_kept, CLF_SUM, CLF_INT, n, kept, totals);
 *
 * An output may take the place of an input where a call of the primitive allows that. All sorts are stable.
 */
CLF_API clf_status clf_inclusive_scan(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong n,
                                      clf_array in, clf_array out);
CLF_API clf_status clf_exclusive_scan(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong n,
                                      clf_array in, clf_array out);

/* n elements to one. */
CLF_API clf_status clf_array_reduce(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong n,
                                    clf_array in, clf_array out);

/* Every row of a [count][size] array by itself: scanned, or reduced to one element. */
CLF_API clf_status clf_rows_inclusive_scan(clf_context *context, const clf_call *call, clf_op op, clf_type type,
                                           cl_ulong count, cl_ulong size, clf_array in, clf_array out);
CLF_API clf_status clf_rows_exclusive_scan(clf_context *context, const clf_call *call, clf_op op, clf_type type,
                                           cl_ulong count, cl_ulong size, clf_array in, clf_array out);
CLF_API clf_status clf_rows_reduce(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong count,
                                   cl_ulong size, clf_array in, clf_array out);

/*
 * Every column of a [rows][columns] matrix reduced to one element: `out` has `columns` elements. The matrix is
 * transposed first, so scratch is as much as `in`, and a few bytes more. The size cannot lie on the device.
 */
CLF_API clf_status clf_columns_reduce(clf_context *context, const clf_call *call, clf_op op, clf_type type,
                                      cl_ulong rows, cl_ulong columns, clf_array in, clf_array out);

/*
 * Every segment of n elements by itself, whatever their lengths. `offsets` has count + 1 ascending numbers of
 * offset_type, which is CLF_UINT or CLF_ULONG: segment k is elements offsets[k] up to, not including, offsets[k + 1].
 * offsets[0] is 0, and offsets[count] is n. A reduction has one result for each segment; that of an empty one is the
 * result of `op` for no elements.
 */
CLF_API clf_status clf_segments_inclusive_scan(clf_context *context, const clf_call *call, clf_op op, clf_type type,
                                               clf_type offset_type, cl_ulong n, cl_ulong count, clf_array offsets,
                                               clf_array in, clf_array out);
CLF_API clf_status clf_segments_exclusive_scan(clf_context *context, const clf_call *call, clf_op op, clf_type type,
                                               clf_type offset_type, cl_ulong n, cl_ulong count, clf_array offsets,
                                               clf_array in, clf_array out);
CLF_API clf_status clf_segments_reduce(clf_context *context, const clf_call *call, clf_op op, clf_type type,
                                       clf_type offset_type, cl_ulong n, cl_ulong count, clf_array offsets,
                                       clf_array in, clf_array out);

/*
 * The least or the largest element and its index, of index_type, which is CLF_UINT or CLF_ULONG. The forms are: of an
 * array; of each row of a [count][size] array, where indices count from the row's start; of each segment, where they
 * count from the start of the whole array. The first of equal elements is taken; -0 and +0 are equal. NaNs are
 * ignored, unless all elements are NaNs: then the first is taken. So the value always is the element at the index.
 * Without elements the value is the result of CLF_MIN or CLF_MAX for none, and the index has all bits set.
 *
 * CLF_E_OVERFLOW if index_type is CLF_UINT, and the array (or each row) has 2^32 elements or more.
 */
CLF_API clf_status clf_array_argmin(clf_context *context, const clf_call *call, clf_type type, clf_type index_type,
                                    cl_ulong n, clf_array in, clf_array out_value, clf_array out_index);
CLF_API clf_status clf_array_argmax(clf_context *context, const clf_call *call, clf_type type, clf_type index_type,
                                    cl_ulong n, clf_array in, clf_array out_value, clf_array out_index);
CLF_API clf_status clf_rows_argmin(clf_context *context, const clf_call *call, clf_type type, clf_type index_type,
                                   cl_ulong count, cl_ulong size, clf_array in, clf_array out_values,
                                   clf_array out_indices);
CLF_API clf_status clf_rows_argmax(clf_context *context, const clf_call *call, clf_type type, clf_type index_type,
                                   cl_ulong count, cl_ulong size, clf_array in, clf_array out_values,
                                   clf_array out_indices);
CLF_API clf_status clf_segments_argmin(clf_context *context, const clf_call *call, clf_type type, clf_type index_type,
                                       clf_type offset_type, cl_ulong n, cl_ulong count, clf_array offsets,
                                       clf_array in, clf_array out_values, clf_array out_indices);
CLF_API clf_status clf_segments_argmax(clf_context *context, const clf_call *call, clf_type type, clf_type index_type,
                                       clf_type offset_type, cl_ulong n, cl_ulong count, clf_array offsets,
                                       clf_array in, clf_array out_values, clf_array out_indices);

/*
 * clf_array_filter: those of n elements whose byte in `flags` is not 0, in order. clf_array_unique: the first element
 * of each run of equal neighbours (==, so each NaN is a run). `out` has room for n elements. It may be `in`; scratch
 * then has a copy of `in`. The number of results is stored in result_count, a cl_ulong.
 */
CLF_API clf_status clf_array_filter(clf_context *context, const clf_call *call, clf_type type, cl_ulong n, clf_array in,
                                    clf_array flags, clf_array out, clf_array result_count);
CLF_API clf_status clf_array_unique(clf_context *context, const clf_call *call, clf_type type, cl_ulong n, clf_array in,
                                    clf_array out, clf_array result_count);

/*
 * Run-length encoding: the element and the length of each run of equal neighbours (== as above). Lengths are cl_ulongs,
 * because a run may be longer than 32 bits can count. Both arrays have room for n. result_count is as above.
 */
CLF_API clf_status clf_array_run_lengths(clf_context *context, const clf_call *call, clf_type type, cl_ulong n,
                                         clf_array in, clf_array out_values, clf_array out_lengths,
                                         clf_array result_count);

/* Sorts n elements, the least first, or the largest (NaNs last); `out` may be `in`. */
CLF_API clf_status clf_array_sort(clf_context *context, const clf_call *call, clf_type type, cl_ulong n, clf_array in,
                                  clf_array out);
CLF_API clf_status clf_array_sort_descending(clf_context *context, const clf_call *call, clf_type type, cl_ulong n,
                                             clf_array in, clf_array out);

/*
 * Sorts n keys, each with a payload of payload_bytes, 1 to 16. Offsets of payload arrays count payloads. Equal keys
 * keep their order, and so do their payloads. `flags`, here and below, are CLF_DESCENDING, CLF_TOTAL_ORDER, both or 0.
 * In both directions NaNs come last, unless CLF_TOTAL_ORDER orders them (section 12). out_keys may be `keys`, and
 * out_payloads `payloads`.
 *
 * Scratch is as much as the output, and some hundredths of it. Payloads of 1, 2, 4, 8 and 16 bytes are sorted directly.
 * Others are first split into words, and joined again after the sort. That takes additional scratch of the payloads'
 * size, or twice that if n lies on the device.
 */
CLF_API clf_status clf_array_sort_pairs(clf_context *context, const clf_call *call, clf_type key_type,
                                        size_t payload_bytes, unsigned flags, cl_ulong n, clf_array keys,
                                        clf_array payloads, clf_array out_keys, clf_array out_payloads);

/*
 * The order of a sort of n elements: sorted[i] is in[out_indices[i]]. Indices are of index_type, which is CLF_UINT or
 * CLF_ULONG (CLF_E_OVERFLOW if n does not fit it). `in` is not modified; out_indices overlaps nothing. Scratch is twice
 * as much as `in`, and as much as the indices, and some hundredths of that.
 */
CLF_API clf_status clf_array_argsort(clf_context *context, const clf_call *call, clf_type type, clf_type index_type,
                                     unsigned flags, cl_ulong n, clf_array in, clf_array out_indices);

/* Sorts every row of a [count][size] array, or every segment by its offsets, by itself; `out` may be `in`. */
CLF_API clf_status clf_rows_sort(clf_context *context, const clf_call *call, clf_type type, unsigned flags,
                                 cl_ulong count, cl_ulong size, clf_array in, clf_array out);
CLF_API clf_status clf_segments_sort(clf_context *context, const clf_call *call, clf_type type, clf_type offset_type,
                                     unsigned flags, cl_ulong n, cl_ulong count, clf_array offsets, clf_array in,
                                     clf_array out);

/*
 * clf_array_shuffle puts n elements in random order; `out` may be `in`. clf_array_permutation returns the order itself:
 * indices below n of index_type, which is CLF_UINT or CLF_ULONG. shuffled[i] is in[permutation[i]]. Any 64 bits are a
 * seed. The same seed gives the same order of n elements on every device. All orders are as likely as 64 bits can make
 * them: elements are sorted by random keys of 64 bits. Philox4x32-10 (Salmon et al. 2011) makes these; it is no
 * generator for secrets.
 */
CLF_API clf_status clf_array_shuffle(clf_context *context, const clf_call *call, clf_type type, cl_ulong n,
                                     cl_ulong seed, clf_array in, clf_array out);
CLF_API clf_status clf_array_permutation(clf_context *context, const clf_call *call, clf_type index_type, cl_ulong n,
                                         cl_ulong seed, clf_array out);

/* The first min(k, n) of n elements as sorted: the least ones first, or, if `largest`, the largest (NaNs last). */
CLF_API clf_status clf_array_top_k(clf_context *context, const clf_call *call, clf_type type, cl_bool largest,
                                   cl_ulong n, cl_ulong k, clf_array in, clf_array out);

/*
 * The same with the index of each, of index_type, CLF_UINT or CLF_ULONG (CLF_E_OVERFLOW if n does not fit it). And the
 * same for each row of a [count][size] array: `out` is [count][min(k, size)], and indices count in the row.
 */
CLF_API clf_status clf_array_arg_top_k(clf_context *context, const clf_call *call, clf_type type, clf_type index_type,
                                       cl_bool largest, cl_ulong n, cl_ulong k, clf_array in, clf_array out,
                                       clf_array out_indices);
CLF_API clf_status clf_rows_top_k(clf_context *context, const clf_call *call, clf_type type, cl_bool largest,
                                  cl_ulong count, cl_ulong size, cl_ulong k, clf_array in, clf_array out);
CLF_API clf_status clf_rows_arg_top_k(clf_context *context, const clf_call *call, clf_type type, clf_type index_type,
                                      cl_bool largest, cl_ulong count, cl_ulong size, cl_ulong k, clf_array in,
                                      clf_array out, clf_array out_indices);

/*
 * Counts the elements in each of `bins` bins: `out` has `bins` cl_uints. Elements are of an integer type, and are their
 * own bin numbers. Negative elements, and those not below `bins`, are ignored.
 */
CLF_API clf_status clf_array_histogram(clf_context *context, const clf_call *call, clf_type type, cl_ulong n,
                                       cl_ulong bins, clf_array in, clf_array out);

/*
 * The same for numbers, CLF_FLOAT or CLF_DOUBLE, and bins of equal width. `begin_and_width` has two numbers of that
 * type on the device: the start of bin 0, and the width of each bin. (clf_array_histogram_range takes two ends
 * instead.) Element x is in bin floor((x - begin) / width), as the device rounds that. NaNs are ignored, too. There are
 * at most 2^32 - 256 bins (else CLF_E_OVERFLOW). Ten bins from 0 to 1:
 *
 *     const cl_float begin_and_width[] = {0, 0.1f};
 */
CLF_API clf_status clf_array_histogram_even(clf_context *context, const clf_call *call, clf_type type, cl_ulong n,
                                            cl_ulong bins, clf_array begin_and_width, clf_array in, clf_array out);

/* A flag of the two histograms below: the last bin includes its upper end, as in NumPy. */
#define CLF_UPPER_END 0x1000u

/*
 * A histogram by edges: bin i has the elements x with edges[i] <= x < edges[i + 1]. With CLF_UPPER_END the last bin
 * also has x == edges[bins]. `edges` has bins + 1 ascending elements; elements and edges are of any scalar type. `out`
 * has a count for each bin, of count_type: CLF_UINT or CLF_ULONG. `flags` is CLF_UPPER_END or 0.
 *
 * Elements outside of all bins, and NaNs, are not counted. A bin between equal edges is empty. With CLF_UPPER_END, if
 * the last edges are equal, the last bin has the elements equal to them. If edges do not ascend, or are NaNs, each
 * element is counted once or not at all, in an unspecified bin, and nothing else happens. There are at most 2^32 - 1
 * bins (else CLF_E_OVERFLOW). A call without elements, or without bins, does not read the edges.
 */
CLF_API clf_status clf_array_histogram_edges(clf_context *context, const clf_call *call, clf_type type,
                                             clf_type count_type, unsigned flags, cl_ulong n, cl_ulong bins,
                                             clf_array edges, clf_array in, clf_array out);

/*
 * The same with bins of equal width between two ends, of CLF_FLOAT or CLF_DOUBLE. `low_and_high` has two numbers of
 * that type on the device. Edge i is low + i * ((high - low) / bins), as the device rounds each step, and the last one
 * is high. So each element from low to below high is counted once; with CLF_UPPER_END also one that equals high. If an
 * end is infinite or NaN, or low above high, nothing is counted. There are at most 2^32 - 256 bins (else
 * CLF_E_OVERFLOW).
 */
CLF_API clf_status clf_array_histogram_range(clf_context *context, const clf_call *call, clf_type type,
                                             clf_type count_type, unsigned flags, cl_ulong n, cl_ulong bins,
                                             clf_array low_and_high, clf_array in, clf_array out);

/*
 * GROUP BY: elements with equal keys, in any order, combined by `op`, or counted (a cl_ulong each). Groups are in
 * ascending order of their keys. Elements of a group are combined in input order, though sums of floats may be
 * associated differently from call to call. -0 and +0 are one group, whose key is the first of them. NaNs are one
 * group, the last. Two calls on the same keys write their groups in the same order: a mean is a sum over a count.
 *
 * Outputs have room for n elements. Results may be in place: out_keys may be `keys`, and so on. The number of groups is
 * stored in result_count, a cl_ulong. Keys and values are first sorted to scratch: that is twice as much as both, and
 * some hundredths.
 */
CLF_API clf_status clf_array_group_by(clf_context *context, const clf_call *call, clf_op op, clf_type key_type,
                                      clf_type value_type, cl_ulong n, clf_array keys, clf_array values,
                                      clf_array out_keys, clf_array out_values, clf_array result_count);
CLF_API clf_status clf_array_group_counts(clf_context *context, const clf_call *call, clf_type key_type, cl_ulong n,
                                          clf_array keys, clf_array out_keys, clf_array out_counts,
                                          clf_array result_count);

/* A [rows][columns] matrix of elements of 1 to 16 bytes. */
CLF_API clf_status clf_matrix_transpose(clf_context *context, const clf_call *call, size_t element_bytes, cl_ulong rows,
                                        cl_ulong columns, clf_array in, clf_array out);

#ifdef __cplusplus
}
#endif
#endif
