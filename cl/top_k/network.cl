/* SPDX-License-Identifier: MIT */
/*
 * network: a few keys of each lane are sorted across a warp or part of it (network_template.cl), with the indices of
 * their elements, or alone: where values are nothing but their keys, and these tell all their bits.
 *
 * needs: nothing
 * provides: clf_network_*
 */
#include "top_k/search.cl"

/* ---- Sorts ---------------------------------------------------------------------------------------------- */

#if CLF_LANE_WIDTH > 1
#define CLF_T 1
#define CLF_T_NAME clf_network_1
#include "digit/network_template.cl"
#define CLF_T 2
#define CLF_T_NAME clf_network_2
#include "digit/network_template.cl"
#define CLF_T 4
#define CLF_T_NAME clf_network_4
#include "digit/network_template.cl"
#define CLF_T 8
#define CLF_T_NAME clf_network_8
#include "digit/network_template.cl"
#define CLF_T 16
#define CLF_T_NAME clf_network_16
#include "digit/network_template.cl"
#endif
