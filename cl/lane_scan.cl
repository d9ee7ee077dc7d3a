/* SPDX-License-Identifier: MIT */
/*
 * lane_scan: values exchanged and scanned across the lanes of a warp.
 * Kogge-Stone: log2(CLF_LANE_WIDTH) steps, operands in order.
 */
#include "lane.cl"
#include "wrapper.cl"

/* The value of the lane `delta` below; anything where there is none. */
static inline clf_value clf_value_up(clf_value v, uint delta)
{
    uint w[CLF_VALUE_WORDS];
    clf_pack(v, w);
    CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k)
        w[k] = clf_word_up(w[k], delta);
    return clf_unpack(w);
}

/* The value of one lane, for all. */
static inline clf_value clf_value_from(clf_value v, uint lane)
{
    uint w[CLF_VALUE_WORDS];
    clf_pack(v, w);
    CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k)
        w[k] = clf_word_from(w[k], lane);
    return clf_unpack(w);
}

/*
 * What each lane and the `reach` lanes below it add up to; with a lane of smaller reach below, no reach is
 * beyond its.
 */
static inline clf_value clf_lane_scan_reach(clf_value v, uint reach)
{
    CLF_UNROLL for (uint d = 1; d < CLF_LANE_WIDTH; d <<= 1) {
        const clf_value left = clf_value_up(v, d);
        if (reach >= d)
            v = clf_combine(left, v);
    }
    return v;
}

/* The bits of the lanes below this one. */
static inline clf_mask clf_mask_below(clf_mask mask)
{
    return mask & (((clf_mask)1 << clf_lane_id()) - 1);
}

/* Inclusive scan across the warp that starts anew at each lane in `resets`. */
static inline clf_value clf_lane_scan_resets(clf_value v, clf_mask resets)
{
    const clf_mask mine = resets & (((clf_mask)2 << clf_lane_id()) - 1);
    return clf_lane_scan_reach(v, mine ? clf_lane_id() - clf_highest(mine) : clf_lane_id());
}

/* Inclusive scan across the warp. */
static inline clf_value clf_lane_scan(clf_value v)
{
    return clf_lane_scan_reach(v, clf_lane_id());
}

/* What lies left of each lane, from an inclusive scan. */
static inline clf_value clf_lane_exclusive(clf_value inclusive)
{
    const clf_value left = clf_value_up(inclusive, 1);
    return clf_lane_id() ? left : clf_neutral();
}
