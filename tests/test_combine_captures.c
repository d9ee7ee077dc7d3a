/* SPDX-License-Identifier: MIT */
/* A combine that reads captured arrays: of what shape it must be, who refuses it, and rows of no elements. */
#include "harness.h"

#include <string.h>

static const clf_operator product = {
    .size = sizeof product, .value = "uint v;", .captured = "uint modulus;", .combine = "times", .neutral = "one",
    .flags = CLF_COMBINE_CAPTURES,
    .source = "clf_value times(clf_value a, clf_value b, const clf_captured *c)\n"
              "{ a.v = a.v * b.v % c->modulus[0]; return a; }\n"
              "clf_value one(void) { clf_value v = {1}; return v; }\n"};

static void refuse(const clf_operator *op, clf_status status, const char *sentence)
{
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    assert_status(clf_scan_plan(rig_context(NULL), op, 0, NULL, &plan, &error), status);
    ck_assert_msg(strstr(error.message, sentence), "\"%s\", not \"%s\"", error.message, sentence);
}

TEST(other_operators)
{
    static const char sentence[] =
        "clf_operator.flags: CLF_COMBINE_CAPTURES is for a combine of yours and captured arrays";
    static const clf_operator kept = {.size = sizeof kept, .value = "uint v;", .captured = "uint w;",
                                      .predicate = "all", .flags = CLF_COMBINE_CAPTURES,
                                      .source = "bool all(clf_input x, ulong i, const clf_captured *c) { return 1; }"};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    clf_operator op = product;
    op.captured = NULL;
    refuse(&op, CLF_E_ARGUMENT, sentence);
    op = product;
    op.combine = "clf_sum", op.neutral = NULL;
    refuse(&op, CLF_E_ARGUMENT, sentence);
    op = product;
    op.flags = 0;
    refuse(&op, CLF_E_ARGUMENT, "and with CLF_COMBINE_CAPTURES combine. The primitive calls combine");
    assert_status(clf_filter_plan(rig_context(NULL), &kept, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, sentence);
}

TEST(other_shapes)
{
    clf_operator op = product;
    op.source =
        "clf_value times(clf_value a, clf_value b) { a.v *= b.v; return a; }\n"
        "clf_value one(void) { clf_value v = {1}; return v; }\n";
    refuse(&op, CLF_E_OPERATOR,
           "clf_operator.combine: the source has no function clf_value times(clf_value clf_a, "
           "clf_value clf_b, const clf_captured *clf_c)");
}

/* Nobody knows what the arrays hold. */
TEST(laws)
{
    clf_error error = {.size = sizeof error};
    assert_status(clf_operator_check(rig_context(NULL), &product, NULL, NULL, &error), CLF_E_ARGUMENT);
    ck_assert(strstr(error.message, "clf_operator.captured: nobody knows what the arrays hold"));
}

/* Rows of no elements have the initial value, with which something may be combined. */
TEST(no_elements)
{
    enum { ROWS = 40 };
    const cl_uint initial = 5, modulus = 7;
    cl_uint got[ROWS];
    const clf_array in[] = {{0}, {rig_buffer(sizeof modulus, &modulus), 0}}, out = {rig_buffer(sizeof got, NULL), 0};
    const clf_call call = {.size = sizeof call, .queue = the_rig()->queue, .initial = &initial};
    clf_plan *const plan = RIG_PLAN(clf_reduce_plan, rig_context(_i ? "cpu" : NULL), &product, 0, NULL);
    assert_status(clf_segmented_reduce(plan, &call, ROWS, 0, NULL, &out), CLF_E_ARGUMENT);
    assert_ok(clf_segmented_reduce(plan, &call, ROWS, 0, in, &out));
    rig_read(call.queue, out.buffer, sizeof got, got);
    for (size_t k = 0; k < ROWS; ++k)
        ck_assert_uint_eq(got[k], initial);
    clf_plan_release(plan);
    rig_release(in[1], out);
}

RIG_PART(add_combine_captures_tests, {other_operators, 1}, {other_shapes, 1}, {laws, 1}, {no_elements, 2})
