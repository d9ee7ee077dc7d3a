/* SPDX-License-Identifier: MIT */
/*
 * rank: sorts by counting: an element's place is how many of its row come before it. All but the first k of short rows
 * are left out (short.cl). Kernel "order" sorts results, which lie in a->second in the order of the input; a->chunks
 * work-items count for each, for few results would else keep few of them busy (on CPUs groups stride over all).
 *
 * needs: a->chunks
 * provides: clf_rank_striding, clf_top_order_body
 */
#include "top_k/work.cl"

/* An element and its row, which begins at `begin`. */
typedef struct {
    ulong row, begin;
    uint own, length;
} clf_rank;

static inline void clf_rank_begin(clf_work *w, ulong e, uint length, clf_rank *r)
{
    r->row = e / length;
    r->own = (uint)(e - r->row * length);
    r->length = length;
    w->first = w->collected ? 0 : r->row * length;
    r->begin = w->collected ? r->row * length : 0;
}

/* How many come before it, of those that part `part` of `parts` looks at; neighbouring parts look at neighbours. */
static inline uint clf_rank_count(const clf_work *w, const clf_rank *r, uint part, uint parts)
{
    const clf_key_bits key = clf_work_key(w, r->begin + r->own);
    uint place = 0;
    CLF_LOOP for (uint k = part; k < r->length; k += parts * CLF_TOP_AHEAD) {
        clf_key_bits others[CLF_TOP_AHEAD];
        CLF_UNROLL for (uint j = 0; j < CLF_TOP_AHEAD; ++j)
            others[j] = clf_work_key(w, r->begin + min(k + j * parts, r->length - 1));
        CLF_UNROLL for (uint j = 0; j < CLF_TOP_AHEAD; ++j) {
            const uint at = k + j * parts;
            place += at < r->length && (CLF_KEY_LESS(others[j], key) || (CLF_KEY_EQUAL(others[j], key) && at < r->own));
        }
    }
    return place;
}

static inline void clf_rank_write(const clf_work *w, const clf_rank *r, uint place)
{
    const ulong results = clf_work_results(w->a, w->a->size);
    if (place < results)
        clf_output_at(&w->a->out, r->row * results + place, clf_work_value(w, r->begin + r->own));
}

static inline void clf_rank_striding(const clf_arguments *a, bool results, uint length)
{
    clf_work w;
    w.a = a;
    w.collected = results;
    CLF_LOOP for (ulong e = get_global_id(0); e < a->count * length; e += get_global_size(0)) {
        clf_rank r;
        clf_rank_begin(&w, e, length, &r);
        clf_rank_write(&w, &r, clf_rank_count(&w, &r, 0, 1));
    }
}

/* ---- Order ---------------------------------------------------------------------------------------------- */

#if CLF_GROUP == 1
typedef uchar clf_top_order_storage;

CLF_INLINE void clf_top_order_body(const clf_arguments *a, __local clf_top_order_storage *s)
{
    clf_rank_striding(a, true, (uint)clf_work_results(a, a->size));
}
#else
typedef struct {
    uint places[CLF_GROUP];
} clf_top_order_storage;

CLF_INLINE void clf_top_order_body(const clf_arguments *a, __local clf_top_order_storage *s)
{
    const uint length = (uint)clf_work_results(a, a->size), parts = a->chunks, of_group = CLF_GROUP / parts;
    const uint part = clf_local_id() % parts;
    const ulong e = get_group_id(0) * of_group + clf_local_id() / parts;
    const bool has = clf_local_id() < of_group * parts && e < a->count * length;
    uint place = 0;
    clf_rank r;
    clf_work w;
    w.a = a;
    w.collected = true;
    if (has) {
        clf_rank_begin(&w, e, length, &r);
        place = clf_rank_count(&w, &r, part, parts);
    }
    s->places[clf_local_id()] = place;
    clf_group_sync();
    if (has && part == 0) {
        for (uint k = 1; k < parts; ++k)
            place += s->places[clf_local_id() + k];
        clf_rank_write(&w, &r, place);
    }
}
#endif
