/* SPDX-License-Identifier: MIT */
/*
 * An operator that is nothing but its fields, for the tests of arrays and of kernels' arguments.
 */
#ifndef CLFOLD_TESTS_FIELDS_H
#define CLFOLD_TESTS_FIELDS_H

#include "harness.h"

#include "operator/operator.h"

/* One input field, two value fields of different sizes, no extra. */
static inline clf_operator_copy make_fields(void)
{
    clf_operator_copy op = {.in_sets = 1, .out_sets = 1};
    assert_ok(clf_fields_parse("int x;", "input", &op.input, NULL));
    assert_ok(clf_fields_parse("int a; short b;", "value", &op.value, NULL));
    return op;
}

#endif
