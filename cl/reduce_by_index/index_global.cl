/* SPDX-License-Identifier: MIT */
/*
 * index_global: one table in global memory, which all groups update. It is for more bins than fit local memory, and for
 * few elements beside the bins. If a value is a cell by itself, the results are updated directly. Then there is nothing
 * to finish, and with CLF_INDEX_UPDATE nothing to initialise.
 *
 * needs: a->how
 * provides: clf_index_global_body, clf_index_start_body, entry, table
 */
#include "reduce_by_index/code.cl"

static inline ulong clf_spread(const clf_arguments *a, ulong i);
#define CLF_ENTRY_PLACE(a, i) clf_spread(a, i)
#include "reduce_by_index/hot.cl"
#include "reduce_by_index/shared.cl"

/* Cells in scratch: for each of 2^CLF_SPREAD neighbours as many. */
enum { CLF_SPREAD = 5 };
static inline ulong clf_spread_each(const clf_arguments *a)
{
    return (a->bound * clf_bins(a) >> CLF_SPREAD) + 1;
}

/*
 * Where bin i, counted through all rows, has its cell: neighbours far apart, for atomics on one line of a cache wait
 * for each other, and bins with many elements have such neighbours.
 */
static inline ulong clf_spread(const clf_arguments *a, ulong i)
{
    const ulong far = (i & ((1 << CLF_SPREAD) - 1)) * clf_spread_each(a) + (i >> CLF_SPREAD);
    return a->how & CLF_INDEX_DIRECT ? i : far;
}

#define CLF_BIN_WIDE 1
typedef ulong clf_bin;

typedef struct {
    const clf_arguments *a;
    volatile __global clf_cell *cells; /* of all rows */
    ulong row;                         /* its first bin */
    __local clf_hot *hot;
} clf_table;

static inline void clf_table_add(const clf_table *table, clf_bin bin, clf_value v, bool wanted CLF_COMBINE_PARAMETER)
{
    const ulong i = table->row + bin;
    const uint place = clf_hot_place(table->hot, i);
    const bool is_hot = place < CLF_HOT_BINS;
    const uint copy = (is_hot ? place : 0) * CLF_HOT_COPIES + clf_local_id() % CLF_HOT_COPIES;
    clf_cell_add_local(&table->hot->cells[copy], v, wanted && is_hot CLF_COMBINE_A);
    clf_cell_add_global(table->cells + clf_spread(table->a, i), v, wanted && !is_hot CLF_COMBINE_A);
}

#include "reduce_by_index/walk.cl"
#include "reduce_by_index/finish.cl"

typedef uchar clf_index_start_storage; /* none needed */
typedef clf_hot clf_index_global_storage;

CLF_INLINE void clf_index_start_body(const clf_arguments *a, __local clf_index_start_storage *s)
{
    const bool direct = (a->how & CLF_INDEX_DIRECT) != 0;
    clf_shared_clear(a, direct ? a->count * clf_bins(a) : clf_spread_each(a) << CLF_SPREAD);
}

CLF_INLINE void clf_index_global_body(const clf_arguments *a, __local clf_index_global_storage *s)
{
    clf_hot_open(a, s);
    CLF_LOOP for (ulong number = get_group_id(0); number < clf_bins_parts(a); number += get_num_groups(0)) {
        const clf_bins_part p = clf_bins_part_at(a, number);
        const clf_table table = {a, clf_shared_cells(a), p.row * clf_bins(a), s};
        clf_walk(a, &p, &table, true);
    }
    clf_hot_close(a, s, clf_shared_cells(a));
}
