/* SPDX-License-Identifier: MIT */
/* Functions that get the number of their element's segment: of what shape they must be, and who refuses them. */
#include "harness.h"
#include "primitives.h"

#include <stdio.h>

static const clf_operator numbered = {
    .size = sizeof numbered, .input = "int x;", .value = "int v;", .combine = "clf_sum", .map = "add",
    .flags = CLF_COMMUTATIVE | CLF_WITH_SEGMENT,
    .source = "clf_value add(clf_input in, ulong i, ulong s) { clf_value v = {in.x + (int)s}; return v; }\n"};

/* The map without the number is an error of its shape. */
TEST(other_shapes)
{
    static const clf_operator bare = {
        .size = sizeof bare, .value = "int v;", .combine = "clf_sum", .flags = CLF_WITH_SEGMENT, .map = "same_as",
        .source = "clf_value same_as(clf_input x, ulong i) { return x; }\n"};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    assert_status(clf_scan_plan(rig_context(NULL), &bare, 0, NULL, &plan, &error), CLF_E_OPERATOR);
    ck_assert_str_eq(error.message,
                     "clf_operator.map: the source has no function clf_value same_as(clf_input clf_x, "
                     "ulong clf_i, ulong clf_s)");
}

TEST(others_refuse_it)
{
    for (size_t i = 0; i < primitive_count(); ++i) {
        const char *const name = primitive_number(i)->name;
        char wanted[128];
        plan_parts parts = primitive_usual(name);
        clf_error error = {.size = sizeof error};
        clf_plan *plan = NULL;
        if (strstr(name, "scan") || (strstr(name, "reduce") && !strstr(name, "_by_")) || !parts.op)
            continue;
        clf_operator op = *parts.op;
        op.flags |= CLF_WITH_SEGMENT;
        parts.op = &op;
        assert_status(primitive_plan(name, rig_context(NULL), &parts, NULL, &plan, &error), CLF_E_UNSUPPORTED);
        snprintf(wanted, sizeof wanted, "clf_operator.flags: CLF_WITH_SEGMENT: %s has no segments",
                 primitive_known(name)->name);
        ck_assert_str_eq(error.message, wanted);
    }
}

TEST(joined_operators)
{
    const clf_operator *const list[] = {clf_builtin(CLF_MAX, CLF_INT), &numbered};
    clf_error error = {.size = sizeof error};
    clf_operator *joined = NULL;
    assert_status(clf_operator_join(2, list, &joined, &error), CLF_E_UNSUPPORTED);
    ck_assert_str_eq(error.message, "operator 1: clf_operator.flags: joined operators get no segment");
}

/* Maps that get it are tried like others. */
TEST(laws)
{
    clf_error error = {.size = sizeof error};
    const clf_status status = clf_operator_check(rig_context(NULL), &numbered, NULL, NULL, &error);
    ck_assert_msg(status == CLF_SUCCESS, "%d %s\n%s", status, error.message, error.log);
}

RIG_PART(add_number_refusals, {other_shapes, 1}, {others_refuse_it, 1}, {joined_operators, 1}, {laws, 1})
