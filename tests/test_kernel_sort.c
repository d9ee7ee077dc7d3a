/* SPDX-License-Identifier: MIT */
/* Sorts and top-k in suite `kernel`: little data, for Oclgrind. */
#include "cases.h"

/* How the cases of a turn lie in memory. */
#define LITTLE(turn) \
    .place = (guarded_place)(turn), .suite = "kernel", \
    .under = {.offset = (turn), .tight = (turn) % 2, .scratch = SCRATCH_OWN, .number = -1}

/* In all passes, in one, with which all is copied back, and in none. */
TEST(sorts_on_little_data)
{
    static const int sorts[] = {CLF_SHORT, REF_SORT_VECTORS, REF_SORT_PAIR, REF_SORT_ORDER, REF_SORT_INDIRECT,
                                REF_SORT_HALVES, REF_SORT_ULONG2};
    static const route routes[] = {{NULL, "cpu", "items=40"},
                                   {"cpu", "lookback", "items=2,group=32,limit=130,stall=2,spin=1"},
                                   {"cpu", "ranks", "items=2,group=8,streams=3"},
                                   {"cpu", "two_pass", "items=4,group=32"}};
    for (size_t o = 0; o < COUNT(sorts); ++o) {
        const sort_key key = {ref_sort_of(sorts[o]), sort_overwriting(sorts[o], o == 1), routes[_i],
                              .kind = SORT_WHOLE};
        const bool left_out = !rig_full() && (o + (size_t)_i) % 3 == 0; /* another variant has it */
        clf_plan *plan = left_out ? NULL : sort_plan(&key);
        for (unsigned turn = o == 2 ? 3 : 0; plan && turn < 4; ++turn)
            sort_case_run(plan, (sort_case){.key = key, .n = turn == 3 ? 61 : 90 + 20 * turn,
                                             .pattern = turn == 1 ? SORT_SOME : SORT_UNIFORM, .bytes = 2,
                                             LITTLE(turn)});
        clf_plan_release(plan);
    }
}

/* By counting: one chunk and several, by vectors and without. The 65536 keys of shorts take Oclgrind long. */
TEST(counted_keys_on_little_data)
{
    static const int sorts[] = {CLF_CHAR, CLF_UCHAR, CLF_USHORT};
    for (size_t o = 0; o < COUNT(sorts); ++o) {
        const sort_key key = {ref_sort_of(sorts[o]), o == 1 ? CLF_DESCENDING : 0,
                              {_i ? "cpu" : NULL, _i ? "counting" : "counting_cpu",
                               _i ? "items=16,group=32,groups=2,local=16384" : "groups=2"}, .kind = SORT_WHOLE};
        clf_plan *plan = sort_plan(&key);
        for (unsigned turn = o == 2 ? 3 : 0; plan && turn < 4; ++turn)
            sort_case_run(plan, (sort_case){.key = key, .n = turn == 3 ? 61 : turn == 2 ? 2100 : 90 + 500 * turn,
                                             .pattern = turn == 2 ? SORT_EQUAL : SORT_UNIFORM, LITTLE(turn)});
        clf_plan_release(plan);
    }
}

/* Rows of less than a tile, and of several; segments that tiles cut. */
TEST(sorted_segments_on_little_data)
{
    static const int sorts[] = {CLF_SHORT, REF_SORT_VECTORS, REF_SORT_ORDER, REF_SORT_INDIRECT};
    static const size_t sizes[] = {3, 20, 150};
    for (unsigned form = 0; form < 4; ++form) {
        const sort_key key = {ref_sort_of(sorts[_i]), sort_overwriting(sorts[_i], _i == 1),
                              {form < 2 ? NULL : "cpu", NULL, form < 2 ? "items=40" : "items=2,group=32"},
                              .kind = form % 2 ? SORT_SEGMENTS : SORT_ROWS, .by = CLF_BY_OFFSETS, .type = CLF_UINT};
        clf_plan *plan = sort_plan(&key);
        for (unsigned turn = 0; plan && turn < 3; ++turn)
            sort_case_run(plan, (sort_case){.key = key, .n = 2 * sizes[turn], .rows = form % 2 ? 0 : 2,
                                             .lengths = turn == 2 ? SHAPE_LONG : SHAPE_EMPTY_BETWEEN, .scale = 150,
                                             LITTLE(turn)});
        clf_plan_release(plan);
    }
}

/* One tile, several, and a part of one: rounds from input to scratch and back; groups that look for cuts themselves. */
TEST(sorts_by_comparison_on_little_data)
{
    static const int orders[] = {REF_ORDER_INT, REF_ORDER_BYTE, REF_ORDER_TUPLE, REF_ORDER_PAIR, REF_ORDER_CAPTURED};
    static const char *const variants[] = {"cpu", "tiles", "tiles"},
                            *const parameters[] = {"items=24,streams=2,groups=3", "items=3,group=16,groups=2",
                                                   "items=1,group=2,groups=4"};
    for (size_t o = 0; o < COUNT(orders); ++o) {
        const compare_key key = {(compare_kind)(_i % COMPARE_KINDS), ref_order_of(orders[o]),
                                 {_i >= COMPARE_KINDS ? "cpu" : NULL, variants[_i / COMPARE_KINDS],
                                  parameters[_i / COMPARE_KINDS]}, .overwrites = o == 2};
        clf_plan *plan = compare_plan(&key);
        for (unsigned turn = 0; plan && turn < 4; ++turn)
            compare_case_run(plan, (compare_case){.key = key, .n = turn == 3 ? 1 : 40 + 37 * turn,
                                                   .pattern = (compare_pattern)(turn * 2), .place = (guarded_place)turn,
                                                   .under = {.offset = turn, .tight = turn % 2, .scratch = true,
                                                             .number = -1}});
        clf_plan_release(plan);
    }
}

/* By a sample in steps, by a group for each row, of short rows, by counting. */
TEST(top_k_on_little_data)
{
    static const int sorts[] = {REF_SORT_PAIR, CLF_SHORT, REF_SORT_ORDER, REF_SORT_INDIRECT, REF_SORT_ULONG2};
    for (size_t o = 0; o < COUNT(sorts); ++o) {
        const sort_key key = {ref_sort_of(sorts[o]), o == 1 ? CLF_UNSORTED : 0,
                              {_i ? "cpu" : NULL, _i ? "groups" : "cpu",
                               _i ? "group=32,limit=40,groups=2" : "limit=40,groups=2"}, .kind = SORT_WHOLE};
        const sort_case data = {.key = key, .n = 120, .suite = "kernel",
                                .under = {.offset = o, .tight = o % 2, .scratch = SCRATCH_OWN, .number = -1}};
        clf_plan *plan = top_k_plan(&key);
        for (unsigned turn = 0; plan && turn < 6; ++turn) {
            static const size_t sizes[] = {0, 0, 0, 30, 40, 60}, few[] = {5, 70, 15, 3, 20, 20};
            top_k_case test = {.sort = data, .rows = sizes[turn] > 0, .size = sizes[turn], .k = few[turn]};
            test.sort.pattern = turn == 2 ? SORT_EQUAL : SORT_UNIFORM;
            top_k_case_run(plan, test);
        }
        clf_plan_release(plan);
    }
}

void add_sort_kernel_tests(TCase *tests)
{
    rig_add(tests, (const rig_test[]){{top_k_on_little_data, 2}, {sorts_on_little_data, 4},
            {counted_keys_on_little_data, 2}, {sorted_segments_on_little_data, 4},
            {sorts_by_comparison_on_little_data, 3 * COMPARE_KINDS}, {NULL, 0}});
}
