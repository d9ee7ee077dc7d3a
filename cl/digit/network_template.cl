/* SPDX-License-Identifier: MIT */
/*
 * network_template: neighbouring lanes sort keys, of which each has CLF_T in registers, alone or with indices. These
 * are Batcher's bitonic merges. Their first step is to compare with the mirrored place, so that all steps go up.
 * Included once for each CLF_T, a power of two, under the name CLF_T_NAME; leaves both undefined.
 *
 * NAME(keys, ats, lanes) sorts by keys, equal ones by indices; NAME_alone(keys, lanes) sorts keys alone. Each
 * team, a power of two of lanes, sorts its own; in the end a lane has CLF_T neighbours. NAME_join(keys, ats, alone,
 * lanes) does it where each lane has sorted its own.
 *
 * needs: CLF_T, CLF_T_NAME
 * provides: nothing
 */
#define CLF_T_PART(part) CLF_PASTE(CLF_T_NAME, part)

/* The place that is compared with place `k` in a step of places `apart`, the first one of a merge of `size`, or not. */
#define CLF_T_OTHER(k, apart, first) ((k) ^ ((first) ? 2 * (apart) - 1 : (apart)))

/* A step in each lane. `alone` is a constant: then there are no indices. */
CLF_INLINE void CLF_T_PART(_own)(clf_key_bits *keys, uint *ats, bool alone, uint apart, bool first)
{
    CLF_UNROLL for (uint k = 0; k < CLF_T; ++k) {
        const uint other = CLF_T_OTHER(k, apart, first) % CLF_T;
        if (k >= other)
            continue;
        const clf_key_bits key = keys[k], others = keys[other];
        if (alone) {
            keys[k] = CLF_KEY_MIN(key, others);
            keys[other] = CLF_KEY_MAX(key, others);
        } else {
            const uint at = ats[k], there = ats[other];
            const bool swap = clf_comes_before(others, there, key, at);
            keys[k] = swap ? others : key;
            keys[other] = swap ? key : others;
            ats[k] = swap ? there : at;
            ats[other] = swap ? at : there;
        }
    }
}

CLF_INLINE void CLF_T_PART(_alone_own)(clf_key_bits *keys, uint apart, bool first)
{
    CLF_T_PART(_own)(keys, 0, true, apart, first);
}

CLF_INLINE void CLF_T_PART(_take)(clf_key_bits *keys, uint *ats, bool alone, uint k, clf_key_bits key, uint at,
                                  bool upper)
{
    if (alone)
        keys[k] = upper ? CLF_KEY_MAX(keys[k], key) : CLF_KEY_MIN(keys[k], key);
    else if (clf_comes_before(key, at, keys[k], ats[k]) != upper) {
        keys[k] = key;
        ats[k] = at;
    }
}

/* A step with lane `other`; `first`: with the mirrored places there. Two at a time: few are on their way. */
CLF_INLINE void CLF_T_PART(_across)(clf_key_bits *keys, uint *ats, bool alone, uint other, bool first)
{
    const bool upper = clf_lane_id() > other;
    CLF_UNROLL for (uint k = 0; k < (CLF_T + 1) / 2; ++k) {
        const uint mate = CLF_T - 1 - k, from = first ? mate : k, to = first ? k : mate;
        const clf_key_bits key = clf_key_from(keys[from], other);
        const clf_key_bits mates = k < mate ? clf_key_from(keys[to], other) : key;
        const uint at = alone ? 0 : clf_word_from(ats[from], other);
        const uint mates_at = alone || k == mate ? at : clf_word_from(ats[to], other);
        CLF_T_PART(_take)(keys, ats, alone, k, key, at, upper);
        if (k < mate)
            CLF_T_PART(_take)(keys, ats, alone, mate, mates, mates_at, upper);
    }
}

/* Merges what each lane has in order. */
CLF_INLINE void CLF_T_PART(_join)(clf_key_bits *keys, uint *ats, bool alone, uint lanes)
{
    CLF_LOOP for (uint width = 2; width / 2 < lanes; width *= 2) {
        CLF_T_PART(_across)(keys, ats, alone, clf_lane_id() ^ (width - 1), true);
        CLF_LOOP for (uint apart = width / 4; apart > 0; apart /= 2)
            CLF_T_PART(_across)(keys, ats, alone, clf_lane_id() ^ apart, false);
        CLF_UNROLL for (uint apart = CLF_T / 2; apart > 0; apart /= 2)
            CLF_T_PART(_own)(keys, ats, alone, apart, false);
    }
}

CLF_INLINE void CLF_T_PART(_all)(clf_key_bits *keys, uint *ats, bool alone, uint lanes)
{
    CLF_UNROLL for (uint size = 2; size <= CLF_T; size *= 2)
        CLF_UNROLL for (uint apart = CLF_T / 2; apart > 0; apart /= 2)
            if (apart < size)
                CLF_T_PART(_own)(keys, ats, alone, apart, apart == size / 2);
    CLF_T_PART(_join)(keys, ats, alone, lanes);
}

CLF_INLINE void CLF_T_NAME(clf_key_bits *keys, uint *ats, uint lanes)
{
    CLF_T_PART(_all)(keys, ats, false, lanes);
}
CLF_INLINE void CLF_T_PART(_alone)(clf_key_bits *keys, uint lanes)
{
    CLF_T_PART(_all)(keys, 0, true, lanes);
}

#undef CLF_T
#undef CLF_T_NAME
#undef CLF_T_PART
#undef CLF_T_OTHER
