/* SPDX-License-Identifier: MIT */
/*
 * range_cpu: a range of elements combined by one work-item of a CPU, in one of two ways.
 *
 *   vectors   for operators with a vector form (vector.cl), which commute: several vectors of partial sums
 *   shares    for any other: CLF_STREAMS contiguous shares advance together, so that their combines do not wait for each other
 */
#include "group_reduce.cl"
#include "vector.cl"

typedef struct {
    clf_reduce_storage reduce;
} clf_range_storage;

/* The value of element i; its extra outputs are written. */
static inline clf_value clf_element_reduce(const clf_arguments *a, ulong i)
{
    clf_extra extra;
    const clf_value v = clf_map_at(a, clf_input_at(&a->in, i), i, &extra);
    clf_extra_at(&a->out, i, extra);
    return v;
}

static inline clf_value clf_elements_reduce(const clf_arguments *a, ulong at, ulong end, clf_value sum)
{
    for (; at < end; ++at)
        sum = clf_combine(sum, clf_element_reduce(a, at));
    return sum;
}

#ifdef CLF_VECTOR_WIDTH

#define CLF_SHORT CLF_VECTOR_WIDTH /* elements that are not worth the ways below */

static inline clf_value clf_range_reduce(const clf_arguments *a, ulong at, ulong end, __local clf_range_storage *s)
{
    const clf_value sum = clf_vector_reduce(clf_vectors_reduce(a->in.p0 + at, end - at));
    return clf_elements_reduce(a, end - (end - at) % CLF_VECTOR_WIDTH, end, sum);
}

#else

#define CLF_SHORT (4 * CLF_STREAMS)

static inline clf_value clf_range_reduce(const clf_arguments *a, ulong at, ulong end, __local clf_range_storage *s)
{
    const ulong share = (end - at) / CLF_STREAMS;
    clf_value part[CLF_STREAMS];
    CLF_UNROLL for (uint k = 0; k < CLF_STREAMS; ++k)
        part[k] = clf_neutral();
    for (ulong j = 0; j < share; ++j)
        CLF_UNROLL for (uint k = 0; k < CLF_STREAMS; ++k)
            part[k] = clf_combine(part[k], clf_element_reduce(a, at + k * share + j));
    CLF_UNROLL for (uint k = 1; k < CLF_STREAMS; ++k)
        part[0] = clf_combine(part[0], part[k]);
    return clf_elements_reduce(a, at + CLF_STREAMS * share, end, part[0]);
}

#endif

/* The same, for a range that is often short. */
static inline clf_value clf_stretch_reduce(const clf_arguments *a, ulong at, ulong end, __local clf_range_storage *s)
{
    return end - at < CLF_SHORT ? clf_elements_reduce(a, at, end, clf_neutral()) : clf_range_reduce(a, at, end, s);
}
