/* SPDX-License-Identifier: MIT */
/*
 * bounds_cpu: bounds of sorted needles, a tile of haystack and needles by each work-item (path_cpu.cl). Each step
 * writes the position of the next needle, right or not yet, and goes on by one element of either.
 *
 * needs: a->positions
 * provides: clf_bounds_cpu_body, path step
 */
#include "merge/path_cpu.cl"

typedef uchar clf_bounds_cpu_storage; /* none needed */

static inline bool clf_path_step(const clf_arguments *a, const clf_sequences *q, ulong first, ulong at)
{
    a->positions[at - first] = first;
    return clf_comes_first(clf_input_at(&q->first, first), clf_input_at(&q->second, at - first) CLF_LESS_A);
}

static inline void clf_path_finish(const clf_arguments *a, const clf_sequences *q, clf_path_part *p)
{
    for (; p->second < p->second_end; ++p->second)
        a->positions[p->second] = p->first;
}

/* Needles that the next tile does not begin with, and this one did not meet. */
static inline void clf_path_ended(const clf_arguments *a, const clf_sequences *q, ulong to, const clf_path_end *e)
{
    for (ulong needle = to - e->first_end; needle < to - e->next; ++needle)
        a->positions[needle] = e->first_end;
}

CLF_INLINE void clf_bounds_cpu_body(const clf_arguments *a, __local clf_bounds_cpu_storage *s)
{
    clf_path_cpu_tile(a);
}
