/* SPDX-License-Identifier: MIT */
/*
 * scan_cpu: single-pass scan for CPU devices: work-groups of one work-item, one per core, no barriers, no local memory.
 *
 * A group takes tiles by ticket until there are none. Each tile stays in the core's cache between its two readings: reduce, publish,
 * look back, rescan and store. The chain and its bounded waiting are those of the other kernels (lookback.cl).
 */
#include "lookback.cl"

typedef uchar clf_scan_cpu_storage; /* none needed */

static inline void clf_rescan(const clf_arguments *a, ulong first, uint count, clf_value sum)
{
    for (uint j = 0; j < count; ++j) {
        const ulong i = first + j;
        clf_extra extra;
        const clf_value x = clf_map(clf_input_at(&a->in, i), i, &extra);
        const clf_value next = clf_combine(sum, x);
        clf_output_at(&a->out, i, CLF_EXCLUSIVE ? sum : next);
        clf_extra_at(&a->out, i, extra);
        sum = next;
    }
}

static inline void clf_scan_cpu_body(const clf_arguments *a, __local clf_scan_cpu_storage *s)
{
    const uint tiles = clf_tiles(a);
    for (;;) {
        const uint place = clf_ticket_take((volatile __global uint *)a->scratch) - a->ticket;
        if (place >= tiles)
            break;
        const uint tile = place, count = clf_tile_count(a, tile);
        const ulong first = (ulong)tile * CLF_TILE;
        const clf_value sum = clf_reduce_range(a, first, 0, count);
        if (tile > 0)
            clf_publish(a, tile, sum, CLF_STATE_AGGREGATE);
        const clf_value prefix = clf_lookback_serial(a, tile);
        clf_publish(a, tile, clf_combine(prefix, sum), CLF_STATE_PREFIX);
        clf_rescan(a, first, count, prefix);
    }
}
