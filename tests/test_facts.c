/* SPDX-License-Identifier: MIT */
/*
 * facts.c: what probes found is kept on disk, and a context that finds it there compiles nothing. Each test has a
 * directory of its own. And what programs are told of facts.
 */
#include "folder.h"
#include "harness.h"

#include "primitives/primitives.h"

#ifdef __ELF__ /* where calls of the library can be counted */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *directory;
static char *saved_setting;

static void set_up(void)
{
    const char *setting = getenv("CLFOLD_CACHE_DIR");
    saved_setting = setting ? clf_strdup(setting) : NULL;
    unsetenv("CLFOLD_CACHE_DIR"); /* or it would have the last word */
    directory = folder_open();
}

static void tear_down(void)
{
    folder_close();
    if (saved_setting)
        setenv("CLFOLD_CACHE_DIR", saved_setting, 1);
    free(saved_setting);
}

/* How many programs the library has built so far. */
static unsigned long builds(void)
{
    size_t count;
    unsigned long sum = 0;
    layer_site *const *sites = layer_sites(&count);
    for (size_t i = 0; i < count; ++i)
        if (strcmp(sites[i]->call, "clBuildProgram") == 0)
            sum += sites[i]->reached;
    return sum;
}

/* Makes a context, and returns how many programs it built; `facts` (may be NULL) gets what it knows. */
static unsigned long make_context(const char *disable, const char *cache_dir, const char *dump_dir, clf_facts *facts)
{
    const unsigned long before = builds();
    clf_context *const context = RIG_CONTEXT(.disable = disable, .cache_dir = cache_dir, .dump_dir = dump_dir);
    if (facts)
        *facts = context->facts;
    clf_context_release(context);
    return builds() - before;
}

static bool same_findings(const clf_facts *a, const clf_facts *b)
{
    return strcmp(a->std, b->std) == 0 && a->atomics == b->atomics && a->lanes == b->lanes &&
           a->lane_width == b->lane_width && a->fence == b->fence && a->rounds_apart == b->rounds_apart &&
           a->optimiser == b->optimiser && a->progress_shown == b->progress_shown && a->in_order == b->in_order;
}

TEST(a_second_context_compiles_nothing)
{
    clf_facts probed, kept;
    ck_assert_uint_ge(make_context(NULL, directory, NULL, &probed), 1);
    ck_assert_uint_eq(folder_each(NULL), 1);
    ck_assert_uint_eq(make_context(NULL, directory, NULL, &kept), 0);
    ck_assert(same_findings(&probed, &kept));
    ck_assert_int_eq(memcmp(&probed, &kept, sizeof probed), 0); /* and what it was asked for */
}

/* "off" writes nothing, nor does a program of a driver that caches itself go with the default. */
TEST(settings)
{
    char *home = getenv("XDG_CACHE_HOME"), *saved = home ? clf_strdup(home) : NULL;
    setenv("XDG_CACHE_HOME", directory, 1);
    ck_assert_uint_ge(make_context(NULL, "off", NULL, NULL), 1);
    ck_assert_uint_eq(folder_each(NULL), 0);
    ck_assert_uint_ge(make_context(NULL, NULL, NULL, NULL), 1); /* the default, whatever the driver does */
    ck_assert_uint_eq(make_context(NULL, NULL, NULL, NULL), 0);
    char path[64];
    snprintf(path, sizeof path, "%s/clfold", directory);
    ck_assert_uint_eq(make_context(NULL, path, NULL, NULL), 0);
    ck_assert_uint_ge(make_context(NULL, "off", NULL, NULL), 1);
    if (saved)
        setenv("XDG_CACHE_HOME", saved, 1);
    else
        unsetenv("XDG_CACHE_HOME");
    free(saved);
    char command[sizeof path + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    ck_assert_int_eq(system(command), 0);
}

TEST(what_is_forbidden_is_another_result)
{
    clf_facts best, poorest, again;
    make_context(NULL, directory, NULL, &best);
    ck_assert_uint_ge(make_context("ptx,c11,int64_atomics,subgroups", directory, NULL, &poorest), 1);
    ck_assert_int_eq(poorest.atomics, CLF_ATOMICS_CL12);
    ck_assert_uint_eq(folder_each(NULL), 2);
    ck_assert_uint_eq(make_context("ptx,c11,int64_atomics,subgroups", directory, NULL, &again), 0);
    ck_assert(same_findings(&poorest, &again));
    ck_assert_uint_eq(make_context(NULL, directory, NULL, &again), 0);
    ck_assert(same_findings(&best, &again));
}

/* Where a user asks for all programs, the probes are among them. */
TEST(dumping_probes_anew)
{
    make_context(NULL, directory, NULL, NULL);
    ck_assert_uint_ge(make_context(NULL, directory, directory, NULL), 1);
    ck_assert_uint_ge(folder_each(NULL), 2);
}

/* ---- What is on disk and not as it should be -------------------------------------------------------------- */

TEST(a_damaged_file_is_a_miss)
{
    clf_facts probed, again;
    make_context(NULL, directory, NULL, &probed);
    folder_each(folder_flip_last_bit);
    ck_assert_uint_ge(make_context(NULL, directory, NULL, &again), 1);
    ck_assert(same_findings(&probed, &again));
    ck_assert_uint_eq(make_context(NULL, directory, NULL, &again), 0);
}

enum { OUT_OF_RESOURCES = 1 /* to the layer */, STD_BYTES = 16, ATOMICS = STD_BYTES, LANES, WIDTH, MORE, APART, THREADS,
       UNITS, GROUP = UNITS + 4, LOCAL = GROUP + 4, RESULT_BYTES = LOCAL + 8 };

/* Results that no version writes: with a right digest, of another size or out of range. */
static const struct {
    size_t bytes;
    size_t at;
    unsigned char value;
} wrong[] = {{RESULT_BYTES - 1, WIDTH, 1}, {RESULT_BYTES + 1, WIDTH, 1}, {1, 0, '-'},      {RESULT_BYTES, 0, 0},
             {RESULT_BYTES, 10, '9'},      {RESULT_BYTES, 13, 'x'},      {RESULT_BYTES, ATOMICS, 4},
             {RESULT_BYTES, LANES, 5},     {RESULT_BYTES, WIDTH, 0},     {RESULT_BYTES, WIDTH, 3},
             {RESULT_BYTES, MORE, 255},    {RESULT_BYTES, APART, 16},
             {RESULT_BYTES, UNITS, 0},     {RESULT_BYTES, GROUP, 0},     {RESULT_BYTES, GROUP + 3, 1},
             {RESULT_BYTES, LOCAL + 7, 1}, {RESULT_BYTES, THREADS, 1}};

static int chosen;

static void make_wrong(const char *path)
{
    unsigned char key[32], result[RESULT_BYTES + 1] = "-cl-std=CL1.2";
    const char *name = strrchr(path, '/') + 1;
    for (size_t i = 0; i < sizeof key; ++i) {
        unsigned byte;
        ck_assert_int_eq(sscanf(name + 2 * i, "%2x", &byte), 1);
        key[i] = (unsigned char)byte;
    }
    clf_cache cache;
    clf_cache_open(&cache, directory, false);
    result[WIDTH] = 1;
    result[UNITS] = result[GROUP] = 1;
    result[wrong[chosen].at] = wrong[chosen].value;
    clf_cache_store(&cache, key, result, wrong[chosen].bytes);
    clf_cache_close(&cache);
}

TEST(a_result_out_of_range_is_a_miss)
{
    clf_facts probed, again;
    chosen = _i;
    make_context(NULL, directory, NULL, &probed);
    folder_each(make_wrong);
    ck_assert_uint_ge(make_context(NULL, directory, NULL, &again), 1);
    ck_assert(same_findings(&probed, &again));
    ck_assert_uint_eq(make_context(NULL, directory, NULL, &again), 0);
}

/* A device that was out of resources for a moment is not poor for ever; and nothing is leaked. */
TEST(a_failure_for_a_moment_is_not_kept)
{
    const clf_context_options options = {.size = sizeof options, .cache_dir = directory};
    clf_facts best, kept;
    make_context(NULL, directory, NULL, &best);
    const layer_site *failed;
    unsigned long k = 1;
    do {
        clf_context *context = NULL;
        cl_int code;
        folder_empty();
        const layer_ledger before = layer_count();
        layer_arm(k++, OUT_OF_RESOURCES, false);
        const clf_status status = clf_context_create(the_rig()->cl, the_rig()->device, &options, &context, NULL);
        failed = layer_disarm(&code);
        if (status == CLF_SUCCESS)
            clf_context_release(context);
        const layer_ledger after = layer_count();
        ck_assert_int_eq(layer_difference(&before, &after), LAYER_KINDS);
        make_context(NULL, directory, NULL, &kept);
        ck_assert_msg(same_findings(&best, &kept), "poorer after call %lu, %s, failed", k - 1,
                      failed ? failed->call : "none");
    } while (failed);
}

/* A driver is believed if the measurement is near what it says. */
TEST(units_are_judged)
{
    static const cl_uint cases[][3] = {
        /* measured, said, taken */
        {132, 132, 132}, {130, 132, 132}, {100, 132, 132}, {132, 1, 132}, {132, 7, 132}, {132, 4096, 132},
        {132, 99, 99},   {132, 98, 132},  {1, 2, 2},       {1, 3, 1},       {2, 1, 2},       {16, 4096, 16},
        {0, 1, 16},      {0, 64, 64},     {0, 4096, 256},  {4, 0, 4},
    };
    for (size_t i = 0; i < COUNT(cases); ++i) {
        clf_facts facts = {.units_measured = cases[i][0], .compute_units = cases[i][1]};
        clf_units_judge(&facts);
        ck_assert_uint_eq(facts.units, cases[i][2]);
        ck_assert_str_eq(facts.units_from, cases[i][2] == cases[i][1]   ? "the driver"
                                           : cases[i][2] == cases[i][0] ? "the measurement"
                                                                        : "a guess");
    }
}

static clf_facts measured_facts(void)
{
    clf_facts facts;
    make_context(NULL, "off", NULL, &facts);
    return facts;
}

static bool is_near(cl_uint units, cl_uint honest)
{
    return units < 2 * honest && honest < 2 * units;
}

/* Other commands of the device keep it busy meanwhile: neither waits for the other. */
TEST(units_of_a_busy_device)
{
    enum { BYTES = 1 << 24, FILLS = 50 };
    const cl_uint honest = measured_facts().units, pattern = 1;
    cl_mem buffer = rig_buffer(BYTES, NULL);
    for (int k = 0; k < FILLS; ++k)
        assert_ok(clEnqueueFillBuffer(the_rig()->queue, buffer, &pattern, sizeof pattern, 0, BYTES, 0, NULL, NULL));
    clFlush(the_rig()->queue);
    const cl_uint busy = measured_facts().units;
    assert_ok(clFinish(the_rig()->queue));
    clReleaseMemObject(buffer);
    ck_assert_msg(is_near(busy, honest), "%u units, busy %u", honest, busy);
}

static void *measure_in_thread(void *facts)
{
    const clf_context_options options = {.size = sizeof options, .cache_dir = "off"};
    clf_context *context = NULL;
    if (clf_context_create(the_rig()->cl, the_rig()->device, &options, &context, NULL) == CLF_SUCCESS) {
        *(clf_facts *)facts = context->facts;
        clf_context_release(context);
    }
    return NULL;
}

TEST(units_of_contexts_made_at_a_time)
{
    enum { THREADS_AT_A_TIME = 2 };
    static clf_facts facts[THREADS_AT_A_TIME];
    pthread_t threads[THREADS_AT_A_TIME];
    const cl_uint honest = measured_facts().units;
    for (int t = 0; t < THREADS_AT_A_TIME; ++t)
        ck_assert_int_eq(pthread_create(&threads[t], NULL, measure_in_thread, &facts[t]), 0);
    for (int t = 0; t < THREADS_AT_A_TIME; ++t)
        ck_assert_int_eq(pthread_join(threads[t], NULL), 0);
    for (int t = 0; t < THREADS_AT_A_TIME; ++t)
        ck_assert_msg(is_near(facts[t].units, honest), "%u units, with others %u", honest, facts[t].units);
}

/* A GPU of a vendor that nobody knows: groups that others wait for go on here, so it is shown. */
TEST(progress_is_measured_where_nobody_knows)
{
    clf_facts facts = measured_facts();
    clf_error error = {.size = sizeof error};
    clf_probe probe = {.cl = the_rig()->cl, .device = the_rig()->device, .queue = the_rig()->queue, .facts = &facts,
                       .error = &error, .certain = true};
    facts.type = CL_DEVICE_TYPE_GPU;
    snprintf(facts.vendor, sizeof facts.vendor, "Nobody");
    ck_assert(!clf_facts_know_progress(&facts));
    assert_ok(clf_progress_measure(&probe));
    ck_assert(probe.certain && facts.progress_shown);
    clf_facts_judge_type(&facts, NULL);
    ck_assert(facts.progress);
    clf_facts_judge_type(&facts, "progress");
    ck_assert(!facts.progress);
}

/* What is known needs no measurement, which would cost every context some milliseconds. */
TEST(progress_is_not_measured_where_it_is_known)
{
    const unsigned long before = builds();
    clf_facts facts = measured_facts();
    const unsigned long all = builds() - before;
    clf_probe probe = {.facts = &facts, .certain = true};
    snprintf(facts.vendor, sizeof facts.vendor, "NVIDIA Corporation");
    assert_ok(clf_progress_measure(&probe));
    ck_assert(probe.certain && !facts.progress_shown);
    ck_assert_uint_eq(builds() - before, all);
}

/* Tiles go by group ids where groups start in order: NVIDIA's do. Threads of a CPU take them as they come. */
TEST(order_is_measured_of_gpus)
{
    clf_facts seen, forbidden;
    make_context(NULL, directory, NULL, &seen);
    make_context("order", directory, NULL, &forbidden);
    ck_assert(!(seen.type & CL_DEVICE_TYPE_CPU) || !seen.in_order);
    ck_assert(!seen.is_nvidia || seen.in_order);
    ck_assert(!forbidden.in_order);
}

/* A GPU with so few units that any number of groups is enough: its order is seen, or the result is not kept. */
TEST(order_is_certain_if_it_was_seen)
{
    const layer_site *failed;
    unsigned long k = 1;
    cl_int code;
    do {
        clf_facts facts = measured_facts();
        clf_probe probe = {.cl = the_rig()->cl, .device = the_rig()->device, .queue = the_rig()->queue,
                           .facts = &facts, .certain = true};
        facts.type = CL_DEVICE_TYPE_GPU, facts.compute_units = 0;
        layer_arm(k++, OUT_OF_RESOURCES, false);
        (void)clf_units_measure(&probe);
        failed = layer_disarm(&code);
        if (!failed || strncmp(failed->call, "clEnqueue", 9) == 0)
            ck_assert(failed ? !probe.certain && !facts.in_order : probe.certain);
    } while (failed);
}

/* rusticl's clang refuses some options that clang knows, and the probe then takes it for one that does not optimise. */
TEST(the_optimiser_knows_its_options)
{
    static const char *const source = "__kernel void f(__global int *x) { *x = 1; }";
    cl_program program;
    clf_facts facts;
    (void)make_context(NULL, "off", NULL, &facts);
    if (facts.is_rusticl) {
        assert_ok(clf_build_program(the_rig()->cl, the_rig()->device, source, CLF_OPTIMISER, &program, NULL, NULL));
        clReleaseProgram(program);
    }
}

/* The options for rusticl's compiler make programs that are right by any other, too. */
TEST(bugs_are_avoided)
{
    enum { SIZE = 1000 };
    static cl_int in[SIZE], out[SIZE];
    const clf_plan_options parameters = {.size = sizeof parameters, .parameters = "group=64,items=4"};
    clf_text text = {0};
    clf_context *const context = RIG_CONTEXT(.disable = "cpu", .cache_dir = "off");
    context->facts.rounds_apart = context->facts.is_rusticl = true;
    clf_facts_avoid_bugs(&context->facts, &text);
    ck_assert_str_eq(text.data, " -D CLF_ROUNDS_APART=1 -D CLF_ALL_INLINE=1");
    clf_text_free(&text);
    for (int i = 0; i < SIZE; ++i)
        in[i] = i % 7;
    const clf_array from = {rig_buffer(sizeof in, in), 0}, to = {rig_buffer(sizeof out, NULL), 0};
    clf_plan *const plan = RIG_PLAN(clf_scan_plan, context, clf_builtin(CLF_SUM, CLF_INT), 0, &parameters);
    assert_ok(clf_scan(plan, CLF_ON(the_rig()->queue), SIZE, &from, &to));
    rig_read(the_rig()->queue, to.buffer, sizeof out, out);
    for (int i = 0, sum = 0; i < SIZE; ++i) {
        sum += in[i];
        ck_assert_int_eq(out[i], sum);
    }
    rig_release(from, to);
    rig_release_all(context, plan);
}

Suite *facts_suite(void)
{
    TCase *tests;
    Suite *suite = rig_suite("facts", &tests);
    tcase_add_checked_fixture(tests, set_up, tear_down);
    rig_add(tests, (const rig_test[]){{a_second_context_compiles_nothing, 1}, {settings, 1},
            {what_is_forbidden_is_another_result, 1}, {dumping_probes_anew, 1}, {a_damaged_file_is_a_miss, 1},
            {a_result_out_of_range_is_a_miss, COUNT(wrong)}, {a_failure_for_a_moment_is_not_kept, 1},
            {units_are_judged, 1}, {units_of_a_busy_device, 1}, {units_of_contexts_made_at_a_time, 1},
            {progress_is_measured_where_nobody_knows, 1}, {progress_is_not_measured_where_it_is_known, 1},
            {order_is_measured_of_gpus, 1}, {order_is_certain_if_it_was_seen, 1}, {the_optimiser_knows_its_options, 1},
            {bugs_are_avoided, 1}, {NULL, 0}});
    return suite;
}

#else

Suite *facts_suite(void)
{
    return suite_create("facts");
}

#endif
