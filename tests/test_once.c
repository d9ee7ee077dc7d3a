/* SPDX-License-Identifier: MIT */
/*
 * One-call functions of several steps, and of plans with a map, a part of suite `one_call`: random plans and calls of
 * each against the reference, by kernels for CPUs and for GPUs; calls that follow others without the host; and what is
 * refused.
 */
#include "once_case.h"

#include "route.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Against the reference --------------------------------------------------------------------------------------- */

enum { PLANS = 3, CALLS = 8, MOST = 3000, LARGE = 60000 };
static const char *const without[PLANS] = {NULL, "cpu", ROUTE_BARE};

/* Other plans with every seed; all calls of one are of one size on the device, or none is. */
TEST(functions)
{
    gen random = gen_seed(the_rig()->seed, 500 + (uint64_t)_i);
    once_case c = {.under = {.number = -1}};
    if (!rig_in_turn(_i / PLANS + _i % PLANS, 2))
        return;
    once_draw_key(&random, (once_function)(_i / PLANS), &c.key);
    c.key.disable = without[_i % PLANS];
    for (int call = 0; call < CALLS; ++call) {
        once_draw_call(&random, call == 0 ? LARGE : MOST, &c);
        if (call == 1)
            c.n = 0;
        if (!once_case_run(c))
            return;
    }
}

/* Payloads of every size, of elements whose number the host knows, or the device. */
TEST(payloads)
{
    gen random = gen_seed(the_rig()->seed, 600 + (uint64_t)_i);
    once_case c = {.under = {.number = -1}};
    if (!rig_in_turn(_i, 3))
        return;
    once_draw_key(&random, ONCE_SORT_PAIRS, &c.key);
    c.key.type = CLF_INT; /* which every device has */
    c.key.payload = (size_t)_i;
    c.key.disable = without[_i % 2];
    for (int call = 0; call < 2 * PLACES; ++call) {
        once_draw_call(&random, MOST, &c);
        c.key.given = call % 2;
        c.places = (guarded_place)(call / 2);
        ck_assert(once_case_run(c));
    }
}

/* Matrices of all shapes: wide and narrow ones, rows and columns, of a tile's size and more. */
TEST(columns)
{
    static const size_t shapes[][2] = {{152, 24}, {24, 152}, {1, 700}, {700, 1}, {2, 1000}, {1000, 2}, {300, 300},
                                       {5000, 7}, {40, 513}, {3, 3}};
    const clf_type type = (clf_type)(_i / PLANS);
    once_case c = {.key = {.function = ONCE_COLUMNS_REDUCE, .type = type, .value_type = type, .payload = 1}};
    if (!rig_in_turn(_i, 4))
        return;
    c.key.op = clf_builtin(CLF_XOR, type) ? CLF_XOR : CLF_PRODUCT;
    c.key.disable = without[_i % PLANS];
    for (size_t i = 0; i < COUNT(shapes); ++i) {
        c.n = shapes[i][0] * shapes[i][1];
        c.size = shapes[i][1];
        c.under.seed = i;
        c.under.offset = i % 3;
        c.under.number = -1;
        once_case_run(c);
    }
}

/* ---- By hand ----------------------------------------------------------------------------------------------------- */

static clf_array copy_of(size_t bytes, const void *data)
{
    return (clf_array){rig_buffer(bytes, data), 0};
}

/* Numbers with NaNs, and NaNs alone, and nothing. */
TEST(nans_are_no_extremes)
{
    static const float rows[4][3] = {{NAN, 2, 5}, {5, NAN, 5}, {NAN, NAN, NAN}, {-INFINITY, NAN, -INFINITY}};
    const cl_uint least[] = {1, 0, 0, 0}, most[] = {2, 0, 0, 0};
    cl_uint got[4];
    float values[4];
    const clf_call *const on = CLF_ON(the_rig()->queue);
    clf_context *const c = rig_context(_i ? "cpu" : NULL);
    const clf_array in = copy_of(sizeof rows, rows), value = copy_of(16, NULL), index = copy_of(16, NULL);
    assert_ok(clf_rows_argmin(c, on, CLF_FLOAT, CLF_UINT, 4, 3, in, value, index));
    rig_read(on->queue, index.buffer, sizeof got, got);
    ck_assert_mem_eq(got, least, sizeof least);
    assert_ok(clf_rows_argmax(c, on, CLF_FLOAT, CLF_UINT, 4, 3, in, value, index));
    rig_read(on->queue, index.buffer, sizeof got, got);
    rig_read(on->queue, value.buffer, sizeof values, values);
    ck_assert_mem_eq(got, most, sizeof most);
    ck_assert(values[0] == 5 && values[1] == 5 && isnan(values[2]) && values[3] == -INFINITY);
    assert_ok(clf_rows_argmax(c, on, CLF_FLOAT, CLF_UINT, 2, 0, in, value, index));
    rig_read(on->queue, index.buffer, 8, got);
    rig_read(on->queue, value.buffer, 8, values);
    ck_assert(got[0] == CL_UINT_MAX && got[1] == CL_UINT_MAX && values[0] == -INFINITY);
    rig_release(in, value, index);
}

/* What is kept, sorted with its place, summed up and grouped, while the host does not know how many there are. */
TEST(counts_stay_on_the_device)
{
    enum { N = 5000 };
    static cl_int data[N], totals[N], got[N];
    static cl_uchar flags[N];
    const clf_call *const on = CLF_ON(the_rig()->queue);
    clf_context *const c = rig_context(_i ? "cpu" : NULL);
    cl_ulong kept = 0, counted[2];
    cl_int sum = 0;
    for (cl_int i = 0; i < N; ++i) {
        data[i] = i % 7;
        flags[i] = i % 3 == 0;
        if (flags[i])
            totals[kept++] = sum += data[i];
    }
    const clf_array in = copy_of(sizeof data, data), flag = copy_of(sizeof flags, flags);
    const clf_array out = copy_of(sizeof data, data), scanned = copy_of(sizeof data, data);
    const clf_array count = copy_of(16, NULL), groups = {count.buffer, 1};
    const clf_array sizes = copy_of(N * sizeof(cl_ulong), NULL);
    assert_ok(clf_array_filter(c, on, CLF_INT, N, in, flag, out, count));
    const clf_call of_kept = {.size = sizeof of_kept, .queue = on->queue, .actual = count};
    assert_ok(clf_inclusive_scan(c, &of_kept, CLF_SUM, CLF_INT, N, out, scanned));
    rig_read(on->queue, scanned.buffer, sizeof got, got);
    ck_assert_mem_eq(got, totals, kept * sizeof *got);
    ck_assert_mem_eq(got + kept, data + kept, (N - kept) * sizeof *got); /* nothing behind them is written */
    assert_ok(clf_array_group_counts(c, &of_kept, CLF_INT, N, out, out, sizes, groups));
    rig_read(on->queue, count.buffer, sizeof counted, counted);
    ck_assert_uint_eq(counted[0], kept);
    ck_assert_uint_eq(counted[1], 7);
    rig_release(in, flag, out, scanned, count, sizes);
}

/* ---- Refusals ---------------------------------------------------------------------------------------------------- */

#define NO_INDEX "index_type is neither CLF_UINT nor CLF_ULONG"
#define NO_OFFSET "offset_type is neither CLF_UINT nor CLF_ULONG"
#define NO_FLAGS "flags are CLF_DESCENDING, CLF_TOTAL_ORDER, both or 0"
#define TOO_MANY "indices of so many elements do not fit CLF_UINT"
#define NO_TYPE "type is no clf_type"
#define NO_OPERATOR "there is no CLF_XOR of float"
/* Whatever is said. */
#define REFUSED(call, status) (assert_status(call, status), *told = (rig_told){0})
#define SAYS(...) REFUSES(told, __VA_ARGS__)

static void refuse_arguments(clf_context *c, const clf_call *on, clf_array a, clf_array b)
{
    const cl_ulong many = (cl_ulong)1 << 32;
    rig_told t = {0}, *const told = &t;
    c = RIG_CONTEXT(.notify = rig_listen, .user = told);
    SAYS(ARGUMENT, "payload_bytes is not from 1 to 16", clf_array_sort_pairs(c, on, CLF_INT, 0, 0, 9, a, a, b, b));
    SAYS(ARGUMENT, "payload_bytes is not from 1 to 16", clf_array_sort_pairs(c, on, CLF_INT, 17, 0, 9, a, a, b, b));
    SAYS(ARGUMENT, NO_FLAGS, clf_array_sort_pairs(c, on, CLF_INT, 4, CLF_OVERWRITE_INPUT, 9, a, a, b, b));
    SAYS(ARGUMENT, NO_TYPE, clf_array_sort_pairs(c, on, CLF_TYPE_COUNT, 4, 0, 9, a, a, b, b));
    SAYS(ARGUMENT, NO_INDEX, clf_array_argsort(c, on, CLF_INT, CLF_INT, 0, 9, a, b));
    SAYS(ARGUMENT, NO_FLAGS, clf_array_argsort(c, on, CLF_INT, CLF_UINT, CLF_EXCLUSIVE, 9, a, b));
    SAYS(OVERFLOW, TOO_MANY, clf_array_argsort(c, on, CLF_CHAR, CLF_UINT, 0, many + 1, a, b));
    SAYS(ARGUMENT, NO_FLAGS, clf_rows_sort(c, on, CLF_INT, 1, 1, 9, a, b));
    SAYS(ARGUMENT, NO_OFFSET, clf_segments_sort(c, on, CLF_INT, CLF_FLOAT, 0, 9, 1, a, a, b));
    SAYS(ARGUMENT, NO_INDEX, clf_array_argmax(c, on, CLF_INT, CLF_INT, 9, a, b, b));
    SAYS(OVERFLOW, TOO_MANY, clf_array_argmin(c, on, CLF_INT, CLF_UINT, many, a, b, b));
    SAYS(OVERFLOW, TOO_MANY, clf_rows_argmax(c, on, CLF_INT, CLF_UINT, 1, many, a, b, b));
    SAYS(ARGUMENT, NO_OFFSET, clf_segments_argmin(c, on, CLF_INT, CLF_UINT, CLF_INT, 9, 1, a, a, b, b));
    SAYS(ARGUMENT, NO_INDEX, clf_segments_argmax(c, on, CLF_INT, CLF_INT, CLF_UINT, 9, 1, a, a, b, b));
    SAYS(ARGUMENT, NO_INDEX, clf_array_arg_top_k(c, on, CLF_INT, CLF_INT, CL_TRUE, 9, 1, a, b, b));
    SAYS(OVERFLOW, TOO_MANY, clf_rows_arg_top_k(c, on, CLF_INT, CLF_UINT, CL_TRUE, 1, many + 1, 1, a, b, b));
    SAYS(ARGUMENT, NO_OFFSET, clf_segments_reduce(c, on, CLF_SUM, CLF_INT, CLF_INT, 9, 1, a, a, b));
    SAYS(ARGUMENT, NO_OPERATOR, clf_segments_inclusive_scan(c, on, CLF_XOR, CLF_FLOAT, CLF_UINT, 9, 1, a, a, b));
    SAYS(ARGUMENT, NO_OPERATOR, clf_columns_reduce(c, on, CLF_XOR, CLF_FLOAT, 3, 3, a, b));
    SAYS(ARGUMENT, NO_OPERATOR, clf_array_group_by(c, on, CLF_XOR, CLF_INT, CLF_FLOAT, 9, a, a, b, b, b));
    SAYS(ARGUMENT, NO_TYPE, clf_array_group_by(c, on, CLF_SUM, CLF_TYPE_COUNT, CLF_FLOAT, 9, a, a, b, b, b));
    SAYS(ARGUMENT, NO_TYPE, clf_array_group_counts(c, on, CLF_TYPE_COUNT, 9, a, b, b, b));
    clf_context_release(c);
}

TEST(refused_arguments)
{
    const clf_call *const on = CLF_ON(the_rig()->queue);
    const clf_array a = copy_of(400, NULL), b = copy_of(400, NULL);
    refuse_arguments(NULL, on, a, b);
    assert_status(clf_array_sort_pairs(NULL, on, CLF_INT, 4, 0, 9, a, a, b, b), CLF_E_ARGUMENT);
    assert_status(clf_array_sort_pairs(NULL, on, CLF_INT, 3, 9, 9, a, a, b, b), CLF_E_ARGUMENT);
    assert_status(clf_array_argsort(NULL, on, CLF_INT, CLF_UINT, 0, 9, a, b), CLF_E_ARGUMENT);
    assert_status(clf_array_argmax(NULL, on, CLF_INT, CLF_INT, 9, a, b, b), CLF_E_ARGUMENT);
    assert_status(clf_columns_reduce(NULL, on, CLF_SUM, CLF_INT, 3, 3, a, b), CLF_E_ARGUMENT);
    assert_status(clf_array_group_by(NULL, on, CLF_SUM, CLF_INT, CLF_INT, 9, a, a, b, b, b), CLF_E_ARGUMENT);
    assert_status(clf_segments_reduce(NULL, on, CLF_SUM, CLF_INT, CLF_INT, 9, 1, a, a, b), CLF_E_ARGUMENT);
    rig_release(a, b);
}

/* Arrays of calls that are no plan's. */
static void refuse_sorts(clf_context *c, rig_told *told, const clf_array *x, const clf_call *on, const clf_call *odd)
{
    const clf_array none = {NULL, 0}, a = x[0], b = x[1], behind = {a.buffer, 1};
    SAYS(ARGUMENT, "in[0].buffer is NULL", clf_array_argsort(c, on, CLF_INT, CLF_UINT, 0, 9, none, b));
    SAYS(ARGUMENT, "out[0].buffer is NULL", clf_array_argsort(c, on, CLF_INT, CLF_UINT, 0, 9, a, none));
    SAYS(ALIAS, "out[0] overlaps in[0]", clf_array_argsort(c, on, CLF_INT, CLF_UINT, 0, 9, a, a));
    SAYS(BUFFER, "out[0].buffer ends before element 50", clf_array_argsort(c, on, CLF_INT, CLF_ULONG, 0, 51, a, b));
    SAYS(ARGUMENT, "call is NULL", clf_array_argsort(c, NULL, CLF_INT, CLF_UINT, 0, 9, a, b));
    SAYS(ARGUMENT, "a sort has no initial value", clf_array_argsort(c, &odd[0], CLF_INT, CLF_UINT, 0, 9, a, b));
    SAYS(ARGUMENT, "in[0].buffer is NULL", clf_array_sort_pairs(c, on, CLF_INT, 3, 0, 9, none, a, b, b));
    SAYS(ARGUMENT, "out[1].buffer is NULL", clf_array_sort_pairs(c, on, CLF_INT, 3, 0, 9, a, x[2], b, none));
    SAYS(ALIAS, "out[0] overlaps in[0]", clf_array_sort_pairs(c, on, CLF_INT, 12, 0, 9, a, x[2], behind, b));
    SAYS(ALIAS, "out[1] overlaps out[0]", clf_array_sort_pairs(c, on, CLF_INT, 12, 0, 9, a, x[2], b, b));
    SAYS(BUFFER, "in[1].buffer ends before element 66",
         clf_array_sort_pairs(c, on, CLF_INT, 12, 0, 67, a, x[2], b, x[3]));
    SAYS(ARGUMENT, "a sort has no initial value",
         clf_array_sort_pairs(c, &odd[0], CLF_INT, 12, 0, 9, a, x[2], b, x[3]));
    REFUSED(clf_array_argsort(c, &odd[2], CLF_INT, CLF_UINT, 0, 90, a, b), CLF_E_SCRATCH);
    REFUSED(clf_array_sort_pairs(c, &odd[2], CLF_INT, 7, 0, 90, a, x[2], b, x[3]), CLF_E_SCRATCH);
    assert_ok(clf_array_argsort(c, on, CLF_INT, CLF_UINT, 0, 0, none, none));
    assert_ok(clf_array_sort_pairs(c, on, CLF_INT, 3, 0, 0, none, none, none, none));
}

static void refuse_others(clf_context *c, rig_told *told, const clf_array *x, const clf_call *on, const clf_call *odd)
{
    const clf_array none = {NULL, 0}, a = x[0], b = x[1], count = x[4], behind = {a.buffer, 1};
    const cl_ulong many = (cl_ulong)1 << 33;
    SAYS(ARGUMENT, "in[0].buffer is NULL", clf_columns_reduce(c, on, CLF_SUM, CLF_INT, 4, 5, none, b));
    SAYS(ALIAS, "out[0] overlaps in[0]", clf_columns_reduce(c, on, CLF_SUM, CLF_INT, 4, 5, a, behind));
    SAYS(BUFFER, "in[0].buffer ends before element 109", clf_columns_reduce(c, on, CLF_SUM, CLF_INT, 11, 10, a, b));
    SAYS(OVERFLOW, "count * size does not fit 64 bits", clf_columns_reduce(c, on, CLF_SUM, CLF_INT, many, many, a, b));
    SAYS(ARGUMENT, "call->actual and call->initial_arrays are for plans with CLF_FROM_DEVICE",
         clf_columns_reduce(c, &odd[1], CLF_SUM, CLF_INT, 4, 5, a, b));
    REFUSED(clf_columns_reduce(c, &odd[2], CLF_SUM, CLF_INT, 9, 10, a, b), CLF_E_SCRATCH);
    SAYS(ARGUMENT, "in[1].buffer is NULL",
         clf_array_group_by(c, on, CLF_SUM, CLF_INT, CLF_INT, 9, a, none, b, x[2], count));
    SAYS(ARGUMENT, "result_count.buffer is NULL",
         clf_array_group_by(c, on, CLF_SUM, CLF_INT, CLF_INT, 9, a, x[2], b, x[3], none));
    SAYS(ALIAS, "out[0] overlaps in[0]",
         clf_array_group_by(c, on, CLF_SUM, CLF_INT, CLF_INT, 9, a, x[2], behind, x[3], count));
    SAYS(ALIAS, "out[1] overlaps out[0]",
         clf_array_group_by(c, on, CLF_SUM, CLF_INT, CLF_INT, 9, a, x[2], b, b, count));
    SAYS(ALIAS, "result_count overlaps out[0]",
         clf_array_group_by(c, on, CLF_SUM, CLF_INT, CLF_INT, 9, a, x[2], b, x[3], b));
    SAYS(BUFFER, "out[1].buffer ends before element 50", clf_array_group_counts(c, on, CLF_INT, 51, a, x[2], b, count));
    SAYS(ARGUMENT, "a GROUP BY has no initial value",
         clf_array_group_counts(c, &odd[0], CLF_INT, 9, a, x[2], b, count));
    REFUSED(clf_array_group_counts(c, &odd[2], CLF_INT, 40, a, x[2], x[3], count), CLF_E_SCRATCH);
    SAYS(ARGUMENT, "out[0].buffer is NULL", clf_rows_argmax(c, on, CLF_INT, CLF_UINT, 3, 3, a, none, b));
    SAYS(ALIAS, "out[1] overlaps in[0]", clf_rows_argmax(c, on, CLF_INT, CLF_UINT, 3, 3, a, b, a));
    SAYS(ALIAS, "out[0] overlaps in[0]", clf_rows_top_k(c, on, CLF_INT, CL_TRUE, 3, 3, 1, a, a));
    SAYS(ARGUMENT, "segments.buffer is NULL", clf_segments_reduce(c, on, CLF_SUM, CLF_INT, CLF_UINT, 9, 3, none, a, b));
}

/* By their own names, whatever they are made of. */
#define IDLE(function, ...) SAYS(ARGUMENT, "call->queue is NULL", function(c, &idle, __VA_ARGS__))
static void refuse_by_name(clf_context *c, rig_told *told, clf_array a, clf_array b)
{
    const clf_call idle = {.size = sizeof idle};
    IDLE(clf_exclusive_scan, CLF_SUM, CLF_INT, 9, a, b);
    IDLE(clf_rows_exclusive_scan, CLF_SUM, CLF_INT, 3, 3, a, b);
    IDLE(clf_rows_reduce, CLF_SUM, CLF_INT, 3, 3, a, b);
    IDLE(clf_columns_reduce, CLF_SUM, CLF_INT, 1, 9, a, b);
    IDLE(clf_segments_inclusive_scan, CLF_SUM, CLF_INT, CLF_UINT, 9, 1, a, a, b);
    IDLE(clf_array_argmin, CLF_INT, CLF_UINT, 9, a, b, b);
    IDLE(clf_segments_argmax, CLF_INT, CLF_UINT, CLF_UINT, 9, 1, a, a, b, b);
    IDLE(clf_array_filter, CLF_INT, 9, a, a, b, b);
    IDLE(clf_array_run_lengths, CLF_INT, 9, a, b, b, b);
    IDLE(clf_array_sort, CLF_INT, 9, a, b);
    IDLE(clf_array_sort_pairs, CLF_INT, 4, 0, 9, a, a, b, b);
    IDLE(clf_rows_sort, CLF_INT, 0, 3, 3, a, b);
    IDLE(clf_segments_sort, CLF_INT, CLF_UINT, 0, 9, 1, a, a, b);
    IDLE(clf_array_shuffle, CLF_INT, 9, 1, a, b);
    IDLE(clf_array_permutation, CLF_UINT, 9, 1, b);
    IDLE(clf_array_top_k, CLF_INT, CL_TRUE, 9, 1, a, b);
    IDLE(clf_rows_arg_top_k, CLF_INT, CLF_UINT, CL_TRUE, 3, 3, 1, a, b, b);
    IDLE(clf_array_histogram_range, CLF_FLOAT, CLF_UINT, 0, 9, 3, a, a, b);
    IDLE(clf_matrix_transpose, 4, 3, 3, a, b);
    IDLE(clf_array_repeat, CLF_INT, CLF_UINT, 9, 9, a, a, b, b);
}

/* Rows read their one input twice, which callers need not know. */
static void count_arrays(clf_context *c, const clf_array *x, cl_command_queue queue)
{
    const clf_call counted = {.size = sizeof counted, .queue = queue, .in_count = 1, .out_count = 2};
    assert_ok(clf_rows_argmax(c, &counted, CLF_INT, CLF_UINT, 3, 3, x[0], x[1], x[2]));
    assert_ok(clf_rows_arg_top_k(c, &counted, CLF_INT, CLF_UINT, CL_TRUE, 3, 3, 2, x[0], x[1], x[2]));
}

TEST(refused_arrays)
{
    rig_told t = {0};
    const clf_call *const on = CLF_ON(the_rig()->queue);
    clf_array x[6];
    for (size_t i = 0; i < COUNT(x); ++i)
        x[i] = copy_of(i < 2 ? 400 : i == 5 ? 100 : 800, NULL);
    const cl_int one = 1;
    const clf_call odd[] = {{.size = sizeof odd[0], .queue = on->queue, .initial = &one},
                            {.size = sizeof odd[0], .queue = on->queue, .actual = x[4]},
                            {.size = sizeof odd[0], .queue = on->queue, .scratch = x[5]}};
    clf_context *const c = RIG_CONTEXT(.notify = rig_listen, .user = &t);
    refuse_sorts(c, &t, x, on, odd);
    refuse_others(c, &t, x, on, odd);
    refuse_by_name(c, &t, x[0], x[1]);
    count_arrays(c, x, on->queue);
    clf_context_release(c);
    clFinish(on->queue);
    for (size_t i = 0; i < COUNT(x); ++i)
        clReleaseMemObject(x[i].buffer);
}

void add_once_tests(TCase *tests)
{
    tcase_add_loop_test(tests, functions, 0, ONCE_FUNCTIONS * PLANS);
    tcase_add_loop_test(tests, payloads, 1, 17);
    rig_add(tests, (const rig_test[]){{columns, CLF_TYPE_COUNT * PLANS}, {nans_are_no_extremes, 2},
            {counts_stay_on_the_device, 2}, {refused_arguments, 1}, {refused_arrays, 1}, {NULL, 0}});
}
