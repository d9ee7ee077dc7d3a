/* SPDX-License-Identifier: MIT */
/*
 * merge_cpu: a tile of results by one work-item. Nothing branches on what is compared: as long as neither piece can
 * end, that is for as many steps as the shorter one has elements left, each step takes one of two elements.
 */
#include "merge/path.cl"

typedef uchar clf_merge_cpu_storage; /* none needed */

#define CLF_MERGE_TAKE(f, type, move, bytes, name) a->out.p##f[at] = takes_first ? x.name : y.name;
static inline void clf_merge_step(const clf_arguments *a, clf_path_part *p, ulong at)
{
    const clf_input x = clf_input_at(&a->in, p->first), y = clf_input_at(&a->second_in, p->second);
    const bool takes_first = clf_comes_first(x, y);
    CLF_VALUE_FIELDS(CLF_MERGE_TAKE)
    p->first += takes_first;
    p->second += !takes_first;
}

#define CLF_MERGE_COPY(f, type, move, bytes, name) \
    CLF_LOOP for (ulong k = 0; k < count; ++k) \
        a->out.p##f[at + k] = from->p##f[first + k];
static inline void clf_merge_copy(const clf_arguments *a, const clf_inputs *from, ulong first, ulong count, ulong at)
{
    CLF_VALUE_FIELDS(CLF_MERGE_COPY)
}

static inline void clf_merge_cpu_body(const clf_arguments *a, __local clf_merge_cpu_storage *s)
{
    const ulong from = get_group_id(0) * (ulong)CLF_ITEMS, to = min(from + CLF_ITEMS, clf_path_total(a));
    clf_path_part p = clf_path_part_of(from, to, clf_bisect(a, from), clf_bisect(a, to));
    ulong at = from;
    while (p.first < p.first_end && p.second < p.second_end) {
        const ulong steps = min(p.first_end - p.first, p.second_end - p.second);
        for (ulong k = 0; k < steps; ++k)
            clf_merge_step(a, &p, at + k);
        at += steps;
    }
    clf_merge_copy(a, &a->in, p.first, p.first_end - p.first, at);
    clf_merge_copy(a, &a->second_in, p.second, p.second_end - p.second, at);
}
