/* SPDX-License-Identifier: MIT */
/*
 * clfold_distributed: clfold's primitives over the memory of several devices.
 *
 *     1. communicators      4. reduce, scan               7. sort                10. transpose
 *     2. transports         5. rows across members        8. reduce by index
 *     3. plans and calls    6. filter, rebalance          9. reduce by key, unique
 *
 * A communicator has members, each with a context of clfold and a queue: several devices of one process, or, by
 * clfold_mpi.h, a device in each process of MPI. An array is distributed: each member has a part of any length, 0 too,
 * and the whole is the parts in the order of members' ranks. Operators are those of clfold.h, any of them: operands are
 * never swapped, and a map's index counts through all members.
 *
 *     clf_comm_member members[] = {{context0, queue0}, {context1, queue1}};     two devices of this process
 *     clf_comm_create(2, members, NULL, &comm);
 *     clf_comm_scan_plan(comm, clf_builtin(CLF_SUM, CLF_FLOAT), 0, NULL, &plan, NULL);
 *     cl_ulong n[] = {n0, n1};
 *     clf_array in[] = {{buffer0, 0}, {buffer1, 0}};
 *     clf_comm_scan(plan, NULL, n, in, in);
 *
 * How every call behaves
 *   - All members take part: each process calls the same functions of a communicator in the same order, with the same
 *     operators, flags and sizes, and makes and releases communicators and plans alike. Parts and initial values are
 *     its own; initial values should be equal.
 *   - Calls block: when one returns, its results are there. They use the members' queues, behind what is in these.
 *   - Arguments that say something of each member are arrays over the members of this process, in the order of their
 *     ranks: n[l]; in[l * inputs + i], with as many inputs (fields of clf_input, then captured arrays) as the operator
 *     has, and out[l * outputs + o]. With MPI there is one member, and they look as in clfold.h. Captured arrays are
 *     each member's own: give all the same content, unless functions shall see something else on each.
 *   - Errors agree. All members return the same status: that of the member of least rank that has failed, which
 *     clf_comm_failed names. So nobody waits for a member that cannot go on, and the next call works. (But a process
 *     that ends, or calls something else, leaves the others waiting, as with MPI itself.) Outputs are then unspecified.
 *   - Thread safety: a communicator, with all its plans, is for one thread at a time. Different ones are independent.
 *   - Nothing is printed. Calls allocate memory of devices only where scratch, which a plan keeps, has to grow. What
 *     goes between devices goes through the host's memory, pinned and mapped once.
 */
#ifndef CLFOLD_DISTRIBUTED_H
#define CLFOLD_DISTRIBUTED_H

#include <clfold/clfold.h>

#if defined(_WIN32) && !defined(CLFOLD_STATIC)
#ifdef CLFOLD_DISTRIBUTED_BUILDING
#define CLF_COMM_API __declspec(dllexport)
#else
#define CLF_COMM_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define CLF_COMM_API __attribute__((visibility("default")))
#else
#define CLF_COMM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1. Communicators ---------------------------------------------------------------------------------- */

typedef struct clf_comm clf_comm;

/* A member of this process. The queue is of the context's device, and in order (else CLF_E_UNSUPPORTED). Both are
 * retained. Members may share contexts, devices and even queues. */
typedef struct clf_comm_member {
    clf_context *context;
    cl_command_queue queue;
} clf_comm_member;

typedef struct clf_comm_transport clf_comm_transport;

/*
 * Makes a communicator of `locals` members in this process, at most 64. Without a transport (NULL) these are all there
 * are. With one, which is copied, other processes have others; the communicator owns it if this succeeds.
 */
CLF_COMM_API clf_status clf_comm_create(cl_uint locals, const clf_comm_member *members,
                                        const clf_comm_transport *transport, clf_comm **comm);
CLF_COMM_API clf_status clf_comm_retain(clf_comm *comm);

/* Plans retain their communicator. */
CLF_COMM_API clf_status clf_comm_release(clf_comm *comm);

/* How many members there are; the rank of the first one in this process, and how many are here from it on. */
CLF_COMM_API cl_uint clf_comm_members(const clf_comm *comm);
CLF_COMM_API cl_uint clf_comm_first(const clf_comm *comm);
CLF_COMM_API cl_uint clf_comm_locals(const clf_comm *comm);

/* The rank of the member that the last failure is from. */
CLF_COMM_API cl_uint clf_comm_failed(const clf_comm *comm);

/*
 * For measuring: from now on, where a phase of a call ends in this process, `ended` is called with `self` and the
 * phase, behind all commands of the members here. NULL ends that. A phase may come more than once in a call, or not at
 * all; calls that fail may end without one. Such calls take some microseconds longer, as they wait between phases.
 */
typedef enum clf_comm_phase {
    CLF_COMM_LOCAL,   /* what members do with their own elements alone */
    CLF_COMM_BORDERS, /* what they find out together: where a sort cuts, which runs go on elsewhere */
    CLF_COMM_MOVE,    /* elements go from members to members */
    CLF_COMM_LAST,    /* what members do with what they got, and all that is left */
    CLF_COMM_PHASES
} clf_comm_phase;

CLF_COMM_API clf_status clf_comm_watch(clf_comm *comm, void (*ended)(void *self, clf_comm_phase phase), void *self);

/* ---- 2. Transports ------------------------------------------------------------------------------------- */

/*
 * How members in several processes exchange bytes of the host's memory; clfold_mpi.h has one. All processes call a
 * function together, and `first`, and how many members each has, tells who is who. A status other than 0 ends the call
 * of clfold with it, in this process: a transport that fails does so on all, or ends the program. So it
 * should allocate its memory in advance: clfold has reserved its own where communicators and plans were made.
 */
struct clf_comm_transport {
    size_t size;     /* sizeof(clf_comm_transport) */
    cl_uint members; /* of all processes */
    cl_uint first;   /* the rank of the first member in this one */
    void *self;      /* what the functions get */

    /* All-gather: `from` has `bytes` bytes of each member here, one behind the other; `to` gets those of all. */
    clf_status (*gather)(void *self, size_t bytes, const void *from, void *to);

    /* All-reduce: `from` has `count` numbers of each member here; `to` gets the sums over all members. */
    clf_status (*sum)(void *self, size_t count, const cl_ulong *from, cl_ulong *to);

    /* All-to-all: from[l] has what member l here sends, for all members one behind the other: sent[l * members + r]
     * bytes for member r. to[l] has room for what it gets, in the same order: got[l * members + r] bytes. None of these
     * numbers is more than 4 MiB. */
    clf_status (*exchange)(void *self, const void *const *from, const size_t *sent, void *const *to,
                           const size_t *got);

    /* NULL, or called when the communicator goes. */
    void (*release)(void *self);
};

/* ---- 3. Plans and calls -------------------------------------------------------------------------------- */

/*
 * A primitive, an operator and flags, compiled for the members' devices. Members with the same context share what is
 * compiled. As clf_…_plan functions do, those here take options and an error that may be NULL; if another process's
 * member has failed, the error's message says which. The options go to the steps that read the elements: for tuning.
 * Names that begin with distributed_ are clfold's in an operator's source and its lists of fields.
 */
typedef struct clf_comm_plan clf_comm_plan;
CLF_COMM_API clf_status clf_comm_plan_release(clf_comm_plan *plan);

/* Counts of results, where they depend on the data: this member's, those of all members before it, and all. */
typedef struct clf_comm_results {
    cl_ulong count, first, total;
} clf_comm_results;

/* ---- 4. Reduce and scan -------------------------------------------------------------------------------- */

/*
 * All elements of all members combined to one value, which every member gets: out has one element per field of the
 * value, and then extra outputs as in clf_reduce. `initial` is NULL or the fields of a value as in clf_call. No flags.
 *
 * Each member reduces its part; the values, some bytes each, are gathered, and combined on every device.
 */
CLF_COMM_API clf_status clf_comm_reduce_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                             const clf_plan_options *options, clf_comm_plan **plan, clf_error *error);
CLF_COMM_API clf_status clf_comm_reduce(clf_comm_plan *plan, const void *initial, const cl_ulong *n,
                                        const clf_array *in, const clf_array *out);

/*
 * A scan over all elements of all members; flags are 0 or CLF_EXCLUSIVE. Outputs are distributed as inputs are, and may
 * be in place as in clf_scan. Extra outputs are written once.
 *
 * Each member but the last reduces its part, and then scans it, beginning with what the members before it add up to,
 * which its device reads from its own memory. So elements are read twice and written once.
 */
CLF_COMM_API clf_status clf_comm_scan_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                           const clf_plan_options *options, clf_comm_plan **plan, clf_error *error);
CLF_COMM_API clf_status clf_comm_scan(clf_comm_plan *plan, const void *initial, const cl_ulong *n,
                                      const clf_array *in, const clf_array *out);

/* ---- 5. Rows across members ---------------------------------------------------------------------------- */

/*
 * Each row of `size` elements for itself, as in clf_segmented_scan. Rows may begin and end within any member's part,
 * and reach over several; but all elements are whole rows together (else CLF_E_ARGUMENT). Where members' parts are
 * whole rows nothing is read twice. c->clf_size is `size`, as in clf_segmented_scan.
 */
CLF_COMM_API clf_status clf_comm_segmented_scan_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                                     const clf_plan_options *options, clf_comm_plan **plan,
                                                     clf_error *error);
CLF_COMM_API clf_status clf_comm_segmented_scan(clf_comm_plan *plan, const void *initial, cl_ulong size,
                                                const cl_ulong *n, const clf_array *in, const clf_array *out);

/*
 * The same, reduced. A row's result goes to the member that has its last element, in order: with first elements at
 * place f, a member of n elements has (f + n) / size - f / size results, so n / size + 1 is always room enough.
 * results[l], if not NULL, says how many, and which rows these are.
 */
CLF_COMM_API clf_status clf_comm_segmented_reduce_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                                       const clf_plan_options *options, clf_comm_plan **plan,
                                                       clf_error *error);
CLF_COMM_API clf_status clf_comm_segmented_reduce(clf_comm_plan *plan, const void *initial, cl_ulong size,
                                                  const cl_ulong *n, const clf_array *in, const clf_array *out,
                                                  clf_comm_results *results);

/*
 * Segments of any lengths need no function of their own: a scan by an operator on pairs of value and head (Blelloch
 * 1990) is a segmented one over all members, and clf_comm_reduce_by_key with `same` being !b.head reduces each segment:
 *
 *     clf_value add(clf_value a, clf_value b) { if (!b.head) b.v += a.v; b.head |= a.head; return b; }
 */

/* ---- 6. Filter and rebalance --------------------------------------------------------------------------- */

/*
 * A filter as clf_filter: kept elements stay with their member. room[l] is how many results a member has room for; NULL
 * says n[l]. results[l], if not NULL, says how many it has, and where they stand among all. `flags` is 0 or
 * CLF_IN_PLACE.
 */
CLF_COMM_API clf_status clf_comm_filter_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                             const clf_plan_options *options, clf_comm_plan **plan, clf_error *error);
CLF_COMM_API clf_status clf_comm_filter(clf_comm_plan *plan, const cl_ulong *n, const cl_ulong *room,
                                        const clf_array *in, const clf_array *out, clf_comm_results *results);

/*
 * Elements shared out anew, in their order: member l had n[l] of them, and gets wanted[l]; both add up to the same over
 * all members (else CLF_E_ARGUMENT). `fields` lists the fields of an element, as in clf_gather_plan. No output
 * overlaps an input of its member (CLF_E_ALIAS).
 *
 * Elements go in rounds through pinned memory: while one round is exchanged, devices read the next and write the last.
 */
CLF_COMM_API clf_status clf_comm_rebalance_plan(clf_comm *comm, const char *fields, clf_comm_plan **plan,
                                                clf_error *error);
CLF_COMM_API clf_status clf_comm_rebalance(clf_comm_plan *plan, const cl_ulong *n, const cl_ulong *wanted,
                                           const clf_array *in, const clf_array *out);

/* ---- 7. Sort ------------------------------------------------------------------------------------------- */

/*
 * A stable sort of all elements by a key, as clf_sort; flags are CLF_DESCENDING and CLF_TOTAL_ORDER. Every member gets
 * as many elements as it had: n[l]. Equal elements are in the order of members' ranks, and within one in its own. out
 * may be in place, as in clf_sort.
 *
 * Each member sorts its part. Where its elements belong is found by a histogram sort (Kalé and Krishnan 1993; Solomonik
 * and Kalé 2010) down to exact places: members count their keys below up to 4096 probes a round, some 4 rounds for keys
 * of 32 bits and 8 for 64 among few members. Keys count as (key, rank, index), so that no data, equal keys included,
 * make one member's share larger. Then elements move, as in a rebalance, and are sorted again. Scratch is as much as
 * the member's values, 4 or 8 bytes an element for keys, and that of clf_sort. A plan keeps, and its communicator with
 * it, 24 bytes × members² of the host's memory in each process: sorts are for up to some thousand members (24 MB for
 * 1000 of them, 2.4 GB for 10 000; what the search costs by a model: bench/distributed/README.md).
 */
CLF_COMM_API clf_status clf_comm_sort_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                           const clf_plan_options *options, clf_comm_plan **plan, clf_error *error);
CLF_COMM_API clf_status clf_comm_sort(clf_comm_plan *plan, const cl_ulong *n, const clf_array *in,
                                      const clf_array *out);

/* ---- 8. Reduce by index -------------------------------------------------------------------------------- */

/*
 * A histogram of all members' elements with any operator, as clf_reduce_by_index: every member gets all `bins` results.
 * flags is 0 or CLF_ORDERED. A bin's values are combined in the order of ranks; within a member, in order unless the
 * operator is CLF_COMMUTATIVE.
 *
 * Each member its own; then bins are shared out, each member combines everyone's values of its bins, and all get all
 * (reduce-scatter and all-gather). Scratch is three times the bins.
 */
CLF_COMM_API clf_status clf_comm_reduce_by_index_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                                      const clf_plan_options *options, clf_comm_plan **plan,
                                                      clf_error *error);
CLF_COMM_API clf_status clf_comm_reduce_by_index(clf_comm_plan *plan, cl_ulong bins, const cl_ulong *n,
                                                 const clf_array *in, const clf_array *out);

/* ---- 9. Reduce by key, unique -------------------------------------------------------------------------- */

/*
 * Reductions of runs, and first elements of runs, as clf_reduce_by_key and clf_unique do them; runs may reach over
 * several members. A run's result goes to the member where it begins, with the extra outputs of its first element. out
 * has room for n[l] results, however few come of it. results[l], if not NULL, says how many, and where they stand among
 * all. No flags.
 *
 * First and last elements of all members are gathered, and compared by the operator's `same`; then the values of runs
 * that reach over borders are, and combined where they belong.
 */
CLF_COMM_API clf_status clf_comm_reduce_by_key_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                                    const clf_plan_options *options, clf_comm_plan **plan,
                                                    clf_error *error);
CLF_COMM_API clf_status clf_comm_reduce_by_key(clf_comm_plan *plan, const cl_ulong *n, const clf_array *in,
                                               const clf_array *out, clf_comm_results *results);
CLF_COMM_API clf_status clf_comm_unique_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                             const clf_plan_options *options, clf_comm_plan **plan,
                                             clf_error *error);
CLF_COMM_API clf_status clf_comm_unique(clf_comm_plan *plan, const cl_ulong *n, const clf_array *in,
                                        const clf_array *out, clf_comm_results *results);

/* ---- 10. Transpose ------------------------------------------------------------------------------------- */

/*
 * The transposition of a matrix of elements of 1 to 16 bytes that is distributed by rows: member l has rows[l] rows of
 * `columns` elements, and gets wanted[l] rows of the transposed matrix, each as long as there are rows in all. wanted
 * adds up to `columns` over all members (else CLF_E_ARGUMENT). No output overlaps an input. Scratch is as much as the
 * member's input and its output.
 */
CLF_COMM_API clf_status clf_comm_transpose_plan(clf_comm *comm, size_t element_bytes, const clf_plan_options *options,
                                                clf_comm_plan **plan, clf_error *error);
CLF_COMM_API clf_status clf_comm_transpose(clf_comm_plan *plan, cl_ulong columns, const cl_ulong *rows,
                                           const cl_ulong *wanted, const clf_array *in, const clf_array *out);

#ifdef __cplusplus
}
#endif
#endif
