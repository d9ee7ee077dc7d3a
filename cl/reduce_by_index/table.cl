/* SPDX-License-Identifier: MIT */
/*
 * table: a part's elements in a table in local memory, in a->copies copies, a power of two. With one copy, work-items
 * whose elements have the same bin would wait for each other. Copies of a bin lie side by side, in different banks.
 *
 *   CLF_CELLS         cells of the table, in all copies
 *   clf_table_fill    the group's table of a part
 *   clf_table_bin     what it has of a bin, then
 *
 * needs: a->copies, a->slices
 * provides: clf_part_cells, clf_table_bin, clf_table_fill, cells, table
 */
#include "reduce_by_index/cell.cl"
#include "reduce_by_index/cell_wide.cl"

#if !CLF_LOCKS
typedef struct {
    clf_cell cells[CLF_CELLS];
} clf_cells;

static inline void clf_cells_clear(__local clf_cells *s, uint count)
{
    const clf_cell neutral = clf_cell_pack(clf_neutral());
    CLF_LOOP for (uint i = clf_local_id(); i < count; i += CLF_GROUP)
        s->cells[i] = neutral;
}

static inline clf_value clf_cells_read(__local const clf_cells *s, uint i)
{
    return clf_cell_unpack(s->cells[i]);
}

static inline void clf_cells_add(__local clf_cells *s, uint i, clf_value v, bool wanted CLF_COMBINE_PARAMETER)
{
    clf_cell_add_local(&s->cells[i], v, wanted CLF_COMBINE_A);
}
#endif

#define CLF_BIN_WIDE (CLF_BIN_BYTES > 4)
#if CLF_BIN_WIDE
typedef ulong clf_bin;
#else
typedef uint clf_bin;
#endif

typedef struct {
    __local clf_cells *cells;
    uint copy, copies; /* copy: the work-item's */
} clf_table;

static inline void clf_table_add(const clf_table *table, clf_bin bin, clf_value v, bool wanted CLF_COMBINE_PARAMETER)
{
    clf_cells_add(table->cells, (uint)bin * table->copies + table->copy, v, wanted CLF_COMBINE_A);
}

#include "reduce_by_index/walk.cl"
#include "reduce_by_index/scatter.cl"

/* Bins of all rows of a part. */
static inline uint clf_part_cells(const clf_bins_part *p)
{
    return (uint)(p->rows * p->width);
}

CLF_INLINE void clf_table_fill(const clf_arguments *a, const clf_bins_part *p, __local clf_cells *s)
{
    const clf_table table = {s, clf_local_id() & (a->copies - 1), a->copies};
    clf_cells_clear(s, clf_part_cells(p) * a->copies);
    clf_group_sync();
#ifdef CLF_NATIVE
    if (p->rows <= 1)
        clf_scatter_part(a, p, s->cells + table.copy);
    else
        clf_walk(a, p, &table, true);
#elif CLF_LOCKS
    if (a->slices > 1)
        clf_walk_picked(a, p, &table);
    else
        clf_walk(a, p, &table, true);
#else
    clf_walk(a, p, &table, true);
#endif
    clf_group_sync();
}

/* All copies of a bin. Neighbouring work-items, of neighbouring bins, begin with different copies: in other banks. */
static inline clf_value clf_table_bin(const clf_arguments *a, uint bin, __local clf_cells *s)
{
    clf_value sum = clf_neutral();
    for (uint k = 0; k < a->copies; ++k)
        sum = clf_combine(sum, clf_cells_read(s, bin * a->copies + ((k + bin) & (a->copies - 1))));
    return sum;
}
