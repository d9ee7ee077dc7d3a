/* SPDX-License-Identifier: MIT */
/*
 * index_local: a part by a group, in a table in local memory that is there a->copies times, a power of two, for else
 * work-items that have elements of one bin would wait for each other. Copies of a bin lie side by side, in banks of
 * their own.
 *
 *   CLF_CELLS   cells of the table, in all copies
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

static inline void clf_cells_add(__local clf_cells *s, uint i, clf_value v, bool wanted)
{
    clf_cell_add_local(&s->cells[i], v, wanted);
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

static inline void clf_table_add(const clf_table *table, clf_bin bin, clf_value v, bool wanted)
{
    clf_cells_add(table->cells, (uint)bin * table->copies + table->copy, v, wanted);
}

#include "reduce_by_index/walk.cl"
#include "reduce_by_index/scatter.cl"
#include "reduce_by_index/finish_team.cl"

typedef clf_cells clf_index_local_storage;

/* All copies of a bin. Neighbouring work-items, of neighbouring bins, begin with different copies: in other banks. */
static inline clf_value clf_index_copies(const clf_arguments *a, uint bin, __local clf_index_local_storage *s)
{
    clf_value sum = clf_neutral();
    for (uint k = 0; k < a->copies; ++k)
        sum = clf_combine(sum, clf_cells_read(s, bin * a->copies + ((k + bin) & (a->copies - 1))));
    return sum;
}

CLF_INLINE void clf_index_local_body(const clf_arguments *a, __local clf_index_local_storage *s)
{
    const clf_part p = clf_part_at(a, get_group_id(0));
    const uint cells = (uint)(p.rows * p.width);
    const clf_table table = {s, clf_local_id() & (a->copies - 1), a->copies};
    clf_cells_clear(s, cells * a->copies);
    clf_group_sync();
#ifdef CLF_NATIVE
    if (p.rows <= 1)
        clf_scatter_part(a, &p, s->cells + table.copy);
    else
        clf_walk(a, &p, &table, true);
#elif CLF_LOCKS
    if (a->slices > 1)
        clf_walk_picked(a, &p, &table);
    else
        clf_walk(a, &p, &table, true);
#else
    clf_walk(a, &p, &table, true);
#endif
    clf_group_sync();
    CLF_LOOP for (uint bin = clf_local_id(); bin < cells; bin += CLF_GROUP)
        clf_part_done(a, &p, p.first + bin, clf_index_copies(a, bin, s));
}
