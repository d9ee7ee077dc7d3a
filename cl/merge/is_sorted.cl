/* SPDX-License-Identifier: MIT */
/*
 * is_sorted: how many elements are sorted from the start: the index of the first one that is less than the one before
 * it. Groups stride over the elements and leave the least index that they found in scratch. Then one group takes the
 * minimum. A single group writes the result at once.
 *
 *   scratch   ulong: what group 0 found | group 1 | …      the number of elements: nothing
 *
 * needs: sorted share, a->groups, a->result
 * provides: clf_is_descent, clf_is_sorted_groups_body, clf_is_sorted_result_body
 */
#include "device/lane.cl"
#include "memory/wrapper.cl"

typedef struct {
    ulong least[CLF_GROUP];
} clf_least_storage;
typedef clf_least_storage clf_is_sorted_groups_storage;
typedef clf_least_storage clf_is_sorted_result_storage;

/* Whoever includes this file defines it: what a work-item finds in its share of the elements. */
static inline ulong clf_is_sorted_share(const clf_arguments *a);

static inline bool clf_is_descent(const clf_arguments *a, ulong i)
{
    return clf_is_less(clf_input_at(&a->in, i), clf_input_at(&a->in, i - 1) CLF_LESS_A);
}

/* The least of all work-items', right for the first. */
static inline ulong clf_least_of_group(ulong least, __local clf_least_storage *s)
{
    s->least[clf_local_id()] = least;
    CLF_LOOP for (uint step = 1; step < CLF_GROUP; step *= 2) {
        clf_group_sync();
        if ((clf_local_id() & (2 * step - 1)) == 0 && clf_local_id() + step < CLF_GROUP)
            s->least[clf_local_id()] = min(s->least[clf_local_id()], s->least[clf_local_id() + step]);
    }
    return s->least[clf_local_id()];
}

CLF_INLINE void clf_is_sorted_groups_body(const clf_arguments *a, __local clf_is_sorted_groups_storage *s)
{
    const ulong least = clf_least_of_group(clf_is_sorted_share(a), s);
    if (clf_local_id() == 0) {
        if (get_num_groups(0) == 1)
            a->result[0] = least;
        else
            ((__global ulong *)a->scratch)[get_group_id(0)] = least;
    }
}

CLF_INLINE void clf_is_sorted_result_body(const clf_arguments *a, __local clf_is_sorted_result_storage *s)
{
    ulong least = a->size;
    for (uint k = clf_local_id(); k < a->groups; k += CLF_GROUP)
        least = min(least, ((__global const ulong *)a->scratch)[k]);
    least = clf_least_of_group(least, s);
    if (clf_local_id() == 0)
        a->result[0] = least;
}
