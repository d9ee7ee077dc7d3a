/* SPDX-License-Identifier: MIT */
/*
 * head_number: which head bit (segment.cl) an element's segment starts with, counted from 0. Another pass has
 * counted those before each word.
 *
 * needs: nothing
 * provides: clf_head_number
 */
#include "device/base.cl"

/* Element 0 is a head, whatever its bit. */
static inline ulong clf_head_number(__global const uint *heads, __global const ulong *before, ulong i)
{
    const uint bits = (heads[i / 32] | (i < 32)) & ~0u >> (31 - i % 32);
    return before[i / 32] + popcount(bits) - 1;
}
