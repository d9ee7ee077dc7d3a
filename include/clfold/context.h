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
 * One cl_context and one of its devices, with the device's probed capabilities, compiled programs, pooled scratch and
 * the tuning profile. Create one per device and share it between threads. A process made by fork can use neither OpenCL
 * nor its parent's context: drivers have threads that do not survive a fork.
 */
typedef struct clf_context clf_context;

/*
 * Every field may be zero. Three environment variables override three of the strings: CLFOLD_CACHE_DIR, CLFOLD_DISABLE,
 * and CLFOLD_DUMP (dump_dir). A fourth, CLFOLD_PROFILE, adds to the profile (see there). They are read when a context
 * is created.
 */
typedef struct clf_context_options {
    size_t size; /* sizeof(clf_context_options) */

    /* Where compiled programs and probed capabilities are stored between runs: a directory, "off" (nothing is
     * written), or NULL for the default, the user's cache directory. By default no programs are stored if the driver
     * is known to have a cache of its own (NVIDIA, PoCL). With a directory PoCL compiles all kernels of a program at
     * once, which may take ten times as long. Cached binaries are code: only this user may be able to write there. */
    const char *cache_dir;

    /* Text of tuning profiles, or NULL: which variants and parameters are fast on a device. A line is
     *
     *     scan.b4.central.items = 52       primitive . class . variant . parameter = number
     *     scan.b4.medium = window          primitive . class . role = the variant that it takes
     *
     * with # before comments. The class is that of the value: "b4" is 4 bytes; a tuple is "b32x8", 32 bytes (rounded up
     * to a power of two), its largest field 8. A role may stand for a variant, and * for any class or variant. More
     * specific lines override less specific ones. A variant ignores lines for parameters that it does not take. A role
     * ignores a line that names a variant for some calls only ("one_group"). Lines with unknown primitives, classes,
     * variants or roles are ignored, too: they may be of another version. clf_plan_describe_tuning shows the result.
     *
     * Lines between a header and a line "end" are for some devices only. clfold-tune writes them so:
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
     * (A header's values go to the ends of their lines.) A section applies to the device of that name, to devices whose
     * names begin with it, and to those of the same architecture. If several sections apply, the most specific one
     * counts: this device, its architecture, its vendor and type, any device. Without one a model guesses. So a text
     * may have profiles of several devices. If it has none for this one, `notify` is called (CLF_E_PARAMETER), and
     * nothing else happens.
     *
     * The order, each overriding those before: built-in profiles; this text; the user's file, named by the environment
     * variable CLFOLD_PROFILE; the results of clf_context_tune. CLFOLD_PROFILE=off disables all profiles. A bad line of
     * the text is CLF_E_PARAMETER, and clf_error.message names it. A bad file stops no program: it is ignored as a
     * whole, and `notify` and clf_context_describe ("profile_ignored") give the reason. A format newer than the library
     * is bad. */
    const char *profile;

    /* For tests: capabilities to treat as absent, separated by commas: ptx, c11, int64_atomics, subgroups, khr,
     * progress, order, cpu, fp64, fp16, optimiser; sub-groups of one size: lanes8, lanes16, lanes32, lanes64. Other
     * names have no effect. */
    const char *disable;

    /* For bug reports: an existing directory that gets the source of every program, or NULL. Each is written as
     * NAME.cl before it is built or loaded from the cache, with the build options in a comment in the first line.
     * The device is probed anew, so that the probes are among them. A file that cannot be written is skipped.
     * Programs contain your operator's source. */
    const char *dump_dir;

    /* Called when a call refuses an argument. The sentence names the call and the argument ("clf_scan: out[1].buffer
     * ends before element 999"); `status` is what the call is about to return. Called, too, when clf_context_create
     * ignores a profile (see there). It runs in the caller's thread, and `sentence` is valid only until it returns.
     * NULL: no notification. */
    void (*notify)(const char *sentence, clf_status status, void *user);
    void *user;
} clf_context_options;

/*
 * Creates a context, which retains `cl`. `options` and `error` may be NULL. The device is probed: a few tiny kernels
 * are compiled and run on a queue made for it, which takes a tenth of a second or more. The result of an earlier run in
 * cache_dir saves that. If a device query fails, its status is returned and `error` names the query.
 */
CLF_API clf_status clf_context_create(cl_context cl, cl_device_id device, const clf_context_options *options,
                                      clf_context **context, clf_error *error);
CLF_API clf_status clf_context_retain(clf_context *context);
CLF_API clf_status clf_context_release(clf_context *context);

/*
 * Returns pooled scratch that no call is using to OpenCL. Never needed for correctness.
 */
CLF_API clf_status clf_context_trim(clf_context *context);

/*
 * Writes what was probed and chosen, one "name = value" per line, into text[0 .. bytes): cut to fit and always
 * terminated. `needed`, if not NULL, gets the size that holds the whole text. For people and bug reports; clfold-info
 * prints it.
 */
CLF_API clf_status clf_context_describe(const clf_context *context, char *text, size_t bytes, size_t *needed);

#ifdef __cplusplus
}
#endif
#endif
