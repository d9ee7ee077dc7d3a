/* SPDX-License-Identifier: MIT */
/*
 * short: a few of a short row, by a warp (where there are no lanes, by a work-item), which has all keys of the row in
 * registers. The least keys of each lane tell a bound: the k-th of them, for k lanes have one that is not behind it.
 * Mostly little more than k elements are not behind it, either. Their indices go to local memory, and they are ranked
 * by counting. If they are too many, k elements are selected bit by bit first.
 */
#include "top_k/take.cl"

/* src/primitives/top_k.c has the same numbers. */
#define CLF_SHORT_ITEMS (CLF_KEY_BYTES > 4 ? 16 : 32) /* elements of a lane */
#define CLF_SHORT_ROOM (CLF_LANE_WIDTH > 1 ? 64 : 8) /* candidates: not less than the largest k */

typedef struct {
    clf_key_bits key[CLF_WARPS][CLF_SHORT_ROOM];
    uint at[CLF_WARPS][CLF_SHORT_ROOM], rank[CLF_WARPS][CLF_SHORT_ROOM];
} clf_top_short_storage;

/* The warp's part of it. */
typedef struct {
    __local clf_key_bits *key;
    __local uint *at, *rank;
} clf_short_list;

/* A row as a lane sees it. */
typedef struct {
    uint size, wanted;
    uint there; /* a bit for each element that the row really has */
    clf_key_bits keys[CLF_SHORT_ITEMS];
} clf_short;

static inline bool clf_short_has(const clf_short *r, uint j)
{
    return r->there >> j & 1;
}

/* A whole row needs no questions. The lane's part of the address is outside the loop, and the rest a constant. */
static inline void clf_short_load(const clf_work *w, clf_short *r)
{
    const uint own = r->size > clf_lane_id() ? (r->size - clf_lane_id() - 1) / CLF_LANE_WIDTH + 1 : 0;
    clf_work from = *w;
    from.first += clf_lane_id();
    r->there = own < 32 ? (1u << own) - 1 : ~0u;
    if (r->size == CLF_SHORT_ITEMS * CLF_LANE_WIDTH) {
        CLF_UNROLL for (uint j = 0; j < CLF_SHORT_ITEMS; ++j)
            r->keys[j] = clf_work_key(&from, j * CLF_LANE_WIDTH);
    } else {
        CLF_UNROLL for (uint j = 0; j < CLF_SHORT_ITEMS; ++j)
            r->keys[j] = clf_short_has(r, j) ? clf_work_key(&from, j * CLF_LANE_WIDTH) : CLF_KEY_ONES;
    }
}

/* A bound that at least `wanted` elements are not behind. */
static inline clf_key_bits clf_short_bound(const clf_short *r, __local clf_key_bits *list)
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
        const clf_key_bits other = list[k];
        place += other < least || (other == least && k < clf_lane_id());
    }
    clf_lane_sync();
    if (place + 1 == r->wanted)
        list[0] = least;
    clf_lane_sync();
    const clf_key_bits bound = list[0];
    clf_lane_sync();
    return bound;
}

/* How many elements of the row lie in front of `bound`: none of those that it has not. */
static inline uint clf_short_count(const clf_short *r, clf_key_bits bound)
{
    uint number = 0;
    CLF_UNROLL for (uint j = 0; j < CLF_SHORT_ITEMS; ++j)
        number += (uint)popcount(clf_ballot(r->keys[j] < bound));
    return number;
}

/* Bit by bit from the top: has the last one that is wanted a 0 there? */
static inline void clf_short_select(const clf_short *r, clf_selection *t)
{
    uint need = r->wanted;
    clf_key_bits low = 0;
    CLF_LOOP for (uint bit = 8 * CLF_KEY_BYTES; bit-- > 0;) {
        const clf_key_bits with = low | (clf_key_bits)1 << bit;
        const uint before = clf_short_count(r, with);
        low = before < r->wanted ? with : low;
    }
    need -= clf_short_count(r, low);
    t->low = t->high = low;
    t->need = need;
}

/* Exactly those that are wanted: the selection of them. */
static inline void clf_short_narrow(const clf_short *r, clf_key_bits bound, clf_selection *t)
{
    const uint before = clf_short_count(r, bound);
    t->low = t->high = bound;
    t->need = r->wanted - before;
    if (before >= r->wanted)
        clf_short_select(r, t);
}

/* Lists them. */
static inline uint clf_short_list_taken(const clf_short *r, const clf_selection *t, const clf_short_list *list)
{
    uint found = 0, some = 0;
    CLF_UNROLL for (uint j = 0; j < CLF_SHORT_ITEMS; ++j) {
        const clf_taken_lanes l = clf_taken_by(t, r->keys[j], clf_short_has(r, j));
        const uint before = some + (uint)popcount(clf_mask_below(l.some));
        const bool taken = clf_short_has(r, j) && (r->keys[j] < t->low || (r->keys[j] == t->low && before < t->need));
        const clf_mask all = clf_ballot(taken);
        if (taken)
            list->at[found + (uint)popcount(clf_mask_below(all))] = j * CLF_LANE_WIDTH + clf_lane_id();
        found += (uint)popcount(all);
        some += (uint)popcount(l.some);
    }
    return found;
}

/* Lists the elements that are not behind the bound, or just those that are taken; how many they are. */
static inline uint clf_short_choose(const clf_short *r, const clf_short_list *list)
{
    const clf_key_bits bound = clf_short_bound(r, list->key);
    uint bits = 0, found;
    CLF_UNROLL for (uint j = 0; j < CLF_SHORT_ITEMS; ++j)
        bits |= (uint)(r->keys[j] <= bound) << j;
    bits &= r->there;
    uint place = clf_count_lane_scan((uint)popcount(bits), &found);
    found = clf_count_lane_last(found);
    if (found > CLF_SHORT_ROOM) {
        clf_selection t;
        clf_short_narrow(r, bound, &t);
        found = clf_short_list_taken(r, &t, list);
    } else {
        for (; bits; bits &= bits - 1)
            list->at[place++] = (31 - clz(bits & (~bits + 1))) * CLF_LANE_WIDTH + clf_lane_id();
    }
    clf_lane_sync();
    return found;
}

/* Ranks what is listed. Keys come from memory again, for registers have no index. */
static inline void clf_short_rank(const clf_work *w, uint found, const clf_short_list *list)
{
    for (uint own = clf_lane_id(); own < found; own += CLF_LANE_WIDTH)
        list->key[own] = clf_work_key(w, list->at[own]);
    clf_lane_sync();
    for (uint own = clf_lane_id(); own < found; own += CLF_LANE_WIDTH) {
        const clf_key_bits key = list->key[own];
        const uint at = list->at[own];
        uint rank = 0;
        for (uint k = 0; k < found; ++k)
            rank += list->key[k] < key || (list->key[k] == key && list->at[k] < at);
        list->rank[own] = rank;
    }
    clf_lane_sync();
}

/* Writes the first ones: each at its rank, or in the order of the input. */
static inline void clf_short_write(const clf_work *w, const clf_short *r, uint found, const clf_short_list *list,
                                   ulong to)
{
    for (uint own = clf_lane_id(); own < found; own += CLF_LANE_WIDTH) {
        const uint at = list->at[own];
        uint place = list->rank[own];
        if (place >= r->wanted)
            continue;
        if (w->a->how & CLF_TOP_UNSORTED) {
            place = 0;
            for (uint k = 0; k < found; ++k)
                place += list->rank[k] < r->wanted && list->at[k] < at;
        }
        clf_output_at(&w->a->out, to + place, clf_work_value(w, at));
    }
}

CLF_INLINE void clf_top_short_body(const clf_arguments *a, __local clf_top_short_storage *s)
{
    const ulong row = get_group_id(0) * CLF_WARPS + clf_warp_id();
    clf_short_list list;
    clf_short r;
    clf_work w;
    clf_work_begin(a, row, &w);
    list.key = s->key[clf_warp_id()];
    list.at = s->at[clf_warp_id()];
    list.rank = s->rank[clf_warp_id()];
    r.size = (uint)w.size;
    r.wanted = (uint)clf_work_results(a, w.size);
    if (r.wanted == 0)
        return;
    clf_short_load(&w, &r);
    const uint found = clf_short_choose(&r, &list);
    clf_short_rank(&w, found, &list);
    clf_short_write(&w, &r, found, &list, row * r.wanted);
}
