/* SPDX-License-Identifier: MIT */
/* What bad arguments of top-k come to: a part of suite `top_k`. */
#include "refused.h"

static const clf_operator pairs = {.size = sizeof pairs, .value = "float key; uint payload;"};

/* All that there are. */
static clf_status top_n(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in, const clf_array *out)
{
    return clf_top_k(plan, call, n, n, in, out);
}

TEST(refused_calls)
{
    static const refused_sort sort = {"clf_top_k", "a top-k has no initial value", top_n, false, false};
    refused r;
    refused_open(&r);
    assert_ok(clf_top_k_plan(r.context, &pairs, 0, NULL, &r.plan[0], NULL));
    assert_ok(clf_gather_plan(r.context, "int v;", CLF_UINT, 0, NULL, &r.plan[1], NULL));
    refused_check_sort(&r, &sort);
    const clf_call *const on = CLF_ON(r.queue);
    clf_plan *const plan = r.plan[0], *const other = r.plan[1];
    const clf_array in[] = {refused_array(&r, 400), refused_array(&r, 400)};
    const clf_array out[] = {refused_array(&r, 40), refused_array(&r, 44)}, behind[] = {{out[0].buffer, 1}, out[1]};
    const unsigned long before = layer_commands();
    REFUSES(&r.told, BUFFER, "out[0].buffer ends before element 10", clf_top_k(plan, on, 100, 11, in, out));
    REFUSES(&r.told, BUFFER, "out[0].buffer ends before element 10", clf_top_k(plan, on, 100, 10, in, behind));
    REFUSES(&r.told, OVERFLOW, "the end of in[0] does not fit the address space",
            clf_top_k(plan, on, UINT64_MAX, 1, in, out));
    REFUSES(&r.told, OVERFLOW, "count * size does not fit 64 bits",
            clf_segmented_top_k(plan, on, UINT64_MAX, 2, 1, in, out));
    REFUSES(&r.told, BUFFER, "out[0].buffer ends before element 19", clf_segmented_top_k(plan, on, 10, 10, 2, in, out));
    assert_status(clf_segmented_top_k(other, on, 1, 9, 5, in, out), CLF_E_ARGUMENT);
    ck_assert_uint_eq(layer_commands(), before);
    assert_ok(clf_top_k(plan, on, 0, 5, NULL, NULL));
    assert_ok(clf_top_k(plan, on, 100, 0, NULL, NULL));
    assert_ok(clf_segmented_top_k(plan, on, 0, 9, 5, NULL, NULL));
    refused_close(&r);
}

TEST(refused_plans)
{
    const clf_operator bad = {.size = sizeof bad, .value = "float4 x;"},
                       less = {.size = sizeof less, .value = "float x;", .less = "f", .source = ""},
                       extra = {.size = sizeof extra, .value = "float x;", .extra = "uint e;", .map = "m",
                                .source = ""};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    assert_status(clf_top_k_plan(NULL, &pairs, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_top_k_plan(rig_context(NULL), NULL, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_top_k_plan(rig_context(NULL), &pairs, 0, NULL, NULL, &error), CLF_E_ARGUMENT);
    assert_status(clf_top_k_plan(rig_context(NULL), &pairs, CLF_EXCLUSIVE, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_top_k_plan(rig_context(NULL), &bad, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_top_k_plan(rig_context(NULL), &less, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_top_k_plan(rig_context(NULL), &extra, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, "a top_k has no extra outputs");
    assert_status(clf_sort_plan(rig_context(NULL), &pairs, CLF_UNSORTED, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_ptr_null(plan);
}

RIG_PART(add_top_k_refusal_tests, {refused_calls, 1}, {refused_plans, 1})
