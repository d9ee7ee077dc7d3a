/* SPDX-License-Identifier: MIT */
/*
 * index_local: a part by a group, in a table in local memory.
 *
 * needs: nothing
 * provides: clf_index_local_body
 */
#include "reduce_by_index/table.cl"
#include "reduce_by_index/finish_team.cl"

typedef clf_cells clf_index_local_storage;

CLF_INLINE void clf_index_local_body(const clf_arguments *a, __local clf_index_local_storage *s)
{
    const clf_bins_part p = clf_bins_part_at(a, get_group_id(0));
    const uint cells = clf_part_cells(&p);
    clf_table_fill(a, &p, s);
    CLF_LOOP for (uint bin = clf_local_id(); bin < cells; bin += CLF_GROUP)
        clf_bins_part_done(a, &p, p.first + bin, clf_table_bin(a, bin, s));
}
