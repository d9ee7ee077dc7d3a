/* SPDX-License-Identifier: MIT */
/* Captured arrays of functions that compare, or make keys: what is refused. */
#include "harness.h"

#include <string.h>

enum { LIMIT = 400 };

static const clf_operator by_rank = {
    .size = sizeof(clf_operator), .value = "uint x;", .captured = "ushort column; ulong row;", .less = "before",
    .source = "bool before(clf_input a, clf_input b, const clf_captured *c)\n"
              "{ return c->column[a.x] < c->column[b.x] + (c->row[a.x] & 0); }\n"};

static const clf_operator by_column = {
    .size = sizeof(clf_operator), .value = "uint x;", .captured = "ushort column; ulong row;", .key = "ushort at",
    .source = "ushort at(clf_value v, const clf_captured *c) { return c->column[v.x] + (c->row[v.x] & 0); }\n"};

/* Sorts that look into captured arrays. */
static const struct {
    const clf_operator *op;
    rig_planner *plan;
    clf_status (*call)(clf_plan *, const clf_call *, cl_ulong, const clf_array *, const clf_array *);
} sorts[] = {{&by_rank, clf_merge_sort_plan, clf_merge_sort}, {&by_column, clf_sort_plan, clf_sort}};

static void refuse_order(const clf_operator *op, clf_status status, const char *sentence)
{
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    assert_status(clf_merge_sort_plan(rig_context(NULL), op, 0, NULL, &plan, &error), status);
    ck_assert_msg(strstr(error.message, sentence), "\"%s\", not \"%s\"", error.message, sentence);
}

#define CALLS(function) "clf_operator.captured: map, predicate, part, same, less, key, finish and place read " \
                        "captured arrays, and with CLF_COMBINE_CAPTURES combine. The primitive calls " function \
                        ", and there is no map"
TEST(functions_that_capture_nothing)
{
    clf_operator runs = {.size = sizeof runs, .value = "uint x;", .captured = "uint y;", .same = "alike",
                         .source = "bool alike(clf_input a, clf_input b) { return a.x == b.x; }"};
    clf_operator op = by_rank;
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    op.source = "bool before(clf_input a, clf_input b) { return a.x < b.x; }";
    refuse_order(&op, CLF_E_OPERATOR,
                 "clf_operator.less: the source has no function bool before"
                 "(clf_input clf_a, clf_input clf_b, const clf_captured *clf_c)");
    op = by_rank;
    op.captured = NULL;
    refuse_order(&op, CLF_E_OPERATOR, "");
    assert_status(clf_unique_plan(rig_context(NULL), &runs, 0, NULL, &plan, &error), CLF_E_OPERATOR);
    ck_assert_str_eq(error.message,
                     "clf_operator.same: the source has no function bool alike"
                     "(clf_input clf_a, clf_input clf_b, const clf_captured *clf_c)");
    op = (clf_operator){.size = sizeof op, .value = "uint x;", .captured = "uint y;", .key = "uint radius",
                        .source = "uint radius(clf_value v) { return v.x; }"};
    assert_status(clf_sort_plan(rig_context(NULL), &op, 0, NULL, &plan, &error), CLF_E_OPERATOR);
    ck_assert_str_eq(error.message,
                     "clf_operator.key: the source has no function uint radius"
                     "(clf_value clf_a, const clf_captured *clf_c)");
    op.key = NULL;
    assert_status(clf_sort_plan(rig_context(NULL), &op, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, CALLS("key"));
    op = (clf_operator){.size = sizeof op, .value = "uint x;", .captured = "uint y;", .combine = "add",
                        .neutral = "zero", .source = "?"};
    assert_status(clf_scan_plan(rig_context(NULL), &op, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, CALLS("combine"));
}

TEST(captured_by_sorts_and_overlapping)
{
    clf_status (*const sort)(clf_plan *, const clf_call *, cl_ulong, const clf_array *,
                             const clf_array *) = sorts[_i].call;
    const clf_array buffer[] = {{rig_buffer(4 * LIMIT, NULL), 0}, {rig_buffer(4 * LIMIT, NULL), 0},
                                {rig_buffer(8 * LIMIT, NULL), 0}, {rig_buffer(4 * LIMIT, NULL), 0}};
    const clf_array *const out = &buffer[3];
    cl_ulong bytes = 0;
    clf_plan *plan = RIG_PLAN(sorts[_i].plan, rig_context(NULL), sorts[_i].op, 0, NULL);
    assert_ok(clf_plan_scratch(plan, LIMIT, 0, &bytes));
    clf_call call = {.size = sizeof call, .queue = the_rig()->queue, .in_count = 3, .out_count = 1};
    clf_array in[] = {buffer[0], buffer[1], {NULL, 0}};
    assert_status(sort(plan, &call, 100, in, out), CLF_E_ARGUMENT);
    in[2] = (clf_array){buffer[2].buffer, LIMIT};
    assert_status(sort(plan, &call, 100, in, out), CLF_E_BUFFER);
    in[2] = buffer[3];
    assert_status(sort(plan, &call, 100, in, out), CLF_E_ALIAS);
    in[2] = in[0]; /* what is sorted in place is no table */
    assert_status(sort(plan, &call, 100, in, in), CLF_E_ALIAS);
    call.in_count = 1;
    assert_status(sort(plan, &call, 100, buffer, out), CLF_E_ARGUMENT);
    call.in_count = 3;
    call.scratch = (clf_array){rig_buffer((size_t)bytes + 16, NULL), 0};
    in[2] = call.scratch;
    if (bytes) /* a call without scratch would run, and read past that table */
        assert_status(sort(plan, &call, LIMIT, in, out), CLF_E_ALIAS);
    clReleaseMemObject(call.scratch.buffer);
    clf_plan_release(plan);
    assert_ok(sorts[_i].plan(rig_context(NULL), sorts[_i].op, CLF_OVERWRITE_INPUT, NULL, &plan, NULL));
    call.scratch.buffer = NULL;
    in[2] = in[0]; /* nor is what is overwritten */
    assert_status(sort(plan, &call, 100, in, out), CLF_E_ALIAS);
    clf_plan_release(plan);
    for (size_t i = 0; i < COUNT(buffer); ++i)
        clReleaseMemObject(buffer[i].buffer);
}

/* Not of suite kernel: Oclgrind's compiler does not say which function a source lacks. */
RIG_PART(add_captured_refusals, {functions_that_capture_nothing, 1}, {captured_by_sorts_and_overlapping, 2})
