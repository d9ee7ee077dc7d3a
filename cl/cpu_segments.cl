/* SPDX-License-Identifier: MIT */
/*
 * cpu_segments: a tile by one work-item of a CPU, segment by segment: what cpu_streams and cpu_vector do to a tile without heads.
 *
 * A reduction is only about what follows the tile's last head. With vectors, those that have no head inside go the way of plain
 * scans; in the others, each step of the scan leaves alone the elements whose segment starts in between: element l, p
 * elements behind its head, takes what lies d to its left only if p >= d (Clausen 2021, 4.4). With streams,
 * segments are scanned one after the other, for short ones are independent chains anyway.
 */
#include "cpu_streams.cl"
#include "cpu_vector.cl"
#include "segment.cl"

#if CLF_SEGMENT == 0

static inline clf_run clf_cpu_tile_reduce(const clf_arguments *a, ulong first, uint count, clf_cpu_sums *sums)
{
    return clf_run_of(clf_cpu_reduce(a, first, count, sums), false);
}

static inline clf_value clf_cpu_tile_rescan(const clf_arguments *a, ulong first, uint count, clf_value prefix,
                                            const clf_cpu_sums *sums)
{
    return clf_cpu_rescan(a, first, count, prefix, sums);
}

#else

/* Elements before the first head at or after `first`, at most `count`. */
static inline uint clf_cpu_lead(const clf_arguments *a, ulong first, uint count)
{
    const ulong position = clf_position(a, first);
    return position ? (uint)min(a->size - position, (ulong)count) : 0;
}

static inline clf_run clf_cpu_tile_reduce(const clf_arguments *a, ulong first, uint count, clf_cpu_sums *sums)
{
    const uint lead = clf_cpu_lead(a, first, count);
    if (lead == count)
        return clf_run_of(clf_cpu_reduce(a, first, count, sums), false);
    const uint last = count - 1 - (uint)clf_position(a, first + count - 1);
    return clf_run_of(clf_combine(clf_initial(a), clf_cpu_reduce(a, first + last, count - last, sums)), true);
}

#if CLF_STREAMS > 0

/* Scans elements without a head inside; a long run of them in streams. */
static inline clf_value clf_cpu_span_rescan(const clf_arguments *a, ulong first, uint count, clf_value sum)
{
    if (CLF_STREAMS > 1 && count >= 64 * CLF_STREAMS) {
        clf_cpu_sums sums;
        (void)clf_cpu_reduce(a, first, count, &sums);
        return clf_cpu_rescan(a, first, count, sum, &sums);
    }
    for (uint j = 0; j < count; ++j)
        sum = clf_cpu_step(a, first + j, sum);
    return sum;
}

static inline clf_value clf_cpu_tile_rescan(const clf_arguments *a, ulong first, uint count, clf_value prefix,
                                            const clf_cpu_sums *sums)
{
    const uint lead = clf_cpu_lead(a, first, count);
    if (lead == count)
        return clf_cpu_rescan(a, first, count, prefix, sums);
    clf_value sum = clf_cpu_span_rescan(a, first, lead, prefix);
    for (uint j = lead; j < count;) {
        const uint span = (uint)min(a->size, (ulong)(count - j));
        sum = clf_cpu_span_rescan(a, first + j, span, clf_initial(a));
        j += span;
    }
    return sum;
}

#else

/* Numbers as wide as the elements; comparing elements gives such. */
typedef __typeof__((clf_vector)(0) == (clf_vector)(0)) clf_numbers;
typedef __typeof__(((clf_numbers)(0)).s0) clf_number;

#if CLF_VECTOR_WIDTH == 16
#define CLF_VECTOR_PLACES (clf_numbers)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#else
#define CLF_VECTOR_PLACES (clf_numbers)(0, 1, 2, 3, 4, 5, 6, 7)
#endif

/* Inclusive scan by segments (Hillis and Steele 1986): an element takes what is d to its left if its head is as far. */
static inline clf_vector clf_vector_scan_behind(clf_vector v, CLF_VECTOR_ELEMENT n, clf_numbers behind)
{
    const clf_vector neutral = (clf_vector)(n);
    v = clf_vector_combine(select(neutral, clf_vector_up(v, n), behind >= (clf_number)1), v);
#if CLF_VECTOR_WIDTH == 16
    clf_vector up = (clf_vector)(n, n, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5,
                                 v.s6, v.s7, v.s8, v.s9, v.sa, v.sb, v.sc, v.sd);
    v = clf_vector_combine(select(neutral, up, behind >= (clf_number)2), v);
    up = (clf_vector)(n, n, n, n, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7, v.s8, v.s9, v.sa, v.sb);
    v = clf_vector_combine(select(neutral, up, behind >= (clf_number)4), v);
    up = (clf_vector)(n, n, n, n, n, n, n, n, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7);
    return clf_vector_combine(select(neutral, up, behind >= (clf_number)8), v);
#else
    clf_vector up = (clf_vector)(n, n, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5);
    v = clf_vector_combine(select(neutral, up, behind >= (clf_number)2), v);
    up = (clf_vector)(n, n, n, n, v.s0, v.s1, v.s2, v.s3);
    return clf_vector_combine(select(neutral, up, behind >= (clf_number)4), v);
#endif
}

/* Where the scan of a tile stands. */
typedef struct {
    clf_vector carry; /* the sum so far, in all places */
    clf_vector initial;
    ulong left;       /* elements before the next head */
} clf_cpu_walk;

/* The results of a vector whose elements are `behind` their heads; the last one's head is in the vector. */
static inline clf_vector clf_cpu_scan_heads(clf_vector x, clf_numbers behind, clf_cpu_walk *w)
{
    const clf_vector v = clf_vector_scan_behind(x, clf_neutral().v, behind);
    const clf_vector sums = clf_vector_combine(select(w->initial, w->carry, behind > CLF_VECTOR_PLACES), v);
    const clf_vector before = select(clf_vector_up(sums, w->carry.s0), w->initial, behind == 0);
    w->carry = clf_vector_last(sums);
    return CLF_EXCLUSIVE ? before : sums;
}

/* The same where segments are no shorter than a vector, which so has one head at most. */
static inline clf_vector clf_cpu_scan_long(clf_vector x, ulong size, clf_cpu_walk *w)
{
    const ulong left = w->left;
    w->left = left >= CLF_VECTOR_WIDTH ? left - CLF_VECTOR_WIDTH : left + size - CLF_VECTOR_WIDTH;
    if (left >= CLF_VECTOR_WIDTH)
        return clf_cpu_scan_vector(x, &w->carry);
    const clf_numbers behind = CLF_VECTOR_PLACES - (clf_number)left;
    return clf_cpu_scan_heads(x, select(behind, (clf_numbers)(CLF_VECTOR_WIDTH), behind < (clf_number)0), w);
}

/* How far the elements of the next vector are behind their heads. */
static inline clf_numbers clf_cpu_behind(ulong size, ulong left)
{
    clf_number behind[CLF_VECTOR_WIDTH];
    for (uint l = 0; l < CLF_VECTOR_WIDTH; ++l)
        behind[l] = (clf_number)((size - left + l) % size);
    return CLF_VECTOR_LOAD(0, behind);
}

/* Where segments are shorter than a vector: every one has a head. */
static inline clf_vector clf_cpu_scan_short(clf_vector x, clf_number size, clf_numbers *behind, clf_cpu_walk *w)
{
    const clf_vector r = clf_cpu_scan_heads(x, *behind, w);
    const clf_numbers next = *behind + (clf_number)(CLF_VECTOR_WIDTH % size);
    *behind = select(next, next - size, next >= size);
    return r;
}

/* Scans vectors. `stream` is a constant where this is inlined: compilers merge a choice of stores into the plain one. */
static inline void clf_cpu_walk_vectors(const clf_arguments *a, ulong first, uint vectors, clf_cpu_walk *w, bool stream)
{
    __global const CLF_VECTOR_ELEMENT *const in = a->in.p0 + first;
    __global clf_vector *const out = (__global clf_vector *)(a->out.p0 + first);
    const bool brief = a->size < CLF_VECTOR_WIDTH;
    clf_numbers behind = clf_cpu_behind(a->size, w->left);
    for (uint i = 0; i < vectors; ++i) {
        const clf_vector x = CLF_VECTOR_LOAD(i, in);
        const clf_vector r = brief ? clf_cpu_scan_short(x, (clf_number)a->size, &behind, w) : clf_cpu_scan_long(x, a->size, w);
        if (stream)
            clf_vector_stream(r, out + i);
        else
            out[i] = r;
    }
    if (brief)
        w->left = behind.s0 ? a->size - (ulong)behind.s0 : 0;
}

static inline void clf_cpu_walk_singles(const clf_arguments *a, ulong first, uint count, clf_cpu_walk *w)
{
    clf_value sum, initial;
    sum.v = w->carry.s0;
    initial.v = w->initial.s0;
    for (uint j = 0; j < count; ++j) {
        if (w->left == 0) {
            w->left = a->size;
            sum = initial;
        }
        --w->left;
        sum = clf_cpu_scan_single(a, first + j, 1, sum);
    }
    w->carry = clf_vector_of(sum);
}

static inline clf_value clf_cpu_tile_rescan(const clf_arguments *a, ulong first, uint count, clf_value prefix,
                                            const clf_cpu_sums *sums)
{
    const uint before = min(clf_cpu_unaligned(a->out.p0 + first), count);
    const uint vectors = (count - before) / CLF_VECTOR_WIDTH, after = before + vectors * CLF_VECTOR_WIDTH;
    const ulong position = clf_position(a, first);
    clf_cpu_walk w = {clf_vector_of(prefix), clf_vector_of(clf_initial(a)), position ? a->size - position : 0};
    clf_cpu_walk_singles(a, first, before, &w);
    if (a->flags & CLF_ARG_STREAM)
        clf_cpu_walk_vectors(a, first + before, vectors, &w, true);
    else
        clf_cpu_walk_vectors(a, first + before, vectors, &w, false);
    clf_cpu_walk_singles(a, first + after, count - after, &w);
    prefix.v = w.carry.s0;
    return prefix;
}

#endif
#endif
