/* SPDX-License-Identifier: MIT */
/*
 * by_key_one_group: all elements in the tile of one group: no messages, no scratch.
 *
 * needs: nothing
 * provides: clf_by_key_one_group_body
 */
#include "reduce_by_key/by_key_tile.cl"

typedef clf_by_key_storage clf_by_key_one_group_storage;

CLF_INLINE void clf_by_key_one_group_body(const clf_arguments *a, __local clf_by_key_one_group_storage *s)
{
    clf_by_key_tell_nothing(a, clf_total(a));
    if (!clf_tile_exists(a, 0))
        return;
    const clf_by_key_tile t = clf_by_key_reduce(a, 0, s);
    clf_by_key_together(a, &t, s);
    clf_group_sync();
    clf_by_key_flush(a, &t, s, clf_state_neutral());
}
