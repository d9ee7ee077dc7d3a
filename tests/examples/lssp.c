/* SPDX-License-Identifier: MIT */
/*
 * Longest satisfying segment: here the longest sorted streak so far, of a series and of each row of a table
 * (Clausen 2021, B.1). `left` and `right` are the streaks that touch the ends; `all` counts the elements.
 */
#include "example.h"

static const clf_operator lssp = {
    .size = sizeof(clf_operator), .combine = "join", .neutral = "none", .map = "one", .input = "int x;",
    .value = "int best; int left; int right; int all; int first; int last;",
    .source = "clf_value none(void) { clf_value v = {0, 0, 0, 0, 0, 0}; return v; }\n"
              "clf_value one(clf_input in, ulong index) { clf_value v = {1, 1, 1, 1, in.x, in.x}; return v; }\n"
              "clf_value join(clf_value a, clf_value b)\n"
              "{\n"
              "    const bool sorted = a.all == 0 || b.all == 0 || a.last <= b.first;\n"
              "    clf_value v = {max(max(a.best, b.best), sorted ? a.right + b.left : 0),\n"
              "                   sorted && a.left == a.all ? a.all + b.left : a.left,\n"
              "                   sorted && b.right == b.all ? a.right + b.all : b.right,\n"
              "                   a.all + b.all, a.all ? a.first : b.first, b.all ? b.last : a.last};\n"
              "    return v;\n}\n"};

enum { ROWS = 100, COLUMNS = 10000, N = ROWS * COLUMNS, FIELDS = 6 };
static cl_int series[N], best[N];

/* Reads the results and counts those that differ from a plain loop's. */
static int count_errors(const example *x, clf_array results, int columns)
{
    int errors = 0;
    example_read(x, results, sizeof best, best);
    for (int i = 0, streak = 0, longest = 0; i < N; ++i) {
        streak = i % columns && series[i - 1] <= series[i] ? streak + 1 : 1;
        longest = i % columns && longest > streak ? longest : streak;
        errors += best[i] != longest;
    }
    printf("longest streak of the last %d: %d (%d errors)\n", columns, best[N - 1], errors);
    return errors;
}

int main(void)
{
    example x = example_open();
    clf_plan *scan, *scan_rows;
    check(clf_scan_plan(x.context, &lssp, 0, NULL, &scan, &x.error), "clf_scan_plan", &x.error);
    check(clf_segmented_scan_plan(x.context, &lssp, 0, NULL, &scan_rows, &x.error), "clf_segmented_scan_plan",
          &x.error);
    for (int i = 1; i < N; ++i)
        series[i] = rand() % 50 ? series[i - 1] + rand() % 3 : 0;
    const clf_array in = example_array(&x, sizeof series, series);
    clf_array out[FIELDS] = {example_array(&x, FIELDS * sizeof best, NULL)};
    for (int f = 1; f < FIELDS; ++f) /* one behind the other in one buffer */
        out[f] = (clf_array){out[0].buffer, (cl_ulong)f * N};
    check(clf_scan(scan, CLF_ON_ARRAYS(x.queue, in, out), N, &in, out), "clf_scan", NULL);
    int errors = count_errors(&x, out[0], N);
    check(clf_segmented_scan(scan_rows, CLF_ON_ARRAYS(x.queue, in, out), ROWS, COLUMNS, &in, out), "clf_segmented_scan",
          NULL);
    errors += count_errors(&x, out[0], COLUMNS);
    example_release((const clf_array[]){in, out[0]}, 2);
    clf_plan_release(scan);
    clf_plan_release(scan_rows);
    example_close(&x);
    return errors != 0;
}
