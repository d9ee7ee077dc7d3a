/* SPDX-License-Identifier: MIT */
/*
 * Sorts of rows and of segments of any lengths against the reference: every type of key, tuples of all kinds, every
 * variant, rows of every length around what kernels distinguish, every way of telling where segments start, keys of all
 * kinds, outputs where inputs are, sizes that only the device knows; what is refused.
 */
#include "cases.h"
#include "refused.h"

#include "primitives/primitives.h"

/* ---- Ways ------------------------------------------------------------------------------------------------------ */

static const route routes[] = {
    {NULL, NULL, NULL},
    {"cpu", NULL, NULL},
    {NULL, "cpu", "items=200"}, /* more than are few */
    {"cpu", "large", "items=3,group=32"},
    {"cpu", "large", "items=6,group=32"},
    {"cpu", NULL, "items=4,group=32"},
    {ROUTE_BARE, NULL, "items=5,group=32"},
    {NULL, NULL, "limit=70"}, /* longer rows, and segments on GPUs, are sorted digit by digit */
    {"cpu", NULL, "items=2,group=32,limit=70"},
    {ROUTE_BARE, NULL, "items=3,group=16,limit=140"},
};
enum { ROUTES = COUNT(routes), FIRST_SMALL = 2 /* in small tiles */, SMALL = 3, FIRST_LIMITED = ROUTES - 3 };

static sort_key key_by(const route *r, int sort, unsigned flags)
{
    return (sort_key){ref_sort_of(sort), flags, *r, .kind = SORT_ROWS};
}

/* What tells of segments goes by the turn. */
static sort_key told_by(const route *r, int sort, unsigned flags, unsigned turn)
{
    static const clf_segments_by by[] = {CLF_BY_OFFSETS, CLF_BY_LENGTHS, CLF_BY_HEAD_BITS, CLF_BY_OFFSETS,
                                         CLF_BY_HEAD_BYTES, CLF_BY_KEYS};
    sort_key key = key_by(r, sort, flags);
    key.kind = SORT_SEGMENTS;
    key.by = by[turn % COUNT(by)];
    key.type = turn % 4 < 2 ? CLF_UINT : CLF_ULONG;
    return key;
}

static sort_case case_of(const sort_key *key, size_t rows, size_t size, unsigned turn)
{
    sort_case test = sort_case_of(key, rows * size, turn);
    test.rows = rows;
    test.bytes = 1 + turn % 255;
    return test;
}

static sort_case told_case(const sort_key *key, size_t n, irregular_shape lengths, size_t scale, unsigned turn)
{
    sort_case test = case_of(key, 1, n, turn);
    test.rows = 0;
    test.lengths = lengths;
    test.scale = scale;
    return test;
}

/* ---- Scratch ---------------------------------------------------------------------------------------------------- */

/* What is told to be enough for n is so for any rows of n that are sorted digit by digit. */
TEST(scratch_for_any_long_rows)
{
    const sort_key key = {ref_sort_of(CLF_UINT), 0, {_i ? "cpu,progress" : "cpu", NULL, "limit=2048"},
                          .kind = SORT_ROWS};
    const cl_ulong limit = 2048; /* shorter rows are merged; where there is little local memory, tiles are shorter */
    clf_plan *plan = sort_plan(&key);
    if (!plan)
        return;
    const clf_plan *const sort = plan->own;
    const cl_ulong tile = sort->engine[0]->tile, sizes[] = {2049, tile + 1, 2 * tile + 1, 3 * tile - 1, 1 << 20};
    for (size_t k = 0; k < COUNT(sizes); ++k)
        for (cl_ulong rows = 1; sizes[k] > limit && rows < 10000; rows = 2 * rows + (rows > 1000 ? 2048 : 0)) {
            cl_ulong enough;
            assert_ok(clf_plan_scratch(plan, rows * sizes[k], rows, &enough));
            const clf_task task = {.count = rows, .size = sizes[k], .in = clf_no_arrays, .out = clf_no_arrays};
            ck_assert_uint_le(clf_run_measure(sort, &task), enough);
        }
    clf_plan_release(plan);
}

/* However small tiles of rows are: what is sorted digit by digit has more counters, and tiles that are larger. */
TEST(scratch_of_small_tiles)
{
    enum { N = 1 << 20 };
    static const route small[] = {{NULL, "cpu", "items=13"}, {"cpu", NULL, "items=1,group=32"},
                                  {ROUTE_BARE, NULL, "items=1,group=8"}};
    const sort_key key = {ref_sort_of(CLF_LONG), 0, small[_i], .kind = SORT_ROWS};
    clf_plan *plan = sort_plan(&key);
    cl_ulong bytes;
    if (!plan)
        return;
    assert_ok(clf_plan_scratch(plan, N, 1, &bytes));
    ck_assert_uint_le(bytes, (cl_ulong)4 * N * sizeof(cl_long));
    clf_plan_release(plan);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

/* Both orders in both directions, and all patterns. A short run has one of these of each type. */
TEST(every_type_of_key)
{
    /* Of each size a short run has integers with a sign or without: suite `sort` has all. */
    const bool has_sibling = _i == CLF_UCHAR || _i == CLF_SHORT || _i == CLF_UINT || _i == CLF_LONG;
    for (unsigned f = 0; f < 4; ++f) {
        const bool real = _i >= CLF_HALF;
        const bool some = !has_sibling && f == (unsigned)(real ? 3 - _i % CLF_HALF : _i / 2 % 2);
        const sort_key key = key_by(&routes[FIRST_SMALL + ((unsigned)_i + f) % SMALL], _i,
                                    sort_flags(f) | sort_overwriting(_i, (_i / 3 + (int)f) % 2));
        clf_plan *plan = (f < 2 || real) && (rig_full() || some) ? sort_plan(&key) : NULL;
        for (unsigned turn = 0; plan && turn < 3 * SORT_PATTERNS; ++turn) {
            static const size_t sizes[] = {1, 2, 5, 17, 33, 97, 191, 397};
            sort_case_run(plan, case_of(&key, 1 + turn % 9, sizes[turn % COUNT(sizes)], turn + f));
        }
        clf_plan_release(plan);
    }
}

static void run_sizes(const sort_key *key)
{
    clf_plan *plan = sort_plan(key);
    if (!plan)
        return;
    const size_t tile = plan_tile(plan) < 4000 ? plan_tile(plan) : 4000;
    const size_t sizes[] = {0, 1, 2, 3, 4, 7, 8, 9, 31, 32, 33, 65, tile / 4, tile / 4 + 1, tile / 2, tile - 1, tile,
                            tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1, 3 * tile + 5, 5 * tile + 7, 9 * tile};
    static const size_t rows[] = {1, 2, 3, 7, 40};
    unsigned turn = 5;
    for (unsigned i = 0; i < COUNT(sizes); ++i)
        for (unsigned r = 0; r < COUNT(rows); ++r, turn += 5)
            if (rows[r] * sizes[i] <= 3 * tile || r == i % 3)
                sort_case_run(plan, case_of(key, rows[r], sizes[i], turn));
    sort_case_run(plan, case_of(key, 0, 9, 0));
    clf_plan_release(plan);
}

TEST(rows_around_boundaries)
{
    for (int sort = 0; sort < REF_SORT_COUNT; ++sort) {
        const bool some = sort >= CLF_TYPE_COUNT && (sort + _i + 1) % ROUTES == 0, both = _i >= FIRST_LIMITED;
        for (int other = 0; other < 2 && (rig_full() || some); ++other) {
            const unsigned overwrites = sort_overwriting(sort, other);
            const sort_key key = key_by(&routes[_i], sort, sort_flags((unsigned)(sort + _i)) | overwrites);
            if (both || other == (sort / 2 + _i) % 2)
                run_sizes(&key);
        }
    }
}

TEST(rows_of_every_size)
{
    const int sort = _i % 2 ? REF_SORT_ORDER : CLF_INT;
    const sort_key key = key_by(&routes[FIRST_SMALL + _i], sort, sort_overwriting(sort, _i == 0));
    clf_plan *plan = sort_plan(&key);
    for (unsigned size = 0; plan && size <= 150; ++size)
        sort_case_run(plan, case_of(&key, 1 + 300 / (size + 1), size, size));
    clf_plan_release(plan);
}

/* Sorted digit by digit no pass is needed; yet rows differ. */
TEST(rows_of_one_value_each)
{
    const sort_key key = key_by(&routes[FIRST_LIMITED + _i], CLF_INT, sort_overwriting(CLF_INT, _i == 1));
    clf_plan *plan = sort_plan(&key);
    for (unsigned k = 0; plan && k < 6; ++k) {
        static const size_t sizes[] = {71, 300, 5000};
        sort_case test = case_of(&key, k % 2 ? 7 : 2, sizes[k / 2], k);
        test.pattern = SORT_STEPS;
        sort_case_run(plan, test);
    }
    clf_plan_release(plan);
}

/* ---- Segments of any lengths ----------------------------------------------------------------------------------- */

static void run_segments(const sort_key *key, unsigned turn)
{
    clf_plan *plan = sort_plan(key);
    if (!plan)
        return;
    const size_t tile = plan_tile(plan) < 4000 ? plan_tile(plan) : 4000;
    const size_t sizes[] = {0, 1, 33, tile - 1, tile, tile + 1, 2 * tile + 1, 5 * tile + 7, 9 * tile, 17 * tile + 3};
    for (unsigned i = 0; i < COUNT(sizes); ++i)
        for (unsigned shape = i % 2; shape<SHAPE_COUNT; shape += sizes[i]> 3 * tile ? 2 : 1) {
            const size_t scale = (turn + shape) % 3 ? tile + (turn + i) % 3 - 1 : 4 * tile;
            sort_case_run(plan, told_case(key, sizes[i], (irregular_shape)shape, scale, turn));
            turn += 5;
        }
    clf_plan_release(plan);
}

TEST(segments_of_any_lengths)
{
    unsigned turn = (unsigned)_i;
    for (int sort = 0; sort < REF_SORT_COUNT; ++sort) {
        const sort_key key = told_by(
            &routes[_i], sort, sort_flags((unsigned)(sort + _i)) | sort_overwriting(sort, (sort / 2 + _i) % 2), ++turn);
        if (rig_full() || (sort >= CLF_TYPE_COUNT && (sort + _i + 2) % ROUTES == 0) || (sort == CLF_INT && _i == 3))
            run_segments(&key, turn);
    }
}

TEST(every_way_of_telling)
{
    for (unsigned small = 0; small < (rig_full() ? SMALL : 2); ++small) {
        const sort_key key = told_by(&routes[FIRST_SMALL + small], REF_SORT_PAIR,
                                     sort_overwriting(REF_SORT_PAIR, (small + (unsigned)_i) % 2), (unsigned)_i);
        run_segments(&key, small);
    }
}

/* ---- Many tiles of the size that is really used ------------------------------------------------------------------ */

TEST(usual_tiles)
{
    static const route usual[] = {{NULL, NULL, NULL}, {"cpu", NULL, NULL}, {"cpu", "medium", NULL},
                                  {"cpu", "small", NULL}};
    static const size_t sizes[] = {3, 16, 100, 1000, 1024, 5000, 40000};
    const sort_key key = key_by(&usual[_i], REF_SORT_PAIR, 0), told = told_by(&usual[_i], CLF_UINT, 0, (unsigned)_i);
    clf_plan *plan = sort_plan(&key), *other = sort_plan(&told);
    for (unsigned i = 0; plan && i < 2 * COUNT(sizes); ++i) {
        sort_case test = case_of(&key, 80000 / sizes[i / 2], sizes[i / 2], 3 * i);
        test.pattern = i % 2 ? SORT_LITTLE : test.pattern; /* keys that differ in high and in low bits */
        sort_case_run(plan, test);
    }
    for (unsigned shape = 0; other && shape < SHAPE_COUNT; ++shape)
        sort_case_run(other, told_case(&told, 60000 + shape, (irregular_shape)shape, 7000, 4 * shape));
    rig_release_plans(plan, other);
}

/* ---- What a map knows ------------------------------------------------------------------------------------------ */

/* A row's length, in captured->clf_size: of short rows, and of such as are sorted digit by digit. */
TEST(lengths_of_rows)
{
    static const clf_operator op = {
        .size = sizeof op, .input = "uint key;", .value = "uint key; uint length;", .captured = "uint none;",
        .map = "told", .source = "clf_value told(clf_input x, ulong i, const clf_captured *c)\n"
                                 "{ clf_value v = {x.key, (uint)c->clf_size}; return v; }"};
    enum { ROWS = 3, SIZE = 100 };
    cl_uint found[ROWS * SIZE];
    const clf_array in[] = {{rig_buffer(sizeof found, NULL), 0}, {rig_buffer(sizeof(cl_uint), NULL), 0}};
    const clf_array out[] = {{rig_buffer(sizeof found, NULL), 0}, {rig_buffer(sizeof found, NULL), 0}};
    const clf_plan_options options = {.size = sizeof options, .parameters = _i % 2 ? "limit=70" : NULL};
    clf_plan *const plan = RIG_PLAN(clf_segmented_sort_plan, rig_context(_i / 2 ? "cpu" : NULL), &op, 0, &options);
    assert_ok(clf_segmented_sort(plan, CLF_ON(the_rig()->queue), ROWS, SIZE, in, out));
    rig_read(the_rig()->queue, out[1].buffer, sizeof found, found);
    for (size_t i = 0; i < COUNT(found); ++i)
        ck_assert_uint_eq(found[i], SIZE);
    rig_release(in[0], in[1], out[0], out[1]);
    clf_plan_release(plan);
}

/* ---- Sizes on the device --------------------------------------------------------------------------------------- */

TEST(sizes_on_the_device)
{
    sort_key keys[] = {key_by(&routes[FIRST_SMALL + _i], REF_SORT_ORDER, CLF_FROM_DEVICE),
                       told_by(&routes[FIRST_SMALL + _i], CLF_SHORT, CLF_FROM_DEVICE, (unsigned)_i)};
    for (unsigned k = 0; k < COUNT(keys); ++k) {
        clf_plan *plan = rig_full() || _i == 0 || (int)k == _i - 1 ? sort_plan(&keys[k]) : NULL;
        const size_t tile = plan ? plan_tile(plan) : 1, n = 5 * tile + 5;
        const size_t actual[] = {0, 1, 2, 3, 5, 9, tile - 1, tile, tile + 1, 3 * tile, n - 1, n, n + 1};
        for (unsigned i = 0; plan && i < 2 * COUNT(actual); ++i) {
            const size_t rows = i % 2 ? 9 : 3, size = i % 2 ? tile / 2 + 1 : 2 * tile + 1;
            sort_case test = k ? told_case(&keys[k], n, (irregular_shape)(i % SHAPE_COUNT), 2 * tile, 2 * i)
                               : case_of(&keys[k], rows, size, 2 * i);
            circumstances_give(&test.under, &actual[i / 2], i);
            sort_case_run(plan, test);
        }
        clf_plan_release(plan);
    }
}

/* ---- Random cases ---------------------------------------------------------------------------------------------- */

static sort_key menu[3];

static void run_random(size_t which, clf_plan *plan, gen *own, long number)
{
    const sort_key *const key = &menu[which];
    const size_t most = gen_size(own, 128, 6000), size = key->kind == SORT_ROWS ? gen_size(own, 64, 2000) : 1;
    const size_t count = size ? most / size : 7;
    sort_case test = sort_case_random(key, own, count * size, count, number);
    test.suite = "segmented_sort";
    test.rows = key->kind == SORT_ROWS ? count : 0;
    test.lengths = (irregular_shape)gen_below(own, SHAPE_COUNT);
    test.scale = 1 + (size_t)gen_below(own, 900);
    sort_case_run(plan, test);
}

static clf_plan *draw(size_t i, gen *random)
{
    const route *const r = &routes[gen_below(random, ROUTES)];
    const int sort = (int)gen_below(random, REF_SORT_COUNT);
    const unsigned flags = sort_flags((unsigned)gen_below(random, 4)) | (gen_chance(random, 25) ? CLF_FROM_DEVICE : 0) |
                           sort_overwriting(sort, gen_chance(random, 50));
    menu[i] = i % 2 ? key_by(r, sort, flags) : told_by(r, sort, flags, (unsigned)gen_below(random, 12));
    return sort_plan(&menu[i]);
}

TEST(random_cases)
{
    route_run_random(COUNT(menu), 8000, 200, draw, run_random);
}

/* ---- Refusals -------------------------------------------------------------------------------------------------- */

TEST(refused_sorts)
{
    static const clf_operator ints = {.size = sizeof ints, .value = "int v;"};
    const clf_segmentation offsets = {.size = sizeof offsets, .by = CLF_BY_OFFSETS, .type = CLF_UINT};
    refused r;
    const cl_int initial = 0;
    refused_open(&r);
    const cl_command_queue q = r.queue;
    assert_ok(clf_segmented_sort_plan(r.context, &ints, 0, NULL, &r.plan[0], NULL));
    assert_ok(clf_irregular_sort_plan(r.context, &ints, &offsets, 0, NULL, &r.plan[1], NULL));
    assert_ok(clf_sort_plan(r.context, &ints, 0, NULL, &r.plan[2], NULL));
    clf_plan *const rows = r.plan[0], *const segments = r.plan[1], *const whole = r.plan[2];
    const clf_array a = refused_array(&r, 400), b = refused_array(&r, 400);
    const clf_array o = refused_array(&r, 20), behind = {a.buffer, 1}, none = {NULL, 0};
    const unsigned long before = layer_commands();
    clf_call call = {.size = sizeof call, .queue = q, .initial = &initial};
    REFUSES(&r.told, ARGUMENT, "call is NULL", clf_segmented_sort(rows, NULL, 3, 3, &a, &b));
    REFUSES(&r.told, BUFFER, "in[0].buffer ends before element 109",
            clf_segmented_sort(rows, CLF_ON(q), 10, 11, &a, &b));
    REFUSES(&r.told, OVERFLOW, "count * size does not fit 64 bits",
            clf_segmented_sort(rows, CLF_ON(q), (cl_ulong)1 << 60, 16, &a, &b));
    REFUSES(&r.told, ALIAS, "out[0] overlaps in[0]", clf_segmented_sort(rows, CLF_ON(q), 3, 3, &a, &behind));
    REFUSES(&r.told, ARGUMENT, "in[0].buffer is NULL", clf_segmented_sort(rows, CLF_ON(q), 3, 3, &none, &b));
    REFUSES(&r.told, ARGUMENT, "a sort has no initial value", clf_segmented_sort(rows, &call, 3, 3, &a, &b));
    REFUSES(&r.told, ARGUMENT, "count is 0, and n is not", clf_irregular_sort(segments, CLF_ON(q), 9, 0, &o, &a, &b));
    REFUSES(&r.told, BUFFER, "segments.buffer ends before element 5",
            clf_irregular_sort(segments, CLF_ON(q), 9, 5, &o, &a, &b));
    REFUSES(&r.told, ARGUMENT, "segments is NULL", clf_irregular_sort(segments, CLF_ON(q), 9, 4, NULL, &a, &b));
    REFUSES(&r.told, ALIAS, "segments overlaps out[0]", clf_irregular_sort(segments, CLF_ON(q), 9, 4, &b, &a, &b));
    assert_status(clf_segmented_sort(whole, CLF_ON(q), 3, 3, &a, &b), CLF_E_ARGUMENT);
    assert_status(clf_irregular_sort(rows, CLF_ON(q), 9, 4, &o, &a, &b), CLF_E_ARGUMENT);
    assert_status(clf_sort(rows, CLF_ON(q), 9, &a, &b), CLF_E_ARGUMENT);
    ck_assert_uint_eq(layer_commands(), before);
    refused_close(&r);
}

RIG_SUITE(segmented_sort, random_cases, {scratch_for_any_long_rows, 2}, {scratch_of_small_tiles, 3},
          {every_type_of_key, CLF_TYPE_COUNT}, {rows_around_boundaries, ROUTES}, {rows_of_every_size, SMALL},
          {rows_of_one_value_each, ROUTES - FIRST_LIMITED}, {segments_of_any_lengths, ROUTES},
          {every_way_of_telling, 6}, {usual_tiles, 4}, {lengths_of_rows, 4}, {sizes_on_the_device, SMALL},
          {refused_sorts, 1})
