/* SPDX-License-Identifier: MIT */
/*
 * row: a group for each row, which it reads again and again: it stays in a cache. What is taken goes out in the order
 * of the input.
 *
 * needs: nothing
 * provides: clf_top_row_body
 */
#include "top_k/take.cl"

typedef struct {
    clf_select_storage select;
    ulong sure[CLF_WARPS], some[CLF_WARPS];
} clf_top_row_storage;

CLF_INLINE void clf_top_row_body(const clf_arguments *a, __local clf_top_row_storage *s)
{
    const ulong row = get_group_id(0);
    clf_selection t;
    clf_work w;
    clf_taken own, before = {0, 0};
    clf_work_begin(a, row, &w);
    clf_selection_begin(clf_work_results(a, w.size), w.size, &t);
    clf_selection_by_group(&w, &t, &s->select);
    const clf_work_share share = clf_work_share_of_warp(clf_work_share_of(w.size, 0, 1, 1));
    clf_taken_count(&w, &t, share, &own);
    if (clf_lane_id() == 0) {
        s->sure[clf_warp_id()] = own.sure;
        s->some[clf_warp_id()] = own.some;
    }
    clf_group_sync();
    clf_taken_add_warps(s->sure, s->some, clf_warp_id(), &before);
    clf_taken_write(&w, &t, share, before, row * clf_work_results(a, a->size));
    if (row == 0 && clf_local_id() == 0)
        clf_work_tell_results(a);
}
