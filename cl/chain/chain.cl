/* SPDX-License-Identifier: MIT */
/*
 * chain: the tiles of one call in order, and the layout of their messages in scratch.
 *
 *   scratch   header (CLF_HEADER_BYTES; word 0 is the ticket counter) | slot per tile: aggregate or inclusive prefix |
 *             slot per tile: exclusive prefix, written by the central group (central kind only)
 *
 * Tiles that look back each have a cache line for their slot, CLF_SLOT_APART bytes, so that a group that polls one does
 * not delay the group that writes the next (on an H200 scans took a sixth longer with adjacent slots). The central
 * group reads neighbouring slots at once: for it slots are adjacent.
 *
 * Rule [in place]: a tile writes no output before its aggregate or prefix is published. Where inputs may be outputs, it
 * fences in between. A group may read a tile's input again (fallback in lookback.cl). If it then, after an acquire
 * fence, still finds nothing published, it has read the input and not the output.
 *
 * The program defines clf_arguments (value.cl). Its count and size of segments, scratch, epoch, ticket and flags are
 * read here.
 *
 * Test builds: with CLF_COUNT header words 1 … 4 count events.
 *
 * needs: arguments, state, CLF_COUNT, CLF_LOOKBACK
 * provides: clf_alone, clf_central_slot_of, clf_chain_*, CLF_COUNT_*, CLF_HEADER_BYTES, clf_is_central, clf_publish,
 *           clf_recompute_prefix, clf_recompute_together, clf_slot_of, clf_tile_*, clf_tiles
 */
#include "group/message.cl"
#include "memory/tile.cl"
#include "group/run.cl"
#include "segments/segment.cl"

enum { CLF_HEADER_BYTES = 64, CLF_SLOT_APART = 128 };
enum { CLF_COUNT_LOOKBACKS = 1, CLF_COUNT_STEPS = 2, CLF_COUNT_FALLBACKS = 3, CLF_COUNT_HANDOVERS = 4 };

static inline uint clf_tiles(const clf_arguments *a)
{
    return (uint)((clf_total(a) + (CLF_TILE - 1)) / CLF_TILE);
}

/* There may be fewer tiles than groups that the host launched for them. */
static inline bool clf_tile_exists(const clf_arguments *a, uint tile)
{
    return !CLF_GIVEN || tile < clf_tiles(a);
}

static inline uint clf_tile_count(const clf_arguments *a, uint tile)
{
    return (uint)min(clf_total(a) - (ulong)tile * CLF_TILE, (ulong)CLF_TILE);
}

/* Every tile starts with a head, or finds its prefix in the few elements before it: no messages, no scratch. */
static inline bool clf_alone(const clf_arguments *a)
{
    return CLF_SEGMENT == 1 && (a->flags & CLF_ARG_ALONE);
}

/* Every tile has a head, so none needs to look further back than to the tile before. */
static inline bool clf_chain_near(const clf_arguments *a)
{
    return CLF_SEGMENT == 1 && (a->flags & CLF_ARG_NEAR);
}

/* Does a central group serve this call? */
static inline bool clf_is_central(const clf_arguments *a)
{
#if defined(CLF_LOOKBACK) && CLF_LOOKBACK == 2
    return !clf_chain_near(a);
#else
    return false;
#endif
}

/* Words from one tile's slot to the next's. */
static inline size_t clf_slot_stride(const clf_arguments *a)
{
    const size_t line = CLF_SLOT_APART / sizeof(clf_word);
    return clf_is_central(a) ? CLF_SLOT_WORDS : (CLF_SLOT_WORDS + line - 1) / line * line;
}

static inline clf_slot clf_slot_of(const clf_arguments *a, uint tile)
{
    return (clf_slot)(a->scratch + CLF_HEADER_BYTES) + tile * clf_slot_stride(a);
}

static inline clf_slot clf_central_slot_of(const clf_arguments *a, uint tile)
{
    return clf_slot_of(a, clf_tiles(a)) + (size_t)tile * CLF_SLOT_WORDS;
}

static inline void clf_chain_count(const clf_arguments *a, uint counter)
{
#if defined(CLF_COUNT) && CLF_COUNT
    (void)atomic_inc((volatile __global uint *)a->scratch + counter);
#endif
}

/* The place of this group's tile among `groups`; `place` is in local memory. */
static inline uint clf_chain_place(const clf_arguments *a, uint groups, __local uint *place)
{
    return clf_place_take((volatile __global uint *)a->scratch, a->ticket, groups, place);
}

/* Publishes, by one work-item. `early`: before the tile waits for others. */
static inline void clf_publish(const clf_arguments *a, uint tile, clf_state s, uint status, bool early)
{
    if (!early || !clf_place_stalled(tile))
        clf_slot_write(clf_slot_of(a, tile), s, a->epoch, status);
    if (a->flags & CLF_ARG_IN_PLACE)
        clf_fence_release();
}

/* ---- States straight from global memory, for tiles that get no aggregate from others, or need none ------- */

/* Combines elements first … last-1 from `base` on, by one work-item. */
static inline clf_run clf_recompute(const clf_arguments *a, ulong base, uint first, uint last)
{
    clf_run r = clf_run_neutral();
    clf_head_iterator heads = clf_head_iterator_at(a, base + first);
    for (uint i = first; i < last; ++i) {
        if (clf_head_iterator_next(a, &heads))
            r = clf_run_of(clf_state_initial(a), true);
        r.sum = clf_state_combine(r.sum, clf_state_at(a, base + i));
    }
    return r;
}

/*
 * The same for all `count` elements from `base` on, by `lanes` converged lanes of which this is `lane`, for
 * all of them.
 */
static inline clf_run clf_recompute_together(const clf_arguments *a, ulong base, uint count, uint lane, uint lanes)
{
    const uint share = (count + lanes - 1) / lanes, first = min(lane * share, count);
    const clf_run r = clf_recompute(a, base, first, min(first + share, count));
    if (lanes == 1)
        return r;
    const clf_mask heads = CLF_SEGMENT ? clf_ballot(r.head) : 0;
    return clf_run_of(clf_state_from(clf_state_lane_resets(r.sum, heads CLF_COMBINE_A), CLF_LANE_WIDTH - 1),
                      heads != 0);
}

/* What lies before element `first` in its segment: few elements. By a warp, or one work-item without lanes. */
static inline clf_state clf_recompute_prefix(const clf_arguments *a, ulong first)
{
    const uint count = (uint)clf_position(a, first);
    return clf_recompute_together(a, first - count, count, clf_lane_id(), CLF_LANE_WIDTH).sum;
}
