/* SPDX-License-Identifier: MIT */
/*
 * lane_scan: states exchanged and scanned across the lanes of a warp: clf_state_up, clf_state_from, clf_state_lane_….
 *
 * needs: state
 * provides: clf_state_lane_*, clf_state_from
 */
#include "device/lane.cl"

#define CLF_S clf_state
#define CLF_S_WORDS CLF_STATE_WORDS
#include "group/lane_scan_template.cl"
