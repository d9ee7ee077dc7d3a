/* SPDX-License-Identifier: MIT */
/*
 * cpu_streams: a tile by one work-item of a CPU, for any operator and any segments.
 *
 * A combine waits for the one before it. So a tile is cut into CLF_STREAMS shares, contiguous and in order. Their
 * combines are independent, and all shares advance together: the processor finds CLF_STREAMS independent chains. The
 * remainder of that division is processed at the end of the last share.
 *
 * The aggregate of a share covers only what follows its last head, so shares of short segments are hardly read twice.
 * The scan processes elements together if none of them is a head in any share; otherwise 32 elements of each share,
 * with a bit per element.
 *
 * needs: CLF_STREAMS
 * provides: CLF_CPU_SHARED, cpu tile
 */
#include "group/run.cl"
#include "cpu/step.cl"

/* Does a rescan read what shares add up to? */
#define CLF_CPU_SHARED (CLF_STREAMS > 1 && CLF_STREAMS <= CLF_MOST_SHARES)

#if CLF_STREAMS > 0 && CLF_STREAMS <= CLF_MOST_SHARES

/* Elements of a share. The rest modulo 512 keeps shares, side by side, out of each other's cache sets. */
static inline uint clf_cpu_share(uint count)
{
    const uint even = count / CLF_STREAMS;
    return even < 592 ? even : (even - 80) / 512 * 512 + 80;
}

/* What the shares of a tile add up to. */
typedef struct {
    clf_run share[CLF_STREAMS];
} clf_cpu_sums;

/* Elements without a head inside, in shares; each adds up to part[s]. */
static inline void clf_cpu_parts_reduce(const clf_arguments *a, ulong first, uint share, uint count, clf_value *part)
{
    CLF_UNROLL for (uint s = 0; s < CLF_STREAMS; ++s)
        part[s] = clf_neutral();
    for (uint j = 0; j < share; ++j)
        CLF_UNROLL for (uint s = 0; s < CLF_STREAMS; ++s)
            part[s] = clf_combine(part[s], clf_value_at(a, first + s * share + j));
    for (uint j = CLF_STREAMS * share; j < count; ++j)
        part[CLF_STREAMS - 1] = clf_combine(part[CLF_STREAMS - 1], clf_value_at(a, first + j));
}

/* A share: what follows its last head. */
static inline clf_run clf_cpu_share_reduce(const clf_arguments *a, ulong first, ulong end)
{
    const ulong last = clf_last_head(a, first, end), from = last < end ? last : first;
    clf_value part[CLF_STREAMS];
    clf_cpu_parts_reduce(a, from, (uint)(end - from) / CLF_STREAMS, (uint)(end - from), part);
    CLF_UNROLL for (uint s = 1; s < CLF_STREAMS; ++s)
        part[0] = clf_combine(part[0], part[s]);
    return clf_run_of(last < end ? clf_combine(clf_initial(a), part[0]) : part[0], last < end);
}

static inline clf_run clf_cpu_tile_reduce(const clf_arguments *a, ulong first, uint count, clf_cpu_sums *sums)
{
    const uint share = clf_cpu_share(count);
    const ulong end = first + count;
    if (clf_next_head(a, first, end) == end) {
        clf_value part[CLF_STREAMS];
        clf_cpu_parts_reduce(a, first, share, count, part);
        CLF_UNROLL for (uint s = 0; s < CLF_STREAMS; ++s)
            sums->share[s] = clf_run_of(part[s], false);
    } else {
        for (uint s = 0; s < CLF_STREAMS; ++s) {
            const ulong from = first + s * share;
            sums->share[s] = clf_cpu_share_reduce(a, from, s == CLF_STREAMS - 1 ? end : from + share);
        }
    }
    clf_run sum = sums->share[0];
    CLF_UNROLL for (uint s = 1; s < CLF_STREAMS; ++s)
        sum = clf_run_combine(sum, sums->share[s]);
    return sum;
}

/* Elements from j on without a head in any share: none if they are few. */
static inline uint clf_cpu_plain(const clf_arguments *a, ulong first, uint share, uint j)
{
    ulong plain = share - j;
    if (CLF_SEGMENT == 0)
        return (uint)plain;
    for (uint s = 0; s < CLF_STREAMS; ++s) {
        const ulong from = first + s * share + j;
        plain = clf_next_head(a, from, from + plain) - from;
    }
    return plain < 16 ? 0 : (uint)plain;
}

/* Up to 32 elements of each share, any of which may be heads. */
static inline void clf_cpu_headed_rescan(const clf_arguments *a, ulong first, uint share, uint count, clf_value *sum,
                                         clf_numbering *number)
{
    const clf_value initial = clf_initial(a);
    uint bits[CLF_STREAMS];
    CLF_UNROLL for (uint s = 0; s < CLF_STREAMS; ++s)
        bits[s] = clf_head_bits(a, first + s * share);
    for (uint k = 0; k < count; ++k)
        CLF_UNROLL for (uint s = 0; s < CLF_STREAMS; ++s) {
            if (bits[s] >> k & 1)
                sum[s] = initial;
            CLF_NUMBERED(clf_numbering_next(a, &number[s], bits[s] >> k & 1);)
            sum[s] = clf_cpu_step(a, first + s * share + k CLF_NUMBERED_BY(number[s]), sum[s]);
        }
}

/* Scans a tile from its prefix on; returns the prefix of the next. */
static inline clf_value clf_cpu_tile_rescan(const clf_arguments *a, ulong first, uint count, clf_value prefix,
                                            const clf_cpu_sums *sums)
{
    const uint share = clf_cpu_share(count);
    clf_value sum[CLF_STREAMS];
    clf_numbering number[CLF_STREAMS];
    clf_run run = clf_run_of(prefix, false);
    sum[0] = prefix;
    CLF_NUMBERED(CLF_UNROLL for (uint s = 0; s < CLF_STREAMS; ++s)
                 number[s] = clf_numbering_before(a, first + s * share, share && clf_is_head(a, first + s * share));)
    CLF_UNROLL for (uint s = 1; s < CLF_STREAMS; ++s) {
        run = clf_run_combine(run, sums->share[s - 1]);
        sum[s] = run.sum;
    }
    for (uint j = 0; j < share;) {
        for (const uint end = j + clf_cpu_plain(a, first, share, j); j < end; ++j)
            CLF_UNROLL for (uint s = 0; s < CLF_STREAMS; ++s)
                sum[s] = clf_cpu_step(a, first + s * share + j CLF_NUMBERED_BY(number[s]), sum[s]);
        if (CLF_SEGMENT != 0) {
            const uint some = min(share - j, 32u);
            clf_cpu_headed_rescan(a, first + j, share, some, sum, number);
            j += some;
        }
    }
    return clf_cpu_steps(a, first + CLF_STREAMS * share, first + count, sum[CLF_STREAMS - 1]);
}

#endif
