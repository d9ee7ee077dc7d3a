/* SPDX-License-Identifier: MIT */
/* Plans and calls: a part of clfold.h, which says how every call behaves. */
#ifndef CLFOLD_PLAN_H
#define CLFOLD_PLAN_H

#include <clfold/context.h>
#include <clfold/operator.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 4. Plans ------------------------------------------------------------------------------------------ */

/*
 * One primitive, one operator, one set of flags, for one device. Shareable between threads and queues. A plan retains
 * its context.
 *
 * A plan has kernels for several sizes. The one for large sizes is compiled with the plan, so that an operator that
 * does not compile is an error there. Another one is compiled by the first call that needs it, which takes some tenths
 * of a second, unless a cache has it.
 */
typedef struct clf_plan clf_plan;

CLF_API clf_status clf_plan_retain(clf_plan *plan);
CLF_API clf_status clf_plan_release(clf_plan *plan);

/* Compiles all that calls of this plan may need, for programs in which no call may take long. Any thread may do so,
 * beside calls too. `error` may be NULL. */
CLF_API clf_status clf_plan_compile(clf_plan *plan, clf_error *error);

/* For tuning and tests. Every field may be zero. */
typedef struct clf_plan_options {
    size_t size; /* sizeof(clf_plan_options) */

    /* Take this variant (clfold-bench --list names them) instead of those that clfold would choose. A call that it
     * cannot do (n too large for one group, say) is CLF_E_UNSUPPORTED. */
    const char *variant;

    /* "items=20,group=256": overrides the profile. cl/README.md lists the parameters, as does clf_parameters_describe.
     * CLF_E_PARAMETER: a number is out of range; or the variant that is named above does not take the parameter (if
     * none is named: no variant of the primitive does). clf_error.message then says which numbers, or parameters, are
     * taken. (Where clfold chooses variants, those that do not take a parameter ignore it.) Plans that differ only in
     * what the host alone reads share their programs: nothing is compiled. */
    const char *parameters;
} clf_plan_options;

/*
 * All parameters, a line each: name, who reads it ("kernels", "host" or "compiler"), least and largest value, what it
 * is where nobody says, the primitives that take it and, in parentheses, which of their variants, and what it means;
 * separated by tabs. `clfold-info --parameters` makes a table of it. Like clf_context_describe otherwise.
 */
CLF_API clf_status clf_parameters_describe(char *text, size_t bytes, size_t *needed);

/* A place in a buffer: `offset` counts elements of the array's own type. */
typedef struct clf_array {
    cl_mem buffer;
    cl_ulong offset;
} clf_array;

/*
 * How a call runs: the same for every primitive. Zero is a good value of each field but `size` and `queue`; most calls
 * need no more than CLF_ON(queue). Read during the call only; it and what it points to belong to the caller.
 *
 *     cl_event done;
 *     clf_call call = {.size = sizeof call, .queue = queue, .wait_count = 1, .wait = &loaded, .event = &done};
 *     clf_scan(plan, &call, n, &in, &out);
 */
typedef struct clf_call {
    size_t size;            /* sizeof(clf_call) */
    cl_command_queue queue; /* of the context and its device; in order or out of order */

    /* The call's commands run behind these events. */
    cl_uint wait_count;
    const cl_event *wait;

    /* NULL, or where an event goes that covers the whole call; the caller releases it. */
    cl_event *event;

    /* A buffer of at least clf_plan_scratch bytes, to keep clfold from allocating device memory; its offset counts
     * bytes and is a multiple of 16. Its content need not survive between calls; it must not overlap any array of
     * the call. A call that needs no scratch does not look at it. Without a buffer scratch comes from the context's
     * pool. */
    clf_array scratch;

    /* The value that is combined before the first element. NULL: the neutral element (in adjacent differences: no
     * value). Otherwise the fields of clf_value laid out as a C struct, read before the call returns. Or, on the
     * device, `initial_arrays`: one array per field of clf_value, of one element each, which the call's commands read;
     * for plans made with CLF_FROM_DEVICE. Not both. */
    const void *initial;
    const clf_array *initial_arrays;

    /* Without a buffer the sizes are those of the call. With one, a cl_ulong in it, which the call's commands read, is
     * the true number of elements (clf_segmented_…: of segments). The size in the call is then the maximum: a larger
     * number is cut to it. Elements of outputs beyond the true number are not written. Calls with two sizes, of two
     * sequences, read two cl_ulongs, in that order (section 15). For plans made with CLF_FROM_DEVICE. */
    clf_array actual;

    /* How many arrays `in` and `out` have: 0 if not said. A number that the operator does not call for is
     * CLF_E_ARGUMENT. */
    cl_uint in_count, out_count;
} clf_call;

/*
 * A plan's flag: its calls may leave the size or the initial value to the device (clf_call.actual, .initial_arrays).
 * Kernels of such plans are slower by some hundredths at most, others pay nothing.
 */
#define CLF_FROM_DEVICE 0x10u

/*
 * A flag of plans for filters and first elements of runs (section 11), whose outputs may then take the place of inputs.
 * clf_plan_scratch of such a plan has room for a copy of the inputs; all else is as without the flag.
 */
#define CLF_IN_PLACE 0x20u

/* The call that has nothing but a queue. */
#ifdef __cplusplus
#define CLF_ON(queue) (&static_cast<const clf_call &>(clf_call_on(queue)))
#else
#define CLF_ON(on_queue) (&(const clf_call){.size = sizeof(clf_call), .queue = (on_queue)})
#endif

/*
 * Bytes of scratch that a call of this plan needs; may be 0. `n` is the number of all elements, `count` the number of
 * segments, which is looked at only for irregular ones that offsets or lengths tell of; of a reduction by index the
 * number of bins of all rows together. CLF_E_OVERFLOW, and 0 bytes: no device has room for so much scratch.
 */
CLF_API clf_status clf_plan_scratch(const clf_plan *plan, cl_ulong n, cl_ulong count, cl_ulong *bytes);

/*
 * Like clf_context_describe: variants, parameters and sizes of a plan, which one `n` elements would use, and the
 * elements per work-item ("model") of Clausen's model, which scans of wide values take where registers are few.
 */
CLF_API clf_status clf_plan_describe(const clf_plan *plan, cl_ulong n, char *text, size_t bytes, size_t *needed);

/*
 * Likewise, the tuning of a plan: a line for the variant of each role, and for each of its parameters, of four words
 * separated by tabs: role, "variant" or the parameter's name, the value, and where that comes from:
 * "default" (the variant's own, or the model's), "plan" (clf_plan_options), a line of a profile
 * ("nvidia.profile:22", "caller:3"), or that it was cut to what fits. clfold-info --tuning prints it.
 */
CLF_API clf_status clf_plan_describe_tuning(const clf_plan *plan, char *text, size_t bytes, size_t *needed);

/*
 * Looks for faster parameters than those that a plan has, by trying others on this device for so many milliseconds, and
 * has the context use them: plans that are made later use what was found, which overrides every profile; for every
 * operator whose values are of the same class (see clf_context_options.profile), and the variants that the plan has.
 * Plans that exist stay as they are: make them anew. Nothing else in clfold ever tunes.
 *
 * For plans of scans, segmented scans and reductions (one plan of these does segments, too), whatever the operator and
 * the types of its fields; not for maps with captured arrays, and not for others (CLF_E_UNSUPPORTED). The plan is of
 * this context (else CLF_E_CONTEXT). `error` may be NULL.
 *
 * It blocks, and wants the device for itself: what else runs there disturbs its times. It makes a queue and buffers of
 * its own, a megabyte for each millisecond, but no more than some hundreds, and releases them. Elements are small:
 * integers from 0 to 127, floating-point numbers 0 or 1; the operator's functions must bear that. Each candidate is
 * first compared with what the plan itself makes of an odd number of them, floating-point results to half their
 * digits. What does not compile, fails, or is wrong is passed over, as is whatever is not faster by more than noise.
 * Programs that are compiled meanwhile stay with the context; the last of them may take a second or so longer than
 * there was time. With 0 milliseconds nothing is tried.
 *
 * Any thread may tune, beside calls and other threads that tune. What fails leaves the context as it was.
 */
CLF_API clf_status clf_context_tune(clf_context *context, const clf_plan *plan, cl_uint milliseconds, clf_error *error);

/*
 * All that clf_context_tune found in this context so far, as the text of a profile with a header for this very device
 * (without settings, if there is nothing): to be kept, and given to later contexts as clf_context_options.profile or by
 * CLFOLD_PROFILE. Like clf_context_describe otherwise.
 */
CLF_API clf_status clf_context_profile(const clf_context *context, char *text, size_t bytes, size_t *needed);

#ifdef __cplusplus
}

/* What CLF_ON makes: alive until the end of the statement. */
struct clf_call_on : clf_call {
    explicit clf_call_on(cl_command_queue on_queue) : clf_call()
    {
        size = sizeof(clf_call);
        queue = on_queue;
    }
};
#endif
#endif
