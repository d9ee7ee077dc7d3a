/* SPDX-License-Identifier: MIT */
/*
 * reduce_merge: segments of any lengths, given by offsets. Every unit (lane.cl) has an equal share of elements and ends
 * (merge_path.cl), which it processes span by span:
 *
 *   mark    the ends in the span are read, and elements that end a segment get a bit in local memory
 *   walk    the unit combines elements and leaves results in local memory (span.cl)
 *   write   the ends are read again (from the cache), each by another work-item, which fetches the result from where
 *           its segment's last element was: so results are written coalesced
 *
 * Every element is read once, coalesced, however short or long its segment. carries.cl combines segments across units
 * and groups. Operators need not commute.
 *
 * needs: nothing
 * provides: clf_reduce_merge_body
 */
#define CLF_SEGMENT_IS_EMPTY(a, k) (clf_segment_start(a, k) == clf_segment_end(a, k))
#include "segments/merge_path.cl"
#include "segments/carries.cl"
#include "segments/span.cl"

typedef struct {
    clf_value_stretches data;
    uint ends[CLF_UNITS][CLF_UNIT]; /* bit per element of each work-item's run: is it the last of a segment? */
    clf_value head[CLF_UNITS];
    clf_carry_storage carry;
} clf_reduce_merge_storage;

/* ---- Mark -------------------------------------------------------------------------------------------- */

/* Where an end lies, from the start of the span on: 0 is before its first element. */
static inline uint clf_end_place(const clf_span *span, clf_offset end)
{
    return sizeof(clf_offset) == 8 ? (uint)min((ulong)end - span->at, (ulong)UINT_MAX) : (uint)end - (uint)span->at;
}

static inline void clf_end_mark(const clf_span *span, uint place, __local uint *ends)
{
    if (place - 1 < span->count)
        atomic_or(&ends[(place - 1) / CLF_ITEMS], 1u << (place - 1) % CLF_ITEMS);
}

#if CLF_LANE_WIDTH > 1

enum { CLF_MANY_ENDS = 4 /* per work-item, under way at a time */ };

typedef struct {
    clf_offset end[CLF_MANY_ENDS];
    uint count; /* of all lanes */
} clf_ends;

/* Ends from segment k on, of those below `last`. Nothing is done with them yet that would wait for them. */
static inline clf_ends clf_ends_load(const clf_arguments *a, ulong k, ulong last)
{
    clf_ends e;
    e.count = (uint)min(max(last, k) - k, (ulong)CLF_MANY_ENDS * CLF_UNIT);
    CLF_UNROLL for (uint j = 0; j < CLF_MANY_ENDS; ++j)
        if (j * CLF_UNIT + clf_unit_lane() < e.count)
            e.end[j] = (clf_offset)clf_segment_end(a, k + j * CLF_UNIT + clf_unit_lane());
    return e;
}

/* Marks the ends in the span from segment `first` on, which were loaded; returns the first beyond. */
static inline ulong clf_ends_mark(const clf_arguments *a, const clf_span *span, ulong first, ulong last, clf_ends e,
                                  __local uint *ends)
{
    ulong k = first;
    for (bool more = true; more;) {
        CLF_UNROLL for (uint j = 0; j < CLF_MANY_ENDS; ++j)
            if (more) {
                const uint place = clf_end_place(span, e.end[j]);
                const bool in = j * CLF_UNIT + clf_unit_lane() < e.count && place <= span->count;
                const uint found = popcount(clf_ballot(in));
                if (in)
                    clf_end_mark(span, place, ends);
                k += found;
                more = found == CLF_UNIT;
            }
        if (more)
            e = clf_ends_load(a, k, last);
    }
    return k;
}

#else

typedef uint clf_ends;

static inline clf_ends clf_ends_load(const clf_arguments *a, ulong k, ulong last)
{
    return 0;
}

static inline ulong clf_ends_mark(const clf_arguments *a, const clf_span *span, ulong first, ulong last, clf_ends e,
                                  __local uint *ends)
{
    ulong low = first, high = max(first, last);
    while (low < high) {
        const ulong k = low + (high - low) / 2;
        if (clf_end_place(span, (clf_offset)clf_segment_end(a, k)) <= span->count)
            low = k + 1;
        else
            high = k;
    }
    for (ulong k = first + clf_unit_lane(); k < low; k += CLF_UNIT)
        clf_end_mark(span, clf_end_place(span, (clf_offset)clf_segment_end(a, k)), ends);
    return low;
}

#endif

/* ---- Write ------------------------------------------------------------------------------------------- */

/* The result of segment k, which ends at `place` in the span, counted from 1; 0 for one that is empty. */
static inline void clf_end_write(const clf_arguments *a, bool first, const clf_span *span, ulong k, uint place,
                                 __local clf_reduce_merge_storage *s)
{
    clf_value v = clf_neutral();
    if (place - 1 < span->count)
        v = clf_values_get(&s->data, place - 1);
    if (first)
        s->head[clf_unit_id()] = v; /* that is not all of it */
    else
        clf_segment_done(a, k, v);
}

static inline uint clf_end_place_or_none(const clf_arguments *a, const clf_span *span, ulong k)
{
    const clf_offset start = (clf_offset)clf_segment_start(a, k), end = (clf_offset)clf_segment_end(a, k);
    return start == end ? 0 : clf_end_place(span, end);
}

/* Results of segments k … last - 1, which end in the span; `first`: segment k is the share's first one to end. */
static inline void clf_reduce_merge_ends_write(const clf_arguments *a, bool first, const clf_span *span, ulong k,
                                               ulong last, __local clf_reduce_merge_storage *s)
{
    enum { MANY = CLF_LANE_WIDTH > 1 ? 4 : 1 /* under way at a time */ };
    first = first && clf_unit_lane() == 0;
    for (; k < last; k += MANY * CLF_UNIT, first = false) {
        const uint count = (uint)min(last - k, (ulong)MANY * CLF_UNIT);
        uint place[MANY];
        CLF_UNROLL for (uint j = 0; j < MANY; ++j)
            if (j * CLF_UNIT + clf_unit_lane() < count)
                place[j] = clf_end_place_or_none(a, span, k + j * CLF_UNIT + clf_unit_lane());
        CLF_UNROLL for (uint j = 0; j < MANY; ++j)
            if (j * CLF_UNIT + clf_unit_lane() < count)
                clf_end_write(a, first && j == 0, span, k + j * CLF_UNIT + clf_unit_lane(), place[j], s);
    }
}

/* ---- A share ----------------------------------------------------------------------------------------- */

/* Returns what is open behind the share. */
static inline clf_run clf_reduce_merge_share(const clf_arguments *a, const clf_share *share,
                                             __local clf_reduce_merge_storage *s)
{
    __local uint *const ends = s->ends[clf_unit_id()];
    const ulong last = max(share->last, share->first);
    clf_run open = clf_run_of(clf_neutral(), clf_share_is_cut(a, share));
    ulong at = share->first, end = share->first_end;
    bool first = true;
    ends[clf_unit_lane()] = 0;
    clf_unit_sync();
    for (bool more = true; more; more = at < last) {
        const clf_span span = clf_span_at(a, at, last);
        const clf_ends e = clf_ends_load(a, end, share->last_end);
        clf_span_fetch(a, &span, last, &s->data.in);
        const ulong next = clf_ends_mark(a, &span, end, share->last_end, e, ends);
        clf_unit_sync();
        const clf_run_ends mine = {ends[clf_unit_lane()], 0, false};
        ends[clf_unit_lane()] = 0;
        open = clf_span_walk(a, &span, mine, open, &s->data, &s->carry.totals);
        clf_unit_sync();
        clf_reduce_merge_ends_write(a, first, &span, end, next, s);
        if (CLF_HAS_EXTRA)
            clf_stretches_flush(&a->out, at, span.count, 0, &s->data.in);
        clf_unit_sync();
        at += span.count;
        first = first && next == end;
        end = next;
    }
    return open;
}

CLF_INLINE void clf_reduce_merge_body(const clf_arguments *a, __local clf_reduce_merge_storage *s)
{
    const clf_share share = clf_share_of(a, get_group_id(0) * CLF_UNITS + clf_unit_id(), get_num_groups(0) * CLF_UNITS);
    const clf_run open = clf_reduce_merge_share(a, &share, s);
    clf_carries_join(a, open, &s->head[clf_unit_id()], share.first_end, &s->carry);
}
