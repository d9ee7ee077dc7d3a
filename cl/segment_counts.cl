/* SPDX-License-Identifier: MIT */
/*
 * segment_counts: elements told apart by head bits (segment_bits.cl) in equal shares, one per unit (stretch.cl), and
 * how many segments start in each: a launch before the one that needs that writes a->counts[1 + share], so each unit
 * knows which segment its share begins in. In a->counts[0] goes the number of all segments.
 */
#include "segment.cl"
#include "stretch.cl"

/* One of the call's shares: elements first … last - 1, a whole number of words; on GPUs of stretches, too. */
typedef struct {
    ulong first, last;
} clf_share;

static inline clf_share clf_share_of(const clf_arguments *a)
{
    const ulong shares = get_num_groups(0) * CLF_UNITS, step = CLF_GROUP > 1 ? 32 * CLF_ITEMS : 32;
    const ulong each = ((a->size + step - 1) / step + shares - 1) / shares * step;
    const ulong first = min((get_group_id(0) * CLF_UNITS + clf_unit_id()) * each, a->size);
    const clf_share s = {first, min(first + each, a->size)};
    return s;
}

/* Does the share end with the last element? Then its unit tells how many segments there are; of no elements, the first. */
static inline bool clf_share_is_last(const clf_arguments *a, clf_share s)
{
    return s.last == a->size && (s.first < s.last || (a->size == 0 && get_group_id(0) * CLF_UNITS + clf_unit_id() == 0));
}

/* Bit k: does a segment end with element i + k? Of `count` elements, from 1 to 32; `words` are those of element i + 1. */
static inline uint clf_end_bits(const clf_arguments *a, ulong i, uint count, ulong words)
{
    const uint all = count < 32 ? (1u << count) - 1 : ~0u, last = i + count == a->size ? 1u << (count - 1) : 0;
    return ((uint)(words >> (i + 1) % 32) | last) & all;
}

/* ---- Counting ---------------------------------------------------------------------------------------- */

typedef struct {
    uint room[CLF_GROUP];
} clf_reduce_count_storage;

/* Each unit counts the heads of its share; of the last one's, too many may be found: nobody asks for that. */
static inline void clf_reduce_count_body(const clf_arguments *a, __local clf_reduce_count_storage *s)
{
    enum { AHEAD = 8 }; /* loads under way at a time */
    const clf_share share = clf_share_of(a);
    const ulong end = (share.last + 31) / 32;
    uint count = 0;
    for (ulong k = share.first / 32 + clf_unit_lane(); k < end; k += AHEAD * CLF_UNIT) {
        uint words[AHEAD];
        CLF_UNROLL for (uint j = 0; j < AHEAD; ++j)
            words[j] = k + j * CLF_UNIT < end ? a->heads[k + j * CLF_UNIT] : 0;
        CLF_UNROLL for (uint j = 0; j < AHEAD; ++j)
            count += popcount(words[j]);
    }
    if (clf_unit_lane() == 0 && share.first == 0 && a->size > 0)
        count += !(a->heads[0] & 1);
    s->room[clf_local_id()] = count;
    clf_unit_sync();
    if (clf_unit_lane() == 0) {
        ulong sum = 0;
        for (uint k = 0; k < CLF_UNIT; ++k)
            sum += s->room[clf_local_id() + k];
        a->counts[1 + get_group_id(0) * CLF_UNITS + clf_unit_id()] = sum;
    }
}

/* The sum of a number of each work-item, for all. */
static inline ulong clf_numbers_total(ulong x, __local ulong *room)
{
    room[clf_local_id()] = x;
    clf_group_sync();
    for (uint n = CLF_GROUP; n > 1; n = (n + 1) / 2) {
        const uint step = (n + 1) / 2;
        if (clf_local_id() + step < n)
            room[clf_local_id()] += room[clf_local_id() + step];
        clf_group_sync();
    }
    return room[0];
}

/* The segment that this unit's share begins in. */
static inline ulong clf_share_segment(const clf_arguments *a, clf_share share, __local ulong *room)
{
    __global const ulong *const counts = a->counts + 1;
    const ulong before = get_group_id(0) * CLF_UNITS;
    ulong mine = 0;
    for (ulong k = clf_local_id(); k < before; k += CLF_GROUP)
        mine += counts[k];
    ulong all = clf_numbers_total(mine, room);
    for (uint k = 0; k < clf_unit_id(); ++k)
        all += counts[before + k];
    return share.first < share.last ? all + clf_is_head(a, share.first) - 1 : 0;
}
