/* SPDX-License-Identifier: MIT */
/*
 * segments_network_cpu: segments sorted by networks (network_cpu.cl) on CPU devices. Short segments are sorted several
 * at a time, each in columns of its own, which are filled up with ones. Longer ones are first split by the highest bits
 * in which their keys differ.
 *
 * needs: CLF_OVERWRITE, a->tiles
 * provides: clf_deal_is_second, clf_network, clf_network_*, CLF_NETWORK_MOST, clf_segments_end, clf_segment_split,
 *           CLF_SPLIT_*, clf_split_*
 */
#include "sort/segments.cl"
#include "sort/network_cpu.cl"
#include "digit/places_cpu.cl"

/* Where the segment of element i, which begins there, ends, or the tile does. */
static inline ulong clf_segments_end(const clf_arguments *a, ulong i, ulong end)
{
#if CLF_SEGMENT == 1
    return a->tiles > 1 ? end : min(i + a->size, end);
#else
    return i + 1 < end ? clf_next_head(a, i + 1, end) : end;
#endif
}

/* Are elements in the second array after so many passes? The input may be the other; with CLF_OVERWRITE it is it. */
static inline bool clf_deal_is_second(uint passes)
{
#ifdef CLF_OVERWRITE
    return passes % 2 == 0;
#else
    return passes % 2 == 1;
#endif
}

/* Neighbouring segments: where each starts, and the last one ends; each has so many columns of so many rows. */
typedef struct {
    ulong starts[17];
    uint count, columns, rows;
} clf_network_batch;

/* Not by GPUs: Mesa's compiler takes minutes for vectors that they do not have, or finds no end. */
#define CLF_NETWORK (CLF_CPU && (CLF_KEY_IS_VALUE ? CLF_KEY_BYTES <= 8 : CLF_KEY_BYTES <= 4 && CLF_VALUE_BYTES <= 64))
#if CLF_NETWORK

/* Elements of a segment; values are kept in 16 KiB. */
#define CLF_NETWORK_MOST (CLF_KEY_IS_VALUE ? 4096 : CLF_VALUE_BYTES <= 8 ? 2048 : CLF_VALUE_BYTES <= 16 ? 1024 : 256)

/* ---- Segments ------------------------------------------------------------------------------------------- */

/* Columns of 16 rows; beyond 16 there are more rows instead. */
static inline uint clf_network_columns(ulong length)
{
    return 1u << clf_log2_ceiling(((uint)length + 15) / 16);
}

static inline void clf_network_shape(clf_network_batch *b, uint columns)
{
    b->rows = max(columns, 16u);
    b->columns = min(columns, 16u);
}

typedef struct {
    clf_network_row words[CLF_NETWORK_MOST / 16];
    clf_network_kept kept[CLF_NETWORK_MOST];
} clf_network;

/* Element i of the input, or of an array. */
static inline clf_value clf_network_at(const clf_arguments *a, const clf_outputs *from, bool of_input, ulong i)
{
    if (of_input)
        return clf_sorted_input(a, i);
    return clf_result_at(from, i);
}

/* Sorts segments into n->words, but those, a bit each, of which a key does not tell its value. */
CLF_INLINE uint clf_network_take(const clf_arguments *a, const clf_outputs *from, bool of_input,
                                 const clf_network_batch *b, __private clf_network *n)
{
    uint left = 0;
    for (uint r = 0; r < b->rows; ++r)
        n->words[r] = (clf_network_row)(~(clf_network_bits)0);
    for (uint s = 0; s < b->count; ++s) {
        const uint size = (uint)(b->starts[s + 1] - b->starts[s]), at = (uint)(b->starts[s] - b->starts[0]);
        __private clf_network_bits *const to = (__private clf_network_bits *)(n->words + s * b->columns);
        uint inexact = 0;
        for (uint i = 0; i < size; ++i) {
            const clf_value v = clf_network_at(a, from, of_input, b->starts[s] + i);
            const clf_key_bits key = clf_sorted_key(v CLF_LESS_A);
            inexact |= CLF_NETWORK_INEXACT(key);
            to[i] = CLF_NETWORK_WORD(v, key, at + i, n->kept);
        }
        left |= inexact << s;
    }
    if (left != (1u << b->count) - 1)
        clf_network_sort(n->words, b->rows, b->columns);
    return left;
}

CLF_INLINE void clf_network_write(const clf_outputs *to, const clf_network_batch *b, uint s,
                                  __private const clf_network *n)
{
    __private const clf_network_bits *const words = (__private const clf_network_bits *)n->words;
    const uint size = (uint)(b->starts[s + 1] - b->starts[s]);
    for (uint i = 0; i < size; i += 16) {
        const uint column = s * b->columns + i / b->rows, row = i % b->rows, count = min(size - i, 16u);
        for (uint k = 0; k < count; ++k)
            clf_output_at(to, b->starts[s] + i + k, CLF_NETWORK_VALUE(words[(row + column) * 16 + k], n->kept));
    }
}

/* ---- By the highest bits, and then by networks ---------------------------------------------------------- */

/* Elements of neighbouring buckets that are sorted together, if these are small. */
enum { CLF_SPLIT_BITS = 11, CLF_SPLIT_JOINED = CLF_NETWORK_MOST < 512 ? CLF_NETWORK_MOST : 512 };
/* Elements of a segment. Of more, buckets of floats are too large, and values with places are no faster. */
#define CLF_SPLIT_MOST (CLF_KEY_IS_VALUE && CLF_KEY_INVERTIBLE ? 1u << 18 : 8 * CLF_NETWORK_MOST)

/* The lowest of the highest bits in which keys differ. False if a key does not tell its value. */
static inline bool clf_split_shift(const clf_arguments *a, ulong begin, ulong end, __private uint *shift)
{
    const clf_key_bits some = clf_sorted_key(clf_sorted_input(a, begin) CLF_LESS_A);
    clf_key_bits differ = 0;
    uint inexact = 0;
    for (ulong i = begin; i < end; ++i) {
        const clf_key_bits key = clf_sorted_key(clf_sorted_input(a, i) CLF_LESS_A);
        differ |= key ^ some;
        inexact |= CLF_NETWORK_INEXACT(key);
    }
    const uint used = 64 - (uint)clz((ulong)differ);
    *shift = used > CLF_SPLIT_BITS ? used - CLF_SPLIT_BITS : 0;
    return !inexact;
}

static inline uint clf_split_bucket(clf_value v, uint shift CLF_LESS_PARAMETER)
{
    return clf_key_at(clf_sorted_key(v CLF_LESS_C), shift) & ((1u << CLF_SPLIT_BITS) - 1);
}

/* Elements go to their buckets, whose ends are left in `places`. False if one is too large. */
static inline bool clf_split_deal(const clf_arguments *a, ulong begin, ulong end, const clf_outputs *to,
                                  __private uint *places)
{
    uint shift, most = 0;
    if (!clf_split_shift(a, begin, end, &shift))
        return false;
    for (uint bucket = 0; bucket < 1u << CLF_SPLIT_BITS; ++bucket)
        places[bucket] = 0;
    CLF_LOOP for (ulong i = begin; i < end; ++i)
        ++places[clf_split_bucket(clf_sorted_input(a, i), shift CLF_LESS_A)];
    for (uint bucket = 0; bucket < 1u << CLF_SPLIT_BITS; ++bucket)
        most = max(most, places[bucket]);
    if (most > CLF_NETWORK_MOST)
        return false;
    clf_digit_places(places, 1u << CLF_SPLIT_BITS);
    CLF_LOOP for (ulong i = begin; i < end; ++i) {
        const clf_value v = clf_sorted_input(a, i);
        clf_output_at(to, begin + places[clf_split_bucket(v, shift CLF_LESS_A)]++, v);
    }
    return true;
}

/* False if keys are not such that buckets are small. */
static inline bool clf_segment_split(const clf_arguments *a, ulong begin, ulong end, bool second,
                                     __private clf_network *n)
{
    uint ends[1 << CLF_SPLIT_BITS], bucket = 0;
    clf_network_batch b;
    clf_outputs dealt, to;
    clf_take_arrays(a, clf_deal_is_second(1), &dealt);
    clf_take_arrays(a, second, &to);
    if (!clf_split_deal(a, begin, end, &dealt, ends))
        return false;
    b.count = 1;
    CLF_LOOP for (b.starts[0] = begin; b.starts[0] < end; b.starts[0] = b.starts[1]) {
        b.starts[1] = begin + ends[bucket++];
        while (bucket < 1u << CLF_SPLIT_BITS && begin + ends[bucket] - b.starts[0] <= CLF_SPLIT_JOINED)
            b.starts[1] = begin + ends[bucket++];
        clf_network_shape(&b, max(clf_network_columns(b.starts[1] - b.starts[0]), 16u));
        (void)clf_network_take(a, &dealt, false, &b, n);
        clf_network_write(&to, &b, 0, n);
    }
    return true;
}

/* As many segments from `begin` on as 16 columns have; none, if the first one is long. */
static inline void clf_network_begin(const clf_arguments *a, ulong begin, ulong end, clf_network_batch *b)
{
    uint all = 1;
    b->count = 0;
    b->starts[0] = begin;
    while (b->starts[b->count] < end) {
        const ulong next = clf_segments_end(a, b->starts[b->count], end), length = next - b->starts[b->count];
        if (length > CLF_NETWORK_MOST)
            break;
        const uint columns = max(all, clf_network_columns(length));
        if (b->count > 0 && (b->count + 1) * columns > 16)
            break;
        all = columns;
        b->starts[++b->count] = next;
    }
    clf_network_shape(b, all);
}

/* Sorts a batch of segments from `begin` on, but those of which it returns a bit. */
static inline uint clf_network_next(const clf_arguments *a, ulong begin, ulong end, const clf_segments_turned *turned,
                                    __private clf_network *n, __private clf_network_batch *b)
{
    clf_outputs to;
    clf_network_begin(a, begin, end, b);
    if (b->count == 0) {
        b->count = 1;
        b->starts[1] = clf_segments_end(a, begin, end);
        return b->starts[1] - begin > CLF_SPLIT_MOST ||
               !clf_segment_split(a, begin, b->starts[1], clf_goes_to_second(turned, begin), n);
    }
    clf_take_arrays(a, false, &to);
    const uint left = clf_network_take(a, &to, true, b, n);
    for (uint s = 0; s < b->count; ++s) {
        clf_take_arrays(a, clf_goes_to_second(turned, b->starts[s]), &to);
        if (!(left >> s & 1))
            clf_network_write(&to, b, s, n);
    }
    return left;
}
#else
typedef uchar clf_network;
static inline uint clf_network_next(const clf_arguments *a, ulong begin, ulong end, const clf_segments_turned *turned,
                                    __private clf_network *n, __private clf_network_batch *b)
{
    b->count = 1;
    b->starts[0] = begin;
    b->starts[1] = clf_segments_end(a, begin, end);
    return 1;
}
#endif
