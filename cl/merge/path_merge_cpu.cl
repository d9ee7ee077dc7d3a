/* SPDX-License-Identifier: MIT */
/*
 * path_merge_cpu: the steps of a path on CPUs (path_cpu.cl) where results are the elements: a merge.
 *
 * needs: nothing
 * provides: clf_merge_copy, path step
 */
#include "merge/path_cpu.cl"

#define CLF_MERGE_TAKE(f, type, move, bytes, name) q->out.p##f[at] = takes_first ? x.name : y.name;
static inline bool clf_path_step(const clf_arguments *a, const clf_sequences *q, ulong first, ulong at)
{
    const clf_input x = clf_input_at(&q->first, first), y = clf_input_at(&q->second, at - first);
    const bool takes_first = clf_comes_first(x, y CLF_LESS_A);
    CLF_VALUE_FIELDS(CLF_MERGE_TAKE)
    return takes_first;
}

#define CLF_MERGE_COPY(f, type, move, bytes, name) \
    { \
        __global const type *const source = from->p##f + first; \
        __global type *const to = q->out.p##f + at; \
        for (ulong k = 0; k < count; ++k) \
            to[k] = source[k]; \
    }
static inline void clf_merge_copy(const clf_sequences *q, const clf_inputs *from, ulong first, ulong count, ulong at)
{
    CLF_VALUE_FIELDS(CLF_MERGE_COPY)
}

static inline void clf_path_finish(const clf_arguments *a, const clf_sequences *q, clf_path_part *p)
{
    const ulong at = p->first + p->second, firsts = p->first_end - p->first;
    clf_merge_copy(q, &q->first, p->first, firsts, at);
    clf_merge_copy(q, &q->second, p->second, p->second_end - p->second, at + firsts);
}
