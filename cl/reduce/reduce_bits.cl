/* SPDX-License-Identifier: MIT */
/*
 * reduce_bits: segments of any lengths, given by head bits. None is empty, so every unit (lane.cl) has an equal
 * share of elements, and knows which segment it begins in (segment_counts.cl); it goes through it span by span
 * (span.cl). An element ends a segment if the next one is a head, so nothing needs to be marked; and results are
 * listed in order, and so written coalesced.
 *
 * What segments add up to across units and groups: carries.cl. The last share writes how many segments there are.
 *
 * needs: a->counts
 * provides: clf_reduce_bits_body
 */
#include "segments/carries.cl"
#include "segments/segment_counts.cl"
#include "segments/span.cl"

typedef struct {
    clf_value_stretches data;
    clf_count_totals ends;
    clf_count64_totals counts;
    clf_value head[CLF_UNITS];
    clf_carry_storage carry;
} clf_reduce_bits_storage;

/* The words with the head bits behind each element of this work-item's run, in a span that begins at element `at`. */
static inline ulong clf_words_of_run(const clf_arguments *a, ulong at, ulong last)
{
    return at < last ? clf_head_words(a, at + clf_unit_lane() * CLF_ITEMS + 1) : 0;
}

/* Bit k: does a segment end with element k of this work-item's run? */
static inline uint clf_ends_of_run(const clf_arguments *a, const clf_span *span, ulong words)
{
    const uint from = clf_unit_lane() * CLF_ITEMS;
    const uint count = span->count > from ? min(span->count - from, (uint)CLF_ITEMS) : 0;
    return count ? clf_end_bits(a, span->at + from, count, words) : 0;
}

/* Writes the results of `count` segments from `segment` on. `first`: the share's first one is only a part of it. */
static inline void clf_reduce_bits_ends_write(const clf_arguments *a, bool first, ulong segment, uint count,
                                              __local clf_reduce_bits_storage *s)
{
    CLF_UNROLL_4 for (uint k = clf_unit_lane(); k < count; k += CLF_UNIT) {
        const clf_value v = clf_values_get(&s->data, k);
        if (first && k == 0)
            s->head[clf_unit_id()] = v;
        else
            clf_result_done(a, segment + k, v);
    }
}

/* Reduces a share, in which `segment` is the first segment to end. Returns its tail. */
static inline clf_run clf_reduce_bits_share(const clf_arguments *a, clf_segment_share share, ulong segment,
                                            __local clf_reduce_bits_storage *s)
{
    clf_run open = clf_run_neutral();
    ulong words = clf_words_of_run(a, share.first, share.last);
    clf_prefetch next;
    clf_prefetch_begin(a, share.first, share.last, &next);
    for (ulong at = share.first; at < share.last;) {
        clf_count count;
        const clf_span span = clf_span_at(a, at, share.last);
        const bool first = !open.head;
        clf_run_ends ends = {clf_ends_of_run(a, &span, words), 0, true};
        clf_prefetch_end(a, &span, &next, &s->data.in);
        words = clf_words_of_run(a, at + span.count, share.last); /* of the next span: under way meanwhile */
        clf_prefetch_begin(a, at + span.count, share.last, &next);
        ends.at = clf_count_unit_scan(popcount(ends.bits), &s->ends, &count CLF_COMBINE_A);
        clf_unit_sync();
        open = clf_span_walk(a, &span, ends, open, &s->data, &s->carry.totals);
        clf_unit_sync();
        clf_reduce_bits_ends_write(a, first, segment, count, s);
        if (at + span.count == a->size && clf_unit_lane() == 0) /* not behind the loop: PoCL 3.1 loses it there */
            a->counts[0] = segment + count;
        if (CLF_HAS_EXTRA)
            clf_stretches_flush(&a->out, at, span.count, 0, &s->data.in);
        clf_unit_sync();
        at += span.count;
        segment += count;
    }
    return open;
}

CLF_INLINE void clf_reduce_bits_body(const clf_arguments *a, __local clf_reduce_bits_storage *s)
{
    const clf_segment_share share = clf_segment_share_of(a);
    clf_counts_begin(a);
    const ulong segment = clf_segment_share_segment(a, share, &s->counts);
    const clf_run open = clf_reduce_bits_share(a, share, segment, s);
    clf_carries_join(a, open, &s->head[clf_unit_id()], segment, &s->carry);
}
