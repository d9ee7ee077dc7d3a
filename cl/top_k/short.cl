/* SPDX-License-Identifier: MIT */
/*
 * short: a few of a short row, by a unit (lane.cl), which has all keys of the row in registers. The least keys of each
 * work-item give a bound: the k-th of them, because k work-items have one that is not behind it. Mostly few more than k
 * elements are not behind it, either. Their indices go to local memory, and they are ranked by counting. If they are
 * too many, k elements are selected bit by bit first; those that have the same key by their indices.
 */
#include "top_k/take.cl"

/* src/primitives/top_k_shape.c has the same numbers. */
#define CLF_SHORT_ITEMS ((CLF_KEY_BYTES > 4 ? 16 : 32) / (CLF_LANE_WIDTH > 1 ? 1 : 2)) /* elements of a work-item */
#define CLF_SHORT_ROOM (CLF_UNIT > 64 ? CLF_UNIT : 64) /* candidates: not less than the largest k, nor work-items */

typedef struct {
    clf_key_bits key[CLF_UNITS][CLF_SHORT_ROOM];
    uint at[CLF_UNITS][CLF_SHORT_ROOM], rank[CLF_UNITS][CLF_SHORT_ROOM];
    clf_count_totals totals;
} clf_top_short_storage;

/* The unit's part of it. */
typedef struct {
    __local clf_key_bits *key;
    __local uint *at, *rank;
    __local clf_count_totals *totals;
} clf_short_list;

/* A row as a work-item sees it: every CLF_UNIT-th element. */
typedef struct {
    uint size, wanted;
    uint there; /* a bit for each element that the row really has */
    clf_key_bits keys[CLF_SHORT_ITEMS];
} clf_short;

static inline bool clf_short_has(const clf_short *r, uint j)
{
    return r->there >> j & 1;
}

/* A whole row needs no questions. The work-item's part of the address is outside the loop, and the rest a constant. */
static inline void clf_short_load(const clf_work *w, clf_short *r)
{
    const uint own = r->size > clf_unit_lane() ? (r->size - clf_unit_lane() - 1) / CLF_UNIT + 1 : 0;
    clf_work from = *w;
    from.first += clf_unit_lane();
    r->there = own < 32 ? (1u << own) - 1 : ~0u;
    if (r->size == CLF_SHORT_ITEMS * CLF_UNIT) {
        CLF_UNROLL for (uint j = 0; j < CLF_SHORT_ITEMS; ++j)
            r->keys[j] = clf_work_key(&from, j * CLF_UNIT);
    } else {
        CLF_UNROLL for (uint j = 0; j < CLF_SHORT_ITEMS; ++j)
            r->keys[j] = clf_short_has(r, j) ? clf_work_key(&from, j * CLF_UNIT) : CLF_KEY_ONES;
    }
}

/* A bound that at least `wanted` elements are not behind. */
static inline clf_key_bits clf_short_bound(const clf_short *r, __local clf_key_bits *list)
{
    clf_key_bits least = CLF_KEY_ONES;
    uint place = 0;
    if (r->wanted > CLF_UNIT)
        return CLF_KEY_ONES;
    CLF_UNROLL for (uint j = 0; j < CLF_SHORT_ITEMS; ++j)
        least = min(least, r->keys[j]);
    list[clf_unit_lane()] = least;
    clf_unit_sync();
    CLF_UNROLL for (uint k = 0; k < CLF_UNIT; ++k) {
        const clf_key_bits other = list[k];
        place += other < least || (other == least && k < clf_unit_lane());
    }
    clf_unit_sync();
    if (place + 1 == r->wanted)
        list[0] = least;
    clf_unit_sync();
    const clf_key_bits bound = list[0];
    clf_unit_sync();
    return bound;
}

/* ---- If the bound lets pass too many ---------------------------------------------------------------------- */

#if CLF_LANE_WIDTH > 1

/* How many elements of the row lie in front of `bound`: none of those that it has not. */
static inline uint clf_short_count(const clf_short *r, clf_key_bits bound, const clf_short_list *list)
{
    uint number = 0;
    CLF_UNROLL for (uint j = 0; j < CLF_SHORT_ITEMS; ++j)
        number += (uint)popcount(clf_ballot(r->keys[j] < bound));
    return number;
}

/* Lists those that are taken; how many they are. */
static inline uint clf_short_list_taken(const clf_short *r, const clf_selection *t, const clf_short_list *list)
{
    uint found = 0, some = 0;
    CLF_UNROLL for (uint j = 0; j < CLF_SHORT_ITEMS; ++j) {
        const clf_taken_lanes l = clf_taken_by(t, r->keys[j], clf_short_has(r, j));
        const uint before = some + (uint)popcount(clf_mask_below(l.some));
        const bool taken = clf_short_has(r, j) && (r->keys[j] < t->low || (r->keys[j] == t->low && before < t->need));
        const clf_mask all = clf_ballot(taken);
        if (taken)
            list->at[found + (uint)popcount(clf_mask_below(all))] = j * CLF_UNIT + clf_unit_lane();
        found += (uint)popcount(all);
        some += (uint)popcount(l.some);
    }
    return found;
}

#else

/* What the group's work-items have together. */
static inline uint clf_short_sum(uint own, const clf_short_list *list)
{
    uint all;
    clf_unit_sync();
    (void)clf_count_unit_scan(own, list->totals, &all);
    return all;
}

/* How many elements of the row lie in front of `bound`: none of those that it has not. */
static inline uint clf_short_count(const clf_short *r, clf_key_bits bound, const clf_short_list *list)
{
    uint own = 0;
    CLF_UNROLL for (uint j = 0; j < CLF_SHORT_ITEMS; ++j)
        own += r->keys[j] < bound;
    return clf_short_sum(own, list);
}

/* Bit j: is element j of this work-item one of those with this key, at an index below `end`? */
static inline uint clf_short_alike(const clf_short *r, clf_key_bits key, uint end)
{
    uint bits = 0;
    CLF_UNROLL for (uint j = 0; j < CLF_SHORT_ITEMS; ++j)
        bits |= (uint)(r->keys[j] == key && j * CLF_UNIT + clf_unit_lane() < end) << j;
    return bits;
}

/* The index behind the `need`-th element with this key, bit by bit. Elements that the row has not come after it. */
static inline uint clf_short_end(const clf_short *r, clf_key_bits key, uint need, const clf_short_list *list)
{
    uint last = 0;
    CLF_LOOP for (uint step = 1u << clf_highest(CLF_SHORT_ITEMS * CLF_UNIT); step > 0; step /= 2) {
        const uint before = clf_short_sum((uint)popcount(clf_short_alike(r, key, last + step)), list);
        last = before < need ? last + step : last;
    }
    return last + 1;
}

/* Lists those that are taken; how many they are. */
static inline uint clf_short_list_taken(const clf_short *r, const clf_selection *t, const clf_short_list *list)
{
    uint found, bits = clf_short_alike(r, t->low, clf_short_end(r, t->low, (uint)t->need, list));
    CLF_UNROLL for (uint j = 0; j < CLF_SHORT_ITEMS; ++j)
        bits |= (uint)(r->keys[j] < t->low) << j;
    clf_unit_sync();
    uint place = clf_count_unit_scan((uint)popcount(bits), list->totals, &found);
    for (; bits; bits &= bits - 1)
        list->at[place++] = (31 - clz(bits & (~bits + 1))) * CLF_UNIT + clf_unit_lane();
    return found;
}

#endif

/* Bit by bit from the top: has the last one that is wanted a 0 there? */
static inline void clf_short_select(const clf_short *r, clf_selection *t, const clf_short_list *list)
{
    uint need = r->wanted;
    clf_key_bits low = 0;
    CLF_LOOP for (uint bit = 8 * CLF_KEY_BYTES; bit-- > 0;) {
        const clf_key_bits with = low | (clf_key_bits)1 << bit;
        const uint before = clf_short_count(r, with, list);
        low = before < r->wanted ? with : low;
    }
    need -= clf_short_count(r, low, list);
    t->low = t->high = low;
    t->need = need;
}

/* Exactly those that are wanted: the selection of them. */
static inline void clf_short_narrow(const clf_short *r, clf_key_bits bound, clf_selection *t,
                                    const clf_short_list *list)
{
    const uint before = clf_short_count(r, bound, list);
    t->low = t->high = bound;
    t->need = r->wanted - before;
    if (before >= r->wanted)
        clf_short_select(r, t, list);
}

/* ---- Choosing ------------------------------------------------------------------------------------------------- */

/* Lists the elements that are not behind the bound, or just those that are taken; how many they are. */
static inline uint clf_short_choose(const clf_short *r, const clf_short_list *list)
{
    const clf_key_bits bound = clf_short_bound(r, list->key);
    uint bits = 0, found;
    CLF_UNROLL for (uint j = 0; j < CLF_SHORT_ITEMS; ++j)
        bits |= (uint)(r->keys[j] <= bound) << j;
    bits &= r->there;
    uint place = clf_count_unit_scan((uint)popcount(bits), list->totals, &found);
    if (found > CLF_SHORT_ROOM) {
        clf_selection t;
        clf_short_narrow(r, bound, &t, list);
        found = clf_short_list_taken(r, &t, list);
    } else {
        for (; bits; bits &= bits - 1)
            list->at[place++] = (31 - clz(bits & (~bits + 1))) * CLF_UNIT + clf_unit_lane();
    }
    clf_unit_sync();
    return found;
}

/* Ranks what is listed. Keys come from memory again, for registers have no index. */
static inline void clf_short_rank(const clf_work *w, uint found, const clf_short_list *list)
{
    for (uint own = clf_unit_lane(); own < found; own += CLF_UNIT)
        list->key[own] = clf_work_key(w, list->at[own]);
    clf_unit_sync();
    for (uint own = clf_unit_lane(); own < found; own += CLF_UNIT) {
        const clf_key_bits key = list->key[own];
        const uint at = list->at[own];
        uint rank = 0;
        for (uint k = 0; k < found; ++k)
            rank += list->key[k] < key || (list->key[k] == key && list->at[k] < at);
        list->rank[own] = rank;
    }
    clf_unit_sync();
}

/* Writes the first ones: each at its rank, or in the order of the input. */
static inline void clf_short_write(const clf_work *w, const clf_short *r, uint found, const clf_short_list *list,
                                   ulong to)
{
    for (uint own = clf_unit_lane(); own < found; own += CLF_UNIT) {
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
    const ulong row = get_group_id(0) * CLF_UNITS + clf_unit_id();
    clf_short_list list;
    clf_short r;
    clf_work w;
    clf_work_begin(a, row, &w);
    list.key = s->key[clf_unit_id()];
    list.at = s->at[clf_unit_id()];
    list.rank = s->rank[clf_unit_id()];
    list.totals = &s->totals;
    r.size = (uint)w.size;
    r.wanted = (uint)clf_work_results(a, w.size);
    if (CLF_LEAVES_EARLY && r.wanted == 0)
        return;
    clf_short_load(&w, &r);
    const uint found = clf_short_choose(&r, &list);
    clf_short_rank(&w, found, &list);
    clf_short_write(&w, &r, found, &list, row * r.wanted);
}
