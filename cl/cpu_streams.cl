/* SPDX-License-Identifier: MIT */
/*
 * cpu_streams: a tile by one work-item of a CPU, for any operator.
 *
 * A combine waits for the one before it. So a tile is cut into CLF_STREAMS shares, contiguous and in order,
 * whose combines do not wait for each other, and all shares advance together: the processor finds CLF_STREAMS
 * independent chains. What does not divide is left to the end of the last share.
 */
#include "chain.cl"

#if CLF_STREAMS > 0

/* Elements of a share. The rest modulo 512 keeps shares, side by side, out of each other's cache sets. */
static inline uint clf_cpu_share(uint count)
{
    const uint even = count / CLF_STREAMS;
    return even < 592 ? even : (even - 80) / 512 * 512 + 80;
}

/* What the shares of a tile add up to. */
typedef struct {
    clf_value share[CLF_STREAMS];
} clf_cpu_sums;

static inline clf_value clf_cpu_reduce(const clf_arguments *a, ulong first, uint count, clf_cpu_sums *sums)
{
    const uint share = clf_cpu_share(count);
    CLF_UNROLL for (uint s = 0; s < CLF_STREAMS; ++s)
        sums->share[s] = clf_neutral();
    for (uint j = 0; j < share; ++j)
        CLF_UNROLL for (uint s = 0; s < CLF_STREAMS; ++s)
            sums->share[s] = clf_combine(sums->share[s], clf_value_at(a, first + s * share + j));
    for (uint j = CLF_STREAMS * share; j < count; ++j)
        sums->share[CLF_STREAMS - 1] = clf_combine(sums->share[CLF_STREAMS - 1], clf_value_at(a, first + j));
    clf_value sum = sums->share[0];
    CLF_UNROLL for (uint s = 1; s < CLF_STREAMS; ++s)
        sum = clf_combine(sum, sums->share[s]);
    return sum;
}

/* Writes the results of element i and returns the sum up to and with it. */
static inline clf_value clf_cpu_step(const clf_arguments *a, ulong i, clf_value sum)
{
    clf_extra extra;
    const clf_value x = clf_map_at(a, clf_input_at(&a->in, i), i, &extra);
    const clf_value next = clf_combine(sum, x);
    clf_output_at(&a->out, i, CLF_EXCLUSIVE ? sum : next);
    clf_extra_at(&a->out, i, extra);
    return next;
}

/* Scans a tile from its prefix on; returns the prefix of the next. */
static inline clf_value clf_cpu_rescan(const clf_arguments *a, ulong first, uint count, clf_value prefix,
                                       const clf_cpu_sums *sums)
{
    const uint share = clf_cpu_share(count);
    clf_value sum[CLF_STREAMS];
    sum[0] = prefix;
    CLF_UNROLL for (uint s = 1; s < CLF_STREAMS; ++s)
        sum[s] = clf_combine(sum[s - 1], sums->share[s - 1]);
    for (uint j = 0; j < share; ++j)
        CLF_UNROLL for (uint s = 0; s < CLF_STREAMS; ++s)
            sum[s] = clf_cpu_step(a, first + s * share + j, sum[s]);
    for (uint j = CLF_STREAMS * share; j < count; ++j)
        sum[CLF_STREAMS - 1] = clf_cpu_step(a, first + j, sum[CLF_STREAMS - 1]);
    return sum[CLF_STREAMS - 1];
}

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

#endif
