/* SPDX-License-Identifier: MIT */
/*
 * Scans against the reference: every built-in, every operator of ref_user.c in every variant, every size up
 * to two tiles, and random cases.
 *
 * A random run first draws a menu of plans from the seed (compiling is what takes time) and then cases from
 * the menu. A case depends on the seed and its number alone: --seed S --case K repeats it.
 */
#include "scan_case.h"

#include <string.h>

static scan_case plain_case(const plan_key *plan, size_t n)
{
    return (scan_case){
        .plan = *plan, .n = n, .offset = n % 5, .aligned = n % 4 == 1, .seed = the_rig()->seed + n, .suite = "scan",
        .number = -1};
}

/* Where things change: around nothing, a group, one tile, two, and four. */
static void run_boundaries(const plan_key *key)
{
    const clf_plan *plan = rig_plan(key);
    if (!plan)
        return;
    const size_t group = plan_group(plan), tile = plan_tile(plan);
    const size_t sizes[] = {0, 1, 2, 3, group - 1, group, group + 1, tile - 1, tile, tile + 1,
                            2 * tile - 1, 2 * tile, 2 * tile + 1, 3 * tile + 7};
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        scan_case test = plain_case(key, sizes[i]);
        test.initial = i % 3 == 2;
        test.in_place = i % 4 == 3;
        scan_case_run(test);
    }
}

static void run_random_sizes(const plan_key *key, size_t count)
{
    const clf_plan *plan = rig_plan(key);
    gen random = gen_seed(the_rig()->seed, 77);
    for (size_t i = 0; plan && i < count; ++i)
        scan_case_run(plain_case(key, gen_size(&random, plan_tile(plan), 4 * plan_tile(plan) + 100)));
}

/* ---- Built-ins ----------------------------------------------------------------------------------------- */

/* A selection takes inclusive and exclusive in turns, from pair to pair of operator and type. */
TEST(builtins_of_a_type)
{
    for (int op = 0; op < CLF_OP_COUNT; ++op) {
        const ref_operator *reference = ref_builtin((clf_op)op, (clf_type)_i);
        for (int exclusive = 0; reference && exclusive < 2; ++exclusive)
            if (rig_full() || (op + _i) % 2 == exclusive)
                run_boundaries(&(plan_key){.op = reference, .flags = exclusive,
                                           .parameters = the_rig()->is_cpu && op % 2 ? "nontemporal=2" : NULL});
    }
}

/* ---- Users' operators ---------------------------------------------------------------------------------- */

/* Int sum, matrix and mixed go every way; of the others, a third of the ways, another third for another
 * seed. */
static bool is_selected(int operator, int which)
{
    return rig_full() || operator<= REF_MIXED || which == 0 ||(the_rig()->seed + (uint64_t)(operator+ which)) % 3 == 0;
}

/* The CPU kernel runs anywhere, but elsewhere than on a CPU not with tiles that fill its cache. */
static bool is_slow(int which)
{
    return ways[which].variant && strcmp(ways[which].variant, "cpu") == 0 && !the_rig()->is_cpu;
}

TEST(operators_of_users)
{
    for (int which = 0; which < WAY_COUNT; ++which) {
        const char *parameters = is_slow(which) ? "items=64" : NULL;
        plan_key key = {ref_user(_i), (_i + which) % 2, ways[which].disable, ways[which].variant, parameters};
        if (!is_selected(_i, which))
            continue;
        run_boundaries(&key);
        if (_i <= REF_MATRIX)
            run_random_sizes(&key, rig_full() ? 100 : 10);
    }
}

/* ---- Every size ---------------------------------------------------------------------------------------- */

static void run_every_size(const plan_key *key)
{
    const clf_plan *plan = rig_plan(key);
    size_t most = plan ? 2 * plan_tile(plan) + 1 : 0;
    most = most < 200 ? 200 : most;
    for (size_t n = 0; plan && n <= most; ++n)
        scan_case_run(plain_case(key, n));
}

TEST(every_size_with_small_tiles)
{
    const way *asked = &ways[_i];
    run_every_size(&(plan_key){ref_user(REF_INT_SUM), true, asked->disable, asked->variant, "items=4,group=64"});
    run_every_size(&(plan_key){ref_user(REF_MATRIX), false, asked->disable, asked->variant, "items=4,group=64"});
}

/* ---- Random cases -------------------------------------------------------------------------------------- */

static plan_key random_key(gen *random)
{
    static const char *const parameters[] = {NULL, "items=1,group=32", "items=3,group=64", "items=7,group=128"};
    const int route = (int)gen_below(random, WAY_COUNT);
    int which = gen_chance(random, 30) ? REF_MATRIX : (int)gen_below(random, REF_USER_COUNT);
    const uint64_t drawn = gen_below(random, COUNT(parameters));
    return (plan_key){ref_user(which), gen_chance(random, 50), ways[route].disable, ways[route].variant,
                      parameters[is_slow(route) && drawn == 0 ? 1 : drawn]};
}

static scan_case random_case(const plan_key *key, gen *random)
{
    scan_case test = {.plan = *key, .suite = "scan"};
    const clf_plan *plan = rig_plan(key);
    const size_t tile = plan ? plan_tile(plan) : 1;
    test.n = gen_size(random, tile, tile < 1000 ? 40 * tile : 3 * tile);
    scan_case_vary(&test, random);
    test.seed = gen_bits(random);
    return test;
}

TEST(random_cases)
{
    scan_case_run_random(16, 1000, random_key, random_case);
}

/* With a number given (--case), only that random case is run. */
RIG_SUITE(scan, random_cases, {builtins_of_a_type, CLF_BFLOAT16}, {operators_of_users, REF_USER_COUNT},
          {every_size_with_small_tiles, WAY_COUNT})
