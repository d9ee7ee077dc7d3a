/* SPDX-License-Identifier: MIT */
/*
 * A context: what everything that one cl_context and one device share hangs off. Plans retain their context; the plans
 * of the one-call functions are the other way round: the context owns them, and they hold no reference to it.
 */
#include "core/core.h"

#include <stdlib.h>

/* ---- Options --------------------------------------------------------------------------------------- */

static const char *overridden(const char *option, const char *variable)
{
    const char *value = getenv(variable);
    return value ? value : option;
}

static clf_status read_options(const clf_context_options *given, clf_context_options *options, clf_error *error)
{
    *options = (clf_context_options){.size = sizeof *options};
    if (given) {
        if (given->size != sizeof *given)
            return clf_fail(error, CLF_E_ARGUMENT, "clf_context_options.size is not sizeof(clf_context_options)");
        *options = *given;
    }
    options->cache_dir = overridden(options->cache_dir, "CLFOLD_CACHE_DIR");
    options->disable = overridden(options->disable, "CLFOLD_DISABLE");
    options->dump_dir = overridden(options->dump_dir, "CLFOLD_DUMP");
    return CLF_SUCCESS;
}

/* NULL: it is no part of another, or does not say. */
static cl_device_id parent_of(cl_device_id device)
{
    cl_device_id parent = NULL;
    const clf_status status = clGetDeviceInfo(device, CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, NULL);
    return status == CL_SUCCESS ? parent : NULL;
}

/* Some drivers say of a sub-device's context that it is its parent's. */
static clf_status check_device(cl_context cl, cl_device_id device, clf_error *error)
{
    enum { MOST = 256 };
    cl_device_id devices[MOST];
    size_t bytes = 0;
    const clf_status status = clGetContextInfo(cl, CL_CONTEXT_DEVICES, sizeof devices, devices, &bytes);
    if (status != CL_SUCCESS)
        return clf_fail(error, status, "the cl_context does not answer: %s", clf_status_text(status));
    for (cl_device_id part = device, whole; part; part = whole) {
        whole = parent_of(part);
        for (size_t i = 0; i < bytes / sizeof *devices; ++i)
            if (devices[i] == part)
                return CLF_SUCCESS;
    }
    return clf_fail(error, CLF_E_CONTEXT, "the device is not one of the cl_context's");
}

/* ---- Creation and release -------------------------------------------------------------------------- */

/* A descriptor's tag is what its word leaves beside the data: 32 or 16 bits, two of them for the state. */
static cl_uint epoch_limit(clf_atomics atomics)
{
    return atomics == CLF_ATOMICS_CL12 ? (1u << 14) - 1 : (1u << 30) - 1;
}

static clf_status retain(clf_context *context, clf_error *error)
{
    clf_status status = clRetainContext(context->cl);
    if (status != CL_SUCCESS)
        return clf_fail(error, status, "the cl_context cannot be retained");
    status = clRetainDevice(context->device);
    if (status == CL_SUCCESS)
        return CLF_SUCCESS;
    clReleaseContext(context->cl);
    return clf_fail(error, status, "the device cannot be retained");
}

/* No driver keeps these, so that here the default is the user's cache directory for all. */
static clf_status find_facts(clf_context *context, const clf_context_options *options, clf_error *error)
{
    clf_cache cache;
    clf_cache_open(&cache, options->cache_dir, false);
    const clf_status status = clf_facts_find(context->cl, context->device, options->disable, options->dump_dir, &cache,
                                             &context->facts, error);
    clf_cache_close(&cache);
    return status;
}

/* The user's file of profiles. It must not keep the caller's program from running: what is wrong with it is told. */
static clf_status read_profile(clf_context *context, clf_error *error)
{
    char sentence[320];
    clf_error own = {.size = sizeof own};
    const char *path = getenv("CLFOLD_PROFILE");
    if (!path || *path == '\0')
        return CLF_SUCCESS;
    const clf_status status = clf_profile_read(&context->profile, path, &own);
    if (status != CLF_E_PARAMETER)
        return status == CLF_SUCCESS ? status : clf_fail(error, status, "CLFOLD_PROFILE: %s", own.message);
    snprintf(sentence, sizeof sentence, "CLFOLD_PROFILE is ignored: %s", own.message);
    if (context->notify)
        context->notify(sentence, status, context->user);
    return CLF_SUCCESS;
}

/* Profiles that somebody gave, none of which is for this device, are no mistake where there are several devices. */
static void tell_foreign(const clf_context *context)
{
    static const char *const names[CLF_PROFILE_OWNERS] = {NULL, "clf_context_options.profile", "CLFOLD_PROFILE"};
    char sentence[320];
    for (int owner = CLF_PROFILE_CALLER; owner < CLF_PROFILE_OWNERS; ++owner) {
        if (!context->notify || !clf_profile_is_foreign(&context->profile, (clf_profile_owner)owner, &context->facts))
            continue;
        snprintf(sentence, sizeof sentence, "%s has no profile for %s", names[owner], context->facts.name);
        context->notify(sentence, CLF_E_PARAMETER, context->user);
    }
}

/* The last step that can fail retains, so that none has to be undone. */
static clf_status fill_in(clf_context *context, const clf_context_options *options, clf_error *error)
{
    CLF_TRY(clf_profile_load(&context->profile, options->profile, error));
    clf_status status = read_profile(context, error);
    if (status == CLF_SUCCESS)
        status = find_facts(context, options, error);
    if (status == CLF_SUCCESS)
        status = retain(context, error);
    if (status != CLF_SUCCESS) {
        clf_profile_free(&context->profile);
        return status;
    }
    clf_compiler_init(&context->compiler, context->cl, context->device, &context->facts, options->cache_dir,
                      options->dump_dir);
    context->pool.cl = context->cl;
    context->pool.epoch_limit = epoch_limit(context->facts.atomics);
    tell_foreign(context);
    return CLF_SUCCESS;
}

static clf_status create(cl_context cl, cl_device_id device, const clf_context_options *options, clf_context **context,
                         clf_error *error)
{
    clf_context *created = calloc(1, sizeof *created);
    if (!created)
        return clf_fail(error, CLF_E_NO_MEMORY, "no memory for a context");
    created->cl = cl;
    created->device = device;
    atomic_init(&created->references, 1);
    created->notify = options->notify;
    created->user = options->user;
    const clf_status status = fill_in(created, options, error);
    if (status != CLF_SUCCESS) {
        free(created);
        return status;
    }
    *context = created;
    return CLF_SUCCESS;
}

clf_status clf_context_create(cl_context cl, cl_device_id device, const clf_context_options *options,
                              clf_context **context, clf_error *error)
{
    clf_context_options read;
    if (context)
        *context = NULL;
    CLF_TRY(clf_error_reset(error));
    if (!cl || !device || !context)
        return clf_fail(error, CLF_E_ARGUMENT, "cl, device and context must not be NULL");
    CLF_TRY(read_options(options, &read, error));
    CLF_TRY(check_device(cl, device, error));
    return create(cl, device, &read, context, error);
}

static void destroy(clf_context *context)
{
    while (context->kept) {
        clf_kept *entry = context->kept;
        context->kept = entry->next;
        (void)entry->release(entry->object);
        free(entry);
    }
    clf_pool_free(&context->pool);
    clf_compiler_free(&context->compiler);
    clf_profile_free(&context->profile);
    clReleaseDevice(context->device);
    clReleaseContext(context->cl);
    free(context);
}

clf_status clf_context_retain(clf_context *context)
{
    if (!context)
        return CLF_E_ARGUMENT;
    atomic_fetch_add_explicit(&context->references, 1, memory_order_relaxed);
    return CLF_SUCCESS;
}

clf_status clf_context_release(clf_context *context)
{
    if (!context)
        return CLF_E_ARGUMENT;
    if (atomic_fetch_sub_explicit(&context->references, 1, memory_order_acq_rel) == 1)
        destroy(context);
    return CLF_SUCCESS;
}

/* ---- The rest -------------------------------------------------------------------------------------- */

clf_status clf_context_trim(clf_context *context)
{
    if (!context)
        return CLF_E_ARGUMENT;
    clf_pool_trim(&context->pool);
    return CLF_SUCCESS;
}

clf_status clf_context_describe(const clf_context *context, char *text, size_t bytes, size_t *needed)
{
    if (!context)
        return CLF_E_ARGUMENT;
    clf_text description = {0};
    clf_facts_describe(&context->facts, &description);
    const char *path = context->compiler.cache.path;
    clf_text_format(&description, "cache = %s\n", path ? path : "off");
    clf_profile_describe(&context->profile, &context->facts, &description);
    const clf_status status = clf_text_export(&description, text, bytes, needed);
    clf_text_free(&description);
    return status;
}
