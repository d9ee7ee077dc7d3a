/* SPDX-License-Identifier: MIT */
/*
 * Top-k of segments of any lengths against the reference: every type of key, tuples of all kinds, every variant and
 * every way (short segments, few results of pieces, many in any order, many by a sort), lengths of all shapes, giants
 * that are cut again and again, offsets and lengths of both types, sizes on the device; what bad arguments do.
 */
#include "injection.h"
#include "irregular_top_k_case.h"
#include "refused.h"

#include <string.h>

/* ---- Ways ------------------------------------------------------------------------------------------------------ */

/* PoCL takes long to compile lists for GPUs: a short run has those of pairs in one order, by offsets of 32 bits. */
static const route routes[] = {
    {NULL, NULL, NULL},
    {ROUTE_BARE, NULL, "group=32"},
    {NULL, "cpu", "limit=40"},
    {ROUTE_BARE, NULL, "limit=40,group=32"},
    {ROUTE_BARE, NULL, "limit=100,few=5,group=32"},
    {"cpu", "groups", NULL}, /* in full runs, as are those behind it */
    {"cpu", NULL, "limit=30,group=96"},
};
enum { ROUTES = COUNT(routes), FIRST_SMALL = 2 /* those of small pieces */, SMALL = ROUTES - FIRST_SMALL, USUAL = 5 };

static sort_key key_by(const route *r, int sort, unsigned flags, unsigned turn)
{
    const bool usual = r->disable && !rig_full();
    const clf_segmentation *const how = &told_ways[usual ? turn % 2 * 2 : turn % TOLD_WAYS];
    sort = usual ? REF_SORT_PAIR : sort;
    flags &= usual ? CLF_UNSORTED | CLF_FROM_DEVICE : ~0u;
    return (sort_key){ref_sort_of(sort), flags, *r, .kind = SORT_SEGMENTS, .by = how->by, .type = how->type};
}

/* NULL: not in a short run. */
static clf_plan *plan_of(const sort_key *key)
{
    const bool full = key->route.disable && strcmp(key->route.disable, "cpu") == 0;
    return full && !rig_full() ? NULL : irregular_top_k_plan(key);
}

static unsigned flags_of(unsigned turn)
{
    return sort_flags(turn) | (turn & 4 ? CLF_UNSORTED : 0);
}

static irregular_top_k_case case_of(const sort_key *key, size_t n, irregular_shape shape, size_t k, unsigned turn)
{
    irregular_top_k_case test = {.sort = sort_case_of(key, n, turn), .k = k, .unasked = turn % 7 == 5};
    test.sort.lengths = shape;
    test.sort.scale = 1 + 37 * (turn % 12);
    return test;
}

static void run(clf_plan *plan, const sort_key *key, size_t n, unsigned shape, size_t k, unsigned turn)
{
    irregular_top_k_case_run(plan, case_of(key, n, (irregular_shape)(shape % SHAPE_COUNT), k, turn));
}

/* ---- Keys ------------------------------------------------------------------------------------------------------ */

static const size_t few[] = {1, 10, 37, 3, 80, 200, 2};

/* Both orders in both directions, sorted and not, and all patterns. A short run has one of these of each operator. */
TEST(every_operator)
{
    for (unsigned f = 0; f < 8; ++f) {
        const route *const r = &routes[((unsigned)_i + f) % ROUTES];
        const bool some = f == (unsigned)_i * 5 % 8;
        const sort_key key = key_by(r, _i, flags_of(f), (unsigned)_i / 2 + f);
        clf_plan *plan = rig_full() || some ? plan_of(&key) : NULL;
        for (unsigned turn = 0; plan && turn < 2 * SORT_PATTERNS; ++turn)
            run(plan, &key, 700 + 31 * (turn % 5), turn, few[(turn + f) % COUNT(few)], turn + f);
        clf_plan_release(plan);
    }
}

/* ---- Sizes ----------------------------------------------------------------------------------------------------- */

TEST(any_k)
{
    const unsigned which = (unsigned)_i / 2;
    const sort_key key = key_by(&routes[which], REF_SORT_PAIR, _i % 2 ? CLF_UNSORTED : 0, which);
    static const size_t sizes[] = {0, 1, 2, 31, 33, 64, 100, 257, 800, 3001};
    clf_plan *plan = plan_of(&key);
    for (unsigned i = 0; plan && i < COUNT(sizes); ++i) {
        const size_t n = sizes[i], ks[] = {0, 1, 2, 8, 10, 33, 64, 65, 128, 129, n / 2, n, n + 1, 3 * n};
        for (unsigned k = 0; k < COUNT(ks); ++k)
            run(plan, &key, n, i + k, ks[k], 3 * i + 5 * k);
    }
    clf_plan_release(plan);
}

/* Lengths about those that lanes have in registers, that lists have, and of pieces; all shapes. */
TEST(lengths_around_boundaries)
{
    const unsigned which = (unsigned)_i / 2;
    const int sort = which % 2 ? CLF_INT : REF_SORT_ORDER;
    const sort_key key = key_by(&routes[which], sort, flags_of(_i % 2 ? 4 : 1), which + 1);
    static const size_t scales[] = {1, 2, 7, 8, 9, 16, 17, 31, 33, 64, 65, 127, 129, 160, 256, 257, 513, 1025};
    clf_plan *plan = rig_full() || which >= FIRST_SMALL ? plan_of(&key) : NULL;
    for (unsigned i = 0; plan && i < COUNT(scales); ++i)
        for (unsigned shape = 0; shape < SHAPE_COUNT; ++shape) {
            irregular_top_k_case test = case_of(&key, 6 * scales[i] + 900, (irregular_shape)shape,
                                                few[(i + shape) % COUNT(few)], 3 * i + shape);
            test.sort.scale = scales[i];
            irregular_top_k_case_run(plan, test);
        }
    clf_plan_release(plan);
}

/* Pieces of pieces; a giant among short ones; all patterns, with ties. */
TEST(giants)
{
    const route *const r = &routes[FIRST_SMALL + _i / 2];
    const int sort = _i / 2 == 1 ? CLF_FLOAT : REF_SORT_PAIR;
    const sort_key key = key_by(r, sort, _i % 2 ? CLF_UNSORTED | CLF_DESCENDING : 0, 0);
    static const size_t ks[] = {1, 2, 5, 30, 6, 200};
    clf_plan *plan = plan_of(&key);
    for (unsigned turn = 0; plan && turn < SORT_PATTERNS; ++turn)
        run(plan, &key, 20011 + turn, turn % 2 ? SHAPE_GIANT : SHAPE_POWER_LAW, ks[turn % COUNT(ks)], turn);
    clf_plan_release(plan);
}

/* Sizes and parameters that are really used. */
TEST(usual_sizes)
{
    const sort_key key = key_by(&routes[_i / 2], REF_SORT_PAIR, _i % 2 ? CLF_UNSORTED : 0, (unsigned)_i);
    static const size_t ks[] = {10, 100, 1000, 3};
    clf_plan *plan = plan_of(&key);
    for (unsigned shape = 0; plan && shape < SHAPE_COUNT; ++shape)
        run(plan, &key, 150000, shape, ks[shape % COUNT(ks)], shape + 11);
    clf_plan_release(plan);
}

/* A million empty segments, and some that are not. */
TEST(empty_segments)
{
    enum { MILLION = 1000000, N = 500, K = 7, EACH = 100 };
    const cl_command_queue q = the_rig()->queue;
    cl_uint *const lengths = calloc(MILLION, sizeof *lengths);
    static cl_ulong offsets[MILLION + 1];
    cl_int x[N], out[N];
    ck_assert(lengths);
    for (int i = 0; i < N; ++i) {
        x[i] = i % EACH * 37 % EACH;
        lengths[i / EACH * 200000 + 5] += 1;
    }
    const sort_key key = {ref_sort_of(CLF_INT), 0, routes[_i], .kind = SORT_SEGMENTS, .by = CLF_BY_LENGTHS,
                          .type = CLF_UINT};
    clf_plan *plan = plan_of(&key);
    const clf_array a[] = {{rig_buffer(MILLION * sizeof *lengths, lengths), 0}, {rig_buffer(sizeof x, x), 0},
                           {rig_buffer(sizeof out, NULL), 0}, {rig_buffer(sizeof offsets, NULL), 0}};
    if (plan) {
        assert_ok(clf_irregular_top_k(plan, CLF_ON(q), N, MILLION, K, &a[0], &a[1], &a[2], &a[3]));
        rig_read(q, a[2].buffer, sizeof out, out);
        rig_read(q, a[3].buffer, sizeof offsets, offsets);
        for (int i = 0; i < N / EACH * K; ++i)
            ck_assert_int_eq(out[i], i % K);
        for (cl_ulong i = 0; i <= MILLION; ++i)
            ck_assert_uint_eq(offsets[i], K * (i < 6 ? 0 : (i - 6) / 200000 + 1));
    }
    rig_release(a[0], a[1], a[2], a[3]);
    clf_plan_release(plan);
    free(lengths);
}

/* Offsets that do not ascend, or lie far beyond: results are anything, but nothing else is touched. */
TEST(malformed_offsets)
{
    enum { N = 5000, SEGMENTS = 3000, EXTRA = 64 };
    gen random = gen_seed(the_rig()->seed, 5);
    const cl_command_queue q = the_rig()->queue;
    cl_uint offsets[SEGMENTS + 1], x[N], out[N + EXTRA];
    for (int i = 0; i <= SEGMENTS; ++i)
        offsets[i] = (cl_uint)gen_below(&random, i % 5 ? 9000 : (uint64_t)1 << 32);
    memset(x, 0, sizeof x);
    const sort_key key = key_by(&routes[_i / 2], REF_SORT_PAIR, _i % 2 ? CLF_UNSORTED : 0, 0);
    static const cl_ulong ks[] = {1, 10, 1000};
    clf_plan *plan = plan_of(&key);
    for (int k = 0; plan && k < 3; ++k) {
        memset(out, 0xab, sizeof out);
        const clf_array a[] = {{rig_buffer(sizeof offsets, offsets), 0}, {rig_buffer(sizeof x, x), 0},
                               {rig_buffer(sizeof out, out), 0}, {rig_buffer(sizeof out, out), 0}};
        const clf_array in[] = {a[1], a[1]};
        const size_t room = SEGMENTS * ks[k] < N ? SEGMENTS * ks[k] : N;
        assert_ok(clf_irregular_top_k(plan, CLF_ON(q), N, SEGMENTS, ks[k], &a[0], in, &a[2], NULL));
        rig_read(q, a[2].buffer, sizeof out, out);
        rig_release(a[0], a[1], a[2], a[3]);
        for (size_t i = room; i < N + EXTRA; ++i)
            ck_assert_uint_eq(out[i], 0xabababab);
    }
    clf_plan_release(plan);
}

/* ---- Sizes on the device --------------------------------------------------------------------------------------- */

TEST(sizes_on_the_device)
{
    const unsigned which = (unsigned)_i / 2;
    const sort_key key = key_by(&routes[FIRST_SMALL + which], which % 2 ? REF_SORT_PAIR : REF_SORT_ORDER,
                                CLF_FROM_DEVICE | (_i % 2 ? CLF_UNSORTED : 0), which);
    enum { N = 2900 };
    static const size_t actual[] = {0, 1, 2, 99, 500, 1601, N - 1, N, N + 1, N + 100}, ks[] = {1, 40, 600, N};
    clf_plan *plan = plan_of(&key);
    for (unsigned i = 0; plan && i < 4 * COUNT(actual); ++i) {
        irregular_top_k_case test = case_of(&key, N, (irregular_shape)(i % SHAPE_COUNT), ks[i % COUNT(ks)], 2 * i);
        circumstances_give(&test.sort.under, &actual[i / 4], i);
        irregular_top_k_case_run(plan, test);
    }
    if (plan)
        run(plan, &key, N, SHAPE_LONG, 20, 0); /* nobody says: all of them */
    clf_plan_release(plan);
}

/* ---- Scratch ---------------------------------------------------------------------------------------------------- */

/* What is told to be enough is so for any k, and not much more than a sort takes. */
TEST(scratch_for_any_k)
{
    enum { N = 1 << 20, SEGMENTS = 1000 };
    const sort_key key = key_by(&routes[_i / 2], REF_SORT_PAIR, _i % 2 ? CLF_UNSORTED : 0, (unsigned)_i);
    clf_plan *plan = plan_of(&key);
    cl_ulong enough;
    if (!plan)
        return;
    assert_ok(clf_plan_scratch(plan, N, SEGMENTS, &enough));
    for (cl_ulong k = 1; k < 3 * N; k = k * 3 / 2 + 1) {
        const clf_task task = {.count = 1, .size = N, .entries = SEGMENTS, .most = k, .in = clf_no_arrays,
                               .out = clf_no_arrays, .segments = clf_no_arrays};
        ck_assert_uint_le(clf_run_measure(plan, &task), enough);
    }
    clf_plan_release(plan);
}

/* ---- Refusals -------------------------------------------------------------------------------------------------- */

static const clf_operator ints = {.size = sizeof ints, .value = "int v;"};

TEST(refused_arguments_are_named)
{
    refused r;
    refused_open(&r);
    const cl_command_queue q = r.queue;
    assert_ok(clf_irregular_top_k_plan(r.context, &ints, &told_ways[0], 0, NULL, &r.plan[0], NULL));
    assert_ok(clf_irregular_top_k_plan(r.context, &ints, &told_ways[2], 0, NULL, &r.plan[1], NULL));
    assert_ok(clf_top_k_plan(r.context, &ints, 0, NULL, &r.plan[2], NULL));
    clf_plan *const offsets = r.plan[0], *const lengths = r.plan[1];
    const clf_array x = refused_array(&r, 400), s = refused_array(&r, 400), out = refused_array(&r, 400);
    const clf_array n = refused_array(&r, 80);
    const cl_int one = 1;
    const unsigned long before = layer_commands();
    const clf_call initial = {.size = sizeof(clf_call), .queue = q, .initial = &one};
    const clf_call given = {.size = sizeof(clf_call), .queue = q, .actual = n};
    const clf_call two = {.size = sizeof(clf_call), .queue = q, .out_count = 2};
#define EXPECT(status, sentence, plan, call, ...) \
    rig_expect(&r.told, clf_irregular_top_k(plan, call, __VA_ARGS__), status, "clf_irregular_top_k: " sentence)
    EXPECT(CLF_E_ALIAS, "out[0] overlaps in[0]", offsets, CLF_ON(q), 100, 9, 5, &s, &x, &x, &n);
    EXPECT(CLF_E_ALIAS, "segments overlaps out[0]", offsets, CLF_ON(q), 100, 9, 5, &s, &x, &s, &n);
    EXPECT(CLF_E_ALIAS, "result_count overlaps out[0]", offsets, CLF_ON(q), 100, 9, 5, &s, &x, &out, &out);
    EXPECT(CLF_E_BUFFER, "in[0].buffer ends before element 100", offsets, CLF_ON(q), 101, 9, 5, &s, &x, &out, NULL);
    EXPECT(CLF_E_BUFFER, "out[0].buffer ends before element 44", offsets, CLF_ON(q), 100, 9, 5, &s, &x, &n, NULL);
    EXPECT(CLF_E_BUFFER, "segments.buffer ends before element 100", offsets, CLF_ON(q), 99, 100, 1, &s, &x, &out, NULL);
    EXPECT(CLF_E_BUFFER, "result_count.buffer ends before element 10", lengths, CLF_ON(q), 99, 10, 1, &s, &x, &out, &n);
    EXPECT(CLF_E_ARGUMENT, "segments is NULL", offsets, CLF_ON(q), 9, 9, 1, NULL, &x, &out, &n);
    EXPECT(CLF_E_ARGUMENT, "count is 0, and n is not", offsets, CLF_ON(q), 9, 0, 1, &s, &x, &out, &n);
    EXPECT(CLF_E_ARGUMENT, "a top-k has no initial value", offsets, &initial, 9, 9, 1, &s, &x, &out, &n);
    EXPECT(CLF_E_ARGUMENT, "call->actual and call->initial_arrays are for plans with CLF_FROM_DEVICE", offsets, &given,
           9, 9, 1, &s, &x, &out, NULL);
    EXPECT(CLF_E_ARGUMENT, "call->out_count is 2, and the operator has 1 arrays there", offsets, &two, 9, 9, 1, &s, &x,
           &out, NULL);
    assert_status(clf_irregular_top_k(r.plan[2], CLF_ON(q), 9, 9, 1, &s, &x, &out, NULL), CLF_E_ARGUMENT);
    ck_assert_uint_eq(layer_commands(), before);
    assert_ok(clf_irregular_top_k(offsets, CLF_ON(q), 0, 9, 5, NULL, NULL, NULL, NULL));
    assert_ok(clf_irregular_top_k(offsets, CLF_ON(q), 9, 9, 0, NULL, NULL, NULL, &n));
    refused_close(&r);
}

TEST(refused_plans)
{
    clf_context *const context = rig_context(NULL);
    clf_error error = {.size = sizeof error};
    const clf_segmentation bits = {sizeof bits, CLF_BY_HEAD_BITS, CLF_UINT};
    clf_plan *plan = NULL;
    assert_status(clf_irregular_top_k_plan(context, &ints, &bits, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, "segments of a top-k are told by offsets or lengths");
    assert_status(clf_irregular_top_k_plan(context, &ints, NULL, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_irregular_top_k_plan(context, NULL, &told_ways[0], 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_irregular_top_k_plan(NULL, &ints, &told_ways[0], 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_irregular_top_k_plan(context, &ints, &told_ways[0], CLF_EXCLUSIVE, NULL, &plan, &error),
                  CLF_E_ARGUMENT);
    ck_assert_ptr_null(plan);
}

/* ---- Random cases ---------------------------------------------------------------------------------------------- */

static sort_key menu[4];

static void run_random(size_t which, clf_plan *plan, gen *own, long number)
{
    const size_t n = gen_size(own, 128, 9000);
    irregular_top_k_case test = {.sort = sort_case_random(&menu[which], own, n, n, number)};
    test.unasked = gen_chance(own, 20);
    test.k = gen_chance(own, 60) ? gen_below(own, 100) : gen_below(own, n + 2);
    test.sort.lengths = (irregular_shape)gen_below(own, SHAPE_COUNT);
    test.sort.scale = 1 + (size_t)gen_below(own, 900);
    irregular_top_k_case_run(plan, test);
}

static clf_plan *draw(size_t i, gen *random)
{
    menu[i] = key_by(&routes[gen_below(random, rig_full() ? ROUTES : USUAL)], (int)gen_below(random, REF_SORT_COUNT),
                     flags_of((unsigned)gen_below(random, 8)) | (gen_chance(random, 25) ? CLF_FROM_DEVICE : 0),
                     (unsigned)gen_below(random, TOLD_WAYS));
    return plan_of(&menu[i]);
}

TEST(random_cases)
{
    route_run_random(COUNT(menu), 8000, 200, draw, run_random);
}

RIG_SUITE(irregular_top_k, random_cases, {every_operator, REF_SORT_COUNT}, {any_k, 2 * ROUTES},
          {lengths_around_boundaries, 2 * ROUTES}, {giants, 2 * SMALL}, {usual_sizes, 4}, {empty_segments, FIRST_SMALL},
          {malformed_offsets, 2 * ROUTES}, {sizes_on_the_device, 2 * SMALL}, {scratch_for_any_k, 2 * ROUTES},
          {refused_arguments_are_named, 1}, {refused_plans, 1})

/* ---- For other suites ------------------------------------------------------------------------------------------ */

/* Suite kernel: little data, of each way. */
TEST(tops_on_little_data)
{
    const way w = way_to("irregular_top_k", (size_t)_i / 2);
    const sort_key key = {ref_sort_of(REF_SORT_PAIR), _i % 2 ? CLF_UNSORTED : 0,
                          {w.disable, w.variant, w.disable ? "limit=20,group=32" : "limit=20"}, .kind = SORT_SEGMENTS,
                          .by = _i % 2 ? CLF_BY_LENGTHS : CLF_BY_OFFSETS, .type = CLF_UINT};
    clf_plan *plan = irregular_top_k_plan(&key);
    for (unsigned shape = 0; plan && shape < SHAPE_COUNT; ++shape)
        run(plan, &key, 140 + 100 * (shape % 3), shape, few[shape % COUNT(few)], 12 * shape + shape % 4);
    clf_plan_release(plan);
}

RIG_PART(add_irregular_top_k_kernel_tests, {tops_on_little_data, 2 * (int)variant_count("irregular_top_k")})

/* Suite injection: rows, which have each of few numbers often: so all of their first ones are alike. */
enum { FIRST_ONES = 20 };

WORLD_CALL(first_of_rows,
           clf_irregular_top_k(plan, call, ELEMENTS, ROWS, FIRST_ONES, &w->lengths, &w->in, &w->out, NULL))
WORLD_CALL(all_of_rows, clf_irregular_top_k(plan, call, ELEMENTS, ROWS, ELEMENTS, &w->lengths, &w->in, &w->out, NULL))

WORLD_RESULT(least, world_element(0))

#define FIRST_OF(name, given)                                                                             \
    {name, "irregular_top_k", first_of_rows, least, FIRST_ONES * ROWS, .scratch = OF_SEGMENTS,            \
     .parts = {.op = &ints, .how = &world_by_lengths}, .parameters = given}
static const subject list[] = {
    FIRST_OF("top-k by lengths", "limit=1"), FIRST_OF("top-k by a sort of segments", "few=0"),
    {"top-k by lengths in any order", "irregular_top_k", all_of_rows, world_element, ELEMENTS, .scratch = OF_SEGMENTS,
     .parts = {.op = &ints, .how = &world_by_lengths, .flags = CLF_UNSORTED}}};
const subjects irregular_top_k_subjects = {list, COUNT(list)};
