/* SPDX-License-Identifier: MIT */
/*
 * filter_lookback: single-pass filter or partition: one launch, one read of each input, one write of each result.
 *
 * Stream compaction over a chained scan of counts (Merrill and Garland 2016), tiles resident in local memory. The order
 * of elements is kept.
 *
 * needs: nothing
 * provides: clf_filter_lookback_body
 */
#include "filter/filter_tile.cl"
#include "chain/single_pass.cl"

typedef struct {
    clf_filter_storage tile;
    clf_single_pass_storage pass;
} clf_filter_lookback_storage;

CLF_INLINE void clf_filter_lookback_body(const clf_arguments *a, __local clf_filter_lookback_storage *s)
{
    uint tile;
    clf_filter_tell_nothing(a, clf_total(a));
    if (!clf_single_pass_take(a, &s->pass, &tile))
        return;
    const clf_filter_tile t = clf_filter_reduce(a, tile, &s->tile);
    const clf_run kept = clf_run_of(clf_filter_kept(&t), false);
    clf_single_pass_tell(a, tile, kept);
    if (clf_filter_has_none(a, &t) && clf_single_pass_may_leave(tile))
        return;
    clf_filter_together(a, &t, &s->tile); /* meanwhile others publish */
    if (CLF_LOOKBACK_WAITS)
        clf_single_pass_wait(a, tile, false, kept, &s->pass);
    clf_group_sync();
    clf_filter_flush(a, &t, &s->tile, s->pass.prefix);
}
