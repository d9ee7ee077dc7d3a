/* SPDX-License-Identifier: MIT */
/*
 * reduce_large: segments of any length, by one or several work-groups each. Operands in order of more than two words
 * are not exchanged between lanes for every row: here ranges are long enough for runs in local memory.
 *
 * needs: nothing
 * provides: nothing
 */
#define CLF_STRIPED_WORDS 2
#include "group/range.cl"
#include "reduce/reduce_parts.cl"
