/* SPDX-License-Identifier: MIT */
/*
 * heads_starts: head bits (segment.cl) from the ascending indices at which segments start, into words that are
 * zero. An empty segment starts where the next one does, or at n, and so changes nothing.
 *
 * A work-item has CLF_ITEMS neighbouring segments, and only the first and the last word that it writes can be
 * others' too. Work is shared out by segments, whatever their lengths.
 *
 * needs: CLF_ITEMS
 * provides: head kernel
 */
#include "device/base.cl"
#include "entries.cl"

/* Adds bits to a word: one that others may write to as well, or that is this work-item's alone. */
static inline void clf_word_add(__global uint *word, uint bits, bool shared)
{
    if (shared)
        (void)atomic_or(word, bits);
    else
        *word = bits;
}

__kernel CLF_PIN_GROUP void clf_heads(__global const clf_entry *starts, ulong starts_at, ulong count, ulong n,
                                      __global uint *words, ulong words_at)
{
    const ulong first = get_global_id(0) * (ulong)CLF_ITEMS, last = min(first + CLF_ITEMS, count), none = ~(ulong)0;
    ulong word = none;
    uint bits = 0;
    bool shared = true;
    starts += starts_at;
    words += words_at;
    for (ulong k = first; k < last; ++k) {
        const ulong start = starts[k];
        if (start >= n)
            continue;
        if (start / 32 != word && word != none) {
            clf_word_add(words + word, bits, shared);
            shared = false;
            bits = 0;
        }
        word = start / 32;
        bits |= 1u << start % 32;
    }
    if (word != none)
        clf_word_add(words + word, bits, true);
}
