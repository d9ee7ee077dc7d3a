/* SPDX-License-Identifier: MIT */
/*
 * bins: how a reduction by index is cut, and where its results go.
 *
 * There are a->count rows of a->size elements, and bins for each. A row is cut into a->chunks chunks, and its bins into
 * a->slices slices. A part is all elements of a chunk whose bin lies in a slice. Parts of one chunk are neighbours in
 * the order of groups, so that all but the first find its elements in a cache. Where rows are short, a part is
 * a->rows_each rows, with one chunk and one slice.
 *
 *   tables   what parts add up to, [row][chunk][bin], until another launch combines them (finish.cl); not used where a
 *            row is one chunk: its results go where they belong (CLF_INDEX_DIRECT)
 *
 * A file that includes this one first defines how it stores the entries of tables: clf_entry_read and clf_entry_write.
 *
 * needs: entry, a->chunks, a->how, a->rows_each, a->slices
 * provides: clf_bins_part, clf_bins_part_at, clf_bins_part_done, clf_bins_parts
 */
#include "reduce_by_index/result.cl"

typedef struct {
    ulong row, rows, chunk; /* rows: 0, where the device knows of fewer rows */
    ulong from, to;         /* elements, counted through all rows */
    ulong first, width;     /* bins, of each row */
} clf_bins_part;

/* Part `number`. Chunks are equal, and begin as aligned as their row. */
static inline clf_bins_part clf_bins_part_at(const clf_arguments *a, ulong number)
{
    enum { ALIGNED = 64 };
    clf_bins_part p;
    const ulong slice = number % a->slices, bins = clf_bins(a), bins_each = (bins + a->slices - 1) / a->slices;
    p.chunk = number / a->slices % a->chunks;
    p.row = number / a->slices / a->chunks * a->rows_each;
    p.rows = min(p.row + a->rows_each, max(a->count, p.row)) - p.row;
    const ulong size = p.rows * a->size;
    const ulong each = ((size + a->chunks - 1) / a->chunks + ALIGNED - 1) / ALIGNED * ALIGNED;
    p.from = p.row * a->size + min(p.chunk * each, size);
    p.to = p.row * a->size + min(p.chunk * each + each, size);
    p.first = min(slice * bins_each, bins);
    p.width = min(p.first + bins_each, bins) - p.first;
    return p;
}

static inline ulong clf_bins_parts(const clf_arguments *a)
{
    return (a->bound + a->rows_each - 1) / a->rows_each * a->chunks * a->slices;
}

/* What a part adds up to in bin `bin`, counted through its rows. */
static inline void clf_bins_part_done(const clf_arguments *a, const clf_bins_part *p, ulong bin, clf_value v)
{
    if (!(a->how & CLF_INDEX_DIRECT))
        clf_entry_write(a, (p->row * a->chunks + p->chunk) * clf_bins(a) + bin, v);
    else if (p->rows > 0)
        clf_bin_result(a, p->row * clf_bins(a) + bin, v);
}
