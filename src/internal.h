/* SPDX-License-Identifier: MIT */
/*
 * What the files of src/ share. One section per file, in the order of the layers: a file calls only files
 * that stand above it here (but a plan counts references to its context).
 *
 *     status → text → type → operator → names → join → sha256 → cache → device → tune → slab → flatten →
 *     fields → source → dump → program → probe → facts → scratch → check → launch → heads → plan → call → context →
 *     scan → segmented_scan → irregular_scan → reduce → irregular_reduce → transpose_variants → transpose → convenience
 */
#ifndef CLFOLD_INTERNAL_H
#define CLFOLD_INTERNAL_H

#include "clfold/clfold.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Leaves the function with the status of a failed expression: the only control-flow macro. */
#define CLF_TRY(expression)                     \
    do {                                        \
        clf_status try_status_ = (expression);  \
        if (try_status_ != CLF_SUCCESS)         \
            return try_status_;                 \
    } while (0)

#define CLF_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* On a function like printf: the compiler checks arguments number `first` and on by the text in argument `text`. */
#ifdef __MINGW_PRINTF_FORMAT /* printf as in C99; "printf" is that of Windows there, which knows no %zu */
#define CLF_PRINTF(text, first) __attribute__((format(__MINGW_PRINTF_FORMAT, text, first)))
#elif defined(__GNUC__)
#define CLF_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLF_PRINTF(text, first)
#endif

/* ---- status.c: statuses and errors ----------------------------------------------------------------- */

/* Fills `error` (may be NULL) with a formatted sentence and returns `status`. Keeps error->log. */
clf_status clf_fail(clf_error *error, clf_status status, const char *format, ...) CLF_PRINTF(3, 4);

/* Empties `error`; CLF_E_ARGUMENT if its size is not one we know. NULL is fine. */
clf_status clf_error_reset(clf_error *error);

/* A lock for sections of a few instructions or one allocation; zero-initialised is unlocked. */
typedef struct clf_lock {
    atomic_flag flag;
} clf_lock;
void clf_lock_acquire(clf_lock *lock);
void clf_lock_release(clf_lock *lock);

/* ---- text.c: growing strings ----------------------------------------------------------------------- */

/* Zero-initialised is empty. A failed allocation sets `failed`, and later appends do nothing: check once. */
typedef struct clf_text {
    char *data; /* terminated; NULL while empty */
    size_t length, capacity;
    bool failed;
} clf_text;
void clf_text_append(clf_text *text, const char *bytes, size_t length);
void clf_text_format(clf_text *text, const char *format, ...) CLF_PRINTF(2, 3);
void clf_text_free(clf_text *text);
/* Copies to a caller's buffer as clf_context_describe promises. */
clf_status clf_text_export(const clf_text *text, char *out, size_t bytes, size_t *needed);
/* malloc'ed copy of a string, NULL for NULL or out of memory. */
char *clf_strdup(const char *string);
/* Is `word` one of the comma-separated words of `list` (may be NULL)? */
bool clf_list_has(const char *list, const char *word);
/* May `c` stand in a C identifier? Whatever the locale says. */
bool clf_is_name_character(char c);

/* ---- type.c: scalar types and field lists ------------------------------------------------------------ */

typedef struct clf_field {
    clf_type type;
    cl_uint width;  /* vector width: 1, 2, 4, 8 or 16 */
    cl_uint bytes;  /* of one element */
    cl_uint offset; /* in the C struct of all fields */
    char name[48];
} clf_field;

typedef struct clf_fields {
    cl_uint count;
    cl_uint bytes; /* sizeof the C struct, 0 if count is 0 */
    clf_field field[CLF_MAX_FIELDS];
} clf_fields;

/* Parses "float sum; uint count;"; `what` names the list in messages. NULL text gives no fields. */
/* Is it a keyword, a type or a constant of OpenCL C? */
bool clf_is_reserved(const char *name);
clf_status clf_fields_parse(const char *text, const char *what, clf_fields *fields, clf_error *error);
/* Does any field have this scalar type? */
bool clf_fields_have(const clf_fields *fields, const char *name);
bool clf_fields_use(const clf_fields *fields, clf_type type);
/* Sum of the bytes of one element over all fields (memory traffic), and the largest of them. */
cl_uint clf_fields_sum(const clf_fields *fields);
cl_uint clf_fields_largest(const clf_fields *fields);
/* 32-bit words that an element is exchanged as: a field takes one at least (CLF_VALUE_WORDS). */
cl_uint clf_field_words(const clf_field *field);
cl_uint clf_fields_words(const clf_fields *fields);
/* "float4" */
void clf_field_type_name(const clf_field *field, char name[16]);
/* The unsigned type that moves an element of `bytes` between memories. */
const char *clf_exchange_type(cl_uint bytes);

/* ---- operator.c: operators checked and copied; the built-ins ------------------------------------------- */

/* A checked copy. `input` is the same as `value` where the caller gave none. */
typedef struct clf_operator_copy {
    clf_fields value, input, extra, captured; /* input may have no fields where there are captured ones */
    bool own_input; /* the caller gave a list of input fields: clf_input is a type of its own */
    char *source, *combine, *neutral, *map; /* map may be NULL */
    const char *vector; /* of a built-in: its vector form, macros for cl/vector.cl; static; else NULL */
    unsigned flags;
} clf_operator_copy;

/* The functions of an operator's source: function.c. */
typedef enum clf_function { CLF_FUNCTION_COMBINE, CLF_FUNCTION_NEUTRAL, CLF_FUNCTION_MAP, CLF_FUNCTIONS } clf_function;
/* "combine": the field of clf_operator. */
const char *clf_function_name(clf_function function);
/* What the caller calls it; NULL: a map that there is not. */
const char *clf_function_given(const clf_operator_copy *op, clf_function function);
/* May a function be called that? Only the compiler knows whether the source has it. */
clf_status clf_function_check(clf_function function, const char *name, clf_error *error);
/* "(clf_value clf_a, clf_value clf_b)", with `prefix` before all types but ulong; and "(clf_a, clf_b)". */
void clf_function_parameters(clf_text *text, const clf_operator_copy *op, clf_function function, const char *prefix);
void clf_function_arguments(clf_text *text, const clf_operator_copy *op, clf_function function);
/* Declares a function behind the source that defines it: an error, if it has another shape. */
void clf_function_declare(clf_text *text, const clf_operator_copy *op, clf_function function, const char *prefix,
                          bool renamed /* its name has the prefix, too */);
/* After a failed build: has the message say which function is not what it should be, if the log says so. */
clf_status clf_function_blame(const clf_operator_copy *op, clf_status status, clf_error *error);

clf_status clf_operator_check(const clf_operator *op, clf_operator_copy *copy, clf_error *error);
/* No operator, for primitives that only move elements: one field of 1 to 16 bytes, no functions. */
void clf_operator_none(cl_uint element_bytes, clf_operator_copy *copy);
/* Bytes of the smallest field among inputs and outputs. */
cl_uint clf_operator_narrowest(const clf_operator_copy *op);
void clf_operator_free(clf_operator_copy *copy);

/* ---- names.c, join.c: what a source declares; operators joined ------------------------------------------- */

/* A name, in the source. */
typedef struct clf_name {
    const char *begin;
    size_t length;
} clf_name;
typedef struct clf_names {
    clf_name *list;
    size_t count;
    bool failed; /* out of memory */
} clf_names;
/* Adds what a source declares at file scope, and the macros that it defines. */
void clf_names_find(const char *source, clf_names *declared, clf_names *macros);
bool clf_names_have(const clf_names *names, const char *begin, size_t length);
void clf_names_free(clf_names *names);
/* Length of the word (letters, digits, underscores) at the start of a text. */
size_t clf_name_length(const char *text);

/* ---- sha256.c ------------------------------------------------------------------------------------------ */

typedef struct clf_sha256 {
    uint32_t state[8];
    uint64_t bytes;
    unsigned char block[64];
} clf_sha256;
void clf_sha256_init(clf_sha256 *hash);
void clf_sha256_update(clf_sha256 *hash, const void *data, size_t bytes);
void clf_sha256_final(clf_sha256 *hash, unsigned char digest[32]);

/* ---- cache.c: programs, and what probes found, on disk --------------------------------------------- */

/* A directory, or nothing (path NULL): then loads find nothing and stores do nothing. No failure is ever reported:
 * a cache that cannot be used is a cache miss. */
typedef struct clf_cache {
    char *path;
} clf_cache;
/* `setting` as clf_context_options.cache_dir after the environment; `driver_caches` decides the default. */
void clf_cache_open(clf_cache *cache, const char *setting, bool driver_caches);
void clf_cache_close(clf_cache *cache);
/* Returns a malloc'ed payload, or NULL. A damaged file is deleted and is a miss. */
unsigned char *clf_cache_load(const clf_cache *cache, const unsigned char key[32], size_t *bytes);
/* Writes to a temporary file in the same directory and renames it. */
void clf_cache_store(const clf_cache *cache, const unsigned char key[32], const void *payload, size_t bytes);
void clf_cache_remove(const clf_cache *cache, const unsigned char key[32]);

/* ---- device.c: what a device says about itself; probe.c: what it was seen to do; facts.c: both --------- */

/* How tile descriptors are read and written: the numbers are the values of -D CLF_ATOMICS (cl/atomics.cl). */
typedef enum clf_atomics {
    CLF_ATOMICS_CL12 = 0,    /* OpenCL 1.2 atomic_*, 32-bit words; no fence between work-groups */
    CLF_ATOMICS_CL12_64 = 1, /* cl_khr_int64_base_atomics, 64-bit words; no fence between work-groups */
    CLF_ATOMICS_C11 = 2,     /* C11 atomics and fences with device scope, 64-bit words */
    CLF_ATOMICS_PTX = 3      /* NVIDIA PTX ld/st.relaxed.gpu, fence.acq_rel.gpu, 64-bit words */
} clf_atomics;

/* How work-items exchange values: the numbers are the values of -D CLF_LANES (cl/lane.cl). */
typedef enum clf_lanes {
    CLF_LANES_LOCAL = 0, /* through local memory and barriers only; lane_width is 1 */
    CLF_LANES_PTX = 1,   /* NVIDIA warps: shfl.sync, vote.sync */
    CLF_LANES_KHR = 2,   /* cl_khr_subgroup_shuffle(_relative), cl_khr_subgroup_ballot */
    CLF_LANES_INTEL = 3, /* cl_intel_subgroups */
    CLF_LANES_AMD = 4    /* __builtin_amdgcn_ds_bpermute */
} clf_lanes;

typedef struct clf_facts {
    char platform[128], platform_version[128], vendor[128], name[128], version[128], driver[128];
    cl_device_type type;
    cl_uint compute_units;
    size_t max_group;       /* work-items */
    cl_ulong local_bytes;   /* per work-group */
    cl_ulong cache_bytes;   /* CL_DEVICE_GLOBAL_MEM_CACHE_SIZE */
    cl_ulong max_alloc;
    cl_uint address_bits;
    cl_uint registers;      /* 32-bit ones per work-group; 0: unknown */
    cl_uint warp;           /* work-items of an NVIDIA warp; 0: unknown */
    cl_uint base_align;     /* bytes */
    bool fp64, fp16;
    bool int64_atomics;
    bool is_cpu;            /* take the CPU kernels */
    bool progress;          /* a started work-group keeps running while others wait for it */
    bool fence;             /* plain writes of one work-group can be published to another */
    bool driver_caches;     /* the driver keeps compiled programs itself */
    bool is_nvidia;
    char extensions[8192];
    char std[16];           /* "-cl-std=CL3.0" */
    clf_atomics atomics;
    clf_lanes lanes;
    cl_uint lane_width;     /* 1, or 8 to 64 */
} clf_facts;

/* Is `extension` one of the device's? */
bool clf_facts_have(const clf_facts *facts, const char *extension);
/* Queries alone: leaves std, atomics, lanes, lane_width and fence at zero. */
clf_status clf_facts_query(cl_device_id device, const char *disable, clf_facts *facts, clf_error *error);
/*
 * Fills in the rest by compiling and running (probe.c); `disable` and `dump_dir` as in clf_context_options. *certain:
 * it would be the same another time; not, if the device may only have been busy or full.
 */
clf_status clf_facts_probe(cl_context cl, cl_device_id device, const char *disable, const char *dump_dir,
                           clf_facts *facts, bool *certain, clf_error *error);
/*
 * All of them (facts.c): queries, and what is in the cache or else probed and stored there. Where programs are dumped
 * it is always probed.
 */
clf_status clf_facts_find(cl_context cl, cl_device_id device, const char *disable, const char *dump_dir,
                          const clf_cache *cache, clf_facts *facts, clf_error *error);
void clf_facts_describe(const clf_facts *facts, clf_text *text);

/* ---- tune.c, model.c: parameters of variants; profiles; the model of m ------------------------------- */

/* A parameter is a -D: parameter "items" becomes -D CLF_ITEMS=value. */
typedef struct clf_parameter {
    char name[24]; /* lower case */
    cl_uint value;
} clf_parameter;
enum { CLF_MAX_PARAMETERS = 24 };
enum { CLF_MOST_ITEMS = 1024 }; /* of a work-item that has others beside it */
typedef struct clf_parameters {
    cl_uint count;
    clf_parameter item[CLF_MAX_PARAMETERS];
} clf_parameters;
cl_uint clf_parameter_get(const clf_parameters *list, const char *name, cl_uint otherwise);
void clf_parameter_set(clf_parameters *list, const char *name, cl_uint value);
/* Sets one that is not set. */
void clf_parameter_default(clf_parameters *list, const char *name, cl_uint value);
/* Adds "items=20,group=256" to `list`. Names must be among the known ones, numbers in their ranges. */
clf_status clf_parameters_parse(const char *text, clf_parameters *list, clf_error *error);

typedef struct clf_profile {
    char *text; /* checked lines of the caller; NULL: none */
} clf_profile;
clf_status clf_profile_load(clf_profile *profile, const char *text, clf_error *error);
void clf_profile_free(clf_profile *profile);
/* Appends the line "profile = …": which profiles hold for the device. */
void clf_profile_describe(const clf_profile *profile, const clf_facts *facts, clf_text *text);
/*
 * Adds what the built-in profile of this device and then the caller's say about `primitive` ("scan"),
 * `type_class` ("b4", see clf_type_class), `variant` and `role` (each may be NULL); returns whether there was
 * anything.
 */
bool clf_profile_lookup(const clf_profile *profile, const clf_facts *facts, const char *primitive,
                        const char *type_class, const char *variant, const char *role, clf_parameters *list);
/*
 * Likewise, the variant that they give a role ("scan.b4.main = central"); `chosen` is untouched if there is
 * none.
 */
bool clf_profile_cast(const clf_profile *profile, const clf_facts *facts, const char *primitive,
                      const char *type_class, const char *role, char chosen[32]);
/*
 * "b4": bytes of the value; of a tuple "b32x8": their sum rounded up to a power of two, and its largest
 * field's.
 */
void clf_type_class(const clf_fields *value, char name[16]);
/*
 * The sequential factor m of Clausen 2021 (chapter 5): elements per work-item that local memory and registers
 * allow. k_mem: local bytes per work-item at the largest group; k_reg: 32-bit registers likewise. `staged`: the
 * fields that are worked on at a time (slab.c): with several rounds those of the largest, not the sum.
 */
cl_uint clf_model_items(cl_uint k_mem, cl_uint k_reg, const clf_fields *value, const clf_fields *staged);
/* Queried k_mem and k_reg of a device (64 registers where the device does not tell). */
void clf_model_limits(const clf_facts *facts, cl_uint *k_mem, cl_uint *k_reg);

/* ---- slab.c: local memory of the tile kernels, and what follows from it -------------------------------- */

/*
 * Tile kernels hold a tile of every input in local memory, each in a region of its own. Outputs are staged there
 * in rounds, each in a region of its own or, in the last round, in that of an input of the same element size.
 */
enum { CLF_REGION_OWN = CLF_MAX_FIELDS };
typedef struct clf_slab_map {
    cl_uint rounds;
    cl_uint round[2 * CLF_MAX_FIELDS];  /* of each output: value fields, then extra fields */
    cl_uint region[2 * CLF_MAX_FIELDS]; /* the input whose region it takes, or CLF_REGION_OWN */
} clf_slab_map;
/*
 * Deals the outputs out to at most `rounds` rounds: fewer, if more would not save memory. Returns the bytes of own
 * regions, per element.
 */
cl_uint clf_slab_deal(const clf_operator_copy *op, cl_uint rounds, clf_slab_map *map);
const clf_field *clf_output_field(const clf_operator_copy *op, cl_uint output);
/* Bytes of the smallest element of inputs and outputs, 16 at most. */
cl_uint clf_smallest_field(const clf_operator_copy *op);
/* Local memory of all regions. */
cl_ulong clf_slab_bytes(const clf_operator_copy *op, cl_uint rounds, cl_uint group, cl_uint items);
/* Local memory of the tile kernels: the regions, and the group scan's and central group's totals. */
cl_ulong clf_tile_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint rounds, cl_uint group,
                        cl_uint items);
/* Local memory of a stretch (cl/stretch.cl) of elements of `bytes` bytes, with its padding. */
cl_ulong clf_stretch_bytes(cl_ulong elements, cl_uint bytes);
/* The elements per work-item of the model (tune.c), for so many rounds. */
cl_uint clf_tile_model(const clf_facts *facts, const clf_operator_copy *op, cl_uint rounds);
/* Like clf_type_class, of what a tile holds in local memory: the value's class where input and value have one layout. */
void clf_tile_class(const clf_operator_copy *op, char name[16]);
/* Rounds: those asked for, or a default. */
cl_uint clf_tile_rounds(const clf_operator_copy *op, const clf_parameters *parameters);
/* The fewest work-items that a group may have, but for CPU kernels. */
cl_uint clf_least_group(const clf_facts *facts);
/* For the defaults functions of variants: group, rounds and items of tile kernels. */
void clf_tile_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);

/* ---- flatten.c: files of cl/ that include each other, made one text ---------------------------------- */

/* Embedded files of cl/ (generated by cmake/EmbedKernels.cmake); the last has name NULL. */
typedef struct clf_kernel_file {
    const char *name; /* "scan_lookback.cl" */
    const unsigned char *data;
    size_t bytes;
} clf_kernel_file;
extern const clf_kernel_file clf_kernel_files[];

/* A file that is written for one plan. */
typedef struct clf_generated {
    const char *name;
    clf_text text;
} clf_generated;
/* Appends `file` and what it includes, of cl/ or of `generated` (ends with name NULL; or NULL). */
clf_status clf_flatten(clf_text *text, const char *file, const clf_generated *generated);

/*
 * Where a line of such a text comes from, by its #line directives. `name` points into the text and is not
 * terminated.
 */
typedef struct clf_source_place {
    const char *name;
    size_t length;
    unsigned long line;
} clf_source_place;
clf_source_place clf_source_locate(const char *text, unsigned long line);

/* ---- fields.c: what a program is told of its operator ------------------------------------------------- */

/* cl/fields.cl: lists of fields, and where they lie (slab.c). `rounds`: as -D CLF_ROUNDS. */
void clf_fields_write(clf_text *text, const clf_operator_copy *op, cl_uint rounds);
/* Includes `file` of cl/, a template, for each size that elements of inputs and outputs have. */
void clf_sizes_write(clf_text *text, const clf_operator_copy *op, const char *file);

/* ---- source.c: the text of a program ------------------------------------------------------------------ */

/* Kernels all have the same flat arguments, so that launching is one function; see cl/README.md. */
enum { CLF_MAX_KERNELS = 4 };

/*
 * Writes the whole program: the algorithm file `file` of cl/ with what it includes, each once, under #line
 * directives, and what is generated; the caller's source last. `kernels` ends with NULL: each is a kernel NAME that calls
 * NAME_body of the algorithm. Without an operator (clf_operator_none) the file has kernels of its own, and nothing is
 * generated.
 */
clf_status clf_source_write(clf_text *text, const clf_operator_copy *op, cl_uint rounds, const char *file,
                            const char *const *kernels);

/* ---- dump.c: programs as text -------------------------------------------------------------------------- */

/* Writes the program to a file of this directory, if it can; NULL or "": nowhere. */
void clf_dump(const char *directory, const char *source, const char *options);

/* ---- program.c: text to cl_program, through the caches ----------------------------------------------- */

/* Memory cache: one list per context, newest first. */
typedef struct clf_program_entry {
    struct clf_program_entry *next;
    unsigned char key[32];
    cl_program program;
} clf_program_entry;

typedef struct clf_compiler {
    cl_context cl;
    cl_device_id device;
    const clf_facts *facts;
    clf_cache cache;
    char *dump_dir;
    clf_lock lock;
    clf_program_entry *entries;
    atomic_ulong compiled, from_memory, from_disk; /* for tests and clfold-bench --cold */
} clf_compiler;

void clf_compiler_init(clf_compiler *compiler, cl_context cl, cl_device_id device, const clf_facts *facts,
                       const char *cache_setting, const char *dump_dir);
void clf_compiler_free(clf_compiler *compiler);
/*
 * A retained program for this source and these options. A source that does not compile is CLF_E_OPERATOR with
 * the log.
 */
clf_status clf_compile(clf_compiler *compiler, const char *source, const char *options, cl_program *program,
                       clf_error *error);
/* One plain build without any cache, for probes. `code` (may be NULL): what clBuildProgram said, if it was called. */
clf_status clf_build_program(cl_context cl, cl_device_id device, const char *source, const char *options,
                             cl_program *program, cl_int *code, clf_error *error);

/* ---- scratch.c: device scratch, pooled or the caller's ----------------------------------------------- */

/*
 * A workspace: a header of CLF_SCRATCH_HEADER bytes (word 0: the ticket counter; the others: counters of test
 * builds) and a body. It belongs to one call until the call's commands complete. Descriptors in the body
 * carry the epoch of the call that wrote them, and tickets count on from `ticket`, so that nothing is cleared
 * between calls.
 */
enum { CLF_SCRATCH_HEADER = 64, CLF_IDLE_WORKSPACES = 32 /* at most, in a pool */ };
typedef struct clf_workspace {
    struct clf_workspace *next;
    cl_mem buffer;
    cl_ulong offset;        /* bytes: where the header starts */
    cl_ulong bytes;
    cl_uint epoch;          /* of the current call, from 1 */
    cl_uint ticket;         /* value of the ticket counter before the current call */
    bool fresh;             /* not cleared: a call that needs it cleared clears all `bytes` and says so here */
    bool pooled;
    cl_command_queue queue; /* the in-order queue of the last use, or NULL; not retained, only compared */
    cl_event last;          /* retained; completes the last use where no queue orders it, or it may fail; or NULL */
} clf_workspace;

typedef struct clf_pool {
    clf_lock lock;
    cl_context cl;
    cl_uint epoch_limit; /* largest epoch that a descriptor's tag can hold */
    clf_workspace *idle; /* returned, latest first, though commands may still be running */
} clf_pool;

/*
 * Takes a workspace of at least `bytes` whose next use on `queue` is ordered after its last one. Never waits.
 */
clf_status clf_pool_take(clf_pool *pool, cl_command_queue queue, bool in_order, cl_ulong bytes, clf_workspace **workspace);
/*
 * Returns it. `tickets`: how far the counter was advanced. `last`: the completing event, retained here.
 * Needed unless in_order; give it there too if the call had a wait list, for if an event of that fails, the
 * commands never run and the next use must start afresh. NULL otherwise (an event that is pending at the next
 * use costs a clearing).
 */
void clf_pool_return(clf_pool *pool, clf_workspace *workspace, cl_command_queue queue, bool in_order, cl_uint tickets,
                     cl_event last);
/* Drops a workspace whose enqueue failed half-way. */
void clf_pool_discard(clf_pool *pool, clf_workspace *workspace);
void clf_pool_trim(clf_pool *pool); /* releases all idle ones; OpenCL keeps a buffer until its commands are done */
void clf_pool_free(clf_pool *pool);

/* ---- check.c: the arguments of a call, before anything is enqueued ------------------------------------ */

/* What an array is to a call. */
typedef enum clf_span_role {
    CLF_SPAN_IN, CLF_SPAN_CAPTURED, CLF_SPAN_VALUE, CLF_SPAN_EXTRA, CLF_SPAN_INITIAL, CLF_SPAN_SEGMENTS, CLF_SPAN_ACTUAL,
    CLF_SPAN_RESULT_COUNT, CLF_SPAN_SCRATCH
} clf_span_role;

/* The bytes that an array occupies in the buffer that owns the memory. */
typedef struct clf_span {
    clf_span_role role;
    cl_uint index; /* among the arguments `in` or `out` */
    cl_mem owner;
    cl_ulong begin, end;
    cl_uint element;
} clf_span;

/* A call, and the arrays of it that have been checked. */
typedef struct clf_check {
    clf_context *context;
    const char *call;  /* "clf_scan" */
    bool values_apart; /* values may not take the place of inputs */
    bool in_place;     /* some output takes the place of an input */
    cl_uint count;
    clf_span span[5 * CLF_MAX_FIELDS + 4];
} clf_check;

/* Tells the context's callback "CALL: sentence", and returns `status`: what every refused argument ends in. */
clf_status clf_refuse(const clf_check *check, clf_status status, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;
/* Starts the list for a call of this name: it is well-formed, and fits the context and the operator. */
clf_status clf_check_begin(clf_check *check, clf_context *context, const char *name, const clf_operator_copy *op,
                           const clf_call *call);
clf_status clf_check_wait_list(const clf_check *check, cl_uint wait_count, const cl_event *wait);
/*
 * Checks buffers, sizes, contexts and overlaps as clf_scan documents; may set in_place. Inputs and extra outputs have
 * n_in elements, values n_out. Arrays of no elements are not looked at.
 */
clf_status clf_check_arrays(clf_check *check, const clf_operator_copy *op, cl_ulong n_in, cl_ulong n_out,
                            const clf_array *in, const clf_array *out);
/* What the call reads on the device besides, if its plan's flags allow that: the size and the initial value. */
clf_status clf_check_given(clf_check *check, const clf_operator_copy *op, unsigned flags, const clf_call *call);
/* The array that tells of segments: so many entries of so many bytes. */
clf_status clf_check_segments(clf_check *check, const clf_array *segments, cl_uint bytes, cl_ulong entries);
/* A single cl_ulong that is written. */
clf_status clf_check_result_count(clf_check *check, const clf_array *result_count);
/* A piece of the caller's scratch; goes last. */
clf_status clf_check_scratch(clf_check *check, const clf_array *scratch, cl_ulong bytes);
/* Do the arrays of these fields begin at multiples of 16 bytes, as far as offsets tell? */
bool clf_arrays_aligned(const clf_fields *fields, const clf_array *array);

/* ---- launch.c: kernels and their arguments ----------------------------------------------------------- */

/* Idle cl_kernel objects of one kernel function: arguments are set on a kernel that one call owns. */
enum { CLF_POOLED_KERNELS = 8 };
typedef struct clf_kernel_pool {
    clf_lock lock;
    cl_program program;
    const char *name;
    cl_uint count;
    cl_kernel idle[CLF_POOLED_KERNELS];
} clf_kernel_pool;
void clf_kernel_pool_free(clf_kernel_pool *pool);

/* A sequence of commands on one queue that together are one operation: each waits for the one before. */
typedef struct clf_chain {
    cl_command_queue queue;
    bool in_order;
    cl_uint wait_count;    /* the caller's wait list until the first command has honoured it; then 0 */
    const cl_event *wait;
    cl_event previous;     /* of the last command; NULL where the queue's order is enough */
    bool want_event;       /* keep an event of the last command: asked for, or needed as proof */
    bool want_proof;       /* out of order, or behind a wait list, an event of which may fail */
    bool rehearsal;        /* commands are checked, and not enqueued */
    clf_check *check;
} clf_chain;
/* Begins the chain of a call: its queue, its wait list, and whether its event is wanted. */
clf_status clf_chain_begin(clf_chain *chain, clf_check *check, const clf_call *call);
clf_status clf_chain_fill(clf_chain *chain, cl_mem buffer, cl_ulong offset, cl_ulong bytes);
clf_status clf_chain_copy_bytes(clf_chain *chain, cl_mem from, cl_ulong from_at, cl_mem to, cl_ulong to_at, cl_ulong bytes);
/* Offsets count elements of `element` bytes. */
clf_status clf_chain_copy(clf_chain *chain, const clf_array *in, const clf_array *out, cl_ulong n, cl_uint element);
/*
 * Ends the chain: gives the last event, which the caller then owns, to *event, or releases it if that is
 * NULL. If there was no command, a marker takes its place: it has the event, and holds back what comes behind the
 * wait list in an in-order queue.
 */
clf_status clf_chain_end(clf_chain *chain, cl_event *event);
/* Lets go of a chain whose next command could not be enqueued. */
void clf_chain_abort(clf_chain *chain);
/*
 * The event for clf_pool_return: NULL where the queue's order is enough, even if the caller wants an event.
 */
cl_event clf_chain_proof(const clf_chain *chain);

/* Everything a kernel gets, in the order of the arguments; cl/README.md documents each. */
typedef struct clf_arguments {
    const clf_operator_copy *op;
    const clf_array *in, *out; /* in: input fields, then captured ones; out: value fields, then extra fields */
    const void *initial;       /* C struct of clf_value, or NULL: neutral, or given */
    bool from_device;          /* kernels take `given` (CLF_FROM_DEVICE) */
    clf_array given;           /* what the device itself knows of the call, by `flags` (cl/given.cl): bytes */
    cl_ulong count, size;      /* number of segments and elements per segment; a plain scan has count 1. Rows and
                                * columns of a matrix */
    cl_ulong batch;            /* number of matrices */
    cl_mem scratch;
    cl_ulong scratch_offset;   /* bytes */
    cl_uint epoch, ticket;     /* of messages; variants that send none may have numbers of their own here */
    cl_uint flags;             /* CLF_ARG_… below */
    const clf_array *heads;    /* of irregular segments: head bits (heads.c), or offsets; its own in words; else NULL */
    const clf_array *counts;   /* of CLF_SEGMENTS_COUNTED; else NULL */
} clf_arguments;
enum { CLF_ARG_INITIAL = 1, CLF_ARG_IN_PLACE = 2, CLF_ARG_STREAM = 4 /* the output will not fit the caches */,
       CLF_ARG_ALONE = 8, CLF_ARG_NEAR = 16 /* cl/chain.cl; regular segments only */,
       CLF_ARG_GIVEN_SIZE = 32, CLF_ARG_GIVEN_COUNT = 64, CLF_ARG_GIVEN_INITIAL = 128 /* cl/given.cl */ };

/* What a variant says of its tickets where only the device knows how many it took. */
#define CLF_TICKETS_UNKNOWN CL_UINT_MAX

/* Sets the arguments on a kernel of the pool and enqueues it as `groups` groups of `group` work-items; CLF_E_OVERFLOW
 * where there are more groups than a cl_int can count. */
clf_status clf_launch(clf_chain *chain, clf_kernel_pool *pool, const clf_arguments *arguments, cl_ulong groups,
                      size_t group);
/* The same for a kernel of other arguments. */
typedef struct clf_argument {
    size_t bytes;
    const void *value;
} clf_argument;
clf_status clf_launch_flat(clf_chain *chain, clf_kernel_pool *pool, const clf_argument *arguments, cl_uint count,
                           cl_ulong groups, size_t group);

/* ---- heads.c: where irregular segments start ---------------------------------------------------------- */

/* A segmentation is one we know, of a type that it can have and the device has. */
clf_status clf_segmentation_check(const clf_segmentation *segmentation, const clf_facts *facts, clf_error *error);
/* Bytes of one entry of its array, and how many entries there are. */
cl_uint clf_segmentation_bytes(const clf_segmentation *segmentation);
cl_ulong clf_segmentation_entries(const clf_segmentation *segmentation, cl_ulong n, cl_ulong count);

/*
 * Makes head bits: bit i % 32 of word i / 32 is set where element i starts a segment, and clear elsewhere;
 * bit 0 may be either. From bytes, keys, offsets, or instead of lengths the indices where segments start.
 */
typedef struct clf_heads {
    cl_program program;
    clf_kernel_pool kernel;
    bool scatters;        /* entries are per segment, not per element: the words must be zero beforehand */
    cl_uint group, items; /* entries or words per work-item */
} clf_heads;
/* Compiles the kernel (of CLF_BY_HEAD_BITS there is none: nothing happens). Zero-initialised is closed. */
clf_status clf_heads_open(clf_heads *heads, clf_compiler *compiler, const clf_segmentation *segmentation,
                          clf_error *error);
void clf_heads_close(clf_heads *heads);
/* Words of head bits for n elements. */
cl_ulong clf_heads_words(cl_ulong n);
/* Sets clf_heads_words(n) words of `bits`, whose offset counts words. `count` segments: looked at where it scatters. */
clf_status clf_heads_enqueue(clf_heads *heads, clf_chain *chain, cl_ulong n, cl_ulong count, const clf_array *entries,
                             const clf_array *bits);

/* ---- plan.c: variants compiled ----------------------------------------------------------------------- */

/* What a device must be for a variant to be chosen unasked. */
enum {
    CLF_NEEDS_CPU = 1,      /* a CPU */
    CLF_NEEDS_PROGRESS = 2, /* a started group keeps running while others wait */
    CLF_NEEDS_LANES = 4,    /* lanes other than local memory */
    CLF_NEEDS_ASKING = 8    /* never */
};

struct clf_engine;

/* One way to do a primitive. Each primitive has one table of them, best first. */
typedef struct clf_variant {
    const char *name;
    unsigned needs;
    bool waits;                 /* its groups wait for each other by messages in scratch */
    const char *file;           /* in cl/ */
    const char *const *kernels; /* ends with NULL */
    /* Fills in what no profile or caller set: group, items … */
    void (*defaults)(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);
    /* Bytes of local memory that the kernels need; NULL: those of the tile kernels. */
    cl_ulong (*local)(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items);
    cl_ulong (*scratch)(const struct clf_engine *engine, cl_ulong n); /* bytes of a workspace; NULL: none */
    /* *tickets: how far the call advances the ticket counter (0 beforehand). */
    clf_status (*enqueue)(struct clf_engine *engine, clf_chain *chain, const clf_arguments *arguments,
                          cl_uint *tickets);
} clf_variant;

/* How elements fall into segments: the numbers are the values of -D CLF_SEGMENT (cl/segment.cl). */
typedef enum clf_segments {
    CLF_SEGMENTS_ONE = 0,
    CLF_SEGMENTS_REGULAR = 1,     /* count segments of size elements */
    CLF_SEGMENTS_IRREGULAR = 2,   /* size elements, whose head bits say where segments start */
    CLF_SEGMENTS_COUNTED = 3,     /* the same, and each share's heads are counted (cl/segment_counts.cl) */
    CLF_SEGMENTS_OFFSETS = 4,     /* size elements, count segments: where each starts in 32 bits … */
    CLF_SEGMENTS_LONG_OFFSETS = 5 /* … or in 64 (cl/merge_path.cl) */
} clf_segments;

/* A variant compiled for an operator. */
typedef struct clf_engine {
    const clf_variant *variant;
    clf_context *context;
    clf_parameters parameters;
    cl_uint group, tile;  /* work-items per group; elements per tile */
    cl_uint slot_bytes;   /* of a tile's message (cl/message.cl) */
    cl_uint value_bytes;  /* of a value stored in scratch (cl/value.cl: packed words) */
    clf_segments segments;
    cl_program program;
    clf_kernel_pool kernels[CLF_MAX_KERNELS];
} clf_engine;

/*
 * A plan compiles up to one engine per role of its primitive, and each call picks one of them. Role 0 is the
 * main one: it can do any call that no other role takes. A variant that the caller asks for by name is the
 * main one, alone.
 */
enum { CLF_MAX_ROLES = 4 };
struct clf_plan;

typedef struct clf_primitive {
    const char *name;            /* "scan" */
    const char *like;            /* the primitive whose profile lines hold for this one too, as the weaker; or NULL */
    clf_segments segments;
    const clf_variant *variants; /* ends with name NULL */
    const char *const *roles;    /* names, for profiles and descriptions; ends with NULL */
    /* The variant that takes a role other than 0 on this device, given the main engine; NULL: none. */
    const clf_variant *(*cast)(const struct clf_plan *plan, cl_uint role);
    /* The engine for `count` segments of `size` elements. */
    clf_engine *(*choose)(const struct clf_plan *plan, cl_ulong count, cl_ulong size, bool in_place);
    /* Bytes of scratch that a call needs besides its engine's; NULL: none. */
    cl_ulong (*beside)(const struct clf_plan *plan, cl_ulong n, cl_ulong count);
} clf_primitive;

struct clf_plan {
    atomic_uint references;
    clf_context *context;
    bool weak; /* owned by the context's table of one-call plans: holds no reference to it */
    const clf_primitive *primitive;
    clf_operator_copy op;
    unsigned flags;
    clf_engine *engine[CLF_MAX_ROLES]; /* by role; NULL: nobody */
    clf_segmentation segmentation;     /* of irregular segments … */
    clf_heads heads;                   /* … their head bits … */
    struct clf_plan *starts;           /* … and of lengths: the scan that turns them into starts; or NULL */
};

clf_status clf_plan_create(clf_context *context, const clf_primitive *primitive, const clf_operator *op, unsigned flags,
                           const clf_plan_options *options, clf_plan **plan, clf_error *error);
/* A plan of a primitive that has no operator. */
clf_status clf_plan_create_moving(clf_context *context, const clf_primitive *primitive, cl_uint element_bytes,
                                  const clf_plan_options *options, clf_plan **plan, clf_error *error);
/* The variant that the profiles want in this role; NULL if they do not say, or the device has not what it needs. */
const clf_variant *clf_variant_profiled(const clf_primitive *primitive, const clf_context *context,
                                        const char *type_class, cl_uint role);
const clf_variant *clf_variant_named(const clf_primitive *primitive, const char *name);
/* Bytes of scratch that an engine (NULL: none) needs for n elements. */
cl_ulong clf_engine_scratch(const clf_engine *engine, cl_ulong n);
/* ---- call.c: an engine enqueued ----------------------------------------------------------------------- */

/* Scratch for a part of a call: the caller's, of which `borrowed` then tells, or the pool's. In a rehearsal the pool's is
 * left alone. */
clf_status clf_scratch_take(clf_context *context, const clf_chain *chain, const clf_array *scratch, cl_ulong bytes,
                            clf_workspace *borrowed, clf_workspace **workspace);
/* Returns it behind the chain's last command; after a failure drops it. */
void clf_scratch_return(clf_context *context, const clf_chain *chain, clf_workspace *workspace, cl_uint tickets,
                        clf_status status);
/* The size of a piece of scratch behind which another may start. */
cl_ulong clf_scratch_round(cl_ulong bytes);
/* Enqueues an engine's commands for n elements, with its scratch, as part of a chain. */
clf_status clf_engine_enqueue(clf_engine *engine, clf_chain *chain, clf_arguments *arguments, cl_ulong n,
                              const clf_array *scratch);
/* What a primitive enqueues for a call. */
typedef clf_status (*clf_commands)(void *state, clf_chain *chain, clf_arguments *arguments, const clf_array *scratch);
/*
 * A whole call: what it says of the initial value and of sizes on the device goes to `arguments`; then `commands`, which
 * add to the chain, run twice, first as a rehearsal, so that whatever they refuse they refuse before anything is
 * enqueued. `counted`: a size on the device is the number of segments, not of elements.
 */
clf_status clf_run(clf_check *check, const clf_plan *plan, const clf_call *call, clf_arguments *arguments, bool counted,
                   clf_commands commands, void *state);
/* A call that has nothing to do: an event behind the wait list, if one is wanted. */
clf_status clf_run_nothing(clf_check *check, const clf_call *call);
/* Bytes of scratch that a call takes for itself: the first ones. */
cl_ulong clf_call_scratch(const clf_plan *plan);
/* A call that is one engine's commands. */
clf_status clf_engine_run(clf_engine *engine, const clf_plan *plan, clf_check *check, const clf_call *call,
                          clf_arguments *arguments, cl_ulong n, bool counted);

/* ---- scan.c ------------------------------------------------------------------------------------------ */

extern const clf_primitive clf_scan_primitive, clf_segmented_scan_primitive, clf_irregular_scan_primitive;
cl_ulong clf_irregular_scan_beside(const clf_plan *plan, cl_ulong n, cl_ulong count); /* irregular_scan.c */

/* ---- segmented_scan.c, irregular_scan.c: calls only: the variants are those of scan.c ----------------- */

/* ---- reduce.c ---------------------------------------------------------------------------------------- */

/* The parameters of reductions on CPUs, whatever their segments. */
void clf_reduce_cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);

/* ---- transpose_variants.c ---------------------------------------------------------------------------- */

extern const clf_variant clf_transpose_variants[];
/* Elements of a tile that lies anywhere: full rows, and columns but for what a window lacks. */
typedef struct clf_extent {
    cl_uint rows, columns;
} clf_extent;
/* Of an engine of variant "tile". */
clf_extent clf_transpose_tile(const clf_engine *engine);
/* Are elements smaller than words, but rows, on both sides, whole aligned words? */
clf_status clf_transpose_is_packed(const clf_arguments *arguments, bool *packed);

/* ---- context.c --------------------------------------------------------------------------------------- */

/* Plans of the one-call functions. */
typedef struct clf_builtin_plan {
    struct clf_builtin_plan *next;
    int key;
    clf_plan *plan;
} clf_builtin_plan;

struct clf_context {
    atomic_uint references;
    cl_context cl;
    cl_device_id device;
    clf_facts facts;
    clf_profile profile;
    clf_compiler compiler;
    clf_pool pool;
    void (*notify)(const char *sentence, clf_status status, void *user); /* or NULL */
    void *user;
    clf_lock lock;
    clf_builtin_plan *plans;
};

#endif
