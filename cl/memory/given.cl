/* SPDX-License-Identifier: MIT */
/*
 * given: what the host does not know when it enqueues: the true size of the call, and its initial value. Earlier
 * commands may have written them on the device (clf_call.actual, clf_call.initial_arrays).
 *
 *   given   a ulong, the true number of elements or segments; for two sequences two ulongs, their sizes | the words of
 *           the initial value: from byte 16 on, or, without sizes, from the first one
 *
 * a->count and a->size then have the true sizes; a->bound keeps the number of segments that the host launched for. With
 * CLF_GIVEN = 0 the host knows all sizes (plans without CLF_FROM_DEVICE), and nothing of this is compiled.
 *
 * needs: nothing
 * provides: clf_given_take, clf_initial_value
 */
#include "memory/value.cl"

#if CLF_GIVEN

enum { CLF_GIVEN_SIZES = 16 /* bytes */ };

static inline void clf_given_take(clf_arguments *a, __global const uchar *given)
{
    a->bound = a->count;
    if (a->flags & CLF_ARG_GIVEN_SIZE)
        a->size = min(a->size, *(__global const ulong *)given);
    if (a->flags & CLF_ARG_GIVEN_COUNT)
        a->count = min(a->count, ((__global const ulong *)given)[CLF_IN_SETS - 1]);
    const bool has_sizes = a->flags & (CLF_ARG_GIVEN_SIZE | CLF_ARG_GIVEN_COUNT);
    a->given_initial = (__global const uint *)(given + (has_sizes ? CLF_GIVEN_SIZES : 0));
}

/* Read where it is wanted: kept from the start it would take registers all the while. */
static inline clf_value clf_initial_value(const clf_arguments *a)
{
    uint w[CLF_VALUE_WORDS];
    if (!(a->flags & CLF_ARG_GIVEN_INITIAL))
        return a->initial;
    CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k)
        w[k] = a->given_initial[k];
    return clf_unpack(w);
}

#else

static inline clf_value clf_initial_value(const clf_arguments *a)
{
    return a->initial;
}

#endif
