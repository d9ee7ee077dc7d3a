/* SPDX-License-Identifier: MIT */
/*
 * irregular_row: many results of each piece (piece.cl), in the order of the input, by a group as for a row (row.cl).
 *
 * needs: a->pass
 * provides: clf_top_groups_body
 */
#include "top_k/piece.cl"
#include "top_k/row.cl"

typedef clf_top_row_storage clf_top_groups_storage;

/* Candidates that are read begin at the piece's first one. */
#define CLF_PIECE_READ(f, type, move, bytes, name) own.second.p##f += a->pass > 0 ? p->first : 0;
CLF_INLINE void clf_piece_by_group(const clf_arguments *a, const clf_piece *p, __local clf_top_groups_storage *s)
{
    clf_arguments own = *a;
    clf_selection t;
    clf_work w;
    clf_taken mine, before = {0, 0};
    clf_piece_outputs(a, p, &own.out);
    CLF_VALUE_FIELDS(CLF_PIECE_READ)
    w.a = &own;
    w.first = p->first;
    w.size = p->size;
    w.collected = a->pass > 0;
    clf_selection_begin(p->wanted, p->size, &t);
    clf_selection_by_group(&w, &t, &s->select);
    const clf_work_share share = clf_work_share_of_warp(clf_work_share_of(w.size, 0, 1, 1));
    clf_taken_count(&w, &t, share, &mine);
    if (clf_lane_id() == 0) {
        s->sure[clf_warp_id()] = mine.sure;
        s->some[clf_warp_id()] = mine.some;
    }
    clf_group_sync();
    clf_taken_add_warps(s->sure, s->some, clf_warp_id(), &before);
    clf_taken_write(&w, &t, share, before, p->to);
}

CLF_INLINE void clf_top_groups_body(const clf_arguments *a, __local clf_top_groups_storage *s)
{
    clf_piece p;
    clf_piece_of_unit(a, get_group_id(0), &p);
    if (CLF_LEAVES_EARLY && p.wanted == 0)
        return;
    clf_piece_by_group(a, &p, s);
}
