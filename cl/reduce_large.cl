/* SPDX-License-Identifier: MIT */
/*
 * reduce_large: segments of any length, by one or several work-groups each.
 */
#include "range.cl"
#include "reduce_parts.cl"
