/* SPDX-License-Identifier: MIT */
/*
 * list_take_template: elements are put into a list (list.cl). Included once for each number of keys that a work-item
 * has in registers at a time, CLF_T, under the name CLF_T_NAME; leaves both undefined.
 *
 * Where elements of every work-item pass, their keys tell a tighter limit first: one that at least `wanted` of them are
 * not greater than, found by the least keys of some of a work-item's elements each, which are fewer.
 *
 * needs: CLF_T, CLF_T_NAME
 * provides: nothing
 */
/*
 * Takes the elements from `at` on, CLF_T * CLF_UNIT of them or until `size`. If the list has no room for those that
 * pass it takes none, and returns false.
 */
CLF_INLINE bool CLF_T_NAME(const clf_source *from, uint at, uint size, uint most, clf_list *list)
{
    clf_key_bits keys[CLF_T], least[CLF_SEARCHED];
    const uint rest = min(size - at, (uint)(CLF_T * CLF_UNIT)), lane = clf_unit_lane();
    const uint own = rest > lane ? (rest - lane - 1) / CLF_UNIT + 1 : 0, there = own < 32 ? (1u << own) - 1 : ~0u;
    if (rest == CLF_T * CLF_UNIT) {
        CLF_UNROLL for (uint j = 0; j < CLF_T; ++j)
            keys[j] = clf_source_key(from, (ulong)at + lane + j * CLF_UNIT);
    } else {
        CLF_UNROLL for (uint j = 0; j < CLF_T; ++j)
            keys[j] = there >> j & 1 ? clf_source_key(from, (ulong)at + lane + j * CLF_UNIT) : CLF_KEY_ONES;
    }
    CLF_UNROLL for (uint k = 0; k < CLF_SEARCHED; ++k)
        least[k] = k < CLF_T ? keys[k % CLF_T] : CLF_KEY_ONES;
    CLF_UNROLL for (uint j = CLF_SEARCHED; j < CLF_T; ++j)
        least[j % CLF_SEARCHED] = CLF_KEY_MIN(least[j % CLF_SEARCHED], keys[j]);
    clf_key_bits first = least[0];
    CLF_UNROLL for (uint k = 1; k < CLF_SEARCHED; ++k)
        first = CLF_KEY_MIN(first, least[k]);
    const uint passing = clf_unit_number(CLF_KEY_AT_MOST(first, list->limit), list->totals);
    if (passing == 0)
        return true;
    const bool bounded = passing == CLF_UNIT && rest > most;
    if (bounded)
        list->limit = CLF_KEY_MIN(list->limit, clf_list_bound(least, first, most, list));

    uint bits = 0, found;
    CLF_UNROLL for (uint j = 0; j < CLF_T; ++j)
        bits |= (uint)CLF_KEY_AT_MOST(keys[j], list->limit) << j;
    bits &= there;
    uint place = list->found + clf_unit_place((uint)popcount(bits), list->totals, &found);
    if (list->found + found > CLF_LIST_ROOM)
        return false;
    CLF_UNROLL for (uint j = 0; j < CLF_T; ++j)
        if (bits >> j & 1) {
            list->key[place] = keys[j];
            list->at[place++] = at + lane + j * CLF_UNIT;
        }
    list->found += found;
    if (bounded && found >= list->wanted)
        clf_list_tighten(list, list->limit);
    clf_unit_sync();
    return true;
}

#undef CLF_T
#undef CLF_T_NAME
