/* SPDX-License-Identifier: MIT */
/* What bad arguments of sorts come to: a part of suite `sort`. */
#include "refused.h"

#include <string.h>

/* ---- Calls ----------------------------------------------------------------------------------------------------- */

static const clf_operator pairs = {.size = sizeof pairs, .value = "float key; uint payload;"};

TEST(refused_sorts)
{
    static const refused_sort sort = {"clf_sort", "a sort has no initial value", clf_sort, true, true};
    refused r;
    refused_open(&r);
    assert_ok(clf_sort_plan(r.context, &pairs, 0, NULL, &r.plan[0], NULL));
    assert_ok(clf_gather_plan(r.context, "int v;", CLF_UINT, 0, NULL, &r.plan[1], NULL));
    refused_check_sort(&r, &sort);
    refused_close(&r);
}

/* ---- Plans ----------------------------------------------------------------------------------------------------- */

#define SORT_OF(...) {.size = sizeof(clf_operator), __VA_ARGS__}
#define RANGE "float range(clf_value v) { return v.x; }"

static const struct {
    clf_operator op;
    unsigned flags;
    clf_status status;
    const char *message; /* how it begins */
} wrong[] = {
    {SORT_OF(.value = NULL), 0, CLF_E_ARGUMENT, "the operator has no value fields"},
    {SORT_OF(.value = "float x;", .extra = "uint e;", .map = "m", .source = ""), 0, CLF_E_ARGUMENT,
     "a sort has no extra outputs"},
    {SORT_OF(.value = "float4 x;"), 0, CLF_E_ARGUMENT,
     "the first field of value is the key, and must be a scalar or ulong2"},
    {SORT_OF(.value = "ulong x[2];"), 0, CLF_E_ARGUMENT,
     "the first field of value is the key, and must be a scalar or ulong2"},
    {SORT_OF(.value = "float x;", .key = "float range"), 0, CLF_E_ARGUMENT, "the operator has no source"},
    {SORT_OF(.value = "float x;", .input = "int y;"), 0, CLF_E_ARGUMENT, ""},
    {SORT_OF(.value = "float x;", .map = "m"), 0, CLF_E_ARGUMENT, "the operator has no source"},
    {SORT_OF(.value = "float x;", .key = "range", .source = RANGE), 0, CLF_E_ARGUMENT, ""},
    {SORT_OF(.value = "float x;", .key = "", .source = RANGE), 0, CLF_E_ARGUMENT, ""},
    {SORT_OF(.value = "float x;", .key = "float4 range", .source = RANGE), 0, CLF_E_ARGUMENT,
     "clf_operator.key: keys are scalars or ulong2"},
    {SORT_OF(.value = "float x;", .key = "long2 range", .source = RANGE), 0, CLF_E_ARGUMENT,
     "clf_operator.key: keys are scalars or ulong2"},
    {SORT_OF(.value = "float x;", .key = "float range; float other", .source = RANGE), 0, CLF_E_ARGUMENT,
     "clf_operator.key: there is one function, such as \"float distance\""},
    {SORT_OF(.value = "float x;", .key = "clf_value range", .source = RANGE), 0, CLF_E_ARGUMENT, ""},
    {SORT_OF(.value = "float x;", .key = "float clf_range", .source = RANGE), 0, CLF_E_ARGUMENT, ""},
    {SORT_OF(.value = "float x;", .key = "float other", .source = RANGE), 0, CLF_E_OPERATOR,
     "clf_operator.key: the source has no function float other(clf_value"},
    {SORT_OF(.value = "float x;", .key = "uint range", .source = RANGE), 0, CLF_E_OPERATOR,
     "clf_operator.key: the source has no function uint range(clf_value"},
    {SORT_OF(.value = "float x;", .less = "range", .source = RANGE), 0, CLF_E_ARGUMENT, ""},
    {SORT_OF(.value = "float x;", .combine = "range", .source = RANGE), 0, CLF_E_ARGUMENT, ""},
    {SORT_OF(.value = "float x;", .neutral = "range", .source = RANGE), 0, CLF_E_ARGUMENT, ""},
    {SORT_OF(.value = "float x;", .captured = "int c;"), 0, CLF_E_ARGUMENT, ""},
    {SORT_OF(.value = "float x;"), CLF_EXCLUSIVE, CLF_E_ARGUMENT, ""},
    {SORT_OF(.value = "float x;"), 0x40000000u, CLF_E_ARGUMENT, ""},
};

TEST(refused_plans)
{
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    const clf_status status = clf_sort_plan(rig_context(NULL), &wrong[_i].op, wrong[_i].flags, NULL, &plan, &error);
    ck_assert_msg(status == wrong[_i].status && !plan, "%d: %d %s", _i, status, error.message);
    ck_assert_msg(error.message[0] != '\0' && strncmp(error.message, wrong[_i].message, strlen(wrong[_i].message)) == 0,
                  "%d: %s", _i, error.message);
}

TEST(plans_of_nothing)
{
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    const clf_operator *const scalar = ref_sort_of(CLF_DOUBLE)->clf;
    const clf_operator by_double = SORT_OF(.value = "float x;", .key = "double wide",
                                           .source = "double wide(clf_value v) { return v.x; }");
    const clf_operator sized = {.size = sizeof sized - 1, .value = "float x;"};
    assert_status(clf_sort_plan(NULL, &pairs, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_sort_plan(rig_context(NULL), NULL, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_sort_plan(rig_context(NULL), &pairs, 0, NULL, NULL, &error), CLF_E_ARGUMENT);
    assert_status(clf_sort_plan(rig_context(NULL), &sized, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_sort_plan(rig_context("fp64"), scalar, 0, NULL, &plan, &error), CLF_E_UNSUPPORTED);
    assert_status(clf_sort_plan(rig_context("fp64"), &by_double, 0, NULL, &plan, &error), CLF_E_UNSUPPORTED);
    assert_status(clf_scan_plan(rig_context(NULL), &pairs, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_ptr_null(plan);
}

/* What is merged is not made by a map. */
TEST(merges_of_mapped_values)
{
    const clf_plan_options options = {.size = sizeof options, .variant = "merge"};
    const clf_operator mapped = SORT_OF(.value = "uint k;", .input = "ushort k;", .map = "wide",
                                        .source =
                                            "clf_value wide(clf_input x, ulong i) { clf_value v = {x.k}; "
                                            "return v; }");
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    assert_status(clf_sort_plan(rig_context("cpu"), &mapped, 0, &options, &plan, &error), CLF_E_UNSUPPORTED);
    ck_assert_msg(strstr(error.message, "there is a map"), "%s", error.message);
    ck_assert_ptr_null(plan);
}

RIG_PART(add_sort_refusal_tests, {refused_sorts, 1}, {refused_plans, COUNT(wrong)}, {plans_of_nothing, 1},
         {merges_of_mapped_values, 1})
