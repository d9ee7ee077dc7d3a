/* SPDX-License-Identifier: MIT */
/*
 * Sorts against the reference: every type of key, tuples of all kinds, every variant, sizes around everything that the
 * kernels distinguish, keys of which some bytes agree, outputs where inputs are, many portions, tiles that say nothing,
 * sizes that only the device knows, calls that share a plan and scratch. Sorts by counting are in
 * test_sort_counting.c, keys that all share and several columns in test_sort_keys.c, refusals in test_sort_refusals.c,
 * inputs that are overwritten in test_sort_overwriting.c, and in half of the plans here.
 */
#include "cases.h"
#include "numbers.h"

#include "primitives/primitives.h"

/* ---- Ways ------------------------------------------------------------------------------------------------------ */

static const route routes[] = {
    {NULL, NULL, NULL},
    {"cpu", NULL, NULL},
    {NULL, "cpu", "items=64"},
    {"cpu", "lookback", "items=3,group=64"},
    {"cpu", "two_pass", "items=5,group=64"},
    {"cpu", "merge", NULL},
    {"cpu", "lookback", "items=1,group=64,limit=200,spin=1"},
    {ROUTE_BARE, NULL, "items=2,group=32"},
};
enum { ROUTES = COUNT(routes), FIRST_SMALL = 2 /* four variants in small tiles */, SMALL = 4 };

static sort_key key_by(const route *r, int sort, unsigned flags)
{
    return (sort_key){ref_sort_of(sort), flags, *r, .kind = SORT_WHOLE};
}

/* ---- Keys ------------------------------------------------------------------------------------------------------ */

/* Both orders in both directions, which share their programs, and all patterns. */
static void run_keys(const route *r, int type, unsigned turn_of_type)
{
    for (unsigned f = 0; f < 4; ++f) {
        const sort_key key = key_by(r, type, sort_flags(f) | sort_overwriting(type, turn_of_type % 2));
        clf_plan *plan = f < 2 || type >= CLF_HALF ? sort_plan(&key) : NULL;
        if (!plan)
            continue;
        for (unsigned turn = 0; turn < 3 * SORT_PATTERNS; ++turn)
            sort_case_run(plan, sort_case_of(&key, 700 + 31 * (turn % 5), turn + f));
        clf_plan_release(plan);
    }
}

TEST(every_type_of_key)
{
    for (int small = 0; small < SMALL; ++small)
        if (rig_full() || (_i + small) % SMALL == 0)
            run_keys(&routes[FIRST_SMALL + small], _i, (unsigned)(_i / SMALL + small));
}

/* In every variant. */
TEST(keys_of_128_bits)
{
    run_keys(&routes[FIRST_SMALL + _i / 2], _i % 2 ? REF_SORT_HALVES : REF_SORT_ULONG2, (unsigned)_i / 4);
}

/* ---- Sizes ----------------------------------------------------------------------------------------------------- */

static void run_size(clf_plan *plan, const void *key, size_t n, size_t tile, unsigned turn, const size_t *actual)
{
    (void)tile, (void)actual;
    sort_case_run(plan, sort_case_of(key, n, turn));
}

static void run_sizes(const sort_key *key)
{
    const route_sizes sizes = {.most = 4000, .farthest = 11, .step = 5, .tiles = 3, .turns = 2 * SORT_PATTERNS};
    route_run_sizes(sort_plan(key), key, &sizes, run_size);
}

TEST(sizes_around_boundaries)
{
    for (int sort = 0; sort < REF_SORT_COUNT; ++sort) {
        const sort_key key = key_by(&routes[_i], sort,
                                    sort_flags((unsigned)(sort + _i)) | sort_overwriting(sort, (sort / 4 + _i) % 2));
        if (rig_full() || (sort >= CLF_TYPE_COUNT && (sort + _i) % 4 == 0) || (sort == REF_SORT_PAIR && _i < 2) ||
            (sort == CLF_UCHAR && _i == 1))
            run_sizes(&key);
    }
}

TEST(every_size)
{
    const sort_key key = key_by(&routes[FIRST_SMALL + _i], REF_SORT_LAST, sort_overwriting(REF_SORT_LAST, _i % 2));
    clf_plan *plan = sort_plan(&key);
    for (unsigned n = 0; plan && n <= 200; ++n)
        sort_case_run(plan, sort_case_of(&key, n, n));
    clf_plan_release(plan);
}

/* Many tiles of the size that is really used, and a part of one; once more than CPUs write through their caches. */
TEST(usual_tiles)
{
    static const route usual[] = {{NULL, NULL, NULL}, {"cpu", NULL, NULL}, {"cpu", "two_pass", NULL}};
    const int sort = _i % 2 ? REF_SORT_MIXED : REF_SORT_PAIR;
    const sort_key key = key_by(&usual[_i / 2], sort, sort_overwriting(sort, (_i / 2 + _i) % 2));
    clf_plan *plan = sort_plan(&key);
    for (unsigned turn = 0; plan && turn < SORT_PATTERNS; ++turn) {
        const size_t n = (_i % 2 ? 20000 : 150000) * (_i < 2 && (turn == 0 || turn == SORT_TWINS) ? 4 : 1) + turn;
        sort_case_run(plan, sort_case_of(&key, n, turn));
    }
    clf_plan_release(plan);
}

/* ---- Passes and places ----------------------------------------------------------------------------------------- */

/* Every number of passes that are needed, outputs everywhere: what is sorted ends where it belongs. */
TEST(every_number_of_passes_everywhere)
{
    static const int sorts[] = {CLF_ULONG, REF_SORT_PAIR, REF_SORT_MIXED, REF_SORT_ORDER};
    const int sort = sorts[_i / SMALL];
    const sort_key key = key_by(&routes[FIRST_SMALL + _i % SMALL], sort, _i % 2 ? CLF_DESCENDING : 0);
    const size_t bytes = clf_type_size(ref_sort_of(sort)->type);
    clf_plan *plan = (rig_full() || _i / SMALL < 2 || _i % 2) ? sort_plan(&key) : NULL;
    for (unsigned place = 0; plan && place < PLACES; ++place)
        for (unsigned some = 0; some < (bytes == 8 ? 24u : 16u); ++some) {
            sort_case test = sort_case_of(&key, 450, some);
            test.pattern = SORT_SOME;
            test.bytes = bytes < 8 ? some : some < 9 ? 0xffu >> some : some < 17 ? 1u << (some - 9) : 37 * some;
            test.place = (guarded_place)place;
            sort_case_run(plan, test);
        }
    clf_plan_release(plan);
}

/* ---- Portions -------------------------------------------------------------------------------------------------- */

/* On CPUs: buckets for insertion and for passes, and such as are too large; and no buckets at all. */
TEST(buckets)
{
    static const route by[] = {{NULL, "cpu", "items=256"}, {NULL, "cpu", "items=256,buckets=0"}};
    static const int sorts[] = {CLF_UINT, CLF_INT, CLF_FLOAT, CLF_DOUBLE, CLF_LONG, REF_SORT_PAIR};
    const int sort = sorts[_i / 2];
    for (unsigned overwriting = 0; overwriting < 2; ++overwriting) {
        const sort_key key = key_by(&by[_i % 2], sort,
                                    sort_overwriting(sort, overwriting) | (overwriting ? CLF_DESCENDING : 0));
        clf_plan *plan = sort_plan(&key);
        for (unsigned turn = 0; plan && turn < 2 * SORT_PATTERNS; ++turn)
            sort_case_run(plan, sort_case_of(&key, turn % 2 ? 20000 : 90001, turn + overwriting));
        clf_plan_release(plan);
    }
}

/* Of a tile, or of a few; more tiles than there are portions, which then are larger; a limit below a tile. */
TEST(portions)
{
    static const route by[] = {{NULL, "cpu", "items=32"}, {"cpu", "lookback", "items=1,group=32"},
                               {"cpu", "two_pass", "items=1,group=32"}};
    static const unsigned limits[] = {1, 96, 400};
    enum { TILE = 32 };
    static const size_t sizes[] = {TILE - 1, TILE, TILE + 1, 3 * TILE - 1, 3 * TILE, 3 * TILE + 1, 12 * TILE,
                                   12 * TILE + 1, 119 * TILE, 120 * TILE, 120 * TILE + 1, 121 * TILE, 240 * TILE,
                                   240 * TILE + 1, 9001};
    for (unsigned l = 0; l < COUNT(limits); ++l) {
        char text[48];
        snprintf(text, sizeof text, "%s,limit=%u", by[_i].parameters, limits[l]);
        const route limited = {by[_i].disable, by[_i].variant, text};
        const sort_key key = key_by(&limited, REF_SORT_PAIR, sort_overwriting(REF_SORT_PAIR, l == 1));
        clf_plan *plan = sort_plan(&key);
        for (unsigned k = 0; plan && k < COUNT(sizes); ++k)
            sort_case_run(plan, sort_case_of(&key, sizes[k], k % 3 ? 4 * k + l : SORT_UNIFORM));
        clf_plan_release(plan);
    }
}

/* ---- Groups ---------------------------------------------------------------------------------------------------- */

/* Also where digits are not shared out evenly: PoCL made wrong code of that, driver_bugs/pocl_return.c. */
TEST(odd_groups)
{
    static const char *const parameters[] = {"items=3,group=8", "items=3,group=96", "items=2,group=100",
                                             "items=3,group=256"};
    const sort_key key = {ref_sort_of(REF_SORT_PAIR), 0, {"cpu", "lookback", parameters[_i]}, .kind = SORT_WHOLE};
    clf_plan *plan = sort_plan(&key);
    for (unsigned turn = 0; plan && turn < SORT_PATTERNS; ++turn)
        sort_case_run(plan, sort_case_of(&key, turn % 2 ? 2 : 2000 + turn, turn));
    clf_plan_release(plan);
}

/* ---- Waiting --------------------------------------------------------------------------------------------------- */

/* Tiles that say nothing early, in any order, and others that wait for long, briefly, or not at all. */
TEST(tiles_that_wait)
{
    static const route waiting[] = {
        {"cpu", "lookback", "items=1,group=32,spin=0,stall=1"},
        {"cpu", "lookback", "items=1,group=32,spin=0,stall=3,limit=200"},
        {"cpu", "lookback", "items=1,group=32,spin=1,stall=2,reverse=1"},
        {"cpu", "lookback", "items=2,group=32,spin=0,ticket=0,reverse=1,limit=300"},
        {"cpu", "lookback", "items=2,group=32,spin=0,ticket=0"},
    };
    const int sort = _i % 2 ? REF_SORT_ORDER : REF_SORT_PAIR;
    const sort_key key = key_by(&waiting[_i], sort, sort_flags((unsigned)_i) | sort_overwriting(sort, _i == 2));
    clf_plan *plan = sort_plan(&key);
    for (unsigned turn = 0; plan && turn < 2 * SORT_PATTERNS; ++turn)
        sort_case_run(plan, sort_case_of(&key, 600 + 37 * turn, turn));
    clf_plan_release(plan);
}

/* ---- Sizes on the device --------------------------------------------------------------------------------------- */

TEST(sizes_on_the_device)
{
    static const route odd = {"cpu", "lookback", "items=3,group=100"};
    const sort_key key = key_by(_i < SMALL ? &routes[FIRST_SMALL + _i] : &odd, _i % 2 ? REF_SORT_PAIR : REF_SORT_ORDER,
                                CLF_FROM_DEVICE);
    clf_plan *plan = sort_plan(&key);
    if (!plan)
        return;
    const size_t tile = plan_tile(plan), n = 5 * tile + 5;
    const size_t actual[] = {0, 1, 2, tile - 1, tile, tile + 1, 3 * tile, n - 1, n, n + 1, n + 100};
    for (unsigned i = 0; i < 2 * COUNT(actual); ++i)
        sort_case_run_given(plan, &key, n, actual[i % COUNT(actual)], i);
    sort_case_run(plan, sort_case_of(&key, n, 0)); /* nobody says: all of them */
    clf_plan_release(plan);
}

/* ---- Calls together -------------------------------------------------------------------------------------------- */

/*
 * A plan in several queues at a time: nothing of one call lies where another's does. On CPUs one call after the other:
 * PoCL 3.1 loses count of a kernel that several queues run at the same time, and ends the process.
 */
TEST(calls_of_one_plan_do_not_meet)
{
    enum { CALLS = 9 };
    const sort_key key = key_by(&routes[_i ? 3 : 0], REF_SORT_PAIR, 0);
    const cl_command_queue queues[] = {the_rig()->queue, the_rig()->unordered, new_queue(true)};
    sort_case tests[CALLS];
    sort_running *running[CALLS];
    clf_plan *plan = sort_plan(&key);
    for (unsigned k = 0; plan && k < CALLS; ++k) {
        tests[k] = sort_case_of(&key, 3000 + 500 * k, 2 * k);
        tests[k].queue = queues[k % COUNT(queues)];
        running[k] = sort_case_begin(plan, &tests[k]);
        if (the_rig()->is_cpu)
            sort_case_end(running[k]);
    }
    for (unsigned k = 0; plan && !the_rig()->is_cpu && k < CALLS; ++k)
        sort_case_end(running[k]);
    clReleaseCommandQueue(queues[2]);
    clf_plan_release(plan);
}

/* Scratch of the pool that splits, scans and other sorts have written to. */
TEST(scratch_may_hold_anything)
{
    static const char *const disable[] = {NULL, "cpu", ROUTE_BARE};
    enum { N_SPLIT = 40000 };
    const sort_key key = key_by(&routes[_i == 0 ? 0 : _i == 1 ? 1 : ROUTES - 1], REF_SORT_PAIR, 0);
    const clf_array in = {rig_buffer(4 * N_SPLIT, NULL), 0}, out = {rig_buffer(4 * N_SPLIT, NULL), 0};
    clf_plan *split = NULL, *plan = sort_plan(&key);
    assert_ok(clf_split_plan(rig_context(disable[_i]), ref_split_of(REF_SPLIT_INT)->clf, 256, 0, NULL, &split, NULL));
    for (unsigned turn = 0; plan && turn < 8; ++turn) {
        const cl_uint pattern = 0x9b3c5a71u * (turn + 1);
        assert_ok(clEnqueueFillBuffer(the_rig()->queue, in.buffer, &pattern, 4, 0, 4 * N_SPLIT, 0, NULL, NULL));
        assert_ok(clf_split(split, CLF_ON(the_rig()->queue), N_SPLIT, &in, &out, NULL));
        sort_case test = sort_case_of(&key, turn % 2 ? 9000 : 700 + turn, 4 * turn);
        test.under.scratch = SCRATCH_POOL;
        sort_case_run(plan, test);
    }
    rig_release_plans(split, plan);
    rig_release(in, out);
}

/* ---- Random cases ---------------------------------------------------------------------------------------------- */

enum { PLANS = 8, ALL_PLANS = 16 /* the others sort tiles, and merge them by ranks */ };
static sort_key menu[ALL_PLANS];

static void run_random(size_t which, clf_plan *plan, gen *own, long number)
{
    const size_t tile = which < PLANS ? 128 : plan_tile(plan), most = which < PLANS ? 6000 : 36000;
    const size_t n = gen_size(own, tile, most < 20 * tile ? most : 20 * tile);
    sort_case_run(plan, sort_case_random(&menu[which], own, n, n, number));
}

/* Tiles of the usual size take PoCL many minutes to compile for GPUs, of wide tuples whose number the device knows. */
static bool compiles_for_minutes(int sort, const sort_key *key)
{
    return the_rig()->is_cpu && key->route.disable && !key->route.parameters && sort >= REF_SORT_VECTORS &&
           (key->flags & CLF_FROM_DEVICE) != 0;
}

static route few_route(size_t i, gen *random)
{
    static char parameters[ALL_PLANS][48];
    const unsigned items = 1u << gen_below(random, 5), group = 32u << gen_below(random, 5);
    snprintf(parameters[i], sizeof *parameters, "items=%u,group=%u,streams=%u", items, group,
             (unsigned)gen_below(random, 20));
    return (route){"cpu", gen_chance(random, 60) ? "ranks" : "one_group", parameters[i]};
}

static clf_plan *draw(size_t i, gen *random)
{
    const int sort = (int)gen_below(random, REF_SORT_COUNT);
    const route by = i < PLANS ? routes[gen_below(random, ROUTES)] : few_route(i, random);
    menu[i] = key_by(&by, sort,
                     sort_flags((unsigned)gen_below(random, 4)) | (gen_chance(random, 25) ? CLF_FROM_DEVICE : 0) |
                         sort_overwriting(sort, gen_chance(random, 50)));
    if (compiles_for_minutes(sort, &menu[i]))
        menu[i].route = routes[FIRST_SMALL + 1];
    return sort_plan(&menu[i]);
}

TEST(random_cases)
{
    route_run_random(COUNT(menu), 7000, 300, draw, run_random);
}

RIG_SUITE_OF(sort, random_cases,
             (add_sort_counting_tests, add_sort_key_tests, add_sort_refusal_tests, add_sort_overwriting_tests,
              add_sort_few_tests),
             {every_type_of_key, CLF_TYPE_COUNT}, {keys_of_128_bits, 2 * SMALL}, {sizes_around_boundaries, ROUTES},
             {every_size, SMALL}, {usual_tiles, 6}, {every_number_of_passes_everywhere, 4 * SMALL}, {portions, 3},
             {buckets, 12}, {odd_groups, 4}, {tiles_that_wait, 5}, {sizes_on_the_device, SMALL + 1},
             {calls_of_one_plan_do_not_meet, 2}, {scratch_may_hold_anything, 3})
