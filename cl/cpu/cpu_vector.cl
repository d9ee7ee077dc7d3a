/* SPDX-License-Identifier: MIT */
/*
 * cpu_vector: a tile by one work-item of a CPU, for operators with a vector form (vector.cl) and any segments.
 *
 * Vectors that have no head inside go the way of plain scans. In the others each step of the scan leaves alone the
 * elements whose segment starts in between (Clausen 2021, 4.4): a mask per step. Where segments are short such masks
 * come back in turn, so that they are worked out once per tile.
 *
 * The rescan begins with single elements until the output is aligned to a vector; inputs may lie anywhere. Where the
 * output is larger than the caches it is stored past them (CLF_ARG_STREAM): no cache line of it is read first. Whatever
 * ends a kernel orders such stores, as it does plain ones: drivers hand work over with locked instructions.
 *
 * needs: CLF_STREAMS
 * provides: CLF_CPU_AT, clf_cpu_load, clf_cpu_phase, clf_cpu_phase_of, clf_cpu_placed, clf_cpu_scan_phase,
 *           clf_cpu_scan_vector, CLF_CPU_SHORT, cpu tile
 */
#include "group/run.cl"
#include "cpu/step.cl"
#include "cpu/vector.cl"

#if CLF_STREAMS == 0

typedef struct {
    uchar none;
} clf_cpu_sums;

/* Where `count` elements from place i on lie in memory; and a vector as kernels see it, or back (value.cl). */
#define CLF_CPU_AT(p, i, count) ((p) + CLF_PLACE(i) - CLF_REVERSED * ((long)(count) - 1))
static inline clf_vector clf_cpu_placed(clf_vector v)
{
    return CLF_REVERSED ? (clf_vector)CLF_VECTOR_TURNED(v) : v;
}

static inline clf_vector clf_cpu_load(const clf_arguments *a, ulong i)
{
    return clf_cpu_placed(CLF_VECTOR_LOAD(0, CLF_CPU_AT(a->in.p0, i, CLF_VECTOR_WIDTH)));
}

/* Combines a tile. */
static inline clf_value clf_cpu_reduce(const clf_arguments *a, ulong first, uint count)
{
    const uint whole = count - count % CLF_VECTOR_WIDTH;
    clf_value sum = clf_vector_reduce(clf_vectors_reduce(CLF_CPU_AT(a->in.p0, first, whole), whole));
    for (uint i = whole; i < count; ++i)
        sum = clf_combine(sum, clf_value_at(a, first + i));
    return sum;
}

/* What follows a tile's last head. */
static inline clf_run clf_cpu_tile_reduce(const clf_arguments *a, ulong first, uint count, clf_cpu_sums *sums)
{
    const ulong end = first + count, head = clf_last_head(a, first, end);
    if (head == end)
        return clf_run_of(clf_cpu_reduce(a, first, count), false);
    return clf_run_of(clf_combine(clf_initial(a), clf_cpu_reduce(a, head, (uint)(end - head))), true);
}

/* Results from place i to the next one from which on vectors are aligned. */
static inline uint clf_cpu_unaligned(const clf_arguments *a, ulong i)
{
    const size_t past = (size_t)CLF_CPU_AT(a->out.p0, i, 0) % sizeof(clf_vector);
    return (uint)((CLF_REVERSED || !past ? past : sizeof(clf_vector) - past) / sizeof *a->out.p0);
}

/* The results of one vector. Only the carry waits for the vector before, for one combine. */
static inline clf_vector clf_cpu_scan_vector(clf_vector v, clf_vector *carry)
{
    const clf_vector sums = clf_vector_scan(v, clf_neutral().CLF_VECTOR_FIELD);
    const clf_vector results = clf_vector_combine(*carry, sums), before = *carry;
    *carry = clf_vector_combine(*carry, clf_vector_last(sums));
    return CLF_EXCLUSIVE ? clf_vector_up(results, before.s0) : results;
}

/* ---- Vectors with heads ------------------------------------------------------------------------------- */

#if CLF_SEGMENT

/* Where a vector has heads: what that means for each step of its scan, as masks. */
typedef struct {
    clf_numbers near[4]; /* of each step: what is moved comes from no further than the head */
    clf_numbers carried; /* the head is in an earlier vector */
    clf_numbers inside;  /* the element is no head itself */
} clf_cpu_phase;

/* The vector's head bits as a mask. */
static inline clf_numbers clf_cpu_heads(uint bits)
{
    const clf_number low = (clf_number)bits;
#if CLF_VECTOR_WIDTH == 16
    const clf_number high = (clf_number)(bits >> 8), top = (clf_number)128;
    const clf_numbers places = (clf_numbers)((clf_numbers_half)(low), (clf_numbers_half)(high));
    return (places & (clf_numbers)(1, 2, 4, 8, 16, 32, 64, top, 1, 2, 4, 8, 16, 32, 64, top)) != (clf_number)0;
#else
    return ((clf_numbers)(low) & (clf_numbers)(1, 2, 4, 8, 16, 32, 64, 128)) != (clf_number)0;
#endif
}

static inline clf_cpu_phase clf_cpu_phase_of(uint bits)
{
    clf_cpu_phase p;
    clf_numbers heads = clf_cpu_heads(bits);
    p.near[0] = p.inside = ~heads;
    heads |= (clf_numbers)CLF_VECTOR_MOVE_1(heads, 0);
    p.near[1] = ~heads;
    heads |= (clf_numbers)CLF_VECTOR_MOVE_2(heads, 0);
    p.near[2] = ~heads;
    heads |= (clf_numbers)CLF_VECTOR_MOVE_3(heads, 0);
    if (CLF_VECTOR_WIDTH == 16) {
        p.near[3] = ~heads;
        heads |= (clf_numbers)CLF_VECTOR_MOVE_4(heads, 0);
    }
    p.carried = ~heads;
    return p;
}

/* The results of a vector. */
static inline clf_vector clf_cpu_scan_phase(clf_vector v, const clf_cpu_phase *p, clf_vector initial, clf_vector *carry)
{
    const CLF_VECTOR_ELEMENT n = clf_neutral().CLF_VECTOR_FIELD;
    v = clf_vector_combine(clf_vector_choose(p->near[0], (clf_vector)CLF_VECTOR_MOVE_1(v, n), (clf_vector)(n)), v);
    v = clf_vector_combine(clf_vector_choose(p->near[1], (clf_vector)CLF_VECTOR_MOVE_2(v, n), (clf_vector)(n)), v);
    v = clf_vector_combine(clf_vector_choose(p->near[2], (clf_vector)CLF_VECTOR_MOVE_3(v, n), (clf_vector)(n)), v);
    if (CLF_VECTOR_WIDTH == 16)
        v = clf_vector_combine(clf_vector_choose(p->near[3], (clf_vector)CLF_VECTOR_MOVE_4(v, n), (clf_vector)(n)), v);
    const clf_vector sums = clf_vector_combine(clf_vector_choose(p->carried, *carry, initial), v);
    const clf_vector before = clf_vector_choose(p->inside, clf_vector_up(sums, carry->s0), initial);
    *carry = clf_vector_last(sums);
    return CLF_EXCLUSIVE ? before : sums;
}

/* Regular segments of up to so many elements are short. */
enum { CLF_CPU_SHORT = 2 * CLF_VECTOR_WIDTH };

#endif

/* ---- A tile ------------------------------------------------------------------------------------------- */

/*
 * Twice, for stores past the caches and for others: of a choice at run time compilers make the plain store, and a cache
 * line that is written both ways costs twenty times as much.
 */
#define CLF_X_STORE stream
#include "cpu/cpu_vector_template.cl"
#define CLF_X_STORE store
#include "cpu/cpu_vector_template.cl"

/* Scans a tile from its prefix on; returns the prefix of the next. */
static inline clf_value clf_cpu_tile_rescan(const clf_arguments *a, ulong first, uint count, clf_value prefix,
                                            const clf_cpu_sums *sums)
{
    const uint before = min(clf_cpu_unaligned(a, first), count);
    const uint vectors = (count - before) / CLF_VECTOR_WIDTH, after = before + vectors * CLF_VECTOR_WIDTH;
    clf_value sum = clf_cpu_steps(a, first, first + before, prefix);
    if (a->flags & CLF_ARG_STREAM)
        sum = clf_cpu_rescan_stream(a, first + before, vectors, sum);
    else
        sum = clf_cpu_rescan_store(a, first + before, vectors, sum);
    return clf_cpu_steps(a, first + after, first + count, sum);
}

#endif
