/* SPDX-License-Identifier: MIT */
/*
 * core: contexts, plans and calls, which all primitives share.
 */
#ifndef CLF_CORE_H
#define CLF_CORE_H

#include "core/check.h"
#include "core/tuned.h"
#include "probe/probe.h"

/* ---- scratch.c: device scratch, pooled -------------------------------------------------------------- */

/*
 * A workspace: a header of CLF_SCRATCH_HEADER bytes (word 0: the ticket counter; the others: counters of test builds)
 * and a body. It belongs to one call until the call's commands complete. Descriptors in the body carry the epoch of
 * the call that wrote them, and tickets continue from `ticket`. So nothing is cleared between calls.
 */
enum { CLF_SCRATCH_HEADER = 64, CLF_SCRATCH_LEAST = 4096, CLF_IDLE_WORKSPACES = 32 /* at most, in a pool */ };
typedef struct clf_workspace {
    struct clf_workspace *next;
    cl_mem buffer;
    cl_ulong offset; /* bytes: where the header starts */
    cl_ulong bytes;
    cl_uint epoch;  /* of the current call, from 1 */
    cl_uint ticket; /* value of the ticket counter before the current call */
    cl_ulong clean; /* bytes from the start that hold only zeros and messages of earlier calls */
    bool pooled;
    cl_command_queue queue; /* the in-order queue of the last use, or NULL; not retained, only compared */
    cl_event last;          /* retained; completes the last use where no queue orders it, or it may fail; or NULL */
} clf_workspace;

typedef struct clf_pool {
    clf_lock lock;
    cl_context cl;
    cl_uint epoch_limit; /* largest epoch that a descriptor's tag can hold */
    clf_workspace *idle; /* returned, latest first; their commands may still be running */
} clf_pool;

/*
 * Takes a workspace of at least `bytes` whose next use on `queue` is ordered after its last one: for messages, or, if
 * plain, for anything else. Neither waits.
 */
clf_status clf_pool_take_plain(clf_pool *pool, cl_command_queue queue, bool in_order, cl_ulong bytes,
                               clf_workspace **workspace);
clf_status clf_pool_take(clf_pool *pool, cl_command_queue queue, bool in_order, cl_ulong bytes,
                         clf_workspace **workspace);
/*
 * Returns it. `tickets`: how far the counter was advanced. `last`: the completing event, retained here. It is needed
 * unless in_order, and also there if the call had a wait list: if an event of the list fails, the commands never run,
 * and the next use must start afresh. Otherwise NULL (an event that is pending at the next use costs a clearing).
 */
void clf_pool_return(clf_pool *pool, clf_workspace *workspace, cl_command_queue queue, bool in_order, cl_uint tickets,
                     cl_event last);
/* Drops a workspace whose enqueue failed half-way. */
void clf_pool_discard(clf_pool *pool, clf_workspace *workspace);
void clf_pool_trim(clf_pool *pool); /* releases all idle ones; OpenCL keeps a buffer until its commands are done */
void clf_pool_free(clf_pool *pool);

/* ---- context.c --------------------------------------------------------------------------------------- */

/* An object that the context caches by its owner's key, and releases with itself: plans of one-call functions. */
typedef struct clf_kept {
    struct clf_kept *next;
    int key;
    void *object;
    clf_status (*release)(void *object);
} clf_kept;

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
    clf_kept *kept;
};

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

/* A sequence of commands on one queue that form one operation: each waits for the one before. */
typedef struct clf_chain {
    cl_command_queue queue;
    bool in_order;
    cl_uint wait_count; /* the caller's wait list until the first command has honoured it; then 0 */
    const cl_event *wait;
    cl_event previous; /* of the last command; NULL where the queue's order is enough */
    bool want_event;   /* retain the event of the last command: the caller wants it, or it is proof */
    bool want_proof;   /* out of order, or after a wait list, an event of which may fail */
    bool rehearsal;    /* commands are checked, but not enqueued */
    clf_check *check;
} clf_chain;
/* Begins the chain of a call: its queue, its wait list, and whether its event is wanted. */
clf_status clf_chain_begin(clf_chain *chain, clf_check *check, const clf_call *call);
clf_status clf_chain_fill(clf_chain *chain, cl_mem buffer, cl_ulong offset, cl_ulong bytes);
clf_status clf_chain_write(clf_chain *chain, cl_mem buffer, cl_ulong offset, cl_ulong value);
clf_status clf_chain_copy_bytes(clf_chain *chain, cl_mem from, cl_ulong from_at, cl_mem to, cl_ulong to_at,
                                cl_ulong bytes);
/* Offsets count elements of `element` bytes. */
clf_status clf_chain_copy(clf_chain *chain, const clf_array *in, const clf_array *out, cl_ulong n, cl_uint element);
/*
 * Ends the chain: gives the last event, which the caller then owns, to *event, or releases it if that is NULL. Without
 * any command a marker takes its place: its event is the call's, and in an in-order queue it makes later commands wait
 * for the wait list.
 */
clf_status clf_chain_end(clf_chain *chain, cl_event *event);
void clf_chain_abort(clf_chain *chain); /* releases its events, after a command that could not be enqueued */
/* The event for clf_pool_return: NULL where the queue's order is enough, even if the caller wants an event. */
cl_event clf_chain_proof(const clf_chain *chain);

/* Everything a kernel gets, in the order of the arguments; cl/README.md documents each. */
typedef struct clf_arguments {
    const clf_operator_copy *op;
    const clf_array *in, *out; /* in: input fields of all sets, captured ones; out: value fields, extra ones */
    const void *initial;       /* C struct of clf_value, or NULL: neutral, or given */
    bool from_device;          /* kernels take `given` (CLF_FROM_DEVICE) */
    clf_array given;           /* sizes that lie on the device, by `flags` (cl/memory/value.cl); offset in bytes */
    cl_ulong count, size;      /* number of segments and elements per segment; a plain scan has count 1. Rows and
                                * columns of a matrix. Elements that indices name, and indices */
    cl_ulong batch;            /* number of matrices */
    cl_mem scratch;
    cl_ulong scratch_offset;           /* bytes */
    cl_uint epoch, ticket;             /* of messages */
    cl_uint flags;                     /* CLF_ARG_… of program.h */
    cl_ulong room;                     /* of outputs, where the operator has `place` */
    cl_uint array_count, number_count; /* further arguments of its program (clf_entry), in that order: */
    clf_array arrays[CLF_MAX_MORE];
    cl_uint numbers[CLF_MAX_MORE];
} clf_arguments;
/* The number of tickets where only the device knows it. */
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

/* ---- Variants, engines, plans ------------------------------------------------------------------------ */

typedef struct clf_run clf_run; /* run.h */
typedef struct clf_task clf_task;

/* What a device needs for a variant to be chosen automatically. */
enum {
    CLF_NEEDS_CPU = 1,      /* a CPU */
    CLF_NEEDS_PROGRESS = 2, /* a started group keeps running while others wait */
    CLF_NEEDS_LANES = 4,    /* lanes other than local memory */
    CLF_NEEDS_ASKING = 8    /* not by a device alone: a role, a profile or the caller names it */
};

/* One algorithm for a primitive. Each primitive has one table of them, best first. */
struct clf_engine;
typedef struct clf_variant {
    const char *name;
    unsigned way; /* the primitive's own number for it, by which its functions tell variants apart */
    unsigned needs;
    /* Can it run the plan's operator and flags? If not, it is not chosen, and fails if asked for. NULL: any plan. */
    clf_status (*takes)(const clf_plan *plan, const struct clf_variant *variant, clf_error *error);
    bool waits;                 /* its groups wait for each other by messages in scratch */
    bool exchanges;             /* it combines with cells of global memory, by exchanges where nothing else is there */
    bool repeats;               /* timing does not change in which order it combines: for CLF_REPEATABLE */
    const char *file;           /* in cl/ */
    const char *first;          /* in cl/: what `file`, a template, is included behind; or NULL */
    const char *const *kernels; /* ends with NULL */
    const char *const *numbers; /* names of further uint arguments of its kernels; ends with NULL; or NULL */
    const char *parameters;     /* those that profiles and callers may set, separated by commas; or NULL */
    /* Sets parameters that no profile or caller set: group (not on CPUs), items …; NULL: none. */
    void (*defaults)(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);
    /* Bytes of local memory that the kernels need; NULL: those of the tile kernels; on CPUs none. */
    cl_ulong (*local)(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items);
    /* Takes its scratch, and launches. NULL: the primitive's `run` does that. */
    clf_status (*run)(struct clf_engine *engine, clf_run *run, clf_arguments *arguments);
} clf_variant;

/* A variant with an operator. Everything but its program is set from the beginning. */
typedef struct clf_engine {
    const struct clf_primitive *primitive;
    const clf_variant *variant;
    clf_context *context;
    const clf_operator_copy *op; /* the plan's */
    unsigned flags;
    clf_parameters parameters;
    cl_uint group, tile;           /* work-items per group; elements per tile */
    cl_uint slot_bytes;            /* of a tile's message (cl/group/message.cl) */
    cl_uint state_bytes;           /* of a tile's state stored in scratch (cl/group/state_value.cl: packed words) */
    const clf_named_array *arrays; /* of its kernels' further arguments */
    cl_uint array_count, number_count;
    atomic_bool compiled; /* both of these are then set, and no longer change: */
    cl_program program;
    clf_kernel_pool kernels[CLF_MAX_KERNELS];
    clf_lock lock;
} clf_engine;

/*
 * A plan has at most one engine per role of its primitive, and each call picks one of them. Role 0 is the main one: it
 * can do any call that no other role takes. A variant that the caller names is the main one, and the only one.
 */
enum { CLF_MAX_ROLES = 5, CLF_WORST = 4 };

/* A flag of plans, and the macro by which their programs know it. */
typedef struct clf_flag_macro {
    unsigned flag;
    const char *name; /* "CLF_OVERWRITE" */
} clf_flag_macro;

/* A primitive, as the core sees it. */
typedef struct clf_primitive {
    const char *name;          /* "scan" */
    unsigned flags;            /* those that its plans may have */
    unsigned function;         /* what it calls besides the map (clf_operator_take); 0: combine */
    cl_uint in_sets, out_sets; /* sequences of elements that a call reads, and writes; 0 is 1 */
    cl_uint state_words;       /* words of a tile's message; 0: a value of the operator, */
    cl_uint more_words;        /* and this many words more */
    cl_uint head_words;        /* words more that it has in scratch: whether a segment starts in the tile */
    const char *profile;       /* fallback: its profile lines apply here too, but own lines win; or NULL */
    unsigned exclusive;        /* the flag for results without the element itself (-D CLF_EXCLUSIVE); 0: none */
    unsigned reverse;          /* the flag for elements from the last one to the first; 0: none */
    clf_flag_macro macro;      /* of a flag; or none */
    /* Appends further options of the compiler, of the plan's operator, form and flags: " -D CLF_ORDER=1"; or NULL. */
    void (*define)(const clf_engine *engine, clf_text *options);
    void (*write)(clf_text *text, const clf_operator_copy *op); /* clf_entry.write */
    bool coded;                                                 /* clf_operator_copy.coded */
    const clf_named_array *arrays; /* of its kernels, besides inputs and outputs; ends with NULL; or NULL */
    const clf_named_array *(*arrays_of)(const clf_operator_copy *op); /* the same, where they depend on the form */
    const clf_variant *variants;                                      /* ends with name NULL */
    const char *parameters;   /* that its plans take with any variant, separated by commas; or NULL */
    const char *const *roles; /* names, for profiles and descriptions; ends with NULL */
    /* The variant that takes a role other than 0 on this device, given the main engine; NULL: none. */
    const clf_variant *(*variant_for)(const struct clf_plan *plan, cl_uint role);
    clf_engine *(*choose)(const struct clf_plan *plan, const clf_task *task);
    /* Checks the arguments of a call, and says whether there is nothing to do; then does it. */
    clf_status (*check)(const struct clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task);
    clf_status (*run)(const struct clf_plan *plan, clf_run *run, const clf_task *task);
    /* The tasks that may need most scratch, CLF_WORST at most, of n elements and `count`; NULL: n elements, in place,
     * too, and n rows. */
    cl_uint (*worst)(const struct clf_plan *plan, cl_ulong n, cl_ulong count, clf_task *tasks);
    /* Compiles everything else that calls may need; NULL: nothing. */
    clf_status (*compile)(struct clf_plan *plan, clf_error *error);
    void (*close)(struct clf_plan *plan); /* frees plan->own, which may be NULL; NULL: nothing to free */
    const clf_tuned_call *tuned;          /* how clf_context_tune calls plans; NULL: it does not */
    /* Defaults of all variants but those for CPUs, before the variant's own; NULL: none. */
    void (*defaults)(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);
} clf_primitive;

struct clf_plan {
    atomic_uint references;
    clf_context *context;
    bool weak; /* without a reference to the context: a step of another plan, or in the context's table (own.c) */
    const clf_primitive *primitive;
    clf_operator_copy op;
    unsigned flags;
    clf_engine *engine[CLF_MAX_ROLES]; /* by role; NULL: none */
    void *own;                         /* the primitive's further state; NULL at first */
};

/* ---- plan.c: variants chosen ---------------------------------------------------------------------------- */

/* Before anything is refused: no message yet, and no plan. */
clf_status clf_plan_none(clf_plan **plan, clf_error *error);

/* Has the device all types of the operator's? */
clf_status clf_check_types(const clf_facts *facts, const clf_operator_copy *op, clf_error *error);

clf_status clf_plan_create(clf_context *context, const clf_primitive *primitive, const clf_operator *op, unsigned flags,
                           const clf_plan_options *options, clf_plan **plan, clf_error *error);
/* What a plan is made for besides its operator and flags: a number of the primitive's own (clf_operator_copy.form). */
typedef struct clf_form {
    cl_uint number;
    bool later;          /* a step of another plan, or not yet known to be possible: the first call compiles it */
    clf_numbers numbers; /* of irregular segments; else none */
} clf_form;
clf_status clf_plan_create_form(clf_context *context, const clf_primitive *primitive, clf_form form,
                                const clf_operator *op, unsigned flags, const clf_plan_options *options,
                                clf_plan **plan, clf_error *error);
/* A plan of a primitive that has no operator. */
clf_status clf_plan_create_moving(clf_context *context, const clf_primitive *primitive, cl_uint element_bytes,
                                  const clf_plan_options *options, clf_plan **plan, clf_error *error);
/* The variant that the profiles set for this role; NULL if none does, or the device lacks what it needs. */
const clf_variant *clf_variant_profiled(const clf_plan *plan, const char *type_class, cl_uint role);
const clf_variant *clf_variant_named(const clf_primitive *primitive, const char *name);
/* For clf_primitive: one engine, for any call. */
extern const char *const clf_main_role[];
clf_engine *clf_choose_main(const clf_plan *plan, const clf_task *task);

/* ---- options.c: an engine's parameters, and its compiler options --------------------------------------- */

/* Does the variant take the known parameter? */
bool clf_variant_takes(const clf_primitive *primitive, const clf_variant *variant, const char *parameter);
/* Refuses parameters that the variant does not take, or, where that is NULL, no variant of the primitive. */
clf_status clf_check_taken(const clf_primitive *primitive, const clf_variant *variant, const clf_parameters *asked,
                           clf_error *error);
/* For clf_variant: kernels without local memory. */
cl_ulong clf_no_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items);
void clf_engine_class(const clf_engine *engine, char name[16]); /* the value's class in profiles */
/* Is it for CPUs? A group is then one work-item, which has its own tile, and no lanes. */
bool clf_variant_is_cpu(const clf_variant *variant);
bool clf_engine_is_cpu(const clf_engine *engine);
/* Sets the engine's parameters: the caller's (of those that it takes), else the profiles', else defaults. */
clf_status clf_engine_tune(clf_engine *engine, cl_uint role, const clf_parameters *asked, clf_error *error);
/* For clf_primitive.define: segments are rows (cl/segments/segment.cl). */
void clf_define_rows(const clf_engine *engine, clf_text *options);
/* Appends the compiler's options: among them the parameters that kernels read. */
void clf_engine_options(clf_text *text, const clf_engine *engine);

/* ---- engine.c: a variant with its parameters, compiled when it is first needed ---------------------------- */

/* Adds an engine to the plan. `asked`: the parameters of clf_plan_options. */
clf_status clf_engine_create(clf_plan *plan, cl_uint role, const clf_variant *variant, const clf_parameters *asked,
                             clf_error *error);
void clf_engine_free(clf_engine *engine); /* NULL is fine */
/* Compiles it, unless it is. Any thread may do so. */
clf_status clf_engine_compile(clf_engine *engine, clf_error *error);

#include "core/run.h"

#endif
