/* SPDX-License-Identifier: MIT */
/*
 * merge_sort_keys: a merge sort (merge_sort_tiles.cl) in the order of keys. Sorts of few values use it, because it
 * takes fewer launches than a radix sort.
 *
 * needs: nothing
 * provides: order
 */
#include "digit/order.cl"

#define CLF_IS_ORDER 1

static inline bool clf_is_less(clf_input a, clf_input b CLF_LESS_PARAMETER)
{
    return CLF_KEY_LESS(clf_key_ordered(clf_value_key(a CLF_LESS_C)), clf_key_ordered(clf_value_key(b CLF_LESS_C)));
}

#include "merge/merge_sort_tiles.cl"
