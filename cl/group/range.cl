/* SPDX-License-Identifier: MIT */
/*
 * range: a range of elements combined by one unit (lane.cl), in one of two ways.
 *
 *   striped   in registers (rows.cl)
 *   blocked   stretch by stretch through local memory: each work-item combines a run of consecutive elements, then the
 *             unit its work-items' sums
 *
 * Both read every element once, coalesced, whatever the alignment of the range.
 *
 * needs: nothing
 * provides: CLF_APART_MOST, clf_chunks_reduce, clf_run_few, clf_run_reduce, range
 */
#include "group/rows.cl"

typedef struct {
    clf_stretches data;
    clf_reduce_storage reduce;
} clf_stretch_storage;

typedef struct {
#if !CLF_STRIPED
    clf_stretches data;
#endif
    clf_reduce_storage reduce;
} clf_range_storage;

/* Adds element i of a stretch, which is element `first` + i of the whole, and leaves its extra outputs there. */
static inline clf_value clf_run_add(const clf_arguments *a, clf_value sum, clf_input x, ulong first, uint i, uint pad,
                                    __local clf_stretches *data)
{
    clf_extra extra;
    sum = clf_combine(sum, clf_map_at(a, x, first + i CLF_NUMBERED_AT(a, first + i), &extra));
    if (CLF_HAS_EXTRA)
        clf_stretches_set(data, i, pad, extra);
    return sum;
}

/* Combines elements from … to - 1 of the unit's stretch, by one work-item. */
#if CLF_STRETCH_PACK > 1 && CLF_STRETCH_PACK_WORDS

/* Adds the next `count` elements, from i on: CLF_STRETCH_PACK, or the last ones. */
static inline clf_value clf_pack_add(const clf_arguments *a, clf_value sum, clf_reader *reader, ulong first, uint i,
                                     uint count, uint pad, __local clf_stretches *data)
{
    clf_input x[CLF_STRETCH_PACK];
    clf_reader_next(data, reader, pad, x);
    CLF_UNROLL for (uint k = 0; k < CLF_STRETCH_PACK; ++k)
        if (k < count)
            sum = clf_run_add(a, sum, x[k], first, i + k, pad, data);
    return sum;
}

static inline clf_value clf_run_reduce(const clf_arguments *a, ulong first, uint from, uint to, uint pad,
                                       __local clf_stretches *data)
{
    clf_value sum = clf_neutral();
    clf_reader reader = clf_stretches_reader(data, from, pad);
    uint i = from;
#if CLF_LANE_WIDTH > 1 /* without lanes there is one loop: PoCL 3.1 does not survive several */
    for (; i + 4 * CLF_STRETCH_PACK <= to; i += 4 * CLF_STRETCH_PACK)
        CLF_UNROLL for (uint k = 0; k < 4 * CLF_STRETCH_PACK; k += CLF_STRETCH_PACK)
            sum = clf_pack_add(a, sum, &reader, first, i + k, CLF_STRETCH_PACK, pad, data);
    for (; i + CLF_STRETCH_PACK <= to; i += CLF_STRETCH_PACK)
        sum = clf_pack_add(a, sum, &reader, first, i, CLF_STRETCH_PACK, pad, data);
#endif
    for (; i < to; i += CLF_STRETCH_PACK)
        sum = clf_pack_add(a, sum, &reader, first, i, min(to - i, (uint)CLF_STRETCH_PACK), pad, data);
    return sum;
}

/* The same for `count` elements that are whole chunks in local memory. */
static inline clf_value clf_chunks_reduce(const clf_arguments *a, ulong first, uint from, uint count, uint pad,
                                          __local clf_stretches *data)
{
    clf_value sum = clf_neutral();
    for (uint i = from; i < from + count; i += CLF_CHUNK) {
        clf_input x[CLF_CHUNK];
        clf_stretches_chunk(data, i, pad, x);
        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
            sum = clf_run_add(a, sum, x[k], first, i + k, pad, data);
    }
    return sum;
}

enum { CLF_APART_MOST = 16 };

/* The same for a few elements, a constant number up to CLF_APART_MOST. */
static inline clf_value clf_run_few(const clf_arguments *a, ulong first, uint from, uint count, uint pad,
                                    __local clf_stretches *data)
{
    clf_value sum = clf_neutral();
    clf_reader reader = clf_stretches_reader(data, from, pad);
    CLF_UNROLL for (uint k = 0; k < CLF_APART_MOST; k += CLF_STRETCH_PACK)
        if (k < count)
            sum = clf_pack_add(a, sum, &reader, first, from + k, min(count - k, (uint)CLF_STRETCH_PACK), pad, data);
    return sum;
}

#else

static inline clf_value clf_run_reduce(const clf_arguments *a, ulong first, uint from, uint to, uint pad,
                                       __local clf_stretches *data)
{
    clf_value sum = clf_neutral();
    uint i = from;
#if CLF_STRETCH_PACK > 1
    for (; i + CLF_STRETCH_PACK <= to; i += CLF_STRETCH_PACK) {
        clf_input x[CLF_STRETCH_PACK];
        clf_stretches_pack(data, i, pad, x);
        CLF_UNROLL for (uint k = 0; k < CLF_STRETCH_PACK; ++k)
            sum = clf_run_add(a, sum, x[k], first, i + k, pad, data);
    }
#endif
    for (; i < to; ++i)
        sum = clf_run_add(a, sum, clf_stretches_get(data, i, pad), first, i, pad, data);
    return sum;
}

#endif

/* Combines a range; the result is right for the last work-item of the unit. */
#if CLF_STRIPED

static inline clf_value clf_range_reduce(const clf_arguments *a, ulong at, ulong end, __local clf_range_storage *s)
{
    return clf_rows_reduce(a, at, end, &s->reduce);
}

#else

/* A whole stretch: its rows, one per work-item, are all that they ask for, so places are constants. */
static inline clf_value clf_range_row_reduce(const clf_arguments *a, ulong first, __local clf_stretches *data)
{
    clf_value sum = clf_neutral();
    CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) {
        const uint i = clf_unit_lane() * CLF_ITEMS + k;
        sum = clf_run_add(a, sum, clf_stretches_get(data, i, 1), first, i, 1, data);
    }
    return sum;
}

static inline clf_value clf_range_reduce(const clf_arguments *a, ulong at, ulong end, __local clf_range_storage *s)
{
    clf_value sum = clf_neutral();
    for (; at < end; at += CLF_STRETCH) {
        const uint count = (uint)min(end - at, (ulong)CLF_STRETCH), length = (count + CLF_UNIT - 1) / CLF_UNIT;
        const uint from = min(clf_unit_lane() * length, count);
        clf_stretches_fetch(&a->in, at, count, 1, &s->data);
        clf_unit_sync();
        const clf_value v = CLF_LANE_WIDTH > 1 && count == CLF_STRETCH
                                ? clf_range_row_reduce(a, at, &s->data)
                                : clf_run_reduce(a, at, from, min(from + length, count), 1, &s->data);
        clf_unit_sync();
        if (CLF_HAS_EXTRA)
            clf_stretches_flush(&a->out, at, count, 1, &s->data);
        sum = clf_combine(sum, clf_run_total(v, clf_unit_lane(), &s->reduce CLF_COMBINE_A));
        if (CLF_HAS_EXTRA)
            clf_unit_sync();
    }
    return sum;
}

#endif
