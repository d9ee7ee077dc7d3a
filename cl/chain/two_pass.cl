/* SPDX-License-Identifier: MIT */
/*
 * two_pass: what the launches of two passes exchange. In the first one each group stores what its tiles add up to, its
 * partial (spine.cl). In the second one a group adds up the partials before its own, CLF_PARTIALS at most. With more
 * tiles the host launches fewer groups, which have several tiles, where CLF_SEVERAL is 1. Otherwise a group has one
 * tile, and the spine has turned partials into prefixes in between. (In a loop over tiles NVIDIA's compiler keeps twice
 * as many registers, so fewer groups run at a time.)
 *
 * needs: arguments, state, CLF_PARTIALS, CLF_SEVERAL
 * provides: clf_group_tiles, CLF_NEXT_TILE, clf_tile_range, clf_two_pass_prefix
 */
#include "chain/spine.cl"

typedef struct {
    uint first, end;
} clf_tile_range;

static inline clf_tile_range clf_group_tiles(const clf_arguments *a, uint group)
{
    const uint tiles = clf_tiles(a), groups = (uint)get_num_groups(0);
    const uint each = CLF_SEVERAL ? (tiles + groups - 1) / groups : 1;
    const uint first = min(group * each, tiles);
    const clf_tile_range r = {first, min(first + each, tiles)};
    return r;
}

/* All work-items come here: the next tile has the same local memory. */
#define CLF_NEXT_TILE(tile, range) (CLF_SEVERAL && (clf_group_sync(), ++(tile) < (range).end))

/* The prefix of a group's first tile, for all work-items. Each adds up a range of partials; `s` is free afterwards. */
static inline clf_run clf_two_pass_prefix(const clf_arguments *a, uint group, __local clf_run_totals *s)
{
    if (get_num_groups(0) > CLF_PARTIALS)
        return clf_partial_get(a, group);
    const uint each = (group + CLF_GROUP - 1) / CLF_GROUP, first = min(clf_local_id() * each, group);
    const uint last = min(first + each, group);
    clf_run sum = clf_run_neutral(), all;
    CLF_UNROLL_4 for (uint i = first; i < last; ++i)
        sum = clf_run_combine(sum, clf_partial_get(a, i));
    (void)clf_run_group_scan(sum, s, &all CLF_COMBINE_A);
    clf_group_sync();
    return clf_run_combine(clf_run_of(clf_state_initial(a), false), all);
}
