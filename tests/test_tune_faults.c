/* SPDX-License-Identifier: MIT */
/*
 * A driver with faults, for tests/tune.sh: LD_PRELOAD puts it between clfold-tune and OpenCL. Programs with these
 * parameters of clfold, all of them, crash their compiler, make it hang, do not compile, or have wrong results (scans
 * are exclusive, sorts descending).
 *
 *     TUNE_FAULT=crash:items=4096,streams=1      or hang:, fail:, wrong:, last:, which fails for that operator alone
 *     TUNE_BUILDS=FILE                           appends a line for each build: main or thread, its options
 *
 * One program is built at a time, as in drivers whose compiler has a lock: one that hangs holds up all others.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef cl_int (*build_function)(cl_program, cl_uint, const cl_device_id *, const char *,
                                 void(CL_CALLBACK *)(cl_program, void *), void *);

static void note(const char *options)
{
    const char *path = getenv("TUNE_BUILDS");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "%s %s\n", getpid() == (pid_t)syscall(SYS_gettid) ? "main" : "thread", options);
    fclose(file);
}

/* Is "items=4096" there, as " -D CLF_ITEMS=4096"? */
static bool has(const char *options, const char *parameter)
{
    char word[64] = " -D CLF_";
    size_t length = strlen(word);
    for (; *parameter && length + 1 < sizeof word; ++parameter)
        word[length++] = (char)toupper((unsigned char)*parameter);
    word[length] = '\0';
    for (const char *at = options; (at = strstr(at, word)); at += length)
        if (at[length] == ' ' || at[length] == '\0')
            return true;
    return false;
}

/* The first letter of what is to happen; 0: nothing. */
static char fault_of(const char *options)
{
    static char text[256]; /* behind the lock */
    const char *fault = getenv("TUNE_FAULT"), *colon = fault ? strchr(fault, ':') : NULL;
    if (!colon)
        return 0;
    snprintf(text, sizeof text, "%s", colon + 1);
    for (char *parameter = strtok(text, ","); parameter; parameter = strtok(NULL, ","))
        if (!has(options, parameter))
            return 0;
    return *fault;
}

/* Is it of the operator that results are verified with? */
static bool is_last(cl_program program)
{
    static char source[1 << 20]; /* behind the lock */
    size_t bytes = 0;
    if (clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof source - 1, source, &bytes) != CL_SUCCESS)
        return false;
    source[bytes] = '\0';
    return strstr(source, "clf_value last(");
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                      void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    build_function build = NULL;
    void *found = dlsym(RTLD_NEXT, "clBuildProgram");
    memcpy(&build, &found, sizeof build);
    pthread_mutex_lock(&lock);
    note(options ? options : "");
    const char fault = fault_of(options ? options : "");
    if (fault == 'c')
        abort();
    while (fault == 'h')
        pause();
    char wrong[4096];
    snprintf(wrong, sizeof wrong, "%s -D CLF_EXCLUSIVE=1 -D CLF_ORDER=1", options ? options : "");
    const bool fails = fault == 'f' || (fault == 'l' && is_last(program));
    const cl_int status = fails ? CL_BUILD_PROGRAM_FAILURE
                                : build(program, count, devices, fault == 'w' ? wrong : options, notify, user);
    pthread_mutex_unlock(&lock);
    return status;
}
