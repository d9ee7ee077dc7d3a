/* SPDX-License-Identifier: MIT */
/*
 * reduce_small: many segments, none longer than a stretch: each unit (stretch.cl) takes as many whole
 * ones as fit. No messages, no flags, no scan: which work-item combines what is plain arithmetic.
 *
 * Short segments go to one work-item each, in turns; longer ones to a run of 2, 4, 8 … work-items with
 * an equal share each. One 64-bit multiplication per work-item, all else in 32 bits.
 */
#include "range.cl"

typedef clf_stretch_storage clf_reduce_small_storage;

/* Work-items per segment, as a power of two, where a unit has `most` segments. */
static inline uint clf_small_shift(uint most)
{
    return most >= CLF_UNIT ? 0 : clf_highest(CLF_UNIT / most);
}

static inline void clf_reduce_small_body(const clf_arguments *a, __local clf_reduce_small_storage *s)
{
    const uint size = (uint)a->size, most = CLF_STRETCH / max(size, 1u), lane = clf_unit_lane();
    const ulong segment = min(((ulong)get_group_id(0) * CLF_UNITS + clf_unit_id()) * most, a->count);
    const uint segments = (uint)min(a->count - segment, (ulong)most);
    const ulong first = segment * size;
    const uint shift = clf_small_shift(most), width = 1u << shift, part = lane & (width - 1);
    const uint length = (((size + width - 1) >> shift) + CLF_PACK - 1) / CLF_PACK * CLF_PACK;
    const uint pad = length % 31 && (size % 31 || size > 93); /* every 31 words, one of padding: all in one bank */
    const uint from = min(part * length, size), to = min(from + length, size);
    clf_stretches_fetch(&a->in, first, segments * size, pad, &s->data);
    clf_unit_sync();
    clf_value v = clf_neutral();
    for (uint k = lane >> shift; k < segments; k += CLF_UNIT >> shift) {
        v = clf_run_reduce(a, first, k * size + from, k * size + to, pad, &s->data);
        if (width == 1)
            clf_segment_done(a, segment + k, v);
    }
    v = clf_run_total(v, width, &s->reduce);
    if (width > 1 && part == width - 1 && lane >> shift < segments)
        clf_segment_done(a, segment + (lane >> shift), v);
    if (CLF_HAS_EXTRA) {
        clf_unit_sync();
        clf_stretches_flush(&a->out, first, segments * size, pad, &s->data);
    }
}
