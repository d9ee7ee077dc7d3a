/* SPDX-License-Identifier: MIT */
/*
 * least_cpu: a filter by keys on CPU devices (least.cl).
 *
 * needs: nothing
 * provides: nothing
 */
#include "filter/least.cl"
#include "filter/filter_cpu.cl"
