/* SPDX-License-Identifier: MIT */
/*
 * expand_cpu: a tile of an expansion by one work-item of a CPU, segment by segment. Between two ends the segment is
 * always the same, so compilers see a plain loop.
 *
 * needs: a->ends
 * provides: clf_expand_cpu_body
 */
#include "expand/expand.cl"

typedef uchar clf_expand_cpu_storage; /* none needed */

CLF_INLINE void clf_expand_cpu_body(const clf_arguments *a, __local clf_expand_cpu_storage *s)
{
    const clf_expand_range r = clf_expand_range_of(a);
    const clf_expand_tile t = clf_expand_tile_of(a, &r, clf_bisect(a, r.from), clf_bisect(a, r.to));
    const ulong last = t.first + t.count;
    ulong i = t.first, start = t.start;
    clf_expand_tell(a);
    for (ulong k = t.segment; i < last; ++k) {
        const ulong segment = min(k, a->count - 1);
        const ulong end = k < t.segment + t.ends ? clamp((ulong)a->ends[segment], i, last) : last;
        for (; i < end; ++i)
            clf_output_at(&a->out, i, clf_expand_value(a, segment, start, i));
        start = a->ends[segment];
    }
}
