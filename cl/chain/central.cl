/* SPDX-License-Identifier: MIT */
/*
 * central: one work-group that does nothing but turn the tiles' aggregates into prefixes. All others poll one
 * word each, which takes the least memory bandwidth.
 *
 * Each round reads CLF_GROUP neighbouring slots from the first tile not served yet, scans the ready ones up to the
 * first that is not, and writes their exclusive prefixes. Rounds without progress are bounded: then this group gives
 * up, and the waiting groups, bounded too, look back for themselves.
 *
 * needs: arguments, state
 * provides: clf_central_prefix, clf_central_serve
 */
#include "chain/lookback.cl"

typedef struct {
    clf_state sum[2][CLF_WARPS]; /* two phases: one barrier per round is enough */
    uint ready[2][CLF_WARPS];    /* slots in a row */
    uint reset[2][CLF_WARPS];    /* does one of these tiles know its prefix? Then the sum starts from that */
} clf_central_storage;

/* What one round found in the ready slots in a row. */
typedef struct {
    clf_state prefix; /* of this work-item's tile */
    clf_state carry;  /* of the tile after the last one served */
    uint served;      /* tiles, the same for all */
    clf_flag mine;    /* is this work-item's tile among them? */
} clf_round;

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
#if CLF_LANE_WIDTH > 1 /* without lanes there are too many warps to unroll */
    CLF_UNROLL
#endif
    for (uint k = 0; k < CLF_WARPS; ++k) {
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

/* All that the central group does. */
static inline void clf_central_serve(const clf_arguments *a, __local clf_central_storage *s)
{
    const uint tiles = clf_tiles(a), id = clf_local_id();
    clf_state carry = clf_state_initial(a);
    clf_word raw[CLF_SLOT_WORDS];
    if (id < tiles)
        clf_slot_load(clf_slot_of(a, id), raw);
    for (uint next = 0, phase = 0, idle = 0; next < tiles && idle <= CLF_SPIN; phase ^= 1) {
        const uint tile = next + id;
        const clf_round r = clf_central_round(raw, tile < tiles, a->epoch, carry, phase, s CLF_COMBINE_A);
        next += r.served;
        carry = r.carry;
        idle = r.served ? 0 : idle + 1;
        if (next + id < tiles) /* the next round's loads are under way before this round's stores */
            clf_slot_load(clf_slot_of(a, next + id), raw);
        if (r.mine)
            clf_slot_write(clf_central_slot_of(a, tile), r.prefix, a->epoch, CLF_MESSAGE_PREFIX);
    }
}

/*
 * The exclusive prefix of `tile`, by the first warp of its group, right for work-item 0 at least. *served:
 * the central group gave it; otherwise it was looked up, and others will want to find this tile's own prefix.
 */
static inline clf_state clf_central_prefix(const clf_arguments *a, uint tile, bool *served)
{
    clf_state prefix = clf_state_neutral();
    uint status = CLF_MESSAGE_NONE;
    if (clf_lane_id() == 0) {
        for (uint polls = 0; status == CLF_MESSAGE_NONE && polls <= CLF_SPIN; ++polls)
            status = clf_slot_poll(clf_central_slot_of(a, tile), a->epoch, &prefix);
    }
    *served = clf_word_from(status, 0) != CLF_MESSAGE_NONE;
    if (*served)
        return prefix;
    if (clf_lane_id() == 0)
        clf_chain_count(a, CLF_COUNT_HANDOVERS);
    return clf_lookback(a, tile);
}
