/* SPDX-License-Identifier: MIT */
/*
 * bounds_cpu: bounds of sorted needles, a tile of haystack and needles by one work-item. Nothing branches on what is
 * compared: each step writes the position of the next needle, right or not yet, and goes on by one element of either.
 */
#include "merge/path.cl"

typedef uchar clf_bounds_cpu_storage; /* none needed */

static inline void clf_bounds_cpu_body(const clf_arguments *a, __local clf_bounds_cpu_storage *s)
{
    const ulong from = get_group_id(0) * (ulong)CLF_ITEMS, to = min(from + CLF_ITEMS, clf_path_total(a));
    clf_path_part p = clf_path_part_of(from, to, clf_bisect(a, from), clf_bisect(a, to));
    while (p.first < p.first_end && p.second < p.second_end) {
        const ulong steps = min(p.first_end - p.first, p.second_end - p.second);
        for (ulong k = 0; k < steps; ++k) {
            const bool takes_first =
                clf_comes_first(clf_input_at(&a->in, p.first), clf_input_at(&a->second_in, p.second));
            a->positions[p.second] = p.first;
            p.first += takes_first;
            p.second += !takes_first;
        }
    }
    for (; p.second < p.second_end; ++p.second)
        a->positions[p.second] = p.first;
}
