/* SPDX-License-Identifier: MIT */
/*
 * Every kernel once or twice on little data, so that the suite can be run under an interpreter that watches
 * each memory access (tests/oclgrind.sh). The sizes give full tiles, a partial tile and a tile of one
 * element.
 */
#include "scan_case.h"

static const char small[] = "items=4,group=32";

static void run_way(const way *asked, int which)
{
    static const size_t sizes[] = {1, 127, 128, 129, 400, 1025};
    const ref_operator *op = ref_user(which);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        scan_case test = {.plan = {op, which == REF_MATRIX, asked->disable, asked->variant, small},
                          .n = sizes[i],
                          .offset = i,
                          .initial = i % 2,
                          .in_place = i == 4,
                          .scratch = i == 3 ? SCRATCH_OWN : SCRATCH_POOL,
                          .seed = the_rig()->seed,
                          .suite = "kernel",
                          .number = -1};
        scan_case_run(&test);
    }
}

START_TEST(every_way_on_little_data)
{
    static const int operators[] = {REF_INT_SUM, REF_MATRIX, REF_MIXED, REF_SELECT};
    for (size_t o = 0; o < sizeof operators / sizeof operators[0]; o++)
        run_way(&ways[_i], operators[o]);
}
END_TEST

/* Segments shorter than a vector, a few to a tile, as long as a tile, and longer than some. */
START_TEST(segments_on_little_data)
{
    static const size_t sizes[] = {3, 50, 128, 300};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int op = REF_INT_SUM; op <= REF_MATRIX; op++) {
            scan_case test = {.plan = {ref_user(op), i % 2, ways[_i].disable, ways[_i].variant, small},
                              .n = 700 / sizes[i] * sizes[i], .segmented = true, .size = sizes[i], .offset = i,
                              .initial = op == REF_MATRIX, .in_place = i == 1, .seed = the_rig()->seed,
                              .suite = "kernel", .number = -1};
            scan_case_run(&test);
        }
    }
}
END_TEST

Suite *kernel_suite(void)
{
    TCase *tests;
    Suite *suite = rig_suite("kernel", &tests);
    tcase_add_loop_test(tests, every_way_on_little_data, 0, WAY_COUNT);
    tcase_add_loop_test(tests, segments_on_little_data, 0, WAY_COUNT);
    add_captured_tests(tests);
    return suite;
}
