/* SPDX-License-Identifier: MIT */
/*
 * cpu_segments: a tile by one work-item of a CPU, segment by segment: what cpu_streams and cpu_vector do to a
 * tile without heads. Irregular segments are in cpu_irregular.cl.
 *
 * A reduction is only about what follows the tile's last head. With vectors, those that have no head inside
 * go the way of plain scans; in the others, each step of the scan leaves alone the elements whose segment
 * starts in between: element l, p elements behind its head, takes what lies d to its left only if p >= d
 * (Clausen 2021, 4.4). Streams take segments of their own where there are enough.
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

#elif CLF_SEGMENT == 1

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

/* Scans CLF_STREAMS shares of `count` whole segments each, all shares side by side. */
static inline void clf_cpu_shares_rescan(const clf_arguments *a, ulong first, uint count, uint size)
{
    const uint share = count * size;
    clf_value sum[CLF_STREAMS];
    for (uint j = 0, left = 0; j < share; ++j, --left) {
        if (left == 0) {
            left = size;
            CLF_UNROLL for (uint s = 0; s < CLF_STREAMS; ++s)
                sum[s] = clf_initial(a);
        }
        CLF_UNROLL for (uint s = 0; s < CLF_STREAMS; ++s)
            sum[s] = clf_cpu_step(a, first + s * share + j, sum[s]);
    }
}

static inline clf_value clf_cpu_tile_rescan(const clf_arguments *a, ulong first, uint count, clf_value prefix,
                                            const clf_cpu_sums *sums)
{
    const uint lead = clf_cpu_lead(a, first, count);
    if (lead == count)
        return clf_cpu_rescan(a, first, count, prefix, sums);
    const uint size = (uint)min(a->size, (ulong)count), each = (count - lead) / size / CLF_STREAMS;
    clf_value sum = clf_cpu_span_rescan(a, first, lead, prefix);
    clf_cpu_shares_rescan(a, first + lead, each, size);
    for (uint j = lead + CLF_STREAMS * each * size; j < count;) {
        const uint span = min(size, count - j);
        sum = clf_cpu_span_rescan(a, first + j, span, clf_initial(a));
        j += span;
    }
    return sum;
}

#else

/* What is moved to an element, if that comes from no further than its head; else the neutral one. */
#define CLF_VECTOR_TAKE(move, v, n)                                                                  \
    (behind >= CLF_VECTOR_PLACES - (clf_numbers)move((CLF_VECTOR_PLACES), 0) ? (clf_vector)move(v, n) \
                                                                             : (clf_vector)(n))

/* clf_vector_scan by segments. */
static inline clf_vector clf_vector_scan_behind(clf_vector v, CLF_VECTOR_ELEMENT n, clf_numbers behind)
{
    v = clf_vector_combine(CLF_VECTOR_TAKE(CLF_VECTOR_MOVE_1, v, n), v);
    v = clf_vector_combine(CLF_VECTOR_TAKE(CLF_VECTOR_MOVE_2, v, n), v);
    v = clf_vector_combine(CLF_VECTOR_TAKE(CLF_VECTOR_MOVE_3, v, n), v);
#if CLF_VECTOR_WIDTH == 16
    v = clf_vector_combine(CLF_VECTOR_TAKE(CLF_VECTOR_MOVE_4, v, n), v);
#endif
    return v;
}

/* Where the scan of a tile stands. */
typedef struct {
    clf_vector carry; /* the sum so far, in all places */
    clf_vector initial;
    ulong left;       /* elements before the next head */
} clf_cpu_walk;

/* The results of a vector whose elements are `behind` their heads; the last one's head is in the vector. */
static inline clf_vector clf_cpu_scan_heads(clf_vector x, clf_numbers behind, clf_vector initial,
                                            clf_vector *carry)
{
    const clf_vector v = clf_vector_scan_behind(x, clf_neutral().v, behind);
    const clf_vector sums = clf_vector_combine(behind > CLF_VECTOR_PLACES ? *carry : initial, v);
    const clf_vector before = behind == (clf_number)0 ? initial : clf_vector_up(sums, carry->s0);
    *carry = clf_vector_last(sums);
    return CLF_EXCLUSIVE ? before : sums;
}

/* Segments no shorter than a vector, so that it has one head at most: between heads goes a plain scan. */
CLF_INLINE void clf_cpu_walk_long(const clf_arguments *a, ulong first, uint vectors, clf_cpu_walk *w,
                                  bool stream)
{
    __global const CLF_VECTOR_ELEMENT *const in = a->in.p0 + first;
    __global clf_vector *const out = (__global clf_vector *)(a->out.p0 + first);
    clf_vector carry = w->carry;
    ulong left = w->left;
    for (uint i = 0; i < vectors; ++i) {
        const uint plain = (uint)min(left / CLF_VECTOR_WIDTH, (ulong)(vectors - i));
        if (plain > 0) {
            clf_value sum;
            sum.v = carry.s0;
            carry = clf_vector_of(clf_cpu_scan_vectors(a, first + i * CLF_VECTOR_WIDTH, plain, sum));
            left -= (ulong)plain * CLF_VECTOR_WIDTH;
            i += plain;
            if (i == vectors)
                break;
        }
        const clf_numbers from = CLF_VECTOR_PLACES - (clf_number)left;
        const clf_numbers behind = from < (clf_number)0 ? (clf_numbers)(CLF_VECTOR_WIDTH) : from;
        const clf_vector r = clf_cpu_scan_heads(CLF_VECTOR_LOAD(i, in), behind, w->initial, &carry);
        clf_cpu_store(r, out + i, stream);
        left += a->size - CLF_VECTOR_WIDTH;
    }
    w->carry = carry;
    w->left = left;
}

/* How far the elements of the next vector are behind their heads. */
static inline clf_numbers clf_cpu_behind(ulong size, ulong left)
{
    clf_number behind[CLF_VECTOR_WIDTH];
    for (uint l = 0; l < CLF_VECTOR_WIDTH; ++l)
        behind[l] = (clf_number)((size - left + l) % size);
    return CLF_VECTOR_LOAD(0, behind);
}

/* Segments no longer than a vector: every one has a head. */
CLF_INLINE void clf_cpu_walk_short(const clf_arguments *a, ulong first, uint vectors, clf_cpu_walk *w,
                                   bool stream)
{
    __global const CLF_VECTOR_ELEMENT *const in = a->in.p0 + first;
    __global clf_vector *const out = (__global clf_vector *)(a->out.p0 + first);
    const clf_number size = (clf_number)a->size, step = (clf_number)(CLF_VECTOR_WIDTH % a->size);
    const clf_vector initial = w->initial;
    clf_vector carry = w->carry;
    clf_numbers behind = clf_cpu_behind(a->size, w->left);
    for (uint i = 0; i < vectors; ++i) {
        clf_cpu_store(clf_cpu_scan_heads(CLF_VECTOR_LOAD(i, in), behind, initial, &carry), out + i, stream);
        behind += step;
        behind = behind >= size ? behind - size : behind;
    }
    w->carry = carry;
    w->left = behind.s0 ? a->size - (ulong)behind.s0 : 0;
}

CLF_INLINE void clf_cpu_walk_vectors(const clf_arguments *a, ulong first, uint vectors, clf_cpu_walk *w,
                                     bool stream)
{
    if (a->size <= CLF_VECTOR_WIDTH)
        clf_cpu_walk_short(a, first, vectors, w, stream);
    else
        clf_cpu_walk_long(a, first, vectors, w, stream);
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
    clf_cpu_walk w = {clf_vector_of(prefix), clf_vector_of(clf_initial(a)),
                      position ? a->size - position : 0};
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
