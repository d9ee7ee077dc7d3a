/* SPDX-License-Identifier: MIT */
/*
 * Reductions by index that want some results (clf_plan_options.wanted), against the reference: every variant, fields
 * and what `finish` makes of them, operators that do not commute, codes of extremes; few bins and many, rows, sizes on
 * the device.
 */
#include "cases.h"

#include <string.h>

/* ---- Ways ------------------------------------------------------------------------------------------------------ */

#define LITTLE "c11,int64_atomics,ptx,subgroups,progress,cpu"
static const route routes[] = {{NULL, NULL, NULL},
                               {NULL, "cpu", "groups=7"},
                               {"cpu", NULL, "items=4,group=32,groups=5"},
                               {"cpu", "local", "items=3,group=32,groups=5,local=2048,limit=40"},
                               {LITTLE, "global", "items=4,group=32,groups=9"},
                               {"cpu", "split", "items=4,group=64,groups=9,local=512"},
                               {"cpu", "sorted", NULL}};
enum { ROUTES = COUNT(routes) };

/* Operators of several fields, by index, and one of a field with what `finish` adds. */
static const struct {
    int index;
    bool finished;
} operators[] = {{REF_INDEX_FIRST_LEAST, false}, {REF_INDEX_AFFINE, false},       {REF_INDEX_MEAN, false},
                 {REF_INDEX_FOUR, false},        {REF_INDEX_COUNT_NATIVE, true},  {REF_INDEX_CAPTURED, true},
                 {REF_INDEX_AFFINE, true},       {REF_INDEX_SHORTS, true},        {REF_INDEX_JOINED, false},
                 {REF_INDEX_LAST, true}};
enum { OPERATORS = COUNT(operators) };

/* One result, or all others; of one result alone there is nothing to want. */
static cl_ulong draw_wanted(gen *random, const index_key *key)
{
    const size_t results = key->index->value.count + key->finished;
    const cl_ulong bit = 1ull << gen_below(random, results);
    return results == 1 ? 0 : gen_chance(random, 50) ? bit : ((1ull << results) - 1) & ~bit;
}

static index_key key_of(size_t by, size_t op, unsigned flags, gen *random)
{
    index_key key = {.index = ref_index_of(operators[op].index), .flags = flags, .route = routes[by],
                     .finished = operators[op].finished};
    key.wanted = draw_wanted(random, &key);
    return key;
}

static void run_plan(const index_key *key, const size_t shapes[][3], size_t count)
{
    clf_plan *const plan = index_plan(key);
    const bool given = (key->flags & CLF_FROM_DEVICE) != 0;
    const bool captures = key->index->clf->captured; /* as many as elements, of which `finish` reads some */
    for (size_t turn = 0; plan && turn < count; ++turn) {
        index_case test = {.key = *key, .count = shapes[turn][0], .size = shapes[turn][1], .bins = shapes[turn][2],
                           .rows = shapes[turn][0] > 1, .pattern = (index_pattern)(turn % INDEX_PATTERNS),
                           .may_refuse = true,
                           .under = {.offset = turn % 3, .tight = turn % 4 == 3, .scratch = turn % 3 == 1,
                                     .seed = turn, .given = given, .number = -1}};
        test.under.actual = (test.rows ? test.count : test.size) * turn / count;
        if (!captures || test.size)
            index_case_run(plan, test);
    }
    clf_plan_release(plan);
}

/* ---- Tests ----------------------------------------------------------------------------------------------------- */

TEST(bins)
{
    static const size_t shapes[][3] = {{1, 3000, 7}, {1, 3000, 50}, {1, 900, 3000}, {1, 0, 20}, {1, 1, 1},
                                       {1, 9000, 129}, {9, 100, 50}, {200, 13, 4}, {4, 0, 10}, {3, 40, 2049}};
    const size_t by = (size_t)_i / OPERATORS, op = (size_t)_i % OPERATORS;
    gen random = gen_seed(the_rig()->seed, 500 + (uint64_t)_i);
    for (unsigned given = 0; given < 2; ++given) {
        const index_key key = key_of(by, op, given ? CLF_FROM_DEVICE : 0, &random);
        if (key.wanted && (rig_full() || (op + by + 3 * given) % 6 == 0))
            run_plan(&key, shapes, COUNT(shapes));
    }
    ref_index_close();
}

/* The least and the largest numbers of floating types are codes in tables. */
TEST(codes)
{
    static const size_t shapes[][3] = {{1, 2000, 30}, {1, 300, 900}, {7, 60, 9}};
    static const clf_type types[] = {CLF_FLOAT, CLF_DOUBLE, CLF_SHORT};
    const size_t by = (size_t)_i / 2;
    gen random = gen_seed(the_rig()->seed, 600 + (uint64_t)_i);
    index_key key = {.index = ref_index_builtin(_i % 2 ? CLF_MAX : CLF_MIN, types[by % COUNT(types)]),
                     .route = routes[by], .finished = true};
    key.wanted = 1 + gen_below(&random, 2);
    run_plan(&key, shapes, COUNT(shapes));
}

/* Bins that are updated are whole values. */
TEST(bins_that_are_updated)
{
    const clf_plan_options one = {.size = sizeof one, .wanted = 1}, all = {.size = sizeof all, .wanted = 3};
    const clf_operator *const op = ref_index_of(REF_INDEX_AFFINE)->clf;
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    assert_status(clf_reduce_by_index_plan(rig_context(NULL), op, CLF_UPDATE, &one, &plan, &error), CLF_E_UNSUPPORTED);
    ck_assert_str_eq(error.message,
                     "clf_plan_options.wanted: bins that are updated (CLF_UPDATE) hold whole values, and "
                     "it must be 0");
    ck_assert_ptr_null(plan);
    assert_ok(clf_reduce_by_index_plan(rig_context(NULL), op, CLF_UPDATE, &all, &plan, &error));
    assert_ok(clf_plan_release(plan));
}

TEST(bins_on_little_data)
{
    static const size_t shapes[][3] = {{1, 300, 20}, {1, 40, 150}, {3, 90, 7}};
    gen random = gen_seed(the_rig()->seed, 700 + (uint64_t)_i);
    const index_key key = key_of(1 + (size_t)_i, (size_t)_i % 2 ? 4 : 1, 0, &random);
    run_plan(&key, shapes, COUNT(shapes));
    ref_index_close();
}

RIG_PART(add_wanted_index_tests, {bins, ROUTES * OPERATORS}, {codes, 2 * ROUTES}, {bins_that_are_updated, 1})

RIG_PART(add_wanted_bins_tests, {bins_on_little_data, ROUTES - 1})
