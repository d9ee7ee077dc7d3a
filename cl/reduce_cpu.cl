/* SPDX-License-Identifier: MIT */
/*
 * reduce_cpu: for CPU devices: work-groups of one work-item, a few per core, no barriers.
 *
 *   clf_reduce_many    many segments: a run of whole ones per group
 *   clf_reduce_parts   few: a part of one per group (reduce_parts.cl)
 */
#include "range_cpu.cl"
#include "reduce_parts.cl"

typedef clf_range_storage clf_reduce_many_storage;

#ifdef CLF_VECTOR_WIDTH

#define CLF_SEGMENTS_STORE CLF_PASTE(vstore, CLF_VECTOR_WIDTH)

/*
 * The results of CLF_VECTOR_WIDTH neighbouring segments of n elements from p on: neighbours combined in turn.
 */
#define CLF_SEGMENTS_1(p) CLF_VECTOR_LOAD(0, p)
#define CLF_SEGMENTS_2(p) clf_vector_pairs(CLF_SEGMENTS_1(p), CLF_SEGMENTS_1((p) + CLF_VECTOR_WIDTH))
#define CLF_SEGMENTS_4(p) clf_vector_pairs(CLF_SEGMENTS_2(p), CLF_SEGMENTS_2((p) + 2 * CLF_VECTOR_WIDTH))
#define CLF_SEGMENTS_8(p) clf_vector_pairs(CLF_SEGMENTS_4(p), CLF_SEGMENTS_4((p) + 4 * CLF_VECTOR_WIDTH))
#if CLF_VECTOR_WIDTH > 8
#define CLF_SEGMENTS_16(p) clf_vector_pairs(CLF_SEGMENTS_8(p), CLF_SEGMENTS_8((p) + 8 * CLF_VECTOR_WIDTH))
#endif

/* Segments of n elements, as far as they fill vectors; returns the first that does not. */
#define CLF_SEGMENTS_FUNCTION(n)                                                                              \
    static inline ulong clf_segments_of_##n(const clf_arguments *a, ulong segment, ulong last)                \
    {                                                                                                         \
        const clf_vector initial = clf_vector_of(clf_initial(a));                                             \
        for (; last - segment >= CLF_VECTOR_WIDTH; segment += CLF_VECTOR_WIDTH) {                             \
            const clf_vector v = CLF_SEGMENTS_##n(a->in.p0 + segment * n);                                    \
            CLF_SEGMENTS_STORE(clf_vector_combine(initial, v), 0, a->out.p0 + segment);                       \
        }                                                                                                     \
        return segment;                                                                                       \
    }
CLF_SEGMENTS_FUNCTION(1)
CLF_SEGMENTS_FUNCTION(2)
CLF_SEGMENTS_FUNCTION(4)
CLF_SEGMENTS_FUNCTION(8)
#if CLF_VECTOR_WIDTH > 8
CLF_SEGMENTS_FUNCTION(16)
#endif

static inline ulong clf_segments_reduce(const clf_arguments *a, ulong segment, ulong last)
{
    switch (a->size) {
    case 1: return clf_segments_of_1(a, segment, last);
    case 2: return clf_segments_of_2(a, segment, last);
    case 4: return clf_segments_of_4(a, segment, last);
    case 8: return clf_segments_of_8(a, segment, last);
#if CLF_VECTOR_WIDTH > 8
    case 16: return clf_segments_of_16(a, segment, last);
#endif
    default: return segment;
    }
}

#else

static inline ulong clf_segments_reduce(const clf_arguments *a, ulong segment, ulong last)
{
    return segment;
}

#endif

static inline void clf_reduce_many_body(const clf_arguments *a, __local clf_reduce_many_storage *s)
{
    const ulong share = (a->count + get_num_groups(0) - 1) / get_num_groups(0), size = a->size;
    const ulong first = min(get_group_id(0) * share, a->count), last = min(first + share, a->count);
    ulong segment = clf_segments_reduce(a, first, last);
    if (size < CLF_SHORT) {
        const clf_value initial = clf_initial(a);
        for (; segment < last; ++segment)
            clf_output_at(&a->out, segment, clf_elements_reduce(a, segment * size, segment * size + size, initial));
    }
    for (; segment < last; ++segment)
        clf_segment_done(a, segment, clf_range_reduce(a, segment * size, segment * size + size, s));
}
