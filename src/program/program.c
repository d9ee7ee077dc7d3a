/* SPDX-License-Identifier: MIT */
/*
 * Source text to cl_program, through two caches: programs that this context has built already, and binaries on disk.
 *
 * The key is a SHA-256 over everything that decides the binary: clfold's version, the whole expanded source, the
 * options, and the platform's, device's and driver's names and versions. So no entry is ever stale, only unused.
 * Programs are built outside the lock; two threads that want the same one may both build it, and one is kept.
 */
#include "program/program.h"

#include <stdlib.h>
#include <string.h>

/* ---- Building -------------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Copies what fits, without blank lines around it. */
static void keep_log(const char *log, clf_error *error)
{
    while (is_blank(*log))
        ++log;
    size_t length = strlen(log);
    while (length > 0 && is_blank(log[length - 1]))
        --length;
    if (length > sizeof error->log - 1)
        length = sizeof error->log - 1;
    memcpy(error->log, log, length);
    error->log[length] = '\0';
}

/*
 * NVIDIA's compiler ignores #line: its "<kernel>:1234:5" is made the "operator.cl:3:5" that other compilers say.
 */
static void translate_log(const char *log, const char *source, clf_text *text)
{
    static const char whole[] = "<kernel>:";
    for (const char *at; (at = strstr(log, whole));) {
        char *end;
        const unsigned long number = strtoul(at + sizeof whole - 1, &end, 10);
        const clf_source_place place = clf_source_locate(source, number);
        clf_text_append(text, log, (size_t)(at - log));
        clf_text_format(text, "%.*s:%lu", (int)place.length, place.name, place.line);
        log = end;
    }
    clf_text_append(text, log, strlen(log));
}

static void fetch_log(cl_program program, cl_device_id device, const char *source, clf_error *error)
{
    size_t bytes = 0;
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) != CL_SUCCESS || bytes == 0)
        return;
    char *log = calloc(bytes + 1, 1);
    if (!log)
        return;
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL) == CL_SUCCESS) {
        clf_text text = {0};
        translate_log(log, source, &text);
        if (text.data && !text.failed) /* a log may be empty */
            keep_log(text.data, error);
        clf_text_free(&text);
    }
    free(log);
}

/* Drivers disagree about the code of a source that does not compile; only these never mean that. */
static bool is_environment_failure(cl_int status)
{
    return status == CL_COMPILER_NOT_AVAILABLE || status == CL_OUT_OF_HOST_MEMORY || status == CL_INVALID_DEVICE ||
           status == CL_DEVICE_NOT_AVAILABLE || status == CL_INVALID_CONTEXT;
}

static clf_status build_failure(cl_program program, cl_device_id device, const char *source, cl_int status,
                                clf_error *error)
{
    if (is_environment_failure(status))
        return clf_fail(error, status, "the OpenCL compiler cannot be used: %s", clf_status_text(status));
    if (error) {
        error->log[0] = '\0';
        fetch_log(program, device, source, error);
    }
    char name[128] = "this device";
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    return clf_fail(error, CLF_E_OPERATOR, "the program does not compile for %.100s (OpenCL status %d)", name,
                    (int)status);
}

clf_status clf_build_program(cl_context cl, cl_device_id device, const char *source, const char *options,
                             cl_program *program, cl_int *code, clf_error *error)
{
    clf_status status;
    cl_program built = clCreateProgramWithSource(cl, 1, &source, NULL, &status);
    if (!built)
        return clf_fail(error, status, "no program: %s", clf_status_text(status));
    status = clBuildProgram(built, 1, &device, options, NULL, NULL);
    if (code)
        *code = status;
    if (status != CL_SUCCESS) {
        status = build_failure(built, device, source, status, error);
        clReleaseProgram(built);
        return status;
    }
    *program = built;
    return CLF_SUCCESS;
}

/* ---- The key --------------------------------------------------------------------------------------- */

/* With its length, so that no two lists of strings look alike. */
static void hash_text(clf_sha256 *hash, const char *text)
{
    const uint64_t length = strlen(text);
    clf_sha256_update(hash, &length, sizeof length);
    clf_sha256_update(hash, text, (size_t)length);
}

static void make_key(const clf_compiler *compiler, const char *source, const char *options, unsigned char key[32])
{
    const clf_facts *facts = compiler->facts;
    const char *const texts[] = {
        "clfold program 1 " CLFOLD_VERSION_STRING, source, options, facts->platform, facts->platform_version,
        facts->vendor, facts->name, facts->version, facts->driver,
    };
    clf_sha256 hash;
    clf_sha256_init(&hash);
    for (size_t i = 0; i < CLF_COUNT(texts); ++i)
        hash_text(&hash, texts[i]);
    clf_sha256_update(&hash, &facts->address_bits, sizeof facts->address_bits);
    clf_sha256_final(&hash, key);
}

/* ---- In memory ------------------------------------------------------------------------------------- */

/* Retained. */
static cl_program find_program(clf_compiler *compiler, const unsigned char key[32])
{
    for (clf_program_entry *entry = compiler->entries; entry; entry = entry->next)
        if (memcmp(entry->key, key, sizeof entry->key) == 0)
            return clRetainProgram(entry->program) == CL_SUCCESS ? entry->program : NULL;
    return NULL;
}

static cl_program recall(clf_compiler *compiler, const unsigned char key[32])
{
    clf_lock_acquire(&compiler->lock);
    cl_program program = find_program(compiler, key);
    clf_lock_release(&compiler->lock);
    return program;
}

/* Keeps the program unless another thread was faster; returns the kept one, retained for the caller. */
static cl_program remember(clf_compiler *compiler, const unsigned char key[32], cl_program program)
{
    clf_program_entry *entry = malloc(sizeof *entry);
    clf_lock_acquire(&compiler->lock);
    cl_program earlier = find_program(compiler, key);
    if (!earlier && entry && clRetainProgram(program) == CL_SUCCESS) {
        memcpy(entry->key, key, sizeof entry->key);
        entry->program = program;
        entry->next = compiler->entries;
        compiler->entries = entry;
        entry = NULL;
    }
    clf_lock_release(&compiler->lock);
    free(entry);
    if (!earlier)
        return program;
    clReleaseProgram(program);
    return earlier;
}

/* ---- On disk --------------------------------------------------------------------------------------- */

static cl_program from_binary(const clf_compiler *compiler, const unsigned char *binary, size_t bytes,
                              const char *options)
{
    cl_int loaded = CL_INVALID_BINARY, status;
    cl_program program = clCreateProgramWithBinary(compiler->cl, 1, &compiler->device, &bytes, &binary, &loaded,
                                                   &status);
    if (!program)
        return NULL;
    if (status == CL_SUCCESS && loaded == CL_SUCCESS &&
        clBuildProgram(program, 1, &compiler->device, options, NULL, NULL) == CL_SUCCESS)
        return program;
    clReleaseProgram(program);
    return NULL;
}

/* A binary that the driver refuses is removed: the next run would only fail again. */
static cl_program load(const clf_compiler *compiler, const unsigned char key[32], const char *options)
{
    size_t bytes;
    unsigned char *binary = clf_cache_load(&compiler->cache, key, &bytes);
    if (!binary)
        return NULL;
    cl_program program = from_binary(compiler, binary, bytes, options);
    if (!program)
        clf_cache_remove(&compiler->cache, key);
    free(binary);
    return program;
}

/* A program belongs to all devices of its context, and was built for one: which one in the list is ours? */
static bool find_device(cl_program program, cl_device_id device, cl_device_id *devices, size_t count, size_t *index)
{
    if (clGetProgramInfo(program, CL_PROGRAM_DEVICES, count * sizeof *devices, devices, NULL) != CL_SUCCESS)
        return false;
    for (*index = 0; *index < count; ++*index)
        if (devices[*index] == device)
            return true;
    return false;
}

/* malloc'ed binary of the program for this device, or NULL. Some drivers abort where more is asked for than there
 * is. */
static unsigned char *fetch_binary(cl_program program, cl_device_id device, size_t *bytes)
{
    enum { MOST = 64 };
    cl_uint count = 0;
    cl_device_id devices[MOST];
    size_t sizes[MOST] = {0}, index;
    unsigned char *binaries[MOST] = {NULL};
    if (clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, NULL) != CL_SUCCESS || count > MOST ||
        !find_device(program, device, devices, count, &index) ||
        clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, count * sizeof *sizes, sizes, NULL) != CL_SUCCESS ||
        sizes[index] == 0)
        return NULL;
    *bytes = sizes[index];
    unsigned char *binary = malloc(*bytes);
    if (!binary)
        return NULL;
    binaries[index] = binary;
    if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, count * sizeof *binaries, binaries, NULL) == CL_SUCCESS)
        return binary;
    free(binary);
    return NULL;
}

static void store(const clf_compiler *compiler, const unsigned char key[32], cl_program program)
{
    if (!compiler->cache.path)
        return; /* asking a driver for a binary can cost as much as a build */
    size_t bytes;
    unsigned char *binary = fetch_binary(program, compiler->device, &bytes);
    if (binary)
        clf_cache_store(&compiler->cache, key, binary, bytes);
    free(binary);
}

/* ---- The compiler ---------------------------------------------------------------------------------- */

void clf_compiler_init(clf_compiler *compiler, cl_context cl, cl_device_id device, const clf_facts *facts,
                       const char *cache_setting, const char *dump_dir)
{
    memset(compiler, 0, sizeof *compiler);
    compiler->cl = cl;
    compiler->device = device;
    compiler->facts = facts;
    compiler->dump_dir = dump_dir ? clf_strdup(dump_dir) : NULL;
    clf_cache_open(&compiler->cache, cache_setting, facts->driver_caches);
}

void clf_compiler_free(clf_compiler *compiler)
{
    while (compiler->entries) {
        clf_program_entry *entry = compiler->entries;
        compiler->entries = entry->next;
        clReleaseProgram(entry->program);
        free(entry);
    }
    clf_cache_close(&compiler->cache);
    free(compiler->dump_dir);
}

/* What a compiler refuses to optimise, loops of the caller's with a pragma for example, is built as it is written. */
static clf_status build(const clf_compiler *compiler, const char *source, const char *options, const char *optimised,
                        cl_program *program, clf_error *error)
{
    clf_dump(compiler->dump_dir, source, optimised);
    if (optimised != options) {
        const clf_status status = clf_build_program(compiler->cl, compiler->device, source, optimised, program, NULL,
                                                    NULL);
        if (status == CLF_SUCCESS)
            return CLF_SUCCESS;
        if (status != CLF_E_OPERATOR)
            return clf_fail(error, status, "the OpenCL compiler cannot be used: %s", clf_status_text(status));
        clf_dump(compiler->dump_dir, source, options);
    }
    return clf_build_program(compiler->cl, compiler->device, source, options, program, NULL, error);
}

static clf_status compile(clf_compiler *compiler, const char *source, const char *options, const char *optimised,
                          cl_program *program, clf_error *error)
{
    unsigned char key[32];
    make_key(compiler, source, optimised, key);
    cl_program found = recall(compiler, key);
    if (found) {
        atomic_fetch_add(&compiler->from_memory, 1);
        *program = found;
        return CLF_SUCCESS;
    }
    found = load(compiler, key, options);
    if (found) {
        clf_dump(compiler->dump_dir, source, optimised);
        atomic_fetch_add(&compiler->from_disk, 1);
    } else {
        CLF_TRY(build(compiler, source, options, optimised, &found, error));
        atomic_fetch_add(&compiler->compiled, 1);
        store(compiler, key, found);
    }
    *program = remember(compiler, key, found);
    return CLF_SUCCESS;
}

clf_status clf_compile(clf_compiler *compiler, const char *source, const char *options, bool optimise,
                       cl_program *program, clf_error *error)
{
    clf_text more = {0};
    if (!optimise || !compiler->facts->optimiser)
        return compile(compiler, source, options, options, program, error);
    clf_text_format(&more, "%s" CLF_OPTIMISER, options);
    const clf_status status = more.failed ? clf_fail(error, CLF_E_NO_MEMORY, "no memory for a compiler's options")
                                          : compile(compiler, source, options, more.data, program, error);
    clf_text_free(&more);
    return status;
}
