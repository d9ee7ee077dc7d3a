/* SPDX-License-Identifier: MIT */
/*
 * Filters and first elements of runs whose results take the place of inputs: every variant, tiles that wait in vain,
 * of one tile and of more; and overlaps that are refused. Part of suite `filter`.
 */
#include "cases.h"

#include <string.h>

static const route routes[] = {{NULL, NULL, NULL},
                               {NULL, "cpu", "items=64"},
                               {NULL, "cpu", "items=512,stall=2,spin=1"},
                               {"cpu", NULL, NULL},
                               {"cpu", "serial", "items=4,group=32,stall=3,spin=2"},
                               {"cpu", "two_pass", "items=12,group=64"},
                               {"cpu", "one_group", "items=8,group=64"},
                               {"cpu", "window", "items=4,group=64,reverse=1,spin=1"},
                               {"cpu", "central", "items=8,group=64,stall=1,spin=4"},
                               {ROUTE_BARE, NULL, "items=3,group=2"}};

/* One tile, in which results lie where elements were; more of them, where elements are copied first. */
static void run_in_place(const filter_key *key, bool from_device)
{
    clf_plan *plan = filter_plan(key, from_device);
    if (!plan)
        return;
    const size_t usual = plan_tile(plan), tile = usual < 20000 ? usual : 20000;
    const size_t sizes[] = {1, 2, 33, tile - 1, tile, tile + 1, 2 * tile, 3 * tile + 5, 20 * tile + 3};
    for (unsigned turn = 0; turn < 3 * COUNT(sizes); ++turn) {
        filter_case test = filter_case_of(key, sizes[turn % COUNT(sizes)], turn);
        test.in_place = true;
        test.under.given = from_device;
        test.under.actual = turn % 4 ? test.n - test.n / (turn % 4 + 1) : test.n + 9;
        test.under.gated = turn % 8 == 5;
        filter_case_run(plan, test);
    }
    clf_plan_release(plan);
}

TEST(in_place)
{
    for (int f = 0; f < REF_FILTER_COUNT; ++f) {
        const filter_key key = {ref_filter_of(f), routes[_i], true};
        if (key.filter->parts == 1 && (rig_full() || f == REF_UNIQUE_RUNS || (f + _i) % 4 == 0))
            run_in_place(&key, (f + _i) % 4 == 0);
    }
}

/* Every size around pieces of a tile (cl/filter/filter_cpu.cl), of runs of one and of many. */
TEST(in_place_every_size)
{
    const filter_key key = {.filter = ref_filter_of(_i ? REF_UNIQUE_RUNS : REF_FILTER_TUPLE), .in_place = true};
    clf_plan *plan = filter_plan(&key, false);
    for (size_t n = 0; plan && n <= 900; n += n < 300 ? 1 : 7) {
        filter_case test = filter_case_of(&key, n, (unsigned)n);
        test.in_place = true;
        filter_case_run(plan, test);
    }
    clf_plan_release(plan);
}

/* Each element is a run, and its result what the next element is: who sees results in its stead drops that one. */
TEST(results_that_look_like_neighbours)
{
    enum { N = 30000 };
    static const clf_operator starts = {
        .size = sizeof starts, .value = "int v;", .input = "int v;", .same = "equal", .map = "index",
        .source = "bool equal(clf_input a, clf_input b) { return a.v == b.v; }\n"
                  "clf_value index(clf_input x, ulong i) { clf_value y = {(int)i}; return y; }\n"};
    static cl_int data[N], got[N];
    const char *const variant = routes[_i].variant;
    const plan_parts parts = {.op = &starts, .flags = CLF_IN_PLACE};
    clf_plan *const plan = route_plan(&routes[_i], "unique", &parts, "starts");
    if (!plan)
        return;
    const cl_ulong tile = plan_tile(plan), sizes[] = {tile < N ? tile : N, N};
    for (cl_int i = 0; i < N; ++i)
        data[i] = i - 1;
    for (size_t k = 0; k < COUNT(sizes) && (k == 0 || !variant || strcmp(variant, "one_group") != 0); ++k) {
        const clf_array array = {rig_buffer(sizeof data, data), 0}, count = {rig_buffer(8, NULL), 0};
        assert_ok(clf_unique(plan, CLF_ON(the_rig()->queue), sizes[k], sizes[k], &array, &array, &count));
        rig_read(the_rig()->queue, array.buffer, sizeof got, got);
        for (cl_int i = 0; i < N; ++i)
            ck_assert_int_eq(got[i], (cl_ulong)i < sizes[k] ? i : i - 1);
        rig_release(array, count);
    }
    clf_plan_release(plan);
}

/* Plans without the flag, other overlaps, partitions; and what scratch is for. */
TEST(refused_in_place)
{
    enum { N = 100, ROOM = 5000 };
    rig_told t = {0};
    const clf_plan_options tiles = {.size = sizeof tiles, .parameters = "items=8"};
    cl_ulong bytes = 0, less = 0;
    clf_context *const context = RIG_CONTEXT(.notify = rig_listen, .user = &t);
    clf_plan *const plan = RIG_PLAN(clf_filter_plan, context, ref_filter_of(REF_FILTER_INT)->clf, CLF_IN_PLACE, &tiles);
    clf_plan *const apart = RIG_PLAN(clf_filter_plan, context, ref_filter_of(REF_FILTER_INT)->clf, 0, &tiles);
    const cl_command_queue q = the_rig()->queue;
    const clf_array a = {rig_buffer(4 * ROOM, NULL), 0}, count = {rig_buffer(8, NULL), 0}, next = {a.buffer, 1};
    const cl_ulong n = plan_tile(plan) + 1;
    REFUSES(&t, ALIAS, "out[0] overlaps in[0]", clf_filter(apart, CLF_ON(q), N, N, &a, &a, &count));
    REFUSES(&t, ALIAS, "out[0] overlaps in[0]", clf_filter(plan, CLF_ON(q), N, N, &a, &next, &count));
    REFUSES(&t, ALIAS, "out[0] overlaps in[0]", clf_filter(plan, CLF_ON(q), N, N, &next, &a, &count));
    REFUSES(&t, ALIAS, "result_count overlaps in[0]", clf_filter(plan, CLF_ON(q), N, 9, &a, &a, &a));
    assert_ok(clf_plan_scratch(apart, n, 0, &less));
    assert_ok(clf_plan_scratch(plan, n, 0, &bytes));
    ck_assert_uint_eq(bytes, (less + 15) / 16 * 16 + (4 * n + 15) / 16 * 16);
    ck_assert(n <= ROOM && bytes > 0);
    const clf_array scratch = {rig_buffer((size_t)bytes - 1, NULL), 0};
    const clf_call call = {.size = sizeof call, .queue = q, .scratch = scratch};
    assert_status(clf_filter(plan, &call, n, n, &a, &a, &count), CLF_E_SCRATCH);
    assert_ok(clf_filter(plan, CLF_ON(q), n, 9, &a, &a, &count));
    assert_ok(clFinish(q));
    clf_plan *partition = NULL;
    assert_status(
        clf_partition_plan(context, ref_filter_of(REF_PARTITION_INT)->clf, CLF_IN_PLACE, NULL, &partition, NULL),
        CLF_E_ARGUMENT);
    rig_release(a, count, scratch);
    rig_release_all(context, plan, apart);
}

RIG_PART(add_in_place_tests, {in_place, COUNT(routes)}, {in_place_every_size, 2},
         {results_that_look_like_neighbours, COUNT(routes)}, {refused_in_place, 1})
