/* SPDX-License-Identifier: MIT */
/*
 * The test suites, one per file test_*.c, in the order of clfold-tests --list. This is the only list of them: main.c
 * runs these, and CMakeLists.txt reads their names here.
 */
#ifndef CLFOLD_SUITES_H
#define CLFOLD_SUITES_H

/*
 * Primitives that join all other tests by a row of this list, and define what is declared for each: how plans are made
 * (NAME_row, in ref_NAME.c), their calls in suite injection (NAME_subjects) and in suite kernel
 * (add_NAME_kernel_tests), and the fuzzer's (run_NAME, NAME_operand).
 */
#define TEST_PRIMITIVES(F) \
    F(expand) F(irregular_top_k)

#define TEST_SUITES(F)     \
    F(base)                \
    F(cache)               \
    F(tune)                \
    F(device)              \
    F(facts)               \
    F(program)             \
    F(scratch)             \
    F(check)               \
    F(launch)              \
    F(engine)              \
    F(api)                 \
    F(kernel)              \
    F(names)               \
    F(scan)                \
    F(scan_options)        \
    F(segmented_scan)      \
    F(irregular_scan)      \
    F(reduce)              \
    F(irregular_reduce)    \
    F(transpose)           \
    F(adjacent_difference) \
    F(filter)              \
    F(reduce_by_key)       \
    F(reduce_by_index)     \
    F(repeatable)          \
    F(reverse)             \
    F(extremes)            \
    F(gather)              \
    TEST_PRIMITIVES(F)     \
    F(merge)               \
    F(split)               \
    F(sort)                \
    F(segmented_sort)      \
    F(merge_sort)          \
    F(top_k)               \
    F(one_call)            \
    F(types)               \
    F(join)                \
    F(laws)                \
    F(chain)               \
    F(stall)               \
    F(given)               \
    F(finish)              \
    F(with_segment)        \
    F(place)               \
    F(wanted)              \
    F(little)              \
    F(injection)           \
    F(large)

struct Suite;
#define DECLARE(name) struct Suite *name##_suite(void);
TEST_SUITES(DECLARE)
#undef DECLARE

#endif
