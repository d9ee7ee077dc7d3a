/* SPDX-License-Identifier: MIT */
/*
 * clfold_distributed: clfold's primitives over the memory of several devices.
 *
 *     1. communicators      4. reduce, scan               7. sort                10. transpose
 *     2. transports         5. rows across members        8. reduce by index
 *     3. plans and calls    6. filter, rebalance          9. reduce by key, unique
 *
 * A communicator has members, each with a context of clfold and a queue: several devices of one process, or, by
 * clfold_mpi.h, a device in each process of MPI. An array is distributed: each member has a part of any length, 0
 * included. The whole array is the parts in the order of ranks. Any operator of clfold.h works: operands are never
 * swapped, and a map's index counts through all members.
 *
 *     clf_comm_member members[] = {{context0, queue0}, {context1, queue1}};     two devices of this process
 *     clf_comm_create(2, members, NULL, &comm);
 *     clf_comm_scan_plan(comm, clf_builtin(CLF_SUM, CLF_FLOAT), 0, NULL, &plan, NULL);
 *     cl_ulong n[] = {n0, n1};
 *     clf_array in[] = {{buffer0, 0}, {buffer1, 0}};
 *     clf_comm_scan(plan, NULL, n, in, in);
 *
 * How every call behaves
 *   - Calls are collective. Each process calls the same functions of a communicator in the same order, with the same
 *     operators, flags and sizes. It also makes and releases communicators and plans in the same order. Parts and
 *     initial values are its own; initial values should be equal.
 *   - Calls block: when one returns, its results are complete. They use the members' queues, after earlier commands.
 *   - Arguments per member are arrays over the members of this process, in the order of their ranks: n[l];
 *     in[l * inputs + i]; out[l * outputs + o]. Inputs are the fields of clf_input, then captured arrays. With MPI
 *     there is one member, and the arguments look as in clfold.h. Captured arrays are each member's own. Give all the
 *     same content, unless functions are to see something else on each.
 *   - Errors agree. All members return the same status: that of the failed member of least rank, which clf_comm_failed
 *     names. So no member waits for one that cannot continue, and the next call works. (As with MPI itself, a process
 *     that ends, or calls something else, leaves the others waiting.) After an error outputs are unspecified.
 *   - Thread safety: one thread at a time uses a communicator and its plans. Different ones are independent.
 *   - Nothing is printed. A plan's scratch stays allocated, and calls allocate device memory only to grow it. Data go
 *     between devices through the host's memory, pinned and mapped once.
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
 * Makes a communicator of `locals` members in this process, at most 64. Without a transport (NULL) there are no others.
 * With one, which is copied, other processes have more members; on success the communicator owns it.
 */
CLF_COMM_API clf_status clf_comm_create(cl_uint locals, const clf_comm_member *members,
                                        const clf_comm_transport *transport, clf_comm **comm);
CLF_COMM_API clf_status clf_comm_retain(clf_comm *comm);

/* Plans retain their communicator. */
CLF_COMM_API clf_status clf_comm_release(clf_comm *comm);

/* The number of all members; the rank of the first one in this process; the number of members in this process. */
CLF_COMM_API cl_uint clf_comm_members(const clf_comm *comm);
CLF_COMM_API cl_uint clf_comm_first(const clf_comm *comm);
CLF_COMM_API cl_uint clf_comm_locals(const clf_comm *comm);

/* The rank of the member that failed last. */
CLF_COMM_API cl_uint clf_comm_failed(const clf_comm *comm);

/*
 * For measuring: calls `ended` with `self` and the phase whenever a phase of a call ends in this process, after all
 * commands of its members. NULL turns that off. A phase may come more than once in a call, or not at all. A call that
 * fails may end without one. Such calls take some microseconds longer, as they wait between phases.
 */
typedef enum clf_comm_phase {
    CLF_COMM_LOCAL,   /* each member's work on its own elements */
    CLF_COMM_BORDERS, /* joint decisions: where a sort cuts, which runs cross members */
    CLF_COMM_MOVE,    /* elements go from member to member */
    CLF_COMM_LAST,    /* work on received elements, and the rest */
    CLF_COMM_PHASES
} clf_comm_phase;

CLF_COMM_API clf_status clf_comm_watch(clf_comm *comm, void (*ended)(void *self, clf_comm_phase phase), void *self);

/* ---- 2. Transports ------------------------------------------------------------------------------------- */

/*
 * How members in several processes exchange bytes of the host's memory; clfold_mpi.h has one transport. All processes
 * call a function together. `first` and the number of local members identify a process. A status other than 0 ends the
 * call of clfold in this process, which returns it. So a transport that fails must fail in all processes, or end the
 * program. It should allocate its memory in advance, as clfold does when communicators and plans are made.
 */
struct clf_comm_transport {
    size_t size;     /* sizeof(clf_comm_transport) */
    cl_uint members; /* of all processes */
    cl_uint first;   /* the rank of the first member in this one */
    void *self;      /* what the functions get */

    /* All-gather: `from` has `bytes` bytes of each local member, one after the other; `to` gets those of all. */
    clf_status (*gather)(void *self, size_t bytes, const void *from, void *to);

    /* All-reduce: `from` has `count` numbers of each local member; `to` gets the sums over all members. */
    clf_status (*sum)(void *self, size_t count, const cl_ulong *from, cl_ulong *to);

    /* All-to-all: from[l] has what local member l sends, to all members one after the other: sent[l * members + r]
     * bytes for member r. to[l] has room for what it receives, in the same order: got[l * members + r] bytes. None
     * of these numbers is more than 4 MiB. */
    clf_status (*exchange)(void *self, const void *const *from, const size_t *sent, void *const *to, const size_t *got);

    /* NULL, or called when the communicator is freed. */
    void (*release)(void *self);
};

/* ---- 3. Plans and calls -------------------------------------------------------------------------------- */

/*
 * A primitive, an operator and flags, compiled for the members' devices. Members with the same context share compiled
 * programs. As in clf_…_plan functions, options and error may be NULL. If a member of another process has failed, the
 * error's message says which. The options apply to the steps that read the elements, for tuning. Names that begin with
 * distributed_ are clfold's in an operator's source and its lists of fields.
 */
typedef struct clf_comm_plan clf_comm_plan; /* `*plan` is NULL where none could be made */
CLF_COMM_API clf_status clf_comm_plan_release(clf_comm_plan *plan);

/* Counts of results, where they depend on the data: this member's, those of all members before it, and all. */
typedef struct clf_comm_results {
    cl_ulong count, first, total;
} clf_comm_results;

/* ---- 4. Reduce and scan -------------------------------------------------------------------------------- */

/*
 * Combines all elements of all members to one value, which every member gets. `out` has one element per field of the
 * value, then extra outputs as in clf_reduce. `initial` is NULL or the fields of a value as in clf_call. No flags.
 *
 * Each member reduces its part. The values, a few bytes each, are gathered, and combined on every device.
 */
CLF_COMM_API clf_status clf_comm_reduce_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                             const clf_plan_options *options, clf_comm_plan **plan, clf_error *error);
CLF_COMM_API clf_status clf_comm_reduce(clf_comm_plan *plan, const void *initial, const cl_ulong *n,
                                        const clf_array *in, const clf_array *out);

/*
 * A scan over all elements of all members; flags are 0 or CLF_EXCLUSIVE. Outputs are distributed as inputs are, and may
 * be in place as in clf_scan. Extra outputs are written once.
 *
 * Each member but the last reduces its part. Each then scans its part, from the exclusive prefix of the members before
 * it, which its device reads from its own memory. So elements are read twice and written once.
 */
CLF_COMM_API clf_status clf_comm_scan_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                           const clf_plan_options *options, clf_comm_plan **plan, clf_error *error);
CLF_COMM_API clf_status clf_comm_scan(clf_comm_plan *plan, const void *initial, const cl_ulong *n, const clf_array *in,
                                      const clf_array *out);

/* ---- 5. Rows across members ---------------------------------------------------------------------------- */

/*
 * Scans each row of `size` elements by itself, as in clf_segmented_scan. Rows may begin and end within any member's
 * part, and span several. All elements together are whole rows (else CLF_E_ARGUMENT). Where members' parts are whole
 * rows nothing is read twice. c->clf_size is `size`, as in clf_segmented_scan.
 */
CLF_COMM_API clf_status clf_comm_segmented_scan_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                                     const clf_plan_options *options, clf_comm_plan **plan,
                                                     clf_error *error);
CLF_COMM_API clf_status clf_comm_segmented_scan(clf_comm_plan *plan, const void *initial, cl_ulong size,
                                                const cl_ulong *n, const clf_array *in, const clf_array *out);

/*
 * The same, reduced. A row's result goes to the member that has its last element, in order. A member of n elements, the
 * first at place f of all, has (f + n) / size - f / size results. So n / size + 1 is always enough room. results[l], if
 * not NULL, gets their number and their place among all rows.
 */
CLF_COMM_API clf_status clf_comm_segmented_reduce_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                                       const clf_plan_options *options, clf_comm_plan **plan,
                                                       clf_error *error);
CLF_COMM_API clf_status clf_comm_segmented_reduce(clf_comm_plan *plan, const void *initial, cl_ulong size,
                                                  const cl_ulong *n, const clf_array *in, const clf_array *out,
                                                  clf_comm_results *results);

/*
 * Segments of any lengths need no function of their own. A scan by an operator on pairs of value and head (Blelloch
 * 1990) is a segmented scan over all members. clf_comm_reduce_by_key with `same` being !b.head reduces each segment:
 *
 *     clf_value add(clf_value a, clf_value b) { if (!b.head) b.v += a.v; b.head |= a.head; return b; }
 */

/* ---- 6. Filter and rebalance --------------------------------------------------------------------------- */

/*
 * A filter as clf_filter: kept elements stay with their member. room[l] is a member's capacity for results; a NULL
 * `room` means n[l]. results[l], if not NULL, gets their number, and their place among all. `flags` is 0 or
 * CLF_IN_PLACE.
 */
CLF_COMM_API clf_status clf_comm_filter_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                             const clf_plan_options *options, clf_comm_plan **plan, clf_error *error);
CLF_COMM_API clf_status clf_comm_filter(clf_comm_plan *plan, const cl_ulong *n, const cl_ulong *room,
                                        const clf_array *in, const clf_array *out, clf_comm_results *results);

/*
 * Redistributes elements, in their order: member l had n[l] of them, and gets wanted[l]. Both have the same sum over
 * all members (else CLF_E_ARGUMENT). `fields` lists the fields of an element, as in clf_gather_plan. No output overlaps
 * an input of its member (CLF_E_ALIAS).
 *
 * Elements go in rounds through pinned memory. While one round is exchanged, devices read the next and write the last.
 */
CLF_COMM_API clf_status clf_comm_rebalance_plan(clf_comm *comm, const char *fields, clf_comm_plan **plan,
                                                clf_error *error);
CLF_COMM_API clf_status clf_comm_rebalance(clf_comm_plan *plan, const cl_ulong *n, const cl_ulong *wanted,
                                           const clf_array *in, const clf_array *out);

/* ---- 7. Sort ------------------------------------------------------------------------------------------- */

/*
 * A stable sort of all elements by a key, as clf_sort; flags are CLF_DESCENDING and CLF_TOTAL_ORDER. Every member gets
 * as many elements as it had: n[l]. Equal elements are in the order of ranks, and within a member in its own order.
 * `out` may be in place, as in clf_sort.
 *
 * Each member sorts its part. A histogram sort (Kalé and Krishnan 1993; Solomonik and Kalé 2010) then finds exact
 * splitters: members count their keys below up to 4096 probes a round. Among few members that takes some 4 rounds for
 * keys of 32 bits and 8 for 64. Keys compare as (key, rank, index), so that equal keys make no member's share larger.
 * Then elements move, as in a rebalance, and are sorted again.
 *
 * Scratch is as much as the member's values, 4 or 8 bytes an element for keys, and that of clf_sort. A plan and its
 * communicator allocate 24 bytes × members² of host memory in each process: 24 MB for 1000 members, 2.4 GB for 10 000.
 * So sorts are for up to some thousand members. bench/distributed/README.md has a model of the search's cost.
 */
CLF_COMM_API clf_status clf_comm_sort_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                           const clf_plan_options *options, clf_comm_plan **plan, clf_error *error);
CLF_COMM_API clf_status clf_comm_sort(clf_comm_plan *plan, const cl_ulong *n, const clf_array *in,
                                      const clf_array *out);

/* ---- 8. Reduce by index -------------------------------------------------------------------------------- */

/*
 * A histogram of all members' elements with any operator, as clf_reduce_by_index: every member gets all `bins` results.
 * Flags are 0 or CLF_ORDERED. A bin's values are combined in the order of ranks; within a member, in order unless the
 * operator is CLF_COMMUTATIVE.
 *
 * Each member first makes its own histogram. Each then combines all members' values of its share of the bins, and all
 * get all results (reduce-scatter and all-gather). Scratch is three times the bins.
 */
CLF_COMM_API clf_status clf_comm_reduce_by_index_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                                      const clf_plan_options *options, clf_comm_plan **plan,
                                                      clf_error *error);
CLF_COMM_API clf_status clf_comm_reduce_by_index(clf_comm_plan *plan, cl_ulong bins, const cl_ulong *n,
                                                 const clf_array *in, const clf_array *out);

/* ---- 9. Reduce by key, unique -------------------------------------------------------------------------- */

/*
 * Reductions of runs, and first elements of runs, as in clf_reduce_by_key and clf_unique; runs may span several
 * members. A run's result goes to the member where it begins, with the extra outputs of its first element. `out` has
 * room for n[l] results, however few there are. results[l], if not NULL, gets their number, and their place among all.
 * No flags.
 *
 * First and last elements of all members are gathered, and compared by the operator's `same`. Then the aggregates of
 * runs that cross borders are gathered, and combined at the run's member.
 */
CLF_COMM_API clf_status clf_comm_reduce_by_key_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                                    const clf_plan_options *options, clf_comm_plan **plan,
                                                    clf_error *error);
CLF_COMM_API clf_status clf_comm_reduce_by_key(clf_comm_plan *plan, const cl_ulong *n, const clf_array *in,
                                               const clf_array *out, clf_comm_results *results);
CLF_COMM_API clf_status clf_comm_unique_plan(clf_comm *comm, const clf_operator *op, unsigned flags,
                                             const clf_plan_options *options, clf_comm_plan **plan, clf_error *error);
CLF_COMM_API clf_status clf_comm_unique(clf_comm_plan *plan, const cl_ulong *n, const clf_array *in,
                                        const clf_array *out, clf_comm_results *results);

/* ---- 10. Transpose ------------------------------------------------------------------------------------- */

/*
 * Transposes a matrix of elements of 1 to 16 bytes that is distributed by rows. Member l has rows[l] rows of `columns`
 * elements. It gets wanted[l] rows of the transposed matrix, each as long as the number of all rows. wanted adds up to
 * `columns` over all members (else CLF_E_ARGUMENT). No output overlaps an input. Scratch is as much as the member's
 * input and its output.
 */
CLF_COMM_API clf_status clf_comm_transpose_plan(clf_comm *comm, size_t element_bytes, const clf_plan_options *options,
                                                clf_comm_plan **plan, clf_error *error);
CLF_COMM_API clf_status clf_comm_transpose(clf_comm_plan *plan, cl_ulong columns, const cl_ulong *rows,
                                           const cl_ulong *wanted, const clf_array *in, const clf_array *out);

#ifdef __cplusplus
}
#endif
#endif
