/* SPDX-License-Identifier: MIT */
/*
 * compact_cpu_template: single pass, for CPU devices: work-groups of one work-item, one per core. A group takes tiles
 * by ticket until there are none. A tile stays in the core's cache between its two readings: reduce, publish, look
 * back, write.
 *
 * Included behind a file that has, by CLF_COMPACT(name), tell_nothing as in compact_lookback_template.cl, the type
 * cpu_marks, what is known of a tile's elements, and functions
 *
 *   cpu_reduce(a, first, count, &marks)               what the elements from `first` on are as the state of the chain
 *   cpu_write(a, first, count, &marks, before, all)   their results, behind what was before; `all`: up to their end
 *
 * needs: nothing
 * provides: nothing
 */
#include "chain/chain.cl"

typedef uchar CLF_COMPACT(cpu_storage); /* none needed */

/* Returns what follows from all up to the tile. A group that is `alone` knows what is before, and sends no messages. */
static inline clf_state CLF_COMPACT(cpu_tile)(const clf_arguments *a, uint tile, bool alone, clf_state before)
{
    const uint count = clf_tile_count(a, tile);
    const ulong first = (ulong)tile * CLF_TILE;
    CLF_COMPACT(cpu_marks) marks;
    const clf_state own = CLF_COMPACT(cpu_reduce)(a, first, count, &marks);
    if (!alone) {
        if (tile > 0)
            clf_publish(a, tile, own, CLF_MESSAGE_AGGREGATE, true);
        clf_chain_count(a, CLF_COUNT_LOOKBACKS);
        before = clf_lookback_serial(a, tile);
    }
    const clf_state all = clf_state_combine(before, own);
    if (!alone)
        clf_publish(a, tile, all, CLF_MESSAGE_PREFIX, false);
    CLF_COMPACT(cpu_write)(a, first, count, &marks, before, all);
    return all;
}

CLF_INLINE void CLF_COMPACT(cpu_body)(const clf_arguments *a, __local CLF_COMPACT(cpu_storage) *s)
{
    const bool alone = get_num_groups(0) == 1;
    const uint tiles = clf_tiles(a);
    clf_state all = clf_state_neutral();
    CLF_COMPACT(tell_nothing)(a, clf_total(a));
    for (uint next = 0;; ++next) {
        const uint tile = alone ? next : clf_ticket_take((volatile __global uint *)a->scratch) - a->ticket;
        if (tile >= tiles)
            break;
        all = CLF_COMPACT(cpu_tile)(a, tile, alone, all);
    }
}
