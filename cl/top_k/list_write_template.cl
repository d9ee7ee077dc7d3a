/* SPDX-License-Identifier: MIT */
/*
 * list_write_template: a warp puts a list (list.cl) in order, of which each lane has CLF_T entries, and writes the
 * first ones to `out`, from `to` on. Included once for each CLF_T, a power of two, which it leaves undefined.
 *
 * needs: nothing
 * provides: nothing
 */

/* In the order of keys, or if all are to be taken as `alike` in that of the input. */
CLF_INLINE void CLF_PASTE(clf_list_write_, CLF_T)(const clf_source *from, const clf_list *list, bool alike,
                                                  const clf_outputs *out, ulong to)
{
    const uint lane = clf_lane_id(), lanes = CLF_T == 1 ? list->found : CLF_LANE_WIDTH;
    clf_key_bits keys[CLF_T];
    uint ats[CLF_T];
    CLF_UNROLL for (uint k = 0; k < CLF_T; ++k) {
        const uint own = k * CLF_LANE_WIDTH + lane;
        const bool there = own < list->found;
        keys[k] = !there ? CLF_KEY_ONES : alike ? (clf_key_bits)0 : list->key[own];
        ats[k] = there ? list->at[own] : ~0u;
    }
    clf_lane_sync();
#if CLF_KEY_IS_VALUE
    bool exact = true;
    CLF_UNROLL for (uint k = 0; k < CLF_T; ++k)
        exact &= clf_key_is_exact(keys[k]);
    if (!alike && clf_ballot(!exact) == 0) {
        CLF_PASTE(CLF_PASTE(clf_network_, CLF_T), _alone)(keys, lanes);
        CLF_UNROLL for (uint k = 0; k < CLF_T; ++k)
            list->key[lane * CLF_T + k] = keys[k];
        clf_lane_sync();
        for (uint own = lane; own < list->wanted; own += CLF_LANE_WIDTH)
            clf_output_at(out, to + own, clf_key_value(list->key[own]));
        return;
    }
#endif
    CLF_PASTE(clf_network_, CLF_T)(keys, ats, lanes);
    CLF_UNROLL for (uint k = 0; k < CLF_T; ++k)
        list->at[lane * CLF_T + k] = ats[k];
    clf_lane_sync();
    for (uint own = lane; own < list->wanted; own += CLF_LANE_WIDTH)
        clf_output_at(out, to + own, clf_source_value(from, list->at[own]));
}

#undef CLF_T
