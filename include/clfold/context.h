/* SPDX-License-Identifier: MIT */
/* Contexts: a part of clfold.h, which says how every call behaves. */
#ifndef CLFOLD_CONTEXT_H
#define CLFOLD_CONTEXT_H

#include <clfold/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 2. Contexts --------------------------------------------------------------------------------------- */

/*
 * One cl_context and one of its devices: what the device was probed to be able to do, compiled programs,
 * pooled scratch, and the tuning profile. Create one per device and share it between threads. A child by fork can use
 * neither OpenCL nor a context of its parent: drivers keep threads that a fork leaves behind.
 */
typedef struct clf_context clf_context;

/*
 * Every field may be zero. Environment variables, read when a context is created, override three of the
 * strings: CLFOLD_CACHE_DIR, CLFOLD_DISABLE, and CLFOLD_DUMP (dump_dir). A fourth, CLFOLD_PROFILE, adds to the
 * profile, as told there.
 */
typedef struct clf_context_options {
    size_t size; /* sizeof(clf_context_options) */

    /* Where compiled programs, and what probing found, are kept between runs: a directory, "off" (nothing is
     * written), or NULL for the default: the user's cache directory; but no programs are kept there if the driver is
     * known to have a cache of its own (NVIDIA, PoCL). Cached binaries are code: the directory must be writable by
     * this user alone. */
    const char *cache_dir;

    /* Text of tuning profiles, or NULL: which variants and parameters are fast on a device. A line is
     *
     *     scan.b4.central.items = 52       primitive . class . variant . parameter = number
     *     scan.b4.medium = window          primitive . class . role = the variant that it takes
     *
     * with # before comments. The class is that of the value: "b4", 4 bytes; of tuples "b32x8", 32 bytes, rounded up to
     * a power of two, and the largest field's. A role may stand for a variant, and * for any class or variant; lines
     * that say more override those that say less. Variants that do not take a parameter ignore the line, and a role one
     * that names a variant which takes only some calls ("one_group"). Lines about primitives, classes, variants and
     * roles that there are not are ignored, too: they may be of another version. clf_plan_describe_tuning shows what
     * came of it.
     *
     * Lines between a header and a line "end" are for some devices alone. clfold-tune writes them so:
     *
     *     clfold profile 1                 the format
     *     device = NVIDIA H200             or *: any of the architecture, or of the vendor and type
     *     platform = NVIDIA CUDA           or *; may be left out
     *     vendor = NVIDIA Corporation      or *
     *     type = gpu                       cpu, gpu, accelerator, or *
     *     architecture = sm_90             or *; may be left out, as may "driver = ..." and "score = ..."
     *     version = 0.1.0                  of the clfold that it was made with
     *     scan.b4.central.items = 52
     *     end
     *
     * (A header's values go to the ends of their lines.) They hold for the device of that name, for devices whose names
     * begin with it, and for those of the same architecture. If several sections hold, lines of the most specific one
     * count: of this very device, of its architecture, of its vendor and type, of any; then a model guesses. So a text
     * may have profiles of several devices; if it has none for this one, `notify` is told (CLF_E_PARAMETER), and
     * nothing else happens.
     *
     * Later ones override earlier ones: built-in profiles, this text, the file that the environment variable
     * CLFOLD_PROFILE names (which is the user's; with "off" there are no profiles at all), and what clf_context_tune
     * finds. A bad line of the text is CLF_E_PARAMETER, and clf_error.message says which. A bad file keeps no program
     * from running: all of it is ignored, and `notify` and clf_context_describe ("profile_ignored") say why. Formats
     * newer than the library are bad. */
    const char *profile;

    /* For tests: capabilities to treat as absent, separated by commas: ptx, c11, int64_atomics, subgroups, khr,
     * progress, cpu, fp64, fp16. */
    const char *disable;

    /* For bug reports: an existing directory that gets the source of every program, before it is built or taken
     * from a cache on disk, as NAME.cl with the build options in a comment in its first line; the device is probed
     * anew, so that the probes are among them. NULL: none. What cannot be written is left out. Programs contain your
     * operator's source. */
    const char *dump_dir;

    /* Called when a call refuses an argument, with one sentence that names the call and the argument
     * ("clf_scan: out[1].buffer ends before element 999") and the status that the call is about to return; and when
     * clf_context_create ignores a profile (see there). It runs in the caller's thread, and `sentence` is gone
     * afterwards. NULL: nobody is told. */
    void (*notify)(const char *sentence, clf_status status, void *user);
    void *user;
} clf_context_options;

/*
 * Probes the device (compiles and runs a few tiny kernels on a queue of its own: a tenth of a second or more), unless
 * an earlier run did so and cache_dir still has the result, and retains `cl`. `options` and `error` may be NULL. A
 * query that the device does not answer is the status, and `error` names it.
 */
CLF_API clf_status clf_context_create(cl_context cl, cl_device_id device, const clf_context_options *options,
                                      clf_context **context, clf_error *error);
CLF_API clf_status clf_context_retain(clf_context *context);
CLF_API clf_status clf_context_release(clf_context *context);

/*
 * Gives pooled scratch that no call is using back to OpenCL. Never needed for correctness.
 */
CLF_API clf_status clf_context_trim(clf_context *context);

/*
 * Writes what was probed and chosen, one "name = value" per line, into text[0 .. bytes), cut to fit and
 * always terminated. `needed`, if not NULL, gets the size that holds all of it. For people and bug reports;
 * clfold-info prints it.
 */
CLF_API clf_status clf_context_describe(const clf_context *context, char *text, size_t bytes, size_t *needed);

#ifdef __cplusplus
}
#endif
#endif
