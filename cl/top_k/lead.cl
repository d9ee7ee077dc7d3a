/* SPDX-License-Identifier: MIT */
/*
 * lead: a few of each short row, of values that are nothing but their keys. CLF_LEAD_LANES neighbouring lanes read a
 * row, each every so manieth element, CLF_LEAD at a time. These are sorted in registers, and the lane keeps the first
 * CLF_LEAD of them and of those before. In the end lanes join what they have, and all of them know the results. Zeros
 * and NaNs, whose keys do not tell all bits, are then read once more, in the order of the row.
 *
 * needs: nothing
 * provides: clf_top_lead_body
 */
#include "top_k/network.cl"
#include "top_k/source.cl"

typedef uchar clf_top_lead_storage; /* none needed */

#if CLF_LANE_WIDTH > 1 && CLF_KEY_IS_VALUE

/* src/primitives/top_k_shape.c has the same numbers. */
#define CLF_LEAD_LANES 4u /* of a row */
#define CLF_LEAD 16u      /* elements that each of them keeps */

/* A row, and what a lane has of it. */
typedef struct {
    clf_source from; /* the lane's first element */
    uint size, wanted;
    ulong to;
    clf_key_bits keys[CLF_LEAD], some[CLF_LEAD];
} clf_lead;

static inline uint clf_lead_lane(void)
{
    return clf_lane_id() % CLF_LEAD_LANES;
}

/* The lane's elements from `at` on; behind the last one what comes after all. Whole rows need no questions. */
CLF_INLINE void clf_lead_load(clf_lead *b, uint at)
{
    if (b->size - at >= CLF_LEAD * CLF_LEAD_LANES) {
        CLF_UNROLL for (uint k = 0; k < CLF_LEAD; ++k)
            b->some[k] = clf_source_key(&b->from, (ulong)at + k * CLF_LEAD_LANES);
    } else {
        CLF_UNROLL for (uint k = 0; k < CLF_LEAD; ++k) {
            const bool there = at + k * CLF_LEAD_LANES + clf_lead_lane() < b->size;
            b->some[k] = there ? clf_source_key(&b->from, (ulong)at + k * CLF_LEAD_LANES) : CLF_KEY_ONES;
        }
    }
}

/* A step of Batcher's merges, of odd places and of even ones, of runs of `run`: they compare less than bitonic ones. */
CLF_INLINE void clf_lead_step(clf_key_bits *keys, uint run, uint apart)
{
    CLF_UNROLL for (uint k = 0; k < CLF_LEAD; ++k)
        if (k >= apart % run && k + apart < CLF_LEAD && (k - apart % run) / apart % 2 == 0 &&
            k / (2 * run) == (k + apart) / (2 * run)) {
            const clf_key_bits key = keys[k], other = keys[k + apart];
            keys[k] = CLF_KEY_MIN(key, other);
            keys[k + apart] = CLF_KEY_MAX(key, other);
        }
}

CLF_INLINE void clf_lead_sort(clf_key_bits *keys)
{
    CLF_UNROLL for (uint run = 1; run < CLF_LEAD; run *= 2)
        CLF_UNROLL for (uint apart = CLF_LEAD / 2; apart > 0; apart /= 2)
            if (apart <= run)
                clf_lead_step(keys, run, apart);
}

/* The first ones of two sorted lists, one of which comes mirrored, ascend and then descend: a merge sorts them. */
CLF_INLINE void clf_lead_join(clf_lead *b)
{
    CLF_UNROLL for (uint k = 0; k < CLF_LEAD; ++k)
        b->keys[k] = CLF_KEY_MIN(b->keys[k], b->some[CLF_LEAD - 1 - k]);
    CLF_UNROLL for (uint apart = CLF_LEAD / 2; apart > 0; apart /= 2)
        clf_network_16_alone_own(b->keys, apart, false);
}

CLF_INLINE void clf_lead_find(clf_lead *b)
{
    CLF_UNROLL for (uint k = 0; k < CLF_LEAD; ++k)
        b->keys[k] = CLF_KEY_ONES;
    CLF_LOOP for (uint at = 0; at < b->size; at += CLF_LEAD * CLF_LEAD_LANES) {
        clf_lead_load(b, at);
        clf_lead_sort(b->some);
        if (at > 0)
            clf_lead_join(b);
        else
            CLF_UNROLL for (uint k = 0; k < CLF_LEAD; ++k)
                b->keys[k] = b->some[k];
    }
    CLF_LOOP for (uint d = 1; d < CLF_LEAD_LANES; d *= 2) {
        CLF_UNROLL for (uint k = 0; k < CLF_LEAD; ++k)
            b->some[k] = clf_key_from(b->keys[k], clf_lane_id() ^ d);
        clf_lead_join(b);
    }
}

/* Those results whose key is `key`: as many of the row's elements with it, the first ones. The whole warp calls it. */
CLF_INLINE void clf_lead_read(const clf_arguments *a, const clf_lead *b, clf_key_bits key)
{
    const uint first = clf_lane_id() - clf_lead_lane();
    uint place = 0, end = 0;
    CLF_UNROLL for (uint k = 0; k < CLF_LEAD; ++k) {
        place += k < b->wanted && CLF_KEY_LESS(b->keys[k], key);
        end += k < b->wanted && CLF_KEY_AT_MOST(b->keys[k], key);
    }
    CLF_LOOP for (uint at = 0; at < (uint)a->size; at += CLF_LEAD_LANES) {
        const bool there = at + clf_lead_lane() < b->size && place < end;
        const bool alike = there && CLF_KEY_EQUAL(clf_source_key(&b->from, at), key);
        const clf_mask all = clf_ballot(alike) >> first & ((1u << CLF_LEAD_LANES) - 1);
        const uint own = place + (uint)popcount(all & ((1u << clf_lead_lane()) - 1));
        if (alike && own < end)
            clf_output_at(&a->out, b->to + own, clf_source_value(&b->from, at));
        place += (uint)popcount(all);
    }
}

CLF_INLINE void clf_top_lead_body(const clf_arguments *a, __local clf_top_lead_storage *s)
{
    const ulong row = get_global_id(0) / CLF_LEAD_LANES;
    bool exact = true;
    clf_lead b;
    b.size = row < a->count ? (uint)a->size : 0;
    b.wanted = (uint)clf_work_results(a, b.size);
    b.to = row * b.wanted;
    clf_source_begin(a, false, row * a->size + clf_lead_lane(), &b.from);
    clf_lead_find(&b);
    CLF_UNROLL for (uint j = 0; j < CLF_LEAD / CLF_LEAD_LANES; ++j) {
        const uint k = j * CLF_LEAD_LANES + clf_lead_lane();
        clf_key_bits key = b.keys[j * CLF_LEAD_LANES];
        CLF_UNROLL for (uint l = 1; l < CLF_LEAD_LANES; ++l) { /* forgotten, or NVIDIA's compiler keeps an array */
            const clf_key_bits that = clf_key_forget(b.keys[j * CLF_LEAD_LANES + l]);
            key = clf_lead_lane() == l ? that : key;
        }
        exact &= k >= b.wanted || clf_key_is_exact(key);
        if (k < b.wanted && clf_key_is_exact(key))
            clf_output_at(&a->out, b.to + k, clf_key_value(key));
    }
    if (CLF_KEY_INVERTIBLE || clf_ballot(!exact) == 0)
        return;
    clf_lead_read(a, &b, clf_key_ordered((clf_key_bits)0)); /* zeros */
    clf_lead_read(a, &b, CLF_KEY_LAST);                     /* NaNs */
}

#else

CLF_INLINE void clf_top_lead_body(const clf_arguments *a, __local clf_top_lead_storage *s)
{
} /* not called */

#endif
