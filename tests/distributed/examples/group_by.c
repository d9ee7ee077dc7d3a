/* SPDX-License-Identifier: MIT */
/*
 * GROUP BY over several devices: SELECT customer, SUM(amount), COUNT(*) … GROUP BY customer, of orders that lie on
 * three members as they came. Orders are sorted by customer, over all members; runs of a customer's orders, which may
 * reach over members, are summed; and the groups are shared out evenly.
 */
#include "example.h"

#include <clfold/clfold_distributed.h>

enum { MEMBERS = 3, ORDERS = 200000, CUSTOMERS = 1000 };

static const clf_operator orders = {.size = sizeof orders, .value = "uint customer; uint amount;"};

static const clf_operator groups = {
    .size = sizeof groups, .input = "uint customer; uint amount;", .value = "ulong sum; uint count;",
    .extra = "uint customer;", .map = "of", .combine = "clf_sum", .same = "same_customer",
    .source = "clf_value of(clf_input o, ulong i, clf_extra *e) {\n"
              "    e->customer = o.customer; clf_value v = {o.amount, 1}; return v; }\n"
              "bool same_customer(clf_input a, clf_input b) { return a.customer == b.customer; }",
};

/* Order number i of all: most customers have few orders, and some have very many. */
static cl_uint customer_of(cl_uint i)
{
    const cl_uint any = (i * 2654435761u) >> 16;
    return any % (1 + any % CUSTOMERS);
}

static cl_uint amount_of(cl_uint i)
{
    return 1 + i % 100;
}

/* A member's orders, [begin, begin + n) of all. */
static void load(const example *x, cl_uint begin, cl_uint n, clf_array *columns)
{
    cl_uint *numbers = malloc(n * sizeof *numbers);
    check(numbers ? CLF_SUCCESS : CLF_E_NO_MEMORY, "malloc", NULL);
    for (int column = 0; column < 2; ++column) {
        for (cl_uint i = 0; i < n; ++i)
            numbers[i] = column ? amount_of(begin + i) : customer_of(begin + i);
        columns[column] = example_array(x, n * sizeof *numbers, numbers);
    }
    free(numbers);
}

/* Are a member's groups what all orders say? */
static int right(const example *x, const clf_array *columns, cl_ulong n, const cl_ulong *sums, const cl_uint *counts)
{
    cl_ulong sum[CUSTOMERS];
    cl_uint count[CUSTOMERS], customer[CUSTOMERS];
    example_read(x, columns[0], n * sizeof *sum, sum);
    example_read(x, columns[1], n * sizeof *count, count);
    example_read(x, columns[2], n * sizeof *customer, customer);
    for (cl_ulong i = 0; i < n; ++i)
        if (sum[i] != sums[customer[i]] || count[i] != counts[customer[i]])
            return 0;
    return 1;
}

int main(void)
{
    static cl_ulong sums[CUSTOMERS];
    static cl_uint counts[CUSTOMERS];
    example x[MEMBERS];
    clf_comm_member members[MEMBERS];
    clf_array in[MEMBERS * 2], found[MEMBERS * 3], even[MEMBERS * 3];
    cl_ulong n[MEMBERS], have[MEMBERS], want[MEMBERS];
    clf_comm_results results[MEMBERS];
    clf_comm *comm;
    clf_comm_plan *sort, *group, *share;
    int good = 1;
    for (cl_uint i = 0; i < ORDERS; ++i) {
        sums[customer_of(i)] += amount_of(i);
        ++counts[customer_of(i)];
    }
    for (cl_uint l = 0; l < MEMBERS; ++l) {
        const cl_uint begin = ORDERS / MEMBERS * l;
        const size_t bytes[] = {sizeof(cl_ulong), sizeof(cl_uint), sizeof(cl_uint)};
        x[l] = example_open();
        members[l] = (clf_comm_member){x[l].context, x[l].queue};
        n[l] = (l + 1 == MEMBERS ? ORDERS : ORDERS / MEMBERS * (l + 1)) - begin;
        load(&x[l], begin, (cl_uint)n[l], in + 2 * l);
        for (int column = 0; column < 3; ++column) {
            found[3 * l + column] = example_array(&x[l], n[l] * bytes[column], NULL);
            even[3 * l + column] = example_array(&x[l], CUSTOMERS * bytes[column], NULL);
        }
    }
    check(clf_comm_create(MEMBERS, members, NULL, &comm), "clf_comm_create", NULL);
    check(clf_comm_sort_plan(comm, &orders, 0, NULL, &sort, &x[0].error), "sort", &x[0].error);
    check(clf_comm_reduce_by_key_plan(comm, &groups, 0, NULL, &group, &x[0].error), "groups", &x[0].error);
    check(clf_comm_rebalance_plan(comm, "ulong sum; uint count; uint customer;", &share, &x[0].error), "share",
          &x[0].error);

    check(clf_comm_sort(sort, n, in, in), "clf_comm_sort", NULL);
    check(clf_comm_reduce_by_key(group, n, in, found, results), "clf_comm_reduce_by_key", NULL);
    for (cl_uint l = 0; l < MEMBERS; ++l) {
        have[l] = results[l].count;
        want[l] = results[l].total * (l + 1) / MEMBERS - results[l].total * l / MEMBERS;
    }
    check(clf_comm_rebalance(share, have, want, found, even), "clf_comm_rebalance", NULL);

    cl_uint customers = 0;
    for (cl_uint c = 0; c < CUSTOMERS; ++c)
        customers += counts[c] != 0;
    for (cl_uint l = 0; l < MEMBERS; ++l) {
        printf("member %u made %llu groups, has %llu\n", l, (unsigned long long)have[l], (unsigned long long)want[l]);
        good = good && right(&x[l], even + 3 * l, want[l], sums, counts);
    }
    good = good && results[0].total == customers;
    clf_comm_plan_release(sort);
    clf_comm_plan_release(group);
    clf_comm_plan_release(share);
    clf_comm_release(comm);
    example_release(in, MEMBERS * 2);
    example_release(found, MEMBERS * 3);
    example_release(even, MEMBERS * 3);
    for (cl_uint l = 0; l < MEMBERS; ++l)
        example_close(&x[l]);
    return !good;
}
