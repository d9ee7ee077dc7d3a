/* SPDX-License-Identifier: MIT */
/*
 * cpu_irregular: cpu_vector for irregular segments (segment_bits.cl): heads are found a word of bits at a time.
 *
 * Elements without a head among them, of which a word of zeros tells at once, are scanned like those of plain
 * scans; others by the operator on (flag, value): what is moved to an element is combined with it only if no
 * segment starts in between.
 */
#include "cpu/cpu_vector.cl"

#if CLF_STREAMS == 0 && CLF_SEGMENT == 2

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

/* Where the scan of a tile stands. */
typedef struct {
    clf_vector carry; /* the sum so far, in all places */
    ulong at, end;    /* elements */
} clf_cpu_walk;

/* Scans the vectors before the next one with a head. Is there one? */
static inline bool clf_cpu_walk_on(const clf_arguments *a, clf_cpu_walk *w)
{
    const uint plain = (uint)(clf_next_head(a, w->at, w->end) - w->at) / CLF_VECTOR_WIDTH;
    if (plain > 0) {
        clf_value sum;
        sum.v = w->carry.s0;
        w->carry = clf_vector_of(clf_cpu_scan_vectors(a, w->at, plain, sum));
        w->at += plain * CLF_VECTOR_WIDTH;
    }
    return w->at < w->end;
}

/* The results of a vector with heads. */
static inline clf_vector clf_cpu_walk_heads(const clf_arguments *a, clf_cpu_walk *w)
{
    const clf_numbers heads = clf_cpu_flags(clf_head_bits(a, w->at));
    const clf_vector v = CLF_VECTOR_LOAD(0, a->in.p0 + w->at);
    w->at += CLF_VECTOR_WIDTH;
    return clf_cpu_scan_flags(v, heads, clf_vector_of(clf_initial(a)), &w->carry);
}

static inline clf_value clf_cpu_walk_vectors(const clf_arguments *a, ulong first, uint vectors, clf_value sum)
{
    __global clf_vector *out = (__global clf_vector *)(a->out.p0 + first);
    clf_cpu_walk w = {clf_vector_of(sum), first, first + vectors * CLF_VECTOR_WIDTH};
    if (a->flags & CLF_ARG_STREAM) {
        while (clf_cpu_walk_on(a, &w)) {
            const ulong i = (w.at - first) / CLF_VECTOR_WIDTH;
            clf_vector_stream(clf_cpu_walk_heads(a, &w), out + i);
        }
    } else {
        while (clf_cpu_walk_on(a, &w)) {
            const ulong i = (w.at - first) / CLF_VECTOR_WIDTH;
            out[i] = clf_cpu_walk_heads(a, &w);
        }
    }
    sum.v = w.carry.s0;
    return sum;
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
    prefix = clf_cpu_walk_vectors(a, first + before, vectors, prefix);
    return clf_cpu_walk_singles(a, first + after, count - after, prefix);
}

#endif
