/* SPDX-License-Identifier: MIT */
/*
 * is_sorted_cpu: the first element that is less than the one before it (is_sorted.cl), in a range by each work-item.
 * Blocks of CLF_ITEMS are only asked whether there is one, which compilers make vectors of.
 *
 * needs: CLF_ITEMS
 * provides: sorted share
 */
#include "merge/is_sorted.cl"

static inline bool clf_has_descent(const clf_arguments *a, ulong from, ulong end)
{
    uint any = 0;
    for (ulong i = from; i < end; ++i)
        any |= clf_is_descent(a, i);
    return any != 0;
}

static inline ulong clf_is_sorted_share(const clf_arguments *a)
{
    const ulong share = (a->size + get_num_groups(0) - 1) / get_num_groups(0), begin = get_group_id(0) * share;
    const ulong end = min(begin + share, a->size);
    ulong at = max(begin, 1ul);
    while (at < end && !clf_has_descent(a, at, min(at + CLF_ITEMS, end)))
        at += CLF_ITEMS;
    while (at < end && !clf_is_descent(a, at))
        ++at;
    return at < end ? at : a->size;
}
