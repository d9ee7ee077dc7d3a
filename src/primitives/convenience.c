/* SPDX-License-Identifier: MIT */
/*
 * The one-call functions: plans of the built-in operators, made on first use and kept in the context's table.
 *
 * The table's plans are weak: they hold no reference to the context, or neither would ever go. Plans are
 * compiled outside the lock; of two threads that make the same one, the first to come back enters it in the
 * table.
 */
#include "primitives/primitives.h"

#include <stdio.h>
#include <stdlib.h>

static clf_plan *find(const clf_context *context, int key)
{
    for (const clf_kept *entry = context->kept; entry != NULL; entry = entry->next)
        if (entry->key == key)
            return entry->object;
    return NULL;
}

static clf_status release(void *plan)
{
    return clf_plan_release(plan);
}

/* Puts the plan into the table; if there is one for the key already, drops the plan and gives that one. */
static clf_status enter(clf_context *context, int key, clf_plan **plan)
{
    clf_kept *entry = malloc(sizeof *entry);
    if (entry == NULL) {
        clf_plan_release(*plan);
        return CLF_E_NO_MEMORY;
    }
    clf_lock_acquire(&context->lock);
    clf_plan *earlier = find(context, key);
    if (earlier == NULL) {
        *entry = (clf_kept){.next = context->kept, .key = key, .object = *plan, .release = release};
        context->kept = entry;
    }
    clf_lock_release(&context->lock);
    if (earlier != NULL) {
        free(entry);
        clf_plan_release(*plan);
        *plan = earlier;
    }
    return CLF_SUCCESS;
}

/* What a plan of the table is for. */
typedef enum kind {
    INCLUSIVE_SCAN, EXCLUSIVE_SCAN, ROWS_INCLUSIVE_SCAN, REDUCE, FILTER, UNIQUE, TRANSPOSE, RUN_LENGTHS, SORT, LEAST,
    LARGEST, SHUFFLE, PERMUTATION, HISTOGRAM, HISTOGRAM_EVEN, HISTOGRAM_EDGES, HISTOGRAM_RANGE, KIND_COUNT
} kind;

typedef struct wanted {
    kind kind;
    clf_op op; /* of FILTER and what is not named by it any that all types have */
    clf_type type;
    size_t more; /* of TRANSPOSE: the bytes of an element; of HISTOGRAM_EDGES and HISTOGRAM_RANGE: CLF_FORM_… */
} wanted;

/* A number of its own for each. */
static int key_of(const wanted *w)
{
    const int form = w->kind == TRANSPOSE ? 0 : (int)w->more;
    const int what =
        w->kind == TRANSPOSE ? (int)w->more : ((int)w->op * CLF_FORMS + form) * CLF_TYPE_COUNT + (int)w->type;
    return what * KIND_COUNT + (int)w->kind;
}

/* Those whose flag is set. */
static clf_status compile_filter(clf_context *context, clf_type type, clf_plan **plan, clf_error *error)
{
    char value[32], input[48];
    snprintf(value, sizeof value, "%s v;", clf_type_name(type));
    snprintf(input, sizeof input, "%s uchar flag;", value);
    const clf_operator op = {
        .size = sizeof op, .value = value, .input = input, .map = "value_of", .predicate = "is_flagged",
        .source = "clf_value value_of(clf_input x, ulong i) { clf_value y; y.v = x.v; return y; }\n"
                  "bool is_flagged(clf_input x, ulong i) { return x.flag != 0; }\n"};
    return clf_filter_plan(context, &op, CLF_IN_PLACE, NULL, plan, error);
}

static clf_status compile_unique(clf_context *context, clf_type type, clf_plan **plan, clf_error *error)
{
    char value[32];
    snprintf(value, sizeof value, "%s v;", clf_type_name(type));
    const clf_operator op = {.size = sizeof op, .value = value, .same = "is_same",
                             .source = "bool is_same(clf_input a, clf_input b) { return a.v == b.v; }\n"};
    return clf_unique_plan(context, &op, CLF_IN_PLACE, NULL, plan, error);
}

static clf_status compile_run_lengths(clf_context *context, clf_type type, clf_plan **plan, clf_error *error)
{
    char element[32];
    snprintf(element, sizeof element, "%s v;", clf_type_name(type));
    const clf_operator op = {
        .size = sizeof op, .value = "ulong length;", .input = element, .extra = element, .map = "one", .combine = "add",
        .neutral = "none", .same = "is_same", .flags = CLF_COMMUTATIVE,
        .source = "clf_value of(ulong length) { clf_value y; y.length = length; return y; }\n"
                  "clf_value one(clf_input x, ulong i, clf_extra *e) { e->v = x.v; return of(1); }\n"
                  "clf_value add(clf_value a, clf_value b) { return of(a.length + b.length); }\n"
                  "clf_value none(void) { return of(0); }\n"
                  "bool is_same(clf_input a, clf_input b) { return a.v == b.v; }\n"};
    return clf_reduce_by_key_plan(context, &op, 0, NULL, plan, error);
}

static clf_status compile_sort(clf_context *context, clf_type type, clf_plan **plan, clf_error *error)
{
    char value[32];
    snprintf(value, sizeof value, "%s v;", clf_type_name(type));
    const clf_operator op = {.size = sizeof op, .value = value};
    return clf_sort_plan(context, &op, 0, NULL, plan, error);
}

static clf_status compile_top_k(clf_context *context, clf_type type, unsigned flags, clf_plan **plan,
                                clf_error *error)
{
    char value[32];
    snprintf(value, sizeof value, "%s v;", clf_type_name(type));
    const clf_operator op = {.size = sizeof op, .value = value};
    return clf_top_k_plan(context, &op, flags, NULL, plan, error);
}

static clf_status compile(clf_context *context, const wanted *w, clf_plan **plan, clf_error *error)
{
    const clf_operator *op = clf_builtin(w->op, w->type);
    switch (w->kind) {
    case INCLUSIVE_SCAN:
        return clf_scan_plan(context, op, 0, NULL, plan, error);
    case EXCLUSIVE_SCAN:
        return clf_scan_plan(context, op, CLF_EXCLUSIVE, NULL, plan, error);
    case ROWS_INCLUSIVE_SCAN:
        return clf_segmented_scan_plan(context, op, 0, NULL, plan, error);
    case REDUCE:
        return clf_reduce_plan(context, op, 0, NULL, plan, error);
    case FILTER:
        return compile_filter(context, w->type, plan, error);
    case UNIQUE:
        return compile_unique(context, w->type, plan, error);
    case RUN_LENGTHS:
        return compile_run_lengths(context, w->type, plan, error);
    case SORT:
        return compile_sort(context, w->type, plan, error);
    case LEAST:
        return compile_top_k(context, w->type, 0, plan, error);
    case LARGEST:
        return compile_top_k(context, w->type, CLF_DESCENDING, plan, error);
    case SHUFFLE:
        return clf_shuffle_plan(context, w->type, plan, error);
    case PERMUTATION:
        return clf_permutation_plan(context, w->type, plan, error);
    case HISTOGRAM:
        return clf_histogram_plan(context, w->type, plan, error);
    case HISTOGRAM_EVEN:
        return clf_histogram_even_plan(context, w->type, plan, error);
    case HISTOGRAM_EDGES:
        return clf_histogram_edges_plan(context, w->type, (unsigned)w->more, plan, error);
    case HISTOGRAM_RANGE:
        return clf_histogram_range_plan(context, w->type, (unsigned)w->more, plan, error);
    case TRANSPOSE:
        return clf_transpose_plan(context, w->more, NULL, plan, error);
    default:
        return CLF_E_INTERNAL;
    }
}

/* What has no plan is refused like an argument of the call, which `call` names. */
static clf_status refuse(clf_context *context, const char *call, clf_status status, const char *why)
{
    if (context == NULL)
        return CLF_E_ARGUMENT; /* there is nobody to tell */
    const clf_check check = {.context = context, .call = call};
    return clf_refuse(&check, status, "%s", why);
}

/* Does the type have the operator? */
static clf_status check_wanted(clf_context *context, const char *call, const wanted *w)
{
    static const char *const names[CLF_OP_COUNT] = {"CLF_SUM", "CLF_PRODUCT", "CLF_MIN", "CLF_MAX", "CLF_AND", "CLF_OR",
                                                    "CLF_XOR"};
    char why[64];
    if (context != NULL && (w->kind == TRANSPOSE || clf_builtin(w->op, w->type) != NULL))
        return CLF_SUCCESS;
    if ((unsigned)w->op >= CLF_OP_COUNT)
        return refuse(context, call, CLF_E_ARGUMENT, "op is no clf_op");
    if ((unsigned)w->type >= CLF_TYPE_COUNT)
        return refuse(context, call, CLF_E_ARGUMENT, "type is no clf_type");
    snprintf(why, sizeof why, "there is no %s of %s", names[w->op], clf_type_name(w->type));
    return refuse(context, call, CLF_E_ARGUMENT, why);
}

static clf_status plan_for(clf_context *context, const char *call, const wanted *w, clf_plan **plan)
{
    clf_error error = {.size = sizeof error};
    CLF_TRY(check_wanted(context, call, w));
    const int key = key_of(w);
    clf_lock_acquire(&context->lock);
    *plan = find(context, key);
    clf_lock_release(&context->lock);
    if (*plan != NULL)
        return CLF_SUCCESS;
    const clf_status status = clf_own_weaken(plan, compile(context, w, plan, &error));
    return status == CLF_SUCCESS ? enter(context, key, plan) : refuse(context, call, status, error.message);
}

clf_status clf_inclusive_scan(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong n,
                              clf_array in, clf_array out)
{
    clf_plan *plan;
    CLF_TRY(plan_for(context, __func__, &(wanted){INCLUSIVE_SCAN, op, type, 0}, &plan));
    return clf_scan(plan, call, n, &in, &out);
}

clf_status clf_exclusive_scan(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong n,
                              clf_array in, clf_array out)
{
    clf_plan *plan;
    CLF_TRY(plan_for(context, __func__, &(wanted){EXCLUSIVE_SCAN, op, type, 0}, &plan));
    return clf_scan(plan, call, n, &in, &out);
}

clf_status clf_array_reduce(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong n,
                            clf_array in, clf_array out)
{
    clf_plan *plan;
    CLF_TRY(plan_for(context, __func__, &(wanted){REDUCE, op, type, 0}, &plan));
    return clf_reduce(plan, call, n, &in, &out);
}

clf_status clf_rows_inclusive_scan(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong count,
                                   cl_ulong size, clf_array in, clf_array out)
{
    clf_plan *plan;
    CLF_TRY(plan_for(context, __func__, &(wanted){ROWS_INCLUSIVE_SCAN, op, type, 0}, &plan));
    return clf_segmented_scan(plan, call, count, size, &in, &out);
}

clf_status clf_rows_reduce(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong count,
                           cl_ulong size, clf_array in, clf_array out)
{
    clf_plan *plan;
    CLF_TRY(plan_for(context, __func__, &(wanted){REDUCE, op, type, 0}, &plan));
    return clf_segmented_reduce(plan, call, count, size, &in, &out);
}

clf_status clf_array_filter(clf_context *context, const clf_call *call, clf_type type, cl_ulong n, clf_array in,
                            clf_array flags, clf_array out, clf_array result_count)
{
    const clf_array both[] = {in, flags};
    clf_plan *plan;
    CLF_TRY(plan_for(context, __func__, &(wanted){FILTER, CLF_SUM, type, 0}, &plan));
    return clf_filter(plan, call, n, n, both, &out, &result_count);
}

clf_status clf_array_unique(clf_context *context, const clf_call *call, clf_type type, cl_ulong n, clf_array in,
                            clf_array out, clf_array result_count)
{
    clf_plan *plan;
    CLF_TRY(plan_for(context, __func__, &(wanted){UNIQUE, CLF_SUM, type, 0}, &plan));
    return clf_unique(plan, call, n, n, &in, &out, &result_count);
}

clf_status clf_array_run_lengths(clf_context *context, const clf_call *call, clf_type type, cl_ulong n, clf_array in,
                                 clf_array out_values, clf_array out_lengths, clf_array result_count)
{
    const clf_array both[] = {out_lengths, out_values};
    clf_plan *plan;
    CLF_TRY(plan_for(context, __func__, &(wanted){RUN_LENGTHS, CLF_SUM, type, 0}, &plan));
    return clf_reduce_by_key(plan, call, n, n, &in, both, &result_count);
}

clf_status clf_array_sort(clf_context *context, const clf_call *call, clf_type type, cl_ulong n, clf_array in,
                          clf_array out)
{
    clf_plan *plan;
    CLF_TRY(plan_for(context, __func__, &(wanted){SORT, CLF_SUM, type, 0}, &plan));
    return clf_sort(plan, call, n, &in, &out);
}

clf_status clf_array_top_k(clf_context *context, const clf_call *call, clf_type type, cl_bool largest, cl_ulong n,
                           cl_ulong k, clf_array in, clf_array out)
{
    clf_plan *plan;
    CLF_TRY(plan_for(context, __func__, &(wanted){largest ? LARGEST : LEAST, CLF_SUM, type, 0}, &plan));
    return clf_top_k(plan, call, n, k, &in, &out);
}

clf_status clf_array_histogram(clf_context *context, const clf_call *call, clf_type type, cl_ulong n, cl_ulong bins,
                               clf_array in, clf_array out)
{
    clf_plan *plan;
    if ((unsigned)type >= CLF_HALF)
        return refuse(context, __func__, CLF_E_ARGUMENT, "type is none of an integer");
    CLF_TRY(plan_for(context, __func__, &(wanted){HISTOGRAM, CLF_SUM, type, 0}, &plan));
    return clf_histogram_run(plan, __func__, call, n, bins, NULL, &in, &out);
}

static clf_status check_even(clf_context *context, const char *call, clf_type type, cl_ulong bins)
{
    if (type != CLF_FLOAT && type != CLF_DOUBLE)
        return refuse(context, call, CLF_E_ARGUMENT, "type is neither CLF_FLOAT nor CLF_DOUBLE");
    if (bins > CLF_MOST_EVEN_BINS)
        return refuse(context, call, CLF_E_OVERFLOW, "bins is more than 2^32 - 256");
    return CLF_SUCCESS;
}

clf_status clf_array_histogram_even(clf_context *context, const clf_call *call, clf_type type, cl_ulong n,
                                    cl_ulong bins, clf_array begin_and_width, clf_array in, clf_array out)
{
    const clf_array both[] = {in, begin_and_width};
    const clf_index_edges edges = {CLF_SPAN_BEGIN_AND_WIDTH, 2};
    clf_plan *plan;
    CLF_TRY(check_even(context, __func__, type, bins));
    CLF_TRY(plan_for(context, __func__, &(wanted){HISTOGRAM_EVEN, CLF_SUM, type, 0}, &plan));
    return clf_histogram_run(plan, __func__, call, n, bins, &edges, both, &out);
}

/* The kinds of plans that count_type and flags tell apart. */
static clf_status find_form(clf_context *context, const char *call, clf_type count_type, unsigned flags, unsigned *form)
{
    if (count_type != CLF_UINT && count_type != CLF_ULONG)
        return refuse(context, call, CLF_E_ARGUMENT, "count_type is neither CLF_UINT nor CLF_ULONG");
    if (flags & ~CLF_UPPER_END)
        return refuse(context, call, CLF_E_ARGUMENT, "flags has more than CLF_UPPER_END");
    *form = (flags & CLF_UPPER_END ? CLF_FORM_UPPER_END : 0u) | (count_type == CLF_ULONG ? CLF_FORM_ULONG : 0u);
    return CLF_SUCCESS;
}

clf_status clf_array_histogram_edges(clf_context *context, const clf_call *call, clf_type type, clf_type count_type,
                                     unsigned flags, cl_ulong n, cl_ulong bins, clf_array edges, clf_array in,
                                     clf_array out)
{
    const clf_array both[] = {in, edges};
    clf_plan *plan;
    unsigned form = 0;
    CLF_TRY(find_form(context, __func__, count_type, flags, &form));
    if (bins > CL_UINT_MAX)
        return refuse(context, __func__, CLF_E_OVERFLOW, "bins is more than 2^32 - 1");
    CLF_TRY(plan_for(context, __func__, &(wanted){HISTOGRAM_EDGES, CLF_SUM, type, form}, &plan));
    return clf_histogram_run(plan, __func__, call, n, bins, &(clf_index_edges){CLF_SPAN_EDGES, bins + 1}, both, &out);
}

clf_status clf_array_histogram_range(clf_context *context, const clf_call *call, clf_type type, clf_type count_type,
                                     unsigned flags, cl_ulong n, cl_ulong bins, clf_array low_and_high, clf_array in,
                                     clf_array out)
{
    const clf_array both[] = {in, low_and_high};
    const clf_index_edges edges = {CLF_SPAN_LOW_AND_HIGH, 2};
    clf_plan *plan;
    unsigned form = 0;
    CLF_TRY(check_even(context, __func__, type, bins));
    CLF_TRY(find_form(context, __func__, count_type, flags, &form));
    CLF_TRY(plan_for(context, __func__, &(wanted){HISTOGRAM_RANGE, CLF_SUM, type, form}, &plan));
    return clf_histogram_run(plan, __func__, call, n, bins, &edges, both, &out);
}

/* What is moved is only bits. */
clf_status clf_array_shuffle(clf_context *context, const clf_call *call, clf_type type, cl_ulong n, cl_ulong seed,
                             clf_array in, clf_array out)
{
    static const clf_type bits[] = {[1] = CLF_UCHAR, [2] = CLF_USHORT, [4] = CLF_UINT, [8] = CLF_ULONG};
    const size_t bytes = clf_type_size(type);
    clf_plan *plan;
    if (bytes == 0)
        return refuse(context, __func__, CLF_E_ARGUMENT, "type is no clf_type");
    CLF_TRY(plan_for(context, __func__, &(wanted){SHUFFLE, CLF_SUM, bits[bytes], 0}, &plan));
    return clf_shuffle_run(plan, call, n, seed, &in, &out);
}

clf_status clf_array_permutation(clf_context *context, const clf_call *call, clf_type index_type, cl_ulong n,
                                 cl_ulong seed, clf_array out)
{
    clf_plan *plan;
    if (index_type != CLF_UINT && index_type != CLF_ULONG)
        return refuse(context, __func__, CLF_E_ARGUMENT, "index_type is neither CLF_UINT nor CLF_ULONG");
    CLF_TRY(plan_for(context, __func__, &(wanted){PERMUTATION, CLF_SUM, index_type, 0}, &plan));
    return clf_permutation_run(plan, call, n, seed, &out);
}

clf_status clf_matrix_transpose(clf_context *context, const clf_call *call, size_t element_bytes, cl_ulong rows,
                                cl_ulong columns, clf_array in, clf_array out)
{
    clf_plan *plan;
    if (element_bytes < 1 || element_bytes > 16)
        return refuse(context, __func__, CLF_E_ARGUMENT, "element_bytes is not from 1 to 16");
    CLF_TRY(plan_for(context, __func__, &(wanted){TRANSPOSE, CLF_SUM, CLF_INT, element_bytes}, &plan));
    return clf_transpose(plan, call, 1, rows, columns, &in, &out);
}
