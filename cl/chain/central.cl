/* SPDX-License-Identifier: MIT */
/*
 * central: one work-group that does nothing but turn the tiles' aggregates into prefixes. All others poll one
 * word each, which takes the least memory bandwidth.
 *
 * Each round reads neighbouring slots from the first tile not served yet, one by a work-item. It scans the ready ones,
 * up to the first that is not, and writes their exclusive prefixes. Warps scan; without lanes the group does, through
 * local memory. Rounds without progress are bounded: then this group gives up, and the waiting groups, bounded too,
 * look back for themselves.
 *
 * needs: arguments, state
 * provides: CLF_CENTRAL_FIELD, clf_central_serve, clf_central_storage
 */
#include "chain/lookback.cl"

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

/* Kogge-Stone, as across lanes (lane_scan_template.cl). */
static inline void clf_central_scan(clf_state x, uint status, __local clf_central_storage *s CLF_COMBINE_PARAMETER)
{
    const uint id = clf_local_id();
    for (uint d = 1; d < 2 * CLF_WINDOW_TILES; d <<= 1) {
        if (CLF_CENTRAL_READS(id)) {
            s->sum[id] = x;
            s->status[id] = status;
        }
        clf_group_sync();
        if (CLF_CENTRAL_READS(id) && id >= d && status != CLF_MESSAGE_NONE) {
            const uint left = s->status[id - d];
            x = clf_central_after(s->sum[id - d], x, status CLF_COMBINE_A);
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
        r.prefix = clf_central_after(carry, s->sum[id - 1], s->status[id - 1] CLF_COMBINE_A);
    if (r.served > 0)
        r.carry = clf_central_after(carry, s->sum[r.served - 1], s->status[r.served - 1] CLF_COMBINE_A);
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
