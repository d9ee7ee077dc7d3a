/* SPDX-License-Identifier: MIT */
/*
 * heads_elements: head bits (segment.cl) from an array with an entry for every element: flags in bytes, or
 * keys, where a segment starts at each key that differs from the one before it.
 *
 * A work-item looks at 32 elements that lie CLF_LANE_WIDTH apart, and the lanes of a warp then exchange their
 * bits, 32 ballots, so that each has a word of neighbouring elements: reads and writes are coalesced. Without
 * lanes the elements are neighbours to begin with. Aligned arrays need none of that: a work-item reads 32 bytes at
 * once, or quads of neighbouring keys, eight of them, whose bits the lanes exchange in 7 steps. CLF_ITEMS words per
 * work-item.
 */
#include "device/lane.cl"
#include "entries.cl"

/* Does element i start a segment? */
static inline bool clf_entry_starts(__global const clf_entry *entries, ulong i)
{
#if CLF_KEYS
    return i == 0 || !(entries[i] == entries[i - 1]);
#else
    return entries[i] != 0;
#endif
}

/* Bit j: does element first + j * CLF_LANE_WIDTH start a segment? Of those below n. */
static inline uint clf_entry_bits(__global const clf_entry *entries, ulong first, ulong n)
{
    uint bits = 0;
    if (first + 31 * CLF_LANE_WIDTH < n)
        CLF_UNROLL for (uint j = 0; j < 32; ++j)
            bits |= (uint)clf_entry_starts(entries, first + j * CLF_LANE_WIDTH) << j;
    else
        for (uint j = 0; first + j * CLF_LANE_WIDTH < n; ++j)
            bits |= (uint)clf_entry_starts(entries, first + j * CLF_LANE_WIDTH) << j;
    return bits;
}

/* From every CLF_LANE_WIDTH-th element, from this lane's on, to neighbours: lane l has word l of the warp's. */
static inline uint clf_bits_of_neighbours(uint bits)
{
#if CLF_LANE_WIDTH > 1
    uint word = 0;
    CLF_UNROLL for (uint j = 0; j < 32; ++j) {
        const clf_mask round = clf_ballot(bits >> j & 1);
#if CLF_LANE_WIDTH > 32
        if (clf_lane_id() / 2 == j)
            word = (uint)(round >> clf_lane_id() % 2 * 32);
#else
        if (clf_lane_id() == j * CLF_LANE_WIDTH / 32)
            word |= round << j * CLF_LANE_WIDTH % 32;
#endif
    }
    return word;
#else
    return bits;
#endif
}

/* Which of 16 bytes are not 0: 4 bits in each part. A sum carries into a byte's highest bit, a product moves 4 such
 * together. */
static inline uint4 clf_bits_of_bytes(uint4 b)
{
    const uint4 high = (((b & 0x7f7f7f7fu) + 0x7f7f7f7fu) | b) & 0x80808080u;
    return (high >> 7) * 0x01020408u >> 24;
}

/* 32 flags. */
static inline uint clf_bits_of_flags(__global const uint4 *flags)
{
    const uint4 bits = clf_bits_of_bytes(flags[0]) | clf_bits_of_bytes(flags[1]) << 16;
    return bits.x | bits.y << 4 | bits.z << 8 | bits.w << 12;
}

#if CLF_KEYS && CLF_LANE_WIDTH >= 8
#define CLF_QUADS 1

/* The key of the lane below, in 32-bit words; anything where there is none. */
static inline clf_entry clf_entry_up(clf_entry x)
{
    union {
        clf_entry entry;
        uint word[(sizeof(clf_entry) + 3) / 4];
    } e;
    e.word[0] = 0;
    e.entry = x;
    CLF_UNROLL for (uint k = 0; k < sizeof e / 4; ++k)
        e.word[k] = clf_word_up(e.word[k], 1);
    return e.entry;
}

/* Of two words the one that the lane keeps, with the partner's bits: the upper partner keeps b. */
static inline uint clf_bits_meet(uint a, uint b, uint d)
{
    const bool upper = clf_lane_id() & d;
    return (upper ? b : a) | clf_word_from(upper ? a : b, clf_lane_id() ^ d);
}

/* Keys from `first` on, 32 per lane. Which word this lane has: clf_word_of_quads. */
static inline uint clf_bits_of_keys(__global const clf_entry *entries, ulong first)
{
    clf_entry4 x[8];
    uint bits[8];
    CLF_UNROLL for (uint r = 0; r < 8; ++r)
        x[r] = ((__global const clf_entry4 *)(entries + first))[r * CLF_LANE_WIDTH + clf_lane_id()];
    CLF_UNROLL for (uint r = 0; r < 8; ++r) {
        const ulong i = first + (r * CLF_LANE_WIDTH + clf_lane_id()) * 4;
        clf_entry before = clf_entry_up(x[r].s3);
        if (clf_lane_id() == 0 && i > 0)
            before = entries[i - 1];
        const uint quad = (uint)(i == 0 || !(x[r].s0 == before)) | (uint)!(x[r].s1 == x[r].s0) << 1 |
                          (uint)!(x[r].s2 == x[r].s1) << 2 | (uint)!(x[r].s3 == x[r].s2) << 3;
        bits[r] = quad << clf_lane_id() % 8 * 4;
    }
    CLF_UNROLL for (uint d = 1; d < 8; d *= 2)
        CLF_UNROLL for (uint j = 0; j < 4 / d; ++j)
            bits[j] = clf_bits_meet(bits[2 * j], bits[2 * j + 1], d);
    return bits[0];
}

static inline uint clf_word_of_quads(void)
{
    return clf_lane_id() % 8 * (CLF_LANE_WIDTH / 8) + clf_lane_id() / 8;
}

#else
#define CLF_QUADS 0
#endif

__kernel CLF_PIN_GROUP CLF_PIN_LANES void clf_heads(
    __global const clf_entry *entries, ulong entries_at, ulong count, ulong n, __global uint *words, ulong words_at)
{
    const ulong total = (n + 31) / 32, first = (ulong)get_group_id(0) * (CLF_GROUP * CLF_ITEMS);
    entries += entries_at;
    words += words_at;
    const size_t unit = CLF_KEYS ? sizeof(clf_entry4) : 16;
    const bool aligned =
        (CLF_QUADS || !CLF_KEYS) && (size_t)entries % unit == 0 && (first + CLF_GROUP * CLF_ITEMS) * 32 <= n;
    for (uint k = 0; k < CLF_ITEMS; ++k) {
        const ulong word = first + k * CLF_GROUP + clf_local_id();
        if (aligned) {
#if CLF_QUADS
            const ulong start = word - clf_lane_id();
            words[start + clf_word_of_quads()] = clf_bits_of_keys(entries, start * 32);
#else
            words[word] = clf_bits_of_flags((__global const uint4 *)(entries + word * 32));
#endif
            continue;
        }
        const uint bits = clf_entry_bits(entries, (word - clf_lane_id()) * 32 + clf_lane_id(), n);
        const uint neighbours = clf_bits_of_neighbours(bits);
        if (word < total)
            words[word] = neighbours;
    }
}
