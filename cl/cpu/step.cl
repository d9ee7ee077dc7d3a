/* SPDX-License-Identifier: MIT */
/*
 * step: single elements of a scan by one work-item of a CPU.
 *
 * needs: CLF_EXCLUSIVE
 * provides: clf_cpu_step, clf_cpu_steps, CLF_MOST_SHARES
 */
#include "segments/segment.cl"
#include "memory/wrapper.cl"

/* Up to so many streams are shares of a tile (cpu_streams.cl); more are rows side by side (cpu_sides.cl). */
#define CLF_MOST_SHARES 8

/* Writes what follows from element i, and before it. */
#define CLF_STEP_OUTPUT(v) \
    CLF_PLACED_OR(clf_placed_put(a, clf_place_step(a, CLF_EXCLUSIVE ? before : next, before, clf_input_at(&a->in, i), \
                                                   i CLF_NUMBERED_SEGMENT), v), clf_output_at(&a->out, i, v))

/* Writes the results of element i and returns the sum up to and with it. */
static inline clf_value clf_cpu_step(const clf_arguments *a, ulong i CLF_NUMBERED_PARAMETER, clf_value sum)
{
    clf_extra extra;
    const clf_value x = clf_map_at(a, clf_input_at(&a->in, i), i CLF_NUMBERED_SEGMENT, &extra);
    const clf_value next = clf_combine(sum, x);
    CLF_WHERE_FINISHED(const bool first = i == 0 || (CLF_EXTREMES && CLF_SEGMENT && clf_is_head(a, i));
                       const clf_value before = clf_before_step(a, first, sum);)
    CLF_STEP_OUTPUT(CLF_FINISHED(
        clf_finish_step(a, CLF_EXCLUSIVE ? before : next, before, clf_input_at(&a->in, i), i CLF_NUMBERED_SEGMENT),
        CLF_EXCLUSIVE ? sum : next));
    clf_extra_at(&a->out, i, extra);
    return next;
}

/* Elements at … end - 1, any of which may be heads; returns the sum up to the last. */
static inline clf_value clf_cpu_steps(const clf_arguments *a, ulong at, ulong end, clf_value sum)
{
    clf_head_iterator heads = clf_head_iterator_at(a, at);
    CLF_NUMBERED(clf_numbering number = clf_numbering_before(a, at, at < end && clf_is_head(a, at));)
    for (; at < end; ++at) {
        const bool head = clf_head_iterator_next(a, &heads);
        CLF_NUMBERED(clf_numbering_next(a, &number, head);)
        sum = clf_cpu_step(a, at CLF_NUMBERED_BY(number), head ? clf_initial(a) : sum);
    }
    return sum;
}
