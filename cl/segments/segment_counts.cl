/* SPDX-License-Identifier: MIT */
/*
 * segment_counts: elements with head bits (segment.cl) in equal shares, one per unit (lane.cl), and
 * how many segments start in each. A launch of its own writes that to a->counts[1 + share], so in the next launch each
 * unit knows which segment its share begins in. The number of all segments goes to a->counts[0].
 *
 * needs: arguments, a->counts, a->heads
 * provides: clf_counts_begin, clf_end_bits, clf_reduce_count_body, clf_segment_*
 */
#include "group/count.cl"
#include "segments/segment.cl"
#include "memory/stretch.cl"

/* One of the call's shares: elements first … last - 1, a whole number of words; on GPUs of stretches, too. */
typedef struct {
    ulong first, last;
} clf_segment_share;

static inline clf_segment_share clf_segment_share_of(const clf_arguments *a)
{
    const ulong shares = get_num_groups(0) * CLF_UNITS, step = CLF_GROUP > 1 ? 32 * CLF_ITEMS : 32;
    const ulong each = ((a->size + step - 1) / step + shares - 1) / shares * step;
    const ulong first = min((get_group_id(0) * CLF_UNITS + clf_unit_id()) * each, a->size);
    const clf_segment_share s = {first, min(first + each, a->size)};
    return s;
}

/* Of no elements nobody finds the last: then the first work-item of all says so. */
static inline void clf_counts_begin(const clf_arguments *a)
{
    if (CLF_GIVEN && a->size == 0 && get_global_id(0) == 0)
        a->counts[0] = 0;
}

/* Bit k: does a segment end with element i + k? Of `count` elements, from 1 to 32; `words` are those of element i +
 * 1. */
static inline uint clf_end_bits(const clf_arguments *a, ulong i, uint count, ulong words)
{
    const uint all = count < 32 ? (1u << count) - 1 : ~0u, last = i + count == a->size ? 1u << (count - 1) : 0;
    return ((uint)(words >> (i + 1) % 32) | last) & all;
}

/* ---- Counting ---------------------------------------------------------------------------------------- */

typedef clf_count64_totals clf_reduce_count_storage;

/* Each unit counts the heads of its share. The last share's count may be too large; it is not used. */
CLF_INLINE void clf_reduce_count_body(const clf_arguments *a, __local clf_reduce_count_storage *s)
{
    enum { AHEAD = 8 }; /* loads under way at a time */
    const clf_segment_share share = clf_segment_share_of(a);
    const ulong end = (share.last + 31) / 32;
    clf_count64 all;
    clf_count count = 0;
    for (ulong k = share.first / 32 + clf_unit_lane(); k < end; k += AHEAD * CLF_UNIT) {
        uint words[AHEAD];
        CLF_UNROLL for (uint j = 0; j < AHEAD; ++j)
            words[j] = k + j * CLF_UNIT < end ? a->heads[k + j * CLF_UNIT] : 0;
        CLF_UNROLL for (uint j = 0; j < AHEAD; ++j)
            count += popcount(words[j]);
    }
    if ((!CLF_GIVEN || a->size > 0) && clf_unit_lane() == 0 && share.first == 0)
        count += !(a->heads[0] & 1);
    (void)clf_count64_unit_scan(count, s, &all CLF_COMBINE_A);
    if (clf_unit_lane() == 0)
        a->counts[1 + get_group_id(0) * CLF_UNITS + clf_unit_id()] = all;
}

/* The segment that this unit's share begins in. */
static inline ulong clf_segment_share_segment(const clf_arguments *a, clf_segment_share share,
                                              __local clf_count64_totals *t)
{
    __global const ulong *const counts = a->counts + 1;
    const ulong before = get_group_id(0) * CLF_UNITS;
    clf_count64 mine = 0, all;
    for (ulong k = clf_local_id(); k < before; k += CLF_GROUP)
        mine += counts[k];
    (void)clf_count64_group_scan(mine, t, &all CLF_COMBINE_A);
    for (uint k = 0; k < clf_unit_id(); ++k)
        all += counts[before + k];
    return share.first < share.last ? all + clf_is_head(a, share.first) - 1 : 0;
}
