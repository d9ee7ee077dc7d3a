/* SPDX-License-Identifier: MIT */
/* How suites are put together from tests. */
#include "harness.h"

bool rig_forks(void)
{
    return rig_number("CLFOLD_TEST_EACH", 0) != 0;
}

void rig_fixture(TCase *tests, void (*open)(void), void (*close)(void))
{
    if (rig_forks()) {
        tcase_add_checked_fixture(tests, open, close);
        tcase_set_timeout(tests, 600);
    } else {
        tcase_add_unchecked_fixture(tests, open, close);
    }
}

Suite *rig_suite_with(const char *name, void (*open)(void), void (*close)(void), TCase **tests)
{
    Suite *suite = suite_create(name);
    *tests = tcase_create(name);
    rig_fixture(*tests, open, close);
    suite_add_tcase(suite, *tests);
    return suite;
}

Suite *rig_suite(const char *name, TCase **tests)
{
    return rig_suite_with(name, rig_open, rig_close, tests);
}

void rig_add(TCase *tests, const rig_test *list)
{
    for (; list->test; ++list)
        tcase_add_loop_test(tests, list->test, 0, (int)list->times);
}

bool rig_wants_one_case(void)
{
    return rig_number("CLFOLD_TEST_CASE", -1) >= 0;
}

Suite *rig_suite_of(const char *name, const rig_test *list, const TTest *random, rig_part *const *parts)
{
    const bool one = random && rig_wants_one_case();
    TCase *tests;
    Suite *suite = rig_suite(name, &tests);
    if (!one)
        rig_add(tests, list);
    tcase_add_test(tests, random); /* NULL: none */
    for (; *parts && !one; ++parts)
        (*parts)(tests);
    return suite;
}
