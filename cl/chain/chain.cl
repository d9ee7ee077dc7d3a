/* SPDX-License-Identifier: MIT */
/*
 * chain: the tiles of one call in order, where their messages lie in scratch, and the exclusive prefix of a tile from
 * the messages of the tiles before it.
 *
 *   scratch   header (CLF_HEADER_BYTES; word 0 is the ticket counter) | slot per tile: aggregate or inclusive prefix |
 *             slot per tile: exclusive prefix, written by the central group (central kind only)
 *
 * Tiles that look back each have a cache line for their slot, CLF_SLOT_APART bytes, so that a group that polls one does
 * not delay the group that writes the next (on an H200 scans took a sixth longer with adjacent slots). The central
 * group reads neighbouring slots at once: for it slots are adjacent.
 *
 * Decoupled look-back (Merrill and Garland 2016): go towards the first tile and combine aggregates, until a tile has a
 * prefix. Waiting is bounded: after CLF_SPIN polls the waiting warp itself recomputes a missing aggregate from the
 * input (decoupled fallback: Smith, Levien and Owens 2025). So there is no barrier in here. A device that runs one
 * group at a time, in any order, still finishes.
 *
 * Rule [in place]: a tile writes no output before its aggregate or prefix is published. Where inputs may be outputs, it
 * fences in between. A fallback may read a tile's input again. If it then, after an acquire fence, still finds nothing
 * published, it has read the input and not the output.
 *
 * needs: arguments, state, CLF_COUNT, CLF_LOOKBACK, CLF_SPIN
 * provides: clf_alone, clf_central_slot_of, clf_chain_*, CLF_COUNT_*, CLF_HEADER_BYTES, clf_is_central, clf_lookback,
 *           CLF_LOOKBACK_*, clf_lookback_serial, clf_publish, clf_recompute_prefix, clf_slot_of,
 *           clf_window_*, CLF_WINDOW_TILES
 */
#include "group/message.cl"
#include "memory/tile.cl"
#include "group/run.cl"
#include "segments/segment.cl"

enum { CLF_HEADER_BYTES = 64, CLF_SLOT_APART = 128 };
enum { CLF_COUNT_LOOKBACKS = 1, CLF_COUNT_STEPS = 2, CLF_COUNT_FALLBACKS = 3, CLF_COUNT_HANDOVERS = 4 };

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

/* ---- Look-back by one work-item, a tile at a time ----------------------------------------------------------- */

/*
 * The fallback: the aggregate of a tile from its input, by `lanes` converged lanes of which this is `lane`,
 * the same for all of them. Returns what to go on with, a status and *s: what has been published meanwhile, or
 * what was recomputed.
 */
static uint clf_fallback(const clf_arguments *a, uint tile, uint lane, uint lanes, clf_state *s)
{
    const clf_run r = clf_recompute_together(a, (ulong)tile * CLF_TILE, clf_tile_count(a, tile), lane, lanes);
    if (lane == 0)
        clf_chain_count(a, CLF_COUNT_FALLBACKS);
    clf_fence_acquire();
    const uint status = clf_slot_read(clf_slot_of(a, tile), a->epoch, s);
    if (status != CLF_MESSAGE_NONE)
        return status;
    *s = r.sum;
    return r.head ? CLF_MESSAGE_PREFIX : CLF_MESSAGE_AGGREGATE;
}

/* Slots that one work-item has on their way at a time. */
#define CLF_BATCH (CLF_SLOT_WORDS <= 2 ? 8 : CLF_SLOT_WORDS <= 6 ? 2 : 1)

/*
 * Puts what the `most` tiles below `tile` have published before *prefix: from the nearest on, up to one that has
 * nothing yet, or knows its prefix (*done). Returns how many tiles that were.
 */
static inline uint clf_serial_step(const clf_arguments *a, uint tile, uint most, clf_state *prefix, bool *done)
{
    clf_word raw[CLF_BATCH][CLF_SLOT_WORDS];
    CLF_UNROLL for (uint k = 0; k < CLF_BATCH; ++k)
        if (k < most)
            clf_slot_load(clf_slot_of(a, tile - 1 - k), raw[k]);
    uint taken = 0;
    CLF_UNROLL for (uint k = 0; k < CLF_BATCH; ++k)
        if (k < most && taken == k && !*done) {
            clf_state s;
            const uint status = clf_message_read(raw[k], a->epoch, &s);
            if (status != CLF_MESSAGE_NONE) {
                *prefix = clf_state_combine(s, *prefix);
                *done = status == CLF_MESSAGE_PREFIX;
                ++taken;
            }
        }
    return taken;
}

/* The exclusive prefix of `tile`, by one work-item. While it waits for a tile it looks at no other. */
static inline clf_state clf_lookback_serial(const clf_arguments *a, uint tile)
{
    clf_state prefix = clf_state_neutral();
    bool done = false;
    for (uint polls = 0; tile > 0 && !done;) {
        const uint most = polls || clf_chain_near(a) ? 1 : min(tile, (uint)CLF_BATCH);
        uint taken = clf_serial_step(a, tile, most, &prefix, &done);
        if (taken == 0 && ++polls > CLF_SPIN) {
            clf_state s;
            done = clf_fallback(a, tile - 1, 0, 1, &s) == CLF_MESSAGE_PREFIX;
            prefix = clf_state_combine(s, prefix);
            taken = 1;
        }
        if (taken) {
            clf_chain_count(a, CLF_COUNT_STEPS);
            polls = 0;
            tile -= taken;
        }
    }
    if (!done)
        prefix = clf_state_combine(clf_state_initial(a), prefix);
    return prefix;
}

/* ---- By a warp, or without lanes by the group, a window of tiles at a time ------------------------------------ */

/*
 * CLF_LOOKBACK_WAITS    takes this work-item part? The first warp does (without lanes: work-item 0), or the group
 * CLF_LOOKBACK_STORAGE  a field of the caller's local memory
 * CLF_LOOKBACK_AT       the exclusive prefix of a tile, by those who take part, right for work-item 0 at least;
 *                       synchronise before the field is used again
 * CLF_LOOKBACK_LEADS    is this work-item 0?
 * CLF_LOOKBACK_FIRST    work-item 0's word, for all who take part; CLF_LOOKBACK_AT may follow at once
 */
#if CLF_LOOKBACK != 0 && CLF_LANE_WIDTH > 1
/* Lanes above the highest set bit of `mask`, or all. */
static inline clf_mask clf_above(clf_mask mask)
{
    return mask ? ~(((clf_mask)2 << clf_highest(mask)) - 1) : ~(clf_mask)0;
}

/*
 * What the CLF_LANE_WIDTH tiles below `end` add up to from the nearest prefix on, or all of them; the same
 * for all lanes. Lanes ascend with tiles. *done: a prefix was among them. Tile -1 stands for the initial
 * state, and is a prefix.
 */
static inline clf_state clf_window(const clf_arguments *a, uint end, bool *done)
{
    const int tile = (int)end - CLF_LANE_WIDTH + (int)clf_lane_id();
    clf_state s = clf_state_neutral();
    uint status = tile < 0 || (clf_chain_near(a) && tile + 1 < (int)end) ? CLF_MESSAGE_PREFIX : CLF_MESSAGE_NONE;
    if (tile == -1)
        s = clf_state_initial(a);
    if (status == CLF_MESSAGE_NONE) /* nearly always there: whole at once, not a word first */
        status = clf_slot_read(clf_slot_of(a, (uint)tile), a->epoch, &s);
    clf_mask prefixes, missing;
    for (uint polls = 0;; ++polls) {
        prefixes = clf_ballot(status == CLF_MESSAGE_PREFIX);
        missing = clf_ballot(status == CLF_MESSAGE_NONE) & clf_above(prefixes);
        if (!missing || polls > CLF_SPIN)
            break;
        if (status == CLF_MESSAGE_NONE)
            status = clf_slot_poll(clf_slot_of(a, (uint)tile), a->epoch, &s);
    }
    while (missing) {
        const uint lane = clf_highest(missing);
        clf_state found;
        const uint status_found = clf_fallback(a, end - CLF_LANE_WIDTH + lane, clf_lane_id(), CLF_LANE_WIDTH, &found);
        /* Lanes may have read different messages just now: all take the first lane's. */
        const uint agreed = clf_word_from(status_found, 0);
        found = clf_state_from(found, 0);
        if (clf_lane_id() == lane) {
            s = found;
            status = agreed;
        }
        prefixes = clf_ballot(status == CLF_MESSAGE_PREFIX);
        missing = clf_ballot(status == CLF_MESSAGE_NONE) & clf_above(prefixes);
    }
    *done = prefixes != 0;
    if (prefixes && clf_lane_id() < clf_highest(prefixes))
        s = clf_state_neutral();
    return clf_state_from(clf_state_lane_inclusive(s CLF_COMBINE_A), CLF_LANE_WIDTH - 1);
}

/* The exclusive prefix of `tile`, by a warp, the same for all its lanes. */
static inline clf_state clf_lookback(const clf_arguments *a, uint tile)
{
    clf_state prefix = clf_state_neutral();
    if (clf_local_id() == 0)
        clf_chain_count(a, CLF_COUNT_LOOKBACKS);
    for (uint end = tile;; end -= CLF_LANE_WIDTH) {
        bool done;
        const clf_state left = clf_window(a, end, &done);
        prefix = clf_state_combine(left, prefix);
        if (clf_lane_id() == 0)
            clf_chain_count(a, CLF_COUNT_STEPS);
        if (done)
            return prefix;
    }
}

#define CLF_LOOKBACK_WAITS (clf_warp_id() == 0)
#define CLF_LOOKBACK_STORAGE
#define CLF_LOOKBACK_AT(a, tile, s) clf_lookback(a, tile)
#define CLF_LOOKBACK_LEADS (clf_lane_id() == 0)
#define CLF_LOOKBACK_FIRST(word, s) clf_word_from(word, 0)

#elif CLF_LOOKBACK != 0
/*
 * Tiles of a window: as many as fit what the host leaves free of local memory (clf_tile_local in layout/slab.c). A
 * central group (single_pass.cl) serves as many as it has work-items.
 */
#define CLF_WINDOW_FITS (2 * CLF_GROUP / (CLF_STATE_WORDS + 1))
#define CLF_WINDOW_MOST (CLF_LOOKBACK == 2 ? CLF_GROUP : 32)
#define CLF_WINDOW_LEAST (CLF_WINDOW_FITS > CLF_WINDOW_MOST ? CLF_WINDOW_MOST : CLF_WINDOW_FITS)
enum { CLF_WINDOW_TILES = CLF_WINDOW_LEAST < 1 ? 1 : CLF_WINDOW_LEAST };

typedef struct {
    uint sum[CLF_WINDOW_TILES][CLF_STATE_WORDS]; /* the nearest tile first; as structs NVIDIA's compiler has no end */
    uint status[CLF_WINDOW_TILES];
    uint end; /* tiles that are left */
} clf_window_storage;

static inline void clf_window_set(__local clf_window_storage *s, uint tile, clf_state x, uint status)
{
    uint w[CLF_STATE_WORDS];
    clf_state_pack(x, w);
    CLF_UNROLL for (uint k = 0; k < CLF_STATE_WORDS; ++k)
        s->sum[tile][k] = w[k];
    s->status[tile] = status;
}

static inline clf_state clf_window_get(__local const clf_window_storage *s, uint tile)
{
    uint w[CLF_STATE_WORDS];
    CLF_UNROLL for (uint k = 0; k < CLF_STATE_WORDS; ++k)
        w[k] = s->sum[tile][k];
    return clf_state_unpack(w);
}

/* What work-item 0 knows. */
typedef struct {
    clf_state sum;
    uint polls;
    bool done; /* a prefix is part of the sum */
} clf_window_found;

/* Puts the messages of a window in a row before *f. Returns how many tiles they are of; 0: it is still to wait. */
static inline uint clf_window_take(const clf_arguments *a, uint end, clf_window_found *f,
                                   __local const clf_window_storage *s)
{
    uint taken = 0;
    for (; taken < CLF_WINDOW_TILES && s->status[taken] != CLF_MESSAGE_NONE && !f->done; ++taken) {
        f->sum = clf_state_combine(clf_window_get(s, taken), f->sum);
        f->done = s->status[taken] == CLF_MESSAGE_PREFIX;
    }
    if (taken == 0 && ++f->polls > CLF_SPIN) {
        clf_state x;
        f->done = clf_fallback(a, end - 1, 0, 1, &x) == CLF_MESSAGE_PREFIX;
        f->sum = clf_state_combine(x, f->sum);
        taken = 1;
    }
    if (taken > 0) {
        clf_chain_count(a, CLF_COUNT_STEPS);
        f->polls = 0;
    }
    return taken;
}

/* The exclusive prefix of `tile`, by the whole group, right for work-item 0. */
static inline clf_state clf_lookback_group(const clf_arguments *a, uint tile, __local clf_window_storage *s)
{
    const uint id = clf_local_id(), most = clf_chain_near(a) ? 1 : CLF_WINDOW_TILES;
    clf_window_found f = {clf_state_neutral(), 0, false};
    if (id == 0 && tile > 0)
        clf_chain_count(a, CLF_COUNT_LOOKBACKS);
    for (uint end = tile; end > 0; end = s->end) {
        if (id < CLF_WINDOW_TILES) {
            clf_state x = clf_state_neutral();
            const uint status = id < min(end, most) ? clf_slot_read(clf_slot_of(a, end - 1 - id), a->epoch, &x)
                                                    : CLF_MESSAGE_NONE;
            clf_window_set(s, id, x, status);
        }
        clf_group_sync();
        if (id == 0) {
            const uint taken = clf_window_take(a, end, &f, s);
            s->end = f.done ? 0 : end - taken;
        }
        clf_group_sync();
    }
    return f.done ? f.sum : clf_state_combine(clf_state_initial(a), f.sum);
}

/* Work-item 0's word, for all. */
static inline uint clf_window_first(uint word, __local clf_window_storage *s)
{
    if (clf_local_id() == 0)
        s->end = word;
    clf_group_sync();
    return s->end;
}

#define CLF_LOOKBACK_WAITS true
#define CLF_LOOKBACK_STORAGE clf_window_storage window;
#define CLF_LOOKBACK_AT(a, tile, s) clf_lookback_group(a, tile, &(s)->window)
#define CLF_LOOKBACK_LEADS (clf_local_id() == 0)
#define CLF_LOOKBACK_FIRST(word, s) clf_window_first(word, &(s)->window)

#else
/* The exclusive prefix of `tile`, by work-item 0. */
static inline clf_state clf_lookback(const clf_arguments *a, uint tile)
{
    if (clf_local_id() == 0)
        clf_chain_count(a, CLF_COUNT_LOOKBACKS);
    return clf_local_id() == 0 ? clf_lookback_serial(a, tile) : clf_state_neutral();
}
#define CLF_LOOKBACK_WAITS (clf_warp_id() == 0)
#define CLF_LOOKBACK_STORAGE
#define CLF_LOOKBACK_AT(a, tile, s) clf_lookback(a, tile)
#endif
