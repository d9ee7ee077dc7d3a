/* SPDX-License-Identifier: MIT */
/*
 * list: the best elements so far of a row, or of a part of one, which a unit (lane.cl) keeps in local memory: their
 * keys and their indices, in any order. The `wanted` least ones of those that were seen are always among them. When the
 * list gets full it is narrowed to little more than these, and what comes later must be less than all of them.
 *
 * All of the list but its memory is in registers, and the same in all work-items of the unit.
 *
 * needs: nothing
 * provides: clf_list, clf_list_begin, CLF_LIST_EACH, clf_list_narrow, CLF_LIST_ROOM, CLF_LIST_STEP, clf_list_tighten
 */
#include "top_k/search.cl"

/* src/primitives/top_k_shape.c has the same numbers. */
#define CLF_LIST_EACH CLF_SEARCHED /* entries of a work-item */
#define CLF_LIST_STEP (CLF_LIST_EACH / 2)
#define CLF_LIST_ROOM (CLF_LIST_EACH * CLF_UNIT)

typedef struct {
    clf_key_bits key[CLF_UNITS][CLF_LIST_ROOM];
    uint at[CLF_UNITS][CLF_LIST_ROOM];
    clf_count_totals totals;
} clf_list_storage;

typedef struct {
    __local clf_key_bits *key;
    __local uint *at;
    __local clf_count_totals *totals;
    uint wanted, found;
    clf_key_bits limit; /* elements to come whose keys are greater are not wanted; */
    clf_flag closed;    /* none of them are */
} clf_list;

static inline void clf_list_begin(uint wanted, __local clf_list_storage *s, clf_list *list)
{
    list->key = s->key[clf_unit_id()];
    list->at = s->at[clf_unit_id()];
    list->totals = &s->totals;
    list->wanted = wanted;
    list->found = 0;
    list->limit = CLF_KEY_ONES;
    list->closed = false;
}

/* There are `wanted` elements whose keys are not greater than `bound`: so those to come must be less. */
static inline void clf_list_tighten(clf_list *list, clf_key_bits bound)
{
    if (CLF_KEY_EQUAL(bound, (clf_key_bits)0))
        list->closed = true;
    else
        list->limit = CLF_KEY_MIN(list->limit, clf_key_previous(bound));
}

/* ---- Narrowing ------------------------------------------------------------------------------------------ */

/* The list as its work-items see it: every CLF_UNIT-th entry. Those that are not there come last. */
typedef struct {
    clf_key_bits keys[CLF_LIST_EACH];
    uint ats[CLF_LIST_EACH];
} clf_entries;

CLF_INLINE void clf_entries_load(const clf_list *list, clf_entries *e)
{
    CLF_UNROLL for (uint k = 0; k < CLF_LIST_EACH; ++k) {
        const uint own = k * CLF_UNIT + clf_unit_lane();
        const bool there = own < list->found;
        e->keys[k] = there ? list->key[own] : CLF_KEY_ONES;
        e->ats[k] = there ? list->at[own] : ~0u;
    }
}

/* Of entries with the key `bound` the last index that is kept. `end`: behind all of them. */
CLF_INLINE uint clf_entries_last(const clf_entries *e, clf_key_bits bound, uint end, uint most, const clf_list *list)
{
    uint low = 0, high = end - 1;
    CLF_LOOP for (; low < high;) {
        const uint middle = low + (high - low) / 2;
        uint own = 0;
        CLF_UNROLL for (uint k = 0; k < CLF_LIST_EACH; ++k)
            own += CLF_KEY_LESS(e->keys[k], bound) || (CLF_KEY_EQUAL(e->keys[k], bound) && e->ats[k] <= middle);
        const uint all = clf_unit_sum(own, list->totals);
        if (all < list->wanted)
            low = middle + 1;
        else
            high = middle;
        if (all >= list->wanted && all <= most)
            low = high;
    }
    return high;
}

/*
 * Keeps the first `wanted` entries, and others, but `most` at most. There are more. `end` is behind the indices of all.
 */
CLF_INLINE void clf_list_narrow(clf_list *list, uint end, uint most)
{
    clf_entries e;
    uint reached, bits = 0;
    clf_entries_load(list, &e);
    const clf_key_bits bound = clf_search_keys(e.keys, list->wanted, most, list->totals, &reached);
    const uint last = reached > most ? clf_entries_last(&e, bound, end, most, list) : end - 1;
    CLF_UNROLL for (uint k = 0; k < CLF_LIST_EACH; ++k)
        bits |= (uint)(CLF_KEY_LESS(e.keys[k], bound) || (CLF_KEY_EQUAL(e.keys[k], bound) && e.ats[k] <= last)) << k;
    uint place = clf_unit_place((uint)popcount(bits), list->totals, &list->found);
    clf_unit_sync();
    CLF_UNROLL for (uint k = 0; k < CLF_LIST_EACH; ++k)
        if (bits >> k & 1) {
            list->key[place] = e.keys[k];
            list->at[place++] = e.ats[k];
        }
    clf_list_tighten(list, bound);
    clf_unit_sync();
}
