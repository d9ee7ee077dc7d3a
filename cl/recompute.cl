/* SPDX-License-Identifier: MIT */
/*
 * recompute: elements combined straight from global memory, in order: for whoever cannot get a sum from
 * others, or need not ask.
 */
#include "segment.cl"

/* Combines elements first … last-1 from `base` on, by one work-item. */
static inline clf_run clf_recompute(const clf_arguments *a, ulong base, uint first, uint last)
{
    clf_run r = clf_run_of(clf_neutral(), false);
    clf_stroll stroll = clf_stroll_from(a, base + first);
    for (uint i = first; i < last; ++i) {
        if (clf_stroll_next(a, &stroll))
            r = clf_run_of(clf_initial(a), true);
        r.sum = clf_combine(r.sum, clf_value_at(a, base + i));
    }
    return r;
}

/*
 * The same for all `count` elements from `base` on, by `lanes` converged lanes of which this is `lane`, for
 * all of them.
 */
static inline clf_run clf_recompute_together(const clf_arguments *a, ulong base, uint count, uint lane,
                                             uint lanes)
{
    const uint share = (count + lanes - 1) / lanes, first = min(lane * share, count);
    const clf_run r = clf_recompute(a, base, first, min(first + share, count));
    if (lanes == 1)
        return r;
    const clf_mask heads = clf_run_heads(r);
    return clf_run_of(clf_value_from(clf_lane_scan_resets(r.sum, heads), CLF_LANE_WIDTH - 1), heads != 0);
}

/*
 * What lies before element `first` in its segment, which must not be much; by a warp, or one work-item
 * without lanes.
 */
static inline clf_value clf_recompute_prefix(const clf_arguments *a, ulong first)
{
    const uint count = (uint)clf_position(a, first);
    return clf_recompute_together(a, first - count, count, clf_lane_id(), CLF_LANE_WIDTH).sum;
}
