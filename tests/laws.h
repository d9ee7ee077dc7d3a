/* SPDX-License-Identifier: MIT */
/* Suite laws: operators written in a line, and what is said of those that break a law. */
#ifndef CLFOLD_TESTS_LAWS_H
#define CLFOLD_TESTS_LAWS_H

#include "harness.h"

#define OPERATOR(FIELDS, ...) \
    {.size = sizeof(clf_operator), .value = FIELDS, .combine = "combine", .neutral = "neutral", .source = __VA_ARGS__}
#define NEUTRAL(VALUES) "clf_value neutral(void) { clf_value e = {" VALUES "}; return e; }\n"
#define COMBINE(VALUES) "clf_value combine(clf_value x, clf_value y) { clf_value r = {" VALUES "}; return r; }\n"

/* Fails the test unless these laws are broken, and this is said of the first. */
void assert_broken(const clf_operator *op, const clf_laws_options *options, unsigned laws, const char *sentence);
/* Fails the test if a law does not hold for 32 values. */
void assert_lawful(const clf_operator *op, const char *name);
rig_part add_broken_law_tests, add_function_law_tests, add_captured_law_tests; /* of files of their own */

#endif
