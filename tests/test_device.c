/* SPDX-License-Identifier: MIT */
/*
 * device.c, probe.c, context.c and convenience.c: facts that hold on any device, capabilities forbidden one
 * by one, the life of a context, and the one-call functions.
 */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif
#include "harness.h"

#include "primitives/primitives.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static clf_facts probe(const char *disable)
{
    clf_facts facts;
    clf_error error = {.size = sizeof error};
    const clf_cache none = {NULL};
    const clf_status status = clf_facts_find(the_rig()->cl, the_rig()->device, disable, NULL, &none, &facts, &error);
    ck_assert_msg(status == CLF_SUCCESS, "clf_facts_find(%s): %d %s\n%s", disable, status, error.message, error.log);
    ck_assert_str_eq(error.message, ""); /* probes that failed on the way leave no trace */
    ck_assert_str_eq(error.log, "");
    return facts;
}

/* ---- Facts ----------------------------------------------------------------------------------------- */

TEST(facts_are_sound)
{
    const clf_facts f = probe(NULL);
    ck_assert_str_ne(f.platform, "");
    ck_assert_str_ne(f.name, "");
    ck_assert_str_ne(f.driver, "");
    ck_assert_uint_ge(f.compute_units, 1);
    ck_assert_uint_ge(f.max_group, 1);
    ck_assert(f.address_bits == 32 || f.address_bits == 64);
    ck_assert(strncmp(f.std, "-cl-std=CL", 10) == 0);
    ck_assert(f.fence == (f.atomics >= CLF_ATOMICS_C11));
    ck_assert((f.lanes == CLF_LANES_LOCAL) == (f.lane_width == 1));
    ck_assert_uint_eq(f.lane_width & (f.lane_width - 1), 0);
    ck_assert(f.is_nvidia || (f.atomics != CLF_ATOMICS_PTX && f.lanes != CLF_LANES_PTX));
    if (the_rig()->is_cpu) {
        ck_assert(f.is_cpu);
        ck_assert(f.progress);
        ck_assert(f.lanes == CLF_LANES_LOCAL);
    }
}

/* Where the drivers at hand are known, the best back end must have been found, not just a working one. */
TEST(known_platforms_get_their_best)
{
    const clf_facts f = probe(NULL);
    if (strcmp(f.platform, "Portable Computing Language") == 0 && f.is_cpu) {
        ck_assert(f.atomics == CLF_ATOMICS_C11);
        ck_assert(f.driver_caches);
    }
    if (strstr(f.platform, "NVIDIA")) {
        ck_assert(f.atomics == CLF_ATOMICS_PTX);
        ck_assert(f.lanes == CLF_LANES_PTX);
        ck_assert_uint_eq(f.lane_width, 32);
        ck_assert_uint_ge(f.registers, 32768);
        ck_assert(f.progress && f.driver_caches);
    }
    if (strcmp(f.platform, "Oclgrind") == 0)
        ck_assert(f.atomics == CLF_ATOMICS_CL12_64);
    if (strstr(f.platform, "Intel")) /* its CPUs have them, too: for tests */
        ck_assert(f.atomics == CLF_ATOMICS_C11 && (f.is_cpu || (f.lanes == CLF_LANES_KHR && f.lane_width == 16)));
}

TEST(each_capability_can_be_forbidden)
{
    ck_assert(probe("ptx").atomics != CLF_ATOMICS_PTX);
    ck_assert(probe("ptx").lanes != CLF_LANES_PTX);
    ck_assert(probe("ptx,c11").atomics <= CLF_ATOMICS_CL12_64);
    ck_assert(!probe("ptx,c11").fence);
    ck_assert(probe("cpu,khr").lanes != CLF_LANES_KHR);
    const clf_facts poorest = probe("ptx,c11,int64_atomics,subgroups,progress,cpu,fp64,fp16");
    ck_assert(poorest.atomics == CLF_ATOMICS_CL12);
    ck_assert(poorest.lanes == CLF_LANES_LOCAL);
    ck_assert_uint_eq(poorest.lane_width, 1);
    ck_assert(!poorest.fence && !poorest.progress && !poorest.is_cpu);
    ck_assert(!poorest.fp64 && !poorest.fp16 && !poorest.int64_atomics);
}

TEST(forbidding_64_bit_atomics_forbids_what_is_built_on_them)
{
    ck_assert(probe("ptx,int64_atomics").atomics == CLF_ATOMICS_CL12);
}

TEST(extensions_are_whole_words)
{
    const clf_facts f = probe(NULL);
    ck_assert(clf_facts_have(&f, "cl_khr_global_int32_base_atomics"));
    ck_assert(!clf_facts_have(&f, "cl_khr_global_int32_base_atomic"));
    ck_assert(!clf_facts_have(&f, "khr_global_int32_base_atomics"));
    ck_assert(!clf_facts_have(&f, "cl_khr_no_such_thing"));
}

static const struct {
    cl_uint what;
    const char *name;
} queries[] = {
    {CL_DEVICE_TYPE, "CL_DEVICE_TYPE"},
    {CL_DEVICE_PLATFORM, "CL_DEVICE_PLATFORM"},
    {CL_PLATFORM_NAME, "CL_PLATFORM_NAME"},
    {CL_PLATFORM_VERSION, "CL_PLATFORM_VERSION"},
    {CL_DEVICE_VENDOR, "CL_DEVICE_VENDOR"},
    {CL_DEVICE_NAME, "CL_DEVICE_NAME"},
    {CL_DEVICE_VERSION, "CL_DEVICE_VERSION"},
    {CL_DRIVER_VERSION, "CL_DRIVER_VERSION"},
    {CL_DEVICE_EXTENSIONS, "CL_DEVICE_EXTENSIONS"},
    {CL_DEVICE_MAX_COMPUTE_UNITS, "CL_DEVICE_MAX_COMPUTE_UNITS"},
    {CL_DEVICE_MAX_WORK_GROUP_SIZE, "CL_DEVICE_MAX_WORK_GROUP_SIZE"},
    {CL_DEVICE_LOCAL_MEM_SIZE, "CL_DEVICE_LOCAL_MEM_SIZE"},
    {CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, "CL_DEVICE_GLOBAL_MEM_CACHE_SIZE"},
    {CL_DEVICE_MAX_MEM_ALLOC_SIZE, "CL_DEVICE_MAX_MEM_ALLOC_SIZE"},
    {CL_DEVICE_ADDRESS_BITS, "CL_DEVICE_ADDRESS_BITS"},
    {CL_DEVICE_MEM_BASE_ADDR_ALIGN, "CL_DEVICE_MEM_BASE_ADDR_ALIGN"},
};

/* A context is not made on facts that are not known. */
TEST(a_query_that_fails_is_named)
{
    clf_context *context = NULL;
    clf_error error = {.size = sizeof error};
    layer_fail_query(queries[_i].what, CL_OUT_OF_RESOURCES);
    const clf_status status = clf_context_create(the_rig()->cl, the_rig()->device, NULL, &context, &error);
    layer_fail_query(0, CL_SUCCESS);
    assert_status(status, CL_OUT_OF_RESOURCES);
    ck_assert(!context);
    assert_status(error.status, CL_OUT_OF_RESOURCES);
    ck_assert_msg(strstr(error.message, queries[_i].name), "%s: %s", queries[_i].name, error.message);
}

/* ---- Contexts -------------------------------------------------------------------------------------- */

static clf_status create_context(const clf_context_options *options, clf_context **context)
{
    return clf_context_create(the_rig()->cl, the_rig()->device, options, context, NULL);
}

TEST(contexts_check_their_arguments)
{
    const rig *r = the_rig();
    clf_context *context = NULL;
    clf_context_options options = {.size = sizeof options - 1};
    clf_error error = {.size = 1};
    assert_status(clf_context_create(NULL, r->device, NULL, &context, NULL), CLF_E_ARGUMENT);
    assert_status(clf_context_create(r->cl, NULL, NULL, &context, NULL), CLF_E_ARGUMENT);
    assert_status(clf_context_create(r->cl, r->device, NULL, NULL, NULL), CLF_E_ARGUMENT);
    assert_status(clf_context_create(r->cl, r->device, NULL, &context, &error), CLF_E_ARGUMENT);
    assert_status(create_context(&options, &context), CLF_E_ARGUMENT);
    options = (clf_context_options){.size = sizeof options, .profile = "nonsense"};
    assert_status(create_context(&options, &context), CLF_E_PARAMETER);
    assert_status(clf_context_retain(NULL), CLF_E_ARGUMENT);
    assert_status(clf_context_release(NULL), CLF_E_ARGUMENT);
    assert_status(clf_context_trim(NULL), CLF_E_ARGUMENT);
    assert_status(clf_context_describe(NULL, NULL, 0, NULL), CLF_E_ARGUMENT);
    ck_assert(!context);
}

static cl_uint references(cl_context cl)
{
    cl_uint count = 0;
    assert_ok(clGetContextInfo(cl, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL));
    return count;
}

/* Some platforms let go of finished commands, and so of their context, a little later. */
static void await_references(cl_context cl, cl_uint expected)
{
    for (int i = 0; i < 60000 && references(cl) > expected; ++i)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    ck_assert_uint_le(references(cl), expected);
}

TEST(contexts_count_references)
{
    /* One of its own: commands of earlier tests may still hold the rig's, and let go of it meanwhile. */
    cl_int status;
    cl_context cl = clCreateContext(NULL, 1, &the_rig()->device, NULL, NULL, &status);
    assert_ok(status);
    clf_context *context;
    assert_ok(clf_context_create(cl, the_rig()->device, NULL, &context, NULL));
    ck_assert_uint_gt(references(cl), 1);
    assert_ok(clf_context_retain(context));
    assert_ok(clf_context_release(context));
    assert_ok(clf_context_trim(context));
    assert_ok(clf_context_release(context));
    await_references(cl, 1);
    assert_ok(clReleaseContext(cl));
}

TEST(descriptions_are_cut_to_fit)
{
    char all[8192], cut[16];
    size_t needed = 0;
    clf_context *context = rig_context(NULL);
    assert_ok(clf_context_describe(context, NULL, 0, &needed));
    ck_assert_uint_lt(needed, sizeof all);
    assert_ok(clf_context_describe(context, all, sizeof all, NULL));
    ck_assert_uint_eq(strlen(all) + 1, needed);
    ck_assert_ptr_nonnull(strstr(all, "\natomics = "));
    ck_assert_ptr_nonnull(strstr(all, "\nlane_width = "));
    ck_assert_ptr_nonnull(strstr(all, "\ncache = "));
    assert_ok(clf_context_describe(context, cut, sizeof cut, &needed));
    ck_assert_uint_eq(strlen(cut), sizeof cut - 1);
    ck_assert_int_eq(strncmp(cut, all, sizeof cut - 1), 0);
}

#ifndef _WIN32
TEST(the_environment_overrides_options)
{
    clf_context *context;
    clf_context_options options = {.size = sizeof options, .disable = "progress", .cache_dir = "/nowhere"};
    char *saved = clf_strdup(getenv("CLFOLD_DISABLE"));
    setenv("CLFOLD_DISABLE", "fp64", 1);
    setenv("CLFOLD_CACHE_DIR", "off", 1);
    assert_ok(create_context(&options, &context));
    unsetenv("CLFOLD_DISABLE");
    unsetenv("CLFOLD_CACHE_DIR");
    if (saved)
        setenv("CLFOLD_DISABLE", saved, 1);
    free(saved);
    ck_assert(!context->facts.fp64);
    ck_assert(context->facts.progress || !the_rig()->is_cpu);
    ck_assert_ptr_null(context->compiler.cache.path);
    assert_ok(clf_context_release(context));
}
#endif

TEST(epochs_fit_their_tags)
{
    const clf_context *const contexts[] = {rig_context("ptx,c11,int64_atomics"), rig_context(NULL)};
    for (size_t i = 0; i < CLF_COUNT(contexts); ++i) /* which back end it is, CLFOLD_DISABLE may have said */
        ck_assert_uint_eq(contexts[i]->pool.epoch_limit,
                          contexts[i]->facts.atomics == CLF_ATOMICS_CL12 ? (1u << 14) - 1 : (1u << 30) - 1);
    if (!getenv("CLFOLD_DISABLE"))
        ck_assert_int_eq(contexts[0]->facts.atomics, CLF_ATOMICS_CL12);
}

/* ---- One-call functions ---------------------------------------------------------------------------- */

enum { N = 1000 };

static size_t count_plans(const clf_context *context)
{
    size_t count = 0;
    for (const clf_kept *entry = context->kept; entry; entry = entry->next)
        ++count;
    return count;
}

static void fill_input(cl_int data[N])
{
    for (int i = 0; i < N; ++i)
        data[i] = i % 7 - 2;
}

static void check_sums(cl_mem buffer, bool exclusive)
{
    cl_int in[N], out[N], sum = 0;
    fill_input(in);
    rig_read(the_rig()->queue, buffer, sizeof out, out);
    for (int i = 0; i < N; ++i) {
        ck_assert_int_eq(out[i], exclusive ? sum : sum + in[i]);
        sum += in[i];
    }
}

TEST(one_call_functions_scan_and_keep_their_plans)
{
    const rig *r = the_rig();
    cl_int data[N];
    clf_context *context;
    fill_input(data);
    const clf_array in = {rig_buffer(sizeof data, data), 0}, out = {rig_buffer(sizeof data, NULL), 0};
    const cl_uint before = references(r->cl);
    assert_ok(create_context(NULL, &context));
    for (size_t round = 0; round < 2; ++round) {
        cl_event event = NULL;
        assert_ok(clf_inclusive_scan(context, &(clf_call){.size = sizeof(clf_call), .queue = r->queue, .event = &event},
                                     CLF_SUM, CLF_INT, N, in, out));
        ck_assert_ptr_nonnull(event);
        clReleaseEvent(event);
        check_sums(out.buffer, false);
        assert_ok(clf_exclusive_scan(context, CLF_ON(r->queue), CLF_SUM, CLF_INT, N, in, out));
        check_sums(out.buffer, true);
        ck_assert_uint_eq(count_plans(context), 2);
    }
    ck_assert_uint_eq(atomic_load(&context->references), 1); /* the table's plans hold none */
    assert_ok(clf_context_release(context));
    rig_release(in, out);
    await_references(r->cl, before);
}

TEST(one_call_functions_check_their_arguments)
{
    const rig *r = the_rig();
    const clf_array none = {NULL, 0};
    clf_context *c = rig_context(NULL);
    const size_t before = count_plans(c);
    assert_status(clf_inclusive_scan(NULL, CLF_ON(r->queue), CLF_SUM, CLF_INT, 1, none, none), CLF_E_ARGUMENT);
    assert_status(clf_inclusive_scan(c, CLF_ON(r->queue), CLF_AND, CLF_FLOAT, 1, none, none), CLF_E_ARGUMENT);
    assert_status(clf_inclusive_scan(c, CLF_ON(r->queue), CLF_OP_COUNT, CLF_INT, 1, none, none), CLF_E_ARGUMENT);
    assert_status(clf_exclusive_scan(c, CLF_ON(r->queue), CLF_SUM, CLF_TYPE_COUNT, 1, none, none), CLF_E_ARGUMENT);
    ck_assert_uint_eq(count_plans(c), before);
}

static void *first_call(void *argument)
{
    const rig *r = the_rig();
    cl_int data[N];
    fill_input(data);
    const clf_array in = {rig_buffer(sizeof data, data), 0}, out = {rig_buffer(sizeof data, NULL), 0};
    const clf_status status = clf_inclusive_scan(argument, CLF_ON(r->queue), CLF_SUM, CLF_INT, N, in, out);
    bool right = status == CLF_SUCCESS;
    cl_int sums[N], sum = 0;
    clEnqueueReadBuffer(r->queue, out.buffer, CL_TRUE, 0, sizeof sums, sums, 0, NULL, NULL);
    for (int i = 0; i < N; ++i)
        right &= sums[i] == (sum += data[i]);
    rig_release(in, out);
    return right ? argument : NULL;
}

TEST(first_calls_may_race)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    clf_context *context;
    assert_ok(create_context(NULL, &context));
    for (size_t i = 0; i < THREADS; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, first_call, context), 0);
    for (size_t i = 0; i < THREADS; ++i) {
        void *result;
        pthread_join(threads[i], &result);
        ck_assert_ptr_eq(result, context);
    }
    ck_assert_uint_eq(count_plans(context), 1);
    ck_assert_uint_eq(atomic_load(&context->references), 1);
    assert_ok(clf_context_release(context));
}

Suite *device_suite(void)
{
    TCase *tests;
    Suite *suite = rig_suite("device", &tests);
    rig_add(tests, (const rig_test[]){{facts_are_sound, 1}, {known_platforms_get_their_best, 1},
            {each_capability_can_be_forbidden, 1}, {forbidding_64_bit_atomics_forbids_what_is_built_on_them, 1},
            {extensions_are_whole_words, 1}, {a_query_that_fails_is_named, COUNT(queries)},
            {contexts_check_their_arguments, 1}, {contexts_count_references, 1}, {descriptions_are_cut_to_fit, 1},
            {NULL, 0}});
#ifndef _WIN32
    tcase_add_test(tests, the_environment_overrides_options);
#endif
    rig_add(tests, (const rig_test[]){{epochs_fit_their_tags, 1}, {one_call_functions_scan_and_keep_their_plans, 1},
            {one_call_functions_check_their_arguments, 1}, {first_calls_may_race, 1}, {NULL, 0}});
    return suite;
}
