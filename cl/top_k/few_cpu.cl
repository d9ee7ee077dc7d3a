/* SPDX-License-Identifier: MIT */
/*
 * few_cpu: a few of a row by a work-item, which keeps the best so far, sorted: most elements are compared with the
 * last of these, and no more.
 *
 * needs: a->how
 * provides: clf_best, clf_best_add, clf_best_unsort, clf_top_few_body
 */
#include "top_k/work.cl"

#define CLF_BEST_ROOM 64 /* src/primitives/top_k_shape.c: the largest k */

typedef uchar clf_top_few_storage; /* none needed */

/* The best elements so far of a row: keys in order, of equal ones the first first, and where they are. */
typedef struct {
    clf_key_bits key[CLF_BEST_ROOM];
    ulong at[CLF_BEST_ROOM];
} clf_best;

/* Puts in an element that comes before the last of `count`, which falls out if `full`. */
static inline void clf_best_add(clf_best *best, uint count, bool full, clf_key_bits key, ulong at)
{
    uint k = full ? count - 1 : count;
    for (; k > 0 && CLF_KEY_LESS(key, best->key[k - 1]); --k) {
        best->key[k] = best->key[k - 1];
        best->at[k] = best->at[k - 1];
    }
    best->key[k] = key;
    best->at[k] = at;
}

/* In the order of the input instead. */
static inline void clf_best_unsort(clf_best *best, uint count)
{
    for (uint i = 1; i < count; ++i) {
        const ulong at = best->at[i];
        uint k = i;
        for (; k > 0 && at < best->at[k - 1]; --k)
            best->at[k] = best->at[k - 1];
        best->at[k] = at;
    }
}

CLF_INLINE void clf_top_few_body(const clf_arguments *a, __local clf_top_few_storage *s)
{
    const ulong row = get_group_id(0);
    clf_best best;
    clf_work w;
    clf_work_begin(a, row, &w);
    const uint wanted = (uint)clf_work_results(a, w.size);
    if (wanted == 0)
        return;
    CLF_LOOP for (uint i = 0; i < wanted; ++i)
        clf_best_add(&best, i, false, clf_work_key(&w, i), i);
    clf_key_bits last = best.key[wanted - 1];
    CLF_LOOP for (ulong i = wanted; i < w.size; ++i) {
        const clf_key_bits key = clf_work_key(&w, i);
        if (CLF_KEY_LESS(key, last)) {
            clf_best_add(&best, wanted, true, key, i);
            last = best.key[wanted - 1];
        }
    }
    if (a->how & CLF_TOP_UNSORTED)
        clf_best_unsort(&best, wanted);
    CLF_LOOP for (uint i = 0; i < wanted; ++i)
        clf_output_at(&a->out, row * wanted + i, clf_work_value(&w, best.at[i]));
}
