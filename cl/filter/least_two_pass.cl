/* SPDX-License-Identifier: MIT */
/*
 * least_two_pass: a filter by keys in two passes (least.cl).
 *
 * needs: nothing
 * provides: nothing
 */
#include "filter/least.cl"
#include "filter/filter_two_pass.cl"
