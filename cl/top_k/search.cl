/* SPDX-License-Identifier: MIT */
/*
 * search: what a unit (lane.cl) knows of its work-items' keys, which are in registers: how many are not greater than a
 * bound, and a bound that some are not greater than.
 *
 * needs: nothing
 * provides: clf_lanes_ranked, clf_search_keys, CLF_SEARCHED, clf_unit_place, clf_unit_sum
 */
#include "top_k/work.cl"

/* Keys of each work-item: of the unit twice as many as the most results, 256, if these are not too many. */
#define CLF_SEARCHED (128 / CLF_UNIT > 16 ? 32 : 2 * ((128 + CLF_UNIT - 1) / CLF_UNIT))

#if CLF_LANE_WIDTH > 1

/* The unit's sum, for all of it. */
static inline uint clf_unit_sum(uint x, __local clf_count_totals *totals)
{
    CLF_UNROLL for (uint d = 1; d < CLF_LANE_WIDTH; d <<= 1)
        x += clf_word_from(x, clf_lane_id() ^ d);
    return x;
}

/* What lies before this work-item in its unit; *all: everything, for all. */
static inline uint clf_unit_place(uint x, __local clf_count_totals *totals, uint *all)
{
    const uint sum = clf_count_lane_inclusive(x);
    *all = clf_count_lane_last(sum);
    return sum - x;
}

/* The least and the greatest key of the unit. */
static inline void clf_unit_range(clf_key_bits *low, clf_key_bits *high)
{
    CLF_UNROLL for (uint d = 1; d < CLF_LANE_WIDTH; d <<= 1) {
        *low = CLF_KEY_MIN(*low, clf_key_from(*low, clf_lane_id() ^ d));
        *high = CLF_KEY_MAX(*high, clf_key_from(*high, clf_lane_id() ^ d));
    }
}

/* The key of rank `rank` of the lanes' keys: these are sorted across the warp (Batcher's bitonic merges). */
static inline clf_key_bits clf_lanes_ranked(clf_key_bits key, uint rank)
{
    CLF_UNROLL for (uint size = 2; size <= CLF_LANE_WIDTH; size *= 2)
        CLF_UNROLL for (uint d = CLF_LANE_WIDTH / 2; d > 0; d /= 2)
            if (d < size) {
                const uint other = clf_lane_id() ^ (d == size / 2 ? size - 1 : d);
                const clf_key_bits that = clf_key_from(key, other);
                key = clf_lane_id() & d ? CLF_KEY_MAX(key, that) : CLF_KEY_MIN(key, that);
            }
    return clf_key_from(key, rank);
}

#else

/* The group's scans: totals may be reused after the next barrier. */
static inline uint clf_unit_place(uint x, __local clf_count_totals *totals, uint *all)
{
    clf_group_sync();
    return clf_count_unit_scan(x, totals, all);
}

static inline uint clf_unit_sum(uint x, __local clf_count_totals *totals)
{
    uint all;
    (void)clf_unit_place(x, totals, &all);
    return all;
}

static inline void clf_unit_range(clf_key_bits *low, clf_key_bits *high)
{
    *low = (clf_key_bits)0;
    *high = CLF_KEY_ONES;
}

#endif

/*
 * A bound that at least `wanted` of the unit's keys are not greater than; and if keys are not alike, `most` at most.
 * *reached: how many are not.
 */
CLF_INLINE clf_key_bits clf_search_keys(const clf_key_bits keys[CLF_SEARCHED], uint wanted, uint most,
                                        __local clf_count_totals *totals, uint *reached)
{
    clf_key_bits low = keys[0], high = keys[0];
    CLF_UNROLL for (uint k = 1; k < CLF_SEARCHED; ++k) {
        low = CLF_KEY_MIN(low, keys[k]);
        high = CLF_KEY_MAX(high, keys[k]);
    }
    clf_unit_range(&low, &high);
    *reached = CLF_SEARCHED * CLF_UNIT;
    CLF_LOOP for (; CLF_KEY_LESS(low, high);) {
        const clf_key_bits middle = clf_key_middle(low, high);
        uint own = 0;
        CLF_UNROLL for (uint k = 0; k < CLF_SEARCHED; ++k)
            own += CLF_KEY_AT_MOST(keys[k], middle);
        const uint all = clf_unit_sum(own, totals);
        if (all < wanted) {
            low = clf_key_next(middle);
        } else {
            high = middle;
            *reached = all;
        }
        if (all >= wanted && all <= most)
            low = high;
    }
    return high;
}
