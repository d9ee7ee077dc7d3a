/* SPDX-License-Identifier: MIT */
/*
 * index_sorted: what a reduction by index does beside sorting its elements by their bins, and reducing what then are
 * segments (src/primitives/index_sorted.c):
 *
 *   begin     before: gives the sort the numbers of bins and rows
 *   bounds    between: where each bin begins among the sorted elements. Those of no bin lie behind all
 *   results   after, where the sums are not the results: bins that are updated, or rows that there may not be
 *
 *   tables    bins of the sorted elements
 *   told      four numbers, then offsets, one more than there are bins in all rows; the last one counts elements
 *
 * needs: a->how, a->tables, a->told
 * provides: clf_index_begin_body, clf_index_bounds_body, clf_index_results_body
 */
#include "device/lane.cl"
#include "reduce_by_index/result.cl"

/* The first three as src/operator/binned.c knows them; elements that there really are. */
enum { CLF_INDEX_SORTED_BINS, CLF_INDEX_SORTED_SIZE, CLF_INDEX_SORTED_END, CLF_INDEX_SORTED_ELEMENTS,
      CLF_INDEX_SORTED_OFFSETS };

/* Bins of all rows that the host knows of. */
static inline ulong clf_all_bins(const clf_arguments *a)
{
    return a->bound * clf_bins(a);
}

typedef uchar clf_index_begin_storage; /* none needed; nor by the others */
typedef uchar clf_index_bounds_storage;
typedef uchar clf_index_results_storage;

CLF_INLINE void clf_index_begin_body(const clf_arguments *a, __local clf_index_begin_storage *s)
{
    if (get_global_id(0) > 0)
        return;
    a->told[CLF_INDEX_SORTED_BINS] = clf_bins(a);
    a->told[CLF_INDEX_SORTED_SIZE] = a->size;
    a->told[CLF_INDEX_SORTED_END] = clf_all_bins(a);
    a->told[CLF_INDEX_SORTED_ELEMENTS] = a->count * a->size;
}

/* How many of the sorted elements are of bins before this one. */
static inline ulong clf_index_before(const clf_arguments *a, ulong bin)
{
    ulong low = 0, high = a->told[CLF_INDEX_SORTED_ELEMENTS];
    while (low < high) {
        const ulong k = low + (high - low) / 2;
        if (a->tables[k] < bin)
            low = k + 1;
        else
            high = k;
    }
    return low;
}

/* Where the elements of a bin begin, as the bounds tell. */
static inline ulong clf_index_offset(const clf_arguments *a, ulong bin)
{
    return a->told[CLF_INDEX_SORTED_OFFSETS + bin];
}

/* Offset 0 is 0, whatever lies where no element is. */
CLF_INLINE void clf_index_bounds_body(const clf_arguments *a, __local clf_index_bounds_storage *s)
{
    const ulong all = clf_all_bins(a);
    CLF_LOOP for (ulong bin = get_global_id(0); bin <= all; bin += get_global_size(0))
        a->told[CLF_INDEX_SORTED_OFFSETS + bin] = bin ? clf_index_before(a, bin) : 0;
}

#define CLF_INDEX_MADE(f, type, move, bytes, name) v.name = a->second.p##f[bin];
CLF_INLINE void clf_index_results_body(const clf_arguments *a, __local clf_index_results_storage *s)
{
    const ulong all = a->count * clf_bins(a);
    CLF_LOOP for (ulong bin = get_global_id(0); bin < all; bin += get_global_size(0)) {
        CLF_FINISHED(clf_value v; CLF_VALUE_FIELDS(CLF_INDEX_MADE), const clf_value v = clf_result_at(&a->second, bin);)
        if (!(a->how & CLF_INDEX_UPDATE))
            clf_output_at(&a->out, bin, CLF_FINISHED(clf_finish_sum(a, v, bin), v));
        else if (clf_index_offset(a, bin) < clf_index_offset(a, bin + 1))
            clf_result_put(a, bin, clf_combine(clf_result_get(a, bin), clf_code_bits(v)));
    }
}
