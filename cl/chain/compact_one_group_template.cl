/* SPDX-License-Identifier: MIT */
/*
 * compact_one_group_template: all elements in the tile of one group: no messages, no scratch
 * (compact_lookback_template.cl).
 *
 * needs: nothing
 * provides: nothing
 */
typedef CLF_COMPACT(storage) CLF_COMPACT(one_group_storage);

CLF_INLINE void CLF_COMPACT(one_group_body)(const clf_arguments *a, __local CLF_COMPACT(one_group_storage) *s)
{
    CLF_COMPACT(tell_nothing)(a, clf_total(a));
    if (!clf_tile_exists(a, 0))
        return;
    const CLF_COMPACT(tile) t = CLF_COMPACT(reduce)(a, 0, s);
    CLF_COMPACT(together)(a, &t, s);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* in place results lie where others have read */
    CLF_COMPACT(flush)(a, &t, s, clf_state_neutral());
}
