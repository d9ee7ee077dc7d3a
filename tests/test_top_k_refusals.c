/* SPDX-License-Identifier: MIT */
/* What bad arguments of top-k come to: a part of suite `top_k`. */
#include "top_k_case.h"

static const clf_operator pairs = {.size = sizeof pairs, .value = "float key; uint payload;"};

START_TEST(refused_calls)
{
    rig_told t = {0};
    const clf_context_options options = {.size = sizeof options, .notify = rig_listen, .user = &t};
    const cl_command_queue q = the_rig()->queue;
    const cl_float initial[2] = {0};
    clf_context *context = NULL;
    clf_plan *plan = NULL, *other = NULL;
    assert_ok(clf_context_create(the_rig()->cl, the_rig()->device, &options, &context, NULL));
    assert_ok(clf_top_k_plan(context, &pairs, 0, NULL, &plan, NULL));
    assert_ok(clf_gather_plan(context, "int v;", CLF_UINT, 0, NULL, &other, NULL));
    const clf_array a = {rig_buffer(400, NULL), 0}, b = {rig_buffer(400, NULL), 0}, c = {rig_buffer(40, NULL), 0},
                    d = {rig_buffer(44, NULL), 0}, none = {NULL, 0}, scratch = {rig_buffer(1 << 20, NULL), 0};
    const clf_array in[] = {a, b}, out[] = {c, d}, twice[] = {c, c}, half[] = {c, none}, into_in[] = {a, b};
    const clf_array behind[] = {{c.buffer, 1}, d};
    const unsigned long before = layer_commands();
    rig_expect(&t, clf_top_k(plan, NULL, 9, 5, in, out), CLF_E_ARGUMENT, "clf_top_k: call is NULL");
    rig_expect(&t, clf_top_k(plan, CLF_ON(NULL), 9, 5, in, out), CLF_E_ARGUMENT, "clf_top_k: call->queue is NULL");
    rig_expect(&t, clf_top_k(plan, CLF_ON(q), 9, 5, NULL, out), CLF_E_ARGUMENT, "clf_top_k: in is NULL");
    rig_expect(&t, clf_top_k(plan, CLF_ON(q), 9, 5, in, NULL), CLF_E_ARGUMENT, "clf_top_k: out is NULL");
    rig_expect(&t, clf_top_k(plan, CLF_ON(q), 9, 5, half, out), CLF_E_ARGUMENT, "clf_top_k: in[1].buffer is NULL");
    rig_expect(&t, clf_top_k(plan, CLF_ON(q), 101, 5, in, out), CLF_E_BUFFER,
               "clf_top_k: in[0].buffer ends before element 100");
    rig_expect(&t, clf_top_k(plan, CLF_ON(q), 100, 11, in, out), CLF_E_BUFFER,
               "clf_top_k: out[0].buffer ends before element 10");
    rig_expect(&t, clf_top_k(plan, CLF_ON(q), 100, 10, in, behind), CLF_E_BUFFER,
               "clf_top_k: out[0].buffer ends before element 10");
    rig_expect(&t, clf_top_k(plan, CLF_ON(q), 9, 5, in, twice), CLF_E_ALIAS, "clf_top_k: out[1] overlaps out[0]");
    rig_expect(&t, clf_top_k(plan, CLF_ON(q), 9, 9, in, into_in), CLF_E_ALIAS, "clf_top_k: out[0] overlaps in[0]");
    rig_expect(&t, clf_top_k(plan, CLF_ON(q), UINT64_MAX, 1, in, out), CLF_E_OVERFLOW,
               "clf_top_k: the end of in[0] does not fit the address space");
    rig_expect(&t, clf_segmented_top_k(plan, CLF_ON(q), UINT64_MAX, 2, 1, in, out), CLF_E_OVERFLOW,
               "clf_segmented_top_k: count * size does not fit 64 bits");
    rig_expect(&t, clf_segmented_top_k(plan, CLF_ON(q), 10, 10, 2, in, out), CLF_E_BUFFER,
               "clf_segmented_top_k: out[0].buffer ends before element 19");
    clf_call call = {.size = sizeof call, .queue = q, .initial = initial};
    rig_expect(&t, clf_top_k(plan, &call, 9, 5, in, out), CLF_E_ARGUMENT, "clf_top_k: a top-k has no initial value");
    call = (clf_call){.size = sizeof call, .queue = q, .actual = d};
    rig_expect(&t, clf_top_k(plan, &call, 9, 5, in, out), CLF_E_ARGUMENT,
               "clf_top_k: call->actual and call->initial_arrays are for plans with CLF_FROM_DEVICE");
    call = (clf_call){.size = sizeof call, .queue = q, .out_count = 4};
    rig_expect(&t, clf_top_k(plan, &call, 9, 5, in, out), CLF_E_ARGUMENT,
               "clf_top_k: call->out_count is 4, and the operator has 2 arrays there");
    call = (clf_call){.size = sizeof call, .queue = q, .scratch = {scratch.buffer, 8}};
    rig_expect(&t, clf_top_k(plan, &call, 100, 5, in, out), CLF_E_SCRATCH,
               "clf_top_k: scratch.offset is no multiple of 16");
    call = (clf_call){.size = sizeof call, .queue = q, .scratch = {scratch.buffer, (1 << 20) - 16}};
    assert_status(clf_top_k(plan, &call, 100, 5, in, out), CLF_E_SCRATCH);
    t = (rig_told){0};
    assert_status(clf_top_k(other, CLF_ON(q), 9, 5, in, out), CLF_E_ARGUMENT);
    assert_status(clf_top_k(NULL, CLF_ON(q), 9, 5, in, out), CLF_E_ARGUMENT);
    assert_status(clf_segmented_top_k(other, CLF_ON(q), 1, 9, 5, in, out), CLF_E_ARGUMENT);
    ck_assert_uint_eq(layer_commands(), before);
    assert_ok(clf_top_k(plan, CLF_ON(q), 0, 5, NULL, NULL));
    assert_ok(clf_top_k(plan, CLF_ON(q), 100, 0, NULL, NULL));
    assert_ok(clf_segmented_top_k(plan, CLF_ON(q), 0, 9, 5, NULL, NULL));
    assert_ok(clFinish(q));
    const cl_mem buffers[] = {a.buffer, b.buffer, c.buffer, d.buffer, scratch.buffer};
    for (size_t i = 0; i < COUNT(buffers); i++)
        clReleaseMemObject(buffers[i]);
    clf_plan_release(plan);
    clf_plan_release(other);
    clf_context_release(context);
}
END_TEST

START_TEST(refused_plans)
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
END_TEST

void add_top_k_refusal_tests(TCase *tests)
{
    tcase_add_test(tests, refused_calls);
    tcase_add_test(tests, refused_plans);
}
