/* SPDX-License-Identifier: MIT */
/*
 * merge_cpu: two sorted sequences merged, a tile by each work-item (path_cpu.cl).
 */
#include "merge/path_cpu.cl"

typedef uchar clf_merge_cpu_storage; /* none needed */

#define CLF_MERGE_TAKE(f, type, move, bytes, name) a->out.p##f[at] = takes_first ? x.name : y.name;
static inline void clf_path_step(const clf_arguments *a, clf_path_part *p)
{
    const ulong at = p->first + p->second;
    const clf_input x = clf_input_at(&a->in, p->first), y = clf_input_at(&a->second_in, p->second);
    const bool takes_first = clf_comes_first(x, y);
    CLF_VALUE_FIELDS(CLF_MERGE_TAKE)
    p->first += takes_first;
    p->second += !takes_first;
}

#define CLF_MERGE_COPY(f, type, move, bytes, name) \
    { \
        __global const type *const source = from->p##f + first; \
        __global type *const to = a->out.p##f + at; \
        for (ulong k = 0; k < count; ++k) \
            to[k] = source[k]; \
    }
static inline void clf_merge_copy(const clf_arguments *a, const clf_inputs *from, ulong first, ulong count, ulong at)
{
    CLF_VALUE_FIELDS(CLF_MERGE_COPY)
}

static inline void clf_path_finish(const clf_arguments *a, clf_path_part *p)
{
    const ulong at = p->first + p->second, firsts = p->first_end - p->first;
    clf_merge_copy(a, &a->in, p->first, firsts, at);
    clf_merge_copy(a, &a->second_in, p->second, p->second_end - p->second, at + firsts);
}

static inline void clf_merge_cpu_body(const clf_arguments *a, __local clf_merge_cpu_storage *s)
{
    clf_path_cpu_tile(a);
}
