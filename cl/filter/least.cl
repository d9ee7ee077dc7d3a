/* SPDX-License-Identifier: MIT */
/*
 * least: a filter by keys: what is kept are the elements whose key is not behind the threshold, a->control[0]
 * (digit/order.cl). A top-k collects its candidates that way: few of all (CLF_BOUNDED, filter_tile.cl).
 *
 * needs: a->control
 * provides: bound, kept
 */
#include "digit/order.cl"

#define CLF_PAIRS 0
#define CLF_BOUNDED 1

static inline clf_key_bits clf_bound_of(const clf_arguments *a)
{
    return clf_key_bound(clf_key_of_threshold(a->control[0]));
}

static inline bool clf_is_within(const clf_arguments *a, clf_input x, ulong index, clf_key_bits bound)
{
    clf_extra none;
    const clf_value v = clf_value_copy(clf_map_at(a, x, index, &none));
    return clf_key_is_within(clf_value_key(v CLF_LESS_A), bound);
}

static inline bool clf_is_kept(const clf_arguments *a, clf_input before, clf_input x, ulong index)
{
    return clf_is_within(a, x, index, clf_bound_of(a));
}
