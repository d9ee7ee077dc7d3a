/* SPDX-License-Identifier: MIT */
/* What operators with `place` are refused, and calls of theirs. */
#include "finish.h"

#define TO "ulong to(clf_value a, clf_value before, clf_input in, ulong i) { return i; }\n"

static const clf_operator least = {.size = sizeof least, .value = "float p;", .combine = "clf_min", .source = TO,
                                   .flags = CLF_COMMUTATIVE, .place = "to"};

static const struct {
    const char *primitive, *place, *extra, *source, *variant;
    clf_status status;
    const char *message;
} refusals[] = {
    {"scan", "9to", NULL, TO, NULL, CLF_E_ARGUMENT, "clf_operator.place: '9to' is not the name of a function"},
    {"scan", "to", "int e;", TO, NULL, CLF_E_ARGUMENT,
     "clf_operator.extra: with place there is none, and it must be NULL"},
    {"scan", "to", NULL, NULL, NULL, CLF_E_ARGUMENT, "the operator has no source"},
    {"scan", "too", NULL, TO, NULL, CLF_E_OPERATOR,
     "clf_operator.place: the source has no function ulong too(clf_value clf_a, clf_value clf_b, clf_input clf_x, "
     "ulong clf_i)"},
    {"scan", "to", NULL, "ulong to(clf_value a, ulong i) { return i; }\n", NULL, CLF_E_OPERATOR,
     "clf_operator.place: "},
    {"scan", "to", NULL, TO, "propagate", CLF_E_UNSUPPORTED, "clf_operator.place: variant \"propagate\" "},
    {"reduce", "to", NULL, TO, NULL, CLF_E_UNSUPPORTED, "clf_operator.place: reduce has none, and must find NULL here"},
    {"irregular_scan", "to", NULL, TO, "propagate", CLF_E_UNSUPPORTED, "clf_operator.place: variant \"propagate\" "},
    {"irregular_reduce", "to", NULL, TO, NULL, CLF_E_UNSUPPORTED,
     "clf_operator.place: irregular_reduce has none, and must find NULL here"},
};

TEST(operators_refused)
{
    const clf_operator op = {.size = sizeof op, .value = "int v;", .combine = "clf_sum", .extra = refusals[_i].extra,
                             .map = refusals[_i].extra ? "to" : NULL, .source = refusals[_i].source,
                             .place = refusals[_i].place};
    const clf_plan_options options = {.size = sizeof options, .variant = refusals[_i].variant};
    const plan_parts parts = primitive_parts(refusals[_i].primitive, &(plan_parts){.op = &op});
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    const clf_status status = primitive_plan(refusals[_i].primitive, rig_context("cpu"), &parts, &options, &plan,
                                             &error);
    ck_assert_msg(status == refusals[_i].status && strstr(error.message, refusals[_i].message), "%d %s\n%s", status,
                  error.message, error.log);
}

/* A descriptor of the size before there was `place` is one without it. */
TEST(the_size_before)
{
    clf_operator op = *finish_operators[1].scan;
    const clf_operator *const list[] = {clf_builtin(CLF_MAX, CLF_UINT), &least};
    clf_error error = {.size = sizeof error};
    clf_operator *joined = NULL;
    op.size = offsetof(clf_operator, place);
    op.place = "no string that anybody may read";
    clf_plan *const plan = RIG_PLAN(clf_scan_plan, rig_context(NULL), &op, 0, NULL);
    assert_ok(clf_plan_release(plan));
    assert_status(clf_operator_join(2, list, &joined, &error), CLF_E_UNSUPPORTED);
    ck_assert_str_eq(error.message, "operator 1: clf_operator.place: joined operators have none");
    assert_ok(clf_operator_check(rig_context(NULL), &least, NULL, NULL, &error));
}

TEST(calls_refused)
{
    rig_told t = {0}, *const told = &t;
    const cl_command_queue q = the_rig()->queue;
    clf_error error = {.size = sizeof error};
    clf_context *const context = RIG_CONTEXT(.notify = rig_listen, .user = told);
    clf_plan *plan = RIG_PLAN(clf_scan_plan, context, &least, 0, NULL);
    clf_plan *const plain = RIG_PLAN(clf_scan_plan, context, clf_builtin(CLF_SUM, CLF_INT), 0, NULL);
    const clf_array in = {rig_buffer(400, NULL), 0}, out = {rig_buffer(400, NULL), 0};
#define EXPECT(status, sentence, call, ...) rig_expect(told, call(__VA_ARGS__), status, #call ": " sentence)
    EXPECT(CLF_E_ARGUMENT, "the plan's operator has place: it is called by clf_scan_placed", clf_scan, plan, CLF_ON(q),
           100, &in, &out);
    EXPECT(CLF_E_ARGUMENT, "the plan's operator has no place: results lie where elements do", clf_scan_placed, plain,
           CLF_ON(q), 100, 100, &in, &out, NULL);
    EXPECT(CLF_E_ARGUMENT, "the plan is one for scan", clf_segmented_scan_placed, plan, CLF_ON(q), 10, 10, 100, &in,
           &out, NULL);
    EXPECT(CLF_E_ALIAS, "out[0] overlaps in[0]", clf_scan_placed, plan, CLF_ON(q), 100, 100, &in, &in, NULL);
    EXPECT(CLF_E_BUFFER, "out[0].buffer ends before element 100", clf_scan_placed, plan, CLF_ON(q), 100, 101, &in, &out,
           NULL);
    EXPECT(CLF_E_ALIAS, "result_count overlaps out[0]", clf_scan_placed, plan, CLF_ON(q), 100, 100, &in, &out, &out);
    EXPECT(CLF_E_ARGUMENT, "out is NULL", clf_scan_placed, plan, CLF_ON(q), 100, 100, &in, NULL, NULL);
    assert_ok(clf_scan_placed(plan, CLF_ON(q), 100, 0, &in, NULL, &out));
    assert_ok(clf_scan_placed(plan, CLF_ON(q), 0, 100, NULL, NULL, &out));
    cl_ulong count;
    rig_read(q, out.buffer, sizeof count, &count);
    ck_assert_uint_eq(count, 0);
    assert_status(clf_context_tune(context, plan, 1, &error), CLF_E_UNSUPPORTED);
    ck_assert_str_eq(error.message, "plans of scan with clf_operator.place are not tuned");
    rig_release_all(context, plan, plain);
    rig_release(in, out);
}

RIG_PART(add_place_refusal_tests, {operators_refused, COUNT(refusals)}, {the_size_before, 1}, {calls_refused, 1})
