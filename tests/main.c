/* SPDX-License-Identifier: MIT */
/*
 * clfold-tests: runs the suites of suites.h.
 *
 *     clfold-tests [--suite NAME]... [--device N|TEXT] [--seed N] [--case K] [--each] [--list]
 *
 * Options reach the suites as environment variables, which work by themselves too: CLFOLD_TEST_DEVICE,
 * CLFOLD_TEST_SEED, CLFOLD_TEST_CASE. The seed has a fixed default, so that a plain run is repeatable.
 * Tests do not fork, for an OpenCL platform does not survive it, but with --each: then every test is a process that
 * opens the device for itself, so that one which a driver ends is one failure. Timeouts are ctest's.
 */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif
#include "suites.h"

#include "harness.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    Suite *(*create)(void);
} suites[] = {
#define ROW(name) {#name, name##_suite},
    TEST_SUITES(ROW)
#undef ROW
};
enum { SUITES = sizeof(suites) / sizeof(suites[0]) };

static const char default_seed[] = "1";

static const struct {
    const char *option, *variable;
} settings[] = {
    {"--device", "CLFOLD_TEST_DEVICE"},
    {"--seed", "CLFOLD_TEST_SEED"},
    {"--case", "CLFOLD_TEST_CASE"},
};
enum { DEVICE }; /* the one that is no number */

static bool apply_setting(const char *option, const char *value)
{
    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); ++i) {
        if (strcmp(option, settings[i].option) == 0 && (i == DEVICE || rig_is_number(value))) {
            rig_set(settings[i].variable, value);
            return true;
        }
    }
    return false;
}

static bool choose_suite(const char *name, bool chosen[SUITES])
{
    for (int i = 0; i < SUITES; ++i) {
        if (strcmp(name, suites[i].name) == 0) {
            chosen[i] = true;
            return true;
        }
    }
    fprintf(stderr, "clfold-tests: no suite %s; see --list\n", name);
    return false;
}

static int usage(void)
{
    fputs("usage: clfold-tests [--suite NAME]... [--device N|TEXT] [--seed N] [--case K] [--each] [--list]\n", stderr);
    return 2;
}

static int list_suites(void)
{
    for (int i = 0; i < SUITES; ++i)
        puts(suites[i].name);
    return 0;
}

/* Whatever a suite makes it releases, and so does clfold: all objects of OpenCL and allocations (layer.h). */
static bool nothing_is_left(void)
{
    static const layer_ledger empty;
    const layer_ledger left = layer_count();
    if (layer_difference(&empty, &left) == LAYER_KINDS)
        return true;
    fputs("not released, or too often:", stdout);
    for (int kind = 0; kind < LAYER_KINDS; ++kind)
        if (left.live[kind] != 0)
            printf(" %ld %s", left.live[kind], layer_kind_name((layer_kind)kind));
    puts("");
    return false;
}

/* The last line is what run.sh adds up. */
static int run(const bool chosen[SUITES], bool all)
{
    SRunner *runner = srunner_create(NULL);
    for (int i = 0; i < SUITES; ++i) {
        if (all || chosen[i])
            srunner_add_suite(runner, suites[i].create());
    }
    srunner_set_fork_status(runner, rig_forks() ? CK_FORK : CK_NOFORK);
    printf("seed %s\n", getenv("CLFOLD_TEST_SEED"));
    fflush(stdout);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    int passed = srunner_ntests_run(runner) - failed;
    srunner_free(runner);
    if (nothing_is_left())
        ++passed;
    else
        ++failed;
    printf("%d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}

int main(int argc, char **argv)
{
    bool chosen[SUITES] = {false};
    bool all = true;
    if (!getenv("CLFOLD_TEST_SEED"))
        rig_set("CLFOLD_TEST_SEED", default_seed);
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--list") == 0)
            return list_suites();
        if (strcmp(argv[i], "--each") == 0) {
            rig_set("CLFOLD_TEST_EACH", "1");
            continue;
        }
        if (i + 1 == argc)
            return usage();
        if (strcmp(argv[i], "--suite") == 0) {
            all = false;
            if (!choose_suite(argv[++i], chosen))
                return 2;
        } else if (apply_setting(argv[i], argv[i + 1])) {
            ++i;
        } else {
            return usage();
        }
    }
    return run(chosen, all);
}
