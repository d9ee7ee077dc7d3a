/* SPDX-License-Identifier: MIT */
/*
 * network_template: neighbouring lanes sort keys, of which each has CLF_T in registers, alone or with indices. These
 * are Batcher's bitonic merges. Their first step is to compare with the mirrored place, so that all steps go up.
 * Included once for each CLF_T, a power of two, under the name CLF_T_NAME; leaves both undefined.
 *
 * NAME(keys, ats, lanes) sorts by keys, equal ones by indices; NAME_alone(keys, lanes) sorts keys alone. Each
 * team, a power of two of lanes, sorts its own; in the end a lane has CLF_T neighbours.
 *
 * needs: CLF_T, CLF_T_NAME
 * provides: nothing
 */
#define CLF_T_PART(part) CLF_PASTE(CLF_T_NAME, part)

/* The place that is compared with place `k` in a step of places `apart`, the first one of a merge of `size`, or not. */
#define CLF_T_OTHER(k, apart, first) ((k) ^ ((first) ? 2 * (apart) - 1 : (apart)))

/* ---- With indices --------------------------------------------------------------------------------------- */

/* A step in each lane. */
CLF_INLINE void CLF_T_PART(_own)(clf_key_bits *keys, uint *ats, uint apart, bool first)
{
    CLF_UNROLL for (uint k = 0; k < CLF_T; ++k) {
        const uint other = CLF_T_OTHER(k, apart, first) % CLF_T;
        if (k < other && clf_comes_before(keys[other], ats[other], keys[k], ats[k])) {
            const clf_key_bits key = keys[k];
            const uint at = ats[k];
            keys[k] = keys[other];
            ats[k] = ats[other];
            keys[other] = key;
            ats[other] = at;
        }
    }
}

/* A step with lane `other`; `first`: with the mirrored places there. */
CLF_INLINE void CLF_T_PART(_across)(clf_key_bits *keys, uint *ats, uint other, bool first)
{
    const bool upper = clf_lane_id() > other;
    clf_key_bits those[CLF_T];
    uint there[CLF_T];
    CLF_UNROLL for (uint k = 0; k < CLF_T; ++k) {
        those[k] = clf_key_from(keys[first ? CLF_T - 1 - k : k], other);
        there[k] = clf_word_from(ats[first ? CLF_T - 1 - k : k], other);
    }
    CLF_UNROLL for (uint k = 0; k < CLF_T; ++k)
        if (clf_comes_before(those[k], there[k], keys[k], ats[k]) != upper) {
            keys[k] = those[k];
            ats[k] = there[k];
        }
}

CLF_INLINE void CLF_T_NAME(clf_key_bits *keys, uint *ats, uint lanes)
{
    CLF_UNROLL for (uint size = 2; size <= CLF_T; size *= 2)
        CLF_UNROLL for (uint apart = CLF_T / 2; apart > 0; apart /= 2)
            if (apart < size)
                CLF_T_PART(_own)(keys, ats, apart, apart == size / 2);
    CLF_LOOP for (uint width = 2; width / 2 < lanes; width *= 2) {
        CLF_T_PART(_across)(keys, ats, clf_lane_id() ^ (width - 1), true);
        CLF_LOOP for (uint apart = width / 4; apart > 0; apart /= 2)
            CLF_T_PART(_across)(keys, ats, clf_lane_id() ^ apart, false);
        CLF_UNROLL for (uint apart = CLF_T / 2; apart > 0; apart /= 2)
            CLF_T_PART(_own)(keys, ats, apart, false);
    }
}

/* ---- Alone ---------------------------------------------------------------------------------------------- */

CLF_INLINE void CLF_T_PART(_alone_own)(clf_key_bits *keys, uint apart, bool first)
{
    CLF_UNROLL for (uint k = 0; k < CLF_T; ++k) {
        const uint other = CLF_T_OTHER(k, apart, first) % CLF_T;
        if (k < other) {
            const clf_key_bits key = keys[k];
            keys[k] = CLF_KEY_MIN(key, keys[other]);
            keys[other] = CLF_KEY_MAX(key, keys[other]);
        }
    }
}

CLF_INLINE void CLF_T_PART(_alone_across)(clf_key_bits *keys, uint other, bool first)
{
    const bool upper = clf_lane_id() > other;
    clf_key_bits those[CLF_T];
    CLF_UNROLL for (uint k = 0; k < CLF_T; ++k)
        those[k] = clf_key_from(keys[first ? CLF_T - 1 - k : k], other);
    CLF_UNROLL for (uint k = 0; k < CLF_T; ++k)
        keys[k] = upper ? CLF_KEY_MAX(keys[k], those[k]) : CLF_KEY_MIN(keys[k], those[k]);
}

CLF_INLINE void CLF_T_PART(_alone)(clf_key_bits *keys, uint lanes)
{
    CLF_UNROLL for (uint size = 2; size <= CLF_T; size *= 2)
        CLF_UNROLL for (uint apart = CLF_T / 2; apart > 0; apart /= 2)
            if (apart < size)
                CLF_T_PART(_alone_own)(keys, apart, apart == size / 2);
    CLF_LOOP for (uint width = 2; width / 2 < lanes; width *= 2) {
        CLF_T_PART(_alone_across)(keys, clf_lane_id() ^ (width - 1), true);
        CLF_LOOP for (uint apart = width / 4; apart > 0; apart /= 2)
            CLF_T_PART(_alone_across)(keys, clf_lane_id() ^ apart, false);
        CLF_UNROLL for (uint apart = CLF_T / 2; apart > 0; apart /= 2)
            CLF_T_PART(_alone_own)(keys, apart, false);
    }
}

#undef CLF_T
#undef CLF_T_NAME
#undef CLF_T_PART
#undef CLF_T_OTHER
