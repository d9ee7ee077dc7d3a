/* SPDX-License-Identifier: MIT */
/*
 * single_pass: how a tile gets its exclusive prefix while other tiles are still at work. The group takes a ticket,
 * publishes the tile's aggregate, gets the prefix from earlier tiles, and publishes the inclusive prefix.
 *
 * Three kinds of look-back: CLF_LOOKBACK = 0 serial, 1 window (lookback.cl), 2 central (central.cl). The central kind
 * has one more group than tiles, which takes the first ticket. Waiting is bounded everywhere.
 *
 * needs: arguments, state
 * provides: clf_single_pass_*
 */
#include "chain/central.cl"

typedef struct {
    clf_state prefix;
    uint place;
#if CLF_LOOKBACK == 2 && CLF_LANE_WIDTH > 1
    clf_central_storage central;
#endif
    CLF_LOOKBACK_STORAGE
} clf_single_pass_storage;

/*
 * The tile that this group takes; false: none, for it was the central group, and has served, or there are fewer tiles
 * than the host knew (given.cl).
 */
static inline bool clf_single_pass_take(const clf_arguments *a, __local clf_single_pass_storage *s, uint *tile)
{
    if (clf_alone(a)) {
        *tile = (uint)get_group_id(0);
        return clf_tile_exists(a, *tile);
    }
#if CLF_LOOKBACK == 2
    if (clf_is_central(a)) {
        const uint place = clf_chain_place(a, clf_tiles(a) + 1, &s->place);
        if (place == 0)
            clf_central_serve(a, &s->CLF_CENTRAL_FIELD);
        *tile = place - 1;
        return place > 0 && clf_tile_exists(a, place - 1);
    }
#endif
    *tile = clf_chain_place(a, clf_tiles(a), &s->place);
    return clf_tile_exists(a, *tile);
}

#if CLF_LOOKBACK == 2
/*
 * The exclusive prefix of `tile`, by those who wait; right for work-item 0. *served: the central group gave it;
 * otherwise it was looked up, and others will want to find this tile's own prefix.
 */
static inline clf_state clf_central_prefix(const clf_arguments *a, uint tile, bool *served,
                                           __local clf_single_pass_storage *s)
{
    clf_state prefix = clf_state_neutral();
    uint status = CLF_MESSAGE_NONE;
    if (CLF_LOOKBACK_LEADS) {
        for (uint polls = 0; status == CLF_MESSAGE_NONE && polls <= CLF_SPIN; ++polls)
            status = clf_slot_poll(clf_central_slot_of(a, tile), a->epoch, &prefix);
    }
    *served = CLF_LOOKBACK_FIRST(status, s) != CLF_MESSAGE_NONE;
    if (*served)
        return prefix;
    if (CLF_LOOKBACK_LEADS)
        clf_chain_count(a, CLF_COUNT_HANDOVERS);
    return CLF_LOOKBACK_AT(a, tile, s);
}
#else
#define clf_central_prefix(a, tile, served, s) clf_state_neutral()
#endif

/* The same, from whoever has it. */
static inline clf_state clf_prefix_wait(const clf_arguments *a, uint tile, bool *served,
                                        __local clf_single_pass_storage *s)
{
    if (CLF_LOOKBACK == 2 && clf_is_central(a))
        return clf_central_prefix(a, tile, served, s);
    return CLF_LOOKBACK_AT(a, tile, s);
}

/* The first tile of a plain scan publishes no aggregate but its prefix, which it knows. The central group reads all. */
#define CLF_TELLS_ALL (CLF_LOOKBACK == 2 || CLF_SEGMENT != 0)

static inline bool clf_tells_aggregate(uint tile)
{
    return CLF_TELLS_ALL || tile > 0;
}

/* Publishes what the tile adds up to. An aggregate with a head is a prefix for the tiles behind. */
static inline void clf_single_pass_tell(const clf_arguments *a, uint tile, clf_run aggregate)
{
    if (clf_local_id() == 0 && !clf_alone(a) && clf_tells_aggregate(tile))
        clf_publish(a, tile, aggregate.sum, aggregate.head ? CLF_MESSAGE_PREFIX : CLF_MESSAGE_AGGREGATE, true);
}

/*
 * Leaves the exclusive prefix of `tile`, whose aggregate has been published, in s->prefix: by those who wait;
 * synchronise afterwards. `starts`: the tile's first element is a head, so it needs no prefix.
 */
static inline void clf_single_pass_wait(const clf_arguments *a, uint tile, bool starts, clf_run aggregate,
                                        __local clf_single_pass_storage *s)
{
    const bool first = clf_local_id() == 0, alone = clf_alone(a);
    bool served = false;
    clf_state prefix = clf_state_neutral();
    if (!starts)
        prefix = alone ? clf_recompute_prefix(a, (ulong)tile * CLF_TILE) : clf_prefix_wait(a, tile, &served, s);
    if (first) {
        if (!alone && ((!served && !aggregate.head) || clf_place_stalled(tile)))
            clf_publish(a, tile, clf_run_combine(clf_run_of(prefix, false), aggregate).sum, CLF_MESSAGE_PREFIX, false);
        s->prefix = clf_state_copy(prefix); /* AMD's compiler keeps what lies between fields in scratch, else */
    }
}

/*
 * May a tile whose results need no prefix go without one, once its aggregate is published? One in CLF_STAY may not: the
 * others look back to the nearest prefix, which must not be far. (Nor may one that has published nothing.)
 */
enum { CLF_STAY = 32 };
static inline bool clf_single_pass_may_leave(uint tile)
{
    return tile % CLF_STAY != 0 && !clf_place_stalled(tile);
}

/* Publishes the aggregate, and gets the prefix. */
static inline void clf_single_pass_prefix(const clf_arguments *a, uint tile, bool starts, clf_run aggregate,
                                          __local clf_single_pass_storage *s)
{
    clf_single_pass_tell(a, tile, aggregate);
    clf_single_pass_wait(a, tile, starts, aggregate, s);
}
