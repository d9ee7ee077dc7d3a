/* SPDX-License-Identifier: MIT */
/*
 * group_scan: exclusive scan of one run (segment.cl) per work-item across the work-group.
 *
 * With lanes: each warp scans its lanes, warps exchange totals through local memory, and everybody adds up
 * the totals before it (one barrier). Without: Kogge-Stone in local memory, barriers in a constant-trip loop.
 * The storage may be reused after the next barrier.
 */
#include "segment.cl"

typedef struct {
    clf_value total[CLF_WARPS];
#if CLF_SEGMENT
    uint head[CLF_WARPS];
#endif
} clf_group_storage;

static inline void clf_group_set(__local clf_group_storage *s, uint warp, clf_run r)
{
    s->total[warp] = r.sum;
#if CLF_SEGMENT
    s->head[warp] = r.head;
#endif
}

static inline clf_run clf_group_get(__local clf_group_storage *s, uint warp)
{
#if CLF_SEGMENT
    return clf_run_of(s->total[warp], s->head[warp] != 0);
#else
    return clf_run_of(s->total[warp], false);
#endif
}

#if CLF_LANE_WIDTH > 1

/* What lies left of this work-item; *aggregate: everything, for all. */
static inline clf_run clf_group_scan_runs(clf_run r, __local clf_group_storage *s, clf_run *aggregate)
{
    const uint warp = clf_warp_id();
    const clf_mask heads = clf_run_heads(r);
    const clf_value inclusive = clf_lane_scan_resets(r.sum, heads);
    const clf_run left = clf_run_of(clf_lane_exclusive(inclusive), clf_mask_below(heads) != 0);
    if (clf_lane_id() == CLF_LANE_WIDTH - 1)
        clf_group_set(s, warp, clf_run_of(inclusive, heads != 0));
    clf_group_sync();
    clf_run before = clf_run_of(clf_neutral(), false), sum = clf_group_get(s, 0);
    CLF_UNROLL for (uint k = 1; k < CLF_WARPS; ++k) {
        if (k == warp)
            before = sum;
        sum = clf_run_join(sum, clf_group_get(s, k));
    }
    *aggregate = sum;
    return clf_run_join(before, left);
}

#else

static inline clf_run clf_group_scan_runs(clf_run r, __local clf_group_storage *s, clf_run *aggregate)
{
    const uint id = clf_local_id();
    const clf_run none = clf_run_of(clf_neutral(), false);
    clf_group_set(s, id, r);
    clf_group_sync();
    for (uint d = 1; d < CLF_GROUP; d <<= 1) {
        const clf_run left = id >= d ? clf_group_get(s, id - d) : none;
        clf_group_sync();
        r = clf_run_join(left, r);
        clf_group_set(s, id, r);
        clf_group_sync();
    }
    *aggregate = clf_group_get(s, CLF_GROUP - 1);
    return id ? clf_group_get(s, id - 1) : none;
}

#endif
