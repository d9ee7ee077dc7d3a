/* SPDX-License-Identifier: MIT */
/*
 * run: one call of a plan. A primitive's function `run` takes arrays from an arena and launches kernels. Where it runs
 * decides what comes of that: its scratch is measured, the call is rehearsed, or its commands are enqueued.
 */
#ifndef CLF_RUN_H
#define CLF_RUN_H

#include "core/core.h"

/* One call's work. A function of the public header fills it in, and so do calls of which it is a step. */
struct clf_task {
    cl_ulong batch, count, size; /* matrices; rows, or segments; elements of each, or columns */
    bool in_place;               /* some output takes the place of an input */
    bool packed;                 /* matrices: rows of small elements may be moved as whole words */
    bool counted;                /* a size on the device is the number of rows, not of elements */
    bool nothing;                /* set by `check`: there is nothing to do */
    cl_uint any;                 /* while scratch is measured: which kind of call of this size, by the primitive's own
                                  * numbers (its `worst` lists them); else 0 */
    cl_ulong entries;            /* length of the array that describes segments */
    cl_ulong most;               /* room: at most so many results */
    bool placed;                 /* the call is one for operators with `place` */
    cl_ulong replaced;           /* bit i: an output takes the place of input i */
    cl_ulong seed;
    const clf_plan *other;                               /* in a call of two plans: the second one */
    const clf_array *in, *out;                           /* of all fields, as the caller gave them */
    const clf_array *indices, *segments, *result, *told; /* further arrays; or NULL */
    const void *edges;                                   /* what is known of a captured array; or NULL */
    const void *initial;                                 /* as in clf_arguments: */
    clf_array given;
    cl_uint flags;
};

/* Where a run goes. */
typedef enum clf_sink {
    CLF_MEASURE,  /* arrays are counted; nothing is refused or compiled */
    CLF_REHEARSE, /* the same, and whatever can be refused is */
    CLF_ENQUEUE   /* arrays are taken, and commands enqueued */
} clf_sink;

/*
 * All arrays lie in the caller's scratch, one after the other. A step's arrays are given back after the step. Without
 * such scratch the pool lends a workspace, as large as the rehearsal counted. Messages then lie in workspaces of their
 * own, because these are not cleared from call to call (scratch.c).
 */
struct clf_run {
    clf_sink sink;
    bool pooled; /* there is no scratch of the caller's */
    clf_context *context;
    clf_chain *chain;         /* NULL where it is measured */
    clf_status status;        /* of the first array that could not be had: launches then fail with it */
    clf_array scratch;        /* in bytes */
    cl_ulong used, most;      /* bytes of arrays: now, and the most so far */
    cl_ulong needed;          /* bytes that the rehearsal counted */
    clf_workspace *workspace; /* where arrays are, if that is the pool's */
    clf_workspace *messages;  /* of this step, if it is the pool's */
    cl_uint tickets;          /* how far this step advances the ticket counter there */
};

/* The array, or none for NULL. */
static inline clf_array clf_array_of(const clf_array *array)
{
    return array ? *array : (clf_array){0};
}

/* ---- scratch.c: arrays ------------------------------------------------------------------------------- */

typedef enum clf_memory {
    CLF_PLAIN,   /* whatever is there */
    CLF_ZEROED,  /* zeros: a command of its own */
    CLF_MESSAGES /* zeros, and messages of earlier calls, whose epoch tells them apart */
} clf_memory;

/* Rounds a size up to 16 bytes, so that the next array is aligned. No device has CLF_SCRATCH_MOST: sums do not wrap. */
#define CLF_SCRATCH_MOST ((cl_ulong)1 << 48)
cl_ulong clf_scratch_round(cl_ulong bytes);
cl_ulong clf_scratch_for(cl_ulong count, cl_ulong each);
/* n elements of so many bytes each, PLAIN or ZEROED. After a failure launches fail. */
clf_array clf_run_array(clf_run *run, clf_memory kind, cl_ulong n, cl_uint bytes);
/* An array for each field, at whole cache lines. */
void clf_run_values(clf_run *run, const clf_fields *fields, cl_ulong n, clf_array *values);
/* What kernels get as `scratch`, PLAIN or MESSAGES; a step has one at a time. No bytes: nothing. */
void clf_run_scratch(clf_run *run, clf_memory kind, cl_ulong bytes, clf_arguments *arguments);
/* Its kernels take so many tickets, or CLF_TICKETS_UNKNOWN. */
void clf_run_tickets(clf_run *run, cl_ulong tickets);

/* ---- call.c: commands, steps ------------------------------------------------------------------------- */

/* Compiles the engine, unless it is. What its kernels get of the task. */
clf_status clf_run_begin(clf_run *run, clf_engine *engine, const clf_task *task, clf_arguments *arguments);
/* Launches a kernel of the engine, in groups of its size. */
clf_status clf_run_launch(clf_run *run, clf_engine *engine, cl_uint kernel, const clf_arguments *arguments,
                          cl_ulong groups);
clf_status clf_run_launch_flat(clf_run *run, clf_kernel_pool *pool, const clf_argument *arguments, cl_uint count,
                               cl_ulong groups, size_t group);
clf_status clf_run_copy(clf_run *run, const clf_array *from, const clf_array *to, cl_ulong n, cl_uint bytes);
clf_status clf_run_zero(clf_run *run, const clf_array *array, cl_ulong n, cl_uint bytes);
clf_status clf_run_write(clf_run *run, const clf_array *array, cl_ulong value); /* one ulong */
/* Refuses the call; but what is measured is then as large as it is. */
#define CLF_RUN_REFUSE(run, status, ...)                                                                               \
    ((run)->sink == CLF_MEASURE ? CLF_SUCCESS : clf_refuse((run)->chain->check, status, __VA_ARGS__))
/* Another plan's task, or this function's, as a step. */
typedef clf_status clf_run_function(const clf_plan *plan, clf_run *run, const clf_task *task);
clf_status clf_run_step(clf_run *run, const clf_plan *plan, const clf_task *task);
clf_status clf_run_part(clf_run *run, const clf_plan *plan, const clf_task *task, clf_run_function *function);
/* An engine alone: for clf_primitive.run. */
clf_status clf_run_engine(clf_run *run, clf_engine *engine, const clf_task *task);
/* Gives back the workspace of the whole run. */
void clf_run_end(clf_run *run, clf_status status);
/* Bytes of scratch that the task takes. */
cl_ulong clf_run_measure(const clf_plan *plan, const clf_task *task);

/* ---- call.c: whole calls ------------------------------------------------------------------------------- */

/* Is it a plan of this primitive? To callers all primitives of one name are one. `plan` may be NULL. */
bool clf_plan_is_of(const clf_plan *plan, const clf_primitive *of);
/* For clf_primitive.check: rows, with as many results as elements, which may take their places. */
clf_status clf_rows_check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task);
/* The call `name` of a plan of primitive `of`: checked, rehearsed, enqueued. */
clf_status clf_call_task(const clf_plan *plan, const clf_primitive *of, const char *name, const clf_call *call,
                         clf_task *task);
/* The same behind the check of the call's arguments, by a function in place of the primitive's. */
clf_status clf_call_run(clf_check *check, const clf_plan *plan, const clf_call *call, clf_run_function *function,
                        clf_task *task);

/* A call without work: an event after the wait list, if one is wanted. */
clf_status clf_call_nothing(clf_check *check, const clf_call *call);
/* Arrays of zero elements need not exist; kernels get null pointers for them. */
extern const clf_array clf_no_arrays[(CLF_MAX_SETS + 1) * CLF_MAX_FIELDS];
/* What a step reads that has no elements to read: captured arrays, for finish or key; none otherwise. */
const clf_array *clf_captured_alone(const clf_operator_copy *op, const clf_array *in, clf_array alone[]);

#endif
