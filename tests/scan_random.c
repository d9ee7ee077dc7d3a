/* SPDX-License-Identifier: MIT */
/*
 * Random cases of scans and adjacent differences.
 */
#include "scan_case.h"

#include <string.h>

plan_key scan_case_key(gen *random)
{
    static const char *const parameters[] = {"items=1,group=32", "items=3,group=64", "items=16,group=32"};
    const way *asked = &ways[gen_below(random, WAY_COUNT)];
    const int op = gen_chance(random, 40) ? REF_MATRIX : (int)gen_below(random, REF_USER_COUNT);
    const bool cpu = asked->variant ? strcmp(asked->variant, "cpu") == 0 : !asked->disable;
    return (plan_key){ref_user(op), gen_chance(random, 50), asked->disable, asked->variant,
                      cpu ? "items=77" : parameters[gen_below(random, COUNT(parameters))]};
}

void scan_case_vary(scan_case *test, gen *random)
{
    test->offset = (size_t)gen_below(random, 40);
    test->initial = gen_chance(random, 40);
    test->in_place = gen_chance(random, 30);
    test->unordered = gen_chance(random, 30);
    test->scratch = (scratch_kind)gen_below(random, 3);
    test->aligned = gen_chance(random, 25);
}

void scan_case_run_random(size_t count, uint64_t seed, scan_case_draw *draw, scan_case_make *make)
{
    plan_key menu[16];
    gen random = gen_seed(the_rig()->seed, seed - 1);
    for (size_t i = 0; i < count; ++i)
        menu[i] = draw(&random);
    for (long number = -1; rig_next_case(400, &number);) {
        gen own = gen_seed(the_rig()->seed, seed + (uint64_t)number);
        scan_case test = make(&menu[gen_below(&own, count)], &own);
        test.number = number;
        scan_case_run(test);
    }
}
