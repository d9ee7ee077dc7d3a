/* SPDX-License-Identifier: MIT */
/*
 * central: one work-group that does nothing but turn the tiles' aggregates into prefixes. All others poll one
 * word each, which costs the memory system least.
 *
 * Each round reads CLF_GROUP coalesced slots from the first tile not served yet, scans the ready ones that
 * have no gap before them, and writes their exclusive prefixes. Rounds without progress are bounded: then
 * this group gives up, and the waiting ones, bounded too, look back for themselves.
 */
#include "lookback.cl"

typedef struct {
    clf_value sum[2][CLF_WARPS]; /* two phases: one barrier per round is enough */
    uint ready[2][CLF_WARPS];
    uint reset[2][CLF_WARPS];    /* was there a tile that knows its prefix? Then the sum is what follows from that */
} clf_central_storage;

/* What one round found: by the ready slots in a row from `next` on. */
typedef struct {
    clf_value prefix; /* of this work-item's tile */
    clf_value carry;  /* of the tile after the last one served */
    uint served;      /* tiles, the same for all */
    bool mine;        /* is this work-item's tile among them? */
} clf_round;

static inline clf_round clf_central_round(const clf_word raw[CLF_SLOT_WORDS], bool exists, uint epoch,
                                          clf_value carry, uint phase, __local clf_central_storage *s)
{
    const uint warp = clf_warp_id(), lane = clf_lane_id();
    clf_value v = clf_neutral();
    const uint state = exists ? clf_message_read(raw, epoch, &v) : CLF_STATE_NONE;
    const uint ready = clf_leading(clf_ballot(state != CLF_STATE_NONE));
    if (lane >= ready)
        v = clf_neutral();
    const clf_mask prefixes = clf_ballot(lane < ready && state == CLF_STATE_PREFIX);
    const clf_value inclusive = clf_lane_scan_resets(v, prefixes);
    const clf_value exclusive = clf_lane_exclusive(inclusive);
    const bool reset = clf_mask_below(prefixes) != 0;
    if (lane == CLF_LANE_WIDTH - 1) {
        s->sum[phase][warp] = inclusive;
        s->ready[phase][warp] = ready;
        s->reset[phase][warp] = prefixes != 0;
    }
    clf_group_sync();
    clf_round r = {clf_neutral(), carry, 0, false};
    bool open = true;
#if CLF_LANE_WIDTH > 1 /* else there are too many warps for that */
    CLF_UNROLL
#endif
    for (uint k = 0; k < CLF_WARPS; ++k) {
        if (k == warp) {
            r.prefix = r.carry;
            r.mine = open && lane < ready;
        }
        if (open) {
            const clf_value left = s->reset[phase][k] ? clf_neutral() : r.carry;
            r.carry = clf_combine(left, s->sum[phase][k]);
            r.served += s->ready[phase][k];
            open = s->ready[phase][k] == CLF_LANE_WIDTH;
        }
    }
    r.prefix = reset ? exclusive : clf_combine(r.prefix, exclusive);
    return r;
}

/* The central group's whole life. */
static inline void clf_central_serve(const clf_arguments *a, __local clf_central_storage *s)
{
    const uint tiles = clf_tiles(a), id = clf_local_id();
    clf_value carry = clf_initial(a);
    clf_word raw[CLF_SLOT_WORDS];
    if (id < tiles)
        clf_slot_load(clf_slot_of(a, id), raw);
    for (uint next = 0, phase = 0, idle = 0; next < tiles && idle <= CLF_SPIN; phase ^= 1) {
        const uint tile = next + id;
        const clf_round r = clf_central_round(raw, tile < tiles, a->epoch, carry, phase, s);
        next += r.served;
        carry = r.carry;
        idle = r.served ? 0 : idle + 1;
        if (next + id < tiles) /* the next round's loads are under way before this round's stores */
            clf_slot_load(clf_slot_of(a, next + id), raw);
        if (r.mine)
            clf_slot_write(clf_central_slot_of(a, tile), r.prefix, a->epoch, CLF_STATE_PREFIX);
    }
}

/*
 * The exclusive prefix of `tile`, by the first warp of its group, right for work-item 0 at least. *served:
 * the central group gave it; otherwise it was looked up, and others will want to find this tile's own prefix.
 */
static inline clf_value clf_central_prefix(const clf_arguments *a, uint tile, bool *served)
{
    clf_value prefix = clf_neutral();
    uint state = CLF_STATE_NONE;
    if (clf_lane_id() == 0) {
        for (uint polls = 0; state == CLF_STATE_NONE && polls <= CLF_SPIN; ++polls)
            state = clf_slot_poll(clf_central_slot_of(a, tile), a->epoch, &prefix);
    }
    *served = clf_word_from(state, 0) != CLF_STATE_NONE;
    if (*served)
        return prefix;
    if (clf_lane_id() == 0)
        clf_count(a, CLF_COUNT_HANDOVERS);
    return clf_lookback(a, tile);
}
