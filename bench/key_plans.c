/* SPDX-License-Identifier: MIT */
/* Plans of primitives on keys: they know the type by the sum of it that they are given. */
#include "rows.h"

#include <string.h>

/* ---- Operators ------------------------------------------------------------------------------------------------- */

/* Each from the fields of a key; `value` is room for those of another. */
enum { VALUE = 64 };

static clf_operator keys(const char *key, char value[VALUE])
{
    (void)value;
    return (clf_operator){.size = sizeof(clf_operator), .value = key};
}

static clf_operator pairs(const char *key, char value[VALUE])
{
    value[0] = '\0';
    strncat(strncat(value, key, VALUE - 20), " uint place;", 20);
    return (clf_operator){.size = sizeof(clf_operator), .value = value};
}

/* Numbers by their low bits alone. */
static clf_operator low_bytes(const char *key, char value[VALUE])
{
    clf_operator op = keys(key, value);
    op.key = "uchar low";
    op.source = "uchar low(clf_value x) { return (uchar)x.v; }";
    return op;
}

/* Places are no input: the first pass makes them. */
static clf_operator indices(const char *key, char value[VALUE])
{
    clf_operator op = pairs(key, value);
    op.input = key;
    op.map = "at";
    op.source = "clf_value at(clf_input x, ulong i) { clf_value y; y.v = x.v; y.place = (uint)i; return y; }";
    return op;
}

static clf_operator with_order(clf_operator op)
{
    op.less = "below";
    op.source = "bool below(clf_input a, clf_input b) { return a.v < b.v; }";
    return op;
}

static clf_operator ordered_keys(const char *key, char value[VALUE])
{
    return with_order(keys(key, value));
}

static clf_operator ordered_pairs(const char *key, char value[VALUE])
{
    return with_order(pairs(key, value));
}

/* ---- Primitives ------------------------------------------------------------------------------------------------ */

static clf_status irregular_sort_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                      const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    const clf_segmentation offsets = {sizeof offsets, CLF_BY_OFFSETS, CLF_UINT};
    return clf_irregular_sort_plan(context, op, &offsets, flags, options, plan, error);
}

static clf_status top_k_unsorted_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                      const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return clf_top_k_plan(context, op, flags | CLF_UNSORTED, options, plan, error);
}

static clf_status bounds_plan(clf_context *context, const clf_operator *op, unsigned flags,
                              const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return clf_bounds_plan(context, op, CLF_UINT, flags, options, plan, error);
}

#define PLAN(name, make, operator_of)                                                                                  \
    clf_status bench_##name##_plan(clf_context *context, const clf_operator *op, unsigned flags,                       \
                                   const clf_plan_options *options, clf_plan **plan, clf_error *error)                 \
    {                                                                                                                  \
        char value[VALUE];                                                                                             \
        const clf_operator own = operator_of(op->value, value);                                                        \
        return make(context, &own, flags, options, plan, error);                                                       \
    }
PLAN(sort, clf_sort_plan, keys)
PLAN(sort_pairs, clf_sort_plan, pairs)
PLAN(sort_indices, clf_sort_plan, indices)
PLAN(sort_low8, clf_sort_plan, low_bytes)
PLAN(segmented_sort, clf_segmented_sort_plan, keys)
PLAN(segmented_sort_pairs, clf_segmented_sort_plan, pairs)
PLAN(irregular_sort, irregular_sort_plan, keys)
PLAN(top_k, clf_top_k_plan, keys)
PLAN(top_k_unsorted, top_k_unsorted_plan, keys)
PLAN(merge_sort, clf_merge_sort_plan, ordered_keys)
PLAN(merge_sort_pairs, clf_merge_sort_plan, ordered_pairs)
PLAN(is_sorted, clf_is_sorted_plan, ordered_keys)
PLAN(merge, clf_merge_plan, ordered_keys)
PLAN(lower_bound, bounds_plan, ordered_keys)
