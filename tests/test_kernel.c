/* SPDX-License-Identifier: MIT */
/*
 * Every kernel once or twice on little data, so that the suite can be run under an interpreter that watches
 * each memory access (tests/oclgrind.sh). The sizes give full tiles, a partial tile and a tile of one
 * element. Half of the buffers are tight: they end where their arrays do, so that it sees what is read behind them.
 */
#include "cases.h"
#include "reduce_case.h"
#include "scan_case.h"

static const char small[] = "items=4,group=32";

/* Of the operators of test number `test`, one of `of` is left out: compiling is what takes time, and each variant meets
 * all of them in a suite of its own. */
static bool left_out(size_t operator, int test, size_t of)
{
    return !rig_full() && (operator+(size_t) test) % of == 0;
}

/* To a variant that the library has, by these parameters of kernels for CPUs or those for GPUs. */
static route route_to(const char *primitive, int variant, const char *on_cpus, const char *on_gpus)
{
    const way w = way_to(primitive, (size_t)variant);
    return (route){w.disable, w.variant, w.disable ? on_gpus : on_cpus};
}

static int variants_of(const char *primitive)
{
    return (int)variant_count(primitive);
}

static void run_way(const way *asked, int which, bool exclusive)
{
    static const size_t sizes[] = {1, 127, 128, 129, 400, 1025};
    const ref_operator *op = ref_user(which);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        scan_case test = {.plan = {op, exclusive, asked->disable, asked->variant, small},
                          .n = sizes[i], .offset = i, .aligned = i / 2 == 1, .tight = i % 2, .initial = i % 2,
                          .in_place = i == 4, .scratch = i == 3 ? SCRATCH_OWN : SCRATCH_POOL, .seed = the_rig()->seed,
                          .suite = "kernel",
                          .number = -1};
        scan_case_run(test);
    }
}

TEST(every_way_on_little_data)
{
    static const int wide[] = {REF_MATRIX, REF_MIXED, REF_SELECT}, arrays[] = {REF_GRID, REF_BUNDLE};
    run_way(&ways[_i], REF_INT_SUM, false);
    run_way(&ways[_i], _i % 4 == 3 ? arrays[_i / 4 % 2] : wide[_i % 4], true);
}

/* 66 tiles: added up by groups, as many as these may be, by the spine of more, where some work-items have several. */
TEST(spines_of_many_tiles)
{
    static const char *const many[] = {"items=1,group=32", "items=1,group=32", "items=1,group=32,partials=66",
                                       "items=1,group=32,partials=9"};
    scan_case test = {.plan = {ref_user(REF_MATRIX), _i == 1, "cpu", _i == 1 ? "propagate" : "two_pass", many[_i]},
                      .n = 2100, .initial = true, .tight = true, .seed = the_rig()->seed, .suite = "kernel",
                      .number = -1};
    ck_assert(scan_case_run(test));
}

/* Segments shorter than a vector, a few to a tile, as long as a tile, and longer than some. */
TEST(segments_on_little_data)
{
    static const size_t sizes[] = {3, 50, 128, 300};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        const bool wide = (i + (size_t)_i) % 2;
        scan_case test = {.plan = {ref_user(!wide ? REF_INT_SUM : _i % 2 ? REF_GRID : REF_MATRIX), i % 2,
                                   ways[_i].disable, ways[_i].variant, small},
                          .n = 700 / sizes[i] * sizes[i], .segmented = true, .size = sizes[i], .offset = i,
                          .aligned = i > 1, .tight = i / 2 % 2, .initial = wide, .in_place = i == 1,
                          .seed = the_rig()->seed, .suite = "kernel", .number = -1};
        scan_case_run(test);
    }
}

/* Apart and in place, in full tiles and in others. */
TEST(adjacent_differences_on_little_data)
{
    static const size_t shapes[][2] = {{1, 1}, {1, 300}, {1, 128}, {40, 7}, {4, 129}, {6, 64}};
    static const int operators[] = {REF_BYTES_1, REF_BYTES_4, REF_MAPPED};
    for (size_t o = 0; o < sizeof operators / sizeof operators[0]; ++o) {
        for (size_t i = 0; i < 2 * sizeof shapes / sizeof shapes[0]; ++i) {
            const size_t count = shapes[i / 2][0], size = shapes[i / 2][1];
            scan_case test = {.plan = {ref_difference(operators[o]), 0, _i ? "cpu" : NULL, _i ? "chunks" : "cpu",
                                       _i ? small : "items=64,streams=16"},
                              .n = count * size, .adjacent = true, .segmented = count > 1, .size = size,
                              .offset = i / 3, .aligned = i / 2 % 2, .tight = (i + o) % 2, .initial = i % 3 == 1,
                              .in_place = i % 2,
                              .scratch = i % 4 == 3 ? SCRATCH_OWN : SCRATCH_POOL, .seed = the_rig()->seed,
                              .suite = "kernel", .number = -1};
            scan_case_run(test);
        }
    }
}

/* In full tiles and in others; with room for all, and for few, and then in place. */
TEST(filters_on_little_data)
{
    const route r = route_to("filter", _i, "items=64,nontemporal=2", small);
    static const int filters[] = {REF_FILTER_BYTE, REF_FILTER_TUPLE, REF_FILTER_INDEX, REF_UNIQUE_RUNS,
                                  REF_PARTITION_TUPLE, REF_THREE_BYTE, REF_UNIQUE_CAPTURED, REF_FILTER_ARRAYS};
    for (size_t f = 0; f < sizeof filters / sizeof filters[0]; ++f) {
        const filter_key key = {ref_filter_of(filters[f]), r, ref_filter_of(filters[f])->parts == 1};
        clf_plan *plan = left_out(f, _i, 3) ? NULL : filter_plan(&key, false);
        for (size_t n = 1; plan && n < 500; n += 127) {
            filter_case_run(plan, (filter_case){.key = key, .n = n, .room = n, .percent = 50,
                                                 .under = {.offset = n % 5, .number = -1}});
            filter_case_run(plan, (filter_case){.key = key, .n = n, .room = n / 4, .percent = 90,
                                                 .in_place = key.in_place, .under = {.number = -1}});
        }
        clf_plan_release(plan);
    }
}

/* The same of runs. */
TEST(runs_on_little_data)
{
    const route r = route_to("reduce_by_key", _i, "items=64,nontemporal=2", small);
    static const int operators[] = {REF_BY_KEY_LENGTHS, REF_BY_KEY_SIGNS, REF_BY_KEY_TUPLE, REF_BY_KEY_MATRIX,
                                    REF_BY_KEY_CAPTURED, REF_BY_KEY_ARRAYS};
    for (size_t o = 0; o < sizeof operators / sizeof operators[0]; ++o) {
        const by_key_key key = {ref_by_key_of(operators[o]), r, o == 2, false, 0};
        clf_plan *plan = left_out(o, _i, 4) ? NULL : by_key_plan(&key, false);
        for (size_t n = 1; plan && n < 500; n += 127) {
            by_key_case_run(plan, (by_key_case){.key = key, .n = n, .room = n, .tile = 128, .percent = 30,
                                                 .under = {.offset = n % 5, .number = -1}});
            by_key_case_run(plan, (by_key_case){.key = key, .n = n, .room = n / 4, .tile = 64, .pattern = BY_KEY_ENDS,
                                                 .under = {.number = -1}});
        }
        clf_plan_release(plan);
    }
}

/* In full tiles and in others; each digit once, or one for all. */
TEST(splits_on_little_data)
{
    static const unsigned parts[] = {3, 200, 16};
    for (int s = 0; s < REF_SPLIT_COUNT; ++s) {
        const split_key key = {ref_split_of(s), parts[s % 3], route_to("split", _i, "items=64", "items=5,group=8")};
        clf_plan *plan = s % 2 == 0 || s > 4 ? split_plan(&key, false) : NULL;
        for (unsigned turn = 0; plan && turn < SPLIT_PATTERNS; ++turn)
            split_case_run(plan, (split_case){.key = key, .n = 80 + 17 * (turn % 3), .period = 40,
                                               .pattern = (split_pattern)turn,
                                               .under = {.offset = turn, .tight = turn % 2, .scratch = true,
                                                         .seed = the_rig()->seed, .number = -1}});
        clf_plan_release(plan);
    }
}

/* Merges and bounds, sorted and not: one tile, which looks for its own cuts, and many. */
TEST(merges_on_little_data)
{
    static const int orders[] = {REF_ORDER_BYTE, REF_ORDER_TUPLE, REF_ORDER_DOWN, REF_ORDER_CAPTURED, REF_ORDER_ARRAYS};
    static const size_t sizes[][2] = {{60, 41}, {0, 130}, {1000, 700}, {700, 0}, {1, 1500}};
    const merge_kind kind = (merge_kind)(_i / 2);
    for (size_t o = 0; o < sizeof orders / sizeof orders[0]; ++o) {
        const merge_key key = {.kind = kind, .order = ref_order_of(orders[o]), .upper = o == 1, .wide = o == 2,
                               .route = route_to(merge_name(kind), _i % 2, "items=64,streams=5", small),
                               .from_device = o == 1};
        clf_plan *plan = merge_plan(&key);
        for (size_t k = 0; plan && k < sizeof sizes / sizeof sizes[0]; ++k)
            merge_case_run(plan, (merge_case){.key = key, .n_first = sizes[k][0], .n_second = sizes[k][1],
                                               .actual = {sizes[k][0] / 2, sizes[k][1] + 1},
                                               .pattern = (merge_pattern)((k + o) % MERGE_PATTERNS),
                                               .under = {.offset = k % 3, .tight = k % 2 == 0, .number = -1}});
        clf_plan_release(plan);
    }
}

/* Segments of any lengths: a way of telling for every two or three ways of scanning. An element is missing from the
 * last word of bits. */
TEST(irregular_on_little_data)
{
    enum { SIZE = sizeof(clf_segmentation) };
    static const clf_segmentation hows[] = {{SIZE, CLF_BY_HEAD_BYTES, CLF_CHAR}, {SIZE, CLF_BY_KEYS, CLF_LONG},
                                            {SIZE, CLF_BY_HEAD_BITS, CLF_CHAR}, {SIZE, CLF_BY_OFFSETS, CLF_UINT},
                                            {SIZE, CLF_BY_LENGTHS, CLF_UINT}};
    static const irregular_shape shapes[] = {SHAPE_BOUNDARIES, SHAPE_EMPTY_BETWEEN, SHAPE_GIANT};
    gen random = gen_seed(the_rig()->seed, 3);
    for (int k = 0; k < 3; ++k) {
        irregular segments = irregular_make(&random, shapes[k], 511, 128);
        scan_case test = {.plan = {ref_user(k % 2 ? REF_MATRIX : REF_INT_SUM), (_i + k) % 2, ways[_i].disable,
                                   ways[_i].variant, small},
                          .n = 511, .how = &hows[(3 * k + _i) % 5], .segments = &segments, .offset = (size_t)k,
                          .aligned = k == 1, .tight = true, .initial = k == 1, .in_place = k == 0,
                          .seed = the_rig()->seed, .suite = "kernel", .number = -1};
        scan_case_run(test);
        irregular_free(&segments);
    }
}

/*
 * One way of telling for each kernel and each way of making what it is told. Two groups, so that a share has several
 * spans: only from one span to the next does a missing barrier at the end of the loop show.
 */
TEST(irregular_reductions_on_little_data)
{
    static const clf_segmentation hows[] = {
        {sizeof *hows, CLF_BY_OFFSETS, CLF_UINT}, {sizeof *hows, CLF_BY_KEYS, CLF_INT},
        {sizeof *hows, CLF_BY_HEAD_BITS, CLF_CHAR}, {sizeof *hows, CLF_BY_LENGTHS, CLF_ULONG}};
    static const irregular_shape shapes[] = {SHAPE_EMPTY_BETWEEN, SHAPE_EMPTY_MIDDLE, SHAPE_GIANT, SHAPE_BOUNDARIES};
    gen random = gen_seed(the_rig()->seed, 4);
    const route r = route_to("irregular_reduce", _i, "groups=2,streams=3", "items=4,group=32,groups=2");
    for (size_t k = 0; k < 4; ++k) {
        irregular segments = irregular_make(&random, shapes[(k + (size_t)_i) % 4], 600, 96);
        reduce_case test = {.plan = {.op = ref_user(k == 0 ? REF_GRID : k == 1 ? REF_MATRIX : REF_SELECT),
                                     .disable = r.disable, .variant = r.variant, .parameters = r.parameters,
                                     .how = &hows[k]},
                            .segments = &segments, .count = segments.count, .offset = k, .tight = true,
                            .initial = k % 2, .in_place = k == 2, .seed = the_rig()->seed,
                            .suite = "kernel", .number = -1};
        reduce_case_run(test);
        irregular_free(&segments);
    }
}

/* Elements of bytes, of words, and of neither; shapes smaller than a tile, larger, and many. */
TEST(matrices_on_little_data)
{
    static const size_t sizes[] = {1, 2, 4, 6, 16};
    static const size_t shapes[][3] = {{2, 28, 36}, {1, 35, 20}, {2, 9, 70}, {3, 70, 3}, {2, 4, 204}, {30, 4, 3}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; ++s) {
        const transpose_key key = {sizes[s], route_to("transpose", _i, "items=64", "group=32,items=16,rows=16")};
        clf_plan *plan = transpose_plan(&key);
        for (size_t i = 0; plan && i < sizeof shapes / sizeof shapes[0]; ++i) {
            const transpose_case test = {.key = key, .batch = shapes[i][0], .rows = shapes[i][1],
                                         .columns = shapes[i][2], .in_offset = i, .out_offset = i * s, .number = -1};
            transpose_case_run(plan, test);
        }
        clf_plan_release(plan);
    }
}

/* Buffers of nothing but the matrices: no word that juts out of the last one is read. */
TEST(matrices_that_fill_their_buffers)
{
    static const size_t shapes[][2] = {{5, 7}, {7, 5}, {3, 71}, {33, 31}};
    const size_t bytes = (size_t)_i / 2 + 1;
    unsigned char in[33 * 31 * 2], got[33 * 31 * 2], expected[33 * 31 * 2];
    const transpose_key key = {bytes, {"cpu", _i % 2 ? "thin" : "tile", "group=32,items=16,rows=16"}};
    clf_plan *plan = transpose_plan(&key);
    for (size_t i = 0; i < sizeof in; ++i)
        in[i] = (unsigned char)(i * 7 + i / 250);
    for (size_t i = 0; plan && i < sizeof shapes / sizeof shapes[0]; ++i) {
        const size_t rows = shapes[i][0], columns = shapes[i][1], size = rows * columns * bytes;
        const clf_array from = {rig_buffer(size, in), 0}, to = {rig_buffer(size, NULL), 0};
        assert_ok(clf_transpose(plan, CLF_ON(the_rig()->queue), 1, rows, columns, &from, &to));
        rig_read(the_rig()->queue, to.buffer, size, got);
        ref_transpose(bytes, 1, rows, columns, in, expected);
        ck_assert_mem_eq(got, expected, size);
        rig_release(from, to);
    }
    clf_plan_release(plan);
}

/* Outputs staged in rounds. */
TEST(rounds_on_little_data)
{
    static const char *const variants[] = {"two_pass", "serial"};
    static const size_t sizes[] = {1, 127, 128, 300};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        const plan_key key = {ref_join(_i ? REF_MARKS : REF_STREAKS), _i, "cpu", variants[_i],
                              "items=4,group=32,rounds=4"};
        const scan_case test = {.plan = key, .n = sizes[i], .offset = i, .tight = i % 2 == 0,
                                .in_place = i % 2, .seed = the_rig()->seed, .suite = "kernel", .number = -1};
        scan_case_run(test);
    }
}

/* Segments of nothing, short ones, some that fit a stretch, and longer ones, which go to several groups. */
TEST(reductions_on_little_data)
{
    static const size_t shapes[][2] = {{2, 0}, {70, 1}, {40, 5}, {5, 100}, {3, 129}, {1, 700}};
    static const int operators[] = {REF_INT_SUM, REF_MATRIX, REF_SELECT, REF_GRID};
    const route r = route_to("reduce", _i, "items=16", "group=32,items=4,groups=4");
    for (size_t o = 0; o < sizeof operators / sizeof operators[0]; ++o) {
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; ++i) {
            if (left_out(o, _i, 3))
                continue;
            reduce_case test = {.plan = {ref_user(operators[o]), o % 2 == 0, r.disable, r.variant,
                                         r.parameters, NULL},
                                .count = shapes[i][0], .size = shapes[i][1], .offset = i, .tight = (i + o) % 2,
                                .initial = i % 2, .in_place = i == 3, .seed = the_rig()->seed, .number = -1};
            reduce_case_run(test);
        }
    }
}

/* Elements of 1 and 2 bytes: segments that fit a vector, and others, in arrays that are aligned and that are not. */
TEST(small_elements_on_little_data)
{
    static const size_t shapes[][2] = {{130, 2}, {70, 3}, {33, 8}, {9, 31}, {6, 100}};
    for (size_t i = 0; i < 2 * sizeof shapes / sizeof shapes[0]; ++i) {
        reduce_case test = {
            .plan = {ref_builtin(CLF_SUM, _i ? CLF_USHORT : CLF_CHAR), true, "cpu", "small", "group=32,items=16", NULL},
            .count = shapes[i / 2][0], .size = shapes[i / 2][1], .aligned = i % 2, .tight = i % 4 > 1,
            .initial = i % 4 == 1, .seed = the_rig()->seed, .suite = "kernel",
            .number = -1};
        reduce_case_run(test);
    }
}

/* In full tiles and in others; indices that name nothing. Scatters by indices that occur once: else they are races. */
TEST(gathers_on_little_data)
{
    for (int kind = 0; kind < 4; ++kind) {
        for (int moved = 0; moved < REF_MOVED_COUNT; ++moved) {
            const gather_key key = {ref_moved_of(moved), kind % 2 != 0, kind / 2 != 0,
                                    route_to(kind % 2 ? "scatter" : "gather", _i, "items=64", small)};
            clf_plan *plan = moved % 4 == kind || rig_full() ? gather_plan(&key, false) : NULL;
            for (unsigned turn = 0; plan && turn < (key.scatter ? GATHER_RANDOM : GATHER_PATTERNS); ++turn)
                gather_case_run(plan, (gather_case){.key = key, .n = 140, .m = 100 + 40 * (turn % 3),
                                                     .pattern = (gather_pattern)turn,
                                                     .under = {.offset = turn, .tight = turn % 2,
                                                               .seed = the_rig()->seed, .number = -1}});
            clf_plan_release(plan);
        }
    }
}

Suite *kernel_suite(void)
{
    TCase *tests;
    Suite *suite = rig_suite("kernel", &tests);
    rig_add(tests, (const rig_test[]){{every_way_on_little_data, WAY_COUNT}, {spines_of_many_tiles, 4},
            {segments_on_little_data, WAY_COUNT}, {adjacent_differences_on_little_data, 2},
            {filters_on_little_data, variants_of("filter")}, {irregular_on_little_data, WAY_COUNT}, {NULL, 0}});
    add_captured_tests(tests);
    rig_add(tests, (const rig_test[]){{matrices_on_little_data, variants_of("transpose")},
            {matrices_that_fill_their_buffers, 4}, {rounds_on_little_data, 2},
            {irregular_reductions_on_little_data, variants_of("irregular_reduce")},
            {reductions_on_little_data, variants_of("reduce")}, {small_elements_on_little_data, 2}, {NULL, 0}});
    /* The last: where larger scratch came before, Oclgrind 21.10 took what kernels had written for unwritten. */
    rig_add(tests, (const rig_test[]){{runs_on_little_data, variants_of("reduce_by_key")},
            {gathers_on_little_data, variants_of("gather")}, {splits_on_little_data, variants_of("split")}, {NULL, 0}});
    add_index_kernel_tests(tests);
    add_numbers_kernel_tests(tests);
    add_place_kernel_tests(tests);
    add_finish_kernel_tests(tests);
    add_wanted_kernel_tests(tests);
    add_wanted_bins_tests(tests);
    add_join_kernel_tests(tests);
#define ADD(name) add_##name##_kernel_tests(tests);
    TEST_PRIMITIVES(ADD)
#undef ADD
    tcase_add_loop_test(tests, merges_on_little_data, 0, variants_of("merge") * MERGE_KINDS);
    add_sort_kernel_tests(tests);
    return suite;
}
