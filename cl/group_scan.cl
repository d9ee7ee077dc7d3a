/* SPDX-License-Identifier: MIT */
/*
 * group_scan: exclusive scan of one value per work-item across the work-group.
 *
 * With lanes: each warp scans its lanes, warps exchange totals through local memory, and everybody adds up the
 * totals before it (one barrier). Without: Kogge-Stone in local memory, barriers in a constant-trip loop.
 * The storage may be reused after the next barrier.
 */
#include "lane_scan.cl"

typedef struct {
    clf_value total[CLF_WARPS];
} clf_group_storage;

#if CLF_LANE_WIDTH > 1

/* What lies left of this work-item; *aggregate: everything, for all. */
static inline clf_value clf_group_scan(clf_value v, __local clf_group_storage *s, clf_value *aggregate)
{
    const uint warp = clf_warp_id();
    const clf_value inclusive = clf_lane_scan(v);
    const clf_value exclusive = clf_lane_exclusive(inclusive);
    if (clf_lane_id() == CLF_LANE_WIDTH - 1)
        s->total[warp] = inclusive;
    clf_group_sync();
    clf_value before = clf_neutral(), sum = s->total[0];
    CLF_UNROLL for (uint k = 1; k < CLF_WARPS; ++k) {
        if (k == warp)
            before = sum;
        sum = clf_combine(sum, s->total[k]);
    }
    *aggregate = sum;
    return clf_combine(before, exclusive);
}

#else

static inline clf_value clf_group_scan(clf_value v, __local clf_group_storage *s, clf_value *aggregate)
{
    const uint id = clf_local_id();
    s->total[id] = v;
    clf_group_sync();
    for (uint d = 1; d < CLF_GROUP; d <<= 1) {
        const clf_value left = id >= d ? s->total[id - d] : clf_neutral();
        clf_group_sync();
        v = clf_combine(left, v);
        s->total[id] = v;
        clf_group_sync();
    }
    *aggregate = s->total[CLF_GROUP - 1];
    return id ? s->total[id - 1] : clf_neutral();
}

#endif
