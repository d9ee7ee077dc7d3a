/* SPDX-License-Identifier: MIT */
/*
 * Top-k against the reference: every type of key, tuples of all kinds, every variant and every way (by steps with a
 * sample and without, by rows, a few by lists, short rows as a whole), any k, data that mislead the sample, rows of
 * many shapes, sizes that only the device knows. Refusals are in test_top_k_refusals.c.
 */
#include "cases.h"
#include "numbers.h"

#include "primitives/primitives.h"

/* ---- Ways ------------------------------------------------------------------------------------------------------ */

static const route routes[] = {
    {NULL, NULL, NULL},
    {"cpu", NULL, NULL},
    {NULL, "cpu", "limit=100,groups=3"},
    {"cpu", "groups", "limit=100,groups=3,group=64,few=0"},
    {ROUTE_BARE, NULL, "limit=50,groups=20,group=32"},
};
enum { ROUTES = COUNT(routes), FIRST_SMALL = 2 /* those with samples of few elements */, SMALL = 3 };

static sort_key key_by(const route *r, int sort, unsigned flags)
{
    return (sort_key){ref_sort_of(sort), flags, *r, .kind = SORT_WHOLE};
}

static unsigned flags_of(unsigned turn)
{
    return sort_flags(turn) | (turn & 4 ? CLF_UNSORTED : 0);
}

static top_k_case case_of(const sort_key *key, size_t n, size_t k, unsigned turn)
{
    return (top_k_case){.sort = sort_case_of(key, n, turn), .k = k};
}

static top_k_case rows_of(const sort_key *key, size_t count, size_t size, size_t k, unsigned turn)
{
    top_k_case test = case_of(key, count * size, k, turn);
    test.rows = true;
    test.size = size;
    return test;
}

/* ---- Keys ------------------------------------------------------------------------------------------------------ */

/* Both orders in both directions, sorted and not, and all patterns. A short run has one of these of each type. */
static void run_keys(const route *r, int type)
{
    static const size_t few[] = {1, 10, 37, 80, 200, 450};
    for (unsigned f = 0; f < 8; ++f) {
        const sort_key key = key_by(r, type, flags_of(f));
        const bool real = type >= CLF_HALF && type < CLF_TYPE_COUNT;
        const bool some = f % 4 == (unsigned)(real ? 3 - type % CLF_HALF : type / 2 % 2);
        clf_plan *plan = (real || !(f & 2)) && (rig_full() || some) ? top_k_plan(&key) : NULL;
        for (unsigned turn = 0; plan && turn < 2 * SORT_PATTERNS; ++turn) {
            top_k_case_run(plan, case_of(&key, 700 + 31 * (turn % 5), few[(turn + f) % COUNT(few)], turn + f));
            if (turn % 3 == 0)
                top_k_case_run(plan, rows_of(&key, 9, 120 + turn, few[turn % COUNT(few)], turn + 2 * f));
        }
        clf_plan_release(plan);
    }
}

TEST(every_type_of_key)
{
    /* Of each size a short run has integers with a sign or without: suite `sort` has all. */
    const bool has_sibling = _i == CLF_UCHAR || _i == CLF_SHORT || _i == CLF_UINT || _i == CLF_LONG;
    for (int small = 0; small < SMALL; ++small)
        if (rig_full() || ((_i + small) % SMALL == 0 && !has_sibling))
            run_keys(&routes[FIRST_SMALL + small], _i);
}

TEST(every_operator)
{
    for (int sort = CLF_TYPE_COUNT; sort < REF_SORT_COUNT; ++sort) {
        const unsigned f = (unsigned)(sort + _i);
        const sort_key key = key_by(&routes[_i], sort, flags_of(f % 2 + f % 3 / 2 * 4));
        const bool some = sort != REF_SORT_PAIR &&
                          (sort + _i) % (sort < REF_SORT_ULONG2 ? ROUTES : 3) == 0; /* pairs: any_k */
        clf_plan *plan = rig_full() || some ? top_k_plan(&key) : NULL;
        for (unsigned turn = 0; plan && turn < SORT_PATTERNS; ++turn) {
            top_k_case_run(plan, case_of(&key, 500 + 100 * turn, 7 * turn + 1, turn));
            top_k_case_run(plan, rows_of(&key, 5 + turn % 7, 20 + 90 * (turn % 3), 3 + 20 * (turn % 4), turn));
        }
        clf_plan_release(plan);
    }
}

/* ---- Any k ----------------------------------------------------------------------------------------------------- */

TEST(any_k)
{
    const sort_key key = key_by(&routes[_i / 2], REF_SORT_PAIR, _i % 2 ? CLF_UNSORTED : 0);
    static const size_t sizes[] = {0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 100, 101, 257, 800, 3001};
    clf_plan *plan = top_k_plan(&key);
    for (unsigned i = 0; plan && i < COUNT(sizes); ++i) {
        const size_t n = sizes[i], ks[] = {0, 1, 2, 8, 10, 32, 33, n / 9, n / 8, n / 2, n - (n > 0), n, n + 1, 3 * n};
        for (unsigned k = 0; k < COUNT(ks); ++k)
            top_k_case_run(plan, case_of(&key, n, ks[k], 3 * i + 5 * k));
    }
    clf_plan_release(plan);
}

TEST(every_size)
{
    const sort_key key = key_by(&routes[FIRST_SMALL + _i], REF_SORT_PAIR, _i % 2 ? CLF_UNSORTED : 0);
    clf_plan *plan = top_k_plan(&key);
    for (unsigned n = 0; plan && n <= 200; ++n)
        top_k_case_run(plan, case_of(&key, n, 1 + n % 37, n));
    clf_plan_release(plan);
}

/* Sizes and parameters that are really used; more results than are sorted by counting. */
TEST(usual_sizes)
{
    static const route usual[] = {{NULL, NULL, NULL}, {"cpu", NULL, "limit=20000"}, {ROUTE_BARE, NULL, "limit=20000"}};
    static const size_t few[] = {10, 600, 4099, 40, 3000, 1, 60000, 512, 20000};
    const sort_key key = key_by(&usual[_i / 2], _i % 2 ? REF_SORT_ORDER : REF_SORT_PAIR, _i % 2 ? CLF_DESCENDING : 0);
    clf_plan *plan = rig_full() || _i == 0 || _i == 2 || _i == 3 ? top_k_plan(&key) : NULL;
    for (unsigned turn = 0; plan && turn < SORT_PATTERNS; ++turn)
        top_k_case_run(plan, case_of(&key, 60000 + turn, few[turn % COUNT(few)], turn));
    clf_plan_release(plan);
}

/* More groups than have elements, and so wide ones that PoCL took one work-item's word for all of an idle group. */
TEST(idle_groups)
{
    static const route wide = {"cpu,int64_atomics", NULL, "group=256"};
    const sort_key key = key_by(&wide, _i ? REF_SORT_PAIR : REF_SORT_RADIUS, 0);
    static const size_t sizes[] = {8193, 10289, 20000, 30000};
    clf_plan *plan = top_k_plan(&key);
    for (unsigned i = 0; plan && i < COUNT(sizes); ++i)
        for (unsigned turn = 0; turn < SORT_PATTERNS; ++turn)
            top_k_case_run(plan, case_of(&key, sizes[i], turn % 2 ? 40 : 1, turn));
    clf_plan_release(plan);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

TEST(rows)
{
    const int sort = !rig_full() || _i % 4 < 2 ? REF_SORT_PAIR : REF_SORT_ORDER;
    const sort_key key = key_by(&routes[_i / 2], sort, _i % 2 ? CLF_UNSORTED : 0);
    static const size_t sizes[] = {1, 2, 7, 31, 32, 33, 64, 99, 100, 101, 250, 1000}, counts[] = {1, 2, 5, 70};
    clf_plan *plan = top_k_plan(&key);
    for (unsigned i = 0; plan && i < COUNT(sizes); ++i)
        for (unsigned c = 0; c < COUNT(counts); ++c) {
            const size_t ks[] = {1, 3, 8, 10, 40, 70, sizes[i] / 2, sizes[i] + 1};
            for (unsigned k = (i + c) % 2; k < COUNT(ks); k += 2)
                top_k_case_run(plan, rows_of(&key, counts[c], sizes[i], ks[k], 5 * i + 3 * c + k));
        }
    if (plan) {
        top_k_case_run(plan, rows_of(&key, 0, 20, 5, 1));
        top_k_case_run(plan, rows_of(&key, 20, 0, 5, 0));
        top_k_case_run(plan, rows_of(&key, 3, 2000, 700, 2));
        clf_plan_release(plan);
    }
}

/* Sizes about those of warps, of what is read at a time, and of lists; results about the most of each sort of these. */
static const size_t few_sizes[] = {1, 31, 33, 64, 100, 127, 128, 129, 255, 256, 257, 512, 513, 1000, 1023, 1024, 1025,
                                   1536, 2049, 4096, 10000},
                    few_results[] = {1, 2, 10, 16, 17, 31, 32, 33, 64, 100, 127, 128, 129};
static const route few_routes[] = {{NULL, NULL, NULL}, {"cpu", NULL, NULL}, {ROUTE_BARE, NULL, "group=32"},
                                   {ROUTE_BARE, NULL, "group=96"}, {"cpu", "groups", "group=128"}};

/* Kernels for GPUs, where the driver may make them wrong. */
static bool is_at_risk(const route *r)
{
    return r->disable && the_rig()->forgetful;
}

/* All patterns, with ties. Keys of 4, 8, 2 and 1 bytes; of which some are all that there is to values. */
TEST(few_of_rows)
{
    static const int operators[] = {REF_SORT_PAIR, CLF_FLOAT, CLF_LONG, CLF_SHORT, CLF_UCHAR};
    const unsigned turned = _i % 2 ? CLF_UNSORTED | CLF_DESCENDING : 0;
    const sort_key key = key_by(&few_routes[_i / 2], operators[_i / 2], turned);
    clf_plan *plan = is_at_risk(&key.route) ? NULL : top_k_plan(&key);
    for (unsigned i = 0; plan && i < COUNT(few_sizes); ++i)
        for (unsigned turn = 0; turn < SORT_PATTERNS; ++turn)
            top_k_case_run(plan, rows_of(&key, few_sizes[i] > 2000 ? 1 : 1 + turn % 5, few_sizes[i],
                                         few_results[(3 * i + 5 * turn) % COUNT(few_results)], turn));
    clf_plan_release(plan);
}

/* So many that a few lanes have each: of keys alone, with ties, and zeros and NaNs among them. */
TEST(few_of_many_rows)
{
    static const int operators[] = {CLF_FLOAT, CLF_UINT, CLF_HALF, CLF_CHAR};
    static const size_t sizes[] = {256, 33, 512, 64, 497, 100}, ks[] = {10, 16, 1, 13};
    const sort_key key = key_by(&few_routes[_i / 4], operators[_i % 4], sort_flags(2 * _i + _i / 4));
    clf_plan *plan = is_at_risk(&key.route) ? NULL : top_k_plan(&key);
    for (unsigned turn = 0; plan && turn < COUNT(sizes); ++turn)
        top_k_case_run(
            plan, rows_of(&key, 128ul * plan->context->facts.units + turn, sizes[turn], ks[turn % COUNT(ks)], turn));
    clf_plan_release(plan);
}

/* Rows in parts, and what these had in parts again; sizes that the device knows are less than a part, or some. */
TEST(few_of_parts)
{
    enum { SIZE = 100000 };
    static const size_t actual[] = {0, 1, 50, 128, 1000, 5000, 33333, SIZE}, ks[] = {1, 10, 100, 128};
    const sort_key key = key_by(&few_routes[_i / 2], _i / 2 ? REF_SORT_PAIR : CLF_FLOAT,
                                _i % 2 ? CLF_UNSORTED | CLF_FROM_DEVICE : CLF_FROM_DEVICE);
    clf_plan *plan = is_at_risk(&key.route) ? NULL : top_k_plan(&key);
    for (unsigned i = 0; plan && i < COUNT(ks); ++i) {
        for (unsigned turn = 0; turn < SORT_PATTERNS; turn += 4)
            top_k_case_run(plan, rows_of(&key, 1 + turn % 3, turn % 8 ? 20011 : 40000, ks[i], turn + i));
        for (unsigned turn = 0; turn < COUNT(actual); ++turn) {
            top_k_case test = case_of(&key, SIZE, ks[i], turn + 3 * i);
            test.sort.under.given = true;
            test.sort.under.actual = actual[turn];
            top_k_case_run(plan, test);
        }
    }
    clf_plan_release(plan);
}

/* ---- Sizes on the device --------------------------------------------------------------------------------------- */

TEST(sizes_on_the_device)
{
    const int small = _i / 2 % SMALL, other = _i / 2 / SMALL; /* the other operator */
    const sort_key key = key_by(&routes[FIRST_SMALL + small], (small + other) % 2 ? REF_SORT_PAIR : REF_SORT_ORDER,
                                CLF_FROM_DEVICE | (_i % 2 ? CLF_UNSORTED : 0));
    if ((other || small == 1) && !rig_full())
        return;
    enum { SIZE = 900, ROWS = 30 };
    static const size_t actual[] = {0, 1, 2, 99, 100, 101, 500, SIZE - 1, SIZE, SIZE + 1, SIZE + 100},
                        few[] = {1, 40, 600, SIZE};
    static const size_t some[] = {0, 1, 13, ROWS - 1, ROWS, ROWS + 5};
    clf_plan *plan = top_k_plan(&key);
    for (unsigned i = 0; plan && i < 4 * COUNT(actual); ++i) {
        top_k_case test = case_of(&key, SIZE, few[i % COUNT(few)], 2 * i);
        circumstances_give(&test.sort.under, &actual[i / 4], i);
        top_k_case_run(plan, test);
    }
    for (unsigned i = 0; plan && i < 4 * COUNT(some); ++i) {
        top_k_case test = rows_of(&key, i % 4 == 3 ? 4 : ROWS, i % 4 == 3 ? 600 : 20 + 60 * (i % 4), 3 + i, 3 * i);
        test.sort.under.given = true;
        test.sort.under.actual = some[i / 4];
        top_k_case_run(plan, test);
    }
    if (plan) {
        top_k_case_run(plan, case_of(&key, SIZE, 20, 0)); /* nobody says: all of them */
        clf_plan_release(plan);
    }
}

/* Results of more than are sorted by counting, of which the device knows how many there are. */
TEST(many_results_on_the_device)
{
    static const route usual[] = {{NULL, NULL, NULL}, {"cpu", NULL, "limit=20000"}};
    const sort_key key = key_by(&usual[_i], REF_SORT_ORDER, CLF_FROM_DEVICE);
    static const size_t actual[] = {0, 3000, 5000, 9000, 40000, 70000};
    clf_plan *plan = top_k_plan(&key);
    for (unsigned i = 0; plan && i < COUNT(actual); ++i) {
        top_k_case test = case_of(&key, 60000, 5000, i);
        test.sort.under.given = true;
        test.sort.under.actual = actual[i];
        top_k_case_run(plan, test);
    }
    for (unsigned i = 0; plan && i < 6; ++i) { /* one row, which there may not be */
        top_k_case test = rows_of(&key, 1, i % 2 ? 6000 : 60000, i % 2 ? 6000 : 5000, i);
        test.sort.under.given = true;
        test.sort.under.actual = i / 2;
        top_k_case_run(plan, test);
    }
    clf_plan_release(plan);
}

/* As many as one group sorts, of which a list has not all results: one launch. */
TEST(few_sorted_by_a_group)
{
    static const int sorts[] = {CLF_UINT, CLF_FLOAT, REF_SORT_PAIR, REF_SORT_ORDER, REF_SORT_MIXED};
    const sort_key key = key_by(&routes[1], sorts[_i], _i % 2 ? CLF_FROM_DEVICE : CLF_DESCENDING);
    clf_plan *plan = top_k_plan(&key);
    for (unsigned turn = 0; plan && turn < 2 * SORT_PATTERNS; ++turn) {
        const size_t n = 140 + 7 * (turn % 16); /* tiles of wide values are smaller */
        top_k_case test = case_of(&key, n, turn % 3 ? 129 + turn : n + turn, turn);
        test.sort.under.given = _i % 2 && turn % 2;
        test.sort.under.actual = turn % 5 * 60;
        test.sort.under.scratch = SCRATCH_POOL;
        const unsigned long before = layer_commands();
        top_k_case_run(plan, test);
        ck_assert_msg(layer_commands() - before <= 1 || plan->context->facts.is_cpu, "n %zu", n);
    }
    clf_plan_release(plan);
}

/* ---- Random cases ---------------------------------------------------------------------------------------------- */

static sort_key menu[3];

static void run_random(size_t which, clf_plan *plan, gen *own, long number)
{
    const bool in_rows = gen_chance(own, 50);
    const size_t most = gen_size(own, 128, 6000), size = in_rows ? gen_size(own, 64, most + 1) : 1;
    const size_t count = size ? most / size : 0, n = count * size;
    const size_t k = gen_chance(own, 60) ? gen_below(own, 100) : gen_below(own, n + 2);
    const top_k_case test = {.sort = sort_case_random(&menu[which], own, n, count, number), .rows = in_rows,
                             .size = in_rows ? size : 0, .k = k};
    top_k_case_run(plan, test);
}

static clf_plan *draw(size_t i, gen *random)
{
    menu[i] = key_by(&routes[gen_below(random, ROUTES)], (int)gen_below(random, REF_SORT_COUNT),
                     flags_of((unsigned)gen_below(random, 8)) | (gen_chance(random, 25) ? CLF_FROM_DEVICE : 0));
    return top_k_plan(&menu[i]);
}

TEST(random_cases)
{
    route_run_random(COUNT(menu), 17000, 200, draw, run_random);
}

RIG_SUITE_OF(top_k, random_cases, (add_top_k_refusal_tests), {every_type_of_key, CLF_TYPE_COUNT},
             {every_operator, ROUTES}, {any_k, 2 * ROUTES}, {every_size, SMALL}, {usual_sizes, 6}, {idle_groups, 2},
             {rows, 2 * ROUTES}, {few_of_rows, 2 * COUNT(few_routes)}, {few_of_many_rows, 8}, {few_of_parts, 4},
             {sizes_on_the_device, 4 * SMALL}, {many_results_on_the_device, 2}, {few_sorted_by_a_group, 5})
