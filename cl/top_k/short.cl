/* SPDX-License-Identifier: MIT */
/*
 * short: a few of a short row, by a warp (where there are no lanes, by a work-item), which has all keys of the row in
 * registers. The least keys of each lane tell a bound: the k-th of them, for k lanes have one that is not behind it.
 * Mostly little more than k elements are not behind it, either. These go to local memory and are ranked by counting. If
 * they are too many, k elements are selected bit by bit first.
 */
#include "top_k/take.cl"

/* src/primitives/top_k.c has the same numbers. */
#define CLF_SHORT_ITEMS (CLF_KEY_BYTES > 4 ? 16 : 32) /* elements of a lane */
#define CLF_SHORT_ROOM (CLF_LANE_WIDTH > 1 ? 64 : 8) /* candidates: not less than the largest k */

typedef struct {
    ulong key[CLF_WARPS][CLF_SHORT_ROOM];
    uint at[CLF_WARPS][CLF_SHORT_ROOM];
} clf_top_short_storage;

/* A row as a lane sees it. */
typedef struct {
    uint size, wanted;
    clf_key_bits keys[CLF_SHORT_ITEMS];
} clf_short;

static inline bool clf_short_has(const clf_short *r, uint j)
{
    return j * CLF_LANE_WIDTH + clf_lane_id() < r->size;
}

static inline void clf_short_load(const clf_work *w, clf_short *r)
{
    CLF_UNROLL for (uint j = 0; j < CLF_SHORT_ITEMS; ++j)
        r->keys[j] = clf_short_has(r, j) ? clf_work_key(w, j * CLF_LANE_WIDTH + clf_lane_id()) : CLF_KEY_ONES;
}

/* A bound that at least `wanted` elements are not behind. */
static inline clf_key_bits clf_short_bound(const clf_short *r, __local ulong *list)
{
    clf_key_bits least = CLF_KEY_ONES;
    uint place = 0;
    if (r->wanted > CLF_LANE_WIDTH)
        return CLF_KEY_ONES;
    CLF_UNROLL for (uint j = 0; j < CLF_SHORT_ITEMS; ++j)
        least = min(least, r->keys[j]);
    list[clf_lane_id()] = least;
    clf_lane_sync();
    CLF_UNROLL for (uint k = 0; k < CLF_LANE_WIDTH; ++k) {
        const clf_key_bits other = (clf_key_bits)list[k];
        place += other < least || (other == least && k < clf_lane_id());
    }
    clf_lane_sync();
    if (place + 1 == r->wanted)
        list[0] = least;
    clf_lane_sync();
    const clf_key_bits bound = (clf_key_bits)list[0];
    clf_lane_sync();
    return bound;
}

/* How many elements of the row lie in front of `bound`, or, too, on it. */
static inline uint clf_short_count(const clf_short *r, clf_key_bits bound, bool too)
{
    uint number = 0;
    CLF_UNROLL for (uint j = 0; j < CLF_SHORT_ITEMS; ++j)
        number += (uint)popcount(
            clf_ballot(clf_short_has(r, j) && (r->keys[j] < bound || (too && r->keys[j] == bound))));
    return number;
}

/* Bit by bit from the top: has the last one that is wanted a 0 there? */
static inline void clf_short_select(const clf_short *r, clf_selection *t)
{
    uint need = r->wanted;
    clf_key_bits low = 0;
    CLF_LOOP for (uint bit = 8 * CLF_KEY_BYTES; bit-- > 0;) {
        const clf_key_bits with = low | (clf_key_bits)1 << bit;
        const uint before = clf_short_count(r, with, false);
        low = before < r->wanted ? with : low;
    }
    need -= clf_short_count(r, low, false);
    t->low = t->high = low;
    t->need = need;
}

/* The elements that go to local memory, all that are not behind a bound, or just those that are taken. */
static inline void clf_short_choose(const clf_short *r, __local ulong *list, clf_selection *t)
{
    const clf_key_bits bound = clf_short_bound(r, list);
    t->low = t->high = bound;
    t->need = r->size;
    if (clf_short_count(r, bound, true) <= CLF_SHORT_ROOM)
        return;
    const uint before = clf_short_count(r, bound, false);
    if (before < r->wanted)
        t->need = r->wanted - before;
    else
        clf_short_select(r, t);
}

/* Brings them together, in their order; how many they are. */
static inline uint clf_short_together(const clf_short *r, const clf_selection *t, __local ulong *list,
                                      __local uint *at)
{
    uint found = 0;
    ulong some = 0;
    CLF_UNROLL for (uint j = 0; j < CLF_SHORT_ITEMS; ++j) {
        const clf_taken_lanes l = clf_taken_by(t, r->keys[j], clf_short_has(r, j));
        const ulong before = some + (uint)popcount(clf_mask_below(l.some));
        const bool taken = clf_short_has(r, j) && (r->keys[j] < t->low || (r->keys[j] == t->low && before < t->need));
        const clf_mask all = clf_ballot(taken);
        const uint place = found + (uint)popcount(clf_mask_below(all));
        if (taken) {
            list[place] = r->keys[j];
            at[place] = j * CLF_LANE_WIDTH + clf_lane_id();
        }
        found += (uint)popcount(all);
        some += (uint)popcount(l.some);
    }
    clf_lane_sync();
    return found;
}

/* Writes the first ones of them: each at its rank, or in the order of the input. */
static inline void clf_short_write(const clf_work *w, const clf_short *r, uint found, __local const ulong *list,
                                   __local const uint *at, ulong to)
{
    uint written = 0;
    for (uint first = 0; first < found; first += CLF_LANE_WIDTH) {
        const uint own = first + clf_lane_id();
        const ulong key = list[min(own, found - 1)];
        uint rank = 0;
        for (uint k = 0; k < found; ++k)
            rank += list[k] < key || (list[k] == key && k < own);
        const bool taken = own < found && rank < r->wanted;
        const clf_mask all = clf_ballot(taken);
        const uint place = w->a->how & CLF_TOP_UNSORTED ? written + (uint)popcount(clf_mask_below(all)) : rank;
        if (taken)
            clf_output_at(&w->a->out, to + place, clf_work_value(w, at[own]));
        written += (uint)popcount(all);
    }
}

static inline void clf_top_short_body(const clf_arguments *a, __local clf_top_short_storage *s)
{
    const ulong row = get_group_id(0) * CLF_WARPS + clf_warp_id();
    __local ulong *const list = s->key[clf_warp_id()];
    __local uint *const at = s->at[clf_warp_id()];
    clf_selection t;
    clf_short r;
    clf_work w;
    clf_work_begin(a, row, &w);
    r.size = (uint)w.size;
    r.wanted = (uint)clf_work_results(a, w.size);
    if (r.wanted == 0)
        return;
    clf_short_load(&w, &r);
    clf_short_choose(&r, list, &t);
    const uint found = clf_short_together(&r, &t, list, at);
    clf_short_write(&w, &r, found, list, at, row * r.wanted);
}
