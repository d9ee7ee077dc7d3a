/* SPDX-License-Identifier: MIT */
/* Minima and maxima of floating numbers, NaNs among them: data, and the rule in a few lines. */
#ifndef CLFOLD_TESTS_EXTREMES_H
#define CLFOLD_TESTS_EXTREMES_H

#include "harness.h"

/* n numbers: runs of NaNs alone, NaNs among numbers, zeros of both signs, infinities. */
void extremes_fill(gen *random, float *x, size_t n);
/* A NaN of any sign and payload. */
float extremes_nan(gen *random);

/*
 * The rule: of numbers the least, or the largest; of NaNs alone NaN; of nothing infinity. An initial value, or NULL, is
 * one of them. `op`: CLF_MIN or CLF_MAX.
 */
float extremes_of(clf_op op, const float *initial, const float *x, size_t n);
/* Fails the test where a result is not what the rule says. */
void extremes_expect(float got, float wanted, const char *what, size_t i);

#endif
