/* SPDX-License-Identifier: MIT */
/*
 * What clf_context_tune calls is made to fail, call by call, and the measurement of progress. Part of suite injection.
 */
#include "injection.h"

#include "explore/trial.h"

#include <stdio.h>
#include <string.h>

/* A plan on elements of its own, as clf_context_tune has it: opened, its results taken, compared, and closed. */
static clf_status try_plan(const clf_plan *plan)
{
    clf_trial trial;
    void *expected[2 * CLF_MAX_FIELDS] = {NULL};
    const clf_rows rows = {1, 4095};
    clf_status status = clf_trial_open(&trial, plan, 1);
    if (status == CLF_SUCCESS)
        status = clf_trial_expect(&trial, rows, expected);
    if (status == CLF_SUCCESS)
        (void)clf_trial_is_right(&trial, rows, expected); /* says no where anything fails */
    for (size_t i = 0; i < COUNT(expected); ++i)
        free(expected[i]);
    clf_trial_close(&trial);
    return status;
}

/* What fails behind the plan's own results only takes a candidate away. */
static bool fail_tuning(clf_context *context, clf_status (*tune)(const clf_plan *plan), unsigned long k, int failure)
{
    cl_int code;
    clf_plan *const plan = RIG_PLAN(clf_scan_plan, context, clf_builtin(CLF_SUM, CLF_INT), 0, NULL);
    assert_ok(clf_context_trim(context));
    const layer_ledger before = layer_count();
    outcome_arm(k, failure);
    const clf_status status = tune(plan);
    const layer_site *const site = layer_disarm(&code);
    ck_assert_msg(status == CLF_SUCCESS || (site && outcome_is_right(site, code, status)),
                  "status %d after %s in %s:%d", status, site ? site->call : "", site ? site->file : "",
                  site ? site->line : 0);
    assert_ok(clf_context_trim(context));
    const layer_ledger now = layer_count();
    ck_assert_int_eq(now.live[LAYER_BUFFER], before.live[LAYER_BUFFER]);
    ck_assert_int_eq(now.live[LAYER_QUEUE], before.live[LAYER_QUEUE]);
    clf_plan_release(plan);
    return site;
}

static clf_status tune_plan(const clf_plan *plan)
{
    return clf_context_tune(plan->context, plan, 1, NULL);
}

static clf_status learn(const clf_plan *plan)
{
    (void)plan;
    clf_profile profile;
    memset(&profile, 0, sizeof profile);
    clf_status status = clf_profile_learn(&profile, "scan.b4.cpu.items = 512\n", NULL);
    if (status == CLF_SUCCESS)
        status = clf_profile_learn(&profile, "scan.b8.cpu.items = 512\n", NULL);
    clf_profile_free(&profile);
    return status;
}

static clf_status check_laws(const clf_plan *plan)
{
    const clf_laws_options few = {.size = sizeof few, .values = 8};
    return clf_operator_check(plan->context, clf_builtin(CLF_MAX, CLF_FLOAT), &few, NULL, NULL);
}

/* A law that is broken is, whatever fails; and one that is not is never said to be. */
static clf_status find_broken_law(const clf_plan *plan)
{
    clf_operator wrong = *clf_builtin(CLF_SUM, CLF_INT);
    wrong.source =
        "clf_value nothing(void) { clf_value v = {1}; return v; }\n"
        "clf_value add(clf_value x, clf_value y) { x.v += y.v; return x; }\n";
    wrong.combine = "add";
    wrong.neutral = "nothing";
    const clf_laws_options few = {.size = sizeof few, .values = 8};
    clf_error error = {.size = sizeof error};
    const clf_status status = clf_operator_check(plan->context, &wrong, &few, NULL, &error);
    ck_assert_int_ne(status, CLF_SUCCESS);
    ck_assert_str_ne(error.message, "");
    return status == CLF_E_LAW ? CLF_SUCCESS : status;
}

static clf_status check_order(const clf_plan *plan)
{
    const clf_operator op = {.size = sizeof op, .value = "float v;", .less = "f", .key = "uint g",
                             .source = "bool f(clf_input a, clf_input b) { return a.v < b.v; }\n"
                                       "uint g(clf_value a) { return as_uint(a.v); }"};
    const clf_laws_options few = {.size = sizeof few, .values = 8};
    return clf_operator_check(plan->context, &op, &few, NULL, NULL);
}

static clf_array column; /* of one element */

static clf_status check_captured(const clf_plan *plan)
{
    const clf_operator op = {.size = sizeof op, .value = "uint v;", .captured = "uint column;", .less = "f",
                             .source = "bool f(clf_input a, clf_input b, const clf_captured *c)\n"
                                       "{ return a.v % c->column[0] < b.v % c->column[0]; }"};
    const clf_laws_options few = {.size = sizeof few, .values = 8, .captured = &column};
    return clf_operator_check(plan->context, &op, &few, NULL, NULL);
}

TEST(tuning)
{
    /* Where a program was compiled last time, call k is a later one than it was: so laws are checked again. */
    clf_status (*const tunes[])(const clf_plan *) = {try_plan,   tune_plan,  learn,
                                                     check_laws, check_laws, check_order, check_order, find_broken_law,
                                                     check_captured, check_captured};
    const cl_uint seven = 7;
    column = (clf_array){rig_buffer(sizeof seven, &seven), 0};
    const layer_ledger before = layer_count();
    clf_context *const context = RIG_CONTEXT(.cache_dir = "off");
    for (size_t i = 0; i < COUNT(tunes); ++i)
        for (unsigned long k = 1; fail_tuning(context, tunes[i], k, _i);)
            ++k;
    clf_context_release(context);
    outcome_balance(&before, "clf_context_tune", 0, _i);
    rig_release(column);
}

/* What contexts measure only on devices of vendors that nobody knows. */
TEST(measured_progress)
{
    clf_error error = {.size = sizeof error};
    clf_facts facts = rig_context(NULL)->facts;
    bool failed = true;
    facts.type = CL_DEVICE_TYPE_GPU;
    snprintf(facts.vendor, sizeof facts.vendor, "Nobody");
    for (unsigned long k = 1; failed; ++k) {
        clf_probe probe = {.cl = the_rig()->cl, .device = the_rig()->device, .queue = the_rig()->queue,
                           .facts = &facts, .error = &error, .certain = true};
        const layer_ledger before = layer_count();
        outcome_arm(k, _i);
        const clf_status status = clf_progress_measure(&probe);
        failed = outcome_judge(status, "clf_progress_measure", k, _i);
        ck_assert(facts.progress_shown || !probe.certain || status != CLF_SUCCESS);
        outcome_balance(&before, "clf_progress_measure", k, _i);
    }
    ck_assert(facts.progress_shown);
}

RIG_PART(add_tuning_injection, {measured_progress, 2}, {tuning, FAILURES})
