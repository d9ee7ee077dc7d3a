/* SPDX-License-Identifier: MIT */
/*
 * Scans from the right (CLF_REVERSE) against the reference: every way, of one array and of rows, by operators that do
 * not commute, look at the index, and write extra outputs; built-ins; sizes that the device knows; segments of any
 * lengths. Others refuse it.
 */
#include "primitives.h"
#include "scan_case.h"

#include <string.h>

static void run_case(const plan_key *key, size_t n, size_t size, size_t turn)
{
    const scan_case test = {.plan = *key, .n = n, .segmented = size > 0, .size = size, .offset = turn % 5,
                            .aligned = turn % 4 == 1, .initial = turn % 3 == 2, .in_place = turn % 4 == 3,
                            .scratch = (scratch_kind)(turn % 3), .unordered = turn % 7 == 1,
                            .seed = the_rig()->seed + turn, .suite = "reverse", .number = -1};
    scan_case_run(test);
}

/* One array, and rows, around what kernels distinguish. */
static void run_sizes(const plan_key *key)
{
    const clf_plan *plan = rig_plan(key);
    if (!plan)
        return;
    const size_t group = plan_group(plan), tile = plan_tile(plan);
    const size_t sizes[] = {1, 2, 3, 17, group, group + 1, 257, tile - 1, tile, tile + 1, 2 * tile, 3 * tile + 7};
    run_case(key, 0, 0, 0);
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        run_case(key, sizes[i], 0, i);
        run_case(key, 9 * tile + sizes[i], 0, i + 1);
        run_case(key, ((3 * tile + 100) / sizes[i] + 1) * sizes[i], sizes[i], i + i / 4);
    }
}

static const char *parameters_for(const way *w)
{
    return way_is_for_cpus(w) ? "items=500" : "items=4,group=64";
}

TEST(operators_of_users)
{
    static const int operators[] = {REF_MATRIX, REF_MIXED, REF_SELECT, REF_LSSP, REF_MODULAR, REF_INT_SUM};
    const way *const w = &ways[_i];
    for (size_t o = 0; o < COUNT(operators); ++o)
        if (rig_full() || o == 0 || o == (size_t)_i % 5 + 1)
            run_sizes(&(plan_key){ref_user(operators[o]), CLF_REVERSE | ((o + (size_t)_i) % 2 ? CLF_EXCLUSIVE : 0),
                                  w->disable, w->variant, parameters_for(w)});
}

/* On CPUs these have vectors, which do not go backwards; of no elements minima are infinite. */
TEST(builtins)
{
    static const struct {
        clf_op op;
        clf_type type;
    } list[] = {{CLF_SUM, CLF_FLOAT}, {CLF_MIN, CLF_FLOAT}, {CLF_SUM, CLF_UCHAR}, {CLF_MAX, CLF_LONG}};
    for (unsigned exclusive = 0; exclusive < 2; ++exclusive)
        for (int d = 0; d < 2; ++d)
            run_sizes(&(plan_key){ref_builtin(list[_i].op, list[_i].type), CLF_REVERSE | exclusive, d ? "cpu" : NULL,
                                  NULL, d ? "items=4,group=64" : exclusive ? "items=500,streams=32" : "items=500"});
}

/* The last of them is scanned first. */
TEST(sizes_on_the_device)
{
    static const size_t actual[] = {0, 1, 255, 257, 2999, 3000, 4000};
    const way *const w = &ways[_i];
    for (size_t i = 0; i < COUNT(actual); ++i) {
        const size_t size = i % 2 ? 100 : 0;
        const scan_case test = {.plan = {ref_user(REF_MATRIX), CLF_REVERSE | CLF_FROM_DEVICE, w->disable, w->variant,
                                         parameters_for(w)},
                                .n = 3000, .segmented = size > 0, .size = size, .offset = i, .initial = true,
                                .given = {.size = true, .initial = i % 3 == 0,
                                          .actual = actual[i] / (size ? size : 1)},
                                .seed = the_rig()->seed + i, .suite = "reverse", .number = -1};
        scan_case_run(test);
    }
}

/* Irregular segments, in every way of telling. */
static const clf_segmentation hows[] = {
    {sizeof *hows, CLF_BY_HEAD_BYTES, CLF_CHAR}, {sizeof *hows, CLF_BY_HEAD_BITS, CLF_CHAR},
    {sizeof *hows, CLF_BY_OFFSETS, CLF_UINT}, {sizeof *hows, CLF_BY_LENGTHS, CLF_ULONG},
    {sizeof *hows, CLF_BY_KEYS, CLF_INT}};

static void run_segments(const plan_key *key, size_t n, size_t tile, size_t turn)
{
    const irregular_shape shape = (irregular_shape)(turn % SHAPE_COUNT);
    gen random = gen_seed(the_rig()->seed + n, turn);
    irregular segments = irregular_make(&random, shape, n, tile);
    const scan_case test = {.plan = *key, .n = n, .how = &hows[turn % COUNT(hows)], .segments = &segments,
                            .offset = turn % 5, .aligned = turn % 4 == 1, .initial = turn % 3 == 2,
                            .in_place = turn % 4 == 3, .scratch = (scratch_kind)(turn % 3),
                            .given = {.size = key->flags & CLF_FROM_DEVICE, .actual = gen_below(&random, n + 1)},
                            .seed = the_rig()->seed + turn, .suite = "reverse", .number = -1};
    scan_case_run(test);
    irregular_free(&segments);
}

TEST(segments)
{
    static const int operators[] = {REF_MATRIX, REF_MIXED, REF_SELECT, REF_INT_SUM};
    const way *const w = &ways[_i];
    for (size_t o = 0; o < COUNT(operators); ++o) {
        const plan_key key = {ref_user(operators[o]),
                              CLF_REVERSE | ((o + (size_t)_i) % 2 ? CLF_EXCLUSIVE : 0u) |
                                  (o == 1 ? CLF_FROM_DEVICE : 0u),
                              w->disable, w->variant, parameters_for(w)};
        const size_t first = (o + (size_t)_i) % COUNT(hows);
        if (!rig_full() && o > 1 && o != 2 + (size_t)_i % 2)
            continue;
        const clf_plan *const plan = rig_plan_of("irregular_scan", &key, &hows[first]);
        const size_t tile = plan ? plan_tile(plan) : 0;
        const size_t sizes[] = {0, 1, 31, 32, 33, 64, 257, tile - 1, tile, tile + 1, 2 * tile, 3 * tile + 17};
        for (size_t k = 0; plan && k < COUNT(sizes); ++k)
            run_segments(&key, sizes[k], tile, k * COUNT(hows) + first + k / 5);
    }
}

TEST(others_refuse_it)
{
    for (size_t i = 0; i < primitive_count(); ++i) {
        const char *const name = primitive_number(i)->name;
        plan_parts parts = primitive_usual(name);
        clf_error error = {.size = sizeof error};
        clf_plan *plan = NULL;
        parts.flags |= CLF_REVERSE;
        if (primitive_known(name)->flags & CLF_REVERSE || strcmp(name, "transpose") == 0)
            continue; /* a transposition has no flags */
        assert_status(primitive_plan(name, rig_context(NULL), &parts, NULL, &plan, &error), CLF_E_ARGUMENT);
        ck_assert_msg(strstr(error.message, "unknown flags 0x2000"), "%s: %s", name, error.message);
    }
}

RIG_SUITE(reverse, NULL, {operators_of_users, WAY_COUNT}, {builtins, 4}, {sizes_on_the_device, WAY_COUNT},
          {segments, WAY_COUNT}, {others_refuse_it, 1})
