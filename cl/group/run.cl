/* SPDX-License-Identifier: MIT */
/*
 * run: what a range of consecutive elements adds up to since its last head, and whether it has one (segment.cl). A scan
 * by segments is a scan of runs: Blelloch's operator on (flag, state). A sum since a head includes the initial state,
 * so it is a prefix already. Without segments there are no heads, and a run is a state and nothing else.
 *
 * Lanes learn of each other's heads by one ballot.
 *
 * States and runs are scanned across lanes and groups (scan_template.cl): clf_state_lane_reach, clf_run_group_scan …
 *
 * needs: state
 * provides: clf_run, clf_run_combine, clf_run_group_scan, clf_run_neutral, clf_run_of, clf_run_totals,
 *           clf_run_unit_scan, clf_state_from, clf_state_lane_*
 */
#include "device/lane.cl"

#define CLF_S clf_state
#define CLF_S_WORDS CLF_STATE_WORDS
#include "group/scan_template.cl"

typedef struct {
    clf_state sum;
    uint head; /* 0 or 1; as a bool beside a byte it makes LLVM 18 go wrong: tests/driver_bugs/pocl6_product.c */
    CLF_SPARE
} clf_run;

/* Sums are copied field by field (clf_value_copy in value.cl). */
static inline clf_run clf_run_of(clf_state sum, bool head)
{
    const clf_run r = {clf_state_copy(sum), CLF_SEGMENT && head};
    return r;
}

static inline clf_run clf_run_neutral(void)
{
    return clf_run_of(clf_state_neutral(), false);
}

/* No choice between whole runs: NVIDIA's compiler loses fields by that, in loops (clf_value_copy in value.cl). */
static inline clf_run clf_run_combine(clf_run left, clf_run right CLF_COMBINE_PARAMETER)
{
    clf_run r = clf_run_of(clf_state_copy(right.sum), right.head);
    if (!right.head) {
        r.sum = clf_state_combine(left.sum, right.sum);
        r.head = left.head;
    }
    return r;
}
#define clf_run_combine(left, right) clf_run_combine(left, right CLF_COMBINE_A)

/* ---- For scan_template.cl --------------------------------------------------------------------------- */

/* What lies left of this lane in its warp; *all: everything, right for the last lane. */
static inline clf_run clf_run_lane_scan(clf_run r, clf_run *all CLF_COMBINE_PARAMETER)
{
    const clf_mask heads = CLF_SEGMENT ? clf_ballot(r.head) : 0;
    const clf_state inclusive = clf_state_lane_resets(r.sum, heads CLF_COMBINE_A);
    *all = clf_run_of(inclusive, heads != 0);
    return clf_run_of(clf_state_lane_exclusive(inclusive), clf_mask_below(heads) != 0);
}

/* `all` for all lanes: only its sum differs between them. */
static inline clf_run clf_run_lane_last(clf_run all)
{
    return clf_run_of(clf_state_from(all.sum, CLF_LANE_WIDTH - 1), all.head);
}

/* Totals of warps in local memory; without lanes those of all levels of blocks. */
#if CLF_SEGMENT
#define CLF_WHERE_HEADS(text) text
#else
#define CLF_WHERE_HEADS(text)
#endif
typedef struct {
    clf_state sum[CLF_TOTALS];
    CLF_WHERE_HEADS(uint head[CLF_TOTALS];)
} clf_run_totals;

static inline void clf_run_totals_set(__local clf_run_totals *t, uint warp, clf_run r)
{
    t->sum[warp] = clf_state_copy(r.sum);
    CLF_WHERE_HEADS(t->head[warp] = r.head;)
}

static inline clf_run clf_run_totals_get(__local const clf_run_totals *t, uint warp)
{
    bool head = false;
    CLF_WHERE_HEADS(head = t->head[warp] != 0;)
    return clf_run_of(t->sum[warp], head);
}

#define CLF_S clf_run
#include "group/scan_template.cl"
