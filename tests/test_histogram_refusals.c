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
#define EDGES(type, counts, flags, n, bins, edges, in, out) \
    clf_array_histogram_edges(c, on, type, counts, flags, n, bins, edges, in, out)
#define RANGE(type, counts, flags, n, bins, ends, in, out) \
    clf_array_histogram_range(c, on, type, counts, flags, n, bins, ends, in, out)
    assert_status(clf_array_histogram_edges(NULL, on, CLF_INT, CLF_UINT, 0, 9, 9, e, a, b), CLF_E_ARGUMENT);
    assert_status(clf_array_histogram_range(NULL, on, CLF_FLOAT, CLF_UINT, 0, 9, 9, e, a, b), CLF_E_ARGUMENT);
    rig_expect(&t, EDGES(CLF_TYPE_COUNT, CLF_UINT, 0, 9, 9, e, a, b), CLF_E_ARGUMENT,
               "clf_array_histogram_edges: type is no clf_type");
    rig_expect(&t, EDGES(CLF_INT, CLF_INT, 0, 9, 9, e, a, b), CLF_E_ARGUMENT,
               "clf_array_histogram_edges: count_type is neither CLF_UINT nor CLF_ULONG");
    rig_expect(&t, EDGES(CLF_INT, CLF_UINT, CLF_DESCENDING, 9, 9, e, a, b), CLF_E_ARGUMENT,
               "clf_array_histogram_edges: flags has more than CLF_UPPER_END");
    rig_expect(&t, EDGES(CLF_INT, CLF_UINT, 0, 9, many, e, a, b), CLF_E_OVERFLOW,
               "clf_array_histogram_edges: bins is more than 2^32 - 1");
    rig_expect(&t, EDGES(CLF_INT, CLF_UINT, 0, 9, 10, e, a, b), CLF_E_BUFFER,
               "clf_array_histogram_edges: edges.buffer ends before element 10");
    rig_expect(&t, EDGES(CLF_INT, CLF_UINT, 0, 9, 9, none, a, b), CLF_E_ARGUMENT,
               "clf_array_histogram_edges: edges.buffer is NULL");
    rig_expect(&t, EDGES(CLF_INT, CLF_UINT, 0, 9, 9, start, a, inside), CLF_E_ALIAS,
               "clf_array_histogram_edges: out[0] overlaps edges");
    rig_expect(&t, EDGES(CLF_INT, CLF_UINT, 0, 101, 9, e, a, b), CLF_E_BUFFER,
               "clf_array_histogram_edges: in[0].buffer ends before element 100");
    rig_expect(&t, EDGES(CLF_INT, CLF_ULONG, 0, 9, 9, e, a, ((clf_array){NULL, 0})), CLF_E_ARGUMENT,
               "clf_array_histogram_edges: out[0].buffer is NULL");
    rig_expect(&t, RANGE(CLF_INT, CLF_UINT, 0, 9, 9, e, a, b), CLF_E_ARGUMENT,
               "clf_array_histogram_range: type is neither CLF_FLOAT nor CLF_DOUBLE");
    rig_expect(&t, RANGE(CLF_FLOAT, CLF_FLOAT, 0, 9, 9, e, a, b), CLF_E_ARGUMENT,
               "clf_array_histogram_range: count_type is neither CLF_UINT nor CLF_ULONG");
    rig_expect(&t, RANGE(CLF_FLOAT, CLF_UINT, 1, 9, 9, e, a, b), CLF_E_ARGUMENT,
               "clf_array_histogram_range: flags has more than CLF_UPPER_END");
    rig_expect(&t, RANGE(CLF_FLOAT, CLF_UINT, 0, 9, many, e, a, b), CLF_E_OVERFLOW,
               "clf_array_histogram_range: bins is more than 2^32 - 256");
    rig_expect(&t, RANGE(CLF_FLOAT, CLF_UINT, 0, 9, 9, last, a, b), CLF_E_BUFFER,
               "clf_array_histogram_range: low_and_high.buffer ends before element 10");
    REFUSES(&t, BUFFER, "begin_and_width.buffer ends before element 10",
            clf_array_histogram_even(c, on, CLF_FLOAT, 9, 9, last, a, b));
    REFUSES(&t, ARGUMENT, "call is NULL", clf_array_histogram(c, NULL, CLF_INT, 9, 9, a, b));
    assert_ok(EDGES(CLF_INT, CLF_UINT, 0, 9, 0, none, none, none)); /* no bins: nothing is looked at */
    assert_ok(EDGES(CLF_INT, CLF_UINT, 0, 0, 9, none, none, b));    /* no elements: zeros */
    rig_release(a, b, e);
    clf_context_release(c);
}

void add_histogram_refusals(TCase *tests)
{
    tcase_add_test(tests, refused_histograms);
}
