/* SPDX-License-Identifier: MIT */
/* Sorts in suite `kernel`: little data, for Oclgrind. */
#include "sort_case.h"

/* In all passes, in one, with which all is copied back, and in none. */
START_TEST(sorts_on_little_data)
{
    static const int sorts[] = {CLF_SHORT, REF_SORT_VECTORS, REF_SORT_PAIR, REF_SORT_ORDER};
    static const char *const variants[] = {"cpu", "lookback", "two_pass"},
                            *const parameters[] = {"items=40", "items=2,group=32,limit=130,stall=2,spin=1",
                                                   "items=4,group=32"};
    for (size_t o = 0; o < COUNT(sorts); o++) {
        const sort_key key = {ref_sort_of(sorts[o]), 0, _i ? "cpu" : NULL, variants[_i], parameters[_i]};
        const bool left_out = !rig_full() && (o + (size_t)_i) % 3 == 0; /* another variant has it */
        clf_plan *plan = left_out ? NULL : sort_plan(&key);
        for (unsigned turn = 0; plan && turn < 4; turn++)
            sort_case_run(plan, &(sort_case){.key = key, .n = turn == 3 ? 1 : 90 + 20 * turn, .offset = turn,
                                             .pattern = turn == 1 ? SORT_SOME : SORT_UNIFORM, .bytes = 2,
                                             .place = (sort_place)turn, .tight = turn % 2, .scratch = SORT_OWN,
                                             .suite = "kernel", .number = -1});
        if (plan)
            clf_plan_release(plan);
    }
}
END_TEST

void add_sort_kernel_tests(TCase *tests)
{
    tcase_add_loop_test(tests, sorts_on_little_data, 0, 3);
}
