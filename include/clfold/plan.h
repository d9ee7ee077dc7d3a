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
 * its context. A function that fails to make one sets `*plan` to NULL.
 *
 * A plan has kernels for several sizes. The one for large sizes is compiled with the plan, so that an operator that
 * does not compile is an error there. Another one is compiled by the first call that needs it, which takes some tenths
 * of a second, unless a cache has it.
 */
typedef struct clf_plan clf_plan;

CLF_API clf_status clf_plan_retain(clf_plan *plan);
CLF_API clf_status clf_plan_release(clf_plan *plan);

/*
 * Compiles everything that calls of this plan may need, for programs in which no call may take long. Any thread may do
 * so, also during calls. `error` may be NULL.
 */
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

    /* Which results are wanted, a bit for each: bit i is field i of `result`, where the operator has that, else of
     * `value`. 0: all. The others are not written, and the compiler leaves out what only they need. Groups hand on
     * to each other what wanted results need: those fields that a built-in combines, those parts of a joined
     * operator, and of the caller's combine, or with an own finish or place, whole values. Inputs are as ever. Calls
     * find {NULL, 0} in the others' places of `out`, where arrays are as many as without it; else they are
     * CLF_E_ARGUMENT. Extra outputs are always written. For scans, reductions and adjacent differences of every
     * shape, and by key and by index (there not with CLF_UPDATE). Other plans refuse it, and so do calls over
     * several devices and clf_context_tune (CLF_E_UNSUPPORTED). `size` may end before it. */
    cl_ulong wanted;
} clf_plan_options;

/*
 * All parameters, a line each, with fields separated by tabs: name; reader ("kernels", "host" or "compiler"); least and
 * largest value; default; primitives that take it, their variants in parentheses; meaning.
 * `clfold-info --parameters` makes a table of it. Otherwise like clf_context_describe.
 */
CLF_API clf_status clf_parameters_describe(char *text, size_t bytes, size_t *needed);

/* A place in a buffer: `offset` counts elements of the array's own type. */
typedef struct clf_array {
    cl_mem buffer;
    cl_ulong offset;
} clf_array;

/*
 * How a call runs: the same for every primitive. Zero is a valid value of each field but `size` and `queue`; most calls
 * need no more than CLF_ON(queue). It is read during the call only. The struct and everything that it points to belong
 * to the caller.
 *
 *     cl_event done;
 *     clf_call call = {.size = sizeof call, .queue = queue, .wait_count = 1, .wait = &loaded, .event = &done};
 *     clf_scan(plan, &call, n, &in, &out);
 */
typedef struct clf_call {
    size_t size;            /* sizeof(clf_call) */
    cl_command_queue queue; /* of the context and its device; in order or out of order */

    /* The call's commands run after these events; 0 and NULL: none. CL_INVALID_EVENT_WAIT_LIST: one of both without the
     * other, or an event that is NULL. */
    cl_uint wait_count;
    const cl_event *wait;

    /* NULL, or where the event of the whole call is stored; the caller releases it. */
    cl_event *event;

    /* A buffer of at least clf_plan_scratch bytes, so that clfold need not allocate device memory. Its offset counts
     * bytes and is a multiple of 16. Its content need not survive between calls. It must not overlap any array of
     * the call. A call that needs no scratch ignores it. Without a buffer scratch comes from the context's pool. */
    clf_array scratch;

    /* The value that is combined before the first element. NULL: the neutral element (in adjacent differences: no
     * value). Otherwise the fields of clf_value laid out as a C struct, read before the call returns. Or, on the
     * device, `initial_arrays`: an array of one element per field of clf_value, which the call's commands read; for
     * plans made with CLF_FROM_DEVICE. Not both. */
    const void *initial;
    const clf_array *initial_arrays;

    /* A size on the device, for plans made with CLF_FROM_DEVICE. Without a buffer the call's sizes are the true
     * ones. With a buffer, its cl_ulong is the true number of elements (clf_segmented_…: of segments), which the
     * call's commands read. The call's size is then the maximum: a larger number is reduced to it. Elements of
     * outputs beyond the true number are not written. Calls with two sequences read two cl_ulongs, in that order
     * (section 15). */
    clf_array actual;

    /* How many arrays `in` and `out` have; 0: unknown. A number other than the operator's is CLF_E_ARGUMENT. With 0 a
     * call reads as many as the operator has fields, even past the end of `in` or `out`. CLF_ON_ARRAYS and
     * CLF_ARRAY_COUNT count them. */
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

/*
 * A flag of plans for scans and reductions of every kind: those of section 5 to 8, by key and by index. Floating-point
 * results then repeat bitwise: for one plan on one device, the same elements and sizes (also the call's, where the true
 * one is on the device), and arrays that begin alike against multiples of 16 bytes. Without it scans, and reductions by
 * key or index, may combine operands in an order that depends on which work-group is first. Integers repeat without it;
 * built-in operators on them keep all variants.
 *
 * clfold chooses among the variants that repeat; any other that is asked for by name is CLF_E_UNSUPPORTED. Scans (not
 * on CPUs) and reductions by key read their inputs twice ("two_pass"), reductions by index sort (not on CPUs), and all
 * other reductions cost nothing. Other variants and other devices may give other last bits.
 */
#define CLF_REPEATABLE 0x200u

/* The call that has nothing but a queue. */
#ifdef __cplusplus
#define CLF_ON(queue) (&static_cast<const clf_call &>(clf_call_on(queue)))
#else
#define CLF_ON(on_queue) (&(const clf_call){.size = sizeof(clf_call), .queue = (on_queue)})
#endif

/*
 * How many arrays `x` has, counted by the compiler: `x` is a clf_array or an array of them. A pointer does not compile,
 * because the number of arrays behind it is unknown.
 *
 *     clf_call call = {.size = sizeof call, .queue = queue, .out_count = CLF_ARRAY_COUNT(out)};
 */
#ifdef __cplusplus
#define CLF_ARRAY_COUNT(x) (clf_array_count(x))
#elif __STDC_VERSION__ >= 201112L
#define CLF_ARRAY_COUNT(x)                                                                                            \
    ((cl_uint)(sizeof(x) / sizeof(clf_array) * _Generic((x), clf_array: 1u, clf_array *: 1u, const clf_array *: 1u) + \
               0 * sizeof(struct {                                                                                    \
                       char one;                                                                                      \
                       _Static_assert(sizeof(x) >= sizeof(clf_array), "a pointer does not say how many arrays");      \
                   })))
#else
#define CLF_ARRAY_COUNT(x) \
    ((cl_uint)(sizeof(x) / sizeof(clf_array) + 0 * sizeof(char[sizeof(x) < sizeof(clf_array) ? -1 : 1])))
#endif

/*
 * The call that has a queue, and counts its arrays. If there are fewer or more than the operator has fields, that is
 * CLF_E_ARGUMENT; with CLF_ON the call would read past their ends. `in` and `out` are as in CLF_ARRAY_COUNT.
 *
 *     clf_array in, out[2];
 *     clf_scan(plan, CLF_ON_ARRAYS(queue, in, out), n, &in, out);
 */
#ifdef __cplusplus
#define CLF_ON_ARRAYS(queue, in, out) \
    (&static_cast<const clf_call &>(clf_call_on(queue, CLF_ARRAY_COUNT(in), CLF_ARRAY_COUNT(out))))
#else
#define CLF_ON_ARRAYS(on_queue, in, out)                                 \
    (&(const clf_call){.size = sizeof(clf_call), .queue = (on_queue),    \
                       .in_count = CLF_ARRAY_COUNT(in), .out_count = CLF_ARRAY_COUNT(out)})
#endif

/*
 * Bytes of scratch that a call of this plan needs; may be 0. `n` is the number of all elements. `count` is the number
 * of segments, used only for irregular segments by offsets or lengths; for a reduction by index it is the number of
 * bins of all rows. CLF_E_OVERFLOW, and 0 bytes: no device has room for so much scratch.
 */
CLF_API clf_status clf_plan_scratch(const clf_plan *plan, cl_ulong n, cl_ulong count, cl_ulong *bytes);

/*
 * Like clf_context_describe: variants, parameters and sizes of a plan, and the variant for `n` elements. "model" is the
 * elements per work-item of Clausen's model, which scans of wide values use where registers are few.
 */
CLF_API clf_status clf_plan_describe(const clf_plan *plan, cl_ulong n, char *text, size_t bytes, size_t *needed);

/*
 * Likewise, the tuning of a plan: a line for the variant of each role, and for each of its parameters. A line is four
 * words separated by tabs: role, "variant" or the parameter's name, value, and source. The source is "default" (the
 * variant's own, or the model's), "plan" (clf_plan_options), a line of a profile ("nvidia.profile:22", "caller:3"), or
 * a note that the value was cut to fit. clfold-info --tuning prints it.
 */
CLF_API clf_status clf_plan_describe_tuning(const clf_plan *plan, char *text, size_t bytes, size_t *needed);

/*
 * Searches for faster parameters of a plan, by trying others on this device for that many milliseconds. The context
 * uses what was found: for plans that are made later, with the same variants, and for every operator whose values are
 * of the same class (see clf_context_options.profile). It overrides every profile. Existing plans do not change: make
 * them anew. Nothing else in clfold ever tunes.
 *
 * For plans of scans, segmented scans and reductions (one plan of these does segments, too), with any operator and
 * field types. Other plans, and operators with captured arrays or `place`, are CLF_E_UNSUPPORTED. The plan is of this
 * context (else CLF_E_CONTEXT). `error` may be NULL.
 *
 * It blocks, and needs the device for itself: other work there disturbs its times. It makes its own queue and buffers,
 * a megabyte for each millisecond, but no more than some hundreds, and releases them. Elements are small: integers from
 * 0 to 127, floating-point numbers 0 or 1. The operator's functions must accept these.
 *
 * Each candidate is first compared with the plan's own results for an odd number of elements; floating-point results
 * must agree to half their digits. A candidate that does not compile, fails, or is wrong is skipped, and so is one that
 * is not faster by more than noise. Programs compiled meanwhile stay with the context. The last of them may take a
 * second or so longer than the given time. With 0 milliseconds nothing is tried.
 *
 * Any thread may tune, also during calls and while other threads tune. A failure leaves the context unchanged.
 */
CLF_API clf_status clf_context_tune(clf_context *context, const clf_plan *plan, cl_uint milliseconds, clf_error *error);

/*
 * All results of clf_context_tune in this context so far, as the text of a profile with a header for this device
 * (without settings, if there is nothing). Store it, and give it to later contexts as clf_context_options.profile or by
 * CLFOLD_PROFILE. Otherwise like clf_context_describe.
 */
CLF_API clf_status clf_context_profile(const clf_context *context, char *text, size_t bytes, size_t *needed);

#ifdef __cplusplus
}

/* What CLF_ON and CLF_ON_ARRAYS make: alive until the end of the statement. */
struct clf_call_on : clf_call {
    explicit clf_call_on(cl_command_queue on_queue, cl_uint ins = 0, cl_uint outs = 0) : clf_call()
    {
        size = sizeof(clf_call);
        queue = on_queue;
        in_count = ins;
        out_count = outs;
    }
};

/* CLF_ARRAY_COUNT. */
inline cl_uint clf_array_count(const clf_array &)
{
    return 1;
}
template <size_t N> inline cl_uint clf_array_count(const clf_array (&)[N])
{
    return static_cast<cl_uint>(N);
}
#endif
#endif
