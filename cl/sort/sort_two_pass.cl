/* SPDX-License-Identifier: MIT */
/*
 * sort_two_pass: a radix sort whose passes count, scan and scatter (digit/digit_two_pass.cl), so that no group waits
 * for another.
 *
 * needs: nothing
 * provides: nothing
 */
#include "sort/control.cl"
#include "sort/sort_keys.cl"
#include "digit/digit_two_pass.cl"
