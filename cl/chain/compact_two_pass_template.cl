/* SPDX-License-Identifier: MIT */
/*
 * compact_two_pass_template: reduce, then write (compact_lookback_template.cl). No group ever waits for another, and
 * operands are always associated in the same way.
 *
 *   up      what each group's tiles keep                   reads n
 *   spine   of many groups: one scans these in place       a state per group (spine.cl)
 *   down    each tile's results go behind those before     reads n, and states; writes results
 *
 * needs: nothing
 * provides: nothing
 */
#include "chain/two_pass.cl"

typedef CLF_COMPACT(storage) CLF_COMPACT(up_storage);

CLF_INLINE void CLF_COMPACT(up_body)(const clf_arguments *a, __local CLF_COMPACT(up_storage) *s)
{
    const uint group = (uint)get_group_id(0);
    const clf_tile_range range = clf_group_tiles(a, group);
    clf_state sum = clf_state_neutral();
    uint tile = range.first;
    if (tile >= range.end)
        return;
    do {
        const CLF_COMPACT(tile) t = CLF_COMPACT(reduce)(a, tile, s);
        sum = clf_state_combine(sum, CLF_COMPACT(state_of_tile)(&t));
    } while (CLF_NEXT_TILE(tile, range));
    if (clf_local_id() == 0)
        clf_partial_set(a, group, clf_run_of(sum, false));
}

typedef union {
    CLF_COMPACT(storage) tile;
    clf_run_totals partials;
} CLF_COMPACT(down_storage);

CLF_INLINE void CLF_COMPACT(down_body)(const clf_arguments *a, __local CLF_COMPACT(down_storage) *s)
{
    const uint group = clf_group_from_behind();
    const clf_tile_range range = clf_group_tiles(a, group);
    uint tile = range.first;
    CLF_COMPACT(tell_nothing)(a, clf_total(a));
    if (tile >= range.end)
        return;
    clf_state before = clf_two_pass_prefix(a, group, &s->partials).sum;
    do {
        const CLF_COMPACT(tile) t = CLF_COMPACT(reduce)(a, tile, &s->tile);
        CLF_COMPACT(together)(a, &t, &s->tile);
        clf_group_sync();
        CLF_COMPACT(flush)(a, &t, &s->tile, before);
        before = clf_state_combine(before, CLF_COMPACT(state_of_tile)(&t));
    } while (CLF_NEXT_TILE(tile, range));
}
