/* SPDX-License-Identifier: MIT */
/*
 * segment_ranks: head bits (segment_bits.cl) with their ranks: a->ranks[w] segments start before word w. Behind the
 * last word's rank is room for the number of all of them.
 */
#include "segment.cl"

/* Words of head bits in one of `shares`. */
static inline ulong clf_share_words(const clf_arguments *a, ulong shares)
{
    return ((a->size + 31) / 32 + shares - 1) / shares;
}

/* The segment that element i is in; i is a multiple of 32. Of i = a->size, any. */
static inline ulong clf_segment_of(const clf_arguments *a, ulong i)
{
    return i < a->size ? a->ranks[i / 32] + clf_is_head(a, i) - 1 : 0;
}

/* Bit k: does a segment end with element i + k? Of `count` elements, from 1 to 32. */
static inline uint clf_end_bits(const clf_arguments *a, ulong i, uint count)
{
    const uint all = count < 32 ? (1u << count) - 1 : ~0u, last = i + count == a->size ? 1u << (count - 1) : 0;
    return (clf_head_bits(a, i + 1) | last) & all;
}

static inline void clf_segments_counted(const clf_arguments *a, ulong count)
{
    a->ranks[(a->size + 31) / 32] = count;
}
