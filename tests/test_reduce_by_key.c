/* SPDX-License-Identifier: MIT */
/*
 * Reductions by key against the reference: every variant, keys and values of 1 to 64 bytes, operators that do not
 * commute, sizes around everything that the kernels distinguish, runs from one for all elements to one for each, too
 * little room, sizes that only the device knows, tiles that wait in vain; all of it also by plans that leave out runs
 * of one element; and what bad arguments do.
 */
#include "cases.h"
#include "refused.h"

#include <stdio.h>
#include <string.h>

/* ---- Ways ------------------------------------------------------------------------------------------------------- */

static const route routes[] = {
    {NULL, NULL, NULL},
    {NULL, "cpu", "items=3001,nontemporal=2"},
    {"cpu", NULL, NULL},
    {"cpu", "serial", "items=4,group=32"},
    {"cpu", "two_pass", "items=12,group=64"},
    {"cpu", "one_group", "items=8,group=64"},
    {"cpu", "window", "items=4,group=64"},
    {"cpu", "central", "items=4,group=96"},
    {ROUTE_BARE, NULL, "items=3,group=3"}, /* PoCL 3.1 miscompiles groups of 2 */
    {"cpu", "two_pass", "items=16,group=64"},
};
enum { ROUTES = COUNT(routes) };

static by_key_key key_of(int which, int op, bool nontrivial)
{
    return (by_key_key){ref_by_key_of(op), routes[which], nontrivial, false, 0};
}

/* Circumstances go by the numbers, so that each comes with each. */
static by_key_case case_of(const by_key_key *key, size_t n, size_t tile, unsigned turn)
{
    static const unsigned percents[] = {50, 1, 99, 25, 5};
    return (by_key_case){.key = *key, .n = n, .tile = tile, .room = turn % 5 == 4 ? n / 3 : n,
                         .percent = percents[turn % 5], .pattern = (by_key_pattern)(turn % 7 % BY_KEY_PATTERNS),
                         .under = {.offset = turn % 3 ? turn % 9 : 0, .unordered = turn % 11 == 3,
                                   .scratch = turn % 4 == 1, .seed = n + turn, .number = -1}};
}

/* Of the tile that is really used, at most some thousand. */
static size_t tile_of(const clf_plan *plan)
{
    return plan_tile(plan) < 5000 ? plan_tile(plan) : 5000;
}

/* ---- Sizes ------------------------------------------------------------------------------------------------------ */

static void run_size(clf_plan *plan, const void *key, size_t n, size_t tile, unsigned turn, const size_t *actual)
{
    by_key_case test = case_of(key, n, tile, turn);
    circumstances_give(&test.under, actual, turn);
    by_key_case_run(plan, test);
}

static void run_sizes(const by_key_key *key)
{
    const route_sizes sizes = {.most = 5000, .farthest = 40, .step = 1, .tiles = 9, .turns = 35};
    route_run_sizes(by_key_plan(key, false), key, &sizes, run_size);
}

TEST(sizes_around_boundaries)
{
    for (int which = 0; which < 2 * REF_BY_KEY_COUNT; ++which) {
        const int op = which / 2, nontrivial = which % 2;
        const by_key_key key = key_of(_i, op, nontrivial);
        if (rig_full() || op == REF_BY_KEY_MATRIX || ((op + _i) % 5 == 0 && (op / 5 + _i) % 2 == nontrivial))
            run_sizes(&key);
    }
}

TEST(every_size)
{
    const by_key_key key = key_of(_i % 2 ? 3 : 1, _i % 2 ? REF_BY_KEY_MATRIX : REF_BY_KEY_TUPLE, _i / 2);
    clf_plan *plan = by_key_plan(&key, false);
    for (size_t n = 0; plan && n <= 300; ++n)
        by_key_case_run(plan, case_of(&key, n, tile_of(plan), (unsigned)n));
    clf_plan_release(plan);
}

/* Many tiles of the size that is really used, and a part of one. */
TEST(usual_tiles)
{
    static const char *const variants[] = {NULL, NULL, "cpu"};
    const by_key_key key = {ref_by_key_of(_i / 3), {_i % 3 == 1 ? "cpu" : NULL, variants[_i % 3], NULL},
                            (_i / 3 + _i % 3) % 2, false, 0};
    clf_plan *plan = rig_full() || _i % 3 == 0 || _i / 3 % 3 == _i % 3 ? by_key_plan(&key, false) : NULL;
    for (unsigned turn = 0; plan && turn < 14; ++turn)
        ck_assert(by_key_case_run(plan, case_of(&key, turn < 8 ? 70000 + turn : turn - 7, tile_of(plan), turn)));
    clf_plan_release(plan);
}

/* ---- What only the device knows --------------------------------------------------------------------------------- */

TEST(sizes_on_the_device)
{
    const int which = _i % ROUTES;
    const by_key_key key = key_of(which, which % 2 ? REF_BY_KEY_LENGTHS : REF_BY_KEY_TUPLE, _i / ROUTES);
    route_run_given(by_key_plan(&key, true), &key, 5000, run_size);
}

/* ---- Tiles that wait in vain ------------------------------------------------------------------------------------ */

static const char *const stalls[] = {
    "items=4,group=64,count=1,stall=2,reverse=1,spin=0", "items=4,group=64,count=1,stall=1,reverse=1,spin=4",
    "items=2,group=32,count=1,stall=3,spin=4", "items=2,group=32,count=1,stall=1,spin=0"};

TEST(stalled_tiles)
{
    static const char *const variants[] = {"serial", "window", "central", "cpu"};
    static const int operators[] = {REF_BY_KEY_MATRIX, REF_BY_KEY_LENGTHS, REF_BY_KEY_TUPLE};
    enum { FALLBACKS = 3 };
    cl_uint fallbacks = 0;
    for (size_t i = 0; i < COUNT(stalls) * COUNT(operators); ++i) {
        const by_key_key key = {ref_by_key_of(operators[i % COUNT(operators)]), {_i < 3 ? "cpu" : NULL, variants[_i],
                                 _i < 3 ? stalls[i / COUNT(operators)] : "items=64,count=1,stall=2,spin=1"},
                                (i / COUNT(operators) + (size_t)_i) % 2, false, 0};
        if (!rig_full() && i % COUNT(operators) != (i / COUNT(operators) + (size_t)_i) % COUNT(operators))
            continue;
        clf_plan *plan = by_key_plan(&key, false);
        for (unsigned turn = 0; plan && turn < BY_KEY_PATTERNS; ++turn) {
            cl_uint header[GUARDED_HEADER] = {0};
            by_key_case test = case_of(&key, 40 * tile_of(plan) + 3, tile_of(plan), turn);
            test.under.scratch = true;
            test.header = header;
            if (by_key_case_run(plan, test))
                fallbacks += header[FALLBACKS];
        }
        clf_plan_release(plan);
    }
    if (the_rig()->is_cpu && _i < 3)
        ck_assert_msg(fallbacks > 0, "no fallback: %s", variants[_i]);
}

/* ---- Runs of one left out -------------------------------------------------------------------------------------- */

/* A run-length encoding with starts, as clfold.h has it, of the longer runs. */
static const clf_operator encode_clf = {
    .size = sizeof encode_clf, .input = "uchar v;", .value = "uint length;", .extra = "uchar v; ulong start;",
    .map = "one", .combine = "add", .neutral = "none", .same = "is_same",
    .source = "clf_value one(clf_input x, ulong i, clf_extra *e)\n"
              "{ clf_value y = {1}; e->v = x.v; e->start = i; return y; }\n"
              "clf_value add(clf_value a, clf_value b) { a.length += b.length; return a; }\n"
              "clf_value none(void) { clf_value y = {0}; return y; }\n"
              "bool is_same(clf_input a, clf_input b) { return a.v == b.v; }\n"};

TEST(runs_of_one_left_out)
{
    enum { N = 50000 };
    static cl_uchar data[N], values[N];
    static cl_uint lengths[N];
    static cl_ulong starts[N];
    cl_ulong count, at = 0;
    const cl_command_queue queue = the_rig()->queue;
    gen random = gen_seed(the_rig()->seed, 8999);
    for (size_t i = 0; i < N; ++i)
        data[i] = (cl_uchar)(i > 0 && gen_chance(&random, 40) ? data[i - 1] : gen_bits(&random));
    clf_plan *const encode = RIG_PLAN(clf_reduce_by_key_plan, rig_context(_i ? "cpu" : NULL), &encode_clf,
                                      CLF_NONTRIVIAL_RUNS, NULL);
    const clf_array in = {rig_buffer(N, data), 0}, result_count = {rig_buffer(8, NULL), 0};
    const clf_array runs[] = {{rig_buffer(sizeof lengths, lengths), 0}, {rig_buffer(sizeof values, values), 0},
                              {rig_buffer(sizeof starts, starts), 0}};
    assert_ok(clf_reduce_by_key(encode, CLF_ON(queue), N, N, &in, runs, &result_count));
    rig_read(queue, runs[0].buffer, sizeof lengths, lengths);
    rig_read(queue, runs[1].buffer, sizeof values, values);
    rig_read(queue, runs[2].buffer, sizeof starts, starts);
    rig_read(queue, result_count.buffer, sizeof count, &count);
    for (size_t i = 0, end; i < N; i = end) {
        for (end = i + 1; end < N && data[end] == data[i]; ++end)
            ;
        if (end - i > 1) {
            ck_assert(lengths[at] == end - i && values[at] == data[i] && starts[at] == i);
            ++at;
        }
    }
    ck_assert_uint_eq(count, at);
    rig_release(in, result_count, runs[0], runs[1], runs[2]);
    clf_plan_release(encode);
}

/* ---- Refusals --------------------------------------------------------------------------------------------------- */

TEST(refused_arguments_are_named)
{
    refused r;
    refused_open(&r);
    const cl_command_queue q = r.queue;
    assert_ok(clf_reduce_by_key_plan(r.context, ref_by_key_of(REF_BY_KEY_LENGTHS)->clf, 0, NULL, &r.plan[0], NULL));
    assert_ok(clf_filter_plan(r.context, ref_filter_of(REF_FILTER_INT)->clf, 0, NULL, &r.plan[1], NULL));
    clf_plan *const plan = r.plan[0], *const filter = r.plan[1];
    const clf_array in = refused_array(&r, 100), lengths = refused_array(&r, 400);
    const clf_array values = refused_array(&r, 100), count = refused_array(&r, 8);
    const clf_array out[] = {lengths, values}, onto[] = {lengths, in}, twice[] = {lengths, lengths};
    const clf_array behind[] = {lengths, {values.buffer, 1}};
    const cl_uint one = 1;
    const clf_call initial = {.size = sizeof(clf_call), .queue = q, .initial = &one};
    REFUSES(&r.told, ALIAS, "out[1] overlaps in[0]", clf_reduce_by_key(plan, CLF_ON(q), 100, 100, &in, onto, &count));
    REFUSES(&r.told, ALIAS, "out[1] overlaps out[0]", clf_reduce_by_key(plan, CLF_ON(q), 100, 100, &in, twice, &count));
    REFUSES(&r.told, BUFFER, "in[0].buffer ends before element 100",
            clf_reduce_by_key(plan, CLF_ON(q), 101, 9, &in, out, &count));
    REFUSES(&r.told, BUFFER, "out[1].buffer ends before element 100",
            clf_reduce_by_key(plan, CLF_ON(q), 100, 100, &in, behind, &count));
    REFUSES(&r.told, ARGUMENT, "result_count is NULL", clf_reduce_by_key(plan, CLF_ON(q), 100, 9, &in, out, NULL));
    REFUSES(&r.told, ARGUMENT, "in is NULL", clf_reduce_by_key(plan, CLF_ON(q), 100, 9, NULL, out, &count));
    REFUSES(&r.told, ARGUMENT, "out is NULL", clf_reduce_by_key(plan, CLF_ON(q), 100, 9, &in, NULL, &count));
    REFUSES(&r.told, ARGUMENT, "a reduce_by_key has no initial value",
            clf_reduce_by_key(plan, &initial, 9, 9, &in, out, &count));
    assert_status(clf_reduce_by_key(plan, CLF_ON(q), 100, 100, &in, out, &values), CLF_E_ALIAS);
    assert_status(clf_reduce_by_key(filter, CLF_ON(q), 9, 9, &in, out, &count), CLF_E_ARGUMENT);
    assert_status(clf_unique(plan, CLF_ON(q), 9, 9, &in, out, &count), CLF_E_ARGUMENT);
    assert_ok(clf_reduce_by_key(plan, CLF_ON(q), 100, 99, &in, behind, &count)); /* room for fewer */
    assert_ok(clf_reduce_by_key(plan, CLF_ON(q), 100, 0, &in, NULL, &count));    /* only counted */
    refused_close(&r);
}

static void refuse_operator(const clf_operator *op, clf_status status, const char *sentence)
{
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    assert_status(clf_reduce_by_key_plan(rig_context(NULL), op, 0, NULL, &plan, &error), status);
    ck_assert_msg(strstr(error.message, sentence), "\"%s\", not \"%s\"", error.message, sentence);
    ck_assert_ptr_null(plan);
}

TEST(operators_that_are_none)
{
    clf_operator op = *ref_by_key_of(REF_BY_KEY_SIGNS)->clf;
    clf_plan *plan = NULL;
    op.same = NULL;
    refuse_operator(&op, CLF_E_ARGUMENT, "clf_operator.same is NULL");
    op.same = "alike";
    op.neutral = NULL;
    refuse_operator(&op, CLF_E_ARGUMENT, "clf_operator.neutral is NULL");
    op.neutral = "zero";
    op.predicate = "alike";
    refuse_operator(&op, CLF_E_ARGUMENT,
                    "clf_operator.predicate: the primitive calls combine and same, and must find NULL here");
    op.predicate = NULL;
    op.extra = "int key;";
    refuse_operator(&op, CLF_E_ARGUMENT, "an operator with input, extra or captured fields needs a map");
    op.extra = NULL;
    op.same = "add";
    refuse_operator(&op, CLF_E_OPERATOR, "clf_operator.same: the source has no function bool add");
    op.same = "alike";
    assert_status(clf_scan_plan(rig_context(NULL), &op, 0, NULL, &plan, NULL), CLF_E_ARGUMENT);
    assert_status(clf_unique_plan(rig_context(NULL), &op, 0, NULL, &plan, NULL), CLF_E_ARGUMENT);
    assert_status(clf_reduce_by_key_plan(rig_context(NULL), &op, CLF_EXCLUSIVE, NULL, &plan, NULL), CLF_E_ARGUMENT);
    ck_assert_ptr_null(plan);
}

/* ---- Two passes repeat bitwise ---------------------------------------------------------------------------------- */

/* Sums of floats that round: once more, the same bits. All are one run; or all but the first two, which are alone. */
TEST(two_passes_repeat)
{
    const clf_operator op = {
        .size = sizeof(clf_operator), .value = "float x;", .combine = "add", .neutral = "zero",
        .same = _i ? "small" : "always",
        .source = "clf_value add(clf_value a, clf_value b) { a.x += b.x; return a; }\n"
                  "clf_value zero(void) { clf_value z = {0.0f}; return z; }\n"
                  "bool small(clf_input a, clf_input b) { return b.x < 0.3f; }\n"
                  "bool always(clf_input a, clf_input b) { return true; }"};
    enum { N = 50000 };
    static cl_float data[N];
    const clf_plan_options options = {.size = sizeof options, .variant = "two_pass"};
    cl_float got[2];
    for (int i = 0; i < N; ++i)
        data[i] = 1.0f / (cl_float)(i + 1);
    clf_plan *const plan = RIG_PLAN(clf_reduce_by_key_plan, rig_context("cpu"), &op, _i ? CLF_NONTRIVIAL_RUNS : 0,
                                    &options);
    const cl_command_queue queue = the_rig()->queue;
    const clf_array in = {rig_buffer(sizeof data, data), 0}, out = {rig_buffer(4, NULL), 0};
    const clf_array count = {rig_buffer(8, NULL), 0};
    for (int i = 0; i < 2; ++i) {
        assert_ok(clf_reduce_by_key(plan, CLF_ON(queue), N, 1, &in, &out, &count));
        rig_read(queue, out.buffer, sizeof got[i], &got[i]);
    }
    ck_assert_mem_eq(&got[0], &got[1], sizeof got[0]);
    const cl_float alone = _i ? 1.5f : 0;
    ck_assert(got[0] + alone > 11.3f && got[0] + alone < 11.5f);
    rig_release(in, out, count);
    clf_plan_release(plan);
}

/* ---- Random cases ----------------------------------------------------------------------------------------------- */

static by_key_key menu[8];

static void run_random(size_t which, clf_plan *plan, gen *own, long number)
{
    by_key_case test = {.key = menu[which], .under = circumstances_random(own, number)};
    test.tile = tile_of(plan);
    test.n = gen_size(own, 128, 6000);
    test.room = gen_chance(own, 70) ? test.n : (size_t)gen_below(own, test.n + 1);
    test.pattern = (by_key_pattern)gen_below(own, BY_KEY_PATTERNS);
    test.percent = (unsigned)gen_below(own, 101);
    by_key_case_run(plan, test);
}

static clf_plan *draw(size_t i, gen *random)
{
    const int which = (int)gen_below(random, ROUTES), op = (int)gen_below(random, REF_BY_KEY_COUNT);
    menu[i] = key_of(which, op, gen_chance(random, 50));
    return by_key_plan(&menu[i], false);
}

TEST(random_cases)
{
    route_run_random(COUNT(menu), 6000, 300, draw, run_random);
}

RIG_SUITE(reduce_by_key, random_cases, {sizes_around_boundaries, ROUTES}, {every_size, 4},
          {usual_tiles, 3 * REF_BY_KEY_COUNT}, {sizes_on_the_device, 2 * ROUTES}, {stalled_tiles, 4},
          {refused_arguments_are_named, 1}, {operators_that_are_none, 1}, {two_passes_repeat, 2},
          {runs_of_one_left_out, 2})
