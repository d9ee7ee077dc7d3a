/* SPDX-License-Identifier: MIT */
/*
 * result: what a call of a reduction by index says, and how results are written.
 *
 * needs: a->bins_high, a->bins_low, a->how
 * provides: clf_bin_result, clf_bins, CLF_INDEX_*, clf_result_get, clf_result_put, lengths
 */
#include "reduce_by_index/code.cl"

/* Bits of a->how. */
enum {
    CLF_INDEX_UPDATE = 1,
    CLF_INDEX_DIRECT = 2,
    CLF_INDEX_SCATTER = 4, /* work-items keep nothing: the device's atomics for the operator are as fast (walk.cl) */
    CLF_INDEX_HOT = 8      /* bins that have many elements are looked for (hot.cl) */
};

static inline ulong clf_bins(const clf_arguments *a)
{
    return (ulong)a->bins_high << 32 | a->bins_low;
}
#undef CLF_BINS
#define CLF_BINS clf_bins /* for program/kernel_template.cl */

/* Results of extremes are codes in here (code.cl). None is read where the operator has `finish`. */
static inline clf_value clf_result_get(const clf_arguments *a, ulong i)
{
    return CLF_FINISHED(clf_neutral(), clf_code_bits(clf_result_at(&a->out, i)));
}

static inline void clf_result_put(const clf_arguments *a, ulong i, clf_value v)
{
    clf_output_at(&a->out, i, CLF_FINISHED(clf_finish_sum(a, clf_decode(v), i), clf_decode(v)));
}

/* Has v the bits of the neutral element, as where no element came? */
static inline bool clf_is_neutral(clf_value v)
{
    uint w[CLF_VALUE_WORDS], neutral[CLF_VALUE_WORDS], differ = 0;
    clf_pack(v, w);
    clf_pack(clf_neutral(), neutral);
    CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k)
        differ |= w[k] ^ neutral[k];
    return !differ;
}

/* What came to bin i, counted through all rows. To one that is updated nothing is done where nothing came. */
static inline void clf_bin_result(const clf_arguments *a, ulong i, clf_value v)
{
    if (!(a->how & CLF_INDEX_UPDATE))
        clf_result_put(a, i, v);
    else if (!clf_is_neutral(v))
        clf_result_put(a, i, clf_combine(clf_result_get(a, i), v));
}
