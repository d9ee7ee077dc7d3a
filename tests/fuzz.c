/* SPDX-License-Identifier: MIT */
/*
 * clfold-fuzz: random calls of every primitive, each compared with the reference.
 *
 *     clfold-fuzz [--seconds T | --cases N] [--seed S] [--device N|TEXT] [--disable LIST] [--batch N]
 *                 [--primitive NAME] [--timeout T] [--verbose]
 *     clfold-fuzz --case K [--set KNOB=VALUE,...] [--seed S]          one call again, as a failure prints it
 *
 * Calls are drawn in batches that share a plan (--batch), since compiling takes most of the time. Call K depends on the
 * seed, the batch and K alone. A call that fails is made simpler as long as it fails, and the line that repeats that
 * is printed. A call that crashes, or takes longer than --timeout seconds, is named by a signal handler before the end.
 */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif
#include "fuzz.h"

#include "harness.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifndef _WIN32
#include <unistd.h>
#endif

enum { USUAL_BATCH = 100, MOST_FAILURES = 10, MOST_ATTEMPTS = 200 };

static struct {
    uint64_t seed;
    long number, cases; /* one call alone, or -1; calls to do, or 0 */
    long batch;         /* calls that share a plan */
    double seconds;
    unsigned timeout;
    bool verbose;
    const char *primitive, *set;
} options = {.seed = 1, .number = -1, .batch = USUAL_BATCH, .timeout = 60};

/* ---- A call that may fail -------------------------------------------------------------------------------------- */

static struct {
    fuzz_case call;
    void (*step)(void);
    bool ran;           /* the device could do it */
    char line[2000];    /* repeats it */
    char message[4000]; /* what went wrong */
} now;

static void watch(void);

static void step_call(void)
{
    watch();
    now.ran = fuzz_run(&now.call);
}

TEST(step_under_check)
{
    now.step();
}

/* Does it pass? The helpers report to Check, so each call is a test of its own. */
static bool passes(void (*step)(void))
{
    Suite *suite = suite_create("fuzz");
    TCase *tests = tcase_create("fuzz");
    SRunner *runner = srunner_create(suite);
    now.step = step;
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, step_under_check);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_SILENT);
    const bool passed = srunner_ntests_failed(runner) == 0;
    if (!passed) {
        TestResult **failures = srunner_failures(runner);
        snprintf(now.message, sizeof now.message, "%s", tr_msg(failures[0]));
        char *replay = strstr(now.message, "\n    replay:"); /* that of the suites */
        if (replay)
            *replay = '\0';
        free(failures);
    }
    srunner_free(runner);
    return passed;
}

/* The command that repeats `call`: number K of the seed, but for the knobs that differ. */
static void write_line(long number, const fuzz_case *drawn)
{
    size_t length = (size_t)snprintf(now.line, sizeof now.line, "replay: clfold-fuzz --seed %llu --case %ld",
                                     (unsigned long long)options.seed, number);
    if (options.batch != USUAL_BATCH)
        length += (size_t)snprintf(now.line + length, sizeof now.line - length, " --batch %ld", options.batch);
    const char *before = " --set ";
    for (size_t k = 0; k < FUZZ_KNOBS; ++k) {
        if (now.call.knob[k] != drawn->knob[k]) {
            length += (size_t)snprintf(now.line + length, sizeof now.line - length, "%s%s=%llu", before, fuzz_knob(k),
                                       (unsigned long long)now.call.knob[k]);
            before = ",";
        }
    }
    const struct {
        const char *option, *value;
    } rest[] = {{"--primitive", options.primitive}, {"--disable", getenv("CLFOLD_DISABLE")},
                {"--device", getenv("CLFOLD_TEST_DEVICE")}};
    for (size_t i = 0; i < COUNT(rest); ++i)
        if (rest[i].value)
            length += (size_t)snprintf(now.line + length, sizeof now.line - length, " %s '%s'", rest[i].option,
                                       rest[i].value);
}

static bool call_passes(long number, const fuzz_case *drawn)
{
    write_line(number, drawn);
    if (options.verbose) {
        char text[700];
        fuzz_describe(&now.call, text, sizeof text);
        printf("%s   # %s\n", now.line, text);
        fflush(stdout);
    }
    now.ran = false;
    const bool passed = passes(step_call);
#ifndef _WIN32
    alarm(0);
#endif
    return passed;
}

/* ---- Crashes and hangs ----------------------------------------------------------------------------------------- */

#ifndef _WIN32

static void say(const char *text)
{
    const ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

/* Only what a signal handler may do. */
static void name_culprit(int signal_number)
{
    say(signal_number == SIGALRM ? "\nclfold-fuzz: no end of\n    " : "\nclfold-fuzz: crashed in\n    ");
    say(now.line);
    say("\n");
    if (signal_number == SIGALRM)
        _exit(3);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* Within a test, since Check takes SIGALRM for its own use, and kills all processes of the group when it comes. */
static void watch(void)
{
    static const int signals[] = {SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < COUNT(signals); ++i)
        signal(signals[i], name_culprit);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    alarm(options.timeout);
}

#else
static void watch(void)
{
}
#endif

/* ---- Shrinking ------------------------------------------------------------------------------------------------- */

/* Takes `value` for the knob if the call still fails. */
static bool try_value(long number, const fuzz_case *drawn, size_t knob, uint64_t value)
{
    const uint64_t old = now.call.knob[knob];
    if (value >= old)
        return false;
    now.call.knob[knob] = value;
    if (!call_passes(number, drawn))
        return true;
    now.call.knob[knob] = old;
    return false;
}

static bool shrink_knob(long number, const fuzz_case *drawn, size_t knob)
{
    const uint64_t value = now.call.knob[knob];
    return try_value(number, drawn, knob, 0) || (knob >= FUZZ_CALL && try_value(number, drawn, knob, value / 2)) ||
           (knob >= FUZZ_CALL && try_value(number, drawn, knob, value * 7 / 8)) ||
           (knob >= FUZZ_CALL && value > 0 && try_value(number, drawn, knob, value - 1));
}

/* Calls first: to change a plan is to compile it. */
static void shrink(long number, const fuzz_case *drawn)
{
    bool smaller = true;
    for (int attempts = 0; smaller && attempts < MOST_ATTEMPTS;) {
        smaller = false;
        for (size_t k = FUZZ_KNOBS; k-- > FUZZ_PRIMITIVE + 1 && attempts < MOST_ATTEMPTS;)
            if (now.call.knob[k] > 0) {
                ++attempts;
                smaller |= shrink_knob(number, drawn, k);
            }
    }
    call_passes(number, drawn); /* once more, for its message */
}

static void report(long number, const fuzz_case *drawn)
{
    char text[700];
    printf("MISMATCH in call %ld: %s\n", number, now.message);
    fflush(stdout);
    if (call_passes(number, drawn)) {
        printf("    passes when repeated: after other calls, or by chance; calls from %ld on had this plan\n    %s\n",
               number / options.batch * options.batch, now.line);
        return;
    }
    if (options.number < 0)
        shrink(number, drawn);
    fuzz_describe(&now.call, text, sizeof text);
    printf("    the simplest like it: %s\n    %s\n    %s\n", text, now.message, now.line);
    fflush(stdout);
}

/* ---- The run --------------------------------------------------------------------------------------------------- */

static fuzz_case draw(long number)
{
    fuzz_case c;
    gen plan = gen_seed(options.seed, (uint64_t)(number / options.batch));
    gen call = gen_seed(options.seed, ((uint64_t)1 << 40) + (uint64_t)number);
    fuzz_draw_plan(&plan, options.primitive, &c);
    fuzz_draw_call(&call, &c);
    return c;
}

static bool is_called(size_t knob, const char *name, size_t length)
{
    const char *own = fuzz_knob(knob);
    return own && strlen(own) == length && strncmp(own, name, length) == 0;
}

/* "n=3,offset=0" */
static bool set_knobs(const char *text, fuzz_case *c)
{
    while (*text) {
        const size_t length = strcspn(text, "=");
        size_t k = 0;
        char *end;
        while (k < FUZZ_KNOBS && !is_called(k, text, length))
            ++k;
        if (k == FUZZ_KNOBS || text[length] != '=')
            return false;
        c->knob[k] = strtoull(text + length + 1, &end, 10);
        text = *end == ',' ? end + 1 : end;
        if (*end && *end != ',')
            return false;
    }
    return true;
}

static int replay(void)
{
    const fuzz_case drawn = draw(options.number);
    char text[700];
    now.call = drawn;
    if (options.set && !set_knobs(options.set, &now.call)) {
        fprintf(stderr, "clfold-fuzz: --set %s: not like n=3,offset=0 with the names of knobs\n", options.set);
        return 2;
    }
    fuzz_describe(&now.call, text, sizeof text);
    printf("%s\n", text);
    const bool passed = call_passes(options.number, &drawn);
    printf("%s\n", !passed ? now.message : now.ran ? "right" : "the device cannot do that");
    return passed ? 0 : 1;
}

static double seconds_since(const struct timespec *start)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)(t.tv_sec - start->tv_sec) + (double)(t.tv_nsec - start->tv_nsec) * 1e-9;
}

static int run(void)
{
    struct timespec start;
    timespec_get(&start, TIME_UTC);
    long number = 0, ran = 0, plans = 0, failures = 0;
    double told = 0, time = 0;
    bool had_plan = false;
    const long batch = options.batch;
    for (; failures < MOST_FAILURES && (options.cases ? ran < options.cases : time < options.seconds); ++number) {
        const fuzz_case drawn = draw(number);
        now.call = drawn;
        const bool passed = call_passes(number, &drawn);
        plans += now.ran && !had_plan;
        had_plan = number % batch != batch - 1 && (had_plan || now.ran);
        ran += now.ran || !passed;
        if (!passed) {
            ++failures;
            report(number, &drawn);
        }
        if (!passed || (!now.ran && number % batch > 5 && !had_plan)) { /* on to the next plan */
            number = number / batch * batch + batch - 1;
            had_plan = false;
        }
        time = seconds_since(&start);
        if (time - told >= 10) {
            printf("%.0f s: %ld calls, %ld plans, %ld mismatches\n", time, ran, plans, failures);
            fflush(stdout);
            told = time;
        }
    }
    printf("%ld cases, %ld mismatches (seed %llu, %ld plans, %.0f s, %s)\n", ran, failures,
           (unsigned long long)options.seed, plans, time, the_rig()->name);
    return failures || ran == 0;
}

/* ---- Options --------------------------------------------------------------------------------------------------- */

static int usage(const char *bad)
{
    if (bad)
        fprintf(stderr, "clfold-fuzz: %s: no such option, or its value is missing or wrong\n", bad);
    fputs(
        "usage: clfold-fuzz [--seconds T | --cases N] [--seed S] [--device N|TEXT] [--disable LIST] [--batch N]\n"
        "                   [--primitive NAME] [--timeout T] [--verbose] [--case K [--set KNOB=VALUE,...]]\n"
        "       clfold-fuzz --version | --help\n",
        bad ? stderr : stdout);
    return bad ? 2 : 0;
}

static bool apply_option(const char *name, const char *value)
{
    const bool whole = rig_is_number(value);
    const long number = whole ? strtol(value, NULL, 10) : 0;
    if (strcmp(name, "--seconds") == 0 && strtod(value, NULL) > 0)
        options.seconds = strtod(value, NULL);
    else if (strcmp(name, "--cases") == 0 && number > 0)
        options.cases = number;
    else if (strcmp(name, "--seed") == 0 && whole)
        options.seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--case") == 0 && whole)
        options.number = number;
    else if (strcmp(name, "--set") == 0)
        options.set = value;
    else if (strcmp(name, "--batch") == 0 && number > 0)
        options.batch = number;
    else if (strcmp(name, "--timeout") == 0 && whole)
        options.timeout = (unsigned)number;
    else if (strcmp(name, "--primitive") == 0 && fuzz_is_primitive(value))
        options.primitive = value;
    else if (strcmp(name, "--device") == 0)
        rig_set("CLFOLD_TEST_DEVICE", value);
    else if (strcmp(name, "--disable") == 0)
        rig_set("CLFOLD_DISABLE", value);
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--verbose") == 0)
            options.verbose = true;
        else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return usage(NULL);
        else if (strcmp(argv[i], "--version") == 0)
            return puts("clfold-fuzz " CLFOLD_VERSION_STRING) < 0;
        else if (i + 1 == argc || !apply_option(argv[i], argv[i + 1]))
            return usage(argv[i]);
        else
            ++i;
    }
    if (options.set && options.number < 0) /* of which call? */
        return usage("--set");
    if (options.seconds <= 0 && options.cases <= 0)
        options.seconds = 60;
    if (!passes(fuzz_open)) {
        fprintf(stderr, "clfold-fuzz: %s\n", now.message);
        return 2;
    }
    const int status = options.number >= 0 ? replay() : run();
    if (status == 0) /* after a failure its objects are still in use */
        rig_close();
    return status;
}
