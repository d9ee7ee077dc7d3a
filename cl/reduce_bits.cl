/* SPDX-License-Identifier: MIT */
/*
 * reduce_bits: segments of any lengths, told by head bits. None is empty, so every unit (stretch.cl) has an equal
 * share of elements, and knows which segment it begins in (segment_counts.cl); it goes through it span by span
 * (span.cl). An element ends a segment if the next one is a head, so nothing needs to be marked; and results are
 * listed in order, and so written coalesced.
 *
 * What segments add up to across units and groups: carries.cl. The last share writes how many segments there are.
 */
#include "carries.cl"
#include "segment_counts.cl"
#include "span.cl"

typedef struct {
    clf_value_stretches data;
#if CLF_LANE_WIDTH == 1
    uint ends[CLF_GROUP]; /* how many are in each work-item's run */
#endif
    ulong room[CLF_GROUP];
    clf_value head[CLF_UNITS];
    clf_carry_storage carry;
} clf_reduce_bits_storage;

/* Words of head bits with those that this work-item wants to know of a span that begins at `at`, of those before `last`. */
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

/* Ends in the runs before this work-item's; *all: in the span. */
#if CLF_LANE_WIDTH > 1

static inline uint clf_ends_before(uint ends, uint *all, __local clf_reduce_bits_storage *s)
{
    uint sum = ends;
    CLF_UNROLL for (uint d = 1; d < CLF_LANE_WIDTH; d <<= 1) {
        const uint left = clf_word_up(sum, d);
        sum += clf_lane_id() >= d ? left : 0;
    }
    *all = clf_word_from(sum, CLF_LANE_WIDTH - 1);
    return sum - ends;
}

#else

static inline uint clf_ends_before(uint ends, uint *all, __local clf_reduce_bits_storage *s)
{
    uint sum = 0, before = 0;
    s->ends[clf_unit_lane()] = ends;
    clf_unit_sync();
    for (uint k = 0; k < CLF_UNIT; ++k) {
        before += k < clf_unit_lane() ? s->ends[k] : 0;
        sum += s->ends[k];
    }
    *all = sum;
    return before;
}

#endif

/* Results of the `count` segments from `segment` on; the share's first one is not all of it. */
static inline void clf_ends_write(const clf_arguments *a, bool first, ulong segment, uint count,
                                  __local clf_reduce_bits_storage *s)
{
    _Pragma("unroll 4") for (uint k = clf_unit_lane(); k < count; k += CLF_UNIT) {
        const clf_value v = clf_values_get(&s->data, k);
        if (first && k == 0)
            s->head[clf_unit_id()] = v;
        else
            clf_result_done(a, segment + k, v);
    }
}

/* The elements of a share, where segment `segment` is the first to end. Returns what is open behind them. */
static inline clf_run clf_share_reduce(const clf_arguments *a, clf_share share, ulong segment,
                                       __local clf_reduce_bits_storage *s)
{
    clf_run open = clf_run_of(clf_neutral(), false);
    ulong words = clf_words_of_run(a, share.first, share.last);
    clf_supply supply;
    clf_supply_order(a, share.first, share.last, &supply);
    for (ulong at = share.first; at < share.last;) {
        uint count;
        const clf_span span = clf_span_at(a, at, share.last);
        const bool first = !open.head;
        clf_run_ends ends = {clf_ends_of_run(a, &span, words), 0, true};
        clf_supply_store(a, &span, &supply, &s->data.in);
        words = clf_words_of_run(a, at + span.count, share.last); /* of the next span: under way meanwhile */
        clf_supply_order(a, at + span.count, share.last, &supply);
        ends.at = clf_ends_before(popcount(ends.bits), &count, s);
        clf_unit_sync();
        open = clf_span_walk(a, &span, ends, open, &s->data, &s->carry.totals);
        clf_unit_sync();
        clf_ends_write(a, first, segment, count, s);
        if (CLF_HAS_EXTRA)
            clf_stretches_flush(&a->out, at, span.count, 0, &s->data.in);
        clf_unit_sync();
        at += span.count;
        segment += count;
    }
    if (share.first < share.last && share.last == a->size && clf_unit_lane() == 0)
        a->counts[0] = segment;
    return open;
}

static inline void clf_reduce_bits_body(const clf_arguments *a, __local clf_reduce_bits_storage *s)
{
    const clf_share share = clf_share_of(a);
    const ulong segment = clf_share_segment(a, share, s->room);
    const clf_run open = clf_share_reduce(a, share, segment, s);
    clf_carries_join(a, open, &s->head[clf_unit_id()], segment, &s->carry);
}
