/* SPDX-License-Identifier: MIT */
/*
 * reduce_sequential: one work-item per segment, for very many segments.
 *
 * Neighbouring work-items would read addresses a segment apart. So each unit transposes CLF_ITEMS elements of each of
 * its segments at a time, row by row into local memory. Each work-item then reads its own row.
 *
 * needs: nothing
 * provides: clf_reduce_sequential_body
 */
#include "group/range.cl"

typedef clf_stretch_storage clf_reduce_sequential_storage;

CLF_INLINE void clf_reduce_sequential_body(const clf_arguments *a, __local clf_reduce_sequential_storage *s)
{
    const uint lane = clf_unit_lane();
    const ulong segment = min(((ulong)get_group_id(0) * CLF_UNITS + clf_unit_id()) * CLF_UNIT, a->count);
    const uint rows = (uint)min(a->count - segment, (ulong)CLF_UNIT);
    clf_value sum = clf_neutral();
    for (ulong at = 0; at < a->size; at += CLF_ITEMS) {
        const uint columns = (uint)min(a->size - at, (ulong)CLF_ITEMS);
        const ulong first = segment * a->size + at;
        clf_stretches_fetch_rows(&a->in, first, a->size, rows, columns, &s->data);
        clf_unit_sync();
        if (lane < rows) {
            const ulong row = first + lane * a->size - lane * CLF_ITEMS; /* where element 0 of the stretch would be */
            sum = clf_combine(sum, clf_run_reduce(a, row, lane * CLF_ITEMS, lane * CLF_ITEMS + columns, 1, &s->data));
        }
        clf_unit_sync();
        if (CLF_HAS_EXTRA) {
            clf_stretches_flush_rows(&a->out, first, a->size, rows, columns, &s->data);
            clf_unit_sync();
        }
    }
    if (lane < rows)
        clf_segment_done(a, segment + lane, sum);
}
