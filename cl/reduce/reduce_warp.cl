/* SPDX-License-Identifier: MIT */
/*
 * reduce_warp: many segments of some dozens to some thousands of elements. No barrier, no message: units of a
 * group have nothing to do with each other.
 *
 *   clf_reduce_warp   a unit (a warp; stretch.cl) each
 *   clf_reduce_team   the smallest team of its lanes each that has the segment in one batch; for striped ranges
 *
 * needs: nothing
 * provides: clf_reduce_team_body, clf_reduce_warp_body
 */
#include "group/range.cl"

typedef clf_range_storage clf_reduce_warp_storage;
typedef clf_range_storage clf_reduce_team_storage;

CLF_INLINE void clf_reduce_warp_body(const clf_arguments *a, __local clf_reduce_warp_storage *s)
{
    const ulong segment = (ulong)get_group_id(0) * CLF_UNITS + clf_unit_id();
    const ulong first = min(segment, a->count) * a->size, end = segment < a->count ? first + a->size : first;
    const clf_value v = clf_range_reduce(a, first, end, s);
    if (segment < a->count && clf_unit_lane() == CLF_UNIT - 1)
        clf_segment_done(a, segment, v);
}

CLF_INLINE void clf_reduce_team_body(const clf_arguments *a, __local clf_reduce_team_storage *s)
{
#if CLF_STRIPED && CLF_LANE_WIDTH > 1
    const uint full = (max((uint)a->size, 1u) - 1) / CLF_ITEMS; /* lanes that it fills */
    const uint shift = max(full ? clf_highest(full) + 1 : 0, CLF_TEAM_LEAST);
    const ulong segment = ((ulong)get_group_id(0) * CLF_GROUP + clf_local_id()) >> shift;
    const ulong first = min(segment, a->count) * a->size, end = segment < a->count ? first + a->size : first;
    const clf_value v = clf_rows_team_reduce(a, first, end, shift, &s->reduce);
    if (segment < a->count && clf_team_lane(shift) == clf_team_width(shift) - 1)
        clf_segment_done(a, segment, v);
#endif
}
