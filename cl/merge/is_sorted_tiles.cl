/* SPDX-License-Identifier: MIT */
/*
 * is_sorted_tiles: the first element that is less than the one before it (is_sorted.cl), by groups that stride over
 * tiles. Each work-item loads CLF_ITEMS pairs at a time, and ends with the first tile where it finds one.
 *
 * needs: CLF_ITEMS
 * provides: sorted share
 */
#include "merge/is_sorted.cl"

static inline ulong clf_is_sorted_share(const clf_arguments *a)
{
    const ulong step = (ulong)CLF_GROUP * CLF_ITEMS * get_num_groups(0), last = a->size - 1;
    ulong least = a->size;
    CLF_LOOP for (ulong at = get_group_id(0) * (ulong)(CLF_GROUP * CLF_ITEMS) + clf_local_id();
                  at < a->size && least == a->size; at += step) {
        clf_input x[CLF_ITEMS], before[CLF_ITEMS];
        CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) {
            const ulong i = min(at + k * CLF_GROUP, last);
            x[k] = clf_input_at(&a->in, i);
            before[k] = clf_input_at(&a->in, i - (i > 0));
        }
        CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) {
            const ulong i = min(at + k * CLF_GROUP, last);
            if (i > 0 && clf_is_less(x[k], before[k] CLF_LESS_A))
                least = min(least, i);
        }
    }
    return least;
}
