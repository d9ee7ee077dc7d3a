/* SPDX-License-Identifier: MIT */
/*
 * short: rows of few elements are sorted, and all but the first k are left out. 2 ^ a->chunks neighbouring lanes have a
 * row in registers, and sort it by a network; a warp has several rows. Without lanes each element counts how many of
 * its row come before it.
 *
 * needs: a->chunks, a->how
 * provides: clf_short, clf_short_alone, CLF_SHORT_EACH, clf_short_finish, clf_short_load, clf_short_place,
 *           clf_short_unsort, clf_top_short_body
 */
#include "top_k/network.cl"
#include "top_k/rank.cl"
#include "top_k/source.cl"

typedef uchar clf_top_short_storage; /* none needed */

#if CLF_LANE_WIDTH > 1

enum { CLF_SHORT_EACH = 8 }; /* elements of a lane: src/primitives/top_k_shape.c has the same number */

/* A row, and what a lane has of it. */
typedef struct {
    uint lanes, lane, size, wanted;
    clf_key_bits keys[CLF_SHORT_EACH];
    uint ats[CLF_SHORT_EACH];
} clf_short;

static inline uint clf_short_place(const clf_short *r, uint k)
{
    return r->lane * CLF_SHORT_EACH + k;
}

/* A whole row needs no questions. */
CLF_INLINE void clf_short_load(const clf_source *from, clf_short *r)
{
    clf_source own = *from;
    own.first += r->lane;
    CLF_UNROLL for (uint k = 0; k < CLF_SHORT_EACH; ++k)
        r->ats[k] = k * r->lanes + r->lane;
    if (r->size == CLF_SHORT_EACH * r->lanes) {
        CLF_UNROLL for (uint k = 0; k < CLF_SHORT_EACH; ++k)
            r->keys[k] = clf_source_key(&own, k * r->lanes);
    } else {
        CLF_UNROLL for (uint k = 0; k < CLF_SHORT_EACH; ++k)
            r->keys[k] = r->ats[k] < r->size ? clf_source_key(&own, k * r->lanes) : CLF_KEY_ONES;
    }
}

/* The first ones, in the order of the input. */
CLF_INLINE void clf_short_unsort(clf_short *r)
{
    CLF_UNROLL for (uint k = 0; k < CLF_SHORT_EACH; ++k)
        r->keys[k] = clf_short_place(r, k) < r->wanted ? (clf_key_bits)0 : CLF_KEY_ONES;
    clf_network_8(r->keys, r->ats, r->lanes);
}

#if CLF_KEY_IS_VALUE
/* Are keys enough, for the warp's rows? Then they are sorted, and written. */
CLF_INLINE bool clf_short_alone(const clf_arguments *a, clf_short *r, ulong to)
{
    bool exact = true;
    CLF_UNROLL for (uint k = 0; k < CLF_SHORT_EACH; ++k)
        exact &= clf_key_is_exact(r->keys[k]);
    if (a->how & CLF_TOP_UNSORTED || clf_ballot(!exact) != 0)
        return false;
    clf_network_8_alone(r->keys, r->lanes);
    CLF_UNROLL for (uint k = 0; k < CLF_SHORT_EACH; ++k)
        if (clf_short_place(r, k) < r->wanted)
            clf_output_at(&a->out, to + clf_short_place(r, k), clf_key_value(r->keys[k]));
    return true;
}
#endif

/* Sorts what was loaded, and writes what is wanted of it, from result `to` on. */
CLF_INLINE void clf_short_finish(const clf_arguments *a, const clf_source *from, clf_short *r, ulong to)
{
#if CLF_KEY_IS_VALUE
    if (clf_short_alone(a, r, to))
        return;
#endif
    clf_network_8(r->keys, r->ats, r->lanes);
    if (a->how & CLF_TOP_UNSORTED)
        clf_short_unsort(r);
    CLF_UNROLL for (uint k = 0; k < CLF_SHORT_EACH; ++k)
        if (clf_short_place(r, k) < r->wanted)
            clf_output_at(&a->out, to + clf_short_place(r, k), clf_source_value(from, r->ats[k]));
}

CLF_INLINE void clf_top_short_body(const clf_arguments *a, __local clf_top_short_storage *s)
{
    const ulong row = get_global_id(0) >> a->chunks;
    clf_source from;
    clf_short r;
    clf_source_begin(a, false, row * a->size, &from);
    r.lanes = 1u << a->chunks;
    r.lane = clf_lane_id() & (r.lanes - 1);
    r.size = row < a->count ? (uint)a->size : 0;
    r.wanted = (uint)clf_work_results(a, r.size);
    clf_short_load(&from, &r);
    clf_short_finish(a, &from, &r, row * r.wanted);
}

#else

CLF_INLINE void clf_top_short_body(const clf_arguments *a, __local clf_top_short_storage *s)
{
    clf_rank_striding(a, false, (uint)a->size);
}

#endif
