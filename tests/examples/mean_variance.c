/* SPDX-License-Identifier: MIT */
/*
 * Mean and variance of each row, and with them a converted copy of the data: three results of one pass over the input.
 * The value is (count, mean, squared distance from the mean), combined as Chan, Golub and LeVeque (1979) do, which is
 * exact where sums of squares would cancel. The map also writes each sample as a whole number.
 */
#include "example.h"

#include <math.h>

static const char source[] =
    "clf_value none(void) { clf_value v = {0, 0, 0}; return v; }\n"
    "clf_value one(clf_input in, ulong index, clf_extra *extra)\n"
    "{\n"
    "    clf_value v = {1, in.sample, 0};\n"
    "    extra->rounded = (int)floor(in.sample + 0.5f);\n"
    "    return v;\n"
    "}\n"
    "clf_value merge(clf_value a, clf_value b)\n"
    "{\n"
    "    const float n = a.count + b.count, delta = b.mean - a.mean;\n"
    "    if (n == 0)\n"
    "        return a;\n"
    "    clf_value v = {n, a.mean + delta * (b.count / n), a.square + b.square + delta * "
    "delta * (a.count * b.count / n)};\n"
    "    return v;\n"
    "}\n";

static const clf_operator moments = {
    .size = sizeof(clf_operator), .value = "float count; float mean; float square;", .input = "float sample;",
    .extra = "int rounded;", .source = source, .combine = "merge", .neutral = "none", .map = "one"};

enum { ROWS = 700, COLUMNS = 1000, N = ROWS * COLUMNS };
static float samples[N], counts[ROWS], means[ROWS], squares[ROWS];
static cl_int rounded[N];

static void make_data(void)
{
    unsigned state = 1;
    for (int i = 0; i < N; ++i) {
        state = state * 1664525u + 1013904223u;
        samples[i] = 10000 + (float)(state >> 22) / 64 + (float)(i / COLUMNS);
    }
}

static void compute(void)
{
    example x = example_open();
    clf_plan *plan;
    check(clf_reduce_plan(x.context, &moments, 0, NULL, &plan, &x.error), "clf_reduce_plan", &x.error);

    const clf_array in = example_array(&x, sizeof samples, samples);
    const clf_array out[] = {example_array(&x, sizeof counts, NULL), example_array(&x, sizeof means, NULL),
                             example_array(&x, sizeof squares, NULL), example_array(&x, sizeof rounded, NULL)};
    check(clf_segmented_reduce(plan, CLF_ON_ARRAYS(x.queue, in, out), ROWS, COLUMNS, &in, out), "clf_segmented_reduce",
          NULL);
    example_read(&x, out[0], sizeof counts, counts);
    example_read(&x, out[1], sizeof means, means);
    example_read(&x, out[2], sizeof squares, squares);
    example_read(&x, out[3], sizeof rounded, rounded);
    printf("first row: mean %.4f, variance %.4f\n", means[0], squares[0] / counts[0]);

    example_release(&in, 1);
    example_release(out, 4);
    clf_plan_release(plan);
    example_close(&x);
}

/* Two passes in double precision. */
static int is_wrong(int row)
{
    double mean = 0, square = 0;
    for (int i = row * COLUMNS; i < (row + 1) * COLUMNS; ++i)
        mean += samples[i] / (double)COLUMNS;
    for (int i = row * COLUMNS; i < (row + 1) * COLUMNS; ++i)
        square += (samples[i] - mean) * (samples[i] - mean);
    return counts[row] != COLUMNS || fabs(means[row] - mean) > 0.01 || fabs(squares[row] / square - 1) > 0.01;
}

static int count_errors(void)
{
    int errors = 0;
    for (int row = 0; row < ROWS; ++row)
        errors += is_wrong(row);
    for (int i = 0; i < N; ++i)
        errors += rounded[i] != (cl_int)floorf(samples[i] + 0.5f);
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
