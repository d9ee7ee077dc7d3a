/* SPDX-License-Identifier: MIT */
/*
 * reduce_bits_cpu: the segments of reduce_bits.cl for CPU devices. Work-groups have one work-item, which processes an
 * equal share of elements, segment by segment.
 *
 * needs: a->counts
 * provides: clf_reduce_bits_body
 */
#include "segments/carries.cl"
#include "segments/segment_counts.cl"
#include "cpu/range_cpu.cl"

typedef struct {
    clf_range_storage range;
    clf_count64_totals counts;
    clf_value head;
    clf_carry_storage carry;
} clf_reduce_bits_storage;

/* The first end at element i or behind; `last` if there is none before. */
static inline ulong clf_next_end(const clf_arguments *a, ulong i, ulong last)
{
    while (i < last) {
        const uint count = (uint)min(last - i, 32ul), ends = clf_end_bits(a, i, count, clf_head_words(a, i + 1));
        if (ends)
            return i + popcount((ends & (~ends + 1)) - 1);
        i += count;
    }
    return last;
}

CLF_INLINE void clf_reduce_bits_body(const clf_arguments *a, __local clf_reduce_bits_storage *s)
{
    const clf_segment_share share = clf_segment_share_of(a);
    clf_counts_begin(a);
    const ulong first_end = clf_segment_share_segment(a, share, &s->counts), last = share.last;
    ulong at = share.first, segment = first_end;
    for (ulong end = clf_next_end(a, at, last); end < last; end = clf_next_end(a, at, last)) {
        const clf_value v = clf_stretch_reduce(a, at, end + 1, &s->range);
        if (segment == first_end)
            s->head = v;
        else
            clf_result_done(a, segment, v);
        at = end + 1;
        ++segment;
    }
    if (share.first < last && last == a->size)
        a->counts[0] = segment;
    const clf_value tail = clf_stretch_reduce(a, at, last, &s->range);
    clf_carries_join(a, clf_run_of(tail, segment > first_end), &s->head, first_end, &s->carry);
}
