/* SPDX-License-Identifier: MIT */
/*
 * cpu_irregular: cpu_segments for irregular segments (segment_bits.cl): heads are found a word of bits at a time.
 *
 * A tile adds up to what follows its last head. Elements without a head among them, of which a word of zeros
 * tells at once, are scanned like those of plain scans. With vectors, others are scanned by the operator on
 * (flag, value): what is moved to an element is combined with it only if no segment starts in between.
 */
#include "cpu_streams.cl"
#include "cpu_vector.cl"
#include "segment.cl"

#if CLF_SEGMENT == 2

/* The last head in first … end - 1, or end. */
static inline ulong clf_cpu_last_head(const clf_arguments *a, ulong first, ulong end)
{
    for (ulong word = (end + 31) / 32; word-- > first / 32;) {
        uint bits = a->heads[word] | (word == 0);
        if ((word + 1) * 32 > end)
            bits &= ~(~0u << end % 32);
        if (bits) {
            const ulong head = word * 32 + (31 - clz(bits));
            return head >= first ? head : end;
        }
    }
    return end;
}

static inline clf_run clf_cpu_tile_reduce(const clf_arguments *a, ulong first, uint count, clf_cpu_sums *sums)
{
    const ulong end = first + count, head = clf_cpu_last_head(a, first, end);
    if (head == end)
        return clf_run_of(clf_cpu_reduce(a, first, count, sums), false);
    return clf_run_of(clf_combine(clf_initial(a), clf_cpu_reduce(a, head, (uint)(end - head), sums)), true);
}

#if CLF_STREAMS > 0

/* Scans elements of which any may be heads. */
static inline clf_value clf_cpu_headed_rescan(const clf_arguments *a, ulong i, uint count, clf_value sum)
{
    const clf_value initial = clf_initial(a);
    uint bits = clf_head_bits(a, i);
    for (uint k = 0; k < count; ++k, bits >>= 1)
        sum = clf_cpu_step(a, i + k, bits & 1 ? initial : sum);
    return sum;
}

static inline clf_value clf_cpu_tile_rescan(const clf_arguments *a, ulong first, uint count, clf_value prefix,
                                            const clf_cpu_sums *sums)
{
    const ulong end = first + count;
    ulong head = clf_next_head(a, first, end), i = first;
    if (head == end)
        return clf_cpu_rescan(a, first, count, prefix, sums);
    while (i < end) {
        const uint plain = (uint)(head - i) / 32 * 32, headed = (uint)min(end - i - plain, (ulong)32);
        prefix = clf_cpu_span_rescan(a, i, plain, prefix);
        prefix = clf_cpu_headed_rescan(a, i + plain, headed, prefix);
        i += plain + headed;
        head = clf_next_head(a, i, end);
    }
    return prefix;
}

#else

/* Of the low CLF_VECTOR_WIDTH bits: which are set? */
#if CLF_VECTOR_WIDTH == 16
#define CLF_VECTOR_BITS (clf_numbers)(1, 2, 4, 8, 16, 32, 64, (clf_number)128, 1, 2, 4, 8, 16, 32, 64, (clf_number)128)
#else
#define CLF_VECTOR_BITS (clf_numbers)(1, 2, 4, 8, 16, 32, 64, 128)
#endif

static inline clf_numbers clf_cpu_flags(uint bits)
{
    const clf_number low = (clf_number)bits;
#if CLF_VECTOR_WIDTH == 16
    const clf_number high = (clf_number)(bits >> 8);
    const clf_numbers places =
        (clf_numbers)(low, low, low, low, low, low, low, low, high, high, high, high, high, high, high, high);
#else
    const clf_numbers places = (clf_numbers)(low);
#endif
    return (places & CLF_VECTOR_BITS) != (clf_number)0;
}

#define CLF_VECTOR_STEP(move)                                                   \
    v = flags ? v : clf_vector_combine((clf_vector)move(v, n), v); \
    flags |= (clf_numbers)move(flags, 0)

/* The results of a vector where segments start at `heads`. */
static inline clf_vector clf_cpu_scan_flags(clf_vector v, clf_numbers heads, clf_vector initial, clf_vector *carry)
{
    const CLF_VECTOR_ELEMENT n = clf_neutral().v;
    clf_numbers flags = heads;
    CLF_VECTOR_STEP(CLF_VECTOR_MOVE_1);
    CLF_VECTOR_STEP(CLF_VECTOR_MOVE_2);
    CLF_VECTOR_STEP(CLF_VECTOR_MOVE_3);
#if CLF_VECTOR_WIDTH == 16
    CLF_VECTOR_STEP(CLF_VECTOR_MOVE_4);
#endif
    const clf_vector sums = clf_vector_combine(flags ? initial : *carry, v);
    const clf_vector before = heads ? initial : clf_vector_up(sums, carry->s0);
    *carry = clf_vector_last(sums);
    return CLF_EXCLUSIVE ? before : sums;
}

CLF_INLINE void clf_cpu_walk_vectors(const clf_arguments *a, ulong first, uint vectors, clf_value *sum, bool stream)
{
    const ulong end = first + vectors * CLF_VECTOR_WIDTH;
    const clf_vector initial = clf_vector_of(clf_initial(a));
    clf_vector carry = clf_vector_of(*sum);
    for (ulong i = first; i < end; i += CLF_VECTOR_WIDTH) {
        const uint plain = (uint)(clf_next_head(a, i, end) - i) / CLF_VECTOR_WIDTH;
        if (plain > 0) {
            sum->v = carry.s0;
            carry = clf_vector_of(clf_cpu_scan_vectors(a, i, plain, *sum));
            i += plain * CLF_VECTOR_WIDTH;
            if (i == end)
                break;
        }
        const clf_vector r =
            clf_cpu_scan_flags(CLF_VECTOR_LOAD(0, a->in.p0 + i), clf_cpu_flags(clf_head_bits(a, i)), initial, &carry);
        clf_cpu_store(r, (__global clf_vector *)(a->out.p0 + i), stream);
    }
    sum->v = carry.s0;
}

static inline clf_value clf_cpu_walk_singles(const clf_arguments *a, ulong first, uint count, clf_value sum)
{
    const clf_value initial = clf_initial(a);
    for (uint j = 0; j < count; ++j)
        sum = clf_cpu_scan_single(a, first + j, 1, clf_is_head(a, first + j) ? initial : sum);
    return sum;
}

static inline clf_value clf_cpu_tile_rescan(const clf_arguments *a, ulong first, uint count, clf_value prefix,
                                            const clf_cpu_sums *sums)
{
    const uint before = min(clf_cpu_unaligned(a->out.p0 + first), count);
    const uint vectors = (count - before) / CLF_VECTOR_WIDTH, after = before + vectors * CLF_VECTOR_WIDTH;
    prefix = clf_cpu_walk_singles(a, first, before, prefix);
    if (a->flags & CLF_ARG_STREAM)
        clf_cpu_walk_vectors(a, first + before, vectors, &prefix, true);
    else
        clf_cpu_walk_vectors(a, first + before, vectors, &prefix, false);
    return clf_cpu_walk_singles(a, first + after, count - after, prefix);
}

#endif
#endif
