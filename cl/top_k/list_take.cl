/* SPDX-License-Identifier: MIT */
/*
 * list_take: what goes into a list (list.cl): elements, so many of each work-item at a time.
 *
 * needs: nothing
 * provides: clf_list_bound, CLF_LIST_MANY, clf_list_take_many, clf_list_take_room, clf_list_take_step, clf_unit_number
 */
#include "top_k/list.cl"
#include "top_k/source.cl"

/* For how many work-items of the unit it is true. */
static inline uint clf_unit_number(bool x, __local clf_count_totals *totals)
{
    return CLF_LANE_WIDTH > 1 ? (uint)popcount(clf_ballot(x)) : clf_unit_sum(x, totals);
}

/* A limit for keys of which work-items know their first one, and the least ones of some of their elements each. */
CLF_INLINE clf_key_bits clf_list_bound(const clf_key_bits least[CLF_SEARCHED], clf_key_bits first, uint most,
                                       const clf_list *list)
{
    uint reached;
#if CLF_LANE_WIDTH > 1
    if (list->wanted <= CLF_LANE_WIDTH / 2)
        return clf_lanes_ranked(first, list->wanted - 1);
#endif
    return clf_search_keys(least, list->wanted, (list->wanted + most) / 2, list->totals, &reached);
}

/* A step always has room, if the list is not longer than half of it. */
#define CLF_T CLF_LIST_STEP
#define CLF_T_NAME clf_list_take_step
#include "top_k/list_take_template.cl"
#define CLF_T CLF_LIST_EACH
#define CLF_T_NAME clf_list_take_room
#include "top_k/list_take_template.cl"
#define CLF_LIST_MANY ((CLF_KEY_BYTES > 8 ? 8 : CLF_KEY_BYTES > 4 ? 16 : 32) / (CLF_LANE_WIDTH > 1 ? 1 : 2))
#define CLF_T CLF_LIST_MANY
#define CLF_T_NAME clf_list_take_many
#include "top_k/list_take_template.cl"
