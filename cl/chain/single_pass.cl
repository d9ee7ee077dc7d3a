/* SPDX-License-Identifier: MIT */
/*
 * single_pass: how a tile gets its exclusive prefix while other tiles are still at work. The group takes a ticket,
 * publishes the tile's aggregate, gets the prefix from earlier tiles, and publishes the inclusive prefix.
 *
 * Three kinds of look-back: CLF_LOOKBACK = 0 serial, 1 window (chain.cl), 2 central. The central kind
 * has one more group than tiles, which takes the first ticket. Waiting is bounded everywhere.
 *
 * needs: arguments, state
 * provides: clf_single_pass_*
 */
#include "chain/chain.cl"

/* ---- The central group ---------------------------------------------------------------------------------- */

/*
 * It does nothing but turn the tiles' aggregates into prefixes. All others poll one word each, which takes the least
 * memory bandwidth.
 *
 * Each round reads neighbouring slots from the first tile not served yet, one by a work-item. It scans the ready ones,
 * up to the first that is not, and writes their exclusive prefixes. Warps scan; without lanes the group does, through
 * local memory. Rounds without progress are bounded: then this group gives up, and the waiting groups, bounded too,
 * look back for themselves.
 */
#if CLF_LOOKBACK == 2

/* What one round found in the ready slots in a row. */
typedef struct {
    clf_state prefix; /* of this work-item's tile */
    clf_state carry;  /* of the tile after the last one served */
    uint served;      /* tiles, the same for all */
    clf_flag mine;    /* is this work-item's tile among them? */
} clf_round;

#if CLF_LANE_WIDTH > 1

/* Where in local memory the central group has it. Does this work-item read a slot? */
#define CLF_CENTRAL_FIELD central
#define CLF_CENTRAL_READS(id) true

typedef struct {
    clf_state sum[2][CLF_WARPS]; /* two phases: one barrier per round is enough */
    uint ready[2][CLF_WARPS];    /* slots in a row */
    uint reset[2][CLF_WARPS];    /* does one of these tiles know its prefix? Then the sum starts from that */
} clf_central_storage;

static inline clf_round clf_central_round(const clf_word raw[CLF_SLOT_WORDS], bool exists, uint epoch, clf_state carry,
                                          uint phase, __local clf_central_storage *s CLF_COMBINE_PARAMETER)
{
    const uint warp = clf_warp_id(), lane = clf_lane_id();
    clf_state x = clf_state_neutral();
    const uint status = exists ? clf_message_read(raw, epoch, &x) : CLF_MESSAGE_NONE;
    const uint ready = clf_leading(clf_ballot(status != CLF_MESSAGE_NONE));
    if (lane >= ready)
        x = clf_state_neutral();
    const clf_mask prefixes = clf_ballot(lane < ready && status == CLF_MESSAGE_PREFIX);
    const clf_state inclusive = clf_state_lane_resets(x, prefixes CLF_COMBINE_A);
    const clf_state exclusive = clf_state_lane_exclusive(inclusive);
    const bool reset = clf_mask_below(prefixes) != 0;
    if (lane == CLF_LANE_WIDTH - 1) {
        s->sum[phase][warp] = inclusive;
        s->ready[phase][warp] = ready;
        s->reset[phase][warp] = prefixes != 0;
    }
    clf_group_sync();
    clf_round r = {clf_state_neutral(), carry, 0, false};
    bool open = true;
    CLF_UNROLL for (uint k = 0; k < CLF_WARPS; ++k) {
        if (k == warp) {
            r.prefix = r.carry;
            r.mine = open && lane < ready;
        }
        if (open) {
            const clf_state left = s->reset[phase][k] ? clf_state_neutral() : r.carry;
            r.carry = clf_state_combine(left, s->sum[phase][k]);
            r.served += s->ready[phase][k];
            open = s->ready[phase][k] == CLF_LANE_WIDTH;
        }
    }
    r.prefix = reset ? exclusive : clf_state_combine(r.prefix, exclusive);
    return r;
}

#else

#define CLF_CENTRAL_FIELD window
#define CLF_CENTRAL_READS(id) ((id) < CLF_WINDOW_TILES)

/*
 * What look-back has: the sum and the status of the tiles of this round up to one, none if any of them has none; `end`
 * is how many are served.
 */
typedef clf_window_storage clf_central_storage;

/* Puts what lies left of a sum, which knows its prefix if `status` says so, before it. */
static inline clf_state clf_central_after(clf_state left, clf_state x, uint status CLF_COMBINE_PARAMETER)
{
    if (status != CLF_MESSAGE_PREFIX)
        x = clf_state_combine(left, x);
    return x;
}

/* Kogge-Stone, as across lanes (scan_template.cl). */
static inline void clf_central_scan(clf_state x, uint status, __local clf_central_storage *s CLF_COMBINE_PARAMETER)
{
    const uint id = clf_local_id();
    for (uint d = 1; d < 2 * CLF_WINDOW_TILES; d <<= 1) {
        if (CLF_CENTRAL_READS(id))
            clf_window_set(s, id, x, status);
        clf_group_sync();
        if (CLF_CENTRAL_READS(id) && id >= d && status != CLF_MESSAGE_NONE) {
            const uint left = s->status[id - d];
            x = clf_central_after(clf_window_get(s, id - d), x, status CLF_COMBINE_A);
            if (left == CLF_MESSAGE_NONE || status == CLF_MESSAGE_AGGREGATE)
                status = left;
        }
        clf_group_sync();
    }
}

static inline clf_round clf_central_round(const clf_word raw[CLF_SLOT_WORDS], bool exists, uint epoch, clf_state carry,
                                          uint phase, __local clf_central_storage *s CLF_COMBINE_PARAMETER)
{
    const uint id = clf_local_id();
    clf_state x = clf_state_neutral();
    const bool reads = exists && CLF_CENTRAL_READS(id);
    const uint status = reads ? clf_message_read(raw, epoch, &x) : CLF_MESSAGE_NONE;
    if (id == 0)
        s->end = 0;
    clf_central_scan(x, status, s CLF_COMBINE_A);
    clf_round r = {carry, carry, 0, reads && s->status[id] != CLF_MESSAGE_NONE};
    if (r.mine && (id == CLF_WINDOW_TILES - 1 || s->status[id + 1] == CLF_MESSAGE_NONE))
        s->end = id + 1;
    clf_group_sync();
    r.served = s->end;
    if (r.mine && id > 0)
        r.prefix = clf_central_after(carry, clf_window_get(s, id - 1), s->status[id - 1] CLF_COMBINE_A);
    if (r.served > 0)
        r.carry = clf_central_after(carry, clf_window_get(s, r.served - 1), s->status[r.served - 1] CLF_COMBINE_A);
    clf_group_sync(); /* before the next round's */
    return r;
}

#endif

/* All that the central group does. */
static inline void clf_central_serve(const clf_arguments *a, __local clf_central_storage *s)
{
    const uint tiles = clf_tiles(a), id = clf_local_id();
    clf_state carry = clf_state_initial(a);
    clf_word raw[CLF_SLOT_WORDS];
    if (CLF_CENTRAL_READS(id) && id < tiles)
        clf_slot_load(clf_slot_of(a, id), raw);
    for (uint next = 0, phase = 0, idle = 0; next < tiles && idle <= CLF_SPIN; phase ^= 1) {
        const uint tile = next + id;
        const clf_round r = clf_central_round(raw, tile < tiles, a->epoch, carry, phase, s CLF_COMBINE_A);
        next += r.served;
        carry = r.carry;
        idle = r.served ? 0 : idle + 1;
        /* The next round's loads are under way before this round's stores. */
        if (CLF_CENTRAL_READS(id) && next + id < tiles)
            clf_slot_load(clf_slot_of(a, next + id), raw);
        if (r.mine)
            clf_slot_write(clf_central_slot_of(a, tile), r.prefix, a->epoch, CLF_MESSAGE_PREFIX);
    }
}

#endif

/* ---- Every group ---------------------------------------------------------------------------------------- */

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
 * otherwise it was looked up, and others will want to find this tile's own prefix. Without lanes who is served looks
 * back over no tile: PoCL 3.1 loses what is returned before a loop of barriers. (In rows it crashes if none is.)
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
    const bool leaves = CLF_LANE_WIDTH > 1 || CLF_SEGMENT == 1, stays = !leaves && *served;
    if (leaves && *served)
        return prefix;
    if (CLF_LOOKBACK_LEADS && !stays)
        clf_chain_count(a, CLF_COUNT_HANDOVERS);
    const clf_state found = CLF_LOOKBACK_AT(a, stays ? 0 : tile, s);
    return stays ? prefix : found;
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
