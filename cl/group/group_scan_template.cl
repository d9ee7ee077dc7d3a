/* SPDX-License-Identifier: MIT */
/*
 * group_scan_template: exclusive scan of one element per work-item across the work-group, or across each unit of it
 * (lane.cl). Included once per type, CLF_S, which it leaves undefined: runs (group_scan.cl) or counts (count.cl). The
 * type has S_combine, S_neutral, S_lane_scan, S_lane_last and S_totals as in run.cl.
 *
 * With lanes: each warp scans its lanes, warps exchange totals through local memory, and everybody adds up
 * the totals before it (one barrier). Without: the same by blocks of CLF_BLOCK work-items, then by blocks of such
 * blocks, and so on; a barrier for each level and one for the group's total.
 * The totals' memory may be reused after the next barrier.
 *
 * needs: nothing
 * provides: nothing
 */
#define CLF_S_NAME(name) CLF_PASTE(CLF_S, name)

#if CLF_LANE_WIDTH > 1

/* What lies left of this work-item in its group; *all: everything, for all. */
static inline CLF_S CLF_S_NAME(_group_scan)(CLF_S x, __local CLF_S_NAME(_totals) *t, CLF_S *all CLF_COMBINE_PARAMETER)
{
    const uint warp = clf_warp_id();
    CLF_S total;
    const CLF_S left = CLF_S_NAME(_lane_scan)(x, &total CLF_COMBINE_A);
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
static inline CLF_S CLF_S_NAME(_unit_scan)(CLF_S x, __local CLF_S_NAME(_totals) *t, CLF_S *all CLF_COMBINE_PARAMETER)
{
    CLF_S total;
    const CLF_S left = CLF_S_NAME(_lane_scan)(x, &total CLF_COMBINE_A);
    *all = CLF_S_NAME(_lane_last)(total);
    return left;
}

#else

/* What the elements `first` … `first + places - 1` of a level add up to. */
static inline CLF_S CLF_S_NAME(_totals_before)(__local const CLF_S_NAME(_totals) *t, uint first,
                                               uint places CLF_COMBINE_PARAMETER)
{
    CLF_S sum = CLF_S_NAME(_neutral)();
    CLF_UNROLL for (uint k = 0; k < CLF_BLOCK - 1; ++k)
        if (k < places)
            sum = CLF_S_NAME(_combine)(sum, CLF_S_NAME(_totals_get)(t, first + k));
    return sum;
}

static inline CLF_S CLF_S_NAME(_group_scan)(CLF_S x, __local CLF_S_NAME(_totals) *t, CLF_S *all CLF_COMBINE_PARAMETER)
{
    const uint id = clf_local_id();
    CLF_S before = CLF_S_NAME(_neutral)();
    uint at = 0, block = 1; /* where a level begins, and work-items for each of its elements */
    for (uint level = 0; level < CLF_LEVELS; ++level) {
        const uint i = id / block;
        if ((id + 1) % block == 0 || id == CLF_GROUP - 1)
            CLF_S_NAME(_totals_set)(t, at + i, CLF_S_NAME(_combine)(before, x));
        clf_group_sync();
        const CLF_S left = CLF_S_NAME(_totals_before)(t, at + i / CLF_BLOCK * CLF_BLOCK, i % CLF_BLOCK CLF_COMBINE_A);
        before = CLF_S_NAME(_combine)(left, before);
        at += (CLF_GROUP + block - 1) / block;
        block *= CLF_BLOCK;
    }
    if (id == CLF_GROUP - 1)
        CLF_S_NAME(_totals_set)(t, at, CLF_S_NAME(_combine)(before, x));
    clf_group_sync();
    *all = CLF_S_NAME(_totals_get)(t, at);
    return before;
}

/* The unit is the group. */
static inline CLF_S CLF_S_NAME(_unit_scan)(CLF_S x, __local CLF_S_NAME(_totals) *t, CLF_S *all CLF_COMBINE_PARAMETER)
{
    return CLF_S_NAME(_group_scan)(x, t, all CLF_COMBINE_A);
}

#endif

#undef CLF_S_NAME
#undef CLF_S
