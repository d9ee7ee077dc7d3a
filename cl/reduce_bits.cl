/* SPDX-License-Identifier: MIT */
/*
 * reduce_bits: segments of any lengths, told by head bits and, for every word of these, by how many segments start
 * before it (a->ranks). None is empty, so every unit (stretch.cl) has an equal share of elements; it goes through it
 * span by span (span.cl). An element ends a segment if the next one is a head, so nothing needs to be marked; and
 * results are written in order, each by another work-item, which finds its place in a list of the ends.
 *
 * What segments add up to across units and groups: carries.cl. The last share writes how many segments there are.
 */
#include "carries.cl"
#include "segment_ranks.cl"
#include "span.cl"

typedef struct {
    clf_value_stretches data;
    ushort place[CLF_UNITS][CLF_STRETCH]; /* of the ends in a span, in order */
    uint ends[CLF_UNITS][CLF_UNIT];       /* how many are in each work-item's run */
    clf_value head[CLF_UNITS];
    clf_carry_storage carry;
} clf_reduce_bits_storage;

/* Bit k: does a segment end with element k of this work-item's run? */
static inline uint clf_ends_of_run(const clf_arguments *a, const clf_span *span)
{
    const uint from = clf_unit_lane() * CLF_ITEMS;
    const uint count = span->count > from ? min(span->count - from, (uint)CLF_ITEMS) : 0;
    return count ? clf_end_bits(a, span->at + from, count) : 0;
}

/* Ends in the runs before this work-item's; *all: in the span. */
#if CLF_LANE_WIDTH > 1

static inline uint clf_ends_before(uint ends, uint *all, __local uint *counts)
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

static inline uint clf_ends_before(uint ends, uint *all, __local uint *counts)
{
    uint sum = 0, before = 0;
    counts[clf_unit_lane()] = ends;
    clf_unit_sync();
    for (uint k = 0; k < CLF_UNIT; ++k) {
        before += k < clf_unit_lane() ? counts[k] : 0;
        sum += counts[k];
    }
    *all = sum;
    return before;
}

#endif

/* Lists the ends of this work-item's run, as the list's elements from `k` on. */
static inline void clf_ends_list(uint ends, uint k, __local ushort *place)
{
    for (; ends; ends &= ends - 1)
        place[k++] = (ushort)(clf_unit_lane() * CLF_ITEMS + clf_lowest(ends));
}

/* Results of the `count` segments from `segment` on, but for the share's first one: that is not all of it. */
static inline void clf_ends_write(const clf_arguments *a, ulong first_end, ulong segment, uint count,
                                     __local clf_reduce_bits_storage *s)
{
    for (uint k = clf_unit_lane(); k < count; k += CLF_UNIT) {
        const clf_value v = clf_values_get(&s->data, s->place[clf_unit_id()][k]);
        if (segment + k == first_end)
            s->head[clf_unit_id()] = v;
        else
            clf_result_done(a, segment + k, v);
    }
}

/* Elements first … last - 1, where segment `segment` is the first to end. Returns what is open behind them. */
static inline clf_run clf_share_reduce(const clf_arguments *a, ulong first, ulong last, ulong segment,
                                       __local clf_reduce_bits_storage *s)
{
    const clf_spans spans = clf_spans_of(a, first, last);
    const ulong first_end = segment;
    clf_run open = clf_run_of(clf_neutral(), false);
    clf_span span = {first, 0};
    for (ulong k = 0; k < spans.count; ++k) {
        uint count;
        span.count = clf_spans_length(&spans, k, span.at, last);
        const uint ends = clf_ends_of_run(a, &span);
        clf_stretches_fetch(&a->in, span.at, span.count, 1, &s->data.in);
        clf_ends_list(ends, clf_ends_before(popcount(ends), &count, s->ends[clf_unit_id()]), s->place[clf_unit_id()]);
        clf_unit_sync();
        open = clf_span_walk(a, &span, ends, open, &s->data, &s->carry.group);
        clf_unit_sync();
        clf_ends_write(a, first_end, segment, count, s);
        if (CLF_HAS_EXTRA)
            clf_stretches_flush(&a->out, span.at, span.count, 1, &s->data.in);
        clf_unit_sync();
        span.at += span.count;
        segment += count;
    }
    if (first < last && last == a->size && clf_unit_lane() == 0)
        clf_segments_counted(a, segment);
    return open;
}

static inline void clf_reduce_bits_body(const clf_arguments *a, __local clf_reduce_bits_storage *s)
{
    const ulong each = clf_share_words(a, get_num_groups(0) * CLF_UNITS) * 32;
    const ulong first = min((get_group_id(0) * CLF_UNITS + clf_unit_id()) * each, a->size);
    const ulong segment = clf_segment_of(a, first);
    const clf_run open = clf_share_reduce(a, first, min(first + each, a->size), segment, s);
    clf_carries_join(a, open, &s->head[clf_unit_id()], segment, &s->carry);
}
