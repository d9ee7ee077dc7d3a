/* SPDX-License-Identifier: MIT */
/*
 * reduce_cpu: for CPU devices: work-groups of one work-item, a few per core, no barriers.
 *
 *   clf_reduce_many    many segments: a run of whole ones per group
 *   clf_reduce_parts   few: a part of one per group (reduce_parts.cl)
 *
 * needs: nothing
 * provides: clf_reduce_many_body
 */
#include "cpu/segments_cpu.cl"
#include "reduce/reduce_parts.cl"

typedef clf_range_storage clf_reduce_many_storage;

CLF_INLINE void clf_reduce_many_body(const clf_arguments *a, __local clf_reduce_many_storage *s)
{
    const ulong share = (a->count + get_num_groups(0) - 1) / get_num_groups(0), size = a->size;
    const ulong first = min(get_group_id(0) * share, a->count), last = min(first + share, a->count);
    ulong segment = clf_segments_reduce(a, first, last);
    if ((!CLF_EXTREMES || size > 0) && size < CLF_RANGE_SHORT) {
        const clf_value initial = clf_initial(a);
        for (; segment < last; ++segment)
            clf_output_at(
                &a->out, segment,
                CLF_FINISHED(
                    clf_finish_sum(a, clf_elements_reduce(a, segment * size, segment * size + size, initial), segment),
                    clf_elements_reduce(a, segment * size, segment * size + size, initial)));
    }
    for (; segment < last; ++segment)
        clf_segment_done(a, segment, clf_range_reduce(a, segment * size, segment * size + size, s));
}
