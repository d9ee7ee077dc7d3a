/* SPDX-License-Identifier: MIT */
/*
 * cpu_segments: cpu_vector for regular segments. Irregular ones are in cpu_irregular.cl.
 *
 * Vectors that have no head inside go the way of plain scans; in the others, each step of the scan leaves alone
 * the elements whose segment starts in between: element l, p elements behind its head, takes what lies d to its
 * left only if p >= d (Clausen 2021, 4.4).
 */
#include "cpu_vector.cl"

#if CLF_STREAMS == 0 && CLF_SEGMENT == 1

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
    uint done;        /* vectors */
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

/*
 * Segments longer than a vector, so that it has one head at most: up to the next one goes a plain scan. Is there
 * a next one?
 */
static inline bool clf_cpu_walk_on(const clf_arguments *a, ulong first, uint vectors, clf_cpu_walk *w)
{
    const uint plain = (uint)min(w->left / CLF_VECTOR_WIDTH, (ulong)(vectors - w->done));
    if (plain > 0) {
        clf_value sum;
        sum.v = w->carry.s0;
        w->carry = clf_vector_of(clf_cpu_scan_vectors(a, first + w->done * CLF_VECTOR_WIDTH, plain, sum));
        w->left -= (ulong)plain * CLF_VECTOR_WIDTH;
        w->done += plain;
    }
    return w->done < vectors;
}

/* The results of a vector with a head. */
static inline clf_vector clf_cpu_walk_head(const clf_arguments *a, ulong first, clf_cpu_walk *w)
{
    const clf_numbers from = CLF_VECTOR_PLACES - (clf_number)w->left;
    const clf_numbers behind = from < (clf_number)0 ? (clf_numbers)(CLF_VECTOR_WIDTH) : from;
    w->left += a->size - CLF_VECTOR_WIDTH;
    return clf_cpu_scan_heads(CLF_VECTOR_LOAD(w->done++, a->in.p0 + first), behind, w->initial, &w->carry);
}

static inline void clf_cpu_walk_long(const clf_arguments *a, ulong first, uint vectors, clf_cpu_walk *w)
{
    __global clf_vector *out = (__global clf_vector *)(a->out.p0 + first);
    if (a->flags & CLF_ARG_STREAM) {
        while (clf_cpu_walk_on(a, first, vectors, w)) {
            const uint i = w->done;
            clf_vector_stream(clf_cpu_walk_head(a, first, w), out + i);
        }
    } else {
        while (clf_cpu_walk_on(a, first, vectors, w)) {
            const uint i = w->done;
            out[i] = clf_cpu_walk_head(a, first, w);
        }
    }
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
static inline clf_vector clf_cpu_walk_heads(const clf_arguments *a, ulong i, clf_numbers *behind, clf_cpu_walk *w)
{
    const clf_number size = (clf_number)a->size;
    const clf_vector r = clf_cpu_scan_heads(CLF_VECTOR_LOAD(0, a->in.p0 + i), *behind, w->initial, &w->carry);
    *behind += (clf_number)(CLF_VECTOR_WIDTH % a->size);
    *behind = *behind >= size ? *behind - size : *behind;
    return r;
}

static inline void clf_cpu_walk_short(const clf_arguments *a, ulong first, uint vectors, clf_cpu_walk *w)
{
    __global clf_vector *out = (__global clf_vector *)(a->out.p0 + first);
    clf_numbers behind = clf_cpu_behind(a->size, w->left);
    if (a->flags & CLF_ARG_STREAM)
        for (uint i = 0; i < vectors; ++i)
            clf_vector_stream(clf_cpu_walk_heads(a, first + i * CLF_VECTOR_WIDTH, &behind, w), out + i);
    else
        for (uint i = 0; i < vectors; ++i)
            out[i] = clf_cpu_walk_heads(a, first + i * CLF_VECTOR_WIDTH, &behind, w);
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
    clf_cpu_walk w = {clf_vector_of(prefix), clf_vector_of(clf_initial(a)),
                      position ? a->size - position : 0, 0};
    clf_cpu_walk_singles(a, first, before, &w);
    if (a->size <= CLF_VECTOR_WIDTH)
        clf_cpu_walk_short(a, first + before, vectors, &w);
    else
        clf_cpu_walk_long(a, first + before, vectors, &w);
    clf_cpu_walk_singles(a, first + after, count - after, &w);
    prefix.v = w.carry.s0;
    return prefix;
}

#endif
