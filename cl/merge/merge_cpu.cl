/* SPDX-License-Identifier: MIT */
/*
 * merge_cpu: two sorted sequences merged, a tile by each work-item (path_cpu.cl).
 */
#include "merge/path_merge_cpu.cl"

typedef uchar clf_merge_cpu_storage; /* none needed */

CLF_INLINE void clf_merge_cpu_body(const clf_arguments *a, __local clf_merge_cpu_storage *s)
{
    clf_path_cpu_tile(a);
}
