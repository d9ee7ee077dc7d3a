/* SPDX-License-Identifier: MIT */
/*
 * What the files of clfold_distributed offer each other. They include only the public headers of clfold.
 *
 *     text fields rewrite     strings · lists of fields · operators made into those that members need
 *     held                    the same: values that know whether an element has come
 *     block comm              device memory with its pinned twin · communicators, and where their members meet
 *     plan                    what all plans have: columns of values, plans of clfold, scratch
 *     move                    elements from all members to all, through pinned staging
 *     reduce scan segmented filter rebalance sort splitters reduce_by_index runs transpose    the primitives
 *
 * Every primitive alternates two phases. First all members here enqueue their work. Then all members meet: they share
 * records of some bytes, and learn whether a member has failed. A member that has failed only meets from then on.
 */
#ifndef CLFOLD_DISTRIBUTED_INTERNAL_H
#define CLFOLD_DISTRIBUTED_INTERNAL_H

#include <clfold/clfold_distributed.h>

#include <stdbool.h>
#include <stddef.h>

#define CLF_DIST_COUNT(array) (sizeof(array) / sizeof *(array))

static inline cl_ulong clf_dist_least(cl_ulong a, cl_ulong b)
{
    return a < b ? a : b;
}

static inline cl_ulong clf_dist_most(cl_ulong a, cl_ulong b)
{
    return a > b ? a : b;
}

/* ---- text ---------------------------------------------------------------------------------------------- */

/* A string that grows; `failed` stays if memory does not suffice. All zero at first. */
typedef struct clf_dist_text {
    char *begin;
    size_t length, room;
    bool failed;
} clf_dist_text;

void clf_dist_append(clf_dist_text *text, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Fills `error`, if there is one, and returns the status. */
clf_status clf_dist_fail(clf_error *error, clf_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* ---- fields -------------------------------------------------------------------------------------------- */

typedef struct clf_dist_field {
    char type[12], name[64];
    size_t bytes;
} clf_dist_field;

/* A list of fields; `packed` is what one value takes with its fields one behind the other. */
typedef struct clf_dist_fields {
    cl_uint count;
    size_t packed;
    clf_dist_field field[CLF_MAX_FIELDS];
} clf_dist_fields;

/* NULL is a list of no fields. */
clf_status clf_dist_parse(const char *text, const char *name, clf_dist_fields *fields, clf_error *error);

/* The type of a scalar: CLF_TYPE_COUNT if it is none. */
clf_type clf_dist_scalar(const char *name, size_t length);

/* ---- rewrite ------------------------------------------------------------------------------------------- */

/* How an operator changes: no map, where values are combined; no extra outputs; indices that count through all members.
 * For these a captured array has the index of the first element, and the length of segments. */
enum { CLF_DIST_NO_MAP = 1, CLF_DIST_NO_EXTRA = 2, CLF_DIST_INDEXED = 4 };

typedef struct clf_dist_operator {
    clf_operator op; /* its texts are the original's, or these */
    clf_dist_text source, captured, value, key;
} clf_dist_operator;

/* Has the operator functions that get an index? */
bool clf_dist_sees_index(const clf_operator *op);

/* A copy of this version, without what an older one lacks. */
clf_operator clf_dist_operator_whole(const clf_operator *op);
clf_status clf_dist_rewrite(const clf_operator *op, unsigned how, clf_dist_operator *made);

/* An operator whose map makes numbers of so many bits of values, in the order of a sort with these flags. */
clf_status clf_dist_key_codes(const clf_operator *op, unsigned flags, clf_dist_operator *made, cl_uint *bits,
                              clf_error *error);

/* Elementwise combination of several members' arrays, which are one captured array per field. Element i of the result
 * combines elements i, i + count, i + 2 count … */
clf_status clf_dist_columns_operator(const clf_operator *op, const clf_dist_fields *value, clf_dist_operator *made);

/*
 * Has the operator minima or maxima of floating types by the library? Without elements these are infinite, though NaN
 * is their neutral element. So results of members without elements must not be combined.
 */
bool clf_dist_has_extremes(const clf_operator *op, const clf_dist_fields *value);

/* The same operator with one more field: has an element come? Values without are left out. `held`: all fields. */
clf_status clf_dist_held_operator(const clf_operator *op, const clf_dist_fields *value, clf_dist_operator *made);
clf_status clf_dist_held_fields(const clf_dist_fields *value, clf_dist_fields *held);

/* The places of heads of runs, by the operator's `same`. */
clf_status clf_dist_heads_operator(const clf_operator *op, clf_dist_operator *made);

void clf_dist_operator_free(clf_dist_operator *made);

/* ---- block --------------------------------------------------------------------------------------------- */

/* Memory of a device and memory of the host of the same size, pinned, and mapped as long as it lives. */
typedef struct clf_dist_block {
    cl_mem device, pinned;
    char *host;
    size_t bytes;
} clf_dist_block;

/* One of both may be left out. */
clf_status clf_dist_block_make(clf_dist_block *block, cl_command_queue queue, size_t bytes, bool device, bool host);
void clf_dist_block_free(clf_dist_block *block, cl_command_queue queue);

/* Enqueues the copy of a range, to the device or to the host. */
typedef clf_status clf_dist_block_copy(const clf_dist_block *block, cl_command_queue queue, size_t at, size_t bytes);
clf_dist_block_copy clf_dist_block_write, clf_dist_block_read;

/* ---- comm ---------------------------------------------------------------------------------------------- */

/* Members that one process may have. */
enum { CLF_DIST_MOST_LOCALS = 64 };

/* A member that lives here. */
typedef struct clf_dist_local {
    clf_context *context;
    cl_command_queue queue;
    cl_uint rank;
    clf_status status;              /* of the call that is under way */
    cl_command_queue reader;        /* of moves: so that the device reads while it writes */
    clf_dist_block sent[2], got[2]; /* two, so that copies and exchanges overlap; in one process nothing is got */
    cl_event reading, written[2];   /* their commands that are under way */
} clf_dist_local;

struct clf_comm {
    cl_uint references, members, first, locals, failed;
    clf_comm_transport transport; /* without exchange if all members are here */
    clf_dist_local *local;        /* of `locals` */
    char *own, *all;              /* records of those here, and of all: status, then what the primitive says */
    size_t room;                  /* bytes of a record that they have room for */
    size_t bytes;                 /* bytes of the records of the last meeting, without the status */
    size_t *byte_counts;          /* of exchanges: [2][locals][members] */
    size_t chunk;                 /* bytes of staging; 0 as long as there is none */
    bool owns_transport;
    void (*ended)(void *self, clf_comm_phase phase); /* of phases, or NULL */
    void *watcher;
};

void clf_dist_in_process(cl_uint members, clf_comm_transport *transport);

/* Do this, unless the member has failed. */
#define CLF_DIST_DO(local, call) ((local)->status == CLF_SUCCESS ? ((local)->status = (call)) : (local)->status)

/* Makes room for records of so many bytes. Everyone calls it where plans are made. */
clf_status clf_dist_reserve(clf_comm *comm, size_t bytes);

/* Staging for moves. */
clf_status clf_dist_staging(clf_comm *comm);

/* Where a member here writes its record; where one finds the record of any. */
void *clf_dist_own(const clf_comm *comm, cl_uint l, size_t bytes);
const void *clf_dist_record(const clf_comm *comm, cl_uint rank);

/* A call begins: nobody has failed. */
void clf_dist_begin(clf_comm *comm);

/* All members here have failed, unless they have before. */
void clf_dist_fail_all(clf_comm *comm, clf_status status);

/* Shares records of so many bytes. If a member has failed, the status of the first one that has, for all. */
clf_status clf_dist_meet(clf_comm *comm, size_t bytes);

/* Waits for all commands, and meets once more, unless `status`, on which all agree already, is a failure. */
clf_status clf_dist_end(clf_comm *comm, clf_status status);

/* Refuses arguments before a call has begun, and tells the others; *plan is then NULL, if there is a plan. */
clf_status clf_dist_refuse(clf_comm *comm, clf_comm_plan **plan, clf_error *error);

/* Waits for the commands of the members here. */
void clf_dist_finish(clf_comm *comm);

/* A phase ends here, if somebody wants to know. */
void clf_dist_phase(clf_comm *comm, clf_comm_phase phase);

/* ---- plan ---------------------------------------------------------------------------------------------- */

enum clf_dist_kind {
    CLF_DIST_REDUCE,
    CLF_DIST_SCAN,
    CLF_DIST_SEGMENTED_SCAN,
    CLF_DIST_SEGMENTED_REDUCE,
    CLF_DIST_FILTER,
    CLF_DIST_REBALANCE,
    CLF_DIST_SORT,
    CLF_DIST_REDUCE_BY_INDEX,
    CLF_DIST_REDUCE_BY_KEY,
    CLF_DIST_UNIQUE,
    CLF_DIST_TRANSPOSE,
    CLF_DIST_BORDERS
};

/* The plans of clfold that a plan has of each member here. */
enum { CLF_DIST_STEPS = 6 };

/* Device memory that grows with calls. */
typedef struct clf_dist_scratch {
    cl_mem buffer;
    size_t bytes;
} clf_dist_scratch;

enum { CLF_DIST_SCRATCHES = 3 };

/* What a plan has of a member here. */
typedef struct clf_dist_site {
    clf_plan *step[CLF_DIST_STEPS];
    clf_dist_block small; /* three pairs (first index, size); a count; then columns of values, one per field */
    clf_dist_scratch scratch[CLF_DIST_SCRATCHES];
} clf_dist_site;

/* Where what lies in the small block, in bytes. */
enum { CLF_DIST_PAIRS = 3, CLF_DIST_COUNT_AT = 64, CLF_DIST_COLUMNS_AT = 128 };

struct clf_comm_plan {
    clf_comm *comm;
    enum clf_dist_kind kind;
    unsigned flags;
    clf_dist_fields value, input, extra, captured;
    bool indexed;            /* the last input of its maps is the pair of first index and size */
    clf_dist_fields columns; /* the fields that columns of the small block hold */
    cl_uint slots;           /* values that a column has room for */
    size_t column_at[CLF_MAX_FIELDS];
    clf_dist_site *site;
    cl_ulong *numbers;      /* of the host: two lists of offsets, and a route */
    cl_ulong *more;         /* whatever else the primitive counts */
    clf_comm_plan *borders; /* of runs: whether they go on from member to member */
    clf_dist_fields held;   /* of bins: the value's fields, and, where that matters, whether an element came */
    clf_dist_fields codes;  /* of sorts: keys as numbers, of so many bits */
    cl_uint code_bits;
};

/* In `numbers`: offsets of elements, of results, and the rest. */
static inline cl_ulong *clf_dist_numbers(const clf_comm_plan *plan, cl_uint list)
{
    return plan->numbers + list * (plan->comm->members + 1);
}

/* A new plan without steps. `op` may be NULL. Refuses flags that the kind has not. On failure nothing is left of it. */
clf_status clf_dist_plan_new(clf_comm *comm, const clf_operator *op, enum clf_dist_kind kind, unsigned flags,
                             clf_comm_plan **plan, clf_error *error);

/* Room in the small blocks for `slots` values of these fields. */
clf_status clf_dist_plan_columns(clf_comm_plan *plan, const clf_dist_fields *fields, cl_uint slots);

/* Makes one of a plan's steps for one member. */
typedef clf_status clf_dist_maker(clf_context *context, const clf_operator *op, unsigned flags,
                                  const clf_plan_options *options, clf_plan **plan, clf_error *error);

/* Makes a step for every member here; members with the same context share it. */
clf_status clf_dist_plan_step(clf_comm_plan *plan, cl_uint step, clf_dist_maker *make, const clf_operator *op,
                              unsigned flags, const clf_plan_options *options, clf_error *error);

/* The same, of the operator rewritten. */
clf_status clf_dist_plan_rewritten(clf_comm_plan *plan, cl_uint step, clf_dist_maker *make, const clf_operator *op,
                                   unsigned how, unsigned flags, const clf_plan_options *options, clf_error *error);

/* Such a step, and its number. */
typedef struct clf_dist_step {
    cl_uint step;
    clf_dist_maker *make;
    unsigned how, flags;
    const clf_plan_options *options;
} clf_dist_step;

/*
 * A plan of such steps, which all members learn of: with room for as many values as members and `slots` more, which
 * members share; or, if there are none, for one.
 */
clf_status clf_dist_plan_of(clf_comm *comm, const clf_operator *op, enum clf_dist_kind kind, unsigned flags,
                            cl_uint slots, const clf_dist_step *steps, size_t count, clf_comm_plan **plan,
                            clf_error *error);

/* All members learn whether all have made it. Without success there is no plan. */
clf_status clf_dist_plan_agree(clf_comm *comm, clf_comm_plan *plan, clf_status status, clf_comm_plan **made,
                               clf_error *error);

/* All members share how many elements they have, and a number that must be the same for all. If it is not, or if `n` is
 * NULL, that is CLF_E_ARGUMENT. `offsets` has members + 1 numbers: where each one's elements begin. */
clf_status clf_dist_offsets(clf_comm_plan *plan, const cl_ulong *n, cl_ulong same, cl_ulong *offsets);

/* A call of a plan begins: the offsets of elements, in the plan's first list of numbers. Refuses NULL, and a plan of
 * another kind. */
clf_status clf_dist_call(clf_comm_plan *plan, enum clf_dist_kind kind, const cl_ulong *n, cl_ulong same,
                         const clf_array *in, const clf_array *out);

/* What calls tell of results, of which members have so many each. Meets. */
clf_status clf_dist_results(clf_comm_plan *plan, const cl_ulong *counts, clf_comm_results *results);

/* Do arrays of n elements of `bytes`, and of m of `others`, overlap? */
bool clf_dist_overlap(clf_array a, cl_ulong n, size_t bytes, clf_array b, cl_ulong m, size_t others);

/* Where steps write a count, and the copy of that to the host. */
clf_array clf_dist_count_array(const clf_comm_plan *plan, cl_uint l);
clf_status clf_dist_count_read(clf_comm_plan *plan, cl_uint l);

/* Ends a call whose members have read counts: what it tells of results. */
clf_status clf_dist_counts(clf_comm_plan *plan, clf_comm_results *results);

/* Enqueues a pair of first index and size; the second, only if functions of the plan's operator want to know it. */
clf_status clf_dist_pair(clf_comm_plan *plan, cl_uint l, cl_uint pair, cl_ulong first, cl_ulong size);
clf_status clf_dist_place(clf_comm_plan *plan, cl_uint l, cl_uint pair, cl_ulong first, cl_ulong size);

/* The inputs of a step: the caller's from element `at` on, captured ones, and the pair. Returns how many. */
cl_uint clf_dist_inputs(const clf_comm_plan *plan, cl_uint l, const clf_array *in, cl_ulong at, cl_uint pair,
                        clf_array *made);

/* `count` arrays from element `at` on. */
void clf_dist_shift(cl_uint count, const clf_array *arrays, cl_ulong at, clf_array *made);

/* A slot of the columns as arrays. */
void clf_dist_slot(const clf_comm_plan *plan, cl_uint l, cl_uint slot, clf_array *made);

/* Enqueues copies of slots, to the host or to the device. */
clf_status clf_dist_slots_copy(clf_comm_plan *plan, cl_uint l, cl_uint slot, cl_uint count, clf_dist_block_copy *copy);

/* Packs a slot of the host's copy, and unpacks what was packed into one. */
void clf_dist_pack(const clf_comm_plan *plan, cl_uint l, cl_uint slot, void *packed);
void clf_dist_unpack(const clf_comm_plan *plan, cl_uint l, cl_uint slot, const void *packed);

/* Waits for what is enqueued, and shares a slot that has been read, behind `more` bytes of the records that the
 * primitive has written (by clf_dist_own with all bytes). */
clf_status clf_dist_slots_meet(clf_comm_plan *plan, cl_uint slot, size_t more);

/* The values of members begin to end, of a record of the last meeting, to slots from `begin` on. Members that have no
 * elements have no value: *count says how many have. */
clf_status clf_dist_slots_share(clf_comm_plan *plan, cl_uint l, cl_uint begin, cl_uint end, cl_uint *count);

/* Enqueues the combination of `count` slots, behind an initial value, by step `step`, a reduction. */
clf_status clf_dist_combine(clf_comm_plan *plan, cl_uint l, cl_uint step, cl_uint slot, cl_uint count,
                            const void *initial, const clf_array *out);

/* Device memory of at least so many bytes, as `count` arrays of n elements of these fields if `made` is not NULL. */
clf_status clf_dist_scratch_grow(clf_comm_plan *plan, cl_uint l, cl_uint which, size_t bytes);
clf_status clf_dist_scratch_fields(clf_comm_plan *plan, cl_uint l, cl_uint which, const clf_dist_fields *fields,
                                   cl_ulong n, clf_array *made);

/* ---- move ---------------------------------------------------------------------------------------------- */

/* Who sends what to whom: [locals][members] numbers of elements, and where they are from the arrays' first on. */
typedef struct clf_dist_route {
    cl_ulong *sent, *sent_at, *got, *got_at;
} clf_dist_route;

/* Parts of `numbers`, which has 4 * locals * members of them. */
clf_dist_route clf_dist_route_in(const clf_comm *comm, cl_ulong *numbers);

/* Element ranges that overlap: members hold [offsets[r], offsets[r + 1]) and get [wanted[r], wanted[r + 1]). */
void clf_dist_route_ranges(const clf_comm *comm, clf_dist_route *route, const cl_ulong *offsets,
                           const cl_ulong *wanted);

/* Moves them: `from` and `to` have arrays [locals][fields]. Meets before, and behind. */
clf_status clf_dist_move(clf_comm *comm, const clf_dist_route *route, const clf_dist_fields *fields,
                         const clf_array *from, const clf_array *to);

/* ---- splitters ----------------------------------------------------------------------------------------- */

/* Steps of sorts that count codes below probes, and those that are not above. */
enum { CLF_DIST_LOWER, CLF_DIST_UPPER, CLF_DIST_SORT_STEPS };

/* Memory of the host and of devices. */
clf_status clf_dist_splitters_make(clf_comm_plan *plan, clf_error *error);

/* Who gets what of the members' sorted elements, whose codes are given. Meets. */
clf_status clf_dist_splitters_find(clf_comm_plan *plan, const cl_ulong *n, const clf_array *codes,
                                   clf_dist_route *route);

/* ---- borders ------------------------------------------------------------------------------------------- */

/* On failure, too, *plan is to be released, if it is not NULL. */
clf_status clf_dist_borders_plan(clf_comm *comm, const clf_operator *op, clf_comm_plan **plan, clf_error *error);

/* joined[rank] says whether a member's first run goes on from before. Meets; that of `in` are the caller's inputs. */
clf_status clf_dist_borders_find(clf_comm_plan *plan, const cl_ulong *offsets, const clf_array *in, cl_ulong *joined);

#endif
