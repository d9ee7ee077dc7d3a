/* SPDX-License-Identifier: MIT */
/*
 * by_key_lookback: single-pass reduction by key: one launch, one read of each input, one write of each result.
 *
 * A chained scan (Merrill and Garland 2016) of heads and sums, tiles resident in local memory. Operands keep their
 * order.
 *
 * needs: nothing
 * provides: clf_by_key_lookback_body
 */
#include "reduce_by_key/by_key_tile.cl"
#include "chain/single_pass.cl"

typedef struct {
    clf_by_key_storage tile;
    clf_single_pass_storage pass;
} clf_by_key_lookback_storage;

CLF_INLINE void clf_by_key_lookback_body(const clf_arguments *a, __local clf_by_key_lookback_storage *s)
{
    uint tile;
    clf_by_key_tell_nothing(a, clf_total(a));
    if (!clf_single_pass_take(a, &s->pass, &tile))
        return;
    const clf_by_key_tile t = clf_by_key_reduce(a, tile, &s->tile);
    const clf_run all = clf_run_of(clf_by_key_state_of(t.all.heads, t.all.sum), false);
    clf_single_pass_tell(a, tile, all);
    if (clf_by_key_has_none(a, &t) && clf_single_pass_may_leave(tile))
        return;
    clf_by_key_together(a, &t, &s->tile); /* meanwhile others publish */
    if (CLF_LOOKBACK_WAITS)
        clf_single_pass_wait(a, tile, false, all, &s->pass);
    clf_group_sync();
    clf_by_key_flush(a, &t, &s->tile, s->pass.prefix);
}
