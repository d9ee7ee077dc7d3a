/* SPDX-License-Identifier: MIT */
/*
 * range_cpu: a range of elements combined by one work-item of a CPU, in one of two ways.
 *
 *   vectors   for operators with a vector form (vector.cl), which commute: several vectors of partial sums
 *   sides     for any other: many values side by side (side.cl)
 *
 * needs: nothing
 * provides: CLF_RANGE_SHORT, clf_stretch_reduce, range
 */
#include "group/group_reduce.cl"
#include "cpu/side.cl"
#include "cpu/vector.cl"

typedef struct {
    clf_reduce_storage reduce;
} clf_range_storage;

/*
 *   clf_range_reduce     any range
 *   clf_stretch_reduce   the same, for one that is often short
 *   CLF_RANGE_SHORT            regular segments shorter than this are not worth the first
 */
#ifdef CLF_VECTOR_WIDTH

#define CLF_RANGE_SHORT CLF_VECTOR_WIDTH

static inline clf_value clf_range_reduce(const clf_arguments *a, ulong at, ulong end, __local clf_range_storage *s)
{
    const clf_value sum = clf_vector_reduce(clf_vectors_reduce(a->in.p0 + at, end - at));
    return clf_elements_reduce(a, end - (end - at) % CLF_VECTOR_WIDTH, end, sum);
}

/* No loop over what does not fill a vector: it would end anywhere. What lies behind the range counts as neutral. */
static inline clf_value clf_stretch_reduce(const clf_arguments *a, ulong at, ulong end, __local clf_range_storage *s)
{
    const clf_number rest = (clf_number)((end - at) % CLF_VECTOR_WIDTH);
    const ulong last = end - (ulong)rest;
    if (last + CLF_VECTOR_WIDTH > a->size)
        return clf_range_reduce(a, at, end, s);
    const clf_vector v = CLF_VECTOR_LOAD(0, a->in.p0 + last), none = clf_vector_of(clf_neutral());
    clf_vector sum = clf_vector_choose(CLF_VECTOR_PLACES < (clf_numbers)(rest), v, none);
    if (at < last)
        sum = clf_vector_combine(sum, clf_vectors_reduce(a->in.p0 + at, last - at));
    return clf_vector_reduce(sum);
}

#else

#define CLF_RANGE_SHORT 16

static inline clf_value clf_range_reduce(const clf_arguments *a, ulong at, ulong end, __local clf_range_storage *s)
{
    return clf_side_reduce(a, at, end);
}

static inline clf_value clf_stretch_reduce(const clf_arguments *a, ulong at, ulong end, __local clf_range_storage *s)
{
    if (end - at >= CLF_RANGE_SHORT)
        return clf_range_reduce(a, at, end, s);
    return at < end ? clf_elements_reduce(a, at + 1, end, CLF_SIDE_ELEMENT(a, at)) : clf_neutral();
}

#endif
