/* SPDX-License-Identifier: MIT */
/*
 * program.c: what a compiler takes from memory, from disk and from the source, and what it says when a source is wrong.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "folder.h"
#include "harness.h"

#include "primitives/primitives.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Compilers with a cache directory of their own ------------------------------------------------- */

static const char *directory;
static clf_facts facts;

static void open_directory(void)
{
    directory = folder_open();
    facts = rig_context(NULL)->facts;
}

static void open_compiler(clf_compiler *compiler, const char *cache)
{
    clf_compiler_init(compiler, the_rig()->cl, the_rig()->device, &facts, cache, NULL);
}

static const char source[] =
    "#if defined CLF_OPTIMISED && defined PLAIN\n"
    "#error refused\n"
    "#endif\n"
    "__kernel void answer(__global int *out) { *out = ANSWER; }";

/* Compiles, runs, and returns what the kernel wrote. */
static int answer(clf_compiler *compiler, const char *options)
{
    const rig *r = the_rig();
    cl_program program;
    cl_int status, value = 0;
    const size_t one = 1;
    assert_ok(clf_compile(compiler, source, options, true, &program, NULL));
    cl_kernel kernel = clCreateKernel(program, "answer", &status);
    assert_ok(status);
    cl_mem out = rig_buffer(sizeof value, NULL);
    assert_ok(clSetKernelArg(kernel, 0, sizeof out, &out));
    assert_ok(clEnqueueNDRangeKernel(r->queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    rig_read(r->queue, out, sizeof value, &value);
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    return value;
}

static void check_counts(const clf_compiler *compiler, unsigned long compiled, unsigned long memory, unsigned long disk)
{
    ck_assert_uint_eq(atomic_load(&compiler->compiled), compiled);
    ck_assert_uint_eq(atomic_load(&compiler->from_memory), memory);
    ck_assert_uint_eq(atomic_load(&compiler->from_disk), disk);
}

/* A compiler of its own, with the folder as its cache: how often it compiled, and found the program on disk. */
static void check_anew(int value, unsigned long compiled, unsigned long disk)
{
    clf_compiler compiler;
    char options[32];
    snprintf(options, sizeof options, "-D ANSWER=%d", value);
    open_compiler(&compiler, directory);
    ck_assert_int_eq(answer(&compiler, options), value);
    check_counts(&compiler, compiled, 0, disk);
    clf_compiler_free(&compiler);
}

/* ---- Caches ---------------------------------------------------------------------------------------- */

TEST(a_program_is_compiled_once)
{
    clf_compiler compiler;
    open_compiler(&compiler, "off");
    ck_assert_int_eq(answer(&compiler, "-D ANSWER=42"), 42);
    ck_assert_int_eq(answer(&compiler, "-D ANSWER=42"), 42);
    check_counts(&compiler, 1, 1, 0);
    ck_assert_int_eq(answer(&compiler, "-D ANSWER=43"), 43); /* options are part of the key */
    check_counts(&compiler, 2, 1, 0);
    clf_compiler_free(&compiler);
}

TEST(a_program_outlives_the_process_on_disk)
{
    check_anew(5, 1, 0);
    ck_assert_uint_eq(folder_each(NULL), 1);
    check_anew(5, 0, 1);
}

TEST(another_driver_is_another_program)
{
    check_anew(6, 1, 0);
    strcat(facts.driver, "+");
    check_anew(6, 1, 0);
    ck_assert_uint_eq(folder_each(NULL), 2);
}

TEST(damage_on_disk_is_a_miss)
{
    check_anew(7, 1, 0);
    folder_each(folder_flip_last_bit);
    check_anew(7, 1, 0);
}

/* Some programs are refused with the options that optimise: these are built without, and kept like others. */
TEST(what_is_not_optimised_is_built_as_it_is)
{
    clf_compiler compiler;
    open_compiler(&compiler, directory);
    facts.optimiser = true;
    ck_assert_int_eq(answer(&compiler, "-D ANSWER=9 -D PLAIN"), 9);
    check_counts(&compiler, 1, 0, 0);
    ck_assert_int_eq(answer(&compiler, "-D ANSWER=9 -D PLAIN"), 9);
    check_counts(&compiler, 1, 1, 0);
    clf_compiler_free(&compiler);
}

static bool out_of_memory; /* of the next build */

cl_int CL_API_CALL(clBuildProgram)(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                                   void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
    static cl_int(CL_API_CALL * real)(cl_program, cl_uint, const cl_device_id *, const char *,
                                      void(CL_CALLBACK *)(cl_program, void *), void *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "clBuildProgram");
    const bool fails = out_of_memory;
    out_of_memory = false;
    return fails ? CL_OUT_OF_HOST_MEMORY : real(program, count, devices, options, notify, data);
}

/* A program that could not be built for lack of memory is not one that the driver refuses to optimise. */
TEST(a_build_without_memory_fails)
{
    clf_compiler compiler;
    cl_program program;
    open_compiler(&compiler, directory);
    facts.optimiser = out_of_memory = true;
    assert_status(clf_compile(&compiler, source, "-D ANSWER=3", true, &program, NULL), CL_OUT_OF_HOST_MEMORY);
    clf_compiler_free(&compiler);
}

static clf_cache *garbage_cache;

/* An entry in perfect order whose payload no driver takes. */
static void make_garbage(const char *path)
{
    static const char garbage[] = "this is no program";
    unsigned char key[32];
    const char *name = strrchr(path, '/') + 1;
    for (size_t i = 0; i < sizeof key; ++i) {
        unsigned byte;
        ck_assert_int_eq(sscanf(name + 2 * i, "%2x", &byte), 1);
        key[i] = (unsigned char)byte;
    }
    clf_cache_store(garbage_cache, key, garbage, sizeof garbage);
}

TEST(a_binary_that_the_driver_refuses_is_replaced)
{
    clf_compiler first;
    open_compiler(&first, directory);
    ck_assert_int_eq(answer(&first, "-D ANSWER=8"), 8);
    garbage_cache = &first.cache;
    folder_each(make_garbage);
    clf_compiler_free(&first);
    check_anew(8, 1, 0);
    check_anew(8, 0, 1);
}

static void *compile_in_thread(void *argument)
{
    cl_program program = NULL;
    clf_compile(argument, source, "-D ANSWER=9", true, &program, NULL);
    return program;
}

TEST(threads_share_one_program)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    void *programs[THREADS];
    clf_compiler compiler;
    open_compiler(&compiler, "off");
    for (size_t i = 0; i < THREADS; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, compile_in_thread, &compiler), 0);
    for (size_t i = 0; i < THREADS; ++i)
        pthread_join(threads[i], &programs[i]);
    for (size_t i = 0; i < THREADS; ++i) {
        ck_assert_ptr_nonnull(programs[i]);
        ck_assert_ptr_eq(programs[i], programs[0]);
        clReleaseProgram(programs[i]);
    }
    ck_assert_ptr_null(compiler.entries->next);
    clf_compiler_free(&compiler);
}

/* ---- A driver that takes exact sizes only -------------------------------------------------------------- */

static bool exact_sizes_only;

/* Ours comes before the OpenCL library's. Rusticl aborts the process where this fails. */
cl_int CL_API_CALL(clGetProgramInfo)(cl_program program, cl_program_info name, size_t bytes, void *value,
                                     size_t *needed)
{
    static cl_int(CL_API_CALL * real)(cl_program, cl_program_info, size_t, void *, size_t *);
    size_t exact = 0;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "clGetProgramInfo");
    if (exact_sizes_only && value && real(program, name, 0, NULL, &exact) == CL_SUCCESS && bytes != exact)
        return CL_INVALID_VALUE;
    return real(program, name, bytes, value, needed);
}

TEST(binaries_are_asked_for_in_their_exact_size)
{
    exact_sizes_only = true;
    check_anew(10, 1, 0);
    exact_sizes_only = false;
    check_anew(10, 0, 1);
}

/* ---- Programs as text ------------------------------------------------------------------------------------ */

static void check_dump(const char *path)
{
    char text[512] = "";
    const size_t length = strlen(path);
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_gt(fread(text, 1, sizeof text - 1, file), 0);
    fclose(file);
    ck_assert_str_eq(path + length - 3, ".cl");
    if (strstr(text, "nonsense"))
        ck_assert_ptr_eq(strstr(text, "// options: -D WRONG"), text);
    else
        ck_assert_ptr_eq(strstr(text, "// options: -D ANSWER="), text);
}

static clf_status compile(const char *text, const char *options, const char *dump_dir)
{
    clf_compiler compiler;
    cl_program program = NULL;
    clf_compiler_init(&compiler, the_rig()->cl, the_rig()->device, &facts, "off", dump_dir);
    const clf_status status = clf_compile(&compiler, text, options, true, &program, NULL);
    if (program)
        clReleaseProgram(program);
    clf_compiler_free(&compiler);
    return status;
}

/* Also one that does not build, optimised or not, and each once; a directory that does not exist fails nothing. */
TEST(every_program_is_dumped)
{
    assert_ok(compile(source, "-D ANSWER=11", directory));
    assert_ok(compile(source, "-D ANSWER=11", directory));
    assert_ok(compile(source, "-D ANSWER=12", directory));
    assert_status(compile("nonsense", "-D WRONG", directory), CLF_E_OPERATOR);
    ck_assert_uint_eq(folder_each(check_dump), 3 + facts.optimiser);
    assert_ok(compile(source, "-D ANSWER=13", "/nonexistent/directory"));
    assert_ok(compile(source, "-D ANSWER=13", ""));
}

/* A context's directory: option or environment variable; probes and plans. */
TEST(a_context_dumps_what_it_builds)
{
    if (_i)
        setenv("CLFOLD_DUMP", directory, 1);
    clf_context *const context = RIG_CONTEXT(.dump_dir = _i ? "/nonexistent/directory" : directory);
    unsetenv("CLFOLD_DUMP");
    const size_t probes = folder_each(NULL);
    ck_assert_uint_ge(probes, 1);
    clf_plan *const plan = RIG_PLAN(clf_reduce_plan, context, clf_builtin(CLF_SUM, CLF_INT), 0, NULL);
    ck_assert_uint_gt(folder_each(NULL), probes);
    rig_release_all(context, plan);
}

/* ---- Failures -------------------------------------------------------------------------------------- */

TEST(a_wrong_source_comes_back_with_the_log)
{
    clf_compiler compiler;
    cl_program program = NULL;
    clf_error error = {.size = sizeof error};
    open_compiler(&compiler, directory);
    assert_status(
        clf_compile(&compiler, "#line 1 \"operator.cl\"\nint f() { return nonsuch; }\n", "", true, &program, &error),
        CLF_E_OPERATOR);
    ck_assert_ptr_null(program);
    ck_assert_int_eq(error.status, CLF_E_OPERATOR);
    ck_assert_str_ne(error.message, "");
    ck_assert_ptr_nonnull(strstr(error.log, "nonsuch"));
    ck_assert(error.log[0] != '\n' && error.log[strlen(error.log) - 1] != '\n');
    ck_assert_uint_eq(folder_each(NULL), 0);
    assert_status(clf_compile(&compiler, "nonsense", "", true, &program, NULL), CLF_E_OPERATOR);
    check_counts(&compiler, 0, 0, 0);
    clf_compiler_free(&compiler);
}

TEST(a_long_log_is_cut)
{
    clf_compiler compiler;
    clf_text wrong = {0};
    cl_program program = NULL;
    clf_error error = {.size = sizeof error};
    for (int i = 0; i < 2000; ++i)
        clf_text_format(&wrong, "int f%d(void) { int unused_%d; return g%d; }\n", i, i, i);
    open_compiler(&compiler, "off");
    assert_status(clf_compile(&compiler, wrong.data, "", true, &program, &error), CLF_E_OPERATOR);
    ck_assert_uint_lt(strlen(error.log), sizeof error.log);
    ck_assert_uint_gt(strlen(error.log), 100);
    clf_compiler_free(&compiler);
    clf_text_free(&wrong);
}

Suite *program_suite(void)
{
    TCase *tests;
    Suite *suite = rig_suite("program", &tests);
    tcase_add_checked_fixture(tests, open_directory, folder_close);
    rig_add(tests, (const rig_test[]){{a_program_is_compiled_once, 1}, {what_is_not_optimised_is_built_as_it_is, 1},
            {a_program_outlives_the_process_on_disk, 1}, {another_driver_is_another_program, 1},
            {damage_on_disk_is_a_miss, 1}, {a_binary_that_the_driver_refuses_is_replaced, 1},
            {threads_share_one_program, 1}, {binaries_are_asked_for_in_their_exact_size, 1},
            {every_program_is_dumped, 1}, {a_context_dumps_what_it_builds, 2},
            {a_wrong_source_comes_back_with_the_log, 1}, {a_long_log_is_cut, 1},
            {a_build_without_memory_fails, 1}, {NULL, 0}});
    add_kernel_file_tests(tests);
    return suite;
}
