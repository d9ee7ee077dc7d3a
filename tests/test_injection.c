/* SPDX-License-Identifier: MIT */
/*
 * Every call of OpenCL and every allocation of clfold is made to fail in turn, with codes that it may return, once or
 * from then on: the status must say so, nothing may be leaked or written, and the same call right after must succeed.
 */
#include "injection.h"

#include "primitives/primitives.h"

#include <stdio.h>
#include <string.h>
#ifndef _WIN32
#include <unistd.h>
#endif

/* ---- Contexts ---------------------------------------------------------------------------------------------- */

static clf_status create_context(const char *disable, const char *cache_dir, clf_context **context)
{
    const clf_context_options options = {.size = sizeof options, .disable = disable, .cache_dir = cache_dir,
                                         .profile = "scan.b4.central.items = 3"};
    return clf_context_create(the_rig()->cl, the_rig()->device, &options, context, NULL);
}

/* With a capability less, results are right as well; and whatever has failed, the language is one the device has. */
static void use_context(clf_context *context)
{
    world w;
    char facts[4096];
    clf_plan *plan = NULL;
    const subject *const first = subject_number(0);
    assert_ok(clf_context_describe(context, facts, sizeof facts, NULL));
    ck_assert(!strstr(facts, "\nversion = OpenCL 3.") || !strstr(facts, "CL2.0"));
    world_open(&w);
    world_wipe(&w);
    assert_ok(subject_plan(first, context, &plan, NULL));
    assert_ok(first->call(&w, plan, CLF_ON(the_rig()->queue)));
    ck_assert(world_is_right(&w, first));
    clf_plan_release(plan);
    world_close(&w);
}

TEST(contexts)
{
    bool failed = true;
    for (unsigned long k = 1; failed; ++k) {
        clf_context *context = NULL;
        const layer_ledger before = layer_count();
        outcome_arm(k, _i);
        const clf_status status = create_context(NULL, "off", &context);
        failed = outcome_judge(status, "clf_context_create", k, _i);
        ck_assert((context != NULL) == (status == CLF_SUCCESS));
        if (context) {
            use_context(context);
            clf_context_release(context);
        }
        outcome_balance(&before, "clf_context_create", k, _i);
    }
}

/* Descriptions, and the release of everything. */
TEST(the_rest_of_a_context)
{
    char text[4096];
    bool failed = true;
    for (unsigned long k = 1; failed; ++k) {
        clf_context *context = NULL;
        const layer_ledger before = layer_count();
        assert_ok(create_context(NULL, "off", &context));
        clf_plan *const plan = RIG_PLAN(clf_scan_plan, context, clf_builtin(CLF_SUM, CLF_INT), 0, NULL);
        outcome_arm(k, _i ? FAILURES - 1 : 0);
        const clf_status of_plan = clf_plan_describe(plan, 1000, text, sizeof text, NULL);
        const clf_status status = of_plan ? of_plan : clf_context_describe(context, text, sizeof text, NULL);
        rig_release_all(context, plan);
        failed = outcome_judge(status, "describe and release", k, _i);
        outcome_balance(&before, "describe and release", k, _i);
    }
}

/* ---- Plans ------------------------------------------------------------------------------------------------- */

/* Probing takes long: instead of a new context, one that forgets the programs it has compiled. */
static void forget_programs(clf_context *context, const char *cache_dir)
{
    clf_compiler_free(&context->compiler);
    clf_compiler_init(&context->compiler, context->cl, context->device, &context->facts, cache_dir, NULL);
}

/* The one-call functions, which keep their plan; and the same program once more. */
TEST(one_call)
{
    clf_context *context = NULL;
    const clf_array none = {NULL, 0};
    const layer_ledger before = layer_count();
    const clf_call *const on = CLF_ON(the_rig()->queue);
    assert_ok(create_context(NULL, "off", &context));
    for (unsigned long k = 1, failed = 1; failed; ++k) {
        outcome_arm(k, _i);
        const clf_status status = clf_inclusive_scan(context, on, CLF_SUM, CLF_INT, 0, none, none);
        failed = outcome_judge(status, "clf_inclusive_scan", k, _i);
    }
    for (unsigned long k = 1, again = 1; again; ++k) {
        clf_plan *plan = NULL;
        outcome_arm(k, _i);
        again = outcome_judge(subject_plan(subject_number(0), context, &plan, NULL), "the same plan", k, _i);
        clf_plan_release(plan);
    }
    clf_context_release(context);
    outcome_balance(&before, "clf_inclusive_scan", 0, _i);
}

static void fail_plans(const subject *s, const char *disable, const char *cache_dir, int failure)
{
    clf_context *context = NULL;
    bool failed = true;
    assert_ok(create_context(disable, cache_dir, &context));
    for (unsigned long k = 1; failed; ++k) {
        clf_plan *plan = NULL;
        clf_error error = {.size = sizeof error};
        forget_programs(context, cache_dir);
        const layer_ledger before = layer_count();
        outcome_arm(k, failure);
        const clf_status status = subject_plan(s, context, &plan, &error);
        failed = outcome_judge(status, s->name, k, failure);
        ck_assert((plan != NULL) == (status == CLF_SUCCESS));
        ck_assert_msg((error.message[0] != '\0') == (status != CLF_SUCCESS), "%s: status %d, but \"%s\"", s->name,
                      status, error.message);
        clf_plan_release(plan);
        forget_programs(context, cache_dir);
        outcome_balance(&before, s->name, k, failure);
    }
    clf_plan *plan = NULL;
    assert_ok(subject_plan(s, context, &plan, NULL));
    rig_release_all(context, plan);
}

/* The way to fail that allocations have, too, and another one in turn. */
TEST(plans)
{
    fail_plans(subject_number(_i), _i % 2 ? "cpu" : NULL, "off", 0);
    fail_plans(subject_number(_i), _i % 2 ? "cpu" : NULL, "off", 1 + _i % (FAILURES - 1));
}

#ifndef _WIN32
static void remove_files(const char *directory)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'/*", directory);
    ck_assert_int_eq(system(command), 0);
}

/* With a cache on disk, which is empty, or has the program. */
TEST(plans_from_disk)
{
    char directory[] = "/tmp/clfold-injection-XXXXXX";
    ck_assert(mkdtemp(directory));
    clf_context *context;
    clf_plan *plan;
    outcome_with_disk = true;
    for (int full = 0; full < 2; ++full) {
        remove_files(directory);
        if (full) {
            assert_ok(create_context(NULL, directory, &context));
            assert_ok(subject_plan(subject_number(0), context, &plan, NULL));
            rig_release_all(context, plan);
        }
        fail_plans(subject_number(0), NULL, directory, _i);
    }
    remove_files(directory);
    ck_assert_int_eq(rmdir(directory), 0);
    outcome_with_disk = false;
}
#endif

/* A source that does not compile, and a log that cannot be had. */
TEST(logs)
{
    clf_operator op = *clf_builtin(CLF_SUM, CLF_INT);
    op.source = "this is no source";
    clf_context *context = NULL;
    assert_ok(create_context(NULL, "off", &context));
    cl_int code = 0;
    const layer_site *site = NULL;
    unsigned long k = 1;
    do {
        clf_plan *plan = NULL;
        clf_error error = {.size = sizeof error};
        outcome_arm(k++, _i);
        const clf_status status = clf_scan_plan(context, &op, 0, NULL, &plan, &error);
        site = layer_disarm(&code);
        ck_assert_ptr_null(plan);
        ck_assert_msg(status == CLF_E_OPERATOR || (site && outcome_is_right(site, code, status)), "status %d", status);
        ck_assert_str_ne(error.message, "");
    } while (site);
    clf_context_release(context);
}

/* ---- Calls ------------------------------------------------------------------------------------------------- */

/* Where calls are enqueued: which queue, behind a wait list and with an event, scratch of the caller's; fresh: the
 * plan has no kernels and the pool no scratch yet. */
static const struct {
    bool unordered, events, scratch, fresh;
} places[] = {{false, false, false, true}, {false, true, true, true}, {true, true, false, true},
              {true, false, true, true},   {true, true, false, false}, {false, true, false, false}};

typedef struct scene {
    const subject *subject;
    world w;
    clf_context *context;
    clf_plan *plan;
    clf_call call;
    cl_event gate, done;
} scene;

static void open_scene(scene *s, const subject *of, clf_context *context, int where)
{
    cl_int status;
    cl_ulong bytes = 0;
    *s = (scene){.subject = of, .context = context, .call = {.size = sizeof s->call}};
    forget_programs(context, "off");
    assert_ok(clf_context_trim(context));
    world_open(&s->w);
    s->gate = clCreateUserEvent(the_rig()->cl, &status);
    assert_ok(status);
    assert_ok(clSetUserEventStatus(s->gate, CL_COMPLETE));
    assert_ok(subject_plan(of, context, &s->plan, NULL));
    s->call.queue = places[where].unordered ? the_rig()->unordered : the_rig()->queue;
    if (places[where].scratch && of->scratch)
        assert_ok(subject_bytes(of, s->plan, &bytes));
    if (bytes)
        s->call.scratch = (clf_array){rig_buffer((size_t)bytes, NULL), 0};
    if (places[where].events) {
        s->call.wait_count = 1;
        s->call.wait = &s->gate;
    }
}

static void close_scene(scene *s)
{
    if (s->call.scratch.buffer)
        clReleaseMemObject(s->call.scratch.buffer);
    clReleaseEvent(s->gate);
    clf_plan_release(s->plan);
    world_close(&s->w);
}

static clf_status enqueue(scene *s, bool events)
{
    s->call.event = events ? &s->done : NULL;
    s->done = NULL;
    const clf_status status = s->subject->call(&s->w, s->plan, &s->call);
    ck_assert((s->done != NULL) == (events && status == CLF_SUCCESS));
    return status;
}

static void finish(scene *s)
{
    assert_ok(clFinish(s->call.queue));
    if (s->done)
        clReleaseEvent(s->done);
}

/* One failure; false if there was none left. */
static bool fail_call(scene *s, int where, unsigned long k, int failure)
{
    const char *const name = s->subject->name;
    if (places[where].fresh) {
        clf_plan_release(s->plan);
        assert_ok(subject_plan(s->subject, s->context, &s->plan, NULL));
        assert_ok(clf_context_trim(s->context));
    }
    world_wipe(&s->w);
    const layer_ledger before = layer_count();
    const unsigned long commands = layer_commands();
    outcome_arm(k, failure);
    const clf_status status = enqueue(s, places[where].events);
    const bool failed = outcome_judge(status, name, k, failure);
    finish(s);
    const layer_ledger after = layer_count();
    if (places[where].fresh && status != CLF_SUCCESS) /* workspaces may be pooled, but have nothing to wait for */
        ck_assert_msg(after.live[LAYER_QUEUE] == before.live[LAYER_QUEUE], "%s: queues held", name);
    if (status == CLF_SUCCESS)
        ck_assert_msg(world_is_right(&s->w, s->subject), "%s: wrong results after failure %lu", name, k);
    else if (layer_commands() <= commands + 1) /* the one that failed */
        ck_assert_msg(layer_commands() > commands || world_is_wiped(&s->w), "%s: refused, but written", name);

    world_wipe(&s->w);
    assert_ok(enqueue(s, places[where].events));
    finish(s);
    ck_assert_msg(world_is_right(&s->w, s->subject), "%s: wrong results in the call after failure %lu", name, k);
    return failed;
}

/* In the first place all ways to fail; in the others for good, and one in turn. */
static bool fails_so(int where, int failure)
{
    return where == 0 || failure == FAILURES - 1 || failure == where % LAYER_CODES;
}

/* The next to fail. In the first place each fails for good; else behind the first ones only every fifth, other ones. */
static unsigned long next_of(int where, int failure, unsigned long k)
{
    const bool all = rig_full() || (where == 0 && failure == FAILURES - 1) || k < 20;
    return all ? k + 1 : k + 1 + (5 + (unsigned long)(where + failure) - k % 5) % 5;
}

/* Kernels for CPUs, and for GPUs. */
TEST(calls)
{
    const subject *of = subject_number(_i / 2);
    if (_i % 2 && !the_rig()->is_cpu)
        return; /* the same */
    clf_context *context = NULL;
    const layer_ledger before = layer_count();
    assert_ok(create_context(_i % 2 ? "cpu" : NULL, "off", &context));
    for (int where = 0; where < (int)COUNT(places); ++where) {
        scene s;
        open_scene(&s, of, context, where);
        for (int failure = 0; failure < FAILURES; ++failure)
            for (unsigned long k = 1; fails_so(where, failure) && fail_call(&s, where, k, failure);)
                k = next_of(where, failure, k);
        close_scene(&s);
    }
    clf_context_release(context);
    outcome_balance(&before, of->name, 0, _i);
}

/* ---- Coverage ---------------------------------------------------------------------------------------------- */

/* Nobody looks at what these return; and some are for threads that come second. */
static bool is_release(const layer_site *site)
{
    return strncmp(site->call, "clRelease", 9) == 0;
}

/* All places in src/ have failed, but for releases. */
TEST(every_site_has_failed)
{
    size_t count, failed = 0;
    layer_site *const *sites = layer_sites(&count);
    for (size_t i = 0; i < count; ++i) {
        if (sites[i]->failed || is_release(sites[i]))
            ++failed;
        else
            printf("injection: %s:%d: %s has not failed\n", sites[i]->file, sites[i]->line, sites[i]->call);
    }
    printf("injection: %zu of %zu call sites are covered\n", failed, count);
    ck_assert_uint_eq(failed, count);
}

/* Each call is repeated for each of its calls of OpenCL, and compiling takes long: each program is built once. */
static void open_rig(void)
{
#ifndef _WIN32
    unsetenv("CLFOLD_CACHE_DIR"); /* contexts say where theirs is */
#endif
    rig_open();
    layer_keep_programs(true);
}

static void close_rig(void)
{
    layer_keep_programs(false);
    rig_close();
}

Suite *injection_suite(void)
{
    TCase *tests;
    Suite *suite = rig_suite_with("injection", open_rig, close_rig, &tests);
    tcase_add_loop_test(tests, contexts, 0, 2); /* a device is either out of something or lacks a capability */
    rig_add(tests, (const rig_test[]){{the_rest_of_a_context, 2}, {one_call, FAILURES}, {plans, subject_count()},
            {NULL, 0}});
#ifndef _WIN32
    tcase_add_loop_test(tests, plans_from_disk, 0, FAILURES);
#endif
    rig_add(tests, (const rig_test[]){{logs, FAILURES}, {calls, 2 * subject_count()}, {NULL, 0}});
    add_tuning_injection(tests);
    if (!rig_forks())
        tcase_add_test(tests, every_site_has_failed); /* it is about all tests before it */
    return suite;
}
