/* SPDX-License-Identifier: MIT */
/*
 * merge_cpu: two sorted sequences merged, a tile by each work-item (path_cpu.cl).
 *
 * needs: nothing
 * provides: clf_merge_cpu_body, path step, path words
 */
#include "merge/path_merge_cpu.cl"

static inline __global uint *clf_path_words(const clf_arguments *a, const clf_sequences *q)
{
    return (__global uint *)a->scratch;
}

#include "merge/path_mend.cl"

typedef uchar clf_merge_cpu_storage; /* none needed */

static inline void clf_path_ended(const clf_arguments *a, const clf_sequences *q, ulong to, const clf_path_end *e)
{
    clf_path_tell(a, q, get_group_id(0), e->first_end == e->next);
}

CLF_INLINE void clf_merge_cpu_body(const clf_arguments *a, __local clf_merge_cpu_storage *s)
{
    clf_path_cpu_tile(a);
}
