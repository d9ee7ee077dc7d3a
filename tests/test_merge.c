/* SPDX-License-Identifier: MIT */
/*
 * Merges, and lower and upper bounds, against the reference: every variant, orders of all kinds, elements of 1 to 128
 * bytes, sizes around everything that the kernels distinguish, sequences that follow each other in every way, or are
 * not sorted at all; and what bad arguments do.
 */
#include "cases.h"
#include "refused.h"

#include <string.h>

/* ---- Ways ------------------------------------------------------------------------------------------------------ */

/* Variant "gpu" is "items" of bounds, and "tiles" of all else. */
static const route routes[] = {{NULL, NULL, NULL},
                               {NULL, "cpu", "items=64,streams=5"},
                               {"cpu", NULL, NULL},
                               {"cpu", "gpu", "items=3,group=32"},
                               {"cpu", "gpu", "items=4,group=64"},
                               {"cpu", "gpu", "items=12,group=8"},
                               {ROUTE_BARE, "gpu", "items=1,group=2"}};
enum { ROUTES = COUNT(routes) };

static merge_key key_of(int which, merge_kind kind, int order, unsigned turn)
{
    merge_key key = {.kind = kind, .order = ref_order_of(order), .upper = turn % 2, .wide = turn / 2 % 2,
                     .route = routes[which]};
    if (key.route.variant && strcmp(key.route.variant, "gpu") == 0)
        key.route.variant = kind == BOUNDS ? "items" : "tiles";
    return key;
}

/* Circumstances go by the numbers, so that each comes with each. */
static merge_case case_of(const merge_key *key, size_t n_first, size_t n_second, unsigned turn)
{
    return (merge_case){.key = *key, .n_first = n_first, .n_second = n_second,
                        .pattern = (merge_pattern)(turn % MERGE_PATTERNS), .disorder = turn % 13 == 12,
                        .under = {.offset = turn % 3 ? turn % 10 : 0, .unordered = turn % 11 == 3,
                                  .scratch = turn % 4 == 1, .seed = turn, .number = -1}};
}

/* ---- Sizes ----------------------------------------------------------------------------------------------------- */

static void run_sizes(const merge_key *key)
{
    clf_plan *plan = merge_plan(key);
    if (!plan)
        return;
    const size_t tile = plan_tile(plan) < 5000 ? plan_tile(plan) : 5000;
    const size_t sizes[] = {0, 1, 2, 33, tile / 2, tile - 1, tile, tile + 1, 2 * tile + 1, 9 * tile + 7};
    unsigned turn = 0;
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (size_t j = 0; j < COUNT(sizes); ++j, ++turn)
            if (rig_full() || turn % 2 == 0 || sizes[i] < 2 || sizes[j] < 2)
                merge_case_run(plan, case_of(key, sizes[i], sizes[j], turn + turn / MERGE_PATTERNS));
    for (; turn < 120; ++turn) /* every pattern, in one size */
        merge_case_run(plan, case_of(key, 5 * tile + turn, 4 * tile - turn % tile, turn));
    clf_plan_release(plan);
}

TEST(sizes_around_boundaries)
{
    for (int kind = 0; kind < MERGE_KINDS; ++kind)
        for (int order = 0; order < REF_ORDER_COUNT; ++order) {
            const merge_key key = key_of(_i, (merge_kind)kind, order, (unsigned)(_i + order));
            if (rig_full() || (order == REF_ORDER_INT && _i < 2) || (order + kind + _i) % 3 == 0)
                run_sizes(&key);
        }
}

TEST(every_size)
{
    const merge_key key = key_of(_i % 2 ? 4 : 1, (merge_kind)(_i / 2), REF_ORDER_TUPLE, (unsigned)_i);
    clf_plan *plan = merge_plan(&key);
    for (size_t n = 0; plan && n <= 400; ++n)
        merge_case_run(plan, case_of(&key, n * 7 % 400, n, (unsigned)n));
    clf_plan_release(plan);
}

/* Many tiles of the size that is really used; and very few elements beside very many. */
TEST(usual_tiles)
{
    static const size_t sizes[][2] = {{300000, 200000}, {0, 400000}, {400000, 1}, {3, 300001}, {123456, 123456}};
    const merge_key key = key_of(_i % 2 ? 2 : 0, (merge_kind)(_i / 2 % 3), _i / 6, (unsigned)_i);
    clf_plan *plan = rig_full() || (_i + _i / 2 + _i / 6) % 2 == 0 ? merge_plan(&key) : NULL;
    for (unsigned turn = 0; plan && turn < 2 * COUNT(sizes); ++turn) {
        const size_t *const n = sizes[turn % COUNT(sizes)];
        if (key.order != ref_order_of(REF_ORDER_WIDE) || turn < 1)
            merge_case_run(plan, case_of(&key, n[0], n[1], turn));
    }
    clf_plan_release(plan);
}

/* ---- What only the device knows -------------------------------------------------------------------------------- */

/* Of both sequences nothing, something, all, and more than the call says there can be. */
TEST(sizes_on_the_device)
{
    static const int orders[] = {REF_ORDER_INT, REF_ORDER_TUPLE};
    for (unsigned which = 0; which < MERGE_KINDS * COUNT(orders); ++which) {
        const int order = orders[which / MERGE_KINDS];
        merge_key key = key_of(_i, (merge_kind)(which % MERGE_KINDS), order, which + (unsigned)_i);
        key.from_device = true;
        clf_plan *plan = rig_full() || (which + (unsigned)_i) % 2 == 0 ? merge_plan(&key) : NULL;
        if (!plan)
            continue;
        const size_t tile = plan_tile(plan) < 5000 ? plan_tile(plan) : 5000, n = 3 * tile + 5;
        const size_t actual[] = {0, 1, tile, tile + 1, n - 1, n, n + 100};
        for (unsigned turn = 0; turn < COUNT(actual) * COUNT(actual); ++turn) {
            merge_case test = case_of(&key, n, turn % 3 ? n : 2 * tile, turn);
            test.actual[0] = actual[turn % COUNT(actual)];
            test.actual[1] = actual[turn / COUNT(actual)];
            test.under.gated = turn % 5 == 1;
            merge_case_run(plan, test);
        }
        merge_case_run(plan, case_of(&key, 0, n, 0));
        merge_case_run(plan, case_of(&key, 0, 0, 0));
        clf_plan_release(plan);
    }
}

/* Two filters leave their counts side by side, and what they keep is merged: the host waits for nothing. */
TEST(behind_two_filters)
{
    enum { N = 10000 };
    static const clf_operator even = {.size = sizeof even, .value = "int v;", .predicate = "is_even",
                                      .source = "bool is_even(clf_input x, ulong i) { return x.v % 2 == 0; }"};
    static const clf_operator third = {.size = sizeof third, .value = "int v;", .predicate = "is_third",
                                       .source = "bool is_third(clf_input x, ulong i) { return x.v % 3 == 0; }"};
    static cl_int data[N], got[2 * N];
    clf_plan *filters[2], *merge = NULL;
    clf_context *const context = rig_context(NULL);
    const cl_command_queue queue = the_rig()->queue;
    for (cl_int i = 0; i < N; ++i)
        data[i] = i;
    assert_ok(clf_filter_plan(context, &even, 0, NULL, &filters[0], NULL));
    assert_ok(clf_filter_plan(context, &third, 0, NULL, &filters[1], NULL));
    assert_ok(clf_merge_plan(context, ref_order_of(REF_ORDER_INT)->clf, CLF_FROM_DEVICE, NULL, &merge, NULL));
    const clf_array in = {rig_buffer(sizeof data, data), 0}, out = {rig_buffer(sizeof got, NULL), 0};
    const clf_array kept[] = {{rig_buffer(sizeof data, NULL), 0}, {rig_buffer(sizeof data, NULL), 0}};
    const clf_array counts = {rig_buffer(16, NULL), 0}, second = {counts.buffer, 1};
    assert_ok(clf_filter(filters[0], CLF_ON(queue), N, N, &in, &kept[0], &counts));
    assert_ok(clf_filter(filters[1], CLF_ON(queue), N, N, &in, &kept[1], &second));
    assert_ok(
        clf_merge(merge, &(clf_call){.size = sizeof(clf_call), .queue = queue, .actual = counts}, N, N, kept, &out));
    assert_status(
        clf_merge(merge, &(clf_call){.size = sizeof(clf_call), .queue = queue, .actual = second}, N, N, kept, &out),
        CLF_E_BUFFER); /* which has one number, and not two */
    rig_read(queue, out.buffer, sizeof got, got);
    for (cl_int i = 0, at = 0; i < N; ++i)
        for (int times = (i % 2 == 0) + (i % 3 == 0); times > 0; --times)
            ck_assert_int_eq(got[at++], i);
    rig_release(in, out, kept[0], kept[1], counts);
    rig_release_plans(filters[0], filters[1], merge);
}

/* ---- Refusals -------------------------------------------------------------------------------------------------- */

#define MERGE(status, sentence, ...) REFUSES(&r.told, status, sentence, clf_merge(merge, __VA_ARGS__))
#define BOUNDS(status, sentence, ...) REFUSES(&r.told, status, sentence, clf_bounds(bounds, __VA_ARGS__))

TEST(refused_calls)
{
    const clf_operator *const ints = ref_order_of(REF_ORDER_INT)->clf;
    refused r;
    refused_open(&r);
    assert_ok(clf_merge_plan(r.context, ints, 0, NULL, &r.plan[0], NULL));
    assert_ok(clf_bounds_plan(r.context, ints, CLF_UINT, CLF_UPPER, NULL, &r.plan[1], NULL));
    clf_plan *const merge = r.plan[0], *const bounds = r.plan[1];
    const clf_array a = refused_array(&r, 400), b = refused_array(&r, 400), out = refused_array(&r, 800);
    const clf_call *const on = CLF_ON(r.queue);
    const cl_int one = 1;
    const clf_call initial = {.size = sizeof(clf_call), .queue = on->queue, .initial = &one};
    const clf_call counted = {.size = sizeof(clf_call), .queue = on->queue, .actual = out};
    const clf_call many = {.size = sizeof(clf_call), .queue = on->queue, .out_count = 2};
    const clf_array in[] = {a, b}, none[] = {{NULL, 0}, b}, haystack[] = {a, {NULL, 0}};
    MERGE(BUFFER, "out[0].buffer ends before element 199", on, 100, 100, in, &a);
    MERGE(ALIAS, "out[0] overlaps in[1]", on, 50, 50, in, &b);
    MERGE(BUFFER, "in[1].buffer ends before element 100", on, 9, 101, in, &out);
    MERGE(ARGUMENT, "in is NULL", on, 1, 1, NULL, &out);
    MERGE(ARGUMENT, "out is NULL", on, 1, 1, in, NULL);
    MERGE(ARGUMENT, "in[0].buffer is NULL", on, 1, 1, none, &out);
    MERGE(OVERFLOW, "n_first + n_second does not fit 64 bits", on, 2, UINT64_MAX, in, &out);
    MERGE(ARGUMENT, "a merge has no initial value", &initial, 9, 9, in, &out);
    MERGE(ARGUMENT, "call->actual and call->initial_arrays are for plans with CLF_FROM_DEVICE", &counted, 9, 9, in,
          &out);
    MERGE(ARGUMENT, "call->out_count is 2, and the operator has 1 arrays there", &many, 9, 9, in, &out);
    MERGE(ARGUMENT, "call is NULL", NULL, 9, 9, in, &out);
    assert_status(clf_merge(bounds, on, 9, 9, in, &out), CLF_E_ARGUMENT);
    assert_ok(clf_merge(merge, on, 0, 100, none, &out)); /* arrays of no elements are not looked at */
    assert_ok(clf_merge(merge, on, 0, 0, NULL, NULL));
    r.told = (rig_told){0};
    BOUNDS(ALIAS, "out[0] overlaps in[1]", on, 100, 100, in, &b);
    BOUNDS(BUFFER, "in[0].buffer ends before element 100", on, 101, 1, in, &out);
    BOUNDS(BUFFER, "out[0].buffer ends before element 200", on, 1, 100, in, &(clf_array){out.buffer, 101});
    BOUNDS(ARGUMENT, "out is NULL", on, 1, 1, in, NULL);
    BOUNDS(OVERFLOW, "positions in so many elements do not fit CLF_UINT", on, (cl_ulong)1 << 32, 1, in, &out);
    BOUNDS(OVERFLOW, "n + m does not fit 64 bits", on, UINT64_MAX, 1, in, &out);
    BOUNDS(ARGUMENT, "a search for bounds has no initial value", &initial, 9, 9, in, &out);
    assert_status(clf_bounds(merge, on, 9, 9, in, &out), CLF_E_ARGUMENT);
    assert_ok(clf_bounds(bounds, on, 0, 100, none, &out));
    assert_ok(clf_bounds(bounds, on, 100, 0, haystack, NULL));
    refused_close(&r);
}

TEST(operators_that_are_none)
{
    static const clf_operator shape = {.size = sizeof(clf_operator), .value = "int v;", .less = "f",
                                       .source = "bool f(clf_input x, int i) { return 1; }"};
    const clf_operator *const ints = ref_order_of(REF_ORDER_INT)->clf;
    clf_context *const context = rig_context(NULL);
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    for (size_t i = 0; i < REFUSED_ORDERS; ++i) {
        assert_status(clf_merge_plan(context, &refused_orders[i], 0, NULL, &plan, &error), CLF_E_ARGUMENT);
        assert_status(clf_bounds_plan(context, &refused_orders[i], CLF_UINT, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    }
    assert_status(clf_merge_plan(context, &refused_orders[1], 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, "a merge has no map, and no input or extra fields");
    assert_status(clf_merge_plan(context, &shape, 0, NULL, &plan, &error), CLF_E_OPERATOR);
    ck_assert_ptr_nonnull(strstr(error.message, "clf_operator.less: the source has no function bool f"));
    assert_status(clf_bounds_plan(context, ints, CLF_INT, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, "positions are CLF_UINT or CLF_ULONG");
    assert_status(clf_merge_plan(context, ints, CLF_UPPER, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_bounds_plan(context, ints, CLF_UINT, CLF_EXCLUSIVE, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_merge_plan(NULL, ints, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_merge_plan(context, NULL, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_scan_plan(context, ints, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_ptr_null(plan);
}

/* ---- Random cases ---------------------------------------------------------------------------------------------- */

static merge_key menu[9];

static void run_random(size_t which, clf_plan *plan, gen *own, long number)
{
    merge_case test = {.key = menu[which], .under = circumstances_random(own, number)};
    test.n_first = gen_size(own, 128, 6000);
    test.n_second = gen_size(own, 128, gen_chance(own, 20) ? 30 : 6000);
    test.pattern = (merge_pattern)gen_below(own, MERGE_PATTERNS);
    test.disorder = gen_chance(own, 5);
    merge_case_run(plan, test);
}

static clf_plan *draw(size_t i, gen *random)
{
    menu[i] = key_of((int)gen_below(random, ROUTES), (merge_kind)(i % MERGE_KINDS),
                     (int)gen_below(random, REF_ORDER_COUNT), (unsigned)gen_below(random, 4));
    return merge_plan(&menu[i]);
}

TEST(random_cases)
{
    route_run_random(COUNT(menu), 7000, 300, draw, run_random);
}

RIG_SUITE(merge, random_cases, {sizes_around_boundaries, ROUTES}, {every_size, 2 * MERGE_KINDS},
          {usual_tiles, 6 * REF_ORDER_COUNT}, {sizes_on_the_device, ROUTES}, {behind_two_filters, 1},
          {refused_calls, 1}, {operators_that_are_none, 1})
