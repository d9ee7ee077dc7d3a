/* SPDX-License-Identifier: MIT */
/*
 * Sorts by comparison, and tests whether elements are sorted, against the reference: every variant, orders of all
 * kinds, elements of 1 to 128 bytes, sizes around everything that the kernels distinguish, data in every order, outputs
 * where inputs are, sizes that only the device knows; and what bad arguments do.
 */
#include "cases.h"
#include "refused.h"

#include <string.h>

/* ---- Ways ------------------------------------------------------------------------------------------------------ */

static const route routes[] = {{NULL, NULL, NULL},
                               {NULL, "cpu", "items=50,streams=3,groups=5"},
                               {"cpu", NULL, NULL},
                               {"cpu", "tiles", "items=3,group=32,groups=7"},
                               {"cpu", "tiles", "items=4,group=64"},
                               {"cpu", "tiles", "items=12,group=8"},
                               {"cpu", "tiles", "items=5,group=24"},
                               {ROUTE_BARE, "tiles", "items=1,group=2,groups=1"}};
enum { ROUTES = COUNT(routes), FIRST_SMALL = 3, CPU_SMALL = 1 };

static compare_key key_of(int which, compare_kind kind, int order)
{
    return (compare_key){.kind = kind, .order = ref_order_of(order), .route = routes[which]};
}

/* Circumstances go by the numbers, so that each comes with each. */
static compare_case case_of(const compare_key *key, size_t n, unsigned turn)
{
    return (compare_case){.key = *key, .n = n, .pattern = (compare_pattern)(turn % COMPARE_PATTERNS),
                          .place = (guarded_place)(turn % 7 % PLACES),
                          .under = {.offset = turn % 3 ? turn % 10 : 0, .tight = turn % 13 == 5,
                                    .unordered = turn % 11 == 3, .scratch = turn % 4 == 1, .seed = n + turn,
                                    .number = -1}};
}

/* ---- Sizes ----------------------------------------------------------------------------------------------------- */

static void run_size(clf_plan *plan, const void *key, size_t n, size_t tile, unsigned turn, const size_t *actual)
{
    (void)tile, (void)actual;
    compare_case_run(plan, case_of(key, n, turn));
}

static void run_sizes(const compare_key *key)
{
    const route_sizes sizes = {.most = 5000, .farthest = 11, .step = 3, .tiles = 3, .turns = 2 * COMPARE_PATTERNS};
    route_run_sizes(compare_plan(key), key, &sizes, run_size);
}

TEST(sizes_around_boundaries)
{
    for (int kind = 0; kind < COMPARE_KINDS; ++kind)
        for (int order = 0; order < REF_ORDER_COUNT; ++order) {
            compare_key key = key_of(_i, (compare_kind)kind, order);
            key.overwrites = (order + _i) % 2;
            const bool some = kind == MERGE_SORT ? order == REF_ORDER_INT || (order + _i) % 5 == 0
                                                 : (order + _i) % REF_ORDER_COUNT == 0;
            if (rig_full() || some)
                run_sizes(&key);
        }
}

TEST(every_size)
{
    static const int small[] = {CPU_SMALL, FIRST_SMALL, FIRST_SMALL + 2};
    const compare_key key = key_of(small[_i / COMPARE_KINDS], (compare_kind)(_i % COMPARE_KINDS), REF_ORDER_TUPLE);
    clf_plan *plan = compare_plan(&key);
    for (unsigned n = 0; plan && n <= 420; ++n)
        compare_case_run(plan, case_of(&key, n, n));
    clf_plan_release(plan);
}

/* Many tiles of the size that is really used, and a part of one; and more than groups look for cuts of themselves. */
TEST(usual_tiles)
{
    static const int usual[] = {0, 2, FIRST_SMALL, CPU_SMALL};
    const compare_key key = key_of(usual[_i % 4], (compare_kind)(_i / 4 % 2), _i / 8);
    const bool some = _i % 4 < 2 ? (_i / 8 + _i / 4 + _i) % 3 == 0 : _i / 8 < 1;
    clf_plan *plan = some || (rig_full() && (_i % 4 < 2 || _i / 8 < 2)) ? compare_plan(&key) : NULL;
    for (unsigned turn = 0; plan && turn < COMPARE_PATTERNS; ++turn) {
        const bool wide = key.order == ref_order_of(REF_ORDER_WIDE);
        if (!wide || turn % 3 == 0)
            compare_case_run(plan, case_of(&key, (wide ? 9000 : _i % 4 < 2 ? 200000 : 60000) + turn, turn));
    }
    clf_plan_release(plan);
}

/* ---- Places ---------------------------------------------------------------------------------------------------- */

/* Any number of rounds, from inputs that are outputs, too. */
TEST(every_number_of_rounds_everywhere)
{
    static const int orders[] = {REF_ORDER_INT, REF_ORDER_DOWN, REF_ORDER_PAIR};
    compare_key key = key_of(_i % 2 ? FIRST_SMALL : CPU_SMALL, MERGE_SORT, orders[_i / 2 % 3]);
    key.overwrites = _i >= 6;
    clf_plan *plan = compare_plan(&key);
    for (unsigned place = 0; plan && place < PLACES; ++place)
        for (size_t tiles = 1; tiles <= 64; tiles += tiles < 5 ? 1 : tiles / 2) {
            compare_case test = case_of(&key, tiles * plan_tile(plan) - place, (unsigned)tiles);
            test.place = (guarded_place)place;
            test.pattern = COMPARE_RANDOM;
            compare_case_run(plan, test);
        }
    clf_plan_release(plan);
}

/* ---- What only the device knows -------------------------------------------------------------------------------- */

TEST(sizes_on_the_device)
{
    static const int orders[] = {REF_ORDER_INT, REF_ORDER_TUPLE};
    for (unsigned which = 0; which < COMPARE_KINDS * COUNT(orders); ++which) {
        if (!rig_full() && (which + (unsigned)_i) % 4 != 0)
            continue;
        compare_key key = key_of(_i, (compare_kind)(which % COMPARE_KINDS), orders[which / COMPARE_KINDS]);
        key.from_device = true;
        key.overwrites = _i % 2;
        clf_plan *plan = compare_plan(&key);
        if (!plan)
            continue;
        const size_t tile = plan_tile(plan) < 5000 ? plan_tile(plan) : 5000, n = 5 * tile + 5;
        const size_t actual[] = {0, 1, 2, tile - 1, tile, tile + 1, 3 * tile, n - 1, n, n + 100};
        for (unsigned i = 0; i < 2 * COUNT(actual); ++i) {
            compare_case test = case_of(&key, n, 3 * i);
            test.under.actual = actual[i % COUNT(actual)];
            test.under.gated = i % 2;
            compare_case_run(plan, test);
        }
        compare_case_run(plan, case_of(&key, 0, 0));
        clf_plan_release(plan);
    }
}

/* ---- Refusals -------------------------------------------------------------------------------------------------- */

TEST(refused_calls)
{
    static const refused_sort sorting = {"clf_merge_sort", "a merge sort has no initial value", clf_merge_sort, true,
                                         true};
    const clf_operator *const downs = ref_order_of(REF_ORDER_DOWN)->clf;
    const cl_float initial[2] = {0};
    refused r;
    refused_open(&r);
    assert_ok(clf_merge_sort_plan(r.context, downs, 0, NULL, &r.plan[0], NULL));
    assert_ok(clf_is_sorted_plan(r.context, downs, 0, NULL, &r.plan[1], NULL));
    refused_check_sort(&r, &sorting);
    clf_plan *const test = r.plan[1];
    const clf_call *const on = CLF_ON(r.queue), call = {.size = sizeof call, .queue = r.queue, .initial = initial};
    const clf_array in[] = {refused_array(&r, 400), refused_array(&r, 400)}, c = refused_array(&r, 400);
    const unsigned long before = layer_commands();
    REFUSES(&r.told, ARGUMENT, "a test whether elements are sorted has no initial value",
            clf_is_sorted(test, &call, 9, in, &c));
    rig_expect(&r.told,
               clf_is_sorted(test, &(clf_call){.size = sizeof call, .queue = r.queue, .out_count = 1}, 9, in, &c),
               CLF_E_ARGUMENT, "clf_is_sorted: call->out_count is 1, and the operator has 0 arrays there");
    REFUSES(&r.told, ARGUMENT, "result_count is NULL", clf_is_sorted(test, on, 9, in, NULL));
    REFUSES(&r.told, ARGUMENT, "in is NULL", clf_is_sorted(test, on, 9, NULL, &c));
    REFUSES(&r.told, BUFFER, "in[0].buffer ends before element 100", clf_is_sorted(test, on, 101, in, &c));
    REFUSES(&r.told, BUFFER, "result_count.buffer ends before element 50",
            clf_is_sorted(test, on, 9, in, &(clf_array){c.buffer, 50}));
    REFUSES(&r.told, ALIAS, "result_count overlaps in[1]", clf_is_sorted(test, on, 9, in, &in[1]));
    assert_status(clf_is_sorted(r.plan[0], on, 9, in, &c), CLF_E_ARGUMENT);
    ck_assert_uint_eq(layer_commands(), before);
    assert_ok(clf_is_sorted(test, on, 0, NULL, &c));
    refused_close(&r);
}

TEST(operators_that_are_none)
{
    const clf_operator *const ints = ref_order_of(REF_ORDER_INT)->clf;
    clf_context *const context = rig_context(NULL);
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    for (size_t i = 0; i < REFUSED_ORDERS; ++i) {
        assert_status(clf_merge_sort_plan(context, &refused_orders[i], 0, NULL, &plan, &error), CLF_E_ARGUMENT);
        assert_status(clf_is_sorted_plan(context, &refused_orders[i], 0, NULL, &plan, &error), CLF_E_ARGUMENT);
        if (refused_orders[i].map || refused_orders[i].input)
            ck_assert_str_eq(error.message,
                             "a test whether elements are sorted has no map, and no input or extra fields");
    }
    assert_status(clf_merge_sort_plan(context, ints, CLF_DESCENDING, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_merge_sort_plan(NULL, ints, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_merge_sort_plan(context, NULL, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_is_sorted_plan(context, ints, 0, NULL, NULL, &error), CLF_E_ARGUMENT);
    ck_assert_ptr_null(plan);
}

/* ---- Random cases ---------------------------------------------------------------------------------------------- */

static compare_key menu[5];

static void run_random(size_t which, clf_plan *plan, gen *own, long number)
{
    compare_case test = {.key = menu[which], .under = circumstances_random(own, number)};
    test.n = gen_size(own, 128, 6000);
    test.under.actual = (size_t)gen_below(own, 2 * test.n + 1);
    test.pattern = (compare_pattern)gen_below(own, COMPARE_PATTERNS);
    test.place = (guarded_place)gen_below(own, PLACES);
    compare_case_run(plan, test);
}

static clf_plan *draw(size_t i, gen *random)
{
    menu[i] = key_of((int)gen_below(random, ROUTES), i < 4 ? MERGE_SORT : IS_SORTED,
                     (int)gen_below(random, REF_ORDER_COUNT));
    menu[i].from_device = gen_chance(random, 25);
    menu[i].overwrites = gen_chance(random, 50);
    return compare_plan(&menu[i]);
}

TEST(random_cases)
{
    route_run_random(COUNT(menu), 8000, 200, draw, run_random);
}

RIG_SUITE_OF(merge_sort, random_cases, (add_no_order_tests, add_captured_refusals), {sizes_around_boundaries, ROUTES},
             {every_size, 3 * COMPARE_KINDS}, {usual_tiles, 8 * REF_ORDER_COUNT},
             {every_number_of_rounds_everywhere, 10}, {sizes_on_the_device, ROUTES}, {refused_calls, 1},
             {operators_that_are_none, 1})
