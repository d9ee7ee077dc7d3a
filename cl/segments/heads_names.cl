/* SPDX-License-Identifier: MIT */
/*
 * heads_names: which segment each head starts, where some segments are empty and so have none: of those that start at
 * one place the last. Every head gets the number of a segment that there is, whatever the starts.
 *
 * needs: nothing
 * provides: clf_heads_names
 */
#include "segments/heads_starts.cl"
#include "segments/head_number.cl"

__kernel CLF_PIN_GROUP void clf_heads_names(__global const clf_entry *starts, ulong starts_at, ulong count, ulong n,
                                            __global const uint *words, ulong words_at, __global const ulong *before,
                                            ulong before_at, __global ulong *names, ulong names_at)
{
    const ulong first = get_global_id(0) * (ulong)CLF_ITEMS, last = min(first + CLF_ITEMS, count);
    starts += starts_at;
    names += names_at;
    for (ulong k = first; k < last; ++k) {
        const ulong start = starts[k];
        if (k == 0 && start > 0)
            names[0] = 0;
        if (start < n && (k + 1 == count || starts[k + 1] != start))
            names[clf_head_number(words + words_at, before + before_at, start)] = k;
    }
}
