/* SPDX-License-Identifier: MIT */
/*
 * irregular_few_cpu: a few of each piece (piece.cl), a->chunks neighbouring pieces by a work-item (few_cpu.cl).
 *
 * needs: a->chunks, a->how, a->pass
 * provides: clf_top_pieces_body
 */
#include "top_k/few_cpu.cl"
#include "top_k/piece.cl"

typedef uchar clf_top_pieces_storage; /* none needed */

static inline void clf_best_of_piece(const clf_arguments *a, const clf_piece *p)
{
    const uint wanted = (uint)p->wanted;
    clf_source from;
    clf_outputs to;
    clf_best best;
    if (wanted == 0)
        return;
    clf_source_begin(a, a->pass > 0, p->first, &from);
    clf_piece_outputs(a, p, &to);
    CLF_LOOP for (uint i = 0; i < wanted; ++i)
        clf_best_add(&best, i, false, clf_source_key(&from, i), i);
    clf_key_bits last = best.key[wanted - 1];
    CLF_LOOP for (ulong i = wanted; i < p->size; ++i) {
        const clf_key_bits key = clf_source_key(&from, i);
        if (CLF_KEY_LESS(key, last)) {
            clf_best_add(&best, wanted, true, key, i);
            last = best.key[wanted - 1];
        }
    }
    if (a->how & CLF_TOP_UNSORTED)
        clf_best_unsort(&best, wanted);
    CLF_LOOP for (uint i = 0; i < wanted; ++i)
        clf_output_at(&to, p->to + i, clf_source_value(&from, best.at[i]));
}

CLF_INLINE void clf_top_pieces_body(const clf_arguments *a, __local clf_top_pieces_storage *s)
{
    __global const ulong *const list = clf_piece_list(a);
    const ulong all = list[a->count], begin = min((ulong)get_group_id(0) * a->chunks, all);
    const ulong end = min(begin + a->chunks, all);
    ulong segment = clf_piece_segment(list, 0, a->count, begin);
    CLF_LOOP for (ulong unit = begin; unit < end; ++unit) {
        clf_piece p;
        CLF_LOOP for (; segment + 1 < a->count && list[segment + 1] <= unit;)
            ++segment;
        clf_piece_of(a, segment, unit - list[segment], &p);
        clf_best_of_piece(a, &p);
    }
}
