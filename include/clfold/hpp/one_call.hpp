/* SPDX-License-Identifier: MIT */
/* Plain cases without a plan of one's own (section 17 of clfold.h): the element type is that of the arrays. */
#ifndef CLFOLD_HPP_ONE_CALL
#define CLFOLD_HPP_ONE_CALL

#include "plan.hpp"

namespace clfold
{
inline namespace CLFOLD_ERRORS
{

namespace detail
{

/* `f` is a function of section 17, `more` its arguments after the call. */
template <class F, class... More> clf_status once(F f, const context &where, const call &how, More... more)
{
    const clf_call c = how.get();
    last_sentence().text[0] = 0;
    return finish(f(where.get(), &c, more...), how.where());
}

} // namespace detail

/* inclusive_scan(context, queue, clfold::sum, n, in, out) */
template <class T>
CLFOLD_STATUS inclusive_scan(const context &where, const call &how, clf_op o, cl_ulong n, const array<T> &in,
                             const array<T> &out)
{
    return detail::once(clf_inclusive_scan, where, how, o, type_of<T>(), n, in, out);
}

template <class T>
CLFOLD_STATUS exclusive_scan(const context &where, const call &how, clf_op o, cl_ulong n, const array<T> &in,
                             const array<T> &out)
{
    return detail::once(clf_exclusive_scan, where, how, o, type_of<T>(), n, in, out);
}

/* n elements to one. */
template <class T>
CLFOLD_STATUS reduce(const context &where, const call &how, clf_op o, cl_ulong n, const array<T> &in,
                     const array<T> &out)
{
    return detail::once(clf_array_reduce, where, how, o, type_of<T>(), n, in, out);
}

/* Every row of a [count][size] array by itself. */
template <class T>
CLFOLD_STATUS rows_inclusive_scan(const context &where, const call &how, clf_op o, cl_ulong count, cl_ulong size,
                                  const array<T> &in, const array<T> &out)
{
    return detail::once(clf_rows_inclusive_scan, where, how, o, type_of<T>(), count, size, in, out);
}

template <class T>
CLFOLD_STATUS rows_exclusive_scan(const context &where, const call &how, clf_op o, cl_ulong count, cl_ulong size,
                                  const array<T> &in, const array<T> &out)
{
    return detail::once(clf_rows_exclusive_scan, where, how, o, type_of<T>(), count, size, in, out);
}

template <class T>
CLFOLD_STATUS rows_reduce(const context &where, const call &how, clf_op o, cl_ulong count, cl_ulong size,
                          const array<T> &in, const array<T> &out)
{
    return detail::once(clf_rows_reduce, where, how, o, type_of<T>(), count, size, in, out);
}

/* Every column of a [rows][columns] matrix. */
template <class T>
CLFOLD_STATUS columns_reduce(const context &where, const call &how, clf_op o, cl_ulong rows, cl_ulong columns,
                             const array<T> &in, const array<T> &out)
{
    return detail::once(clf_columns_reduce, where, how, o, type_of<T>(), rows, columns, in, out);
}

/* Every segment by itself, by count + 1 offsets, cl_uint or cl_ulong. */
template <class T, class Offset>
CLFOLD_STATUS segments_inclusive_scan(const context &where, const call &how, clf_op o, cl_ulong n, cl_ulong count,
                                      const array<Offset> &offsets, const array<T> &in, const array<T> &out)
{
    return detail::once(clf_segments_inclusive_scan, where, how, o, type_of<T>(), type_of<Offset>(), n, count, offsets,
                        in, out);
}

template <class T, class Offset>
CLFOLD_STATUS segments_exclusive_scan(const context &where, const call &how, clf_op o, cl_ulong n, cl_ulong count,
                                      const array<Offset> &offsets, const array<T> &in, const array<T> &out)
{
    return detail::once(clf_segments_exclusive_scan, where, how, o, type_of<T>(), type_of<Offset>(), n, count, offsets,
                        in, out);
}

template <class T, class Offset>
CLFOLD_STATUS segments_reduce(const context &where, const call &how, clf_op o, cl_ulong n, cl_ulong count,
                              const array<Offset> &offsets, const array<T> &in, const array<T> &out)
{
    return detail::once(clf_segments_reduce, where, how, o, type_of<T>(), type_of<Offset>(), n, count, offsets, in,
                        out);
}

/* The least or the largest element, and where it is: of an array, of each row, of each segment. Indices are cl_uint or
 * cl_ulong. */
template <class T, class Index>
CLFOLD_STATUS argmin(const context &where, const call &how, cl_ulong n, const array<T> &in, const array<T> &out_value,
                     const array<Index> &out_index)
{
    return detail::once(clf_array_argmin, where, how, type_of<T>(), type_of<Index>(), n, in, out_value, out_index);
}

template <class T, class Index>
CLFOLD_STATUS argmax(const context &where, const call &how, cl_ulong n, const array<T> &in, const array<T> &out_value,
                     const array<Index> &out_index)
{
    return detail::once(clf_array_argmax, where, how, type_of<T>(), type_of<Index>(), n, in, out_value, out_index);
}

template <class T, class Index>
CLFOLD_STATUS rows_argmin(const context &where, const call &how, cl_ulong count, cl_ulong size, const array<T> &in,
                          const array<T> &out_values, const array<Index> &out_indices)
{
    return detail::once(clf_rows_argmin, where, how, type_of<T>(), type_of<Index>(), count, size, in, out_values,
                        out_indices);
}

template <class T, class Index>
CLFOLD_STATUS rows_argmax(const context &where, const call &how, cl_ulong count, cl_ulong size, const array<T> &in,
                          const array<T> &out_values, const array<Index> &out_indices)
{
    return detail::once(clf_rows_argmax, where, how, type_of<T>(), type_of<Index>(), count, size, in, out_values,
                        out_indices);
}

template <class T, class Index, class Offset>
CLFOLD_STATUS segments_argmin(const context &where, const call &how, cl_ulong n, cl_ulong count,
                              const array<Offset> &offsets, const array<T> &in, const array<T> &out_values,
                              const array<Index> &out_indices)
{
    return detail::once(clf_segments_argmin, where, how, type_of<T>(), type_of<Index>(), type_of<Offset>(), n, count,
                        offsets, in, out_values, out_indices);
}

template <class T, class Index, class Offset>
CLFOLD_STATUS segments_argmax(const context &where, const call &how, cl_ulong n, cl_ulong count,
                              const array<Offset> &offsets, const array<T> &in, const array<T> &out_values,
                              const array<Index> &out_indices)
{
    return detail::once(clf_segments_argmax, where, how, type_of<T>(), type_of<Index>(), type_of<Offset>(), n, count,
                        offsets, in, out_values, out_indices);
}

/* Those whose flag is not 0; the first of each run of equal neighbours; each run with its length. */
template <class T>
CLFOLD_STATUS filter(const context &where, const call &how, cl_ulong n, const array<T> &in,
                     const array<cl_uchar> &flags, const array<T> &out, const array<cl_ulong> &result_count)
{
    return detail::once(clf_array_filter, where, how, type_of<T>(), n, in, flags, out, result_count);
}

template <class T>
CLFOLD_STATUS unique(const context &where, const call &how, cl_ulong n, const array<T> &in, const array<T> &out,
                     const array<cl_ulong> &result_count)
{
    return detail::once(clf_array_unique, where, how, type_of<T>(), n, in, out, result_count);
}

template <class T>
CLFOLD_STATUS run_lengths(const context &where, const call &how, cl_ulong n, const array<T> &in,
                          const array<T> &out_values, const array<cl_ulong> &out_lengths,
                          const array<cl_ulong> &result_count)
{
    return detail::once(clf_array_run_lengths, where, how, type_of<T>(), n, in, out_values, out_lengths, result_count);
}

/* The least first, or the largest. `flags` of those below: CLF_DESCENDING, CLF_TOTAL_ORDER, both or 0. */
template <class T>
CLFOLD_STATUS sort(const context &where, const call &how, cl_ulong n, const array<T> &in, const array<T> &out)
{
    return detail::once(clf_array_sort, where, how, type_of<T>(), n, in, out);
}

template <class T>
CLFOLD_STATUS sort_descending(const context &where, const call &how, cl_ulong n, const array<T> &in,
                              const array<T> &out)
{
    return detail::once(clf_array_sort_descending, where, how, type_of<T>(), n, in, out);
}

/* Keys, each with a payload: any type of 1 to 16 bytes. */
template <class Key, class Payload>
CLFOLD_STATUS sort_pairs(const context &where, const call &how, cl_ulong n, const array<Key> &keys,
                         const array<Payload> &payloads, const array<Key> &out_keys,
                         const array<Payload> &out_payloads, unsigned flags = 0)
{
    return detail::once(clf_array_sort_pairs, where, how, type_of<Key>(), sizeof(Payload), flags, n, keys, payloads,
                        out_keys, out_payloads);
}

/* The order, as indices of cl_uint or cl_ulong. */
template <class T, class Index>
CLFOLD_STATUS argsort(const context &where, const call &how, cl_ulong n, const array<T> &in,
                      const array<Index> &out_indices, unsigned flags = 0)
{
    return detail::once(clf_array_argsort, where, how, type_of<T>(), type_of<Index>(), flags, n, in, out_indices);
}

template <class T>
CLFOLD_STATUS rows_sort(const context &where, const call &how, cl_ulong count, cl_ulong size, const array<T> &in,
                        const array<T> &out, unsigned flags = 0)
{
    return detail::once(clf_rows_sort, where, how, type_of<T>(), flags, count, size, in, out);
}

template <class T, class Offset>
CLFOLD_STATUS segments_sort(const context &where, const call &how, cl_ulong n, cl_ulong count,
                            const array<Offset> &offsets, const array<T> &in, const array<T> &out, unsigned flags = 0)
{
    return detail::once(clf_segments_sort, where, how, type_of<T>(), type_of<Offset>(), flags, n, count, offsets, in,
                        out);
}

/* In random order; and the order itself, of cl_uint or cl_ulong. */
template <class T>
CLFOLD_STATUS shuffle(const context &where, const call &how, cl_ulong n, cl_ulong seed, const array<T> &in,
                      const array<T> &out)
{
    return detail::once(clf_array_shuffle, where, how, type_of<T>(), n, seed, in, out);
}

template <class T>
CLFOLD_STATUS permutation(const context &where, const call &how, cl_ulong n, cl_ulong seed, const array<T> &out)
{
    return detail::once(clf_array_permutation, where, how, type_of<T>(), n, seed, out);
}

/* The k least, or largest, as sorted. */
template <class T>
CLFOLD_STATUS top_k(const context &where, const call &how, bool largest, cl_ulong n, cl_ulong k, const array<T> &in,
                    const array<T> &out)
{
    return detail::once(clf_array_top_k, where, how, type_of<T>(), static_cast<cl_bool>(largest), n, k, in, out);
}

/* With their indices; of each row of a [count][size] array. */
template <class T, class Index>
CLFOLD_STATUS arg_top_k(const context &where, const call &how, bool largest, cl_ulong n, cl_ulong k, const array<T> &in,
                        const array<T> &out, const array<Index> &out_indices)
{
    return detail::once(clf_array_arg_top_k, where, how, type_of<T>(), type_of<Index>(), static_cast<cl_bool>(largest),
                        n, k, in, out, out_indices);
}

template <class T>
CLFOLD_STATUS rows_top_k(const context &where, const call &how, bool largest, cl_ulong count, cl_ulong size, cl_ulong k,
                         const array<T> &in, const array<T> &out)
{
    return detail::once(clf_rows_top_k, where, how, type_of<T>(), static_cast<cl_bool>(largest), count, size, k, in,
                        out);
}

template <class T, class Index>
CLFOLD_STATUS rows_arg_top_k(const context &where, const call &how, bool largest, cl_ulong count, cl_ulong size,
                             cl_ulong k, const array<T> &in, const array<T> &out, const array<Index> &out_indices)
{
    return detail::once(clf_rows_arg_top_k, where, how, type_of<T>(), type_of<Index>(), static_cast<cl_bool>(largest),
                        count, size, k, in, out, out_indices);
}

/* GROUP BY: elements with equal keys combined, or counted. */
template <class Key, class T>
CLFOLD_STATUS group_by(const context &where, const call &how, clf_op o, cl_ulong n, const array<Key> &keys,
                       const array<T> &values, const array<Key> &out_keys, const array<T> &out_values,
                       const array<cl_ulong> &result_count)
{
    return detail::once(clf_array_group_by, where, how, o, type_of<Key>(), type_of<T>(), n, keys, values, out_keys,
                        out_values, result_count);
}

template <class Key>
CLFOLD_STATUS group_counts(const context &where, const call &how, cl_ulong n, const array<Key> &keys,
                           const array<Key> &out_keys, const array<cl_ulong> &out_counts,
                           const array<cl_ulong> &result_count)
{
    return detail::once(clf_array_group_counts, where, how, type_of<Key>(), n, keys, out_keys, out_counts,
                        result_count);
}

/* How many elements are in each bin: of integers, which are their bins; of numbers in bins of equal width. */
template <class T>
CLFOLD_STATUS histogram(const context &where, const call &how, cl_ulong n, cl_ulong bins, const array<T> &in,
                        const array<cl_uint> &out)
{
    return detail::once(clf_array_histogram, where, how, type_of<T>(), n, bins, in, out);
}

template <class T>
CLFOLD_STATUS histogram_even(const context &where, const call &how, cl_ulong n, cl_ulong bins,
                             const array<T> &begin_and_width, const array<T> &in, const array<cl_uint> &out)
{
    return detail::once(clf_array_histogram_even, where, how, type_of<T>(), n, bins, begin_and_width, in, out);
}

/* Between edges; or in bins of equal width from low to high. Counts are cl_uints or cl_ulongs; flags upper_end or 0. */
template <class T, class Count>
CLFOLD_STATUS histogram_edges(const context &where, const call &how, unsigned flags, cl_ulong n, cl_ulong bins,
                              const array<T> &edges, const array<T> &in, const array<Count> &out)
{
    return detail::once(clf_array_histogram_edges, where, how, type_of<T>(), type_of<Count>(), flags, n, bins, edges,
                        in, out);
}

template <class T, class Count>
CLFOLD_STATUS histogram_range(const context &where, const call &how, unsigned flags, cl_ulong n, cl_ulong bins,
                              const array<T> &low_and_high, const array<T> &in, const array<Count> &out)
{
    return detail::once(clf_array_histogram_range, where, how, type_of<T>(), type_of<Count>(), flags, n, bins,
                        low_and_high, in, out);
}

/* A [rows][columns] matrix of any elements of 1 to 16 bytes. */
template <class T>
CLFOLD_STATUS transpose(const context &where, const call &how, cl_ulong rows, cl_ulong columns, const array<T> &in,
                        const array<T> &out)
{
    return detail::once(clf_matrix_transpose, where, how, sizeof(T), rows, columns, in, out);
}

} // namespace CLFOLD_ERRORS
} // namespace clfold
#endif
