/* SPDX-License-Identifier: MIT */
/*
 * Single-pass scans on a device that makes no progress: tiles that keep their aggregate to themselves, tiles
 * handed out last first, no patience at all. Results must be right, the counters in the scratch header must
 * show that the fallback was taken, and nothing may hang.
 *
 * With reverse=1 the first groups to start are those of the last tiles. Where groups run a few at a time, as
 * on a CPU, their predecessors have not even started; on a GPU they start together, and only stalled tiles
 * make sure of a fallback.
 *
 * And the opposite: scans whose groups all run at the same time, with a bound on waiting that is never reached, so that
 * the central group must serve every tile.
 */
#include "scan_case.h"

#include <string.h>

enum { LOOKBACKS = 1, FALLBACKS = 3, HANDOVERS = 4 };

static const struct {
    const char *parameters;
    cl_device_type must_fall_back; /* on devices of these types */
} settings[] = {
    {"items=4,group=64,count=1,stall=2,reverse=1,spin=0", CL_DEVICE_TYPE_ALL},
    {"items=4,group=64,count=1,stall=1,reverse=1,spin=4", CL_DEVICE_TYPE_ALL},
    {"items=2,group=32,count=1,reverse=1,spin=0", CL_DEVICE_TYPE_CPU},
    {"items=4,group=64,count=1,stall=3,spin=4", 0},
    {"items=2,group=32,count=1,stall=1,spin=0", 0},
};

static const int operators[] = {REF_INT_SUM, REF_MATRIX, REF_MIXED};

static scan_case stalled_case(int which, int setting, int operator, cl_uint header[16])
{
    const way *asked = &ways[which];
    const plan_key key = {ref_user(operators[operator]), operator == 1, asked->disable, asked->variant,
                          settings[setting].parameters};
    return (scan_case){.plan = key, .offset = 3, .initial = setting % 2 == 0, .scratch = SCRATCH_OWN,
                       .seed = the_rig()->seed, .suite = "stall", .number = -1, .header = header};
}

static void check_counters(const scan_case *test, cl_device_type must_fall_back, const cl_uint header[16])
{
    cl_device_type type = 0;
    clGetDeviceInfo(the_rig()->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    ck_assert_msg(header[LOOKBACKS] + header[HANDOVERS] > 0 || header[FALLBACKS] == 0,
                  "fallbacks without look-backs: %s %s", test->plan.variant, test->plan.parameters);
    if (must_fall_back & type)
        ck_assert_msg(header[FALLBACKS] > 0, "no fallback: %s %s", test->plan.variant, test->plan.parameters);
}

TEST(stalled_tiles)
{
    for (int setting = 0; setting < (int)COUNT(settings); ++setting) {
        for (int operator= 0; operator<(int) COUNT(operators); ++operator) {
            cl_uint header[16] = {0};
            scan_case test = stalled_case(WAY_SINGLE_PASS + _i, setting, operator, header);
            const clf_plan *plan = rig_plan(&test.plan);
            if (!plan)
                return;
            test.n = 40 * plan_tile(plan) + 3;
            if (scan_case_run(test))
                check_counters(&test, settings[setting].must_fall_back, header);
        }
    }
}

/* In place, a fallback may read an input that its tile has already overwritten, and must notice. */
TEST(stalled_tiles_in_place)
{
    for (int setting = 0; setting < (int)COUNT(settings); ++setting) {
        for (int repeat = 0; repeat < 8; ++repeat) {
            scan_case test = stalled_case(WAY_SINGLE_PASS + _i, setting, repeat % 2, NULL);
            const clf_plan *plan = rig_plan(&test.plan);
            if (!plan)
                return;
            test.n = 100 * plan_tile(plan) + 3;
            test.in_place = true;
            test.scratch = repeat % 3 ? SCRATCH_POOL : SCRATCH_OWN;
            scan_case_run(test);
        }
    }
}

/* No patience and many tiles: some find a prefix, some fall back, and a central group meets tiles that
 * have done without. */
TEST(impatient_tiles)
{
    static const char *const parameters[] = {"items=1,group=32,spin=1", "items=1,group=32,spin=20"};
    for (int repeat = 0; repeat < 8; ++repeat) {
        scan_case test = stalled_case(WAY_SINGLE_PASS + _i, repeat % 2, repeat / 4 % 2, NULL);
        test.plan.parameters = parameters[repeat / 2 % 2];
        test.plan.flags = repeat / 4 % 2;
        test.n = 1000 * 32 + 1;
        test.seed += (uint64_t)repeat;
        test.header = NULL;
        scan_case_run(test);
    }
}

/* The same pooled workspace again and again: tiles of an earlier call must never be taken for those of
 * this one. */
TEST(stale_messages)
{
    for (int repeat = 0; repeat < 50; ++repeat) {
        scan_case test = stalled_case(WAY_SINGLE_PASS + _i, repeat % 2, 0, NULL);
        if (!rig_plan(&test.plan))
            return;
        test.n = 256 * (size_t)(50 - repeat) + (size_t)repeat;
        test.scratch = SCRATCH_POOL;
        test.seed += (uint64_t)repeat;
        scan_case_run(test);
    }
}

/* ---- The central group serves ---------------------------------------------------------------------------------- */

/* Seconds of polling, and yet an end if the library is wrong. */
#define NEVER_GIVE_UP "count=1,ticket=1,halo=0,spin=200000000"

/* One per operator: more tiles than the central group serves at a time (the last one first, or in order), and fewer. */
static const char *const served[COUNT(operators)] = {"items=4,group=4,reverse=1," NEVER_GIVE_UP,
                                                     "items=4,group=4," NEVER_GIVE_UP,
                                                     "items=3,group=64," NEVER_GIVE_UP};

/* Groups that surely run at the same time; 0: not known. PoCL runs one per thread, to its end. */
static cl_uint groups_at_a_time(void)
{
    cl_platform_id platform;
    char name[128] = "";
    cl_uint units = 0;
    clGetDeviceInfo(the_rig()->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    clGetDeviceInfo(the_rig()->device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
    if (!the_rig()->is_cpu)
        return 2 * units;
    return strcmp(name, "Portable Computing Language") != 0 ? 0 : units < 32 ? units : 32;
}

/* False: no such plan. */
static bool run_served(scan_case *test)
{
    cl_uint header[16] = {0};
    test->header = header;
    if (!scan_case_run(*test))
        return false;
    ck_assert_msg(header[LOOKBACKS] == 0 && header[HANDOVERS] == 0,
                  "%u look-backs and %u hand-overs in %zu elements: the central group did not serve (%s)",
                  header[LOOKBACKS], header[HANDOVERS], test->n, test->plan.parameters);
    return true;
}

/* One scan, one of long segments, and one of irregular ones, most of whose tiles run ahead of the central group. */
static bool serve_all(scan_case test, size_t tile, size_t tiles)
{
    static const clf_segmentation by_bytes = {sizeof by_bytes, CLF_BY_HEAD_BYTES, CLF_CHAR};
    gen random = gen_seed(test.seed, 5);
    test.n = tile * tiles - 1;
    if (!run_served(&test))
        return false;
    test.segmented = true;
    test.size = test.n = tile * tiles;
    if (tiles > 1) /* else no tile would ask */
        run_served(&test);
    test.segmented = false;
    --test.n;
    for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
        irregular segments = irregular_make(&random, (irregular_shape)shape, test.n, 3 * tile);
        test.how = &by_bytes;
        test.segments = &segments;
        run_served(&test);
        irregular_free(&segments);
    }
    return true;
}

TEST(central_group_serves_every_tile)
{
    const cl_uint groups = groups_at_a_time();
    size_t runs = 0;
    if (groups < 2)
        return;
    for (size_t i = 0; i < COUNT(operators); ++i) {
        const plan_key key = {ref_user(operators[i]), i == 1, "cpu", "central", served[i]};
        const clf_plan *plan = rig_plan(&key);
        scan_case test = {.plan = key, .offset = i, .initial = true, .in_place = i == 1,
                          .scratch = SCRATCH_OWN, .seed = the_rig()->seed + i, .suite = "stall", .number = -1};
        if (plan)
            runs += serve_all(test, plan_tile(plan), groups - 1);
    }
    ck_assert_msg(runs > 0, "no plan with a central group");
}

RIG_SUITE(stall, NULL, {stalled_tiles, SINGLE_PASS_WAYS},
          {stalled_tiles_in_place, SINGLE_PASS_WAYS}, {impatient_tiles, SINGLE_PASS_WAYS},
          {stale_messages, SINGLE_PASS_WAYS}, {central_group_serves_every_tile, 1})
