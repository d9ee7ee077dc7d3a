/* SPDX-License-Identifier: MIT */
/*
 * range: a range of elements combined by one unit (stretch.cl), in one of two ways.
 *
 *   striped   the operator is commutative and the map has no extra outputs: each work-item combines vectors as they come
 *             from global memory, in registers
 *   ordered   stretch by stretch through local memory: each work-item combines a run of consecutive elements, then the unit
 *             its work-items' sums
 *
 * Both read every element once, coalesced, whatever the alignment of the range.
 */
#include "group_reduce.cl"

#define CLF_STRIPED (CLF_COMMUTATIVE && !CLF_HAS_EXTRA)

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

/*
 * Combines elements from … to - 1 of the unit's stretch, by one work-item, and leaves their extra
 * outputs there. Element i of the stretch is element `first` + i of the whole.
 */
static inline clf_value clf_run_reduce(const clf_arguments *a, ulong first, uint from, uint to,
                                       __local clf_stretches *data)
{
    clf_value sum = clf_neutral();
    for (uint i = from; i < to; ++i) {
        clf_extra extra;
        sum = clf_combine(sum, clf_map_at(a, clf_stretches_get(data, i), first + i, &extra));
        if (CLF_HAS_EXTRA)
            clf_stretches_set(data, i, extra);
    }
    return sum;
}

/* Combines a range; the result is right for the last work-item of the unit. */
#if CLF_STRIPED

/* A batch of up to CLF_ITEMS elements per work-item from an aligned place, in `vectors` chunks. */
static inline clf_value clf_batch_reduce(const clf_arguments *a, ulong at, uint vectors, bool whole, clf_value sum)
{
    const uint lane = clf_unit_lane();
    clf_input x[CLF_ITEMS / CLF_CHUNK][CLF_CHUNK];
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS / CLF_CHUNK; ++j)
        if (whole || j * CLF_UNIT + lane < vectors)
            clf_inputs_load(&a->in, at + (j * CLF_UNIT + lane) * CLF_CHUNK, x[j]);
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS / CLF_CHUNK; ++j) {
        if (whole || j * CLF_UNIT + lane < vectors) {
            CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k) {
                clf_extra extra;
                sum = clf_combine(sum, clf_map_at(a, x[j][k], at + (j * CLF_UNIT + lane) * CLF_CHUNK + k, &extra));
            }
        }
    }
    return sum;
}

/* Single elements, in turns. */
static inline clf_value clf_elements_reduce(const clf_arguments *a, ulong at, ulong end, clf_value sum)
{
    for (ulong i = at + clf_unit_lane(); i < end; i += CLF_UNIT)
        sum = clf_combine(sum, clf_value_at(a, i));
    return sum;
}

static inline clf_value clf_range_reduce(const clf_arguments *a, ulong at, ulong end, __local clf_range_storage *s)
{
    clf_value sum = clf_neutral();
    const ulong body = min(at + clf_inputs_head(&a->in, at), end);
    if (clf_inputs_aligned(&a->in, body)) {
        sum = clf_elements_reduce(a, at, body, sum);
        for (at = body; end - at >= CLF_STRETCH; at += CLF_STRETCH)
            sum = clf_batch_reduce(a, at, CLF_STRETCH / CLF_CHUNK, true, sum);
        const uint vectors = (uint)(end - at) / CLF_CHUNK;
        sum = clf_batch_reduce(a, at, vectors, false, sum);
        at += vectors * CLF_CHUNK;
    }
    return clf_run_total(clf_elements_reduce(a, at, end, sum), CLF_UNIT, &s->reduce);
}

#else

static inline clf_value clf_range_reduce(const clf_arguments *a, ulong at, ulong end, __local clf_range_storage *s)
{
    clf_value sum = clf_neutral();
    for (; at < end; at += CLF_STRETCH) {
        const uint count = (uint)min(end - at, (ulong)CLF_STRETCH), length = (count + CLF_UNIT - 1) / CLF_UNIT;
        const uint from = min(clf_unit_lane() * length, count);
        clf_stretches_fetch(&a->in, at, count, &s->data);
        clf_unit_sync();
        const clf_value v = clf_run_reduce(a, at, from, min(from + length, count), &s->data);
        clf_unit_sync();
        if (CLF_HAS_EXTRA)
            clf_stretches_flush(&a->out, at, count, &s->data);
        sum = clf_combine(sum, clf_run_total(v, CLF_UNIT, &s->reduce));
        if (CLF_HAS_EXTRA)
            clf_unit_sync();
    }
    return sum;
}

#endif
