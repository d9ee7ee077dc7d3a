/* SPDX-License-Identifier: MIT */
/*
 * Reductions by index against the reference: every variant, values of 1 to 72 bytes, bins by fields, by `part` and by
 * captured arrays; as few and as many bins as each variant treats differently; uniform, sorted and skewed elements, and
 * such as belong to no bin; rows; results that are updated; sizes that only the device knows.
 */
#include "cases.h"

/* ---- Ways ------------------------------------------------------------------------------------------------------ */

#define LITTLE "c11,int64_atomics,ptx,subgroups,progress,cpu"
static const route routes[] = {
    {NULL, NULL, NULL},
    {NULL, "cpu", "groups=7"},
    {"cpu", NULL, NULL},
    {"cpu", "local", "items=16,group=64,groups=40,local=1024"},
    {"cpu", "local", "items=3,group=32,groups=5,local=2048,limit=40"},
    {"cpu", "global", "items=4,group=64,groups=9"},
    {LITTLE, NULL, "items=1,group=4,groups=100,local=512"},
    {LITTLE, "global", NULL},
    {"cpu", "split", "items=4,group=64,groups=9,local=512"},
    {"cpu", "sorted", NULL},
    {LITTLE, "sorted", NULL},
};
enum { ROUTES = COUNT(routes), SORTED = ROUTES - 2 };

/* Sorts take long to compile: operators that no other variant takes, and some. (Shorts and the last are sorted as they
 * are, the others as values.) */
static bool is_taken(int number, int which)
{
    const bool alike = which == REF_INDEX_FOUR || which == REF_INDEX_LINE;
    return rig_full() || number < SORTED || (which >= REF_INDEX_CAPTURED && !alike) || which == REF_INDEX_JOINED;
}

static index_key key_of(int number, int which, unsigned flags)
{
    return (index_key){.index = ref_index_of(which), .flags = flags, .route = routes[number]};
}

/* Circumstances go by the numbers, so that each comes with each. */
static index_case case_of(const index_key *key, size_t n, size_t bins, unsigned turn)
{
    return (index_case){.key = *key, .count = 1, .size = n, .bins = bins, .rows = turn % 13 == 5,
                        .pattern = (index_pattern)(turn % INDEX_PATTERNS), .may_refuse = true,
                        .under = {.offset = turn % 3 ? turn % 9 : 0, .tight = turn % 4 == 3,
                                  .unordered = turn % 11 == 3, .scratch = turn % 3 == 1, .seed = n + turn,
                                  .number = -1}};
}

/* ---- Sizes ----------------------------------------------------------------------------------------------------- */

/* Around what tables of 512 to 2048 bytes, in 1 to 8 slices, take of cells of 4 or 8 bytes; and more. */
static const size_t bins_of[] = {1, 2, 31, 32, 33, 127, 128, 129, 256, 257, 511, 513, 1025, 2048, 2049, 4097, 65537};

static void run_bins(const index_key *key)
{
    clf_plan *plan = index_plan(key);
    unsigned turn = 0;
    for (size_t b = 0; plan && b < COUNT(bins_of); ++b) {
        const size_t sizes[] = {b % 2 ? 1000 + 37 * b : 3000, b % 3 == 0 ? 20000 : b};
        for (size_t i = 0; i < COUNT(sizes); ++i, ++turn)
            index_case_run(plan, case_of(key, sizes[i], bins_of[b], turn));
    }
    clf_plan_release(plan);
}

TEST(bins_around_boundaries)
{
    for (int w = 0; w < REF_INDEX_COUNT; ++w) {
        const index_key key = key_of(_i, w, (w + _i) % 4 == 1 ? CLF_UPDATE : 0);
        const bool in_turn = (w + _i) % 5 == 0 || w == REF_INDEX_COUNT_OWN ||
                             ((w == REF_INDEX_JOINED || w > REF_INDEX_WIDE) && (w + _i) % 2 == 0);
        if (rig_full() || (in_turn && is_taken(_i, w)))
            run_bins(&key);
    }
}

TEST(sizes_around_boundaries)
{
    const int which[] = {REF_INDEX_COUNT_NATIVE, REF_INDEX_SHORTS, REF_INDEX_FIRST_LEAST};
    const bool sorts = _i / 3 >= SORTED;
    if (!rig_full() && (_i % 3 + _i / 3) % 3 != 0)
        return;
    const index_key key = key_of(_i / 3, sorts ? REF_INDEX_AFFINE + _i % 3 : which[_i % 3], _i % 2 ? CLF_UPDATE : 0);
    clf_plan *plan = index_plan(&key);
    const size_t tile = !plan || plan_tile(plan) > 9000 ? 9000 : plan_tile(plan);
    const size_t sizes[] = {0, 1, 2, 3, 15, 16, 17, 63, 64, 65, tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile + 1,
                            5 * tile + 7, 4095, 4096, 4097, 40000};
    for (size_t i = 0; plan && i < COUNT(sizes); ++i)
        index_case_run(plan, case_of(&key, sizes[i], i % 2 ? 20 : 100, (unsigned)i));
    for (unsigned turn = 0; plan && turn < 14; ++turn)
        index_case_run(plan, case_of(&key, 6 * tile + turn, 50, turn));
    clf_plan_release(plan);
}

TEST(larger_sizes)
{
    static const size_t bins[] = {2, 100, 1000, 10000, 100000, 1 << 20};
    const int which = _i >= SORTED ? REF_INDEX_LAST : _i % 2 ? REF_INDEX_COUNT_OWN : REF_INDEX_LARGEST;
    const index_key key = key_of(_i, which, 0);
    clf_plan *plan = index_plan(&key);
    for (unsigned turn = 0; plan && turn < COUNT(bins); ++turn)
        index_case_run(plan, case_of(&key, turn % 2 ? 100000 : 1u << 18, bins[turn], turn % 2 ? 0 : turn));
    clf_plan_release(plan);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

TEST(rows)
{
    static const size_t shapes[][3] = {{2, 1000, 10}, {3, 5000, 300}, {300, 3, 5}, {50, 700, 17}, {7, 4096, 2000},
                                       {5000, 1, 2}, {4, 0, 6}, {0, 9, 9}, {9, 20, 0}, {2, 30000, 40}, {13, 257, 64}};
    const int which = _i % ROUTES > SORTED    ? REF_INDEX_SHORTS
                      : _i % ROUTES == SORTED ? REF_INDEX_CAPTURED + _i % 5
                                              : (_i * 5 + 3) % REF_INDEX_WIDE;
    const index_key key = key_of(_i % ROUTES, which, _i % 3 == 1 ? CLF_UPDATE : 0);
    clf_plan *plan = rig_full() || _i % ROUTES % 2 == _i / ROUTES ? index_plan(&key) : NULL;
    for (unsigned turn = 0; plan && turn < COUNT(shapes); ++turn) {
        index_case test = case_of(&key, shapes[turn][1], shapes[turn][2], turn);
        test.count = shapes[turn][0];
        test.rows = true;
        index_case_run(plan, test);
    }
    clf_plan_release(plan);
}

TEST(sizes_on_the_device)
{
    const int which = _i > SORTED ? REF_INDEX_SHORTS : _i == SORTED ? REF_INDEX_MATRIX : (_i * 3) % REF_INDEX_WIDE;
    const index_key key = key_of(_i, which, CLF_FROM_DEVICE | (_i % 2 ? CLF_UPDATE : 0u));
    clf_plan *plan = index_plan(&key);
    const size_t n = 3001, actual[] = {0, 1, 64, 65, 2000, n - 1, n, n + 100};
    for (unsigned turn = 0; plan && turn < 2 * COUNT(actual); ++turn) {
        const size_t size = turn < COUNT(actual) ? n : turn % 2 ? 200 : 8;
        index_case test = case_of(&key, size, turn % 3 ? 40 : size > 8 ? 700 : 3, turn);
        test.rows = turn >= COUNT(actual);
        test.count = n / size;
        test.under.given = true;
        test.under.actual = test.rows ? actual[turn % COUNT(actual)] / size : actual[turn];
        test.under.gated = turn % 2;
        index_case_run(plan, test);
    }
    clf_plan_release(plan);
}

/* ---- Wide values ----------------------------------------------------------------------------------------------- */

/* In tables with locks, in copies, slices and chunks, and beyond them by the sort that goes with these. */
TEST(wide_values)
{
    static const int which[] = {REF_INDEX_WIDE, REF_INDEX_FOUR, REF_INDEX_LINE}, by[] = {2, 3, 4, 6};
    static const size_t shapes[][3] = {{1, 9000, 3}, {1, 9000, 40}, {1, 20000, 100}, {1, 5000, 130}, {1, 2000, 517},
                                       {3, 4000, 60}, {200, 13, 4}, {40, 600, 11}, {1, 20, 9}, {2, 0, 5}};
    const unsigned kind = (unsigned)_i % 4;
    const index_key key = key_of(by[_i / 12], which[_i / 4 % 3],
                                 (kind & 1 ? CLF_UPDATE : 0u) | (kind & 2 ? CLF_FROM_DEVICE : 0u));
    const bool in_turn = (int)(kind / 2) == (_i / 12 + _i / 4) % 2; /* programs differ by that */
    clf_plan *plan = rig_full() || in_turn ? index_plan(&key) : NULL;
    for (unsigned turn = 0; plan && turn < COUNT(shapes); ++turn) {
        index_case test = case_of(&key, shapes[turn][1], shapes[turn][2], turn + kind);
        test.count = shapes[turn][0];
        test.rows = test.count > 1;
        test.under.given = (kind & 2) != 0;
        test.under.actual = (test.rows ? test.count : test.size) * turn / COUNT(shapes);
        index_case_run(plan, test);
    }
    clf_plan_release(plan);
}

/* ---- Random cases ---------------------------------------------------------------------------------------------- */

static index_key menu[8];

static void run_random(size_t which, clf_plan *plan, gen *own, long number)
{
    index_case test = {.key = menu[which], .under = circumstances_random(own, number), .may_refuse = true};
    test.rows = gen_chance(own, 30);
    test.count = test.rows ? (size_t)gen_below(own, 20) : 1;
    test.size = gen_size(own, 128, test.rows ? 2000 : 20000);
    test.bins = gen_size(own, 256, 5000);
    test.pattern = (index_pattern)gen_below(own, INDEX_PATTERNS);
    index_case_run(plan, test);
}

static clf_plan *draw(size_t i, gen *random)
{
    menu[i] = key_of((int)gen_below(random, ROUTES), (int)gen_below(random, REF_INDEX_COUNT),
                     (gen_chance(random, 40) ? CLF_UPDATE : 0u) | (gen_chance(random, 20) ? CLF_ORDERED : 0u));
    return index_plan(&menu[i]);
}

TEST(random_cases)
{
    route_run_random(COUNT(menu), 9000, 300, draw, run_random);
}

Suite *reduce_by_index_suite(void)
{
    TCase *tests;
    Suite *suite = rig_suite("reduce_by_index", &tests);
    rig_fixture(tests, NULL, ref_index_close);
    if (!rig_wants_one_case()) {
        rig_add(tests, (const rig_test[]){{bins_around_boundaries, ROUTES}, {sizes_around_boundaries, 3 * ROUTES},
                {larger_sizes, ROUTES}, {rows, 2 * ROUTES}, {sizes_on_the_device, ROUTES}, {wide_values, 4 * 3 * 4},
                {NULL, 0}});
        add_index_tests(tests);
    }
    tcase_add_test(tests, random_cases);
    return suite;
}
