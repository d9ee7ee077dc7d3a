/* SPDX-License-Identifier: MIT */
/*
 * Maximum segment sum: the largest sum of consecutive elements, of a whole series and of each of its
 * days. The operator, on four sums, does not commute: best anywhere, best that begins at the left end,
 * best that ends at the right end, all.
 */
#include "example.h"

static const char source[] =
    "clf_value none(void) { clf_value v = {0, 0, 0, 0}; return v; }\n"
    "clf_value one(clf_input x, ulong index)\n"
    "{\n"
    "    const int gain = max(x.change, 0);\n"
    "    clf_value v = {gain, gain, gain, x.change};\n"
    "    return v;\n"
    "}\n"
    "clf_value join(clf_value a, clf_value b)\n"
    "{\n"
    "    clf_value v;\n"
    "    v.best = max(max(a.best, b.best), a.right + b.left);\n"
    "    v.left = max(a.left, a.all + b.left);\n"
    "    v.right = max(b.right, a.right + b.all);\n"
    "    v.all = a.all + b.all;\n"
    "    return v;\n"
    "}\n";

static const clf_operator mss = {
    .size = sizeof(clf_operator), .value = "int best; int left; int right; int all;", .input = "int change;",
    .source = source, .combine = "join", .neutral = "none", .map = "one"};

enum { DAYS = 300, MINUTES = 1441, N = DAYS * MINUTES, FIELDS = 4 };
static cl_int changes[N], best[DAYS + 1]; /* the last: of everything */

static void make_data(void)
{
    unsigned state = 1;
    for (int i = 0; i < N; ++i) {
        state = state * 1664525u + 1013904223u;
        changes[i] = (int)(state >> 20) % 201 - 100;
    }
}

static void compute(void)
{
    example x = example_open();
    clf_plan *plan;
    check(clf_reduce_plan(x.context, &mss, 0, NULL, &plan, &x.error), "clf_reduce_plan", &x.error);

    const clf_array in = example_array(&x, sizeof changes, changes);
    clf_array days[FIELDS], whole[FIELDS]; /* whose results lie behind those of the days */
    for (int f = 0; f < FIELDS; ++f) {
        days[f] = example_array(&x, sizeof best, NULL);
        whole[f] = (clf_array){days[f].buffer, DAYS};
    }
    check(clf_segmented_reduce(plan, CLF_ON_ARRAYS(x.queue, in, days), DAYS, MINUTES, &in, days), "days", NULL);
    check(clf_reduce(plan, CLF_ON_ARRAYS(x.queue, in, whole), N, &in, whole), "whole", NULL);
    example_read(&x, days[0], sizeof best, best);
    printf("best stretch of all: %d; of the first day: %d\n", best[DAYS], best[0]);

    example_release(&in, 1);
    example_release(days, FIELDS);
    clf_plan_release(plan);
    example_close(&x);
}

/* Kadane's algorithm. */
static int best_of(const cl_int *x, int n)
{
    int most = 0, ending = 0;
    for (int i = 0; i < n; ++i) {
        ending = ending + x[i] > 0 ? ending + x[i] : 0;
        most = ending > most ? ending : most;
    }
    return most;
}

static int count_errors(void)
{
    int errors = best[DAYS] != best_of(changes, N);
    for (int day = 0; day < DAYS; ++day)
        errors += best[day] != best_of(changes + day * MINUTES, MINUTES);
    return errors;
}

int main(void)
{
    make_data();
    compute();
    int errors = count_errors();
    printf("%d errors\n", errors);
    return errors != 0;
}
