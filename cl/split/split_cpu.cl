/* SPDX-License-Identifier: MIT */
/*
 * split_cpu: the same on CPU devices, where each work-group is one work-item (digit/digit_cpu.cl).
 *
 * needs: nothing
 * provides: clf_split_cpu_down_body, clf_split_cpu_up_body
 */
#include "split/part.cl"
#include "digit/digit_cpu.cl"

typedef clf_digit_cpu_up_storage clf_split_cpu_up_storage;
typedef clf_digit_cpu_down_storage clf_split_cpu_down_storage;

CLF_INLINE void clf_split_cpu_up_body(const clf_arguments *a, __local clf_split_cpu_up_storage *s)
{
    clf_digit_cpu_up_body(a, s);
}

CLF_INLINE void clf_split_cpu_down_body(const clf_arguments *a, __local clf_split_cpu_down_storage *s)
{
    clf_split_tell(a);
    clf_digit_cpu_down_body(a, s);
}
