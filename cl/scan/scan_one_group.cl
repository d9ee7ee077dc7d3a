/* SPDX-License-Identifier: MIT */
/*
 * scan_one_group: everything in one tile of one work-group: no scratch, no messages.
 *
 * needs: nothing
 * provides: clf_scan_one_group_body
 */
#include "group/state_value.cl"
#include "chain/scan_tile.cl"

typedef clf_scan_tile_storage clf_scan_one_group_storage;

CLF_INLINE void clf_scan_one_group_body(const clf_arguments *a, __local clf_scan_one_group_storage *s)
{
    const clf_scan_tile t = clf_scan_tile_at(a, 0, (uint)clf_total(a));
    clf_run aggregate;
    clf_scan_tile_fetch(a, t, s);
    const clf_run left = clf_scan_tile_reduce(a, t, s, &aggregate);
    clf_scan_tile_finish(a, t, s, clf_initial(a), left);
}
