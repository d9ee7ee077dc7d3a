/* SPDX-License-Identifier: MIT */
/*
 * reduce_small: many segments, none longer than a stretch: each unit (stretch.cl) takes as many whole
 * ones as fit. No messages, no flags, no scan: which work-item combines what is plain arithmetic.
 *
 * Short segments go to one work-item each, in turns; longer ones to a run of several with an equal share each. The host
 * deals them out (src/reduce.c): a->epoch is how many segments a unit takes, a->ticket how many work-items a segment.
 * One 64-bit multiplication per work-item, all else in 32 bits.
 */
#include "range.cl"

typedef clf_stretch_storage clf_reduce_small_storage;

static inline void clf_reduce_small_body(const clf_arguments *a, __local clf_reduce_small_storage *s)
{
    const uint size = (uint)a->size, lane = clf_unit_lane(), width = a->ticket;
    const ulong segment = min(((ulong)get_group_id(0) * CLF_UNITS + clf_unit_id()) * a->epoch, a->count);
    const uint segments = (uint)min(a->count - segment, (ulong)a->epoch);
    const ulong first = segment * size;
    const uint share = (size + width - 1) / width;
    const uint length = CLF_PACK_WORDS ? (share + CLF_PACK - 1) / CLF_PACK * CLF_PACK : share;
    const uint pad = length % 31 && (size % 31 || size > 93); /* every 31 words, one of padding: all in one bank */
    clf_stretches_fetch(&a->in, first, segments * size, pad, &s->data);
    clf_unit_sync();
    const uint run = lane / width, part = lane % width;
    const uint from = min(part * length, size), to = min(from + length, size);
    clf_value v = clf_neutral();
    for (uint k = run; k < segments; k += CLF_UNIT / width) {
        v = clf_run_reduce(a, first, k * size + from, k * size + to, pad, &s->data);
        if (width == 1)
            clf_segment_done(a, segment + k, v);
    }
    v = clf_run_total(v, part, &s->reduce);
    if (width > 1 && part == width - 1 && run < segments)
        clf_segment_done(a, segment + run, v);
    if (CLF_HAS_EXTRA) {
        clf_unit_sync();
        clf_stretches_flush(&a->out, first, segments * size, pad, &s->data);
    }
}
