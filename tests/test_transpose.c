/* SPDX-License-Identifier: MIT */
/*
 * Transpositions against the reference: every size of element, every variant, shapes around everything that the
 * kernels distinguish (word, line, side of a tile, what a group holds), offsets that no alignment survives; and what
 * bad arguments do.
 */
#include "cases.h"

#include <string.h>

/* As CPU and as GPU-shaped kernels; small tiles, so that small matrices have many. */
static const route trials[] = {
    {NULL, NULL, "items=256"},
    {"cpu", "tile", "group=32,across=8,down=8,stripe=2"},
    {"cpu", "packed", "group=32,items=32,rows=16"},
    {"cpu", "thin", "group=32,items=8"},
    {"cpu", "small", "group=32,items=8"},
};

enum { PACKED = 2, THIN, SMALL };

static transpose_key key_of(size_t trial, size_t bytes)
{
    return (transpose_key){bytes, trials[trial]};
}

/* Does it; says whether it could be done. */
static bool run_shape(clf_plan *plan, const transpose_key *key, size_t batch, size_t rows, size_t columns)
{
    const transpose_case test = {.key = *key, .batch = batch, .rows = rows, .columns = columns,
                                 .in_offset = (rows + columns) % 5, .out_offset = (rows + batch) % 7, .number = -1};
    return transpose_case_run(plan, test);
}

static bool run_aligned(clf_plan *plan, const transpose_key *key, size_t batch, size_t rows, size_t columns)
{
    const transpose_case test = {.key = *key, .batch = batch, .rows = rows, .columns = columns, .number = -1};
    return transpose_case_run(plan, test);
}

/* ---- Shapes ----------------------------------------------------------------------------------------- */

static void run_shapes(const transpose_key *key)
{
    static const size_t sizes[] = {1, 2, 3, 4, 7, 15, 16, 17, 31, 32, 33, 47, 64, 65, 130};
    clf_plan *plan = transpose_plan(key);
    unsigned done = 0;
    if (!plan)
        return;
    for (size_t r = 0; r < COUNT(sizes); ++r)
        for (size_t c = 0; c < COUNT(sizes); ++c)
            if (rig_full() || (r + c + key->bytes) % 2 == 0)
                done += run_shape(plan, key, 1 + (r + c) % 3, sizes[r], sizes[c]);
    done += run_aligned(plan, key, 2, 20, 100);
    done += run_aligned(plan, key, 1, 132, 68);
    done += run_aligned(plan, key, 3, 4, 1000);
    done += run_aligned(plan, key, 1, 1004, 8);
    ck_assert_uint_gt(done, 0);
    if (strcmp(key->route.variant ? key->route.variant : "", "packed") == 0) {
        clf_plan_release(plan);
        return;
    }
    done = run_shape(plan, key, 100, 5, 3);
    done += run_shape(plan, key, 3, 700, 2);
    done += run_shape(plan, key, 3, 2, 700);
    ck_assert_uint_gt(done, 0);
    clf_plan_release(plan);
}

TEST(shapes_of_a_size)
{
    for (size_t t = 0; t < COUNT(trials); ++t) {
        const transpose_key key = key_of(t, (size_t)_i + 1);
        if (_i < 2 || t != PACKED)
            run_shapes(&key);
    }
}

/* With the tiles that are really used, around their sides. */
TEST(usual_tiles)
{
    static const size_t elements[] = {1, 2, 4, 8, 12}, sizes[] = {63, 64, 65, 127, 129, 256};
    const transpose_key key = {elements[_i / 2], {.disable = _i % 2 ? "cpu" : NULL}};
    clf_plan *plan = transpose_plan(&key);
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        ck_assert(run_shape(plan, &key, 2, sizes[i], sizes[COUNT(sizes) - 1 - i]));
        ck_assert(run_shape(plan, &key, 1, sizes[i], 5));
        ck_assert(run_shape(plan, &key, 1, 5, sizes[i]));
        ck_assert(run_shape(plan, &key, 40, 6, 1 + i));
        ck_assert(run_aligned(plan, &key, 1, sizes[i] / 4 * 4, 260));
    }
    clf_plan_release(plan);
}

/* Groups and tiles of no power of two, and tiny ones: a plan is refused or right. */
TEST(odd_groups)
{
    static const char *const parameters[] = {"group=2,rows=1", "group=8,items=1", "group=48,items=5",
                                             "group=100,items=5"};
    const transpose_key key = {(size_t)_i / 4 + 1, {"cpu", NULL, parameters[_i % 4]}};
    clf_plan *plan = transpose_plan(&key);
    if (!plan)
        return;
    ck_assert(run_shape(plan, &key, 1, 4, 7) && run_shape(plan, &key, 2, 30, 41));
    ck_assert(run_aligned(plan, &key, 1, 4, 564) && run_aligned(plan, &key, 1, 564, 8));
    ck_assert(run_aligned(plan, &key, 2, 60, 132));
    clf_plan_release(plan);
}

TEST(nothing_and_vectors)
{
    static const size_t thin[][3] = {{0, 5, 7}, {5, 0, 7}, {5, 7, 0}, {1, 1, 1}, {3, 1, 30001}, {7, 10007, 1}};
    const transpose_key key = {4, {.disable = _i ? "cpu" : NULL}};
    clf_plan *plan = transpose_plan(&key);
    for (size_t i = 0; i < COUNT(thin); ++i)
        ck_assert(run_shape(plan, &key, thin[i][0], thin[i][1], thin[i][2]));
    clf_plan_release(plan);
}

/* ---- Choice ----------------------------------------------------------------------------------------- */

static void assert_choice(const clf_plan *plan, size_t batch, size_t rows, size_t columns, const char *expected)
{
    const char *chosen = clf_transpose_variant(plan, batch, rows, columns);
    ck_assert_msg(chosen && strcmp(chosen, expected) == 0, "[%zu][%zu][%zu]: %s, not %s", batch, rows, columns,
                  chosen ? chosen : "nothing", expected);
}

TEST(variants_by_shape)
{
    transpose_key key = {4, {.disable = "cpu"}};
    clf_plan *plan = transpose_plan(&key);
    assert_choice(plan, 1, 4096, 4096, "tile");
    assert_choice(plan, 1, 4096, 3, "thin");
    assert_choice(plan, 5, 3, 100000, "thin");
    assert_choice(plan, 1000, 8, 8, "small");
    assert_choice(plan, 1000, 1, 8, "copy");
    assert_choice(plan, 1, 100000, 1, "copy");
    clf_plan_release(plan);
    key.bytes = 2;
    plan = transpose_plan(&key);
    assert_choice(plan, 1, 1000, 1000, "packed");
    assert_choice(plan, 1, 1000, 1001, "tile");
    clf_plan_release(plan);
    ck_assert_ptr_null(clf_transpose_variant(NULL, 1, 1, 1));
}

/* A variant that is asked for says so when it cannot do a shape. */
TEST(shapes_that_do_not_fit)
{
    const transpose_key thin = key_of(THIN, 4), small = key_of(SMALL, 4);
    transpose_key packed = key_of(PACKED, 1);
    clf_plan *plan = transpose_plan(&thin);
    ck_assert(!run_shape(plan, &thin, 1, 257, 257));
    ck_assert(run_shape(plan, &thin, 1, 256, 257));
    clf_plan_release(plan);
    plan = transpose_plan(&small);
    ck_assert(!run_shape(plan, &small, 1, 2, 129));
    ck_assert(run_shape(plan, &small, 1, 2, 128));
    clf_plan_release(plan);
    plan = transpose_plan(&packed);
    ck_assert(!run_shape(plan, &packed, 1, 20, 30));
    ck_assert(run_aligned(plan, &packed, 1, 20, 32));
    ck_assert(!run_shape(plan, &packed, 1, 20, 32));
    clf_plan_release(plan);
    packed.bytes = 12;
    plan = transpose_plan(&packed);
    ck_assert(!run_aligned(plan, &packed, 1, 20, 32));
    clf_plan_release(plan);
}

/* ---- Arguments -------------------------------------------------------------------------------------- */

static clf_status attempt(clf_plan *plan, cl_ulong batch, cl_ulong rows, cl_ulong columns, clf_array in, clf_array out)
{
    return clf_transpose(plan, CLF_ON(the_rig()->queue), batch, rows, columns, &in, &out);
}

TEST(bad_arguments)
{
    const transpose_key key = {4, {.disable = _i ? "cpu" : NULL}};
    clf_plan *plan = transpose_plan(&key);
    cl_mem buffer = rig_buffer(4096, NULL), other = rig_buffer(4096, NULL);
    const clf_array in = {buffer, 0}, out = {other, 0};
    const cl_ulong large = (cl_ulong)1 << 33;
    assert_status(attempt(NULL, 1, 2, 2, in, out), CLF_E_ARGUMENT);
    assert_status(attempt(plan, 1, 2, 2, in, (clf_array){NULL, 0}), CLF_E_ARGUMENT);
    assert_status(attempt(plan, 1, large, large, in, out), CLF_E_OVERFLOW);
    assert_status(attempt(plan, large, large, 1, in, out), CLF_E_OVERFLOW);
    assert_status(attempt(plan, 1, 32, 33, in, out), CLF_E_BUFFER);
    assert_status(attempt(plan, 1, 32, 32, in, (clf_array){other, 1}), CLF_E_BUFFER);
    assert_status(attempt(plan, 1, 4, 4, in, in), CLF_E_ALIAS);
    assert_status(attempt(plan, 1, 4, 4, in, (clf_array){buffer, 15}), CLF_E_ALIAS);
    assert_status(attempt(plan, 1, 1, 16, in, (clf_array){buffer, 15}), CLF_E_ALIAS);
    assert_ok(attempt(plan, 1, 4, 4, in, (clf_array){buffer, 16}));
    assert_ok(attempt(plan, 4, 1, 16, in, in));
    assert_ok(attempt(plan, 0, 4, 4, in, in));
    assert_ok(attempt(plan, 0, large, large, in, out));
    assert_ok(attempt(plan, large, 0, large, in, out));
    assert_status(clf_scan(plan, CLF_ON(the_rig()->queue), 4, &in, &out), CLF_E_ARGUMENT);
    assert_ok(clFinish(the_rig()->queue));
    rig_release_buffers(buffer, other);
    clf_plan_release(plan);
}

TEST(bad_plans)
{
    clf_context *context = rig_context(NULL);
    clf_plan *plan = NULL;
    clf_plan_options options = {.size = sizeof options, .variant = "window"};
    clf_error error = {.size = sizeof error};
    assert_status(clf_transpose_plan(context, 0, NULL, &plan, NULL), CLF_E_ARGUMENT);
    assert_status(clf_transpose_plan(context, 17, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.message, "17"));
    assert_status(clf_transpose_plan(context, 4, NULL, NULL, NULL), CLF_E_ARGUMENT);
    assert_status(clf_transpose_plan(NULL, 4, NULL, &plan, NULL), CLF_E_ARGUMENT);
    assert_status(clf_transpose_plan(context, 4, &options, &plan, NULL), CLF_E_ARGUMENT);
    options = (clf_plan_options){.size = sizeof options, .variant = "tile", .parameters = "group=1"};
    assert_status(clf_transpose_plan(context, 16, &options, &plan, NULL), CLF_E_PARAMETER);
    options = (clf_plan_options){.size = sizeof options, .variant = "cpu", .parameters = "items=1048576"};
    assert_status(clf_transpose_plan(context, 16, &options, &plan, &error), CLF_E_PARAMETER);
    ck_assert_ptr_nonnull(strstr(error.message, "local memory"));
    clf_context *const plain = rig_context("cpu,ptx,subgroups"); /* groups of any size */
    options = (clf_plan_options){.size = sizeof options, .variant = "tile", .parameters = "group=2"};
    assert_status(clf_transpose_plan(plain, 1, &options, &plan, &error), CLF_E_PARAMETER);
    ck_assert_ptr_nonnull(strstr(error.message, "too small"));
    options = (clf_plan_options){.size = sizeof options, .variant = "packed", .parameters = "group=8,items=1"};
    assert_status(clf_transpose_plan(plain, 1, &options, &plan, &error), CLF_E_PARAMETER);
    ck_assert_ptr_null(plan);
}

/* ---- Random cases ----------------------------------------------------------------------------------- */

static transpose_key random_key(gen *random)
{
    static const char *const parameters[] = {"group=64,items=6,rows=12,across=16,down=8",
                                             "group=32,items=20,rows=20,stripe=3,across=8,down=4",
                                             "group=64,items=16"};
    static const char *const variants[] = {"tile", "thin", "small", NULL};
    const size_t bytes = (size_t)gen_between(random, 1, 16);
    if (gen_chance(random, 30))
        return (transpose_key){bytes, {.parameters = gen_chance(random, 50) ? "items=64,nontemporal=2" : NULL}};
    return (transpose_key){bytes, {"cpu", variants[gen_below(random, COUNT(variants))],
                                   parameters[gen_below(random, COUNT(parameters))]}};
}

static transpose_case random_case(const transpose_key *key, gen *random, long number)
{
    transpose_case test = {.key = *key, .number = number, .unordered = gen_chance(random, 30)};
    test.rows = gen_size(random, 16, 300);
    test.columns = gen_size(random, 16, 60000 / (test.rows + 1) < 300 ? 60000 / (test.rows + 1) : 300);
    test.batch = (size_t)gen_below(random, 20000 / (test.rows * test.columns + 1) + 2);
    if (test.batch > 200)
        test.batch = 200;
    test.in_offset = (size_t)gen_below(random, 40);
    test.out_offset = (size_t)gen_below(random, 40);
    return test;
}

static transpose_key menu[10];

static void run_random(size_t which, clf_plan *plan, gen *own, long number)
{
    transpose_case_run(plan, random_case(&menu[which], own, number));
}

static clf_plan *draw(size_t i, gen *random)
{
    menu[i] = random_key(random);
    return transpose_plan(&menu[i]);
}

TEST(random_cases)
{
    route_run_random(COUNT(menu), 7000, 300, draw, run_random);
}

RIG_SUITE(transpose, random_cases, {shapes_of_a_size, 16}, {usual_tiles, 10}, {odd_groups, 16},
          {nothing_and_vectors, 2}, {variants_by_shape, 1}, {shapes_that_do_not_fit, 1}, {bad_arguments, 2},
          {bad_plans, 1})
