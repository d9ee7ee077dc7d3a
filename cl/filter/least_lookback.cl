/* SPDX-License-Identifier: MIT */
/*
 * least_lookback: a filter by keys in one pass (least.cl).
 *
 * needs: nothing
 * provides: nothing
 */
#include "filter/least.cl"
#include "filter/filter_lookback.cl"
