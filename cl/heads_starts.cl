/* SPDX-License-Identifier: MIT */
/*
 * heads_starts: head bits (segment.cl) from the ascending indices at which segments start, into words that are
 * zero. An empty segment starts where the next one does, or at n, and so changes nothing.
 *
 * A work-item has CLF_ITEMS neighbouring segments, and only the first and the last word that it writes can be
 * others' too. Work is shared out by segments, whatever their lengths.
 */
#include "base.cl"
#include "entries.cl"

__kernel __attribute__((reqd_work_group_size(CLF_GROUP, 1, 1))) void clf_heads(
    __global const clf_entry *starts, ulong starts_at, ulong count, ulong n, __global uint *words, ulong words_at)
{
    const ulong first = get_global_id(0) * (ulong)CLF_ITEMS;
    if (first >= count)
        return;
    const ulong last = min(first + CLF_ITEMS, count);
    const ulong none = ~(ulong)0;
    ulong open = none;
    uint bits = 0;
    bool shared = true;
    starts += starts_at;
    words += words_at;
    for (ulong k = first; k < last; ++k) {
        const ulong start = starts[k];
        if (start >= n)
            continue;
        if (start / 32 != open) {
            if (open != none) {
                if (shared)
                    (void)atomic_or(words + open, bits);
                else
                    words[open] = bits;
                shared = false;
            }
            open = start / 32;
            bits = 0;
        }
        bits |= 1u << start % 32;
    }
    if (open != none)
        (void)atomic_or(words + open, bits);
}
