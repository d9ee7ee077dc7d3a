/* SPDX-License-Identifier: MIT */
/*
 * least: a filter by keys: what is kept are the elements whose key is not behind the threshold, a->control[0]
 * (digit/order.cl). A top-k collects its candidates that way.
 */
#include "digit/order.cl"

#define CLF_PAIRS 0
static inline bool clf_is_kept(const clf_arguments *a, clf_input before, clf_input x, ulong index)
{
    clf_extra none;
    const clf_value v = clf_value_copy(clf_map_at(a, x, index, &none));
    return clf_key_ordered(clf_value_key(v)) <= (clf_key_bits)a->control[0];
}
