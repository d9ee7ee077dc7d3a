/* SPDX-License-Identifier: MIT */
/* What bad arguments of sorts come to: a part of suite `sort`. */
#include "sort_case.h"

#include <string.h>

/* ---- Calls ----------------------------------------------------------------------------------------------------- */

static const clf_operator pairs = {.size = sizeof pairs, .value = "float key; uint payload;"};

START_TEST(refused_sorts)
{
    rig_told t = {0};
    const clf_context_options options = {.size = sizeof options, .notify = rig_listen, .user = &t};
    const cl_command_queue q = the_rig()->queue;
    const cl_float initial[2] = {0};
    clf_context *context = NULL;
    clf_plan *plan = NULL, *other = NULL;
    cl_ulong bytes = 0;
    assert_ok(clf_context_create(the_rig()->cl, the_rig()->device, &options, &context, NULL));
    assert_ok(clf_sort_plan(context, &pairs, 0, NULL, &plan, NULL));
    assert_ok(clf_gather_plan(context, "int v;", CLF_UINT, 0, NULL, &other, NULL));
    assert_ok(clf_plan_scratch(plan, 100, 0, &bytes));
    const clf_array a = {rig_buffer(400, NULL), 0}, b = {rig_buffer(400, NULL), 0}, c = {rig_buffer(400, NULL), 0},
                    d = {rig_buffer(408, NULL), 0}, none = {NULL, 0}, d1 = {d.buffer, 1},
                    scratch = {rig_buffer((size_t)bytes + 16, NULL), 0};
    const clf_array in[] = {a, b}, out[] = {c, d}, twice[] = {c, c}, half[] = {c, none}, beside[] = {c, d1};
    const clf_array in_d[] = {a, d}, behind[] = {{c.buffer, 1}, d}, into_in[] = {a, a};
    const unsigned long before = layer_commands();
    rig_expect(&t, clf_sort(plan, NULL, 9, in, out), CLF_E_ARGUMENT, "clf_sort: call is NULL");
    rig_expect(&t, clf_sort(plan, CLF_ON(NULL), 9, in, out), CLF_E_ARGUMENT, "clf_sort: call->queue is NULL");
    rig_expect(&t, clf_sort(plan, CLF_ON(q), 9, NULL, out), CLF_E_ARGUMENT, "clf_sort: in is NULL");
    rig_expect(&t, clf_sort(plan, CLF_ON(q), 9, in, NULL), CLF_E_ARGUMENT, "clf_sort: out is NULL");
    rig_expect(&t, clf_sort(plan, CLF_ON(q), 9, half, out), CLF_E_ARGUMENT, "clf_sort: in[1].buffer is NULL");
    rig_expect(&t, clf_sort(plan, CLF_ON(q), 9, in, half), CLF_E_ARGUMENT, "clf_sort: out[1].buffer is NULL");
    rig_expect(&t, clf_sort(plan, CLF_ON(q), 101, in, out), CLF_E_BUFFER,
               "clf_sort: in[0].buffer ends before element 100");
    rig_expect(&t, clf_sort(plan, CLF_ON(q), 100, in, behind), CLF_E_BUFFER,
               "clf_sort: out[0].buffer ends before element 100");
    rig_expect(&t, clf_sort(plan, CLF_ON(q), 9, in, twice), CLF_E_ALIAS, "clf_sort: out[1] overlaps out[0]");
    rig_expect(&t, clf_sort(plan, CLF_ON(q), 9, in, into_in), CLF_E_ALIAS, "clf_sort: out[1] overlaps out[0]");
    rig_expect(&t, clf_sort(plan, CLF_ON(q), 9, in_d, beside), CLF_E_ALIAS, "clf_sort: out[1] overlaps in[1]");
    rig_expect(&t, clf_sort(plan, CLF_ON(q), UINT64_MAX, in, out), CLF_E_OVERFLOW,
               "clf_sort: the end of in[0] does not fit the address space");
    clf_call call = {.size = sizeof call, .queue = q, .initial = initial};
    rig_expect(&t, clf_sort(plan, &call, 9, in, out), CLF_E_ARGUMENT, "clf_sort: a sort has no initial value");
    call = (clf_call){.size = sizeof call, .queue = q, .initial_arrays = in};
    rig_expect(&t, clf_sort(plan, &call, 9, in, out), CLF_E_ARGUMENT, "clf_sort: a sort has no initial value");
    call = (clf_call){.size = sizeof call, .queue = q, .actual = d};
    rig_expect(&t, clf_sort(plan, &call, 9, in, out), CLF_E_ARGUMENT,
               "clf_sort: call->actual and call->initial_arrays are for plans with CLF_FROM_DEVICE");
    call = (clf_call){.size = sizeof call, .queue = q, .out_count = 4};
    rig_expect(&t, clf_sort(plan, &call, 9, in, out), CLF_E_ARGUMENT,
               "clf_sort: call->out_count is 4, and the operator has 2 arrays there");
    call = (clf_call){.size = sizeof call, .queue = q, .in_count = 1};
    rig_expect(&t, clf_sort(plan, &call, 9, in, out), CLF_E_ARGUMENT,
               "clf_sort: call->in_count is 1, and the operator has 2 arrays there");
    call = (clf_call){.size = sizeof call, .queue = q, .scratch = {scratch.buffer, 8}};
    rig_expect(&t, clf_sort(plan, &call, 100, in, out), CLF_E_SCRATCH,
               "clf_sort: scratch.offset is no multiple of 16");
    call = (clf_call){.size = sizeof call, .queue = q, .scratch = {scratch.buffer, 32}};
    assert_status(clf_sort(plan, &call, 100, in, out), CLF_E_SCRATCH);
    t = (rig_told){0};
    call = (clf_call){.size = sizeof call, .queue = q, .scratch = scratch};
    rig_expect(&t, clf_sort(plan, &call, 9, in, (clf_array[]){c, scratch}), CLF_E_ALIAS,
               "clf_sort: call->scratch overlaps out[1]");
    assert_status(clf_sort(other, CLF_ON(q), 9, in, out), CLF_E_ARGUMENT);
    assert_status(clf_sort(NULL, CLF_ON(q), 9, in, out), CLF_E_ARGUMENT);
    ck_assert_uint_eq(layer_commands(), before);
    assert_ok(clf_sort(plan, CLF_ON(q), 0, NULL, NULL));
    assert_ok(clf_sort(plan, &call, 100, in, in));
    assert_ok(clFinish(q));
    const cl_mem buffers[] = {a.buffer, b.buffer, c.buffer, d.buffer, scratch.buffer};
    for (size_t i = 0; i < COUNT(buffers); i++)
        clReleaseMemObject(buffers[i]);
    clf_plan_release(plan);
    clf_plan_release(other);
    clf_context_release(context);
}
END_TEST

/* ---- Plans ----------------------------------------------------------------------------------------------------- */

#define SORT_OF(...) {.size = sizeof(clf_operator), __VA_ARGS__}
#define RANGE "float range(clf_value v) { return v.x; }"

static const struct {
    clf_operator op;
    unsigned flags;
    clf_status status;
    const char *message; /* how it begins */
} refused[] = {
    {SORT_OF(.value = NULL), 0, CLF_E_ARGUMENT, "the operator has no value fields"},
    {SORT_OF(.value = "float x;", .extra = "uint e;", .map = "m", .source = ""), 0, CLF_E_ARGUMENT,
     "a sort has no extra outputs"},
    {SORT_OF(.value = "float4 x;"), 0, CLF_E_ARGUMENT, "the first field of value is the key, and must be a scalar"},
    {SORT_OF(.value = "float x;", .key = "float range"), 0, CLF_E_ARGUMENT, "the operator has no source"},
    {SORT_OF(.value = "float x;", .input = "int y;"), 0, CLF_E_ARGUMENT, ""},
    {SORT_OF(.value = "float x;", .map = "m"), 0, CLF_E_ARGUMENT, "the operator has no source"},
    {SORT_OF(.value = "float x;", .key = "range", .source = RANGE), 0, CLF_E_ARGUMENT, ""},
    {SORT_OF(.value = "float x;", .key = "", .source = RANGE), 0, CLF_E_ARGUMENT, ""},
    {SORT_OF(.value = "float x;", .key = "float4 range", .source = RANGE), 0, CLF_E_ARGUMENT,
     "clf_operator.key: keys are scalars"},
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

START_TEST(refused_plans)
{
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    const clf_status status =
        clf_sort_plan(rig_context(NULL), &refused[_i].op, refused[_i].flags, NULL, &plan, &error);
    ck_assert_msg(status == refused[_i].status && !plan, "%d: %d %s", _i, status, error.message);
    ck_assert_msg(error.message[0] != '\0' &&
                      strncmp(error.message, refused[_i].message, strlen(refused[_i].message)) == 0,
                  "%d: %s", _i, error.message);
}
END_TEST

START_TEST(plans_of_nothing)
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
END_TEST

void add_sort_refusal_tests(TCase *tests)
{
    tcase_add_test(tests, refused_sorts);
    tcase_add_loop_test(tests, refused_plans, 0, COUNT(refused));
    tcase_add_test(tests, plans_of_nothing);
}
