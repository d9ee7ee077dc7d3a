/* SPDX-License-Identifier: MIT */
/*
 * Sorts of few elements, by tiles and ranks: a part of suite `sort`. Every type of key and all kinds of tuples, sizes
 * around all that the kernels distinguish, sizes that only the device knows; which calls one launch has.
 */
#include "cases.h"

#include "core/core.h"

#include <string.h>

static const route routes[] = {{"cpu", "ranks", "items=4,group=64,streams=8"},
                               {"cpu", "ranks", "items=1,group=32,streams=3"},
                               {"cpu", "ranks", "items=2,group=100,streams=5"},
                               {ROUTE_BARE, "ranks", "items=8,group=32,streams=1"}};
enum { ROUTES = COUNT(routes) };

/* ---- Values ---------------------------------------------------------------------------------------------------- */

static void run_around(clf_plan *plan, const sort_key *key, unsigned from)
{
    const size_t tile = plan_tile(plan), sizes[] = {tile, 2 * tile - 1, 4 * tile + 1, 9 * tile - 1, tile / 2, 2, 1, 0};
    for (unsigned k = 0; k < 2 * SORT_PATTERNS; ++k) {
        sort_case test = sort_case_of(key, sizes[k % 5], from + k);
        test.place = (guarded_place)(k % PLACES);
        sort_case_run(plan, test);
    }
    for (unsigned k = 5; k < COUNT(sizes); ++k)
        sort_case_run(plan, sort_case_of(key, sizes[k], from + k));
}

/* In both orders, in both directions: two of the four pairs of these, which have both of each. */
TEST(few_of_every_type)
{
    for (unsigned f = 0; f < 4; ++f) {
        const sort_key key = {ref_sort_of(_i), sort_flags(f) | sort_overwriting(_i, f == 1),
                              routes[((unsigned)_i + f) % ROUTES], .kind = SORT_WHOLE};
        clf_plan *plan = rig_in_turn((int)(f + f / 2) + _i, 2) ? sort_plan(&key) : NULL;
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
    for (unsigned n = 0; plan && n <= 4 * plan_tile(plan) + 2; n += n < plan_tile(plan) ? 1 : 31)
        sort_case_run(plan, sort_case_of(&key, n, n));
    clf_plan_release(plan);
}

TEST(few_that_the_device_counts)
{
    const int sort = _i % 2 ? REF_SORT_MIXED : CLF_FLOAT;
    const sort_key key = {ref_sort_of(sort), CLF_FROM_DEVICE, routes[_i], .kind = SORT_WHOLE};
    clf_plan *plan = sort_plan(&key);
    const size_t n = plan ? 7 * plan_tile(plan) - 1 : 0, actual[] = {0, 1, 2, n / 2, n - 1, n, n + 1, 3 * n};
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
    const int sort = _i ? CLF_UCHAR : CLF_UINT;
    clf_context *const context = RIG_CONTEXT(.disable = rig_disabled("cpu", text),
                                             .profile =
                                                 "sort.b4.few.limit = 9\nsort.*.few.items = 2\n"
                                                 "sort.*.few.group = 32\n");
    clf_plan *const plan = RIG_PLAN(clf_sort_plan, context, ref_sort_of(sort)->clf, 0, NULL);
    const cl_ulong most = _i ? 64 : 9;
    cl_ulong bytes = 1;
    if (!context->facts.is_cpu) { /* else CLFOLD_DISABLE had the last word */
        ck_assert(is_taken(plan, most) && !is_taken(plan, most + 1));
        assert_ok(clf_plan_scratch(plan, most, 1, &bytes));
        ck_assert_uint_eq(bytes, 0);
    }
    rig_release_all(context, plan);
}

RIG_PART(add_sort_few_tests, {few_of_every_type, REF_SORT_COUNT}, {every_few, 4}, {few_that_the_device_counts, ROUTES},
         {who_takes_few, 2})
