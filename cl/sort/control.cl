/* SPDX-License-Identifier: MIT */
/*
 * control: where in scratch a radix sort keeps what its launches tell each other, besides the tiles' counts.
 *
 *   control   uint: is pass p needed? | tickets of pass p, for each portion | counters of portion, pass and digit
 *   places    ulong: where each digit begins, for each pass, of this portion and of the next one in turns; behind
 *             them, of two-pass sorts, the places of each tile's digits
 *   numbers   pass, portion, portions, portion_tiles, tiles: which pass and portion, and how many there are; order
 */
#include "sort/key.cl"

enum { CLF_CONTROL_TICKETS = 8, CLF_CONTROL_COUNTERS = 1024 };

static inline __global uint *clf_counters(const clf_arguments *a)
{
    return a->control + CLF_CONTROL_COUNTERS;
}

static inline __global ulong *clf_starts(const clf_arguments *a, uint pass, uint portion)
{
    return a->starts + (pass * 2 + portion % 2) * CLF_PARTS;
}
