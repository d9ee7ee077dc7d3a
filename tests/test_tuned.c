/* SPDX-License-Identifier: MIT */
/*
 * clf_context_tune and clf_context_profile: what is found holds for later plans, whose results are right; its text is a
 * profile; and whatever else there is to say of them. Part of suite tune.
 */
#include "harness.h"
#include "explore/trial.h"
#include "primitives/primitives.h"
#include "suites.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Plans whose results are known --------------------------------------------------------------------------- */

/* x -> a x + b modulo 2^32, one after the other: does not commute. Every input makes another such function. */
static const clf_operator affine = {
    .size = sizeof affine, .value = "uint a; uint b;", .input = "ushort x;", .extra = "uchar low;", .map = "made",
    .source = "clf_value after(clf_value f, clf_value g)\n"
              "{ clf_value h = {f.a * g.a, f.b * g.a + g.b}; return h; }\n"
              "clf_value same(void) { clf_value h = {1, 0}; return h; }\n"
              "clf_value made(clf_input in, ulong i, clf_extra *e)\n"
              "{ clf_value h = {2 * in.x + 1, in.x + 3}; e->low = (uchar)in.x; return h; }\n",
    .combine = "after", .neutral = "same"};

enum { N = 20011, ROW = 101, ROWS = N / ROW, USED = ROWS * ROW };
typedef enum kind { SCAN, SEGMENTED_SCAN, REDUCE, KINDS } kind;

static clf_plan *make_plan(clf_context *context, kind which, const clf_operator *op, const char *parameters)
{
    clf_plan *plan = NULL;
    const clf_plan_options options = {.size = sizeof options, .parameters = parameters};
    assert_ok(which == SCAN     ? clf_scan_plan(context, op, 0, &options, &plan, NULL)
              : which == REDUCE ? clf_reduce_plan(context, op, 0, &options, &plan, NULL)
                                : clf_segmented_scan_plan(context, op, 0, &options, &plan, NULL));
    return plan;
}

/* Of rows of 101 elements, or of a single one. */
static void check_affine(clf_plan *plan, kind which)
{
    static cl_ushort x[USED];
    static cl_uint a[USED], b[USED];
    static cl_uchar low[USED];
    cl_uint f[2] = {1, 0};
    const size_t row = which == SCAN ? USED : ROW, results = which == REDUCE ? ROWS : USED;
    for (cl_uint i = 0; i < USED; ++i)
        x[i] = (cl_ushort)(i * 40503u >> 7);
    clf_array in = {rig_buffer(sizeof x, x), 0};
    const size_t bytes[3] = {sizeof a, sizeof b, sizeof low};
    clf_array out[3];
    for (int o = 0; o < 3; ++o)
        out[o] = (clf_array){rig_buffer(bytes[o], NULL), 0};
    const clf_call *const call = CLF_ON(the_rig()->queue);
    assert_ok(which == SCAN     ? clf_scan(plan, call, USED, &in, out)
              : which == REDUCE ? clf_segmented_reduce(plan, call, ROWS, ROW, &in, out)
                                : clf_segmented_scan(plan, call, ROWS, ROW, &in, out));
    rig_read(the_rig()->queue, out[0].buffer, results * sizeof *a, a);
    rig_read(the_rig()->queue, out[1].buffer, results * sizeof *b, b);
    rig_read(the_rig()->queue, out[2].buffer, sizeof low, low);
    for (size_t i = 0; i < USED; ++i) {
        const cl_uint g[2] = {2u * x[i] + 1, x[i] + 3u};
        if (i % row == 0)
            f[0] = 1, f[1] = 0;
        f[1] = f[1] * g[0] + g[1];
        f[0] *= g[0];
        ck_assert_uint_eq(low[i], x[i] & 255);
        if (which == REDUCE && i % row + 1 < row)
            continue;
        const size_t at = which == REDUCE ? i / row : i;
        ck_assert_msg(a[at] == f[0] && b[at] == f[1], "element %zu", at);
    }
    clReleaseMemObject(in.buffer);
    for (int o = 0; o < 3; ++o)
        clReleaseMemObject(out[o].buffer);
}

static clf_context *new_context(const char *profile, const char *disable)
{
    char text[256];
    const char *const absent = rig_disabled(disable, text);
    clf_context *const context = RIG_CONTEXT(.profile = profile, .disable = absent);
    return context;
}

static void get_profile(const clf_context *context, char text[8192])
{
    size_t needed = 0;
    assert_ok(clf_context_profile(context, text, 8192, &needed));
    ck_assert_uint_eq(needed, strlen(text) + 1);
}

/* ---- What is found ------------------------------------------------------------------------------------------- */

/* Kernels for CPUs, or for GPUs. */
TEST(tuned_plans_are_right)
{
    const kind which = (kind)(_i % KINDS);
    const char *const disable = _i < KINDS ? NULL : "cpu";
    if (disable && !the_rig()->is_cpu)
        return; /* the same */
    const layer_ledger before = layer_count();
    clf_context *context = new_context(NULL, disable);
    clf_error error = {.size = sizeof error};
    clf_plan *plan = make_plan(context, which, &affine, NULL);
    check_affine(plan, which);
    ck_assert_msg(clf_context_tune(context, plan, 100, &error) == CLF_SUCCESS, "%s", error.message);
    ck_assert_str_eq(error.message, "");
    check_affine(plan, which); /* stays as it was, and right */
    assert_ok(clf_plan_release(plan));
    plan = make_plan(context, which, &affine, NULL);
    check_affine(plan, which);
    rig_release_all(context, plan);
    const layer_ledger after = layer_count();
    ck_assert_int_eq(layer_difference(&before, &after), LAYER_KINDS);
}

static bool has(const char *text, const char *words)
{
    return strstr(text, words);
}

/* Items of a tile that no model chooses: of a work-item of a CPU, or of one of a group. A CPU may have both: without
 * 64-bit atomics what it does in place is done by groups. */
static const char *odd_items(clf_context *context)
{
    char tuning[4096];
    clf_plan *const plan = make_plan(context, SCAN, clf_builtin(CLF_SUM, CLF_INT), NULL);
    assert_ok(clf_plan_describe_tuning(plan, tuning, sizeof tuning, NULL));
    assert_ok(clf_plan_release(plan));
    return has(tuning, "main\tvariant\tcpu\t") && !has(tuning, "\nin_place\t") ? "items=4096" : "items=3";
}

/* The first three words of each line are words of a line of the other text, and there are as many lines. */
static void same_lines(const char *some, const char *others)
{
    long lines = 0;
    for (const char *p = some; *p; p = strchr(p, '\n') + 1, ++lines) {
        char word[3][32], line[128];
        ck_assert_int_eq(sscanf(p, "%31s %31s %31s", word[0], word[1], word[2]), 3);
        snprintf(line, sizeof line, "%s\t%s\t%s\t", word[0], word[1], word[2]);
        ck_assert_msg(has(others, line), "%s\n%s", line, others);
    }
    for (const char *q = others; *q; q = strchr(q, '\n') + 1)
        --lines;
    ck_assert_int_eq(lines, 0);
}

/* What a plan was asked to have, it has not from a profile: others get it, or what is better. */
TEST(profile_goes_on)
{
    char text[8192], tuning[4096], again[4096];
    const char *const disable = _i ? "c11,int64_atomics" : NULL;
    clf_context *context = new_context("scan.*.*.rounds = 1\n", disable), *other;
    clf_plan *plan = make_plan(context, SCAN, clf_builtin(CLF_SUM, CLF_INT), odd_items(context));
    get_profile(context, text);
    ck_assert(!has(text, "scan."));
    assert_ok(clf_context_tune(context, plan, 30, NULL));
    assert_ok(clf_plan_release(plan));
    get_profile(context, text);
    ck_assert_msg(has(text, "scan.b4.") && has(text, ".items = ") && has(text, "\nend\n"), "%s", text);
    assert_ok(clf_context_describe(context, tuning, sizeof tuning, NULL));
    ck_assert_msg(has(tuning, " caller tuned\n"), "%s", tuning);

    plan = make_plan(context, SCAN, clf_builtin(CLF_MAX, CLF_FLOAT), NULL);
    assert_ok(clf_plan_describe_tuning(plan, tuning, sizeof tuning, NULL));
    ck_assert_msg(has(tuning, "\ttuned:"), "%s", tuning);
    rig_release_all(context, plan);

    /* The text has lines of its own, and what a plan comes to is the same. */
    other = new_context(text, disable);
    plan = make_plan(other, SCAN, clf_builtin(CLF_MAX, CLF_FLOAT), NULL);
    assert_ok(clf_plan_describe_tuning(plan, again, sizeof again, NULL));
    ck_assert_msg(has(again, "\tcaller:"), "%s", again);
    same_lines(tuning, again);
    rig_release_all(other, plan);
}

/* Later lines take the place of earlier ones that set the same, and of no others; plans keep what they had. */
TEST(lines_are_learnt)
{
    static const clf_facts facts = {.name = "D", .vendor = "V", .type = CL_DEVICE_TYPE_GPU};
    clf_profile profile;
    clf_parameters list = {0};
    clf_text text = {0};
    ck_assert_int_eq(clf_profile_load(&profile, "scan.b4.window.items = 9\nscan.b4.window.group = 64\n", NULL), 0);
    ck_assert_int_eq(clf_profile_learn(&profile, "scan.b4.window.items = 5\nscan.b4.window.ticket = 0\n", NULL), 0);
    ck_assert_int_eq(clf_profile_learn(&profile, "scan.b8.window.items = 7\n", NULL), 0);
    ck_assert_int_eq(clf_profile_learn(&profile, "scan.b4.window.items = 6\n", NULL), 0);
    ck_assert_int_eq(clf_profile_learn(&profile, "this is no line\n", NULL), CLF_E_PARAMETER);
    clf_profile_lookup(&profile, &facts, "scan", "b4", "window", NULL, &list);
    ck_assert_uint_eq(clf_parameter_get(&list, "items", 0), 6);
    ck_assert_uint_eq(clf_parameter_get(&list, "ticket", 9), 0);
    ck_assert_uint_eq(clf_parameter_get(&list, "group", 0), 64);
    clf_profile_write_tuned(&profile, &facts, &text);
    ck_assert_str_eq(text.data,
                     "clfold profile 1\ndevice = D\nvendor = V\ntype = gpu\n"
                     "version = " CLFOLD_VERSION_STRING
                     "\n\nscan.b4.window.ticket = 0\n"
                     "scan.b8.window.items = 7\nscan.b4.window.items = 6\nend\n");
    clf_profile_free(&profile);
    ck_assert_int_eq(clf_profile_load(&profile, text.data, NULL), CLF_SUCCESS);
    clf_profile_free(&profile);
    clf_text_free(&text);
}

/* ---- What is refused ------------------------------------------------------------------------------------------ */

TEST(refused)
{
    static const clf_operator dot = {
        .size = sizeof dot, .value = "int v;", .input = "int x;", .captured = "int y;", .map = "times",
        .source = "clf_value times(clf_input in, ulong i, const clf_captured *c)\n"
                  "{ clf_value z = {in.x * c->y[i]}; return z; }\n",
        .combine = "clf_sum"};
    static const clf_operator keys = {.size = sizeof keys, .value = "uint key;"};
    clf_error error = {.size = sizeof error};
    clf_context *const context = new_context(NULL, NULL), *const other = rig_context(NULL);
    clf_plan *plan = make_plan(context, SCAN, clf_builtin(CLF_SUM, CLF_INT), NULL);
    char text[8192], cut[20];
    size_t needed = 0, again = 0;
    get_profile(context, text);
    assert_status(clf_context_tune(NULL, plan, 100, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, "context and plan must not be NULL");
    assert_status(clf_context_tune(context, NULL, 100, NULL), CLF_E_ARGUMENT);
    assert_status(clf_context_tune(other, plan, 100, &error), CLF_E_CONTEXT);
    ck_assert_str_ne(error.message, "");
    error.size = 1;
    assert_status(clf_context_tune(context, plan, 100, &error), CLF_E_ARGUMENT);
    error.size = sizeof error;
    assert_ok(clf_context_tune(context, plan, 0, &error)); /* nothing is tried */
    assert_ok(clf_plan_release(plan));

    plan = make_plan(context, REDUCE, &dot, NULL);
    assert_status(clf_context_tune(context, plan, 100, &error), CLF_E_UNSUPPORTED);
    ck_assert(has(error.message, "captured"));
    assert_ok(clf_plan_release(plan));
    assert_ok(clf_sort_plan(context, &keys, 0, NULL, &plan, NULL));
    assert_status(clf_context_tune(context, plan, 100, &error), CLF_E_UNSUPPORTED);
    ck_assert_str_eq(error.message, "plans of sort are not tuned");
    assert_ok(clf_plan_release(plan));

    assert_status(clf_context_profile(NULL, cut, sizeof cut, &needed), CLF_E_ARGUMENT);
    assert_ok(clf_context_profile(context, NULL, 0, &needed));
    assert_ok(clf_context_profile(context, cut, sizeof cut, &again));
    ck_assert_uint_eq(needed, again);
    ck_assert_uint_eq(strlen(cut), sizeof cut - 1);
    ck_assert(strncmp(cut, text, sizeof cut - 1) == 0 && strlen(text) + 1 == needed); /* nothing has changed */
    assert_ok(clf_context_release(context));
}

/* Plans for one size of segments, and of a variant that cannot do the rows that are tried. */
TEST(few_shapes)
{
    clf_context *const context = new_context(NULL, NULL);
    clf_plan *plan = make_plan(context, SEGMENTED_SCAN, &affine, "size=101");
    assert_ok(clf_context_tune(context, plan, 20, NULL));
    check_affine(plan, SEGMENTED_SCAN);
    assert_ok(clf_plan_release(plan));
    const clf_plan_options options = {.size = sizeof options, .variant = "one_group"};
    assert_ok(clf_scan_plan(context, clf_builtin(CLF_SUM, CLF_INT), 0, &options, &plan, NULL));
    assert_status(clf_context_tune(context, plan, 20, NULL), CLF_E_UNSUPPORTED);
    rig_release_all(context, plan);
}

/* ---- Threads -------------------------------------------------------------------------------------------------- */

static void *tune_and_plan(void *data)
{
    clf_context *const context = data;
    clf_plan *plan = NULL;
    clf_status status = CLF_SUCCESS;
    const clf_plan_options options = {.size = sizeof options, .parameters = "items=512"};
    for (int i = 0; i < 3 && status == CLF_SUCCESS; ++i) {
        status = clf_scan_plan(context, clf_builtin(CLF_SUM, i ? CLF_INT : CLF_LONG), 0, &options, &plan, NULL);
        if (status == CLF_SUCCESS)
            status = clf_context_tune(context, plan, 10, NULL);
        clf_plan_release(plan);
    }
    return status == CLF_SUCCESS ? context : NULL;
}

TEST(threads_tune)
{
    enum { THREADS = 3 };
    pthread_t thread[THREADS];
    char text[8192];
    if (!the_rig()->is_cpu)
        return; /* items that fit */
    clf_context *const context = new_context(NULL, NULL);
    for (int t = 0; t < THREADS; ++t)
        ck_assert_int_eq(pthread_create(&thread[t], NULL, tune_and_plan, context), 0);
    for (int t = 0; t < THREADS; ++t) {
        void *result;
        ck_assert_int_eq(pthread_join(thread[t], &result), 0);
        ck_assert_ptr_nonnull(result);
    }
    get_profile(context, text);
    ck_assert_msg(has(text, "scan.b4.cpu.items") && has(text, "scan.b8.cpu.items"), "%s", text);
    clf_context *const other = new_context(text, NULL);
    assert_ok(clf_context_release(other));
    assert_ok(clf_context_release(context));
}

/* ---- What candidates are checked by ---------------------------------------------------------------------------- */

enum { OUTPUTS = 3 };

static void open_trial(clf_trial *trial, clf_plan *plan, void *expected[OUTPUTS])
{
    memset(expected, 0, OUTPUTS * sizeof *expected);
    assert_ok(clf_trial_open(trial, plan, 20));
    ck_assert_uint_ge(trial->n, N);
    assert_ok(clf_trial_expect(trial, (clf_rows){1, N}, expected));
}

static void close_trial(clf_trial *trial, void *expected[OUTPUTS])
{
    clf_trial_close(trial);
    for (int o = 0; o < OUTPUTS; ++o)
        free(expected[o]);
}

/* One wrong bit anywhere in the results of any output is seen. */
TEST(wrong_results_are_seen)
{
    static const size_t bytes[OUTPUTS] = {sizeof(cl_uint), sizeof(cl_uint), sizeof(cl_uchar)};
    const clf_rows rows = {1, N};
    clf_context *const context = new_context(NULL, NULL);
    clf_plan *const plan = make_plan(context, SCAN, &affine, NULL);
    clf_trial trial;
    void *expected[OUTPUTS];
    open_trial(&trial, plan, expected);
    ck_assert(clf_trial_is_right(&trial, rows, expected));
    for (int o = 0; o < OUTPUTS; ++o)
        for (size_t at = 0; at < N * bytes[o]; at += N * bytes[o] - 1) { /* the first byte and the last */
            ((cl_uchar *)expected[o])[at] ^= 1;
            ck_assert_msg(!clf_trial_is_right(&trial, rows, expected), "output %d, byte %zu", o, at);
            ((cl_uchar *)expected[o])[at] ^= 1;
        }
    ck_assert(clf_trial_is_right(&trial, rows, expected));
    close_trial(&trial, expected);
    rig_release_all(context, plan);
}

/* Numbers may differ by rounding, in the lower half of their digits, and by no more. */
TEST(rounding_is_right)
{
    enum { HALF = 1 << 12 };
    const clf_rows rows = {1, N};
    clf_context *const context = new_context(NULL, NULL);
    clf_plan *const plan = make_plan(context, SCAN, clf_builtin(CLF_SUM, CLF_FLOAT), NULL);
    clf_trial trial;
    void *expected[OUTPUTS];
    open_trial(&trial, plan, expected);
    cl_uint *const last = (cl_uint *)expected[0] + N - 1;
    ck_assert_float_gt(((cl_float *)expected[0])[N - 1], 0);
    *last += HALF;
    ck_assert(clf_trial_is_right(&trial, rows, expected));
    *last += 1;
    ck_assert(!clf_trial_is_right(&trial, rows, expected));
    *last -= 2 * HALF + 1;
    ck_assert(clf_trial_is_right(&trial, rows, expected));
    *last -= 1;
    ck_assert(!clf_trial_is_right(&trial, rows, expected));
    *last = (*last + HALF + 1) ^ 0x80000000; /* the other sign */
    ck_assert(!clf_trial_is_right(&trial, rows, expected));
    close_trial(&trial, expected);
    rig_release_all(context, plan);
}

RIG_PART(add_tuned_tests, {tuned_plans_are_right, 2 * KINDS}, {profile_goes_on, 2}, {lines_are_learnt, 1}, {refused, 1},
         {few_shapes, 1}, {threads_tune, 1}, {wrong_results_are_seen, 1}, {rounding_is_right, 1})
