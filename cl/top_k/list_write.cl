/* SPDX-License-Identifier: MIT */
/*
 * list_write: what is in a list (list.cl) is put in order, and the first ones are written.
 *
 * needs: nothing
 * provides: clf_list_most, clf_list_write
 */
#include "top_k/list.cl"
#include "top_k/network.cl"
#include "top_k/source.cl"

#if CLF_LANE_WIDTH > 1

/* How many entries can be put in order where `wanted` are wanted; with some more, which saves narrowing. */
static inline uint clf_list_most(uint wanted)
{
    uint most = CLF_LANE_WIDTH;
    while (most < CLF_LIST_ROOM / 2 && most < wanted + wanted / 4)
        most *= 2;
    return most;
}

#define CLF_T 1
#include "top_k/list_write_template.cl"
#define CLF_T 2
#include "top_k/list_write_template.cl"
#define CLF_T 4
#include "top_k/list_write_template.cl"
#define CLF_T 8
#include "top_k/list_write_template.cl"
#define CLF_T 16
#include "top_k/list_write_template.cl"

/* Writes the first ones to `out`, from `to` on: sorted, or if all keys are taken as alike in the order of the input. */
CLF_INLINE void clf_list_write(const clf_source *from, const clf_list *list, bool alike, const clf_outputs *out,
                               ulong to)
{
    const uint each = (list->found + CLF_LANE_WIDTH - 1) / CLF_LANE_WIDTH;
    if (each <= 1)
        clf_list_write_1(from, list, alike, out, to);
    else if (each <= 2)
        clf_list_write_2(from, list, alike, out, to);
    else if (CLF_LIST_STEP >= 4 && each <= 4)
        clf_list_write_4(from, list, alike, out, to);
    else if (CLF_LIST_STEP >= 8 && each <= 8)
        clf_list_write_8(from, list, alike, out, to);
    else if (CLF_LIST_STEP >= 16)
        clf_list_write_16(from, list, alike, out, to);
}

#else

/* What is too much is narrowed, which takes a while; to put more in order does, too. */
static inline uint clf_list_most(uint wanted)
{
    return min(wanted + 32, (uint)CLF_LIST_ROOM / 2);
}

/* Without lanes each entry counts how many come before it. */
CLF_INLINE void clf_list_write(const clf_source *from, const clf_list *list, bool alike, const clf_outputs *out,
                               ulong to)
{
    for (uint own = clf_unit_lane(); own < list->found; own += CLF_UNIT) {
        const clf_key_bits key = list->key[own];
        const uint at = list->at[own];
        uint place = 0;
        for (uint k = 0; k < list->found; ++k)
            place += alike ? list->at[k] < at : clf_comes_before(list->key[k], list->at[k], key, at);
        if (place < list->wanted)
            clf_output_at(out, to + place, clf_source_value(from, at));
    }
}

#endif
