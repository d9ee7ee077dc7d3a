/* SPDX-License-Identifier: MIT */
/*
 * scan_cpu: single-pass scan for CPU devices: work-groups of one work-item, one per core, no barriers, no local memory.
 *
 * A group takes tiles by ticket until there are none. A tile stays in the core's cache between its two
 * readings: reduce, publish, look back, rescan and store. The chain and its bounded waiting are those of the
 * other kernels (chain.cl). A group that is alone needs no messages, and with vectors no reduction. Nor do
 * tiles that start with a head: where segments are short, tiles are cut to such.
 *
 * Chained scan on multi-core CPUs: de Wolff et al., Zero-Overhead Parallel Scans for Multi-Core CPUs (2024).
 *
 * needs: a->placed, CLF_REPEATS
 * provides: clf_scan_cpu_body
 */
#include "group/state_value.cl"
#include "cpu/cpu_vector.cl"
#include "cpu/cpu_streams.cl"
#include "cpu/cpu_sides.cl"
#include "chain/chain.cl"

typedef uchar clf_scan_cpu_storage; /* none needed */

/* What is written where nothing is; the element makes no difference. */
#define CLF_SCAN_CPU_NOTHING(i) \
    CLF_FINISHED(clf_finish_step(a, clf_nothing(), clf_nothing(), \
                                 clf_input_at(&a->in, i), i CLF_NUMBERED_AT(a, i)), clf_nothing())

/*
 * Nothing lies before the first element of a segment, or of all, where there is no initial value: what an exclusive
 * scan has there, of minima and maxima, is not the neutral element.
 */
static inline void clf_scan_cpu_firsts(const clf_arguments *a, ulong first, uint count)
{
#if CLF_EXTREMES && CLF_EXCLUSIVE && (!CLF_FINISH || defined(CLF_PARTLY))
    const ulong end = a->flags & CLF_ARG_INITIAL ? first : first + count;
    if (first == 0 && end > 0)
        clf_output_at(&a->out, 0, CLF_SCAN_CPU_NOTHING(0));
    for (ulong i = clf_next_head(a, first, end); i < end; i = clf_next_head(a, i + 1, end))
        clf_output_at(&a->out, i, CLF_SCAN_CPU_NOTHING(i));
#endif
}

/* A tile whose prefix is known. */
static inline clf_value clf_scan_cpu_next(const clf_arguments *a, ulong first, uint count, clf_value prefix)
{
    clf_cpu_sums sums;
    if (CLF_CPU_SHARED)
        (void)clf_cpu_tile_reduce(a, first, count, &sums);
    prefix = clf_cpu_tile_rescan(a, first, count, prefix, &sums);
    clf_scan_cpu_firsts(a, first, count);
    return prefix;
}

/* The one group scans all tiles. */
static inline void clf_scan_cpu_one(const clf_arguments *a)
{
    const uint tiles = clf_tiles(a);
    clf_value prefix = clf_initial(a);
    for (uint tile = 0; tile < tiles; ++tile)
        prefix = clf_scan_cpu_next(a, (ulong)tile * CLF_TILE, clf_tile_count(a, tile), prefix);
}

#ifdef CLF_REPEATS

enum { CLF_SCAN_CPU_EARLY = 0 };

/*
 * Tiles publish prefixes alone, so that brackets are the same in each call: (((initial + tile 0) + tile 1) + …).
 * Whoever has waited in vain goes back to a prefix, and adds up the tiles behind it as their own groups do.
 */
static clf_value clf_scan_cpu_add_up(const clf_arguments *a, uint tile)
{
    clf_state prefix = clf_state_initial(a), s;
    uint at = tile;
    for (; at > 0; --at)
        if (clf_slot_read(clf_slot_of(a, at - 1), a->epoch, &s) == CLF_MESSAGE_PREFIX) {
            prefix = s;
            break;
        }
    for (; at < tile; ++at) {
        clf_cpu_sums sums;
        const clf_run run = clf_cpu_tile_reduce(a, (ulong)at * CLF_TILE, clf_tile_count(a, at), &sums);
        clf_fence_acquire(); /* what was read was not overwritten, if there still is no prefix: chain.cl, in place */
        prefix = clf_slot_read(clf_slot_of(a, at), a->epoch, &s) == CLF_MESSAGE_PREFIX
                     ? s
                     : clf_run_combine(clf_run_of(prefix, false), run).sum;
    }
    clf_chain_count(a, CLF_COUNT_FALLBACKS);
    return prefix;
}

static inline clf_value clf_scan_cpu_prefix(const clf_arguments *a, uint tile)
{
    clf_state s = clf_state_initial(a);
    for (uint polls = 0; tile > 0 && polls <= CLF_SPIN; ++polls)
        if (clf_slot_poll(clf_slot_of(a, tile - 1), a->epoch, &s) == CLF_MESSAGE_PREFIX)
            return s;
    return tile > 0 ? clf_scan_cpu_add_up(a, tile) : s;
}

#else

enum { CLF_SCAN_CPU_EARLY = 1 }; /* aggregates are published, before a tile looks back */
#define clf_scan_cpu_prefix clf_lookback_serial

#endif

static inline void clf_scan_cpu_tile(const clf_arguments *a, uint tile)
{
    const uint count = clf_tile_count(a, tile);
    const ulong first = (ulong)tile * CLF_TILE;
    clf_cpu_sums sums;
    const clf_run run = clf_cpu_tile_reduce(a, first, count, &sums);
    clf_value prefix = clf_neutral();
    if ((CLF_SCAN_CPU_EARLY && tile > 0) || run.head)
        clf_publish(a, tile, run.sum, run.head ? CLF_MESSAGE_PREFIX : CLF_MESSAGE_AGGREGATE, true);
    if (CLF_SEGMENT == 0 || !clf_is_head(a, first)) {
        clf_chain_count(a, CLF_COUNT_LOOKBACKS);
        prefix = clf_scan_cpu_prefix(a, tile);
    }
    if (!run.head || clf_place_stalled(tile))
        clf_publish(a, tile, clf_run_combine(clf_run_of(prefix, false), run).sum, CLF_MESSAGE_PREFIX, false);
    (void)clf_cpu_tile_rescan(a, first, count, prefix, &sums);
    clf_scan_cpu_firsts(a, first, count);
}

/* Each group has its tile, of whole segments. */
static inline void clf_scan_cpu_segments(const clf_arguments *a)
{
    const uint tile = CLF_TILE - CLF_TILE % (uint)a->size;
    const ulong first = get_group_id(0) * (ulong)tile;
    if (!CLF_GIVEN || first < clf_total(a))
        (void)clf_scan_cpu_next(a, first, (uint)min(clf_total(a) - first, (ulong)tile), clf_initial(a));
}

static inline void clf_scan_cpu_tiles(const clf_arguments *a)
{
    if (clf_alone(a)) {
        clf_scan_cpu_segments(a);
        return;
    }
    if (get_num_groups(0) == 1) {
        clf_scan_cpu_one(a);
        return;
    }
    const uint tiles = clf_tiles(a);
    for (;;) {
        const uint tile = clf_ticket_take((volatile __global uint *)a->scratch) - a->ticket;
        if (tile >= tiles)
            break;
        clf_scan_cpu_tile(a, tile);
    }
}

CLF_INLINE void clf_scan_cpu_body(const clf_arguments *a, __local clf_scan_cpu_storage *s)
{
    CLF_WHERE_PLACED(clf_placed_queue queue; clf_arguments queued = *a; queued.placed = &queue.placed;
                     queue.placed = queue.count = 0;)
    clf_scan_cpu_tiles(CLF_PLACED_OR(&queued, a));
    CLF_WHERE_PLACED(clf_placed_flush(&queued); *a->placed += queue.placed;)
}
