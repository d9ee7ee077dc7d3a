/* SPDX-License-Identifier: MIT */
/*
 * Splits against the reference: every variant, 1 to 256 parts, elements of 1 to 64 bytes, tuples and maps, sizes around
 * everything that the kernels distinguish, all in one part and in all of them, sizes that only the device knows; and
 * what bad arguments do.
 */
#include "cases.h"
#include "refused.h"

#include <stdio.h>
#include <string.h>

/* ---- Ways ------------------------------------------------------------------------------------------------------ */

static const route routes[] = {{NULL, NULL, NULL},
                               {NULL, "cpu", "items=64"},
                               {"cpu", NULL, NULL},
                               {"cpu", "tile", "items=5,group=64"},
                               {"cpu", "tile", "items=8,group=32"},
                               {ROUTE_BARE, NULL, "items=3,group=4"},
                               {ROUTE_BARE, NULL, NULL}};
enum { ROUTES = COUNT(routes) };

static const unsigned parts_of[] = {1, 2, 3, 16, 17, 255, 256};
enum { PARTS = COUNT(parts_of) };

static split_key key_of(int which, int split, int parts)
{
    return (split_key){ref_split_of(split), parts_of[parts], routes[which]};
}

/* Circumstances go by the numbers, so that each comes with each. */
static split_case case_of(const split_key *key, size_t n, size_t tile, unsigned turn)
{
    return (split_case){.key = *key, .n = n, .period = turn % 2 ? tile : 37,
                        .pattern = (split_pattern)(turn % 7 % SPLIT_PATTERNS), .uncounted = turn % 6 == 5,
                        .under = {.offset = turn % 3 ? turn % 9 : 0, .unordered = turn % 11 == 3,
                                  .scratch = turn % 4 == 1, .seed = n + turn, .number = -1}};
}

/* ---- Sizes ----------------------------------------------------------------------------------------------------- */

static void run_size(clf_plan *plan, const void *key, size_t n, size_t tile, unsigned turn, const size_t *actual)
{
    split_case test = case_of(key, n, tile, turn);
    circumstances_give(&test.under, actual, turn);
    split_case_run(plan, test);
}

static void run_sizes(const split_key *key)
{
    const route_sizes sizes = {.most = 9000, .farthest = 11, .step = 1, .tiles = 3, .turns = 15};
    route_run_sizes(split_plan(key, false), key, &sizes, run_size);
}

TEST(sizes_around_boundaries)
{
    for (int s = 0; s < REF_SPLIT_COUNT; ++s)
        for (int p = 0; p < PARTS; ++p) {
            const split_key key = key_of(_i, s, p);
            if (rig_full() || (s == REF_SPLIT_INT && (p + _i) % 3 == 0) || (s + p + _i) % 9 == 0)
                run_sizes(&key);
        }
}

TEST(every_size)
{
    const split_key key = key_of(_i ? 5 : 1, _i ? REF_SPLIT_TUPLE : REF_SPLIT_PAIR, _i ? 4 : 3);
    clf_plan *plan = split_plan(&key, false);
    for (size_t n = 0; plan && n <= 200; ++n)
        split_case_run(plan, case_of(&key, n, 12, (unsigned)n));
    clf_plan_release(plan);
}

/* Many tiles of the size that is really used, and a part of one. */
TEST(usual_tiles)
{
    static const int usual[] = {0, 2, 6};
    const split_key key = key_of(usual[_i % 3], _i / 3, _i % 2 ? 6 : 3);
    clf_plan *plan = rig_full() || _i % 3 == 0 || _i / 3 % 2 == _i % 2 ? split_plan(&key, false) : NULL;
    for (unsigned turn = 0; plan && turn < 10; ++turn)
        split_case_run(plan, case_of(&key, 70000 + turn, plan_tile(plan), turn));
    clf_plan_release(plan);
}

TEST(sizes_on_the_device)
{
    const split_key key = key_of(_i, _i % 2 ? REF_SPLIT_INT : REF_SPLIT_TUPLE, _i % 3 ? 5 : 2);
    route_run_given(split_plan(&key, true), &key, 9000, run_size);
}

/* ---- Sorting --------------------------------------------------------------------------------------------------- */

/* Four passes, a byte each, sort words: that is what a stable split is for. */
TEST(passes_sort)
{
    enum { N = 20000 };
    static const char *const sources[] = {"uint digit(clf_input x, ulong i) { return x.v & 255; }",
                                          "uint digit(clf_input x, ulong i) { return x.v >> 8 & 255; }",
                                          "uint digit(clf_input x, ulong i) { return x.v >> 16 & 255; }",
                                          "uint digit(clf_input x, ulong i) { return x.v >> 24; }"};
    static cl_uint data[N];
    gen random = gen_seed(the_rig()->seed, 5);
    for (size_t i = 0; i < N; ++i)
        data[i] = (cl_uint)gen_bits(&random);
    const clf_array arrays[] = {{rig_buffer(sizeof data, data), 0}, {rig_buffer(sizeof data, NULL), 0}};
    for (size_t pass = 0; pass < 4; ++pass) {
        const clf_operator op = {.size = sizeof op, .value = "uint v;", .part = "digit", .source = sources[pass]};
        clf_plan *plan = NULL;
        assert_ok(clf_split_plan(rig_context(_i ? "cpu" : NULL), &op, 256, 0, NULL, &plan, NULL));
        assert_ok(clf_plan_compile(plan, NULL));
        assert_ok(clf_split(plan, CLF_ON(the_rig()->queue), N, &arrays[pass % 2], &arrays[1 - pass % 2], NULL));
        clf_plan_release(plan);
    }
    rig_read(the_rig()->queue, arrays[0].buffer, sizeof data, data);
    for (size_t i = 1; i < N; ++i)
        ck_assert_uint_le(data[i - 1], data[i]);
    rig_release(arrays[0], arrays[1]);
}

/* ---- Refusals -------------------------------------------------------------------------------------------------- */

TEST(refused_arguments_are_named)
{
    refused r;
    refused_open(&r);
    const cl_command_queue q = r.queue;
    assert_ok(clf_split_plan(r.context, ref_split_of(REF_SPLIT_INT)->clf, 16, 0, NULL, &r.plan[0], NULL));
    clf_plan *const plan = r.plan[0];
    const clf_array a = refused_array(&r, 400), b = refused_array(&r, 400), counts = refused_array(&r, 128);
    const clf_array late = {counts.buffer, 1}, scratch = refused_array(&r, 64);
    const cl_int one = 1;
    const clf_call initial = {.size = sizeof(clf_call), .queue = q, .initial = &one};
    const clf_call little = {.size = sizeof(clf_call), .queue = q, .scratch = scratch};
    REFUSES(&r.told, ALIAS, "out[0] overlaps in[0]", clf_split(plan, CLF_ON(q), 100, &a, &a, &counts));
    REFUSES(&r.told, BUFFER, "in[0].buffer ends before element 100", clf_split(plan, CLF_ON(q), 101, &a, &b, &counts));
    REFUSES(&r.told, BUFFER, "result_count.buffer ends before element 16",
            clf_split(plan, CLF_ON(q), 100, &a, &b, &late));
    REFUSES(&r.told, ARGUMENT, "a split has no initial value", clf_split(plan, &initial, 9, &a, &b, &counts));
    assert_status(clf_split(plan, &little, 100, &a, &b, &counts), CLF_E_SCRATCH);
    assert_status(clf_split(plan, CLF_ON(q), 100, &a, &b, &b), CLF_E_ALIAS);
    assert_status(clf_filter(plan, CLF_ON(q), 9, 9, &a, &b, &counts), CLF_E_ARGUMENT);
    assert_ok(clf_split(plan, CLF_ON(q), 0, NULL, NULL, NULL));
    assert_ok(clf_split(plan, CLF_ON(q), 100, &a, &b, NULL));
    refused_close(&r);
}

TEST(refused_plans)
{
    static const clf_operator wrong[] = {
        {.size = sizeof(clf_operator), .value = "int v;", .source = "uint f(clf_input x, ulong i) { return 1; }"},
        {.size = sizeof(clf_operator), .value = "int v;", .source = "", .predicate = "f", .part = "g"},
        {.size = sizeof(clf_operator), .value = "int v;", .source = "", .part = "f", .combine = "g"},
        {.size = sizeof(clf_operator), .value = "int v;", .source = "", .part = "f", .input = "int x;"},
    };
    static const clf_operator shape = {.size = sizeof(clf_operator), .value = "int v;", .part = "f",
                                       .source = "uint f(clf_input x, uint i) { return 1; }"};
    const clf_operator *const op = ref_split_of(REF_SPLIT_INT)->clf;
    clf_operator extra = *op;
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    extra.extra = "int w;";
    for (size_t i = 0; i < COUNT(wrong); ++i)
        assert_status(clf_split_plan(rig_context(NULL), &wrong[i], 4, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_split_plan(rig_context(NULL), &shape, 4, 0, NULL, &plan, &error), CLF_E_OPERATOR);
    ck_assert_ptr_nonnull(strstr(error.message, "clf_operator.part: the source has no function uint f"));
    assert_status(clf_split_plan(rig_context(NULL), op, 0, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, "a split has 1 to 256 parts, not 0");
    assert_status(clf_split_plan(rig_context(NULL), op, 257, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, "a split has 1 to 256 parts, not 257");
    assert_status(clf_split_plan(rig_context(NULL), &extra, 4, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, "a split has no extra outputs");
    assert_status(clf_split_plan(rig_context(NULL), op, 4, 1, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_ptr_null(plan);
}

/* ---- Random cases ---------------------------------------------------------------------------------------------- */

static split_key menu[8];

static void run_random(size_t which, clf_plan *plan, gen *own, long number)
{
    split_case test = {.key = menu[which], .under = circumstances_random(own, number)};
    test.n = gen_size(own, 128, 20000);
    test.pattern = (split_pattern)gen_below(own, SPLIT_PATTERNS);
    test.period = (size_t)gen_below(own, 3000) + 1;
    test.uncounted = gen_chance(own, 20);
    split_case_run(plan, test);
}

static clf_plan *draw(size_t i, gen *random)
{
    menu[i] = key_of((int)gen_below(random, ROUTES), (int)gen_below(random, REF_SPLIT_COUNT), 0);
    menu[i].parts = (unsigned)gen_below(random, gen_chance(random, 50) ? 256 : 20) + 1;
    return split_plan(&menu[i], false);
}

TEST(random_cases)
{
    route_run_random(COUNT(menu), 7000, 200, draw, run_random);
}

RIG_SUITE(split, random_cases, {sizes_around_boundaries, ROUTES}, {every_size, 2}, {usual_tiles, 3 * REF_SPLIT_COUNT},
          {sizes_on_the_device, ROUTES}, {passes_sort, 2}, {refused_arguments_are_named, 1}, {refused_plans, 1})
