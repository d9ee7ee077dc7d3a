/* SPDX-License-Identifier: MIT */
/*
 * irregular_short: segments of few elements (piece.cl) by the lanes of short rows (short.cl): 2 ^ a->chunks of them
 * have up to eight elements each. Longer segments are left out. Without lanes there is nothing here.
 *
 * needs: a->chunks, a->results
 * provides: clf_top_shorts_body
 */
#include "top_k/piece.cl"
#include "top_k/short.cl"

typedef uchar clf_top_shorts_storage; /* none needed */

#if CLF_LANE_WIDTH > 1

/* The segment of the lane's team, where its results go, and the elements. */
CLF_INLINE ulong clf_shorts_begin(const clf_arguments *a, clf_source *from, clf_short *r)
{
    const ulong segment = get_global_id(0) >> a->chunks;
    const ulong length = segment < a->count ? clf_piece_length(a, segment) : 0;
    r->lanes = 1u << a->chunks;
    r->lane = clf_lane_id() & (r->lanes - 1);
    r->size = length <= CLF_SHORT_EACH * r->lanes ? (uint)length : 0;
    const ulong to = r->size > 0 ? a->results[segment] : 0;
    r->wanted = (uint)clf_work_results(a, r->size);
    r->wanted = clf_piece_fits(to, r->wanted, a->size) ? r->wanted : 0;
    clf_source_begin(a, false, r->size > 0 ? clf_piece_begin(a, segment) : 0, from);
    clf_short_load(from, r);
    return to;
}

CLF_INLINE void clf_top_shorts_body(const clf_arguments *a, __local clf_top_shorts_storage *s)
{
    clf_source from;
    clf_short r;
    const ulong to = clf_shorts_begin(a, &from, &r);
    clf_short_finish(a, &from, &r, to);
}

#else

CLF_INLINE void clf_top_shorts_body(const clf_arguments *a, __local clf_top_shorts_storage *s)
{
}

#endif
