/* SPDX-License-Identifier: MIT */
/*
 * What the suites share: the device under test, opened once per suite, with contexts and plans kept for reuse, since
 * compiling is what takes time. Cases of a scan are in scan_case.h.
 *
 * Read from the environment: CLFOLD_TEST_DEVICE (a number, or part of a device's or platform's name),
 * CLFOLD_TEST_SEED, CLFOLD_TEST_CASE (run this random case only), CLFOLD_TEST_CASES (how many), CLFOLD_TEST_FULL=1 (all
 * combinations instead of a selection).
 */
#ifndef CLFOLD_TESTS_HARNESS_H
#define CLFOLD_TESTS_HARNESS_H

#ifndef CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue: the one function that all versions have */
#endif
#include "ref.h"
#include "suites.h"

#include <check.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A test of Check: a function of _i, which counts how often it has run before. */
#define TEST(NAME)                                               \
    static void NAME##_body(int _i);                             \
    START_TEST(NAME)                                             \
    {                                                            \
        NAME##_body(_i);                                         \
    }                                                            \
    END_TEST                                                     \
    static void NAME##_body(int _i CK_ATTRIBUTE_UNUSED)

enum { RIG_PARAMETERS = 400 /* characters of a list of parameters */ };

typedef struct rig {
    cl_device_id device;
    cl_context cl;
    cl_command_queue queue;     /* in order */
    cl_command_queue unordered; /* out of order, or in order where the device has no such queue */
    char name[128];
    bool is_cpu;
    bool cpu_kernels; /* run there, unless a test asks to do without */
    bool forgetful;   /* PoCL 5 or later, whose kernels for GPUs may be wrong: driver_bugs/pocl5_reuse.c */
    uint64_t seed;
} rig;

/* Fixture of every suite. */
void rig_open(void);
void rig_close(void);
const rig *the_rig(void);

/* Once for all tests of a case; or for every one, where each is a process of its own: --each of clfold-tests. */
void rig_fixture(TCase *tests, void (*open)(void), void (*close)(void));
bool rig_forks(void);

/* A suite with one test case that has the fixture. */
Suite *rig_suite(const char *name, TCase **tests);
/* The same with a fixture of its own. */
Suite *rig_suite_with(const char *name, void (*open)(void), void (*close)(void), TCase **tests);

/* Tests, and how often each is run, with _i from 0 on; the list ends with NULL. */
typedef struct rig_test {
    const TTest *test;
    size_t times;
} rig_test;
void rig_add(TCase *tests, const rig_test *list);
/* Is one random case wanted, and nothing else? */
bool rig_wants_one_case(void);

/* A part of a suite: adds tests. RIG_PART defines it by rows of rig_test. */
typedef void rig_part(TCase *tests);
#define RIG_PART(NAME, ...)                                        \
    void NAME(TCase *tests)                                        \
    {                                                              \
        rig_add(tests, (const rig_test[]){__VA_ARGS__, {NULL, 0}}); \
    }

/* A suite of tests, random cases (or NULL) and parts (ends with NULL); or of one random case, if that is wanted. */
Suite *rig_suite_of(const char *name, const rig_test *list, const TTest *random, rig_part *const *parts);
/* Define NAME_suite by rows of rig_test; the second, by parts in parentheses, too. */
#define RIG_SUITE(NAME, RANDOM, ...) RIG_SUITE_OF(NAME, RANDOM, (NULL), __VA_ARGS__)
#define RIG_SUITE_OF(NAME, RANDOM, PARTS, ...)                                                 \
    Suite *NAME##_suite(void)                                                                  \
    {                                                                                          \
        return rig_suite_of(#NAME, (const rig_test[]){__VA_ARGS__, {NULL, 0}}, RANDOM,         \
                            (rig_part *const[])RIG_PARTS PARTS);                               \
    }
#define RIG_PARTS(...) {__VA_ARGS__, NULL}

/* The environment: as options set it, and numbers of it. */
void rig_set(const char *variable, const char *value);
/* Is the text of an option a whole number, in digits? */
bool rig_is_number(const char *text);
long rig_number(const char *variable, long otherwise);
bool rig_full(void);
/* The next random case: `usual` ones from 0, unless CLFOLD_TEST_CASES says else; or that of CLFOLD_TEST_CASE alone. */
bool rig_next_case(long usual, long *number); /* from -1 */
/* Of what takes long to compile a short run has every `of`-th. */
bool rig_in_turn(int turn, int of);

/* For contexts of a test's own: what it asks to do without, and what CLFOLD_TEST_DISABLE takes away besides. */
const char *rig_disabled(const char *asked, char text[256]);
/* The context with these capabilities disabled (a static string, or NULL); the rig's own. */
clf_context *rig_context(const char *disable);
/* One of the test's own, which it releases: RIG_CONTEXT with some of its options. */
clf_context *rig_make_context(const clf_context_options *options);
#define RIG_CONTEXT(...) \
    rig_make_context(&(const clf_context_options){.size = sizeof(clf_context_options), __VA_ARGS__})

/*
 * Tests that go through all variants have one list of parameters for many: those of it that this one takes. Where the
 * variant is clfold's choice (NULL) the list is the test's own business.
 */
const char *rig_taken(const char *primitive, const char *variant, const char *parameters, char taken[RIG_PARAMETERS]);
/*
 * Was a plan refused for what the device lacks: a type, a variant, or a size of group that `parameters` ask for? If for
 * a parameter that is not the primitive's, the test is wrong, and fails.
 */
bool rig_lacks(clf_status status, const char *parameters, const clf_error *error);

/* What a plan is made from; the strings are static. */
typedef struct plan_key {
    const ref_operator *op;
    unsigned flags; /* CLF_EXCLUSIVE, CLF_FROM_DEVICE, and: */
    const char *disable, *variant, *parameters;
} plan_key;
#define RIG_TURNED (1u << 31) /* the operator says that it commutes, where it does not; or does not, where it does */

/* The plan of a scan, compiled if need be; the rig's own. NULL if the device cannot run it. */
clf_plan *rig_plan(const plan_key *key);
/* The same of another primitive; a static segmentation tells of irregular segments, else it is NULL. */
clf_plan *rig_plan_of(const char *primitive, const plan_key *key, const clf_segmentation *how);

/* Releases these plans. */
void rig_forget(void);

/* A plan of a primitive that takes an operator and nothing else. It must be there, and is the caller's. */
typedef clf_status rig_planner(clf_context *context, const clf_operator *op, unsigned flags,
                               const clf_plan_options *options, clf_plan **plan, clf_error *error);
#define RIG_PLAN(...) rig_planned(__FILE__, __LINE__, __VA_ARGS__)
clf_plan *rig_planned(const char *file, int line, rig_planner *make, clf_context *context, const clf_operator *op,
                      unsigned flags, const clf_plan_options *options);

/* Elements per tile of a plan's main variant, and work-items per group. */
size_t plan_tile(const clf_plan *plan);
size_t plan_group(const clf_plan *plan);

/* Ways to ask for a scan: the default and every variant of the library, as CPU and as GPU-shaped kernels. */
typedef struct way {
    const char *disable, *variant;
} way;
extern way ways[];                                                 /* from rig_open on */
enum { WAY_COUNT = 9, WAY_SINGLE_PASS = 6, SINGLE_PASS_WAYS = 3 }; /* the last three are GPU-shaped and single-pass */
/* Does the way run kernels for CPUs? */
static inline bool way_is_for_cpus(const way *w)
{
    return w->variant ? strcmp(w->variant, "cpu") == 0 : the_rig()->cpu_kernels && !w->disable;
}

/* Where a call's scratch comes from: clfold's pool, or a buffer of the size that it asks for; or somewhere in one. */
typedef enum scratch_kind { SCRATCH_POOL, SCRATCH_OWN, SCRATCH_OWN_OFFSET } scratch_kind;

/* A device buffer of `bytes`, filled from `data` unless NULL. */
cl_mem rig_buffer(size_t bytes, const void *data);
/* Releases the buffers of arrays, or buffers; plans, where there are any. */
#define rig_release(...) \
    rig_release_list(COUNT(((const clf_array[]){__VA_ARGS__})), (const clf_array[]){__VA_ARGS__})
void rig_release_list(size_t count, const clf_array *list);
#define rig_release_buffers(...) \
    rig_release_buffer_list(COUNT(((const cl_mem[]){__VA_ARGS__})), (const cl_mem[]){__VA_ARGS__})
void rig_release_buffer_list(size_t count, const cl_mem *list);
#define rig_release_plans(...) \
    rig_release_plan_list(COUNT(((clf_plan *const[]){__VA_ARGS__})), (clf_plan *const[]){__VA_ARGS__})
void rig_release_plan_list(size_t count, clf_plan *const *list);
/* Plans, and then their context. */
#define rig_release_all(CONTEXT, ...) (rig_release_plans(__VA_ARGS__), assert_ok(clf_context_release(CONTEXT)))
void rig_read(cl_command_queue queue, cl_mem buffer, size_t bytes, void *data);

/* An event for a wait list, completed by rig_gate_open: what waits for it must not have begun by then. NULL if not
 * wanted, which is no error to open. */
cl_event rig_gate(bool wanted);
void rig_gate_open(cl_event gate);

/* Writes while a gate is shut: through a queue of its own. */
void rig_write_late(cl_mem buffer, size_t bytes, const void *data);

/* What clf_context_options.notify was told since it was last looked at: rig_listen, with one of these as user. */
typedef struct rig_told {
    int calls;
    clf_status status;
    char sentence[256];
} rig_told;
void rig_listen(const char *sentence, clf_status status, void *user);
/* Fails the test unless `actual` is `status`, and this sentence was told; "": none. */
void rig_expect(rig_told *told, clf_status actual, clf_status status, const char *sentence);
/* The same of a call that is refused with CLF_E_STATUS: the sentence behind its name. */
#define REFUSES(TOLD, STATUS, SENTENCE, ...) rig_refuses(TOLD, __VA_ARGS__, CLF_E_##STATUS, #__VA_ARGS__, SENTENCE)
void rig_refuses(rig_told *told, clf_status actual, clf_status status, const char *call, const char *sentence);

/* Fails the test unless the statuses are equal, naming both. */
#define assert_status(actual, expected) check_status((actual), (expected), #actual, __FILE__, __LINE__)
#define assert_ok(actual) assert_status(actual, CLF_SUCCESS)
void check_status(clf_status actual, clf_status expected, const char *what, const char *file, int line);

/* Parts of suites that have files of their own. */
rig_part add_call_tests, add_refusal_tests, add_every_call_tests, add_parameter_tests;       /* of api */
rig_part add_no_order_tests, add_captured_refusals;                                          /* of merge_sort */
rig_part add_async_tests;                                                                    /* of scan_options */
rig_part add_function_tests, add_builtin_tests, add_combine_captures_tests, add_array_tests; /* of names */
rig_part add_kernel_file_tests;                                                              /* of program */
rig_part add_captured_tests, add_sort_kernel_tests, add_index_kernel_tests, add_numbers_kernel_tests,
    add_finish_kernel_tests, add_place_kernel_tests, add_wanted_kernel_tests, add_join_kernel_tests,
    add_wanted_bins_tests;                                                                         /* of kernel */
rig_part add_large_select_tests, add_large_sort_tests, add_large_order_tests, add_large_run_tests; /* of large */
rig_part add_number_refusals;                                                                      /* of with_segment */
rig_part add_sort_refusal_tests, add_sort_counting_tests, add_sort_key_tests, add_sort_few_tests,
    add_sort_overwriting_tests;                                                           /* of sort */
rig_part add_join_by_key_tests, add_join_finish_tests;                                    /* of join */
rig_part add_profile_pipe_tests, add_profile_tests, add_threshold_tests, add_tuned_tests; /* of tune */
rig_part add_tuning_injection;                                                            /* of injection */
rig_part add_shuffle_tests, add_histogram_tests, add_histogram_refusals, add_once_tests;  /* of one_call */
rig_part add_top_k_refusal_tests;                                                         /* of top_k */
rig_part add_index_tests;                                                                 /* of reduce_by_index */
rig_part add_extremes_index_tests;                                                        /* of extremes */
rig_part add_in_place_tests;                                                              /* of filter */
rig_part add_finish_reduce_tests, add_finish_narrow_tests, add_finish_runs_tests;         /* of finish */
rig_part add_wanted_index_tests, add_wanted_refusal_tests;                                /* of wanted */
rig_part add_place_number_tests, add_place_refusal_tests;                                 /* of place */

/* Of kernel: of primitives that join by suites.h. */
#define DECLARE(name) rig_part add_##name##_kernel_tests;
TEST_PRIMITIVES(DECLARE)
#undef DECLARE

/* test_large.c: sizes around 2^31 and 2^32. */
enum { LARGE_SIZES = 4 };
extern const cl_ulong large_sizes[LARGE_SIZES];
/* n, or what CLFOLD_TEST_LARGE makes of it where that is more than 1. */
cl_ulong large_size(cl_ulong n);
/* Are there two buffers of these sizes? Says why not. `everywhere`: not on GPUs only. */
bool large_is_possible(cl_ulong bytes, cl_ulong more, bool everywhere);
/* Bytes from .. from + n - 1 become `byte`, by a kernel: NVIDIA's driver cannot (driver_bugs/nvidia_fill.c). */
void large_fill(cl_mem buffer, cl_uchar byte, cl_ulong from, cl_ulong n);
cl_uchar large_byte(cl_mem buffer, cl_ulong i);
/* Sorts n bytes by a plan that sorts them, where there is memory enough, and checks (test_large_sort.c). */
typedef clf_status large_sort(clf_plan *plan, const clf_call *call, cl_ulong n, const clf_array *in,
                              const clf_array *out);
void large_sort_bytes(clf_plan *plan, large_sort *sort, cl_ulong n);
/* Kernels that make and check n elements in segments of `size`, or some other number: (x, n, size), (…, errors). */
cl_program large_program(const char *source, const char *options);
void large_make(cl_program program, const char *name, cl_mem buffer, cl_ulong n, cl_ulong size);
void large_expect(cl_program program, const char *check, cl_mem buffer, cl_ulong n, cl_ulong size);

#endif
