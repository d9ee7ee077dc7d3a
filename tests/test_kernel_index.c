/* SPDX-License-Identifier: MIT */
/* Kernels of reductions by index on little data, for Oclgrind. */
#include "cases.h"

/* In tables of groups, in slices, with locks, in one of all, by ranges, and of a core; and what goes around a sort. */
TEST(indices_on_little_data)
{
    static const int which[] = {REF_INDEX_COUNT_OWN, REF_INDEX_COUNT_NATIVE, REF_INDEX_BYTES, REF_INDEX_JOINED,
                                REF_INDEX_FOUR, REF_INDEX_WIDE};
    enum { JOINED = 3 };
    const way asked = way_to("reduce_by_index", (size_t)_i);
    const bool sorts = strcmp(asked.variant, "sorted") == 0;
    for (unsigned w = sorts ? JOINED : 0; w < (sorts ? JOINED + 1 : COUNT(which)); ++w) {
        const index_key key = {.index = ref_index_of(which[w]), .flags = w % 2 ? CLF_UPDATE : 0,
                               .route = {asked.disable, asked.variant,
                                         sorts ? NULL : "items=4,group=8,groups=9,local=256"}};
        clf_plan *plan = index_plan(&key);
        for (unsigned turn = 0; plan && turn < INDEX_PATTERNS; ++turn)
            index_case_run(plan, (index_case){.key = key, .count = turn == 3 ? 3 : 1, .size = 300 + turn,
                                               .bins = turn % 2 ? 20 : 150, .rows = turn == 3,
                                               .pattern = (index_pattern)turn, .may_refuse = turn == 3 /* rows,
                                               by ranges */,
                                               .under = {.offset = turn, .tight = turn % 2, .scratch = true,
                                                         .seed = the_rig()->seed, .number = -1}});
        clf_plan_release(plan);
    }
    ref_index_close();
}

void add_index_kernel_tests(TCase *tests)
{
    tcase_add_loop_test(tests, indices_on_little_data, 0, 5);
}
