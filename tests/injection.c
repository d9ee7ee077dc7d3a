/* SPDX-License-Identifier: MIT */
/*
 * The calls that suite `injection` lets fail. Rows of ints are scanned, reduced, turned and subtracted, told in every
 * way. injection_select.c has the calls of the other primitives; the table of all is here.
 */
#include "injection.h"

#include "primitives/primitives.h"

/* ---- Results ----------------------------------------------------------------------------------------------- */

static cl_int scanned(int i)
{
    return world_sum(0, i);
}

static cl_int scanned_in_row(int i)
{
    return world_sum(i - i % ROW, i);
}

static cl_int reduced(int i)
{
    return world_sum(i * ROW, i * ROW + ROW - 1);
}

static cl_int turned(int i)
{
    return world_element(i % ROWS * ROW + i / ROWS);
}

static cl_int difference_in_row(int i)
{
    return i % ROW ? world_element(i) - world_element(i - 1) : world_element(i);
}

/* The same of halves of elements, the lower one first. */
static cl_int half(int i)
{
    const cl_uint whole = (cl_uint)world_element(i / 2);
    return (cl_int)(i % 2 ? whole >> 16 : whole & 0xffff);
}

static cl_int turned_halves(int i)
{
    const int low = 2 * i, high = low + 1, width = 2 * ROW;
    const cl_uint below = (cl_uint)half(low % ROWS * width + low / ROWS);
    return (cl_int)(below | (cl_uint)half(high % ROWS * width + high / ROWS) << 16);
}

/* Of the pattern that wiping leaves in place. */
static cl_int wiped_difference(int i)
{
    return i % ROW ? 0 : WORLD_PATTERN;
}

/* ---- Plans and calls --------------------------------------------------------------------------------------- */

static const clf_segmentation by_lengths = {sizeof by_lengths, CLF_BY_LENGTHS, CLF_UINT},
                              by_flags = {sizeof by_flags, CLF_BY_HEAD_BYTES, CLF_UCHAR};

static const clf_operator *plus(void)
{
    return clf_builtin(CLF_SUM, CLF_INT);
}

static clf_status plain_scratch(const clf_plan *plan, cl_ulong *bytes)
{
    return clf_plan_scratch(plan, ELEMENTS, 0, bytes);
}

static clf_status irregular_scratch(const clf_plan *plan, cl_ulong *bytes)
{
    return clf_plan_scratch(plan, ELEMENTS, ROWS, bytes);
}

clf_call call_of(const place *p)
{
    clf_call call = {
        .size = sizeof call, .queue = p->queue, .wait_count = p->wait_count, .wait = p->wait, .event = p->event};
    if (p->scratch)
        call.scratch = *p->scratch;
    return call;
}

static clf_status scan_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return clf_scan_plan(context, plus(), 0, NULL, plan, error);
}

static clf_status scan(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_scan(plan, &call, ELEMENTS, &w->in, &w->out);
}

/* Made of two operators joined, one of them with a map. */
static clf_status joined_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    static const clf_operator doubled = {
        .size = sizeof doubled, .value = "int sum;", .input = "int v;", .map = "twice", .neutral = "zero",
        .combine = "add", .source = "clf_value add(clf_value a, clf_value b) { a.sum += b.sum; return a; }\n"
                                    "clf_value zero(void) { clf_value z = {0}; return z; }\n"
                                    "clf_value twice(clf_input v, ulong i) { clf_value r = {2 * v.v}; return r; }\n"};
    const clf_operator *const list[] = {plus(), &doubled};
    clf_operator *both = NULL;
    CLF_TRY(clf_operator_join(2, list, &both, error));
    const clf_status status = clf_scan_plan(context, both, CLF_EXCLUSIVE, NULL, plan, error);
    clf_operator_release(both);
    return status;
}

/* The second output lies behind the first. */
static clf_status joined(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    const clf_array out[] = {w->out, {w->out.buffer, ROW}};
    return clf_scan(plan, &call, ROW, &w->in, out);
}

static cl_int scanned_twice(int i)
{
    return i < ROW ? world_sum(0, i - 1) : 2 * world_sum(0, i - ROW - 1);
}

static clf_status segmented_scan_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return clf_segmented_scan_plan(context, plus(), 0, NULL, plan, error);
}

static clf_status segmented_scan(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_segmented_scan(plan, &call, ROWS, ROW, &w->in, &w->out);
}

static clf_status lengths_scan_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return clf_irregular_scan_plan(context, plus(), &by_lengths, 0, NULL, plan, error);
}

static clf_status lengths_scan(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_irregular_scan(plan, &call, ELEMENTS, ROWS, &w->lengths, &w->in, &w->out);
}

static clf_status reduce_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return clf_reduce_plan(context, plus(), 0, NULL, plan, error);
}

static clf_status reduce(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_segmented_reduce(plan, &call, ROWS, ROW, &w->in, &w->out);
}

static clf_status lengths_reduce_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return clf_irregular_reduce_plan(context, plus(), &by_lengths, 0, NULL, plan, error);
}

static clf_status lengths_reduce(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_irregular_reduce(plan, &call, ELEMENTS, ROWS, &w->lengths, &w->in, &w->out, NULL);
}

static clf_status flags_reduce_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return clf_irregular_reduce_plan(context, plus(), &by_flags, 0, NULL, plan, error);
}

static clf_status flags_reduce(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_irregular_reduce(plan, &call, ELEMENTS, ROWS, &w->flags, &w->in, &w->out, &w->count);
}

static clf_status transpose_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return clf_transpose_plan(context, sizeof(cl_int), NULL, plan, error);
}

static clf_status transpose(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_transpose(plan, &call, 1, ROWS, ROW, &w->in, &w->out);
}

static clf_status shorts_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return clf_transpose_plan(context, sizeof(cl_short), NULL, plan, error);
}

static clf_status transpose_shorts(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_transpose(plan, &call, 1, ROWS, 2 * ROW, &w->in, &w->out);
}

static clf_status difference_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    static const clf_operator minus = {
        .size = sizeof minus, .value = "int v;", .neutral = "zero", .combine = "subtract",
        .source = "clf_value subtract(clf_value a, clf_value b) { b.v -= a.v; return b; }\n"
                  "clf_value zero(void) { clf_value z = {0}; return z; }\n"};
    const clf_plan_options options = {.size = sizeof options, .parameters = "items=4"}; /* several tiles */
    return clf_adjacent_difference_plan(context, &minus, 0, &options, plan, error);
}

static clf_status difference(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_segmented_adjacent_difference(plan, &call, ROWS, ROW, &w->in, &w->out);
}

/* Of the output's own pattern. */
static clf_status difference_in_place(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_segmented_adjacent_difference(plan, &call, ROWS, ROW, &w->out, &w->out);
}

/* A vector is copied, on GPUs by the driver. */
static clf_status copy(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_transpose(plan, &call, 1, 1, ELEMENTS, &w->in, &w->out);
}

/* Nothing to do but to wait. */
static clf_status nothing(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_scan(plan, &call, 0, &w->in, &w->out);
}

const subject subjects[] = {
    {"scan", scan_plan, plain_scratch, scan, scanned, ELEMENTS},
    {"scan of joined operators", joined_plan, plain_scratch, joined, scanned_twice, 2 * ROW},
    {"segmented scan", segmented_scan_plan, plain_scratch, segmented_scan, scanned_in_row, ELEMENTS},
    {"scan by lengths", lengths_scan_plan, irregular_scratch, lengths_scan, scanned_in_row, ELEMENTS},
    {"reduce", reduce_plan, plain_scratch, reduce, reduced, ROWS},
    {"reduce by lengths", lengths_reduce_plan, irregular_scratch, lengths_reduce, reduced, ROWS},
    {"reduce by flags", flags_reduce_plan, irregular_scratch, flags_reduce, reduced, ROWS},
    {"transpose", transpose_plan, NULL, transpose, turned, ELEMENTS},
    {"transpose shorts", shorts_plan, NULL, transpose_shorts, turned_halves, ELEMENTS},
    {"adjacent difference", difference_plan, plain_scratch, difference, difference_in_row, ELEMENTS},
    {"adjacent difference in place", difference_plan, plain_scratch, difference_in_place, wiped_difference, ELEMENTS},
    {"filter", inject_filter_plan, plain_scratch, inject_filter, inject_filtered, ELEMENTS / 2},
    {"filter in place", inject_in_place_plan, plain_scratch, inject_in_place, inject_kept_in_place, ELEMENTS / 2},
    {"partition", inject_partition_plan, plain_scratch, inject_partition, inject_dealt, ELEMENTS},
    {"gather", inject_gather_plan, plain_scratch, inject_gather, inject_gathered, ROWS},
    {"scatter", inject_scatter_plan, plain_scratch, inject_scatter, inject_scattered, ROW + 1},
    {"merge", inject_merge_plan, plain_scratch, inject_merge, world_element, ELEMENTS},
    {"bounds", inject_bounds_plan, plain_scratch, inject_bounds, inject_bound, ELEMENTS},
    {"split", inject_split_plan, plain_scratch, inject_split, inject_dealt, ELEMENTS},
    {"sort", inject_sort_plan, plain_scratch, inject_sort, inject_sorted, ELEMENTS},
    {"sort in two passes", inject_two_pass_plan, plain_scratch, inject_sort, inject_sorted, ELEMENTS},
    {"sort of rows", inject_rows_plan, plain_scratch, inject_rows, inject_sorted_rows, ELEMENTS},
    {"sort by lengths", inject_segments_plan, irregular_scratch, inject_segments, inject_sorted_rows, ELEMENTS},
    {"merge sort", inject_merge_sort_plan, plain_scratch, inject_merge_sort, inject_sorted, ELEMENTS},
    {"test of order", inject_is_sorted_plan, plain_scratch, inject_is_sorted, inject_sorted_count, 2},
    {"shuffle", inject_shuffle_plan, NULL, inject_shuffle, inject_first, 1},
    {"top-k", inject_top_k_plan, plain_scratch, inject_top_k, inject_sorted, ROW},
    {"reduce by key", inject_by_key_plan, plain_scratch, inject_by_key, inject_reduced_by_key, 2 * RUNS},
    {"reduce by index", inject_by_index_plan, irregular_scratch, inject_by_index, inject_counted, ROWS},
    {"the same by ranges", inject_by_ranges_plan, irregular_scratch, inject_by_index, inject_counted, ROWS},
    {"the same by sorting", inject_ordered_plan, irregular_scratch, inject_by_index, inject_counted, ROWS},
    {"histogram by edges", inject_histogram_plan, irregular_scratch, inject_histogram, inject_between, RUN - 1},
    {"argsort", inject_kept_plan, NULL, inject_argsort, inject_order, ELEMENTS},
    {"sort of pairs", inject_kept_plan, NULL, inject_sort_pairs, inject_pairs, 4 * ROW},
    {"the same, given", inject_kept_plan, NULL, inject_given_pairs, inject_pairs, 4 * ROW},
    {"group by", inject_kept_plan, NULL, inject_group_by, inject_groups, ELEMENTS / 2 + RUN},
    {"reduce columns", inject_kept_plan, NULL, inject_columns_reduce, inject_columns, ROW},
    {"transpose a vector", transpose_plan, NULL, copy, world_element, ELEMENTS},
    {"nothing", scan_plan, plain_scratch, nothing, NULL, 0},
};
const int subject_count = COUNT(subjects);
