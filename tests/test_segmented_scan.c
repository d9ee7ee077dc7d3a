/* SPDX-License-Identifier: MIT */
/*
 * Segmented scans against the reference: every way, sizes around everything that the kernels distinguish
 * (element, vector, chunk, row, group, tile, several tiles), stalled tiles, random cases; and the three
 * shortcuts, proved by counters.
 */
#include "primitives/primitives.h"
#include "scan_case.h"

#include <stdio.h>
#include <string.h>

static scan_case segmented_case(const plan_key *plan, size_t count, size_t size)
{
    return (scan_case){.plan = *plan, .n = count * size, .segmented = true, .size = size, .offset = (count + size) % 5,
                       .seed = the_rig()->seed + size, .suite = "segmented_scan", .number = -1};
}

static void run_shape(const plan_key *key, size_t count, size_t size)
{
    scan_case test = segmented_case(key, count, size);
    test.initial = size % 3 == 2;
    test.in_place = (count + size) % 4 == 3;
    scan_case_run(test);
}

/* As many segments as fill some tiles, and fewer. */
static void run_size(const plan_key *key, size_t size, size_t tile)
{
    const size_t many = (3 * tile + 100) / size + 1;
    run_shape(key, many, size);
    run_shape(key, 1, size);
    run_shape(key, 2, size);
}

static void run_sizes(const plan_key *key)
{
    const clf_plan *plan = rig_plan_of("segmented_scan", key, NULL);
    if (!plan)
        return;
    const size_t group = plan_group(plan), tile = plan_tile(plan), row = tile / group;
    const size_t sizes[] = {1, 2, 3, 5, 8, 15, 16, 17, 31, 33, row + 1, group - 1, group, group + 1, 255, 257, tile / 2,
                            tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1, 3 * tile + 7};
    run_shape(key, 0, 5);
    run_shape(key, 0, 0);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        if (sizes[i] > 0)
            run_size(key, sizes[i], tile);
}

/* ---- Built-ins: all types, for the CPU's vectors ---------------------------------------------------- */

/* Of each type a third of the operators, and of each operator a third of the types: suite `scan` has them all. */
TEST(builtins_of_a_type)
{
    for (int op = 0; op < CLF_OP_COUNT; ++op) {
        const ref_operator *reference = ref_builtin((clf_op)op, (clf_type)_i);
        for (int exclusive = 0; reference && exclusive < 2; ++exclusive)
            if (rig_full() || ((op + _i) % 3 == 0 && _i % 2 == exclusive))
                run_sizes(&(plan_key){.op = reference, .flags = exclusive,
                                      .parameters = !the_rig()->cpu_kernels ? NULL
                                                    : op % 2           ? "items=333,nontemporal=2"
                                                                       : "items=333"});
    }
}

/* ---- Users' operators, every way -------------------------------------------------------------------- */

TEST(operators_of_users)
{
    static const int operators[] = {REF_INT_SUM, REF_MATRIX, REF_MIXED, REF_SELECT, REF_LSSP, REF_MODULAR};
    for (size_t o = 0; o < (rig_full() ? COUNT(operators) : 4); ++o)
        for (int which = 0; which < WAY_COUNT; ++which) {
            if (!rig_full() && (o + (size_t)which) % 2 != 0)
                continue; /* compiling is what takes time */
            const bool cpu = way_is_for_cpus(&ways[which]);
            run_sizes(&(plan_key){ref_user(operators[o]), (o / 2 + (size_t)which / 2) % 2, ways[which].disable,
                                  ways[which].variant, cpu ? "items=500,streams=3" : "items=4,group=64"});
        }
}

/* ---- Every size ------------------------------------------------------------------------------------- */

TEST(every_size_with_small_tiles)
{
    const plan_key key = {ref_user(REF_INT_SUM), _i % 2, ways[_i].disable, ways[_i].variant, "items=3,group=32"};
    const clf_plan *plan = rig_plan_of("segmented_scan", &key, NULL);
    const size_t most = plan ? 2 * plan_tile(plan) + 1 : 0;
    for (size_t size = 1; size <= most && size <= 200; ++size)
        run_shape(&key, 400 / size + 1, size);
}

/* Results do not depend on how wide positions in a tile are. */
TEST(wide_positions)
{
    const way *const w = &ways[WAY_SINGLE_PASS + _i];
    const plan_key key = {ref_user(REF_MATRIX), _i % 2, w->disable, w->variant, "items=3,group=32,index64=1"};
    const clf_plan *plan = rig_plan_of("segmented_scan", &key, NULL);
    const size_t most = plan ? 2 * plan_tile(plan) + 1 : 0;
    for (size_t size = 1; size <= most; size += size < 20 ? 1 : size / 7)
        run_shape(&key, 400 / size + 1, size);
}

/* A plan for one size does that one, and refuses others. */
TEST(one_size_only)
{
    static const struct {
        size_t size;
        const char *parameters;
    } plans[] = {{1, "items=4,group=64,size=1"}, {7, "items=4,group=64,size=7"}, {600, "items=4,group=64,size=600"}};
    const size_t size = plans[_i % 3].size;
    const plan_key key = {ref_user(REF_MATRIX), _i % 2, ways[_i].disable, ways[_i].variant, plans[_i % 3].parameters};
    scan_case fits = segmented_case(&key, 1000 / size + 3, size), does_not = segmented_case(&key, 10, size + 1);
    if (!rig_plan_of("segmented_scan", &key, NULL))
        return;
    ck_assert(scan_case_run(fits) || fits.n > plan_tile(rig_plan_of("segmented_scan", &key, NULL)));
    ck_assert(!scan_case_run(does_not));
}

/* ---- Stalled tiles ---------------------------------------------------------------------------------- */

TEST(stalled_tiles)
{
    const way *const w = &ways[WAY_SINGLE_PASS + _i];
    static const char *const settings[] = {"items=4,group=64,count=1,stall=2,reverse=1,spin=0",
                                           "items=4,group=64,count=1,stall=1,reverse=1,spin=4",
                                           "items=2,group=32,count=1,stall=3,spin=4"};
    static const size_t sizes[] = {1, 7, 200, 300, 1000, 3000};
    for (size_t k = 0; k < COUNT(settings) * COUNT(sizes); ++k) {
        const plan_key key = {ref_user(k % 2 ? REF_MATRIX : REF_INT_SUM), k % 3 == 0, w->disable,
                              w->variant, settings[k / COUNT(sizes)]};
        const size_t size = sizes[k % COUNT(sizes)];
        scan_case test = segmented_case(&key, 6000 / size, size);
        test.in_place = k % 4 == 1;
        test.scratch = k % 2 ? SCRATCH_POOL : SCRATCH_OWN;
        if (rig_in_turn((int)(k + k / COUNT(sizes)) + _i, 2) && rig_plan_of("segmented_scan", &key, NULL))
            scan_case_run(test);
    }
}

/* ---- The shortcuts ---------------------------------------------------------------------------------- */

enum { LOOKBACKS = 1, STEPS = 2, TILES = 24 };

static void count_lookbacks(int which, size_t size, bool in_place, cl_uint header[16], size_t *tile)
{
    const plan_key key = {ref_user(REF_INT_SUM), false, ways[which].disable, ways[which].variant,
                          "items=4,group=64,count=1,halo=16"};
    const clf_plan *plan = rig_plan_of("segmented_scan", &key, NULL);
    *tile = plan ? plan_tile(plan) : 0;
    memset(header, 0, 16 * sizeof *header);
    if (!plan)
        return;
    scan_case test = segmented_case(&key, TILES * *tile / size, size);
    test.in_place = in_place;
    test.scratch = SCRATCH_OWN;
    test.header = header;
    scan_case_run(test);
}

/*
 * Tiles that start a segment wait for nobody; where all do, or could help themselves, scratch is not even touched.
 */
TEST(starting_tiles_never_wait)
{
    cl_uint header[16];
    size_t tile;
    count_lookbacks(WAY_SINGLE_PASS + _i, 128, false, header, &tile);
    ck_assert_uint_eq(header[LOOKBACKS], 0);
    count_lookbacks(WAY_SINGLE_PASS + _i, 11, false, header, &tile);
    ck_assert_uint_eq(header[LOOKBACKS], 0);
    count_lookbacks(WAY_SINGLE_PASS + _i, 512, false, header, &tile);
    if (tile == 256) /* the central group may have spared some the looking */
        ck_assert(header[LOOKBACKS] == TILES / 2 || strcmp(ways[WAY_SINGLE_PASS + _i].variant, "central") == 0);
}

/* With a start in every tile, a look at the tile before is enough. */
TEST(lookback_stops_at_starts)
{
    cl_uint header[16];
    size_t tile;
    count_lookbacks(WAY_SINGLE_PASS + _i, 192, false, header, &tile);
    ck_assert_uint_eq(header[STEPS], header[LOOKBACKS]);
    count_lookbacks(WAY_SINGLE_PASS + _i, 11, true, header, &tile);
    ck_assert_uint_eq(header[STEPS], header[LOOKBACKS]);
    /* Without fences nothing is scanned in place. */
    if (tile == 256 && rig_context(ways[WAY_SINGLE_PASS + _i].disable)->facts.fence)
        ck_assert_uint_gt(header[LOOKBACKS], 0);
}

/* ---- Random cases ----------------------------------------------------------------------------------- */

static scan_case random_case(const plan_key *key, gen *random)
{
    const clf_plan *plan = rig_plan_of("segmented_scan", key, NULL);
    const size_t tile = plan ? plan_tile(plan) : 1;
    size_t size = gen_size(random, gen_chance(random, 50) ? tile : 16, 5 * tile);
    size = size ? size : 1;
    scan_case test = segmented_case(key, (size_t)gen_below(random, 8 * tile / size + 2), size);
    scan_case_vary(&test, random);
    return test;
}

TEST(random_cases)
{
    scan_case_run_random(12, 5000, scan_case_key, random_case);
}

/* ---- Arguments -------------------------------------------------------------------------------------- */

TEST(sizes_that_overflow)
{
    clf_plan *plan = rig_plan_of("segmented_scan", &(plan_key){.op = ref_user(REF_INT_SUM)}, NULL);
    clf_array array = {rig_buffer(64, NULL), 0};
    const cl_ulong large = (cl_ulong)1 << 33;
    assert_status(clf_segmented_scan(plan, CLF_ON(the_rig()->queue), large, large, &array, &array), CLF_E_OVERFLOW);
    assert_status(clf_segmented_scan(plan, CLF_ON(the_rig()->queue), 5, 4, &array, &array), CLF_E_BUFFER);
    assert_status(clf_scan(plan, CLF_ON(the_rig()->queue), 4, &array, &array), CLF_E_ARGUMENT);
    clReleaseMemObject(array.buffer);
}

RIG_SUITE(segmented_scan, random_cases, {sizes_that_overflow, 1}, {builtins_of_a_type, CLF_BFLOAT16},
          {operators_of_users, 1}, {every_size_with_small_tiles, WAY_COUNT}, {wide_positions, 2},
          {one_size_only, WAY_COUNT}, {stalled_tiles, SINGLE_PASS_WAYS},
          {starting_tiles_never_wait, SINGLE_PASS_WAYS},
          {lookback_stops_at_starts, SINGLE_PASS_WAYS})
