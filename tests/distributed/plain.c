/* SPDX-License-Identifier: MIT */
/* Each primitive in its plainest form, by number. Elements are numbers of 32 bits, results are, too. */
#include "world.h"

static const clf_operator sums = {.size = sizeof(clf_operator), .value = "uint v;", .combine = "clf_sum"};
static const clf_operator keys = {.size = sizeof(clf_operator), .value = "uint v;"};
static const clf_operator all_of_them = {.size = sizeof(clf_operator),
                                         .value = "uint v;", .predicate = "yes",
                                         .source = "bool yes(clf_input x, ulong i) { return true; }"};
static const clf_operator lengths = {.size = sizeof(clf_operator),
                                     .input = "uint v;", .value = "uint n;", .map = "one", .combine = "clf_sum",
                                     .same = "same",
                                     .source = "clf_value one(clf_input x, ulong i) { clf_value v = {1}; return v; }\n"
                                               "bool same(clf_input a, clf_input b) { return a.v == b.v; }"};
static const clf_operator firsts = {.size = sizeof(clf_operator),
                                    .value = "uint v;", .same = "same",
                                    .source = "bool same(clf_input a, clf_input b) { return a.v == b.v; }"};
static const clf_operator counts = {.size = sizeof(clf_operator),
                                    .input = "uint bin;", .value = "uint n;", .map = "one", .combine = "clf_sum",
                                    .source = "clf_value one(clf_input x, ulong i) { clf_value v = {1}; return v; }"};

enum { BINS = 300, COLUMNS = 10 };

clf_status plain_plan(clf_comm *comm, int primitive, clf_comm_plan **plan)
{
    switch (primitive) {
    case 0: return clf_comm_reduce_plan(comm, &sums, 0, NULL, plan, NULL);
    case 1: return clf_comm_scan_plan(comm, &sums, 0, NULL, plan, NULL);
    case 2: return clf_comm_segmented_scan_plan(comm, &sums, 0, NULL, plan, NULL);
    case 3: return clf_comm_segmented_reduce_plan(comm, &sums, 0, NULL, plan, NULL);
    case 4: return clf_comm_sort_plan(comm, &keys, 0, NULL, plan, NULL);
    case 5: return clf_comm_filter_plan(comm, &all_of_them, 0, NULL, plan, NULL);
    case 6: return clf_comm_rebalance_plan(comm, "uint v;", plan, NULL);
    case 7: return clf_comm_reduce_by_key_plan(comm, &lengths, 0, NULL, plan, NULL);
    case 8: return clf_comm_unique_plan(comm, &firsts, 0, NULL, plan, NULL);
    case 9: return clf_comm_reduce_by_index_plan(comm, &counts, 0, NULL, plan, NULL);
    default: return clf_comm_transpose_plan(comm, 4, NULL, plan, NULL);
    }
}

clf_status plain_call(clf_comm_plan *plan, int primitive, cl_uint members, const cl_ulong *n, const clf_array *in,
                      const clf_array *out)
{
    const cl_ulong row = 8 * members; /* which divides all elements, but not each member's */
    cl_ulong columns[MOST_MEMBERS], rows[MOST_MEMBERS];
    for (int i = 0; i < MOST_MEMBERS; ++i) {
        columns[i] = COLUMNS;
        rows[i] = n[0] / COLUMNS / members;
    }
    switch (primitive) {
    case 0: return clf_comm_reduce(plan, NULL, n, in, out);
    case 1: return clf_comm_scan(plan, NULL, n, in, out);
    case 2: return clf_comm_segmented_scan(plan, NULL, row, n, in, out);
    case 3: return clf_comm_segmented_reduce(plan, NULL, row, n, in, out, NULL);
    case 4: return clf_comm_sort(plan, n, in, out);
    case 5: return clf_comm_filter(plan, n, NULL, in, out, NULL);
    case 6: return clf_comm_rebalance(plan, n, n, in, out);
    case 7: return clf_comm_reduce_by_key(plan, n, in, out, NULL);
    case 8: return clf_comm_unique(plan, n, in, out, NULL);
    case 9: return clf_comm_reduce_by_index(plan, BINS, n, in, out);
    default: return clf_comm_transpose(plan, (cl_ulong)COLUMNS * members, rows, columns, in, out);
    }
}
