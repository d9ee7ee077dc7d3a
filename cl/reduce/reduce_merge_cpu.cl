/* SPDX-License-Identifier: MIT */
/*
 * reduce_merge_cpu: segments of any lengths, for CPU devices. Work-groups have one work-item, which processes an equal
 * share of elements and ends (merge_path.cl), segment by segment, or many short ones side by side.
 *
 * needs: nothing
 * provides: clf_reduce_merge_body
 */
#define CLF_SEGMENT_IS_EMPTY(a, k) (clf_segment_start(a, k) == clf_segment_end(a, k))
#include "cpu/lists_cpu.cl"
#include "segments/carries.cl"

typedef struct {
    clf_range_storage range;
    clf_value head;
    clf_carry_storage carry;
} clf_reduce_merge_storage;

CLF_INLINE void clf_reduce_merge_body(const clf_arguments *a, __local clf_reduce_merge_storage *s)
{
    const clf_share share = clf_share_of(a, get_group_id(0), get_num_groups(0));
    const ulong last = max(share.last, share.first);
    ulong at = share.first;
    for (ulong k = share.first_end; k < share.last_end; ++k) {
        const ulong end = clamp(clf_segment_end(a, k), at, last);
        const clf_value v = clf_stretch_reduce(a, at, end, &s->range);
        if (k == share.first_end)
            s->head = v;
        else
            clf_segment_done(a, k, v);
        at = end;
#if CLF_LISTS
        if (share.last_end - k > CLF_LISTS_FEW) {
            clf_lists_reduce(a, k + 1, share.last_end, at, &s->range);
            at = clamp(clf_segment_end(a, share.last_end - 1), at, last);
            break;
        }
#endif
    }
    const clf_value tail = clf_stretch_reduce(a, at, last, &s->range);
    clf_carries_join(a, clf_run_of(tail, share.first_end < share.last_end), &s->head, share.first_end, &s->carry);
}
