/* SPDX-License-Identifier: MIT */
/*
 * cpu_vector: a tile by one work-item of a CPU, for operators with a vector form (vector.cl).
 *
 * The rescan begins with single elements until the output is aligned to a vector; inputs may lie anywhere.
 * Where the output is larger than the caches it is stored past them (CLF_ARG_STREAM): no cache line of it is
 * read first. Whatever ends a kernel orders such stores, as it does plain ones: drivers hand work over with
 * locked instructions.
 */
#include "chain/chain.cl"
#include "group/run.cl"
#include "cpu/vector.cl"

#if CLF_STREAMS == 0

typedef struct {
    uchar none;
} clf_cpu_sums;

/* Combines a tile. */
static inline clf_value clf_cpu_reduce(const clf_arguments *a, ulong first, uint count)
{
    clf_value sum = clf_vector_reduce(clf_vectors_reduce(a->in.p0 + first, count));
    for (uint i = count - count % CLF_VECTOR_WIDTH; i < count; ++i)
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

static inline clf_value clf_cpu_scan_single(const clf_arguments *a, ulong first, uint count, clf_value sum)
{
    for (uint j = 0; j < count; ++j) {
        const clf_value next = clf_combine(sum, clf_value_at(a, first + j));
        clf_output_at(&a->out, first + j, CLF_EXCLUSIVE ? sum : next);
        sum = next;
    }
    return sum;
}

/* Elements from p to the next address that is aligned to a vector. */
static inline uint clf_cpu_unaligned(__global const CLF_VECTOR_ELEMENT *p)
{
    const size_t past = (size_t)p % sizeof(clf_vector);
    return past ? (uint)((sizeof(clf_vector) - past) / sizeof *p) : 0;
}

/* The results of one vector. Only the carry waits for the vector before, for one combine. */
static inline clf_vector clf_cpu_scan_vector(clf_vector v, clf_vector *carry)
{
    const clf_vector sums = clf_vector_scan(v, clf_neutral().v);
    const clf_vector results = clf_vector_combine(*carry, sums), before = *carry;
    *carry = clf_vector_combine(*carry, clf_vector_last(sums));
    return CLF_EXCLUSIVE ? clf_vector_up(results, before.s0) : results;
}

/*
 * Two loops, here and wherever vectors are stored: compilers merge a choice between two kinds of store into the
 * plain one, and a cache line that is written both ways costs twenty times as much.
 */
static inline clf_value clf_cpu_scan_vectors(const clf_arguments *a, ulong first, uint vectors, clf_value sum)
{
    __global const CLF_VECTOR_ELEMENT *in = a->in.p0 + first;
    __global clf_vector *out = (__global clf_vector *)(a->out.p0 + first);
    clf_vector carry = clf_vector_of(sum);
    if (a->flags & CLF_ARG_STREAM)
        for (uint i = 0; i < vectors; ++i)
            clf_vector_stream(clf_cpu_scan_vector(CLF_VECTOR_LOAD(i, in), &carry), out + i);
    else
        for (uint i = 0; i < vectors; ++i)
            out[i] = clf_cpu_scan_vector(CLF_VECTOR_LOAD(i, in), &carry);
    sum.v = carry.s0;
    return sum;
}

#if CLF_SEGMENT == 0

/* Scans a tile from its prefix on; returns the prefix of the next. */
static inline clf_value clf_cpu_tile_rescan(const clf_arguments *a, ulong first, uint count, clf_value prefix,
                                            const clf_cpu_sums *sums)
{
    const uint before = min(clf_cpu_unaligned(a->out.p0 + first), count);
    const uint vectors = (count - before) / CLF_VECTOR_WIDTH, after = before + vectors * CLF_VECTOR_WIDTH;
    clf_value sum = clf_cpu_scan_single(a, first, before, prefix);
    sum = clf_cpu_scan_vectors(a, first + before, vectors, sum);
    return clf_cpu_scan_single(a, first + after, count - after, sum);
}

#endif
#endif
