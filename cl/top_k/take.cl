/* SPDX-License-Identifier: MIT */
/*
 * take: the selected elements are written in input order. Each warp has consecutive elements. It first counts its
 * elements that are surely taken, and those of which only the first are taken. When it knows the counts of the earlier
 * warps, it writes. So no warp waits while elements are read.
 *
 * needs: nothing
 * provides: clf_taken, clf_taken_add_warps, clf_taken_count, clf_taken_write
 */
#include "top_k/select.cl"

typedef struct {
    ulong sure, some;
} clf_taken;

/* Lanes whose element is taken for sure, and those that have one between the bounds; in all lanes. */
typedef struct {
    clf_mask sure, some;
} clf_taken_lanes;

static inline clf_taken_lanes clf_taken_by(const clf_selection *t, clf_key_bits key, bool there)
{
    clf_taken_lanes l;
    l.sure = clf_ballot(there && CLF_KEY_LESS(key, t->low));
    l.some = clf_ballot(there && clf_selection_has(t, key));
    return l;
}

/* The keys of the warp's next elements. */
static inline void clf_taken_keys(const clf_work *w, ulong at, ulong end, clf_key_bits keys[CLF_TOP_AHEAD])
{
    CLF_UNROLL for (uint k = 0; k < CLF_TOP_AHEAD; ++k)
        keys[k] = clf_work_key(w, min(at + k * CLF_LANE_WIDTH + clf_lane_id(), end - 1));
}

static inline void clf_taken_count(const clf_work *w, const clf_selection *t, clf_work_share share, clf_taken *n)
{
    n->sure = n->some = 0;
    CLF_LOOP for (ulong at = share.begin; at < share.end; at += CLF_LANE_WIDTH * CLF_TOP_AHEAD) {
        clf_key_bits keys[CLF_TOP_AHEAD];
        clf_taken_keys(w, at, share.end, keys);
        CLF_UNROLL for (uint k = 0; k < CLF_TOP_AHEAD; ++k) {
            const bool there = at + k * CLF_LANE_WIDTH + clf_lane_id() < share.end;
            const clf_taken_lanes l = clf_taken_by(t, keys[k], there);
            n->sure += (uint)popcount(l.sure);
            n->some += (uint)popcount(l.some);
        }
    }
}

/* Writes what is taken of the warp's elements to a->out, from `to` on; `before`: what the elements before have. */
static inline void clf_taken_write(const clf_work *w, const clf_selection *t, clf_work_share share, clf_taken before,
                                   ulong to)
{
    CLF_LOOP for (ulong at = share.begin; at < share.end; at += CLF_LANE_WIDTH * CLF_TOP_AHEAD) {
        clf_key_bits keys[CLF_TOP_AHEAD];
        clf_taken_keys(w, at, share.end, keys);
        CLF_UNROLL for (uint k = 0; k < CLF_TOP_AHEAD; ++k) {
            const ulong i = at + k * CLF_LANE_WIDTH + clf_lane_id();
            const clf_taken_lanes l = clf_taken_by(t, keys[k], i < share.end);
            const ulong sure = before.sure + (uint)popcount(clf_mask_below(l.sure));
            const ulong some = before.some + (uint)popcount(clf_mask_below(l.some));
            if (i < share.end && (CLF_KEY_LESS(keys[k], t->low) || (clf_selection_has(t, keys[k]) && some < t->need)))
                clf_output_at(&w->a->out, to + sure + min(some, t->need), clf_work_value(w, i));
            before.sure += (uint)popcount(l.sure);
            before.some += (uint)popcount(l.some);
        }
    }
}

/* What the warps before this one of the group have, of whose numbers `sure` and `some` are lists. */
static inline void clf_taken_add_warps(__local const ulong *sure, __local const ulong *some, uint warps, clf_taken *n)
{
    for (uint warp = 0; warp < warps; ++warp) {
        n->sure += sure[warp];
        n->some += some[warp];
    }
}
