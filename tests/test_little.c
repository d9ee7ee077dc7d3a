/* SPDX-License-Identifier: MIT */
/*
 * Devices with little local memory: plans exist wherever a group of any size fits, keep within that memory, and are
 * right. The device under test is said to have less than it has.
 */
#include "reduce_case.h"
#include "scan_case.h"

#include "device/device.h"
#include "primitives/primitives.h"

#include <stdlib.h>

/* A context of its own: no other test names its capabilities so. */
static const char little[] = "cpu,cpu";
enum { LOCAL_BYTES = 2048 };

static void open_little(void)
{
    rig_open();
    clf_facts *const facts = &rig_context(little)->facts;
    facts->local_bytes = LOCAL_BYTES;
    facts->local_more = 0;
}

/* Do the kernels keep to it? */
static void check_local(clf_plan *plan)
{
    ck_assert_ptr_nonnull(plan);
    assert_ok(clf_plan_compile(plan, NULL));
    for (size_t role = 0; role < CLF_MAX_ROLES; ++role) {
        for (size_t k = 0; plan->engine[role] && plan->engine[role]->variant->kernels[k]; ++k) {
            const clf_engine *engine = plan->engine[role];
            cl_ulong bytes = 0;
            cl_kernel kernel = clCreateKernel(engine->program, engine->variant->kernels[k], NULL);
            ck_assert_ptr_nonnull(kernel);
            assert_ok(clGetKernelWorkGroupInfo(kernel, the_rig()->device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes,
                                               &bytes, NULL));
            clReleaseKernel(kernel);
            ck_assert_msg(bytes <= LOCAL_BYTES, "%s takes %lu bytes of local memory", engine->variant->kernels[k],
                          (unsigned long)bytes);
            ck_assert_uint_ge(engine->group, 2);
        }
    }
}

TEST(scans)
{
    static const char *const variants[] = {NULL, "two_pass", "one_group"};
    const plan_key key = {.op = ref_user(_i), .disable = little, .variant = variants[_i % 3]};
    clf_plan *plan = rig_plan(&key);
    check_local(plan);
    const scan_case test = {.plan = key, .n = _i % 3 == 2 ? plan_tile(plan) : 3 * plan_tile(plan) + 1, .offset = 1,
                            .seed = the_rig()->seed, .suite = "little", .number = -1};
    ck_assert(scan_case_run(test));
}

TEST(adjacent_differences)
{
    const plan_key key = {.op = ref_user(_i), .disable = little};
    clf_plan *plan = rig_plan_of("adjacent_difference", &key, NULL);
    check_local(plan);
    const scan_case test = {.plan = key,
                            .n = 3 * plan_tile(plan) + 1, .adjacent = true, .offset = 1, .in_place = _i % 2,
                            .seed = the_rig()->seed, .suite = "little",
                            .number = -1};
    ck_assert(scan_case_run(test));
}

TEST(reductions)
{
    static const char *const variants[] = {NULL, "sequential", "warp"};
    const reduce_key key = {.op = ref_user(_i), .disable = little, .variant = variants[_i % 3]};
    check_local(reduce_plan(&key));
    for (size_t size = 1; size < 2000; size *= 9) {
        const reduce_case test = {.plan = key, .count = 1 + 500 / size, .size = size, .offset = 1,
                                  .seed = the_rig()->seed + size, .suite = "little", .number = -1};
        ck_assert(reduce_case_run(test));
    }
}

TEST(irregular_reductions)
{
    static const clf_segmentation hows[] = {{sizeof hows[0], CLF_BY_OFFSETS, CLF_UINT},
                                            {sizeof hows[0], CLF_BY_HEAD_BITS, CLF_CHAR}};
    const reduce_key key = {.op = ref_user(_i), .disable = little, .how = &hows[_i % 2]};
    const bool wide = _i == REF_VECTORS || _i == REF_BUNDLE;
    if (wide && rig_context(little)->facts.lane_width > 1)
        return; /* an element per lane is more than there is */
    check_local(reduce_plan(&key));
    gen random = gen_seed(the_rig()->seed, (uint64_t)_i);
    irregular segments = irregular_make(&random, SHAPE_POWER_LAW, 700, 100);
    const reduce_case test = {.plan = key, .segments = &segments, .count = segments.count, .offset = 1,
                              .seed = the_rig()->seed, .suite = "little", .number = -1};
    ck_assert(reduce_case_run(test));
    irregular_free(&segments);
}

/* What is asked for stands, or is refused. */
TEST(what_is_asked_for_is_not_changed)
{
    clf_plan_options options = {.size = sizeof options, .variant = "two_pass", .parameters = "group=256"};
    clf_plan *plan = NULL;
    clf_context *context = rig_context(little);
    const clf_operator *wide = ref_clf(ref_user(REF_VECTORS));
    assert_status(clf_scan_plan(context, wide, 0, &options, &plan, NULL), CLF_E_PARAMETER);
    options.parameters = "items=2,group=32";
    assert_status(clf_scan_plan(context, wide, 0, &options, &plan, NULL), CLF_E_PARAMETER);
    options.parameters = "items=2";
    if (context->facts.lane_width > 1)
        return; /* no smaller group than a warp */
    assert_ok(clf_scan_plan(context, wide, 0, &options, &plan, NULL));
    ck_assert_uint_eq(plan->engine[0]->tile, 2 * plan->engine[0]->group);
    clf_plan_release(plan);
}

/* A profile's tile that does not fit is cut to the largest that does, whether it is odd or even. */
TEST(tiles_of_a_profile_are_cut)
{
    static const char *const profiles[] = {"scan.*.*.items = 80", "scan.*.*.items = 81"};
    const clf_plan_options asked = {.size = sizeof asked, .variant = "two_pass", .parameters = "group=64"};
    clf_context *const context = RIG_CONTEXT(.disable = little, .profile = profiles[_i]);
    const clf_facts *facts = &context->facts;
    context->facts.local_more = 0;
    for (cl_ulong bytes = 5000; bytes < 9000; bytes += 1000) {
        context->facts.local_bytes = bytes;
        clf_plan *plan = RIG_PLAN(clf_scan_plan, context, ref_clf(ref_user(REF_INT_SUM)), 0, &asked);
        const clf_parameters *list = &plan->engine[0]->parameters;
        const cl_uint rounds = clf_tile_rounds(&plan->op, list), items = clf_parameter_get(list, "items", 0);
        ck_assert_uint_le(clf_tile_local(facts, &plan->op, rounds, 64, items), bytes);
        for (cl_uint more = items + 1; more <= 80; ++more)
            ck_assert_uint_gt(clf_tile_local(facts, &plan->op, rounds, 64, more), bytes);
        clf_plan_release(plan);
    }
    clf_context_release(context);
}

Suite *little_suite(void)
{
    TCase *tests;
    Suite *suite = rig_suite_with("little", open_little, rig_close, &tests);
    rig_add(tests, (const rig_test[]){{scans, REF_USER_COUNT}, {adjacent_differences, REF_USER_COUNT},
            {reductions, REF_USER_COUNT}, {irregular_reductions, REF_USER_COUNT}, {tiles_of_a_profile_are_cut, 2},
            {what_is_asked_for_is_not_changed, 1}, {NULL, 0}});
    return suite;
}
