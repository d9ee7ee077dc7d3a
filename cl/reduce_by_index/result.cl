/* SPDX-License-Identifier: MIT */
/*
 * result: what a call of a reduction by index says, and how results are written.
 */
#include "memory/wrapper.cl"

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
#define CLF_BINS clf_bins /* for program/kernel_template.cl */

/* The result of bin i, counted through all rows. */
static inline void clf_bin_result(const clf_arguments *a, ulong i, clf_value v)
{
    if (a->how & CLF_INDEX_UPDATE)
        clf_output_at(&a->out, i, clf_combine(clf_result_at(&a->out, i), v));
    else
        clf_output_at(&a->out, i, v);
}
