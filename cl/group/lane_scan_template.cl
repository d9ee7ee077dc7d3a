/* SPDX-License-Identifier: MIT */
/*
 * lane_scan_template: elements of one type, CLF_S, exchanged and scanned across the lanes of a warp. Included once per
 * type: a state (lane_scan.cl) or a count (count.cl). Takes CLF_S and CLF_S_WORDS and leaves them undefined. The type
 * has S_combine, S_neutral, S_pack and S_unpack as in state_value.cl.
 *
 * Kogge-Stone: log2(CLF_LANE_WIDTH) steps, operands in order.
 *
 * needs: CLF_S, CLF_S_WORDS
 * provides: nothing
 */
#define CLF_S_NAME(name) CLF_PASTE(CLF_S, name)

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

/* ---- For group_scan_template.cl ---------------------------------------------------------------------- */

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

#undef CLF_S_NAME
#undef CLF_S
#undef CLF_S_WORDS
