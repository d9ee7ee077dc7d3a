/* SPDX-License-Identifier: MIT */
/*
 * least_tile: a filter by keys (least.cl), tile by tile.
 *
 * needs: nothing
 * provides: nothing
 */
#include "filter/least.cl"
#include "filter/filter_tile.cl"
