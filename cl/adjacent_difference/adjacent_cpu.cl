/* SPDX-License-Identifier: MIT */
/*
 * adjacent_cpu: a tile by one work-item of a CPU, CLF_STREAMS elements at a time. First come the values of all, side by
 * side (side.cl), then their results. The iterations of both loops are independent, so compilers vectorise them; and
 * whatever is overwritten in place has been read before.
 *
 * needs: nothing
 * provides: clf_adjacent_cpu_body
 */
#include "adjacent_difference/adjacent.cl"
#include "cpu/side.cl"

typedef uchar clf_adjacent_cpu_storage; /* none needed */

/* The results of values first + 1 … end - 1 of `v`, none of which starts a segment; the first is that of element i. */
static inline void clf_adjacent_piece(const clf_arguments *a, const clf_sides *v, ulong first, ulong end, ulong i)
{
    for (ulong k = first + 1; k < end; ++k)
        clf_output_at(&a->out, i - first + k,
                      clf_adjacent_result(a, clf_combine(clf_side_get(v, k - 1), clf_side_get(v, k)), i - first + k));
}

CLF_INLINE void clf_adjacent_cpu_body(const clf_arguments *a, __local clf_adjacent_cpu_storage *s)
{
    const ulong tile = get_group_id(0), total = clf_total(a), start = tile * CLF_TILE;
    const ulong end = min(start + CLF_TILE, total);
    if (start >= end)
        return;
    ulong head = clf_next_head(a, start, end);
    clf_value before;
    if (head != start)
        before = clf_halo_of(a, tile, (a->flags & CLF_ARG_IN_PLACE) != 0);
    for (ulong at = start; at < end; at += CLF_STREAMS) {
        const ulong count = min(end - at, (ulong)CLF_STREAMS);
        clf_sides v;
        for (ulong k = 0; k < count; ++k)
            clf_side_set(&v, k, clf_element_reduce(a, at + k));
        for (ulong k = 0; k < count;) {
            const bool is_head = at + k == head;
            head += is_head ? a->size : 0;
            const ulong stop = min(head - at, count);
            const clf_value here = clf_side_get(&v, k);
            if (is_head)
                clf_output_at(&a->out, at + k, clf_adjacent_result(a, clf_adjacent_first(a, here), at + k));
            else
                clf_output_at(&a->out, at + k, clf_adjacent_result(a, clf_combine(before, here), at + k));
            clf_adjacent_piece(a, &v, k, stop, at + k);
            before = clf_side_get(&v, stop - 1);
            k = stop;
        }
    }
}
