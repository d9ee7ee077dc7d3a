/* SPDX-License-Identifier: MIT */
/*
 * group_scan_template: exclusive scan of one element per work-item across the work-group, or across each unit of it
 * (tile.cl). Included once per type, CLF_S, which it leaves undefined: runs (group_scan.cl) or counts (count.cl). The
 * type has S_combine, S_neutral, S_lane_scan, S_lane_last and S_totals as in run.cl.
 *
 * With lanes: each warp scans its lanes, warps exchange totals through local memory, and everybody adds up
 * the totals before it (one barrier). Without: Kogge-Stone in local memory, barriers in a constant-trip loop.
 * The totals' memory may be reused after the next barrier.
 */
#define CLF_S_NAME(name) CLF_PASTE(CLF_S, name)

#if CLF_LANE_WIDTH > 1

/* What lies left of this work-item in its group; *all: everything, for all. */
static inline CLF_S CLF_S_NAME(_group_scan)(CLF_S x, __local CLF_S_NAME(_totals) *t, CLF_S *all)
{
    const uint warp = clf_warp_id();
    CLF_S total;
    const CLF_S left = CLF_S_NAME(_lane_scan)(x, &total);
    if (clf_lane_id() == CLF_LANE_WIDTH - 1)
        CLF_S_NAME(_totals_set)(t, warp, total);
    clf_group_sync();
    CLF_S before = CLF_S_NAME(_neutral)(), sum = CLF_S_NAME(_totals_get)(t, 0);
    CLF_UNROLL for (uint k = 1; k < CLF_WARPS; ++k) {
        if (k == warp)
            before = sum;
        sum = CLF_S_NAME(_combine)(sum, CLF_S_NAME(_totals_get)(t, k));
    }
    *all = sum;
    return CLF_S_NAME(_combine)(before, left);
}

/* The same in its unit, a warp. */
static inline CLF_S CLF_S_NAME(_unit_scan)(CLF_S x, __local CLF_S_NAME(_totals) *t, CLF_S *all)
{
    CLF_S total;
    const CLF_S left = CLF_S_NAME(_lane_scan)(x, &total);
    *all = CLF_S_NAME(_lane_last)(total);
    return left;
}

#else

static inline CLF_S CLF_S_NAME(_group_scan)(CLF_S x, __local CLF_S_NAME(_totals) *t, CLF_S *all)
{
    const uint id = clf_local_id();
    CLF_S_NAME(_totals_set)(t, id, x);
    clf_group_sync();
    for (uint d = 1; d < CLF_GROUP; d <<= 1) {
        const CLF_S left = id >= d ? CLF_S_NAME(_totals_get)(t, id - d) : CLF_S_NAME(_neutral)();
        clf_group_sync();
        x = CLF_S_NAME(_combine)(left, x);
        CLF_S_NAME(_totals_set)(t, id, x);
        clf_group_sync();
    }
    *all = CLF_S_NAME(_totals_get)(t, CLF_GROUP - 1);
    return id ? CLF_S_NAME(_totals_get)(t, id - 1) : CLF_S_NAME(_neutral)();
}

/* The unit is the group. */
static inline CLF_S CLF_S_NAME(_unit_scan)(CLF_S x, __local CLF_S_NAME(_totals) *t, CLF_S *all)
{
    return CLF_S_NAME(_group_scan)(x, t, all);
}

#endif

#undef CLF_S_NAME
#undef CLF_S
