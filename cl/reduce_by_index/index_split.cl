/* SPDX-License-Identifier: MIT */
/*
 * index_split: for very many elements, and more bins than a table in local memory holds. A split (split/) has put the
 * elements in order of ranges of 2^a->shift bins. Such a table holds a range, in a few slices at most. A group
 * processes one chunk's elements of one range, and adds its table to the one in global memory that all share: few
 * atomics for many elements.
 *
 *   told   for the split: bins, elements, and shift; from it: where each range begins
 *
 * needs: a->chunks, a->how, a->shift, a->slices, a->told
 * provides: clf_index_split_body, clf_index_start_body
 */
#include "reduce_by_index/table.cl"
#include "reduce_by_index/shared.cl"
#include "reduce_by_index/finish.cl"

/* The first three as src/operator/binned.c knows them. */
enum { CLF_INDEX_SPLIT_BINS, CLF_INDEX_SPLIT_SIZE, CLF_INDEX_SPLIT_SHIFT, CLF_INDEX_SPLIT_STARTS };

static inline uint clf_ranges(const clf_arguments *a)
{
    return (uint)(((clf_bins(a) - 1) >> a->shift) + 1);
}

static inline ulong clf_range_start(const clf_arguments *a, uint range)
{
    return range < clf_ranges(a) ? a->told[CLF_INDEX_SPLIT_STARTS + range] : a->size;
}

/* Chunks are equal, and begin as aligned as all elements. */
static inline ulong clf_chunk_start(const clf_arguments *a, uint chunk)
{
    enum { ALIGNED = 64 };
    const ulong each = ((a->size + a->chunks - 1) / a->chunks + ALIGNED - 1) / ALIGNED * ALIGNED;
    return min(chunk * each, a->size);
}

/* How many of the first k starts of ranges and chunks, in order, are of ranges: of equal ones, these come first. */
static inline uint clf_ranges_among(const clf_arguments *a, uint k)
{
    uint low = k > a->chunks ? k - a->chunks : 0, high = min(k, clf_ranges(a));
    while (low < high) {
        const uint j = (low + high + 1) / 2;
        if (clf_range_start(a, j - 1) <= clf_chunk_start(a, k - j))
            low = j;
        else
            high = j - 1;
    }
    return low;
}

/* Part `number`: from one start to the next, and a slice of the bins. Of no elements there are no bins. */
static inline clf_bins_part clf_ranged_part_at(const clf_arguments *a, uint number)
{
    clf_bins_part p = {0, 1, 0, 0, 0, 0, 0};
    const uint slice = number % a->slices, k = number / a->slices + 1;
    const uint range = clf_ranges_among(a, k) - 1, chunk = k - range - 1; /* chunks that have begun */
    const ulong bins = 1ul << a->shift, each = (bins + a->slices - 1) / a->slices;
    const ulong first = (ulong)range << a->shift, end = min(first + bins, clf_bins(a));
    p.from = max(clf_range_start(a, range), chunk > 0 ? clf_chunk_start(a, chunk - 1) : 0);
    p.to = min(clf_range_start(a, range + 1), clf_chunk_start(a, chunk));
    p.first = min(first + slice * each, end);
    p.width = p.from < p.to ? min(p.first + each, end) - p.first : 0;
    return p;
}

typedef uchar clf_index_start_storage; /* none needed */
typedef clf_cells clf_index_split_storage;

CLF_INLINE void clf_index_start_body(const clf_arguments *a, __local clf_index_start_storage *s)
{
    if (get_global_id(0) == 0) {
        a->told[CLF_INDEX_SPLIT_BINS] = clf_bins(a);
        a->told[CLF_INDEX_SPLIT_SIZE] = a->size;
        a->told[CLF_INDEX_SPLIT_SHIFT] = a->shift;
    }
    if (!(a->how & CLF_INDEX_DIRECT) || !(a->how & CLF_INDEX_UPDATE))
        clf_shared_clear(a, clf_bins(a));
}

CLF_INLINE void clf_index_split_body(const clf_arguments *a, __local clf_index_split_storage *s)
{
    const clf_bins_part p = clf_ranged_part_at(a, (uint)get_group_id(0));
    const uint cells = clf_part_cells(&p);
    const clf_cell neutral = clf_cell_pack(clf_neutral());
    clf_table_fill(a, &p, s);
    CLF_LOOP for (uint at = 0; at < cells; at += CLF_GROUP) {
        const uint bin = min(at + clf_local_id(), cells - 1);
        const clf_value sum = clf_table_bin(a, bin, s);
        const bool adds = at + clf_local_id() < cells && clf_cell_pack(sum) != neutral;
        clf_cell_add_global(clf_shared_cells(a) + p.first + bin, sum, adds CLF_COMBINE_A);
    }
}
