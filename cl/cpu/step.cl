/* SPDX-License-Identifier: MIT */
/*
 * step: single elements of a scan by one work-item of a CPU.
 *
 * needs: CLF_EXCLUSIVE
 * provides: clf_cpu_step, clf_cpu_steps, CLF_MOST_SHARES
 */
#include "chain/chain.cl"
#include "memory/wrapper.cl"

/* Up to so many streams are shares of a tile (cpu_streams.cl); more are rows side by side (cpu_sides.cl). */
#define CLF_MOST_SHARES 8

/* Writes the results of element i and returns the sum up to and with it. */
static inline clf_value clf_cpu_step(const clf_arguments *a, ulong i, clf_value sum)
{
    clf_extra extra;
    const clf_value x = clf_map_at(a, clf_input_at(&a->in, i), i, &extra);
    const clf_value next = clf_combine(sum, x);
    clf_output_at(&a->out, i, CLF_EXCLUSIVE ? sum : next);
    clf_extra_at(&a->out, i, extra);
    return next;
}

/* Elements at … end - 1, any of which may be heads; returns the sum up to the last. */
static inline clf_value clf_cpu_steps(const clf_arguments *a, ulong at, ulong end, clf_value sum)
{
    clf_head_iterator heads = clf_head_iterator_at(a, at);
    for (; at < end; ++at)
        sum = clf_cpu_step(a, at, clf_head_iterator_next(a, &heads) ? clf_initial(a) : sum);
    return sum;
}
