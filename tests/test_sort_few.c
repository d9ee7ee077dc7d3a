/* SPDX-License-Identifier: MIT */
/*
 * Sorts by one group, in one launch: a part of suite `sort`. Every type of key and all kinds of tuples, sizes around
 * all that the kernel distinguishes, sizes that only the device knows, what is too much for a tile; which calls it has.
 */
#include "cases.h"

#include "core/core.h"

#include <string.h>

static const route routes[] = {{"cpu", "one_group", "items=4,group=64"},
                               {"cpu", "one_group", "items=1,group=32"},
                               {"cpu", "one_group", "items=2,group=100"},
                               {ROUTE_BARE, "one_group", "items=8,group=32"}};
enum { ROUTES = COUNT(routes) };

/* ---- Values ---------------------------------------------------------------------------------------------------- */

static void run_around(clf_plan *plan, const sort_key *key, unsigned from)
{
    const size_t tile = plan_tile(plan), sizes[] = {tile, tile - 1, tile / 2, tile / 2 + 1, 33, 2, 1, 0};
    for (unsigned k = 0; k < 2 * SORT_PATTERNS; ++k) {
        sort_case test = sort_case_of(key, sizes[k % 5], from + k);
        test.place = (guarded_place)(k % PLACES);
        sort_case_run(plan, &test);
    }
    for (unsigned k = 5; k < COUNT(sizes); ++k) {
        const sort_case test = sort_case_of(key, sizes[k], from + k);
        sort_case_run(plan, &test);
    }
}

/* In both orders, in both directions. */
TEST(few_of_every_type)
{
    for (unsigned f = 0; f < 4; ++f) {
        const sort_key key = {ref_sort_of(_i), sort_flags(f) | sort_overwriting(_i, f == 1),
                              routes[((unsigned)_i + f) % ROUTES], .kind = SORT_WHOLE};
        clf_plan *plan = sort_plan(&key);
        if (plan)
            run_around(plan, &key, f + (unsigned)_i);
        clf_plan_release(plan);
    }
}

/* ---- Sizes ----------------------------------------------------------------------------------------------------- */

TEST(every_few)
{
    static const int sorts[] = {CLF_UINT, REF_SORT_PAIR, REF_SORT_ORDER, REF_SORT_ULONG2};
    const sort_key key = {ref_sort_of(sorts[_i]), 0, routes[(_i + 1) % ROUTES], .kind = SORT_WHOLE};
    clf_plan *plan = sort_plan(&key);
    for (unsigned n = 0; plan && n <= plan_tile(plan) + 2; ++n) {
        const sort_case test = sort_case_of(&key, n, n); /* or it is too many, and that is said */
        sort_case_run(plan, &test);
    }
    clf_plan_release(plan);
}

TEST(few_that_the_device_counts)
{
    const int sort = _i % 2 ? REF_SORT_MIXED : CLF_FLOAT;
    const sort_key key = {ref_sort_of(sort), CLF_FROM_DEVICE, routes[_i], .kind = SORT_WHOLE};
    clf_plan *plan = sort_plan(&key);
    const size_t n = plan ? plan_tile(plan) - 1 : 0, actual[] = {0, 1, 2, n / 2, n - 1, n, n + 1, 3 * n};
    for (unsigned k = 0; plan && k < 2 * COUNT(actual); ++k)
        sort_case_run_given(plan, &key, n, actual[k % COUNT(actual)], k);
    clf_plan_release(plan);
}

/* ---- Which calls ----------------------------------------------------------------------------------------------- */

static bool is_taken(const clf_plan *plan, cl_ulong n)
{
    char text[4096];
    assert_ok(clf_plan_describe(plan, n, text, sizeof text, NULL));
    return strstr(text, "\nvariant = one_group\n");
}

/* As many as a profile says, but no more than a tile, of keys that are counted otherwise, too; without any scratch. */
TEST(who_takes_few)
{
    char text[256];
    clf_context *context = NULL;
    const clf_context_options options = {.size = sizeof options, .disable = rig_disabled("cpu", text),
                                         .profile = "sort.b4.few.limit = 9\nsort.*.few.items = 2\n"
                                                    "sort.*.few.group = 32\n"};
    const int sort = _i ? CLF_UCHAR : CLF_UINT;
    assert_ok(clf_context_create(the_rig()->cl, the_rig()->device, &options, &context, NULL));
    clf_plan *plan = NULL;
    assert_ok(clf_sort_plan(context, ref_sort_of(sort)->clf, 0, NULL, &plan, NULL));
    const cl_ulong most = _i ? 64 : 9;
    cl_ulong bytes = 1;
    if (!context->facts.is_cpu) { /* else CLFOLD_DISABLE had the last word */
        ck_assert(is_taken(plan, most) && !is_taken(plan, most + 1));
        assert_ok(clf_plan_scratch(plan, most, 1, &bytes));
        ck_assert_uint_eq(bytes, 0);
    }
    assert_ok(clf_plan_release(plan));
    assert_ok(clf_context_release(context));
}

/* ---- Random cases ---------------------------------------------------------------------------------------------- */

static sort_key menu[4];

static void run_random(size_t which, clf_plan *plan, gen *own, long number)
{
    const size_t n = gen_below(own, plan_tile(plan) + 1);
    const sort_case test = sort_case_random(&menu[which], own, n, n, number);
    sort_case_run(plan, &test);
}

static clf_plan *draw(size_t i, gen *random)
{
    const int sort = (int)gen_below(random, REF_SORT_COUNT);
    menu[i] = (sort_key){ref_sort_of(sort),
                         sort_flags((unsigned)gen_below(random, 4)) | (gen_chance(random, 25) ? CLF_FROM_DEVICE : 0) |
                             sort_overwriting(sort, gen_chance(random, 50)),
                         routes[gen_below(random, ROUTES)], .kind = SORT_WHOLE};
    return sort_plan(&menu[i]);
}

TEST(random_few)
{
    route_run_random(COUNT(menu), 7300, 60, draw, run_random);
}

void add_sort_few_tests(TCase *tests)
{
    rig_add(tests, (const rig_test[]){{few_of_every_type, REF_SORT_COUNT}, {every_few, 4},
                                      {few_that_the_device_counts, ROUTES}, {who_takes_few, 2}, {random_few, 1},
                                      {NULL, 0}});
}
