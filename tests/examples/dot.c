/* SPDX-License-Identifier: MIT */
/*
 * The dot products of many pairs of vectors, and of the two arrays as a whole: a map of two inputs fused
 * before a sum, with nothing stored in between.
 */
#include "example.h"

#include <math.h>

static const clf_operator dot = {
    .size = sizeof(clf_operator), .value = "float sum;", .input = "float x; float y;",
    .source = "clf_value times(clf_input in, ulong index) { clf_value v = {in.x * in.y}; return v; }\n",
    .combine = "clf_sum", .map = "times", .flags = CLF_COMMUTATIVE};

enum { ROWS = 5000, COLUMNS = 100, N = ROWS * COLUMNS };
static float a[N], b[N], dots[ROWS + 1]; /* the last: of everything */

static void make_data(void)
{
    for (int i = 0; i < N; ++i) {
        a[i] = (float)(i % 17) - 8;
        b[i] = (float)(i % 23) / 16;
    }
}

static void compute(void)
{
    example x = example_open();
    clf_plan *plan;
    check(clf_reduce_plan(x.context, &dot, 0, NULL, &plan, &x.error), "clf_reduce_plan", &x.error);

    const clf_array in[] = {example_array(&x, sizeof a, a), example_array(&x, sizeof b, b)};
    const clf_array out = example_array(&x, sizeof dots, NULL), last = {out.buffer, ROWS};
    check(clf_segmented_reduce(plan, CLF_ON_ARRAYS(x.queue, in, out), ROWS, COLUMNS, in, &out), "rows", NULL);
    check(clf_reduce(plan, CLF_ON_ARRAYS(x.queue, in, last), N, in, &last), "all", NULL);
    example_read(&x, out, sizeof dots, dots);
    printf("first row %g, last row %g, all %g\n", dots[0], dots[ROWS - 1], dots[ROWS]);

    example_release((const clf_array[]){in[0], in[1], out}, 3);
    clf_plan_release(plan);
    example_close(&x);
}

static int is_wrong(float got, int first, int count)
{
    double sum = 0, magnitude = 0;
    for (int i = first; i < first + count; ++i) {
        sum += (double)a[i] * b[i];
        magnitude += fabs((double)a[i] * b[i]);
    }
    return fabs(got - sum) > 1e-6 * magnitude;
}

static int count_errors(void)
{
    int errors = is_wrong(dots[ROWS], 0, N);
    for (int row = 0; row < ROWS; ++row)
        errors += is_wrong(dots[row], row * COLUMNS, COLUMNS);
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
