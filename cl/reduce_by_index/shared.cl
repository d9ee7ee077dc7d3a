/* SPDX-License-Identifier: MIT */
/*
 * shared: one table in global memory that all groups add to. Values that are a cell by themselves may have it where the
 * results belong (CLF_INDEX_DIRECT).
 *
 * needs: a->how, a->tables
 * provides: clf_shared_cells, clf_shared_clear
 */
#include "reduce_by_index/cell.cl"
#include "reduce_by_index/result.cl"

#define CLF_CELL_IS_VALUE (CLF_VALUE_COUNT == 1 && CLF_VALUE_BYTES == CLF_CELL_BYTES)

static inline volatile __global clf_cell *clf_shared_cells(const clf_arguments *a)
{
#if CLF_CELL_IS_VALUE
    if (a->how & CLF_INDEX_DIRECT)
        return (volatile __global clf_cell *)a->out.p0;
#endif
    return (volatile __global clf_cell *)a->tables;
}

/* So many cells become neutral. */
static inline void clf_shared_clear(const clf_arguments *a, ulong count)
{
    volatile __global clf_cell *const cells = clf_shared_cells(a);
    const clf_cell neutral = clf_cell_pack(clf_neutral());
    CLF_LOOP for (ulong i = get_global_id(0); i < count; i += get_global_size(0))
        cells[i] = neutral;
}
