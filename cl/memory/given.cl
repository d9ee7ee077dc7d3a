/* SPDX-License-Identifier: MIT */
/*
 * given: what the host does not know when it enqueues: the true size of the call, and its initial value, which commands
 * before may have left on the device (clf_call.actual, clf_call.initial_arrays).
 *
 *   given   ulong: how many elements, or segments, there really are | from byte 16 on: the words of the initial value
 *           where two sequences are read: two ulongs, the sizes of the first and of the second
 *
 * a->count and a->size say afterwards what is true; a->bound keeps the number of segments that the host launched for.
 * CLF_GIVEN = 0: the host knows it all (plans without CLF_FROM_DEVICE), and nothing of this is compiled.
 */
#include "memory/value.cl"

#if CLF_GIVEN

enum { CLF_GIVEN_INITIAL_AT = 16 /* bytes */ };

static inline void clf_given_take(clf_arguments *a, __global const uchar *given)
{
    a->bound = a->count;
    if (a->flags & CLF_ARG_GIVEN_SIZE)
        a->size = min(a->size, *(__global const ulong *)given);
    if (a->flags & CLF_ARG_GIVEN_COUNT)
        a->count = min(a->count, ((__global const ulong *)given)[CLF_IN_SETS - 1]);
    if (a->flags & CLF_ARG_GIVEN_INITIAL) {
        uint w[CLF_VALUE_WORDS];
        __global const uint *const words = (__global const uint *)(given + CLF_GIVEN_INITIAL_AT);
        CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k)
            w[k] = words[k];
        a->initial = clf_unpack(w);
    }
}

#endif
