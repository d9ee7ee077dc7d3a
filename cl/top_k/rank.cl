/* SPDX-License-Identifier: MIT */
/*
 * rank: sorts by counting: an element's place is how many of its row come before it. Of results, which lie in a->second
 * in the order of the input (CLF_TOP_OF_RESULTS); or of short rows of the input, of which then all but the first k are
 * left out. Groups stride over all elements.
 */
#include "top_k/work.cl"

typedef uchar clf_top_rank_storage; /* none needed */

static inline void clf_top_rank_body(const clf_arguments *a, __local clf_top_rank_storage *s)
{
    const ulong results = clf_work_results(a, a->size);
    const ulong length = a->how & CLF_TOP_OF_RESULTS ? results : a->size;
    clf_work w;
    w.a = a;
    w.collected = (a->how & CLF_TOP_OF_RESULTS) != 0;
    CLF_LOOP for (ulong e = get_global_id(0); e < a->count * length; e += get_global_size(0)) {
        const ulong row = e / length;
        const uint own = (uint)(e - row * length);
        uint place = 0;
        w.first = w.collected ? 0 : row * length;
        const ulong begin = w.collected ? row * length : 0;
        const clf_value value = clf_work_value(&w, begin + own);
        const clf_key_bits key = clf_key_ordered(clf_value_key(value));
        for (uint k = 0; k < (uint)length; ++k) {
            const clf_key_bits other = clf_work_key(&w, begin + k);
            place += other < key || (other == key && k < own);
        }
        if (place < results)
            clf_output_at(&a->out, row * results + place, value);
    }
}
