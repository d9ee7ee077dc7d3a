/* SPDX-License-Identifier: MIT */
/*
 * Gathers and scatters against the reference: every variant, elements of 1 to 128 bytes, tuples, both types of indices,
 * sizes around everything that the kernels distinguish, indices that name nothing or all the same, sizes that only the
 * device knows; and what bad arguments do.
 */
#include "cases.h"
#include "refused.h"

#include <string.h>

/* ---- Ways ------------------------------------------------------------------------------------------------------ */

static const route routes[] = {{NULL, NULL, NULL},
                               {NULL, "cpu", "items=64"},
                               {"cpu", NULL, NULL},
                               {"cpu", "direct", "items=4,group=32"},
                               {"cpu", "direct", "items=3,group=64"},
                               {ROUTE_BARE, NULL, "items=1,group=2"}};
enum { ROUTES = COUNT(routes), KINDS = 4 /* gather and scatter, by both types of indices */ };

static gather_key key_of(int which, int moved, int kind)
{
    return (gather_key){ref_moved_of(moved), kind % 2 != 0, kind / 2 != 0, routes[which]};
}

/* Circumstances go by the numbers, so that each comes with each. */
static gather_case case_of(const gather_key *key, size_t n, size_t m, unsigned turn)
{
    return (gather_case){.key = *key, .n = n, .m = m, .pattern = (gather_pattern)(turn % GATHER_PATTERNS),
                         .under = {.offset = turn % 4 ? turn % 9 : 0, .unordered = turn % 11 == 3, .seed = n + turn,
                                   .number = -1}};
}

/* ---- Sizes ----------------------------------------------------------------------------------------------------- */

static void run_sizes(const gather_key *key, unsigned turn)
{
    clf_plan *plan = gather_plan(key, false);
    const size_t tile = plan && plan_tile(plan) < 3000 ? plan_tile(plan) : 3000;
    const size_t sizes[] = {0, 1, 2, tile - 1, tile, tile + 1, 2 * tile, 3 * tile + 7};
    for (size_t i = 0; plan && i < COUNT(sizes); ++i)
        gather_case_run(plan, case_of(key, sizes[i], sizes[i], turn++));
    for (size_t i = 0; plan && i < COUNT(sizes); ++i) { /* fewer indices than elements, and more; none of one */
        gather_case_run(plan, case_of(key, 2 * tile + 1, sizes[i], turn++));
        gather_case_run(plan, case_of(key, sizes[i], tile + 1, turn++));
    }
    clf_plan_release(plan);
}

TEST(sizes_around_boundaries)
{
    for (int moved = 0; moved < REF_MOVED_COUNT; ++moved) {
        const gather_key key = key_of(_i / KINDS, moved, _i % KINDS);
        if (rig_full() || moved == 0 || (moved + _i) % 3 == 0)
            run_sizes(&key, (unsigned)(moved + _i));
    }
}

/* All fields by all patterns, in the variants that are chosen. */
TEST(every_pattern_of_every_element)
{
    const gather_key key = key_of(_i / KINDS % 2 ? 2 : 0, _i / KINDS / 2, _i % KINDS);
    clf_plan *plan = gather_plan(&key, false);
    for (unsigned turn = 0; plan && turn < 2 * GATHER_PATTERNS; ++turn)
        gather_case_run(plan, case_of(&key, 2500 + turn, turn % 2 ? 2500 : 4200, turn));
    clf_plan_release(plan);
}

/* Many tiles. */
TEST(usual_tiles)
{
    const gather_key key = key_of(_i / KINDS % 2 ? 2 : 0, _i / KINDS / 2 ? 12 : 0, _i % KINDS);
    clf_plan *plan = gather_plan(&key, false);
    for (unsigned turn = 0; plan && turn < 3; ++turn)
        gather_case_run(plan, case_of(&key, 70000 + turn, 66000, turn));
    clf_plan_release(plan);
}

static void run_given(clf_plan *plan, const void *key, size_t n, size_t tile, unsigned turn, const size_t *actual)
{
    gather_case test = case_of(key, n, n, turn);
    (void)tile;
    circumstances_give(&test.under, actual, turn);
    gather_case_run(plan, test);
}

TEST(sizes_on_the_device)
{
    const gather_key key = key_of(_i / KINDS, _i % 2 ? 11 : 1, _i % KINDS);
    route_run_given(gather_plan(&key, true), &key, 3000, run_given);
}

/* ---- Together -------------------------------------------------------------------------------------------------- */

enum { N = 5000 };

static clf_array buffer_of(size_t bytes, const void *data)
{
    return (clf_array){rig_buffer(bytes, data), 0};
}

/* A scatter by a permutation, then a gather by the same one. */
TEST(there_and_back)
{
    const char *fields = "float x; ulong id;";
    clf_plan *gather = NULL, *scatter = NULL;
    cl_uint order[N], x[N], got_x[N];
    cl_ulong id[N], got_id[N];
    gen random = gen_seed(the_rig()->seed, 17);
    for (cl_uint i = 0; i < N; ++i) {
        const size_t k = (size_t)gen_below(&random, i + 1);
        order[i] = order[k];
        order[k] = i;
        x[i] = 3 * i;
        id[i] = gen_bits(&random);
    }
    clf_context *const context = rig_context(_i ? "cpu" : NULL);
    assert_ok(clf_gather_plan(context, fields, CLF_UINT, 0, NULL, &gather, NULL));
    assert_ok(clf_scatter_plan(context, fields, CLF_UINT, 0, NULL, &scatter, NULL));
    const cl_command_queue q = the_rig()->queue;
    const clf_array a[] = {buffer_of(sizeof x, x), buffer_of(sizeof id, id), buffer_of(sizeof x, NULL),
                           buffer_of(sizeof id, NULL), buffer_of(sizeof x, NULL), buffer_of(sizeof id, NULL),
                           buffer_of(sizeof order, order)};
    assert_ok(clf_scatter(scatter, CLF_ON(q), N, N, a, &a[6], a + 2));
    assert_ok(clf_gather(gather, CLF_ON(q), N, N, a + 2, &a[6], a + 4));
    rig_read(q, a[4].buffer, sizeof got_x, got_x);
    rig_read(q, a[5].buffer, sizeof got_id, got_id);
    ck_assert(memcmp(x, got_x, sizeof x) == 0 && memcmp(id, got_id, sizeof id) == 0);
    rig_release_list(COUNT(a), a);
    rig_release_plans(gather, scatter);
}

/* A filter's results are indices, of which it alone knows how many; what is behind them is never looked at. */
TEST(chained_without_the_host)
{
    static const clf_operator odd = {
        .size = sizeof odd, .value = "uint at;", .input = "int v;", .predicate = "is_odd", .map = "place",
        .source = "bool is_odd(clf_input x, ulong i) { return x.v % 2 != 0; }\n"
                  "clf_value place(clf_input x, ulong i) { clf_value v = {(uint)i}; return v; }"};
    clf_context *const context = rig_context(_i ? "cpu" : NULL);
    clf_plan *filter = NULL, *gather = NULL;
    cl_int keys[N], payload[N], got[N], expected[N];
    size_t kept = 0;
    for (int i = 0; i < N; ++i) {
        keys[i] = i * 7 % 1000;
        payload[i] = 5 * i;
        expected[i] = -1;
    }
    for (int i = 0; i < N; ++i)
        if (keys[i] % 2)
            expected[kept++] = payload[i];
    memset(got, 0xff, sizeof got);
    assert_ok(clf_filter_plan(context, &odd, 0, NULL, &filter, NULL));
    assert_ok(clf_gather_plan(context, "int v;", CLF_UINT, CLF_FROM_DEVICE, NULL, &gather, NULL));
    const cl_command_queue q = the_rig()->queue;
    const clf_array a[] = {buffer_of(sizeof keys, keys), buffer_of(sizeof payload, payload),
                           buffer_of(sizeof keys, NULL), buffer_of(8, NULL), buffer_of(sizeof got, got)};
    const clf_call of_kept = {.size = sizeof of_kept, .queue = q, .actual = a[3]};
    assert_ok(clf_filter(filter, CLF_ON(q), N, N, &a[0], &a[2], &a[3]));
    assert_ok(clf_gather(gather, &of_kept, N, N, &a[1], &a[2], &a[4]));
    rig_read(q, a[4].buffer, sizeof got, got);
    ck_assert(memcmp(expected, got, sizeof got) == 0);
    rig_release_list(COUNT(a), a);
    rig_release_plans(filter, gather);
}

/* ---- Refusals -------------------------------------------------------------------------------------------------- */

TEST(refused_arguments_are_named)
{
    refused r;
    refused_open(&r);
    const cl_command_queue q = r.queue;
    assert_ok(clf_gather_plan(r.context, "int v;", CLF_UINT, 0, NULL, &r.plan[0], NULL));
    assert_ok(clf_scatter_plan(r.context, "int v;", CLF_ULONG, 0, NULL, &r.plan[1], NULL));
    clf_plan *const gather = r.plan[0], *const scatter = r.plan[1];
    const clf_array a = refused_array(&r, 400), b = refused_array(&r, 400), at = refused_array(&r, 400);
    const clf_array behind = {at.buffer, 50};
    const cl_int one = 1;
    const clf_call initial = {.size = sizeof(clf_call), .queue = q, .initial = &one};
    const clf_call given = {.size = sizeof(clf_call), .queue = q, .actual = at};
    REFUSES(&r.told, ALIAS, "out[0] overlaps in[0]", clf_gather(gather, CLF_ON(q), 100, 100, &a, &at, &a));
    REFUSES(&r.told, ALIAS, "out[0] overlaps indices", clf_gather(gather, CLF_ON(q), 100, 100, &a, &at, &at));
    REFUSES(&r.told, ALIAS, "out[0] overlaps indices", clf_scatter(scatter, CLF_ON(q), 50, 100, &a, &at, &at));
    REFUSES(&r.told, ALIAS, "out[0] overlaps in[0]", clf_scatter(scatter, CLF_ON(q), 50, 100, &a, &at, &a));
    REFUSES(&r.told, BUFFER, "in[0].buffer ends before element 100",
            clf_gather(gather, CLF_ON(q), 101, 9, &a, &at, &b));
    REFUSES(&r.told, BUFFER, "indices.buffer ends before element 100",
            clf_gather(gather, CLF_ON(q), 9, 101, &a, &at, &b));
    REFUSES(&r.told, BUFFER, "indices.buffer ends before element 50",
            clf_scatter(scatter, CLF_ON(q), 51, 9, &a, &at, &b));
    REFUSES(&r.told, BUFFER, "out[0].buffer ends before element 100",
            clf_scatter(scatter, CLF_ON(q), 50, 101, &a, &at, &b));
    REFUSES(&r.told, ARGUMENT, "indices is NULL", clf_gather(gather, CLF_ON(q), 9, 9, &a, NULL, &b));
    REFUSES(&r.told, ARGUMENT, "in is NULL", clf_gather(gather, CLF_ON(q), 9, 9, NULL, &at, &b));
    REFUSES(&r.told, ARGUMENT, "out is NULL", clf_gather(gather, CLF_ON(q), 9, 9, &a, &at, NULL));
    REFUSES(&r.told, ARGUMENT, "a gather has no initial value", clf_gather(gather, &initial, 9, 9, &a, &at, &b));
    REFUSES(&r.told, ARGUMENT, "call->actual and call->initial_arrays are for plans with CLF_FROM_DEVICE",
            clf_scatter(scatter, &given, 9, 9, &a, &at, &b));
    assert_status(clf_gather(scatter, CLF_ON(q), 9, 9, &a, &at, &b), CLF_E_ARGUMENT);
    assert_ok(clf_gather(gather, CLF_ON(q), 100, 50, &at, &behind, &b)); /* inputs may overlap */
    assert_ok(clf_gather(gather, CLF_ON(q), 100, 0, &a, NULL, NULL));
    assert_ok(clf_gather(gather, CLF_ON(q), 0, 50, NULL, &at, &b)); /* no index names anything */
    refused_close(&r);
}

TEST(plans_that_are_none)
{
    clf_error error = {.size = sizeof error};
    clf_context *const context = rig_context(NULL);
    clf_plan *plan = NULL;
    assert_status(clf_gather_plan(context, NULL, CLF_UINT, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, "fields must not be NULL");
    assert_status(clf_gather_plan(context, "int v;", CLF_INT, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, "indices are CLF_UINT or CLF_ULONG");
    assert_status(clf_scatter_plan(context, "int v; cat w;", CLF_UINT, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.message, "fields, character 8: 'cat' is not"));
    assert_status(clf_scatter_plan(context, "", CLF_UINT, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_scatter_plan(NULL, "int v;", CLF_UINT, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_gather_plan(context, "int v;", CLF_UINT, CLF_EXCLUSIVE, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_gather_plan(context, "int v;", CLF_UINT, 0, NULL, NULL, &error), CLF_E_ARGUMENT);
    ck_assert_ptr_null(plan);
}

/* ---- Random cases ---------------------------------------------------------------------------------------------- */

static gather_key menu[10];

static void run_random(size_t which, clf_plan *plan, gen *own, long number)
{
    gather_case test = {.key = menu[which], .under = circumstances_random(own, number)};
    test.n = gen_size(own, 128, 5000);
    test.m = gen_chance(own, 50) ? test.n : gen_size(own, 128, 5000);
    test.pattern = (gather_pattern)gen_below(own, GATHER_PATTERNS);
    gather_case_run(plan, test);
}

static clf_plan *draw(size_t i, gen *random)
{
    menu[i] = key_of((int)gen_below(random, ROUTES), (int)gen_below(random, REF_MOVED_COUNT),
                     (int)gen_below(random, KINDS));
    return gather_plan(&menu[i], false);
}

TEST(random_cases)
{
    route_run_random(COUNT(menu), 7000, 300, draw, run_random);
}

RIG_SUITE(gather, random_cases, {sizes_around_boundaries, ROUTES * KINDS},
          {every_pattern_of_every_element, 2 * KINDS * REF_MOVED_COUNT}, {usual_tiles, 4 * KINDS},
          {sizes_on_the_device, ROUTES * KINDS}, {there_and_back, 2}, {chained_without_the_host, 2},
          {refused_arguments_are_named, 1}, {plans_that_are_none, 1})
