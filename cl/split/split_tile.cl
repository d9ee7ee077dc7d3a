/* SPDX-License-Identifier: MIT */
/*
 * split_tile: a stable partition into up to 256 parts, each group with a tile: count, (scan,) scatter
 * (digit/digit_two_pass.cl).
 *
 * needs: nothing
 * provides: clf_split_down_body, clf_split_up_body
 */
#include "split/part.cl"
#include "digit/digit_two_pass.cl"

typedef clf_digit_up_storage clf_split_up_storage;
typedef clf_digit_down_storage clf_split_down_storage;

CLF_INLINE void clf_split_up_body(const clf_arguments *a, __local clf_split_up_storage *s)
{
    clf_digit_up_body(a, s);
}

CLF_INLINE void clf_split_down_body(const clf_arguments *a, __local clf_split_down_storage *s)
{
    if (get_num_groups(0) > 1 || a->size == 0)
        clf_split_tell(a);
    clf_digit_down_body(a, s);
}
