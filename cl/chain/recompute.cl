/* SPDX-License-Identifier: MIT */
/*
 * recompute: states of elements combined straight from global memory, in order. This is for tiles that cannot get an
 * aggregate from others, or need none.
 *
 * needs: arguments, state
 * provides: clf_recompute_prefix, clf_recompute_together
 */
#include "group/run.cl"
#include "segments/segment.cl"

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
