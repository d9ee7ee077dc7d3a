/* SPDX-License-Identifier: MIT */
/*
 * clfold: parallel primitives for OpenCL with the caller's own operator.
 *
 * This header is the whole API and its manual, in reading order:
 *
 *     1. version, status and error      4. plans and how every call behaves
 *     2. contexts                       5. scan
 *     3. operators                      6. segmented scan
 *                                       7. irregular segments
 *                                       8. reduce
 *                                       9. transpose
 *                                      10. adjacent difference
 *                                      11. filter, unique, partition, split
 *                                      12. sort, of rows and segments, by a comparison; top-k
 *                                      13. reduce by key
 *                                      14. reduce by index
 *                                      15. merge, lower and upper bounds
 *                                      16. gather and scatter
 *                                      17. one-call functions
 *
 * Every use reads the same way. Make a context from your cl_context and device; describe an operator;
 * compile a plan (seconds at worst, once); enqueue the plan as often as you like:
 *
 *     clf_context_create(cl, device, NULL, &context, NULL);
 *     clf_scan_plan(context, clf_builtin(CLF_SUM, CLF_FLOAT), 0, NULL, &plan, NULL);
 *     clf_scan(plan, CLF_ON(queue), n, &in, &out);
 *
 * How every call behaves
 *   - Sizes and offsets are cl_ulong and count elements, from 0 to beyond 2^32. No alignment rule and no
 *     multiple-of rule: any n, any element offset.
 *   - Enqueue functions never wait for the device, honour the wait list, and return an event (if asked) that
 *     covers the whole operation. n = 0 succeeds and still yields an event, and in an in-order queue what comes
 *     later still comes behind the wait list.
 *   - Every failure is a status; nothing is printed. A call refuses its arguments before it enqueues anything, and
 *     then has touched no buffer; clf_context_options.notify is told which argument of which call.
 *   - Objects are reference counted and may be released in any order, also while work is in flight.
 *   - Thread safety: every function may be called from any thread at any time, also on the same context or
 *     plan, except that nobody may use an object whose last reference is being released. Descriptor structs
 *     (clf_operator, clf_call, options) are only read during the call and belong to the caller. A clf_error, and a
 *     scratch buffer passed to a call, may be used by one call at a time (a scratch buffer until
 *     the call's event completes).
 */
#ifndef CLFOLD_H
#define CLFOLD_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1. Version, status and error ---------------------------------------------------------------------- */

#define CLFOLD_VERSION_MAJOR 0
#define CLFOLD_VERSION_MINOR 1
#define CLFOLD_VERSION_PATCH 0
#define CLFOLD_VERSION_STRING "0.1.0"

#if defined(_WIN32) && !defined(CLFOLD_STATIC)
#ifdef CLFOLD_BUILDING
#define CLF_API __declspec(dllexport)
#else
#define CLF_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define CLF_API __attribute__((visibility("default")))
#else
#define CLF_API
#endif

/* The version of the library in use, as major * 10000 + minor * 100 + patch. */
CLF_API unsigned clf_version(void);

/*
 * Zero is success. A negative status is OpenCL's own code, passed through unchanged. A positive one is
 * clfold's and keeps its value for ever.
 */
typedef cl_int clf_status;
enum {
    CLF_SUCCESS = 0,
    CLF_E_ARGUMENT = 10,    /* a null pointer, an unknown enumerator or flag, a malformed descriptor */
    CLF_E_CONTEXT = 12,     /* a queue, buffer or event belongs to another cl_context or device */
    CLF_E_OVERFLOW = 14,    /* a size times an element size does not fit the address space */
    CLF_E_BUFFER = 16,      /* a buffer ends before the elements that the call would touch, or forbids the access */
    CLF_E_ALIAS = 18,       /* arrays overlap in a way other than the allowed "in place", or scratch an array */
    CLF_E_SCRATCH = 20,     /* the scratch buffer is too small or misaligned */
    CLF_E_UNSUPPORTED = 22, /* the device has no such type, or the variant asked for by name cannot do the call */
    CLF_E_OPERATOR = 30,    /* the operator does not compile; clf_error.log has the compiler's words */
    CLF_E_PARAMETER = 40,   /* a tuning parameter or profile line is unknown or out of range, or not the variant's */
    CLF_E_NO_MEMORY = 50,   /* the host is out of memory */
    CLF_E_INTERNAL = 90     /* a bug in clfold: please report it */
};

/* A sentence for any status, OpenCL's codes included. Never NULL; static storage. */
CLF_API const char *clf_status_text(clf_status status);

/*
 * Details of a failure, filled by functions that compile. Owned by the caller, who sets `size` to
 * sizeof(clf_error) beforehand. `log` is the OpenCL compiler's build log (its start, if it is long); lines
 * of the caller's own source are reported as operator.cl:LINE, counted from the first line of
 * clf_operator.source. A function that the source does not have, or has in another shape, is an error at
 * clf_operator.combine (neutral, map …), and the message says so.
 */
typedef struct clf_error {
    size_t size;
    clf_status status;
    char message[256]; /* one sentence: what failed, and on what */
    char log[4096];
} clf_error;

/* ---- 2. Contexts --------------------------------------------------------------------------------------- */

/*
 * One cl_context and one of its devices: what the device was probed to be able to do, compiled programs,
 * pooled scratch, and the tuning profile. Create one per device and share it between threads.
 */
typedef struct clf_context clf_context;

/*
 * Every field may be zero. Environment variables, read when a context is created, override three of the
 * strings: CLFOLD_CACHE_DIR, CLFOLD_DISABLE, and CLFOLD_DUMP (dump_dir). A fourth, CLFOLD_PROFILE, is laid over a
 * profile, as told there.
 */
typedef struct clf_context_options {
    size_t size; /* sizeof(clf_context_options) */

    /* Where compiled programs, and what probing found, are kept between runs: a directory, "off" (nothing is
     * written), or NULL for the default: the user's cache directory, but for programs nowhere where the driver is
     * known to keep such a cache itself (NVIDIA, PoCL). Cached binaries are code: the directory must be writable by
     * this user alone. */
    const char *cache_dir;

    /* Text of tuning profiles, or NULL: which variants and parameters are fast on a device. A line is
     *
     *     scan.b4.central.items = 52       primitive . class . variant . parameter = number
     *     scan.b4.medium = window          primitive . class . role = the variant that it takes
     *
     * with # before comments. The class is that of the value: "b4", 4 bytes; of tuples "b32x8", 32 bytes, rounded up to
     * a power of two, and the largest field's. A role may stand for a variant, and * for any class or variant; lines
     * that say more override those that say less. Variants that do not take a parameter ignore the line.
     * clf_plan_describe_tuning shows what came of it.
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
     * (A header's values go to the ends of their lines.) They hold for the device of that name, and for others of the
     * architecture, or whose names go on behind it. Of a device the very device's lines override those of its
     * architecture, these those of its vendor and type, and these those for any; then a model guesses. So a text may
     * have profiles of several devices; if it has none for this one, `notify` is told (CLF_E_PARAMETER), and nothing
     * else happens.
     *
     * The text is laid over the built-in profiles, and over the text the file that the environment variable
     * CLFOLD_PROFILE names, which is the user's: with "off" there are no profiles at all. A bad line of the text is
     * CLF_E_PARAMETER, and clf_error.message says which. A bad file keeps no program from running: all of it is
     * ignored, and `notify` and clf_context_describe ("profile_ignored") say why. Formats newer than the library are
     * bad. What clf_context_tune finds overrides all of it. */
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

/* ---- 3. Operators -------------------------------------------------------------------------------------- */

/* Scalar types. The names are OpenCL C's, and so are the sizes: CLF_LONG is 64 bits. */
typedef enum clf_type {
    CLF_CHAR, CLF_UCHAR, CLF_SHORT, CLF_USHORT, CLF_INT, CLF_UINT, CLF_LONG, CLF_ULONG,
    CLF_HALF, CLF_FLOAT, CLF_DOUBLE,
    CLF_TYPE_COUNT
} clf_type;

/*
 * Built-in operators. AND, OR and XOR are for integer types only. Integer sums and products wrap around; MIN and MAX of
 * floating types ignore a NaN operand where the other is a number (fmin, fmax). Neutral elements: 0, 1, the largest
 * value or +infinity for MIN, the smallest or -infinity for MAX, all ones for AND, 0 for OR and XOR.
 */
typedef enum clf_op {
    CLF_SUM, CLF_PRODUCT, CLF_MIN, CLF_MAX, CLF_AND, CLF_OR, CLF_XOR,
    CLF_OP_COUNT
} clf_op;

/* Bytes of a scalar type; 0 for a value that is none. */
CLF_API size_t clf_type_size(clf_type type);

/* Its OpenCL C name ("uint"), or NULL. */
CLF_API const char *clf_type_name(clf_type type);

/* "sum", "product", …, or NULL. */
CLF_API const char *clf_op_name(clf_op op);

enum { CLF_MAX_FIELDS = 16 };

/*
 * An operator on tuples. A tuple is a structure of arrays: each field lives in an array of its own.
 *
 * Field lists are written like struct members, "float sum; uint count;", with OpenCL scalar types (half and
 * double where the device has them) or their vectors of 2, 4, 8 and 16; at most CLF_MAX_FIELDS a list.
 *
 * The source may define helpers and the functions named below, and sees these types:
 *     clf_value     the fields of `value`: what is combined, and what is written
 *     clf_input     the fields of `input`: one element read. The same as clf_value when `input` is NULL
 *     clf_extra     the fields of `extra`: further results of the map
 *     clf_captured  the fields of `captured` as pointers to whole arrays (__global const), which the map may read
 *                   anywhere, and `ulong clf_size`, the length of segments (of irregular ones: of all together)
 * and the functions have these shapes (NAME is the string given):
 *     clf_value NAME(clf_value a, clf_value b)                        combine: associative; a lies left of b
 *     clf_value NAME(void)                                            neutral: changes nothing on either side
 *     clf_value NAME(clf_input x, ulong index)                        map, when `extra` is NULL
 *     clf_value NAME(clf_input x, ulong index, clf_extra *extra)      map, when `extra` is given
 *     clf_value NAME(clf_input x, ulong index, const clf_captured *c) map, when `captured` is given
 *     clf_value NAME(clf_input x, ulong index, const clf_captured *c, clf_extra *extra)     map, when both are
 *     bool NAME(clf_input x, ulong index)                             predicate, without or
 *     bool NAME(clf_input x, ulong index, const clf_captured *c)      with captured arrays: is x kept?
 *     bool NAME(clf_input a, clf_input b)                             same: do neighbours belong to one run?
 *     bool NAME(clf_input a, clf_input b)                             less: does a come before b?
 *     uint NAME(clf_input x, ulong index)                             part, without or
 *     uint NAME(clf_input x, ulong index, const clf_captured *c)      with captured arrays: which part takes x?
 *     TYPE NAME(clf_value a)                                          key: what a is sorted by, a scalar
 * with arguments of these types in this order: each function is declared again behind the source, and another
 * shape is an error (but for macros with arguments, which will do, and sources with overloadable functions).
 * combine need be neither commutative nor invertible: operands are never swapped. The map must be pure, for
 * it may be evaluated more than once for one element. Names beginning with clf_ or CLF_ are the library's. All
 * others are free, in functions, types and macros: the source is compiled behind all else.
 *
 * Where each field of the value is combined for itself by a built-in operator, `combine` is its name, "clf_sum",
 * "clf_product", "clf_min", "clf_max", "clf_and", "clf_or" or "clf_xor", and `neutral` is NULL: it has its own. Fields
 * may be vectors. A mean of squares is made of
 *
 *     {.size = sizeof(clf_operator), .input = "float x;", .value = "float squares; uint count;", .map = "square",
 *      .source = "clf_value square(clf_input in, ulong i) { clf_value v = {in.x * in.x, 1}; return v; }",
 *      .combine = "clf_sum", .flags = CLF_COMMUTATIVE}
 *
 * Captured arrays are what does not vary with the element: a vector that each row is multiplied with is
 * c->x[index % c->clf_size], a number per row c->y[index / c->clf_size]; where sizes fit 32 bits, dividing
 * (uint)index is faster. With captured arrays `input` may be "", no fields: then elements are what the map
 * makes of their indices.
 */
typedef struct clf_operator {
    size_t size;         /* sizeof(clf_operator) */
    const char *value;   /* fields of the value; required */
    const char *input;   /* fields of an input element; NULL: same as value. A map is then required */
    const char *extra;   /* fields of further mapped outputs, written in the same pass; NULL: none */
    const char *captured; /* arrays that the map may read anywhere; NULL: none. A map is then required */
    const char *source;  /* OpenCL C (1.2 is safe everywhere); required where a function is named that it has */
    const char *combine; /* names of functions in the source. A primitive calls some, and wants NULL for the others: */
    const char *neutral; /* combine and neutral in scans, reductions and adjacent differences, */
    const char *map;     /* in all but merges and searches; NULL: the input element is the value, */
    const char *predicate; /* in filters and partitions, */
    const char *same;      /* in clf_unique and, beside combine and neutral, clf_reduce_by_key, */
    const char *less;      /* in sorts by comparison, and where input is sorted: merges and searches (section 15), */
    const char *part;      /* in splits, instead of a predicate in partitions, for bins (section 14), */
    const char *key;       /* and in sorts and top-k, with its type, "float radius"; NULL: the first field of value */
    unsigned flags;      /* CLF_COMMUTATIVE, CLF_NO_INDEX or 0 */
} clf_operator;

/*
 * A promise that combine(a, b) == combine(b, a): may unlock faster variants, never changes a result (but for
 * rounding).
 */
#define CLF_COMMUTATIVE 1u

/*
 * A promise that the functions don't look at the index that they get: elements may be moved before. It may unlock
 * faster variants (section 14), and never changes a result.
 */
#define CLF_NO_INDEX 2u

/*
 * The operator of a built-in on one scalar field: a static, immutable descriptor; NULL if the pair does not
 * exist. All are CLF_COMMUTATIVE but the floating-point product, where factors taken out of order may overflow on the
 * way.
 */
CLF_API const clf_operator *clf_builtin(clf_op op, clf_type type);

/*
 * Joins operators that read the same input (fields of the same types in the same order) into one that does the
 * work of all in one pass: sum, minimum and maximum of an array, say, from one reading of it. The joined operator
 * goes with every primitive. `error` may be NULL.
 *
 *     const clf_operator *const list[] = {clf_builtin(CLF_SUM, CLF_INT), clf_builtin(CLF_MAX, CLF_INT)};
 *     clf_operator *both;
 *     clf_operator_join(2, list, &both, NULL);
 *     clf_scan_plan(context, both, 0, NULL, &plan, NULL);
 *     clf_operator_release(both);
 *
 * Its value fields are those of the operators, one operator's after the other's, and so are its extra and its
 * captured fields; its input fields are those of the first. If names in one of these lists clash, all in it begin
 * with the number of their operator: p0_v, p1_v. It is commutative if all are. The operators may be built-in,
 * yours, or joined ones; sources may share names of functions, types, constants and macros, but not of what only a
 * macro declares. Build logs speak of operator 1's source as operator1.cl, and call its clf_value clf_part1_clf_value;
 * a function of another shape than it should have is an error at operator1.combine (neutral, map).
 *
 * On a CPU, where built-in operators have a vector form and joined ones have none, separate calls may be faster.
 *
 * CLF_E_ARGUMENT: a malformed operator, inputs that differ, or more than CLF_MAX_FIELDS fields in a list.
 */
CLF_API clf_status clf_operator_join(cl_uint count, const clf_operator *const *operators, clf_operator **joined,
                                     clf_error *error);

/* Frees a joined operator (nothing else). Plans made from it keep what they need. */
CLF_API clf_status clf_operator_release(clf_operator *joined);

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
     * CLF_E_PARAMETER: a number out of range, of which clf_error.message then tells; or a parameter that the variant
     * does not take, or, where none is asked for, no variant of the primitive: then it tells which are taken. (Of the
     * variants that clfold chooses those that do not take it ignore it.) Plans that differ only in what the host alone
     * reads share their programs: nothing is compiled. */
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
     * the call. Without a buffer scratch comes from the context's pool. */
    clf_array scratch;

    /* The value that stands left of everything: NULL for the neutral element, in adjacent differences for none; else
     * the fields of clf_value laid out as a C struct, read before the call returns. Or, on the device,
     * `initial_arrays`: one array per field of clf_value, of one element each, which the call's commands read; for
     * plans made with CLF_FROM_DEVICE. Not both. */
    const void *initial;
    const clf_array *initial_arrays;

    /* Without a buffer the sizes are those of the call. With one, a cl_ulong that the call's commands read says how
     * many elements there really are (clf_segmented_…: how many segments): what the call says is then the most, and
     * counts where the cl_ulong is larger. Elements of outputs beyond are not written. Calls that say two sizes, of two
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
 * number of bins of all rows together.
 */
CLF_API clf_status clf_plan_scratch(const clf_plan *plan, cl_ulong n, cl_ulong count, cl_ulong *bytes);

/*
 * Like clf_context_describe: variants, parameters and sizes of a plan, which one `n` elements would use, and the
 * elements per work-item ("model") of Clausen's model, which holds where no profile knows better.
 */
CLF_API clf_status clf_plan_describe(const clf_plan *plan, cl_ulong n, char *text, size_t bytes, size_t *needed);

/*
 * Likewise, what a plan was tuned to, and by whom: a line for the variant of each role, and for each of its parameters,
 * of four words separated by tabs: role, "variant" or the parameter's name, the value, and where that comes from:
 * "default" (the variant's own, or the model's), "plan" (clf_plan_options), a line of a profile
 * ("nvidia-h200.profile:22", "caller:3"), or that it was cut to what fits. clfold-info --tuning prints it.
 */
CLF_API clf_status clf_plan_describe_tuning(const clf_plan *plan, char *text, size_t bytes, size_t *needed);

/*
 * Looks for faster parameters than those that a plan has, by trying others on this device for so many milliseconds, and
 * has the context use them: plans that are made from now on take what was found, as if a profile said so that overrides
 * all others; for every operator whose values are of the same class (see clf_context_options.profile), and the variants
 * that the plan has. Plans that there are stay as they are: make them anew. Nothing else in clfold ever tunes.
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

/* ---- 5. Scan ------------------------------------------------------------------------------------------- */

/* out[i] excludes element i: out[0] is the initial value. Without the flag a scan is inclusive. */
#define CLF_EXCLUSIVE 1u

/*
 * Compiles a scan with `op` (prefix "sum" under any associative operator), fused with the operator's map
 * ("scanomap"). `flags` are CLF_EXCLUSIVE, CLF_FROM_DEVICE, both or 0. `options` and `error` may be NULL.
 *
 * Single-pass variants: chained scan with decoupled look-back (Merrill and Garland 2016), with serial or
 * window look-back or a central prefix group, bounded waiting and decoupled fallback (Smith, Levien and Owens
 * 2025); sequential factor from the model of Clausen 2021 where no profile knows better. Others: two-pass
 * reduce-then-scan, one group for small n, and a kernel of its own for CPU devices; and, to compare with,
 * "propagate", the scan-then-propagate of textbooks. The single-pass ones read each input once and write each
 * output once, in one launch.
 *
 * Results on integers do not depend on the variant. Floating-point results are associated differently by
 * different variants, parameters and devices, and with single-pass variants may differ in rounding from run
 * to run; variant "two_pass" repeats bitwise for the same plan and n.
 */
CLF_API clf_status clf_scan_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                 const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a scan of n elements.
 *
 * in        one array per field of clf_input, then one per captured field. Of those a call checks only that
 *           they exist and begin in no output: how far the map reads is its own business, and nothing that it
 *           reads may be written by the call
 * out       one array per field of clf_value, then one per field of clf_extra
 * call      how it runs; its initial value is what the scan starts from
 *
 * In place: an output array may be exactly an input array (same buffer, same offset, same element size),
 * provided that this input is no other output. Any other overlap of an output with an input or output is
 * CLF_E_ALIAS.
 */
CLF_API clf_status clf_scan(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                            const clf_array *out);

/* ---- 6. Segmented scan --------------------------------------------------------------------------------- */

/*
 * Scans every row of a [count][size] array for itself: each row starts from the initial value. Flags,
 * options, operators and results are those of clf_scan_plan; the index that a map gets counts through all
 * rows. Rows of rows, [a][b][size], are [a * b][size]; one plan does every count and size.
 *
 * Clausen, "Regular Segmented Single-pass Scan in Futhark" (2021): one launch, every input read once (of
 * short segments up to 256 elements before a tile again), every output written once, nothing stored about
 * segments. No group waits where a segment starts, and none at all for short ones; variant "two_pass" waits
 * for nobody at all.
 */
CLF_API clf_status clf_segmented_scan_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                           const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a scan of `count` segments of `size` elements, one behind the other in each array. Everything else
 * is as in clf_scan with n = count * size, clf_plan_scratch included.
 */
CLF_API clf_status clf_segmented_scan(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size,
                                      const clf_array *in, const clf_array *out);

/* ---- 7. Irregular segments ----------------------------------------------------------------------------- */

/*
 * Where segments of any lengths start, told by an array. Whatever it says, element 0 starts one, so a head
 * is never needed there.
 *
 *   CLF_BY_HEAD_BYTES   n uchars: element i starts a segment where byte i is not 0
 *   CLF_BY_HEAD_BITS    n bits in uints: bit i % 32 (from the least significant one) of uint i / 32. The
 *                       array's offset counts uints; bits behind the n-th may be anything
 *   CLF_BY_OFFSETS      count + 1 ascending numbers, as in CSR: segment k is elements offsets[k] up to, not
 *                       including, offsets[k + 1]; offsets[0] is 0 and offsets[count] is n
 *   CLF_BY_LENGTHS      count numbers that add up to n
 *   CLF_BY_KEYS         n keys: a segment is a longest run of neighbours that are == (of NaNs each is one)
 *
 * Offsets and lengths may describe empty segments, anywhere and any number of them. A malformed array gives
 * unspecified results, but nothing outside of the arrays is ever touched.
 */
typedef enum clf_segments_by {
    CLF_BY_HEAD_BYTES, CLF_BY_HEAD_BITS, CLF_BY_OFFSETS, CLF_BY_LENGTHS, CLF_BY_KEYS
} clf_segments_by;

typedef struct clf_segmentation {
    size_t size; /* sizeof(clf_segmentation) */
    clf_segments_by by;
    clf_type type; /* of offsets and lengths: CLF_UINT (for n below 2^32) or CLF_ULONG; of keys: any */
} clf_segmentation;

/*
 * Compiles a scan of every segment for itself: each starts from the initial value. Flags, options, operators
 * and results are those of clf_scan_plan; the index that a map gets counts through all elements.
 *
 * One pass over the data like every other scan, by an operator on pairs of flag and value (Blelloch 1990), and
 * a bit per element that says where segments start. Bits are read where the caller has them; all else is made
 * into bits by a kernel that goes before, lengths after a scan of them. Work is shared out by elements,
 * whatever the lengths.
 */
CLF_API clf_status clf_irregular_scan_plan(clf_context *context, const clf_operator *op,
                                           const clf_segmentation *segmentation, unsigned flags,
                                           const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a scan of n elements in segments that the array `segments` describes. Empty segments have no
 * results. `count` is looked at for offsets and lengths only: the number of segments, empty ones included,
 * which is 0 only if n is. For n = 0 no array is looked at.
 *
 * Everything else is as in clf_scan. `segments` may be an input array as well, but must not overlap an output.
 * Where call->actual says that there are fewer elements, segments end there.
 */
CLF_API clf_status clf_irregular_scan(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong count,
                                      const clf_array *segments, const clf_array *in, const clf_array *out);

/* ---- 8. Reduce --------------------------------------------------------------------------------------- */

/*
 * Compiles a reduction with `op`: everything combined, in order, to one value, fused with the operator's map
 * ("redomap"); for one array or for many segments of equal length, by the same plan. The map's extra outputs
 * have one element per input element and are written in the same pass. `flags` is 0 or CLF_FROM_DEVICE. `options` and
 * `error` may be NULL.
 *
 * Variants, of which each call takes the one that suits its count and size: "large" (a work-group per
 * segment, or several, the last of which to finish combines their parts in the same launch), "warp" (a warp
 * per segment, or a few lanes), "small" (many short segments in a work-group), "sequential" (a work-item per
 * segment, reading through a transposition in local memory), and "cpu". All read each input once,
 * coalesced, whatever the sizes and offsets. Operators without extra outputs save the way through local memory, but in
 * "small" and "sequential", and if they do not promise CLF_COMMUTATIVE where the device has no lanes, and in "large"
 * where values are of more than two words.
 *
 * Several results in one pass: a value of several fields (tests/examples/mean_variance.c), or operators joined
 * (clf_operator_join).
 *
 * Argmin and argmax: a map makes (value, index) of each element, and combine(a, b) returns a unless b is
 * better. As b lies right of a, ties go to the leftmost. With CLF_COMMUTATIVE there is no left or right: let
 * combine compare indices where values are equal.
 *
 * Results on integers do not depend on the variant. Floating-point results are associated differently by
 * different variants, parameters, devices and shapes, but repeat bitwise for the same plan, count, size and
 * offsets.
 */
CLF_API clf_status clf_reduce_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                   const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a reduction of n elements to one.
 *
 * in        one array of n elements per field of clf_input, then the captured ones, as in clf_scan
 * out       one array of one element per field of clf_value, then one of n elements per field of clf_extra
 * call      how it runs. For n = 0 the initial value is the result; without one the neutral element is
 *
 * An output array may be exactly an input array, as in clf_scan. Arrays of no elements are not looked at.
 */
CLF_API clf_status clf_reduce(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                              const clf_array *out);

/*
 * Enqueues a reduction of [count][size] elements to [count]: the same for each of `count` consecutive
 * segments. A map of more dimensions around it is the product of their lengths; its index argument counts
 * through all of them, so whatever is invariant in a segment is a captured array, at index / size.
 */
CLF_API clf_status clf_segmented_reduce(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size,
                                        const clf_array *in, const clf_array *out);

/* The variant that a reduction of `count` segments of `size` elements takes; NULL if this is no such plan. */
CLF_API const char *clf_reduce_variant(const clf_plan *plan, cl_ulong count, cl_ulong size);

/*
 * Compiles a reduction of segments of any lengths (section 7): one result per segment, in order; of an empty
 * one the initial value, or else the neutral element. Operators, extra outputs, flags and options are as in
 * clf_reduce_plan.
 *
 * One pass whose time does not depend on how lengths are distributed: elements and the ends of segments are
 * cut into equal shares by merge path (Merrill and Garland 2016), so a giant segment is shared out, and so are
 * a million empty ones. Segments told by head flags or keys have shares of equal numbers of elements. Offsets
 * and bits are read where the caller has them; lengths are scanned first, bytes and keys made into bits, and
 * bits counted. Variants: "shares", and "cpu".
 *
 * Floating-point results repeat bitwise for the same plan, segments and offsets.
 */
CLF_API clf_status clf_irregular_reduce_plan(clf_context *context, const clf_operator *op,
                                             const clf_segmentation *segmentation, unsigned flags,
                                             const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a reduction of n elements in segments that the array `segments` describes.
 *
 * count         of offsets and lengths, the number of segments, which is 0 only if n is. Heads and keys tell the
 *               device alone how many there are (n at most): of them, the number of results that there is room
 *               for; what is more is not written
 * out           one array of `count` elements per field of clf_value, none of which overlaps an input; then one
 *               of n elements per field of clf_extra, which may be in place as in clf_scan
 * result_count  NULL, or where the number of segments is written, a cl_ulong, if they are told by heads or keys
 *
 * Everything else is as in clf_reduce. `segments` may be an input array as well, but must not overlap an output. Arrays
 * of no elements are not looked at. Where call->actual says that there are fewer elements, segments end there, and
 * those behind are empty.
 */
CLF_API clf_status clf_irregular_reduce(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong count,
                                        const clf_array *segments, const clf_array *in, const clf_array *out,
                                        const clf_array *result_count);

/* ---- 9. Transpose ------------------------------------------------------------------------------------ */

/*
 * Compiles a transposition of matrices of elements of 1 to 16 bytes: any type of that size, scalars and structs
 * alike. `options` and `error` may be NULL.
 *
 * Variants, of which each call takes the one that suits its shape: "tile" (tiles through local memory, in whole words
 * however rows are aligned), "packed" (the same for elements of 1 or 2 bytes in rows of whole aligned words, also few
 * of them), "thin" (few rows or few columns: whole ones, so that nothing idles), "small" (several matrices in a
 * work-group), and "cpu". Vectors are copied. All read and write each element once, neighbouring work-items
 * neighbouring words on both sides, whatever the sizes and offsets.
 */
CLF_API clf_status clf_transpose_plan(clf_context *context, size_t element_bytes, const clf_plan_options *options,
                                      clf_plan **plan, clf_error *error);

/*
 * Enqueues the transposition of `batch` matrices of [rows][columns] elements, one behind the other:
 * out[b][c][r] = in[b][r][c]. Offsets count elements. No scratch is needed.
 *
 * The arrays must not overlap (CLF_E_ALIAS); but a matrix of one row or one column is the same when turned, so
 * there `out` may be exactly `in`.
 */
CLF_API clf_status clf_transpose(clf_plan *plan, const clf_call *call, cl_ulong batch, cl_ulong rows, cl_ulong columns,
                                 const clf_array *in, const clf_array *out);

/* The variant that such a call takes with offsets of 0, or "copy"; NULL if this is no such plan. */
CLF_API const char *clf_transpose_variant(const clf_plan *plan, cl_ulong batch, cl_ulong rows, cl_ulong columns);

/* ---- 10. Adjacent difference --------------------------------------------------------------------------- */

/*
 * Compiles what combines each element with the one before it: out[i] = f(in[i - 1], in[i]), f being any function of
 * two values: a difference, a quotient, "is it another?". `flags` is 0 or CLF_FROM_DEVICE. `options` and `error` may
 * be NULL.
 *
 * f is the operator's combine(previous, x), which here need not be associative; its neutral element is not used. A map
 * is applied first, to both elements, each with its own index; f is called for neighbours of the same segment only.
 * Extra outputs and captured arrays are as in scans.
 *
 * The first element of the array, or of each segment, has none before it: with an initial value (clf_call.initial,
 * initial_arrays) its result is f(initial, x), and else x itself (mapped), as in std::adjacent_difference.
 *
 * Variants: "chunks", and "cpu". Both read and write each element once, in one launch; in place a small one goes
 * before, which keeps a value per tile in scratch. Each result is made from its two elements alone: nothing is
 * associated differently by different variants.
 */
CLF_API clf_status clf_adjacent_difference_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                                const clf_plan_options *options, clf_plan **plan, clf_error *error);

/* Enqueues it for n elements. Arrays are as in clf_scan, in place included. */
CLF_API clf_status clf_adjacent_difference(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                                           const clf_array *out);

/* The same for each of `count` segments of `size` elements, one behind the other in each array, by the same plan. */
CLF_API clf_status clf_segmented_adjacent_difference(clf_plan *plan, const clf_call *call, cl_ulong count,
                                                     cl_ulong size, const clf_array *in, const clf_array *out);

/* ---- 11. Filter ---------------------------------------------------------------------------------------- */

/*
 * Compiles a filter (stream compaction): the elements for which the operator's predicate is true, in their order, one
 * behind the other. `flags` are CLF_FROM_DEVICE, CLF_IN_PLACE, both or 0. `options` and `error` may be NULL.
 *
 *     static const clf_operator positive = {.size = sizeof positive, .value = "int v;", .predicate = "is_positive",
 *                                           .source = "bool is_positive(clf_input x, ulong i) { return x.v > 0; }"};
 *
 * The operator has a predicate, no combine and no neutral. Its input fields are what the predicate sees: payload, keys,
 * flags. With a map the results are what it makes of the kept elements, so anything can be left out or added: the
 * element's index ("uint index;" from the map's second argument), or the index alone. Captured arrays are as in scans.
 * Predicate and map must be pure, for each may be evaluated more than once, the map for other elements, too.
 *
 * By flag bits, bit i % 32 of word i / 32: .captured = "uint bits;", and the predicate has one argument more and
 * returns c->bits[i / 32] >> i % 32 & 1. Words begin at any offset, and what lies behind bit n - 1 is of no account.
 *
 * One pass over the data, as in a scan: a chained scan of counts (Merrill and Garland 2016), whose tiles bring together
 * in local memory what they keep. Variants: "central", "window", "serial", "two_pass" and "one_group" as of scans, and
 * "cpu".
 */
CLF_API clf_status clf_filter_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                   const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a filter of n elements.
 *
 * room          how many results there is room for; of more, only the first `room` are written. n is always enough
 * in            one array of n elements per field of clf_input, then the captured ones, as in clf_scan
 * out           one array of min(room, n) elements per field of clf_value, none of which overlaps an input
 *               (CLF_E_ALIAS), unless the call is in place. What lies behind the results is left as it is
 * result_count  where the number of kept elements is written, a cl_ulong, whatever the room. A later call can take it
 *               from there (clf_call.actual), so that the host need not wait
 *
 * In place, of plans with CLF_IN_PLACE: an output array may begin exactly where an input array does (same buffer, same
 * offset, same element size), provided that this input is no other output; any other overlap is CLF_E_ALIAS. What
 * one group takes at a time, some thousand elements, is written where it was read. Of more the inputs that are about to
 * be overwritten are copied to scratch first: that is as much scratch as they are, and a command for each. (Results of
 * one group go where another has yet to read, and waiting for that would have no bound.)
 *
 * There is no initial value. For n = 0 the count is 0, and no other array is looked at.
 */
CLF_API clf_status clf_filter(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong room, const clf_array *in,
                              const clf_array *out, const clf_array *result_count);

/*
 * The first element of each run of neighbours that belong together: those for which the operator's `same(a, b)` is true
 * of each and the one after it. Everything else is as in clf_filter: with a map that returns the index, too, results
 * are a run-length encoding by offsets; with payload fields beside the key, "unique by key".
 */
CLF_API clf_status clf_unique_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                   const clf_plan_options *options, clf_plan **plan, clf_error *error);
CLF_API clf_status clf_unique(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong room, const clf_array *in,
                              const clf_array *out, const clf_array *result_count);

/*
 * Compiles a partition: every element goes to one of several outputs, each of which keeps the order. With a predicate
 * there are two, of the elements for which it is true and of the others; with `part` instead there are three, of those
 * for which it is 0, 1, and more. All else is as in clf_filter_plan, but that no partition is in place. (All parts one
 * behind the other in one output are a split.)
 */
CLF_API clf_status clf_partition_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                      const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a partition of n elements. Everything is as in clf_filter, but for
 *
 * room           how many results there is room for in each part
 * out            for each part in turn one array of min(room, n) elements per field of clf_value; none overlaps another
 * result_counts  where the numbers of elements are written, a cl_ulong for each part
 */
CLF_API clf_status clf_partition(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong room, const clf_array *in,
                                 const clf_array *out, const clf_array *result_counts);

/*
 * Compiles a split: a stable partition into up to 256 parts that lie one behind the other in one output: part 0 first,
 * then part 1 …, each in the order of the input: one pass of a radix sort. `parts` is from 1 to 256 (else
 * CLF_E_ARGUMENT), `flags` 0 or CLF_FROM_DEVICE. `options` and `error` may be NULL.
 *
 *     static const clf_operator low = {.size = sizeof low, .value = "uint key; float x;", .part = "digit",
 *                                      .source = "uint digit(clf_input x, ulong i) { return x.key & 255; }"};
 *     clf_split_plan(context, &low, 256, 0, NULL, &plan, NULL);
 *
 * The operator has `part`, which says which part takes an element; what is not below `parts` goes to the last. Map,
 * captured arrays, and that functions must be pure, are as in clf_filter_plan.
 *
 * Reduce, then scan, then scatter (Merrill and Grimshaw 2011): a launch counts each tile's elements of each part, a
 * scan makes places of the counts, and a launch ranks each tile's elements in local memory (Satish, Harris and Garland
 * 2009) and writes each part of it in one run. No group waits for another. Scratch is 12 bytes for each part of each
 * tile, and that of the scan. Few parts cost less than many. Variants: "tile", and "cpu".
 */
CLF_API clf_status clf_split_plan(clf_context *context, const clf_operator *op, cl_uint parts, unsigned flags,
                                  const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a split of n elements.
 *
 * in             one array of n elements per field of clf_input, then the captured ones, as in clf_scan
 * out            one array of n elements per field of clf_value, none of which overlaps an input (CLF_E_ALIAS)
 * result_counts  where the numbers of elements are written, a cl_ulong for each part; NULL: nowhere
 *
 * There is no initial value. For n = 0 the counts are 0, and no other array is looked at.
 */
CLF_API clf_status clf_split(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                             const clf_array *out, const clf_array *result_counts);

/* ---- 12. Sort ------------------------------------------------------------------------------------------ */

/* Flags of sorts: the largest key first; and floating-point keys in the total order of IEEE 754, see below. */
#define CLF_DESCENDING 8u
#define CLF_TOTAL_ORDER 0x40u

/*
 * Compiles a stable sort of tuples by a key: a scalar of any type. `flags` are CLF_DESCENDING, CLF_TOTAL_ORDER and
 * CLF_FROM_DEVICE. `options` and `error` may be NULL.
 *
 *     static const clf_operator keys = {.size = sizeof keys, .value = "float key;"};
 *     static const clf_operator pairs = {.size = sizeof pairs, .value = "float key; uint payload;"};
 *     static const clf_operator nearest = {.size = sizeof nearest, .value = "float x; float y;", .key = "float radius",
 *                                          .source = "float radius(clf_value p) { return hypot(p.x, p.y); }"};
 *     static const clf_operator order = {.size = sizeof order, .input = "float key;", .value = "float key; uint at;",
 *                                        .map = "at", .source = "clf_value at(clf_input x, ulong i)"
 *                                                               "{ clf_value v = {x.key, (uint)i}; return v; }"};
 *
 * The key is the first field of the value, or what the operator's `key` makes of a value. There is no source where
 * nothing is called. The map makes values of input elements first, as the last of these does, which writes the sorted
 * keys and where they were. By several keys, sort by the last of them first, and by the first last. A range of bits is
 * a key of a smaller type: `uchar low(clf_value v) { return (uchar)v.id; }`. Key and map must be pure, for both are
 * evaluated more than once for one element.
 *
 * Values with equal keys stay in the order of the input, when descending, too. Of floating-point keys −0 equals +0 and
 * NaNs are alike and come last, when descending, too; CLF_TOTAL_ORDER orders by sign and bits instead: −NaN, −infinity
 * … −0, +0 … infinity, NaN, and backwards when descending. Values keep their bits.
 *
 * A radix sort, eight bits a pass (Satish, Harris and Garland 2009). Digits in which all keys agree cost no pass, which
 * the device finds out: small numbers in wide types sort like those of small types. Scratch is as much as the output,
 * and a kilobyte or two for each some thousand elements. Variants: "lookback", where each pass is one launch that reads
 * and writes each value once (Adinets and Merrill 2022); "two_pass", where no group waits for another; and "cpu". On
 * GPUs calls of few elements (2^15 for each byte of the key, or the parameter "limit" of role "small") are merged
 * instead, if there is no map and a value has up to 8 words, by "merge", which takes the launches of a clf_merge_sort.
 * Values that are one integer of 8 or 16 bits and their own key (or a half, in total order), with or without a map, are
 * counted instead, by "counting" and "counting_cpu": the input is read once, and the output written; scratch does not
 * grow with it. Asked for with other values these are CLF_E_UNSUPPORTED.
 */
CLF_API clf_status clf_sort_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                 const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a sort of n elements.
 *
 * in    one array of n elements per field of clf_input, then the captured ones, as in clf_scan
 * out   one array of n elements per field of clf_value; each is an input exactly (sorted in place), or overlaps none
 *       (CLF_E_ALIAS)
 *
 * There is no initial value. n may be anything that memory holds; variant "lookback" takes 2^36 elements and more.
 */
CLF_API clf_status clf_sort(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                            const clf_array *out);

/*
 * Compiles a sort of every row of a [count][size] array for itself. Operators, flags, options and the order are as in
 * clf_sort_plan; the index that a map gets counts through all rows. With CLF_FROM_DEVICE the number of rows may lie on
 * the device. Rows of rows, [a][b][size], are [a * b][size]; one plan does every count and size.
 *
 * Tiles are sorted in local memory, and of rows that are longer the tiles merged, pair by pair, in passes of twice as
 * many ("merge path": Green, McColl and Bader 2012). Rows of up to a tile are read once and written once, in one launch
 * without scratch; longer ones once more for each doubling. Variants: "large", "medium" and "small", by the tile, of
 * which each call takes the one that suits its rows; and "cpu". Rows for which that many passes would take longer are
 * sorted digit by digit as by clf_sort, all in the same launches; but not on CPUs, not where the number of rows may lie
 * on the device, and not where a variant is asked for by name.
 */
CLF_API clf_status clf_segmented_sort_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                           const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a sort of `count` rows of `size` elements, one behind the other in each array. Everything else is as in
 * clf_sort with n = count * size, in place included. clf_plan_scratch tells what rows of any size may need.
 */
CLF_API clf_status clf_segmented_sort(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size,
                                      const clf_array *in, const clf_array *out);

/*
 * Compiles a sort of segments of any lengths (section 7), each for itself. All else is as in clf_segmented_sort_plan; a
 * map's index counts through all elements, and what may lie on the device is n.
 *
 * Tiles cut segments anywhere. Elements of segments that lie in one tile are read and written once, the others once
 * more for each doubling of tiles until their own segment is done, however long others are.
 */
CLF_API clf_status clf_irregular_sort_plan(clf_context *context, const clf_operator *op,
                                           const clf_segmentation *segmentation, unsigned flags,
                                           const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a sort of n elements in segments that the array `segments` describes; `count` and it are as in
 * clf_irregular_scan, the other arrays as in clf_sort. Where call->actual says that there are fewer elements, segments
 * end there.
 */
CLF_API clf_status clf_irregular_sort(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong count,
                                      const clf_array *segments, const clf_array *in, const clf_array *out);

/*
 * Compiles a stable sort of tuples by comparison: in the order of the operator's `less`, a strict weak order, where
 * less(a, b) says that a comes before b. `flags` is 0 or CLF_FROM_DEVICE. `options` and `error` may be NULL.
 *
 *     static const clf_operator names = {.size = sizeof names, .value = "ulong head; ulong tail; uint id;",
 *                                        .less = "before",
 *                                        .source = "bool before(clf_input a, clf_input b)"
 *                                                  "{ return a.head != b.head ? a.head < b.head : a.tail < b.tail; }"};
 *
 * This is for orders that no key of 64 bits can say; where one can, a sort by keys is faster. The operator has `value`
 * fields and `less`, and nothing else: no map, and no input, extra or captured fields. Where `less` is no strict weak
 * order results are unspecified, but nothing outside of the arrays is ever touched.
 *
 * A merge sort: tiles are sorted by one group each, then runs are merged two by two, in as many rounds as double a tile
 * to n, each of which reads and writes all. Merges are cut into equal tiles by their merge path (Odeh et al. 2012;
 * Green, McColl and Bader 2012), so that the time does not depend on the data. No group waits for another. Scratch is
 * as much as the output, and 8 bytes per tile. Variants: "tiles", and "cpu".
 */
CLF_API clf_status clf_merge_sort_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                       const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a sort of n elements by comparison.
 *
 * in    one array of n elements per field of clf_value
 * out   one array of n elements per field; each is an input exactly (sorted in place), or overlaps none (CLF_E_ALIAS)
 *
 * There is no initial value. With CLF_FROM_DEVICE there are as many launches as n asks for, however few elements there
 * really are.
 */
CLF_API clf_status clf_merge_sort(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                                  const clf_array *out);

/*
 * Compiles a test whether elements are sorted, by an operator as in clf_merge_sort_plan. `flags` is 0 or
 * CLF_FROM_DEVICE. `options` and `error` may be NULL. All elements are read once, in one launch, and a small one takes
 * what groups found together. Variants: "tiles", with 8 bytes of scratch per group, and "cpu".
 */
CLF_API clf_status clf_is_sorted_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                      const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a test whether n elements are sorted.
 *
 * in            one array of n elements per field of clf_value
 * result_count  where a cl_ulong is written: how many elements from the first on are sorted, which is the place of the
 *               first one that is less than the one before it, or, if all are sorted, how many elements there are
 *
 * There is no initial value. For n = 0 the result is 0, and no other array is looked at.
 */
CLF_API clf_status clf_is_sorted(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                                 const clf_array *result_count);

/*
 * A flag of plans for the first elements of a sort (clf_top_k_plan): they come in the order of the input.
 */
#define CLF_UNSORTED 0x80u

/*
 * Compiles a top-k: exactly the first k elements of what clf_sort writes by the same operator and flags, for little
 * more than one reading of the input. So of equal keys those that come first in the input are taken, and of
 * floating-point ones NaNs last. `flags` are those of sorts, and CLF_UNSORTED: then the same elements come in the order
 * of the input, which saves sorting them. `options` and `error` may be NULL.
 *
 * The operator is as in clf_sort_plan. Indices ("argtopk") come by the map; the ten largest of n floats, and where they
 * are:
 *
 *     static const clf_operator order = {.size = sizeof order, .input = "float key;", .value = "float key; uint at;",
 *                                        .map = "at", .source = "clf_value at(clf_input x, ulong i)"
 *                                                               "{ clf_value v = {x.key, (uint)i}; return v; }"};
 *     clf_top_k_plan(context, &order, CLF_DESCENDING, NULL, &plan, NULL);
 *     clf_top_k(plan, CLF_ON(queue), n, 10, &keys, largest_and_where);
 *
 * A radix select (Alabi et al. 2012): digits of keys from the top, eight bits a pass, until it is known which elements
 * are the k first ones; then these go out in order, and are sorted. Of a long array candidates are collected before,
 * in one reading: those not behind a threshold that a sample has told. Where a sample misleads, or all keys are alike,
 * the passes read the whole input. All that is decided on the device, nobody waits for it. Results of up to some
 * thousand elements are sorted by counting, others by a sort. Variants: "groups", and "cpu".
 */
CLF_API clf_status clf_top_k_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                  const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a top-k of n elements.
 *
 * k     how many are wanted. There are min(k, n) results; so the k-th element by itself ("nth element") is the last
 *       result of a top-k
 * in    one array of n elements per field of clf_input, then the captured ones, as in clf_scan
 * out   one array of min(k, n) elements per field of clf_value, none of which overlaps an input (CLF_E_ALIAS)
 *
 * There is no initial value. Of no results no array is looked at. clf_plan_scratch tells what is enough for any k: not
 * less than a sort would take. Where the size lies on the device (call->actual) there are min(k, that) results.
 */
CLF_API clf_status clf_top_k(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong k, const clf_array *in,
                             const clf_array *out);

/*
 * The same for each of `count` rows of `size` elements, one behind the other, by the same plan: out has [count][min(k,
 * size)] elements. The index that a map gets counts through all rows. With CLF_FROM_DEVICE call->actual is the number
 * of rows.
 *
 * Short rows, and many, are read once: a few elements of each by a warp, more by a group. Long rows, and fewer than the
 * device has groups for, are read by several groups each, some times over. More than 16384 sorted results of each row
 * cost a sort for each.
 */
CLF_API clf_status clf_segmented_top_k(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size, cl_ulong k,
                                       const clf_array *in, const clf_array *out);

/* ---- 13. Reduce by key --------------------------------------------------------------------------------- */

/*
 * Compiles a reduction of runs, neighbours that belong together, as elements of the same key do: one result per run, in
 * order, in one pass over the data. `flags` is 0 or CLF_FROM_DEVICE. `options` and `error` may be NULL.
 *
 * The operator has combine and neutral, as for a reduction, and `same(a, b)`, which says of an element, a, and the one
 * behind it whether they belong to one run. It sees input elements: a key, and the payload beside it. The map makes of
 * an element the value that is combined; extra outputs are what it makes of the first element of each run: its key, or,
 * from the index, where the run starts. Sums by key are
 *
 *     static const clf_operator sums = {
 *         .size = sizeof sums, .input = "int key; float x;", .value = "float sum;", .extra = "int key;",
 *         .map = "of", .combine = "add", .neutral = "zero", .same = "same_key",
 *         .source = "clf_value of(clf_input x, ulong i, clf_extra *e) { e->key = x.key; return (clf_value){x.x}; }\n"
 *                   "clf_value add(clf_value a, clf_value b) { return (clf_value){a.sum + b.sum}; }\n"
 *                   "clf_value zero(void) { return (clf_value){0}; }\n"
 *                   "bool same_key(clf_input a, clf_input b) { return a.key == b.key; }"};
 *
 * and a run-length encoding of bytes is the number of elements of each run (clf_array_run_lengths does it in one call)
 *
 *     .input = "uchar v;", .value = "uint length;", .extra = "uchar v;", .map = "one", …
 *     clf_value one(clf_input x, ulong i, clf_extra *e) { e->v = x.v; return (clf_value){1}; }
 *
 * With .extra = "uchar v; ulong start;" and e->start = i it has the offsets of runs, too. Runs of one element are left
 * out by a filter behind it, in place, of as many runs as the device has counted: by a plan with CLF_IN_PLACE and
 * CLF_FROM_DEVICE, of .value = "uint length; uchar v; ulong start;", whose predicate is x.length > 1:
 *
 *     clf_reduce_by_key(encode, CLF_ON(queue), n, n, &in, runs, &count);
 *     clf_call call = {.size = sizeof call, .queue = queue, .actual = count};
 *     clf_filter(longer, &call, n, n, runs, runs, &count_of_longer);
 *
 * GROUP BY of sorted input is this; of input that is not sorted each run is a group of its own. combine need not be
 * commutative. All functions must be pure, for each may be evaluated more than once, the map of every element.
 *
 * A chained scan (Merrill and Garland 2016) of the number of runs and of sums, whose tiles bring together in local
 * memory what they write. Variants: "central", "window", "serial", "two_pass" and "one_group" as of scans, and "cpu".
 *
 * Operands of a run are combined in order. In single-pass variants, and so by default, what the parts of a run that
 * spans several tiles add up to may be associated differently from call to call, so that floating-point results may
 * differ in the last bits; those of a run within one tile repeat. "two_pass" repeats bitwise for the same plan, n and
 * keys, as does clf_irregular_reduce by keys.
 */
CLF_API clf_status clf_reduce_by_key_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                          const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a reduction by key of n elements.
 *
 * room          how many results there is room for; of more, only the first `room` are written. n is always enough
 * in            one array of n elements per field of clf_input, then the captured ones, as in clf_scan
 * out           one array of min(room, n) elements per field of clf_value, then one per field of clf_extra, none of
 *               which overlaps an input (CLF_E_ALIAS). What lies behind the results is left as it is
 * result_count  where the number of runs is written, a cl_ulong, whatever the room. A later call can take it from there
 *               (clf_call.actual), so that the host need not wait
 *
 * There is no initial value: what begins each run is for the map to say. For n = 0 the count is 0, and no other array
 * is looked at.
 */
CLF_API clf_status clf_reduce_by_key(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong room,
                                     const clf_array *in, const clf_array *out, const clf_array *result_count);

/* ---- 14. Reduce by index ------------------------------------------------------------------------------- */

/*
 * Bins are combined with what they hold: out[b] = out[b] + the elements of bin b, for any operator. Without the flag
 * nothing of what `out` held is read, and bins that no element belongs to get the neutral element.
 */
#define CLF_UPDATE 0x100u

/*
 * The elements of a bin are combined in order, though the operator is CLF_COMMUTATIVE: so that sums of floating types
 * repeat bitwise, for the same plan, sizes and bins.
 */
#define CLF_ORDERED 0x200u

/*
 * Compiles a reduction by index: elements are combined by the bin that each belongs to, a histogram with any operator
 * ("reduce_by_index" of Futhark: Henriksen et al. 2020). `flags` are CLF_UPDATE, CLF_ORDERED and CLF_FROM_DEVICE, or 0.
 * `options` and `error` may be NULL.
 *
 * The bin of an element is what `part` says, or, where the operator has none, the first field of `input`: an integer
 * scalar of any type. Elements of negative bins, and of bins that there are not, are left out: the map does not see
 * them. Occurrences are counted by
 *
 *     static const clf_operator count = {
 *         .size = sizeof count, .input = "uint bin;", .value = "uint count;", .map = "one",
 *         .source = "clf_value one(clf_input x, ulong i) { clf_value v = {1}; return v; }",
 *         .combine = "clf_sum", .flags = CLF_COMMUTATIVE | CLF_NO_INDEX};
 *
 * and with .input = "float x;" and a part of yours bins are even, or of any boundaries that lie in a captured array:
 *
 *     uint bin(clf_input x, ulong i) { return x.x >= 0 && x.x < 1 ? (uint)(x.x * 100) : ~0u; }
 *
 * Several histograms of the same bins in one reading are one operator of several fields, as clf_operator_join makes
 * of several. There are no extra outputs.
 *
 * Elements of an operator that is CLF_COMMUTATIVE are combined in any order, and sums of floating types may differ in
 * the last bits from call to call (and NVIDIA's atomics, which variant "global" adds floats by, take subnormal ones for
 * 0). Where several work-items update one bin, they do so by the device's own atomics, where it has some for the
 * operator, else by exchanging what is there, for values of up to 4 bytes in all their fields, or 8 where the device
 * has 64-bit atomics. Wider values, of up to 32 words (a field is one at least), have locks, in local memory alone:
 * whoever has one waits for nothing, and no group waits for another. All other operators, still wider values, and plans
 * that are CLF_ORDERED take a stable sort of the values by their bins, several times as long; then operands are in
 * order. What is sorted is the input instead, and mapped after that, where it is no wider than the value: of one row,
 * an operator without part and captured arrays, whose bin has 32 bits, and whose map, if any, is CLF_NO_INDEX.
 *
 * Variants: "local", tables in local memory, in several copies where bins are few and in up to 12 slices where they are
 * many; "global", one table in global memory, which calls of variant "local" have beside theirs for more bins, with
 * tables in local memory for bins that very many elements belong to (both CLF_E_UNSUPPORTED for what is to be sorted;
 * "global" too for values with locks, which calls of variant "local" sort where bins are more than a few thousand, or
 * hundred where there are no lanes); "split", which they have for very many elements of more bins, if elements may be
 * moved: if the operator has neither a map nor a part, or is CLF_NO_INDEX. They are dealt out by ranges of bins, which
 * have tables in local memory then. It takes one row, and as much scratch as the elements. "sorted", for up to 2^32 - 2
 * bins in all rows, and 15 fields; and "cpu", which is always in order, and takes values of any size.
 */
CLF_API clf_status clf_reduce_by_index_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                            const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a reduction by index of n elements to `bins` results.
 *
 * in        one array of n elements per field of clf_input, then the captured ones, as in clf_scan
 * out       one array of `bins` elements per field of clf_value, none of which overlaps an input (CLF_E_ALIAS)
 * call      how it runs. With CLF_FROM_DEVICE the number of elements may lie on the device (call->actual); all results
 *           are written whatever it is
 *
 * There is no initial value. Of no elements all results are neutral, or with CLF_UPDATE stay as they are. For
 * clf_plan_scratch `count` is the number of bins.
 */
CLF_API clf_status clf_reduce_by_index(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong bins,
                                       const clf_array *in, const clf_array *out);

/*
 * The same of every row of a [count][size] array for itself, to a [count][bins] array. The index that functions get
 * counts through all rows. On the device (call->actual) may lie the number of rows: results of those beyond are not
 * written. For clf_plan_scratch `count` is count * bins.
 */
CLF_API clf_status clf_segmented_reduce_by_index(clf_plan *plan, const clf_call *call, cl_ulong count, cl_ulong size,
                                                 cl_ulong bins, const clf_array *in, const clf_array *out);

/* ---- 15. Merge and bounds ------------------------------------------------------------------------------ */

/*
 * Sorted sequences are in the order of the operator's `less`, which is a strict weak order: less(a, b) says that a
 * comes before b, and of elements neither of which is less than the other the order says nothing. Elements are tuples
 * of arrays as everywhere, of which `less` may look at some (keys), and the others are payload.
 *
 *     static const clf_operator by_key = {.size = sizeof by_key, .value = "float key; uint payload;", .less = "below",
 *                                         .source = "bool below(clf_input a, clf_input b) { return a.key < b.key; }"};
 *
 * The operator has `value` fields and `less`, and nothing else: no map, and no input, extra or captured fields. Of
 * sequences that are not sorted results are unspecified, but nothing outside of the arrays is ever touched.
 */

/*
 * Compiles a merge of two sorted sequences into one. It is stable: of elements that are neither less than the other
 * those of the first sequence come first, and each sequence's stay in their order. `flags` is 0 or CLF_FROM_DEVICE.
 * `options` and `error` may be NULL.
 *
 * Each element is read once and written once, whatever the sequences: results are cut into equal tiles, and where a
 * tile's elements begin in both sequences is found by bisection ("merge path": Odeh et al. 2012; Green, McColl and
 * Bader 2012). No group waits for another. Variants: "tiles" (of many tiles a small launch looks for the cuts
 * beforehand, which needs 8 bytes of scratch per tile), and "cpu".
 */
CLF_API clf_status clf_merge_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                  const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a merge of n_first and n_second elements, either of which may be 0.
 *
 * in        one array of n_first elements per field of clf_value, then one of n_second elements per field
 * out       one array of n_first + n_second elements per field, none of which overlaps an input (CLF_E_ALIAS)
 * call      how it runs. With CLF_FROM_DEVICE both sizes may lie on the device: call->actual is then an array of two
 *           cl_ulongs, how many elements the first sequence really has, and the second; those of the call are the most
 *           there can be of each. Two filters before leave them side by side (result_count at offsets 0 and 1)
 *
 * There is no initial value. Arrays of no elements are not looked at. For clf_plan_scratch n is n_first + n_second.
 */
CLF_API clf_status clf_merge(clf_plan *plan, const clf_call *call, cl_ulong n_first, cl_ulong n_second,
                             const clf_array *in, const clf_array *out);

/* Upper bounds; without the flag lower bounds. */
#define CLF_UPPER 2u
/* A promise that needles are sorted like the haystack. */
#define CLF_SORTED_NEEDLES 4u

/*
 * Compiles a search of a sorted sequence, the haystack, for the elements of another, the needles: for each its lower
 * bound, which is how many elements of the haystack are less than it, or, with CLF_UPPER, its upper bound: how many it
 * is not less than. So it could be inserted there, before or behind those like it. As in the operator's source, needles
 * have the fields of the haystack; what `less` does not look at may be any array that is long enough.
 *
 * positions is CLF_UINT or CLF_ULONG: the type of results. `flags` are any of CLF_UPPER, CLF_SORTED_NEEDLES,
 * CLF_FROM_DEVICE, or 0.
 *
 * Needles in any order are searched for by bisection, several at a time by each work-item: variants "items", and "cpu".
 * With CLF_SORTED_NEEDLES both sequences are read once, as in a merge, of which only positions are written: variants
 * "tiles", with scratch as in a merge, and "cpu". That is for about as many needles as the haystack has elements, or
 * more; a few needles in a long haystack are better searched for.
 */
CLF_API clf_status clf_bounds_plan(clf_context *context, const clf_operator *op, clf_type positions, unsigned flags,
                                   const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues a search of n elements for m needles.
 *
 * in        one array of n elements per field of clf_value, the haystack; then one of m per field, the needles
 * out       one array of m positions, of the plan's type, which overlaps no input (CLF_E_ALIAS)
 *
 * call->actual is as in clf_merge: two cl_ulongs, n and m as they really are.
 *
 * CLF_E_OVERFLOW: positions are CLF_UINT, and n is 2^32 or more. All else is as in clf_merge; for clf_plan_scratch n is
 * n + m.
 */
CLF_API clf_status clf_bounds(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong m, const clf_array *in,
                              const clf_array *out);

/* ---- 16. Gather and scatter ---------------------------------------------------------------------------- */

/*
 * Compiles what moves elements by an array of indices: a gather reads where the indices say, a scatter writes there.
 * There is no operator: `fields` lists the fields of an element as in clf_operator, "float x; int y;", and all of them
 * are moved by one call. Indices are of `index_type`, CLF_UINT or CLF_ULONG. `flags` is 0 or CLF_FROM_DEVICE. `options`
 * and `error` may be NULL.
 *
 * Variants: "direct", and "cpu". Both read indices and elements once, in one launch; "direct" reads indices, and reads
 * or writes the side that they do not name, coalesced, and has several loads from anywhere under way at a time.
 */
CLF_API clf_status clf_gather_plan(clf_context *context, const char *fields, clf_type index_type, unsigned flags,
                                   const clf_plan_options *options, clf_plan **plan, clf_error *error);
CLF_API clf_status clf_scatter_plan(clf_context *context, const char *fields, clf_type index_type, unsigned flags,
                                    const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues out[i] = in[indices[i]] for each i < m.
 *
 * n         elements of `in`. An index that is not below n is ignored: out[i] is left as it is
 * in, out   one array of n, and one of m elements per field
 * indices   m of the plan's type; any may occur any number of times
 * call      how it runs. With CLF_FROM_DEVICE the number of indices may lie on the device (call->actual), where a
 *           filter, say, has left it: m is then the most there can be
 *
 * No output overlaps an input or the indices (CLF_E_ALIAS), but inputs and indices may overlap each other. There is no
 * initial value, and no scratch is needed. Arrays of no elements are not looked at.
 */
CLF_API clf_status clf_gather(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong m, const clf_array *in,
                              const clf_array *indices, const clf_array *out);

/*
 * Enqueues out[indices[i]] = in[i] for each i < m, the scatter of Futhark.
 *
 * n         elements of `out`. An index that is not below n is ignored: nothing is written for it. So an index of ~0
 *           leaves an element out, and what no index names stays as it is
 * in, out   one array of m, and one of n elements per field
 *
 * Where several indices are the same, it is not said whose element is written, and each number is for itself: of a
 * tuple or a vector each component is that of some element that goes there, but fields, and components of one, may be
 * of different ones. Everything else is as in clf_gather.
 */
CLF_API clf_status clf_scatter(clf_plan *plan, const clf_call *call, cl_ulong m, cl_ulong n, const clf_array *in,
                               const clf_array *indices, const clf_array *out);

/* ---- 17. One-call functions ---------------------------------------------------------------------------- */

/*
 * Plain cases without a plan of one's own: it is compiled on first use (this one call is slow) and kept by the
 * context. `in` and `out` are one array each. CLF_E_ARGUMENT if the operator does not exist on the type.
 *
 *     clf_inclusive_scan(context, CLF_ON(queue), CLF_SUM, CLF_FLOAT, n, in, out);
 */
CLF_API clf_status clf_inclusive_scan(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong n,
                                      clf_array in, clf_array out);
CLF_API clf_status clf_exclusive_scan(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong n,
                                      clf_array in, clf_array out);

/* n elements to one. */
CLF_API clf_status clf_array_reduce(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong n,
                                    clf_array in, clf_array out);

/* Every row of a [count][size] array for itself: scanned, or reduced to one element. */
CLF_API clf_status clf_rows_inclusive_scan(clf_context *context, const clf_call *call, clf_op op, clf_type type,
                                           cl_ulong count, cl_ulong size, clf_array in, clf_array out);
CLF_API clf_status clf_rows_reduce(clf_context *context, const clf_call *call, clf_op op, clf_type type, cl_ulong count,
                                   cl_ulong size, clf_array in, clf_array out);

/*
 * Those of n elements whose byte in `flags` is not 0, in order; the first element of each run of equal neighbours (==,
 * so each NaN is one). `out` has room for n elements, and may be `in`, of which scratch then has a copy. How many were
 * written is stored in result_count, a cl_ulong.
 */
CLF_API clf_status clf_array_filter(clf_context *context, const clf_call *call, clf_type type, cl_ulong n, clf_array in,
                                    clf_array flags, clf_array out, clf_array result_count);
CLF_API clf_status clf_array_unique(clf_context *context, const clf_call *call, clf_type type, cl_ulong n, clf_array in,
                                    clf_array out, clf_array result_count);

/*
 * Run-length encoding: of each run of equal neighbours (== as above) the element, and how many there are, a cl_ulong: a
 * run may be longer than 32 bits can count. Both arrays have room for n. result_count is as above.
 */
CLF_API clf_status clf_array_run_lengths(clf_context *context, const clf_call *call, clf_type type, cl_ulong n,
                                         clf_array in, clf_array out_values, clf_array out_lengths,
                                         clf_array result_count);

/* Sorts n elements, the least first (NaNs last); `out` may be `in`. */
CLF_API clf_status clf_array_sort(clf_context *context, const clf_call *call, clf_type type, cl_ulong n, clf_array in,
                                  clf_array out);

/*
 * n elements in random order; `out` may be `in`. And the order itself, indices below n of index_type, which is CLF_UINT
 * or CLF_ULONG: out[i] of the former is in[out[i] of the latter]. Any 64 bits are a seed, and on every device the same
 * seed gives the same order of n elements. All orders are as likely as 64 bits can make them: elements are sorted by
 * random keys of 64 bits, made by Philox4x32-10 (Salmon et al. 2011), which is no generator for secrets.
 */
CLF_API clf_status clf_array_shuffle(clf_context *context, const clf_call *call, clf_type type, cl_ulong n,
                                     cl_ulong seed, clf_array in, clf_array out);
CLF_API clf_status clf_array_permutation(clf_context *context, const clf_call *call, clf_type index_type, cl_ulong n,
                                         cl_ulong seed, clf_array out);

/* The first min(k, n) of n elements as sorted: the least ones first, or, if `largest`, the largest (NaNs last). */
CLF_API clf_status clf_array_top_k(clf_context *context, const clf_call *call, clf_type type, cl_bool largest,
                                   cl_ulong n, cl_ulong k, clf_array in, clf_array out);

/*
 * How many of n elements are in each of `bins` bins: `out` has as many cl_uints. Elements are of an integer type, and
 * say their bins themselves; those that are negative, or not below `bins`, are left out.
 */
CLF_API clf_status clf_array_histogram(clf_context *context, const clf_call *call, clf_type type, cl_ulong n,
                                       cl_ulong bins, clf_array in, clf_array out);

/*
 * The same of numbers, CLF_FLOAT or CLF_DOUBLE, and bins of equal width: `range` has two numbers of that type, where
 * bin 0 begins, and how wide each is. Element x is in bin floor((x - range[0]) / range[1]), as the device rounds that;
 * NaNs are left out, too.
 */
CLF_API clf_status clf_array_histogram_even(clf_context *context, const clf_call *call, clf_type type, cl_ulong n,
                                            cl_ulong bins, clf_array range, clf_array in, clf_array out);

/* A [rows][columns] matrix of elements of 1 to 16 bytes. */
CLF_API clf_status clf_matrix_transpose(clf_context *context, const clf_call *call, size_t element_bytes, cl_ulong rows,
                                        cl_ulong columns, clf_array in, clf_array out);

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
