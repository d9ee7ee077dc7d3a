/* SPDX-License-Identifier: MIT */
/*
 * scan_template: elements of one type, CLF_S, one per work-item, exchanged and scanned across the lanes of a warp; and
 * scanned across the work-group, or across each unit of it (lane.cl). Included once per type: a state, runs of states
 * (run.cl), or counts (count.cl). Takes CLF_S and CLF_S_WORDS and leaves them undefined. The type has S_combine,
 * S_neutral, S_pack and S_unpack as in state_value.cl; or, without CLF_S_WORDS, its own of what the group's scan needs
 * of lanes: S_lane_scan, S_lane_last and S_totals.
 *
 * Lanes: Kogge-Stone, log2(CLF_LANE_WIDTH) steps, operands in order. Groups with lanes: each warp scans its lanes,
 * warps exchange totals through local memory, and everybody adds up the totals before it (one barrier). Without: the
 * same by blocks of CLF_BLOCK work-items, then by blocks of such blocks, and so on; a barrier for each level and one
 * for the group's total. The totals' memory may be reused after the next barrier.
 *
 * needs: CLF_S, CLF_S_WORDS
 * provides: nothing
 */
#define CLF_S_NAME(name) CLF_PASTE(CLF_S, name)

/* ---- Lanes ---------------------------------------------------------------------------------------------- */

#ifdef CLF_S_WORDS
/* The element of the lane `delta` below; anything where there is none. */
static inline CLF_S CLF_S_NAME(_up)(CLF_S x, uint delta)
{
    uint w[CLF_S_WORDS];
    CLF_S_NAME(_pack)(x, w);
    CLF_UNROLL for (uint k = 0; k < CLF_S_WORDS; ++k)
        w[k] = clf_word_up(w[k], delta);
    return CLF_S_NAME(_unpack)(w);
}

/* The element of one lane, for all. */
static inline CLF_S CLF_S_NAME(_from)(CLF_S x, uint lane)
{
    uint w[CLF_S_WORDS];
    CLF_S_NAME(_pack)(x, w);
    CLF_UNROLL for (uint k = 0; k < CLF_S_WORDS; ++k)
        w[k] = clf_word_from(w[k], lane);
    return CLF_S_NAME(_unpack)(w);
}

/*
 * Combines each lane with the `reach` lanes below it. Reaches must not cross: no lane reaches further down than a lane
 * within its reach does.
 */
static inline CLF_S CLF_S_NAME(_lane_reach)(CLF_S x, uint reach CLF_COMBINE_PARAMETER)
{
    CLF_UNROLL for (uint d = 1; d < CLF_LANE_WIDTH; d <<= 1) {
        const CLF_S left = CLF_S_NAME(_up)(x, d);
        if (reach >= d)
            x = CLF_S_NAME(_combine)(left, x);
    }
    return x;
}

/* Inclusive scan across the warp that starts anew at each lane in `resets`. */
static inline CLF_S CLF_S_NAME(_lane_resets)(CLF_S x, clf_mask resets CLF_COMBINE_PARAMETER)
{
    const clf_mask mine = resets & (((clf_mask)2 << clf_lane_id()) - 1);
    return CLF_S_NAME(_lane_reach)(x, mine ? clf_lane_id() - clf_highest(mine) : clf_lane_id() CLF_COMBINE_A);
}

/* Inclusive scan across the warp. */
static inline CLF_S CLF_S_NAME(_lane_inclusive)(CLF_S x CLF_COMBINE_PARAMETER)
{
    return CLF_S_NAME(_lane_reach)(x, clf_lane_id() CLF_COMBINE_A);
}

/* The exclusive scan, from an inclusive one. */
static inline CLF_S CLF_S_NAME(_lane_exclusive)(CLF_S inclusive)
{
    const CLF_S left = CLF_S_NAME(_up)(inclusive, 1);
    return clf_lane_id() ? left : CLF_S_NAME(_neutral)();
}

/* What lies left of this lane in its warp; *all: everything, right for the last lane. */
static inline CLF_S CLF_S_NAME(_lane_scan)(CLF_S x, CLF_S *all CLF_COMBINE_PARAMETER)
{
    *all = CLF_S_NAME(_lane_inclusive)(x CLF_COMBINE_A);
    return CLF_S_NAME(_lane_exclusive)(*all);
}

/* `all` for all lanes. */
static inline CLF_S CLF_S_NAME(_lane_last)(CLF_S all)
{
    return CLF_S_NAME(_from)(all, CLF_LANE_WIDTH - 1);
}

/* Totals of warps in local memory; without lanes those of all levels of blocks. */
typedef struct {
    CLF_S sum[CLF_TOTALS];
} CLF_S_NAME(_totals);

static inline void CLF_S_NAME(_totals_set)(__local CLF_S_NAME(_totals) *t, uint warp, CLF_S x)
{
    t->sum[warp] = x;
}

static inline CLF_S CLF_S_NAME(_totals_get)(__local const CLF_S_NAME(_totals) *t, uint warp)
{
    return t->sum[warp];
}
#endif

/* ---- Groups --------------------------------------------------------------------------------------------- */

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
#undef CLF_S_WORDS
