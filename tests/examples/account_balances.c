/* SPDX-License-Identifier: MIT */
/*
 * Scan by key: a bank's bookings, sorted by account, become statements: after each booking the account's balance, and
 * the lowest one so far. Neighbours with equal account numbers make a segment; nobody counts or lists the accounts.
 */
#include "example.h"

static const char source[] =
    "clf_value nothing(void) { clf_value v = {0, LONG_MAX}; return v; }\n"
    "clf_value one_after_the_other(clf_value a, clf_value b)\n"
    "{\n"
    "    clf_value v = {a.balance + b.balance, min(a.lowest, add_sat(a.balance, b.lowest))};\n"
    "    return v;\n"
    "}\n"
    "clf_value booking(clf_input x, ulong index) { clf_value v = {x.cents, x.cents}; return v; }\n";

static const clf_operator statement = {
    .size = sizeof(clf_operator), .value = "long balance; long lowest;", .input = "int cents;",
    .source = source,
    .combine = "one_after_the_other", .neutral = "nothing", .map = "booking",
};

enum { N = 500000 };
static cl_uint accounts[N];
static cl_int cents[N];
static cl_long balances[N], lowest[N];

/* Most accounts have a few bookings, some have thousands. */
static void make_bookings(void)
{
    unsigned state = 1, left = 0;
    cl_uint account = 10000;
    for (int i = 0; i < N; ++i, --left) {
        state = state * 1664525u + 1013904223u;
        if (left == 0) {
            account += 1 + (state >> 20) % 9;
            left = (state >> 12) % 200 ? 1 + (state >> 8) % 12 : 5000;
        }
        accounts[i] = account;
        cents[i] = (cl_int)((state >> 10) % 200000) - 80000;
    }
}

static void make_statements(void)
{
    const clf_segmentation by_account = {.size = sizeof by_account, .by = CLF_BY_KEYS, .type = CLF_UINT};
    example x = example_open();
    clf_plan *plan;
    check(clf_irregular_scan_plan(x.context, &statement, &by_account, 0, NULL, &plan, &x.error),
          "clf_irregular_scan_plan", &x.error);

    const clf_array keys = example_array(&x, sizeof accounts, accounts), in = example_array(&x, sizeof cents, cents);
    const clf_array out[] = {example_array(&x, sizeof balances, NULL), example_array(&x, sizeof lowest, NULL)};
    check(clf_irregular_scan(plan, CLF_ON_ARRAYS(x.queue, in, out), N, 0, &keys, &in, out), "clf_irregular_scan", NULL);

    example_read(&x, out[0], sizeof balances, balances);
    example_read(&x, out[1], sizeof lowest, lowest);
    example_release((const clf_array[]){keys, in, out[0], out[1]}, 4);
    clf_plan_release(plan);
    example_close(&x);
}

/* How many results differ from those of a plain loop; *overdrawn: how many accounts ever were. */
static int count_errors(int *overdrawn)
{
    int errors = 0;
    cl_long balance = 0, least = 0;
    for (int i = 0; i < N; ++i) {
        const int first = i == 0 || accounts[i] != accounts[i - 1];
        const int last = i == N - 1 || accounts[i] != accounts[i + 1];
        balance = first ? cents[i] : balance + cents[i];
        least = first || balance < least ? balance : least;
        errors += balances[i] != balance || lowest[i] != least;
        *overdrawn += last && least < 0;
    }
    return errors;
}

int main(void)
{
    make_bookings();
    make_statements();
    for (int i = 0; i < 8; ++i)
        printf("account %u: %10.2f, balance %10.2f, lowest %10.2f\n", accounts[i], cents[i] / 100.0,
               (double)balances[i] / 100, (double)lowest[i] / 100);
    int overdrawn = 0, errors = count_errors(&overdrawn);
    printf("%d accounts were overdrawn; %d errors\n", overdrawn, errors);
    return errors != 0;
}
