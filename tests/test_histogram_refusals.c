/* SPDX-License-Identifier: MIT */
/*
 * Histograms by edges and by two ends that are refused, a part of suite `one_call`: what the sentence names.
 */
#include "harness.h"

TEST(refused_histograms)
{
    rig_told t = {0};
    const clf_call *const on = CLF_ON(the_rig()->queue);
    const clf_array none = {NULL, 0}, a = {rig_buffer(400, NULL), 0}, b = {rig_buffer(400, NULL), 0};
    const clf_array e = {rig_buffer(40, NULL), 0}, last = {e.buffer, 9}, inside = {b.buffer, 5}, start = {b.buffer, 0};
    const cl_ulong many = (cl_ulong)1 << 32;
    clf_context *const c = RIG_CONTEXT(.notify = rig_listen, .user = &t);
#define EDGES(status, sentence, ...) REFUSES(&t, status, sentence, clf_array_histogram_edges(c, on, __VA_ARGS__))
#define RANGE(status, sentence, ...) REFUSES(&t, status, sentence, clf_array_histogram_range(c, on, __VA_ARGS__))
    assert_status(clf_array_histogram_edges(NULL, on, CLF_INT, CLF_UINT, 0, 9, 9, e, a, b), CLF_E_ARGUMENT);
    assert_status(clf_array_histogram_range(NULL, on, CLF_FLOAT, CLF_UINT, 0, 9, 9, e, a, b), CLF_E_ARGUMENT);
    EDGES(ARGUMENT, "type is no clf_type", CLF_TYPE_COUNT, CLF_UINT, 0, 9, 9, e, a, b);
    EDGES(ARGUMENT, "count_type is neither CLF_UINT nor CLF_ULONG", CLF_INT, CLF_INT, 0, 9, 9, e, a, b);
    EDGES(ARGUMENT, "flags has more than CLF_UPPER_END", CLF_INT, CLF_UINT, CLF_DESCENDING, 9, 9, e, a, b);
    EDGES(OVERFLOW, "bins is more than 2^32 - 1", CLF_INT, CLF_UINT, 0, 9, many, e, a, b);
    EDGES(BUFFER, "edges.buffer ends before element 10", CLF_INT, CLF_UINT, 0, 9, 10, e, a, b);
    EDGES(ARGUMENT, "edges.buffer is NULL", CLF_INT, CLF_UINT, 0, 9, 9, none, a, b);
    EDGES(ALIAS, "out[0] overlaps edges", CLF_INT, CLF_UINT, 0, 9, 9, start, a, inside);
    EDGES(BUFFER, "in[0].buffer ends before element 100", CLF_INT, CLF_UINT, 0, 101, 9, e, a, b);
    EDGES(ARGUMENT, "out[0].buffer is NULL", CLF_INT, CLF_ULONG, 0, 9, 9, e, a, ((clf_array){NULL, 0}));
    RANGE(ARGUMENT, "type is neither CLF_FLOAT nor CLF_DOUBLE", CLF_INT, CLF_UINT, 0, 9, 9, e, a, b);
    RANGE(ARGUMENT, "count_type is neither CLF_UINT nor CLF_ULONG", CLF_FLOAT, CLF_FLOAT, 0, 9, 9, e, a, b);
    RANGE(ARGUMENT, "flags has more than CLF_UPPER_END", CLF_FLOAT, CLF_UINT, 1, 9, 9, e, a, b);
    RANGE(OVERFLOW, "bins is more than 2^32 - 256", CLF_FLOAT, CLF_UINT, 0, 9, many, e, a, b);
    RANGE(BUFFER, "low_and_high.buffer ends before element 10", CLF_FLOAT, CLF_UINT, 0, 9, 9, last, a, b);
    REFUSES(&t, BUFFER, "begin_and_width.buffer ends before element 10",
            clf_array_histogram_even(c, on, CLF_FLOAT, 9, 9, last, a, b));
    REFUSES(&t, ARGUMENT, "call is NULL", clf_array_histogram(c, NULL, CLF_INT, 9, 9, a, b));
    /* Without bins nothing is looked at; without elements there are zeros. */
    assert_ok(clf_array_histogram_edges(c, on, CLF_INT, CLF_UINT, 0, 9, 0, none, none, none));
    assert_ok(clf_array_histogram_edges(c, on, CLF_INT, CLF_UINT, 0, 0, 9, none, none, b));
    rig_release(a, b, e);
    clf_context_release(c);
}

RIG_PART(add_histogram_refusals, {refused_histograms, 1})
