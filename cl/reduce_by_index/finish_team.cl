/* SPDX-License-Identifier: MIT */
/*
 * finish_team: combines many tables of few bins. Each bin has a->team work-items, a power of two. A group has CLF_GROUP
 * / a->team bins side by side, so that reads are coalesced; the work-items of one bin then combine in local memory.
 *
 * needs: entry, a->chunks, a->team
 * provides: clf_index_finish_team_body
 */
#include "reduce_by_index/words.cl"
#include "reduce_by_index/finish.cl"

typedef struct {
    uint sums[CLF_VALUE_WORDS * CLF_GROUP];
} clf_index_finish_team_storage;

static inline clf_value clf_team_sum(const clf_arguments *a, ulong i, uint member, bool is_bin)
{
    const ulong bins = clf_bins(a), first = clf_first_entry(a, i);
    const uint chunks = is_bin ? a->chunks : 0;
    clf_value sum = clf_neutral();
    for (uint t = member; t < chunks; t += a->team)
        sum = clf_combine(sum, clf_entry_read(a, first + t * bins));
    return sum;
}

CLF_INLINE void clf_index_finish_team_body(const clf_arguments *a, __local clf_index_finish_team_storage *s)
{
    const uint side = CLF_GROUP / a->team, me = clf_local_id();
    const ulong i = get_group_id(0) * (ulong)side + me % side;
    const bool is_bin = i < a->count * clf_bins(a);
    clf_words_put(s->sums, CLF_GROUP, me, clf_team_sum(a, i, me / side, is_bin));
    clf_group_sync();
    CLF_LOOP for (uint apart = 1 << 15; apart > 0; apart >>= 1) { /* a constant number of turns: PoCL 3.1 wants that */
        if (apart < a->team && me < apart * side)
            clf_words_put(s->sums, CLF_GROUP, me,
                          clf_combine(clf_words_get(s->sums, CLF_GROUP, me),
                                      clf_words_get(s->sums, CLF_GROUP, me + apart * side)));
        clf_group_sync();
    }
    if (is_bin && me < side)
        clf_bin_result(a, i, clf_words_get(s->sums, CLF_GROUP, me));
}
