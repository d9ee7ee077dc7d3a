/* SPDX-License-Identifier: MIT */
/*
 * irregular_few: a few of each piece (piece.cl) by a unit, which keeps a list (few.cl).
 *
 * needs: a->how, a->pass
 * provides: clf_top_pieces_body
 */
#include "top_k/few.cl"
#include "top_k/piece.cl"

typedef clf_list_storage clf_top_pieces_storage;

CLF_INLINE void clf_top_pieces_body(const clf_arguments *a, __local clf_top_pieces_storage *s)
{
    clf_source from;
    clf_outputs to;
    clf_list list;
    clf_piece p;
    clf_few f;
    clf_piece_of_unit(a, get_group_id(0) * CLF_UNITS + clf_unit_id(), &p);
    if (CLF_LEAVES_EARLY && p.wanted == 0)
        return;
    const bool alike = a->how & CLF_TOP_UNSORTED;
    f.size = (uint)p.size;
    f.wanted = (uint)p.wanted;
    clf_source_begin(a, a->pass > 0, p.first, &from);
    clf_piece_outputs(a, &p, &to);
    clf_list_begin(f.wanted, s, &list);
    clf_few_list(&from, &f, alike ? f.wanted : clf_list_most(f.wanted), &list);
    clf_list_write(&from, &list, alike, &to, p.to);
}
