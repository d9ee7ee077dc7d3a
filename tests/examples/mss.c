/* SPDX-License-Identifier: MIT */
/*
 * Maximum segment sum so far, of each row of a table: the largest sum of consecutive elements. The operator does
 * not commute; its four sums are the best anywhere, the best that touches the left or the right end, and all.
 */
#include "example.h"

static const clf_operator mss = {
    .size = sizeof(clf_operator), .combine = "join", .neutral = "none", .map = "one", .input = "int change;",
    .value = "int best; int left; int right; int all;",
    .source = "clf_value none(void) { clf_value v = {0, 0, 0, 0}; return v; }\n"
              "clf_value one(clf_input x, ulong index)\n"
              "{\n"
              "    const int gain = max(x.change, 0);\n"
              "    clf_value v = {gain, gain, gain, x.change};\n"
              "    return v;\n}\n"
              "clf_value join(clf_value a, clf_value b)\n"
              "{\n"
              "    clf_value v = {max(max(a.best, b.best), a.right + b.left), max(a.left, a.all + b.left),\n"
              "                   max(b.right, a.right + b.all), a.all + b.all};\n"
              "    return v;\n}\n"};

enum { ROWS = 300, COLUMNS = 1441, N = ROWS * COLUMNS, FIELDS = 4 };
static cl_int changes[N], best[N];

/* How many results differ from those of Kadane's algorithm. */
static int count_errors(void)
{
    int errors = 0;
    for (int i = 0, ending = 0, most = 0; i < N; ++i) {
        ending = (i % COLUMNS ? ending : 0) + changes[i];
        ending = ending > 0 ? ending : 0;
        most = i % COLUMNS && most > ending ? most : ending;
        errors += best[i] != most;
    }
    return errors;
}

int main(void)
{
    example x = example_open();
    clf_plan *plan;
    check(clf_segmented_scan_plan(x.context, &mss, 0, NULL, &plan, &x.error), "clf_segmented_scan_plan", &x.error);
    for (int i = 0; i < N; ++i)
        changes[i] = rand() % 201 - 100;
    const clf_array in = example_array(&x, sizeof changes, changes);
    clf_array out[FIELDS] = {example_array(&x, FIELDS * sizeof best, NULL)};
    for (int f = 1; f < FIELDS; ++f) /* one behind the other in one buffer */
        out[f] = (clf_array){out[0].buffer, (cl_ulong)f * N};
    check(clf_segmented_scan(plan, CLF_ON_ARRAYS(x.queue, in, out), ROWS, COLUMNS, &in, out), "clf_segmented_scan",
          NULL);
    example_read(&x, out[0], sizeof best, best);
    const int errors = count_errors();
    printf("best of the first row: %d; of the last: %d\n%d errors\n", best[COLUMNS - 1], best[N - 1], errors);
    example_release((const clf_array[]){in, out[0]}, 2);
    clf_plan_release(plan);
    example_close(&x);
    return errors != 0;
}
