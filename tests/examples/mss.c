/* SPDX-License-Identifier: MIT */
/*
 * Maximum segment sum, the largest sum of consecutive elements: by a scan of each row of a table so far, by reductions
 * of each row and of the whole table. The operator does not commute; its four sums are the best anywhere, the best that
 * touches the left or the right end, and all.
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
static cl_int changes[N], so_far[N], best[ROWS + 1]; /* the last: of everything */

/* Each field's results, one behind the other in one buffer. */
static void make_arrays(const example *x, cl_ulong n, clf_array out[FIELDS])
{
    out[0] = example_array(x, FIELDS * n * sizeof(cl_int), NULL);
    for (cl_ulong f = 1; f < FIELDS; ++f)
        out[f] = (clf_array){out[0].buffer, f * n};
}

static void scan_rows(example *x, clf_array in)
{
    clf_plan *plan;
    clf_array out[FIELDS];
    make_arrays(x, N, out);
    check(clf_segmented_scan_plan(x->context, &mss, 0, NULL, &plan, &x->error), "clf_segmented_scan_plan", &x->error);
    check(clf_segmented_scan(plan, CLF_ON_ARRAYS(x->queue, in, out), ROWS, COLUMNS, &in, out), "clf_segmented_scan",
          NULL);
    example_read(x, out[0], sizeof so_far, so_far);
    example_release(out, 1);
    clf_plan_release(plan);
}

static void reduce(example *x, clf_array in)
{
    clf_plan *plan;
    clf_array rows[FIELDS], whole[FIELDS]; /* whose results lie behind those of the rows */
    make_arrays(x, ROWS + 1, rows);
    for (int f = 0; f < FIELDS; ++f)
        whole[f] = (clf_array){rows[f].buffer, rows[f].offset + ROWS};
    check(clf_reduce_plan(x->context, &mss, 0, NULL, &plan, &x->error), "clf_reduce_plan", &x->error);
    check(clf_segmented_reduce(plan, CLF_ON_ARRAYS(x->queue, in, rows), ROWS, COLUMNS, &in, rows), "rows", NULL);
    check(clf_reduce(plan, CLF_ON_ARRAYS(x->queue, in, whole), N, &in, whole), "whole", NULL);
    example_read(x, rows[0], sizeof best, best);
    example_release(rows, 1);
    clf_plan_release(plan);
}

/* What differs from Kadane's algorithm. */
static int errors_in(const cl_int *x, int n, const cl_int *scanned, cl_int reduced)
{
    int errors = 0, most = 0;
    for (int i = 0, ending = 0; i < n; ++i) {
        ending = ending + x[i] > 0 ? ending + x[i] : 0;
        most = ending > most ? ending : most;
        errors += scanned && scanned[i] != most;
    }
    return errors + (reduced != most);
}

int main(void)
{
    example x = example_open();
    for (int i = 0; i < N; ++i)
        changes[i] = rand() % 201 - 100;
    const clf_array in = example_array(&x, sizeof changes, changes);
    scan_rows(&x, in);
    reduce(&x, in);
    int errors = errors_in(changes, N, NULL, best[ROWS]);
    for (int row = 0; row < ROWS; ++row)
        errors += errors_in(changes + row * COLUMNS, COLUMNS, so_far + row * COLUMNS, best[row]);
    printf("best of the first row: %d; of all: %d\n%d errors\n", best[0], best[ROWS], errors);
    example_release(&in, 1);
    example_close(&x);
    return errors != 0;
}
