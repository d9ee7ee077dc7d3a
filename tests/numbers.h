/* SPDX-License-Identifier: MIT */
/*
 * The simplest scan there is, a sum of ints, for tests that are about something else than numbers.
 */
#ifndef CLFOLD_TESTS_NUMBERS_H
#define CLFOLD_TESTS_NUMBERS_H

#include "harness.h"

enum { N = 20000 };

typedef struct numbers {
    clf_array in, out;
    cl_int expected[N]; /* of an inclusive scan */
} numbers;

clf_plan *sum_plan(const char *disable);

/* Random numbers, and an output full of a pattern. */
void numbers_open(numbers *x, uint64_t stream);
void numbers_close(numbers *x);

/* These may be called from any thread. */
bool is_scanned(const numbers *x, cl_command_queue queue);
bool is_untouched(const numbers *x, cl_command_queue queue);

cl_command_queue new_queue(bool unordered);

#endif
