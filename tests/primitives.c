/* SPDX-License-Identifier: MIT */
/* The registry of primitives. A new one joins by a row of suites.h, and has its row of the registry in ref_NAME.c. */
#include "primitives.h"

#include "ref.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The rows ---------------------------------------------------------------------------------------------------- */

static clf_status split_plan_of(clf_context *context, const plan_parts *p, const clf_plan_options *options,
                                clf_plan **plan, clf_error *error)
{
    return clf_split_plan(context, p->op, p->parts, p->flags, options, plan, error);
}

static clf_status transpose_plan_of(clf_context *context, const plan_parts *p, const clf_plan_options *options,
                                    clf_plan **plan, clf_error *error)
{
    return clf_transpose_plan(context, p->bytes, options, plan, error);
}

static clf_status bounds_plan_of(clf_context *context, const plan_parts *p, const clf_plan_options *options,
                                 clf_plan **plan, clf_error *error)
{
    return clf_bounds_plan(context, p->op, p->type, p->flags, options, plan, error);
}

static clf_status sorted_bounds_plan_of(clf_context *context, const plan_parts *p, const clf_plan_options *options,
                                        clf_plan **plan, clf_error *error)
{
    return clf_bounds_plan(context, p->op, p->type, p->flags | CLF_SORTED_NEEDLES, options, plan, error);
}

static const clf_operator *sum(int type)
{
    return clf_builtin(CLF_SUM, (clf_type)type);
}

#define OPERATOR(name, of) \
    static const clf_operator *name(int number) \
    { \
        return of(number)->clf; \
    }
OPERATOR(selection, ref_filter_of)
OPERATOR(runs, ref_by_key_of)
OPERATOR(digits, ref_split_of)
OPERATOR(keys, ref_sort_of)
OPERATOR(order, ref_order_of)

static const primitive_row rows[] = {
    {"scan", .by_operator = clf_scan_plan, .op = sum, .usual = CLF_INT},
    {"segmented_scan", .by_operator = clf_segmented_scan_plan, .op = sum, .usual = CLF_INT},
    {"irregular_scan", .by_segments = clf_irregular_scan_plan, .op = sum, .usual = CLF_INT},
    {"reduce", .by_operator = clf_reduce_plan, .op = sum, .usual = CLF_INT},
    {"irregular_reduce", .by_segments = clf_irregular_reduce_plan, .op = sum, .usual = CLF_INT},
    {"adjacent_difference", .by_operator = clf_adjacent_difference_plan, .op = sum, .usual = CLF_INT},
    {"filter", .by_operator = clf_filter_plan, .op = selection, .usual = REF_FILTER_INT},
    {"unique", .by_operator = clf_unique_plan, .op = selection, .usual = REF_UNIQUE_INT},
    {"partition", .by_operator = clf_partition_plan, .op = selection, .usual = REF_PARTITION_INT},
    {"reduce_by_key", .by_operator = clf_reduce_by_key_plan, .op = runs, .usual = REF_BY_KEY_SIGNS},
    {"reduce_by_index", .by_operator = clf_reduce_by_index_plan, .op = sum, .usual = CLF_UINT},
    {"split", .by_parts = split_plan_of, .op = digits, .usual = REF_SPLIT_INT},
    {"sort", .by_operator = clf_sort_plan, .op = keys, .usual = CLF_UCHAR}, /* which all variants take */
    {"segmented_sort", .by_operator = clf_segmented_sort_plan, .op = keys, .usual = REF_SORT_PAIR},
    {"irregular_sort", .by_segments = clf_irregular_sort_plan, .op = keys, .usual = REF_SORT_PAIR},
    {"top_k", .by_operator = clf_top_k_plan, .op = keys, .usual = REF_SORT_PAIR},
    {"merge", .by_operator = clf_merge_plan, .op = order, .usual = REF_ORDER_INT},
    {"merge_sort", .by_operator = clf_merge_sort_plan, .op = order, .usual = REF_ORDER_INT},
    {"is_sorted", .by_operator = clf_is_sorted_plan, .op = order, .usual = REF_ORDER_INT},
    {"bounds", .by_parts = bounds_plan_of, .op = order, .usual = REF_ORDER_INT},
    {"sorted_bounds", .by_parts = sorted_bounds_plan_of, .op = order, .usual = REF_ORDER_INT},
    {"transpose", .by_parts = transpose_plan_of},
    {"gather", .by_fields = clf_gather_plan},
    {"scatter", .by_fields = clf_scatter_plan},
};

#define ADDRESS(name) &name##_row,
static const primitive_row *const own[] = {TEST_PRIMITIVES(ADDRESS)};

size_t primitive_count(void)
{
    return CLF_COUNT(rows) + CLF_COUNT(own);
}

const primitive_row *primitive_number(size_t i)
{
    return i < CLF_COUNT(rows) ? &rows[i] : own[i - CLF_COUNT(rows)];
}

static void fail(const char *name)
{
    fprintf(stderr, "no primitive %s: a row of the tests' registry or of the library's catalogue is missing\n", name);
    abort();
}

const primitive_row *primitive_named(const char *name)
{
    for (size_t i = 0; i < primitive_count(); ++i)
        if (strcmp(primitive_number(i)->name, name) == 0)
            return primitive_number(i);
    fail(name);
    return NULL;
}

const clf_primitive *primitive_known(const char *name)
{
    for (size_t i = 0; clf_primitives[i]; ++i)
        if (strcmp(clf_primitives[i]->name, name) == 0)
            return clf_primitives[i];
    fail(name);
    return NULL;
}

/* ---- Plans ------------------------------------------------------------------------------------------------------- */

plan_parts primitive_usual(const char *name)
{
    static const clf_segmentation offsets = {sizeof offsets, CLF_BY_OFFSETS, CLF_UINT};
    const primitive_row *const p = primitive_named(name);
    return (plan_parts){.op = p->op ? p->op(p->usual) : NULL, .how = p->by_segments ? &offsets : NULL, .type = CLF_UINT,
                        .fields = "int v;", .parts = 256, .bytes = sizeof(cl_int)};
}

plan_parts primitive_parts(const char *name, const plan_parts *given)
{
    const plan_parts usual = primitive_usual(name);
    return (plan_parts){.op = given->op ? given->op : usual.op, .flags = given->flags,
                        .how = given->how ? given->how : usual.how, .type = given->type ? given->type : usual.type,
                        .fields = given->fields ? given->fields : usual.fields,
                        .parts = given->parts ? given->parts : usual.parts,
                        .bytes = given->bytes ? given->bytes : usual.bytes, .wanted = given->wanted};
}

clf_status primitive_plan(const char *name, clf_context *context, const plan_parts *parts,
                          const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    const primitive_row *const p = primitive_named(name);
    if (p->by_operator)
        return p->by_operator(context, parts->op, parts->flags, options, plan, error);
    if (p->by_segments)
        return p->by_segments(context, parts->op, parts->how, parts->flags, options, plan, error);
    if (p->by_fields)
        return p->by_fields(context, parts->fields, parts->type, parts->flags, options, plan, error);
    return p->by_parts(context, parts, options, plan, error);
}

/* ---- Variants ---------------------------------------------------------------------------------------------------- */

size_t variant_count(const char *name)
{
    const clf_variant *const variants = primitive_known(name)->variants;
    size_t count = 0;
    while (variants[count].name)
        ++count;
    return count;
}

const clf_variant *variant_number(const char *name, size_t number)
{
    return &primitive_known(name)->variants[number];
}

bool variant_is_for_cpus(const clf_variant *variant)
{
    return (variant->needs & CLF_NEEDS_CPU) != 0;
}
