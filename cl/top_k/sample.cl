/* SPDX-License-Identifier: MIT */
/*
 * sample: a threshold which, most probably, a few more than k elements are not after. It is the key of about rank k *
 * CLF_SAMPLE / size of a sample, plus some for its deviation. (src/primitives/top_k.c has the same numbers, for the
 * room.) One group; the sample is one key from each of CLF_SAMPLE equal parts of the input, somewhere in it.
 *
 * needs: a->control
 * provides: clf_top_sample_body
 */
#include "top_k/select.cl"

#if CLF_GROUP == 1
#define CLF_SAMPLE_EACH 2048
#define CLF_SAMPLE_LOOP CLF_LOOP
#elif CLF_KEY_BYTES > 4
#define CLF_SAMPLE_EACH (CLF_KEY_BYTES > 8 ? 8 : 16)
#define CLF_SAMPLE_LOOP CLF_UNROLL
#else
#define CLF_SAMPLE_EACH 32
#define CLF_SAMPLE_LOOP CLF_UNROLL /* keys stay in registers */
#endif
#define CLF_SAMPLE (CLF_GROUP * CLF_SAMPLE_EACH)

typedef clf_select_storage clf_top_sample_storage;

static inline ulong clf_sample_place(ulong size, uint i)
{
    const ulong begin = i * size / CLF_SAMPLE, end = (i + 1) * size / CLF_SAMPLE;
    const uint anywhere = (i * 0x9e3779b9u ^ i >> 7) * 0x85ebca6bu;
    return min(begin + ((end - begin) * (anywhere >> 8) >> 24), size - 1);
}

static inline uint clf_sample_rank(ulong k, ulong size)
{
    const float rank = (float)k * CLF_SAMPLE / (float)size, more = rank + 4 * sqrt(rank) + 4;
    return more < CLF_SAMPLE ? (uint)more : CLF_SAMPLE;
}

CLF_INLINE void clf_top_sample_body(const clf_arguments *a, __local clf_top_sample_storage *s)
{
    clf_key_bits keys[CLF_SAMPLE_EACH];
    clf_selection t;
    clf_work w;
    clf_work_begin(a, 0, &w);
    const ulong size = w.size;
    clf_selection_begin(size > 0 ? clf_sample_rank(clf_work_results(a, size), size) : 0, CLF_SAMPLE, &t);
    CLF_SAMPLE_LOOP for (uint k = 0; k < CLF_SAMPLE_EACH; k += CLF_TOP_AHEAD) {
        CLF_UNROLL for (uint j = 0; j < CLF_TOP_AHEAD; ++j)
            keys[k + j] = size > 0 ? clf_work_key(&w, clf_sample_place(size, (k + j) * CLF_GROUP + clf_local_id()))
                                   : (clf_key_bits)0;
    }
    CLF_LOOP for (uint pass = 0; pass < CLF_TOP_PASSES; ++pass) {
        clf_counts_clear(s);
        clf_top_run run = {0, 0};
        CLF_SAMPLE_LOOP for (uint k = 0; k < CLF_SAMPLE_EACH; ++k)
            if (!t.ended && clf_selection_has(&t, keys[k]))
                clf_top_run_add(&run, clf_top_digit(keys[k], pass), s);
        clf_top_run_end(&run, s);
        clf_group_sync();
        clf_selection_narrow_own(&t, pass, s);
    }
    if (clf_local_id() == 0)
        a->control[CLF_TOP_THRESHOLD] = clf_key_to_threshold(t.high);
}
