/* SPDX-License-Identifier: MIT */
/* What is refused where plans want some results: plans, and calls with other arrays. */
#include "wanted.h"

#define ALL " writes all results, and must find 0 here"
static const struct {
    const char *primitive, *variant;
    bool ours; /* of an operator of four results; else the primitive's usual one */
    cl_ulong wanted;
    clf_status status;
    const char *message;
} refusals[] = {
    {"reduce", NULL, true, 16, CLF_E_ARGUMENT,
     "clf_plan_options.wanted is 0x10, and has bits beyond the operator's results, of which there are 4"},
    {"scan", NULL, false, 2, CLF_E_ARGUMENT,
     "clf_plan_options.wanted is 0x2, and has bits beyond the operator's results, of which there are 1"},
    {"scan", "propagate", true, 1, CLF_E_UNSUPPORTED,
     "clf_plan_options.wanted: variant \"propagate\" combines what it wrote, and must find 0 here"},
    {"filter", NULL, false, 1, CLF_E_UNSUPPORTED, "clf_plan_options.wanted: filter" ALL},
    {"top_k", NULL, false, 1, CLF_E_UNSUPPORTED, "clf_plan_options.wanted: top_k" ALL},
    {"merge", NULL, false, 1, CLF_E_UNSUPPORTED, "clf_plan_options.wanted: merge" ALL},
    {"transpose", NULL, false, 1, CLF_E_UNSUPPORTED, "clf_plan_options.wanted: transpose" ALL},
    {"gather", NULL, false, 1, CLF_E_UNSUPPORTED, "clf_plan_options.wanted: gather" ALL}};

TEST(plans_refused)
{
    const clf_plan_options options = {.size = sizeof options, .variant = refusals[_i].variant,
                                      .wanted = refusals[_i].wanted};
    const plan_parts parts = primitive_parts(refusals[_i].primitive,
                                             &(plan_parts){.op = refusals[_i].ours ? &wanted_largest_sum : NULL});
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    assert_status(primitive_plan(refusals[_i].primitive, rig_context("cpu"), &parts, &options, &plan, &error),
                  refusals[_i].status);
    ck_assert_str_eq(error.message, refusals[_i].message);
}

/* Options of the size before there was `wanted` want all. */
TEST(the_size_before)
{
    const clf_plan_options options = {.size = offsetof(clf_plan_options, wanted), .wanted = ~0ull};
    clf_plan *const plan = RIG_PLAN(clf_reduce_plan, rig_context(NULL), &wanted_largest_sum, 0, &options);
    assert_ok(clf_plan_release(plan));
}

TEST(calls_refused)
{
    rig_told told = {0};
    const clf_plan_options some = {.size = sizeof some, .wanted = 5};
    clf_error error = {.size = sizeof error};
    clf_context *const context = RIG_CONTEXT(.notify = rig_listen, .user = &told);
    clf_plan *const plan = RIG_PLAN(clf_scan_plan, context, &wanted_largest_sum, 0, &some);
    const cl_command_queue queue = the_rig()->queue;
    const clf_array in = {rig_buffer(4 * WANTED_N, NULL), 0}, a = {rig_buffer(4 * WANTED_N, NULL), 0},
                    b = {rig_buffer(4, NULL), 0};
#define SCAN(status, sentence, on, ...) \
    REFUSES(&told, status, sentence, clf_scan(plan, on, WANTED_N, &in, (clf_array[]){__VA_ARGS__}))
    SCAN(ARGUMENT, "out[2].buffer is NULL, and the plan wants result \"tail\"", CLF_ON(queue), a, {0}, {0}, {0});
#define UNWANTED(result) "out[1] is not {NULL, 0}, and the plan does not want result \"" result "\""
    SCAN(ARGUMENT, UNWANTED("head"), CLF_ON(queue), a, b, in, {0});
    SCAN(ARGUMENT, UNWANTED("head"), CLF_ON(queue), a, {NULL, 5}, in, {0});
    SCAN(BUFFER, "out[2].buffer ends before element 899", CLF_ON(queue), a, {0}, b, {0});
    SCAN(ALIAS, "out[2] overlaps out[0]", CLF_ON(queue), a, {0}, a, {0});
    const clf_call two = {.size = sizeof two, .queue = queue, .out_count = 2};
    SCAN(ARGUMENT, "call->out_count is 2, and the operator has 4 arrays there", &two, a, in);
    assert_ok(clf_scan(plan, CLF_ON(queue), 0, &in, NULL));
    assert_status(clf_context_tune(context, plan, 1, &error), CLF_E_UNSUPPORTED);
    ck_assert_str_eq(error.message, "plans of scan with clf_plan_options.wanted are not tuned");
    rig_release_all(context, plan);
    rig_release(in, a, b);
}

RIG_PART(add_wanted_refusal_tests, {plans_refused, COUNT(refusals)}, {the_size_before, 1}, {calls_refused, 1})
