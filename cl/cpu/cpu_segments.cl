/* SPDX-License-Identifier: MIT */
/*
 * cpu_segments: cpu_vector for regular segments. Irregular ones are in cpu_irregular.cl.
 *
 * Vectors that have no head inside go the way of plain scans; in the others, each step of the scan leaves alone
 * the elements whose segment starts in between: element l, p elements behind its head, takes what lies d to its
 * left only if p >= d (Clausen 2021, 4.4): a mask per step, of which short segments need but a few.
 */
#include "cpu/cpu_vector.cl"

#if CLF_STREAMS == 0 && CLF_SEGMENT == 1

/* How many places a step moves what it moves to each element. */
#define CLF_VECTOR_MOVED(move) (CLF_VECTOR_PLACES - (clf_numbers)move((CLF_VECTOR_PLACES), 0))

/* Where the scan of a tile stands. */
typedef struct {
    clf_vector carry; /* the sum so far, in all places */
    clf_vector initial;
    ulong left;       /* elements before the next head */
    uint done;        /* vectors */
} clf_cpu_walk;

/* Where a vector has heads: what that means for each step of its scan, as masks. */
typedef struct {
    clf_numbers near[4]; /* of each step: what is moved comes from no further than the head */
    clf_numbers carried; /* the head is in an earlier vector */
    clf_numbers inside;  /* the element is no head itself */
} clf_cpu_phase;

static inline clf_cpu_phase clf_cpu_phase_of(clf_numbers behind)
{
    clf_cpu_phase p;
    p.near[0] = behind >= CLF_VECTOR_MOVED(CLF_VECTOR_MOVE_1);
    p.near[1] = behind >= CLF_VECTOR_MOVED(CLF_VECTOR_MOVE_2);
    p.near[2] = behind >= CLF_VECTOR_MOVED(CLF_VECTOR_MOVE_3);
#if CLF_VECTOR_WIDTH == 16
    p.near[3] = behind >= CLF_VECTOR_MOVED(CLF_VECTOR_MOVE_4);
#endif
    p.carried = behind > CLF_VECTOR_PLACES;
    p.inside = behind > (clf_number)0;
    return p;
}

/* The results of a vector. */
static inline clf_vector clf_cpu_scan_phase(clf_vector v, const clf_cpu_phase *p, clf_vector initial, clf_vector *carry)
{
    const CLF_VECTOR_ELEMENT n = clf_neutral().v;
    v = clf_vector_combine(clf_vector_choose(p->near[0], (clf_vector)CLF_VECTOR_MOVE_1(v, n), (clf_vector)(n)), v);
    v = clf_vector_combine(clf_vector_choose(p->near[1], (clf_vector)CLF_VECTOR_MOVE_2(v, n), (clf_vector)(n)), v);
    v = clf_vector_combine(clf_vector_choose(p->near[2], (clf_vector)CLF_VECTOR_MOVE_3(v, n), (clf_vector)(n)), v);
#if CLF_VECTOR_WIDTH == 16
    v = clf_vector_combine(clf_vector_choose(p->near[3], (clf_vector)CLF_VECTOR_MOVE_4(v, n), (clf_vector)(n)), v);
#endif
    const clf_vector sums = clf_vector_combine(clf_vector_choose(p->carried, *carry, initial), v);
    const clf_vector before = clf_vector_choose(p->inside, clf_vector_up(sums, carry->s0), initial);
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
    const clf_cpu_phase phase = clf_cpu_phase_of(behind);
    w->left += a->size - CLF_VECTOR_WIDTH;
    return clf_cpu_scan_phase(CLF_VECTOR_LOAD(w->done++, a->in.p0 + first), &phase, w->initial, &w->carry);
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

/*
 * Segments that are not much longer than a vector. Vectors of which none has a head are few; but after `size` of
 * them, at the latest, heads are in the same places again: so the masks are worked out once per tile.
 */
enum { CLF_CPU_PHASES = 2 * CLF_VECTOR_WIDTH };

/* The phases of so many vectors from an element on that is `position` behind its head; returns how many there are. */
static inline uint clf_cpu_phases(uint size, uint position, uint vectors, clf_cpu_phase *phase)
{
    const clf_number period = (clf_number)size;
    clf_number first[CLF_VECTOR_WIDTH];
    for (uint l = 0; l < CLF_VECTOR_WIDTH; ++l) {
        first[l] = (clf_number)position;
        position = position + 1 == size ? 0 : position + 1;
    }
    clf_numbers behind = CLF_VECTOR_LOAD(0, first);
    const uint phases = min(size, vectors);
    for (uint k = 0; k < phases; ++k) {
        phase[k] = clf_cpu_phase_of(behind);
        behind += (clf_number)(CLF_VECTOR_WIDTH % size);
        behind = behind >= period ? behind - period : behind;
    }
    return phases;
}

static inline void clf_cpu_walk_short(const clf_arguments *a, ulong first, uint vectors, clf_cpu_walk *w)
{
    __global const CLF_VECTOR_ELEMENT *const in = a->in.p0 + first;
    __global clf_vector *const out = (__global clf_vector *)(a->out.p0 + first);
    const uint size = (uint)a->size, position = w->left ? size - (uint)w->left : 0;
    const clf_vector initial = w->initial;
    clf_vector carry = w->carry;
    clf_cpu_phase phase[CLF_CPU_PHASES];
    const uint phases = clf_cpu_phases(size, position, vectors, phase);
    if (a->flags & CLF_ARG_STREAM)
        for (uint i = 0, k = 0; i < vectors; ++i, k = k + 1 == phases ? 0 : k + 1)
            clf_vector_stream(clf_cpu_scan_phase(CLF_VECTOR_LOAD(i, in), phase + k, initial, &carry), out + i);
    else
        for (uint i = 0, k = 0; i < vectors; ++i, k = k + 1 == phases ? 0 : k + 1)
            out[i] = clf_cpu_scan_phase(CLF_VECTOR_LOAD(i, in), phase + k, initial, &carry);
    const uint after = (uint)((position + (ulong)vectors * CLF_VECTOR_WIDTH) % size);
    w->left = after ? size - after : 0;
    w->carry = carry;
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
    if (a->size <= CLF_CPU_PHASES)
        clf_cpu_walk_short(a, first + before, vectors, &w);
    else
        clf_cpu_walk_long(a, first + before, vectors, &w);
    clf_cpu_walk_singles(a, first + after, count - after, &w);
    prefix.v = w.carry.s0;
    return prefix;
}

#endif
