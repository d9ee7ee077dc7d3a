/* SPDX-License-Identifier: MIT */
/* The test suites, one per file test_*.c; main.c runs them. */
#ifndef CLFOLD_SUITES_H
#define CLFOLD_SUITES_H

#include <check.h>

Suite *base_suite(void);
Suite *cache_suite(void);
Suite *tune_suite(void);
Suite *device_suite(void);
Suite *facts_suite(void);
Suite *program_suite(void);
Suite *scratch_suite(void);
Suite *check_suite(void);
Suite *launch_suite(void);
Suite *engine_suite(void);
Suite *scan_suite(void);
Suite *scan_options_suite(void);
Suite *segmented_scan_suite(void);
Suite *irregular_scan_suite(void);
Suite *reduce_suite(void);
Suite *irregular_reduce_suite(void);
Suite *transpose_suite(void);
Suite *adjacent_difference_suite(void);
Suite *filter_suite(void);
Suite *reduce_by_key_suite(void);
Suite *reduce_by_index_suite(void);
Suite *gather_suite(void);
Suite *merge_suite(void);
Suite *split_suite(void);
Suite *sort_suite(void);
Suite *segmented_sort_suite(void);
Suite *merge_sort_suite(void);
Suite *top_k_suite(void);
Suite *one_call_suite(void);
Suite *join_suite(void);
Suite *chain_suite(void);
Suite *stall_suite(void);
Suite *injection_suite(void);
Suite *api_suite(void);
Suite *given_suite(void);
Suite *little_suite(void);
Suite *large_suite(void);
Suite *kernel_suite(void);
Suite *names_suite(void);

#endif
