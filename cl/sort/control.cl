/* SPDX-License-Identifier: MIT */
/*
 * control: the layout in scratch of what a radix sort's launches exchange, besides the tiles' counts.
 *
 *   control       uint: is pass p needed? | tickets of pass p, for each portion | counters of portion (or row), pass,
 *                 digit. Behind the tickets, on CPUs: in which bits keys differ, and how far they are from some key;
 *                 that key; 1 + turns by buckets. Then: groups that have counted
 *   starts        ulong: where each digit begins, for each row and pass, of this portion and the next one in turns
 *   tile_counts   uint: of tiles that look back: sort_lookback.cl; else, with places, as in digit/digit.cl
 *
 * and the numbers that launches get: pass and portion; portions, portion_tiles (of a portion) and tiles, of which there
 * are so many; row_size and row_tiles; in_place (1 over the input, too). Several rows have one portion; one row is all
 * elements.
 *
 * needs: a->control, a->starts
 * provides: CLF_CONTROL_*, clf_control_*, clf_starts
 */
#include "sort/key.cl"

/* For keys of up to 8 bytes, and more: src/primitives/sort.c. */
enum {
    CLF_CONTROL_TICKETS = CLF_PASSES > 8 ? 16 : 8,
    CLF_CONTROL_DIFFERING = CLF_PASSES > 8 ? 4 : 2, /* words */
    CLF_CONTROL_DIFFER = CLF_CONTROL_TICKETS * 125,
    CLF_CONTROL_APART = CLF_CONTROL_DIFFER + CLF_CONTROL_DIFFERING,
    CLF_CONTROL_SOME = CLF_CONTROL_APART + CLF_CONTROL_DIFFERING,
    CLF_CONTROL_BUCKETED = CLF_CONTROL_SOME + CLF_CONTROL_DIFFERING,
    CLF_CONTROL_COUNTED = CLF_CONTROL_BUCKETED + 1,
    CLF_CONTROL_COUNTERS = CLF_CONTROL_TICKETS * 128
};

/* On CPUs: are so many turns enough, by buckets (buckets_cpu.cl)? Otherwise passes of all elements do the work. */
static inline bool clf_control_bucketed(const clf_arguments *a, uint *turns)
{
    const uint word = CLF_CPU ? a->control[CLF_CONTROL_BUCKETED] : 0;
    *turns = max(word, 1u) - 1;
    return word > 0;
}

static inline __global uint *clf_control_counters(const clf_arguments *a)
{
    return a->control + CLF_CONTROL_COUNTERS;
}

static inline __global uint *clf_control_counters_of(const clf_arguments *a, uint row, uint portion, uint pass)
{
    return clf_control_counters(a) + ((size_t)(row + portion) * CLF_PASSES + pass) * CLF_PARTS;
}

static inline __global ulong *clf_starts(const clf_arguments *a, uint row, uint pass, uint portion)
{
    return a->starts + (((size_t)row * CLF_PASSES + pass) * 2 + portion % 2) * CLF_PARTS;
}
