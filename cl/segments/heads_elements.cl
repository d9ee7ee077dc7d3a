/* SPDX-License-Identifier: MIT */
/*
 * heads_elements: head bits (segment.cl) from an array with an entry for every element: flags in bytes, or
 * keys, where a segment starts at each key that differs from the one before it.
 *
 * A work-item writes words of 32 neighbouring elements, CLF_ITEMS of them. On CPUs it reads these as well. Elsewhere
 * reads are coalesced: neighbouring work-items read neighbouring quads of elements, eight each, and the group exchanges
 * their bits through local memory.
 *
 * needs: CLF_ITEMS, CLF_KEYS
 * provides: head kernel
 */
#include "device/base.cl"
#include "entries.cl"

/* Does element i start a segment? */
static inline bool clf_entry_starts(__global const clf_entry *entries, ulong i)
{
    return CLF_KEYS ? i == 0 || !(entries[i] == entries[i - 1]) : entries[i] != 0;
}

/* Bit k: does element i + k start a segment? Of `count` elements, those below n. */
static inline uint clf_bits_of_some(__global const clf_entry *entries, ulong i, uint count, ulong n)
{
    uint bits = 0;
    if (i + count <= n)
        CLF_UNROLL for (uint k = 0; k < count; ++k)
            bits |= (uint)clf_entry_starts(entries, i + k) << k;
    else
        for (uint k = 0; i + k < n; ++k)
            bits |= (uint)clf_entry_starts(entries, i + k) << k;
    return bits;
}

#if CLF_GROUP > 1

#define CLF_QUADS (CLF_GROUP * 8)

/* Of four elements from i on, which are aligned. */
static inline uint clf_bits_of_quad(__global const clf_entry *entries, ulong i)
{
    const clf_entry4 x = *(__global const clf_entry4 *)(entries + i);
#if CLF_KEYS
    const clf_entry before = entries[i > 0 ? i - 1 : 0];
    return (uint)(i == 0 || !(x.s0 == before)) | (uint) !(x.s1 == x.s0) << 1 | (uint) !(x.s2 == x.s1) << 2 |
           (uint) !(x.s3 == x.s2) << 3;
#else
    return (uint)(x.s0 != 0) | (uint)(x.s1 != 0) << 1 | (uint)(x.s2 != 0) << 2 | (uint)(x.s3 != 0) << 3;
#endif
}

/* The group reads elements from `first` on, 32 per work-item, which gets the bits of neighbours. All call it. */
static inline uint clf_bits_of_group(__global const clf_entry *entries, ulong first, ulong n, bool aligned,
                                     __local uchar *quads)
{
    clf_group_sync(); /* earlier bits have been read */
    CLF_UNROLL for (uint k = 0; k < 8; ++k) {
        const uint quad = k * CLF_GROUP + clf_local_id();
        const ulong i = first + quad * 4;
        quads[quad] = (uchar)(aligned ? clf_bits_of_quad(entries, i) : clf_bits_of_some(entries, i, 4, n));
    }
    clf_group_sync();
    uint bits = 0;
    CLF_UNROLL for (uint k = 0; k < 8; ++k)
        bits |= (uint)quads[clf_local_id() * 8 + k] << 4 * k;
    return bits;
}

#elif CLF_KEYS

static inline uint clf_bits_of_word(__global const clf_entry *entries, ulong i, ulong n, bool aligned)
{
    return clf_bits_of_some(entries, i, 32, n);
}

#else

/* Which of 16 bytes are not 0: 4 bits in each part. A sum carries into a byte's highest bit, a product moves 4 such
 * together. */
static inline uint4 clf_bits_of_bytes(uint4 b)
{
    const uint4 high = (((b & 0x7f7f7f7fu) + 0x7f7f7f7fu) | b) & 0x80808080u;
    return (high >> 7) * 0x01020408u >> 24;
}

static inline uint clf_bits_of_word(__global const clf_entry *entries, ulong i, ulong n, bool aligned)
{
    if (!aligned)
        return clf_bits_of_some(entries, i, 32, n);
    __global const uint4 *flags = (__global const uint4 *)(entries + i);
    const uint4 bits = clf_bits_of_bytes(flags[0]) | clf_bits_of_bytes(flags[1]) << 16;
    return bits.x | bits.y << 4 | bits.z << 8 | bits.w << 12;
}

#endif

__kernel CLF_PIN_GROUP void clf_heads(__global const clf_entry *entries, ulong entries_at, ulong count, ulong n,
                                      __global uint *words, ulong words_at)
{
    const ulong total = (n + 31) / 32, first = (ulong)get_group_id(0) * (CLF_GROUP * CLF_ITEMS);
    entries += entries_at;
    words += words_at;
    const size_t unit = CLF_GROUP > 1 ? sizeof(clf_entry4) : sizeof(uint4);
    const bool aligned = (size_t)entries % unit == 0 && (first + CLF_GROUP * CLF_ITEMS) * 32 <= n;
#if CLF_GROUP > 1
    __local uchar quads[CLF_QUADS];
#endif
    for (uint k = 0; k < CLF_ITEMS; ++k) {
        const ulong word = first + k * CLF_GROUP + clf_local_id();
#if CLF_GROUP > 1
        const uint bits = clf_bits_of_group(entries, (word - clf_local_id()) * 32, n, aligned, quads);
#else
        const uint bits = clf_bits_of_word(entries, word * 32, n, aligned);
#endif
        if (word < total)
            words[word] = bits;
    }
}
