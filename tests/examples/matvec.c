/* SPDX-License-Identifier: MIT */
/*
 * Matrix times vector: each row's sum of products. The matrix is the input, element by element; the vector is the
 * same for all rows, so the map captures it and finds its own element by the column.
 *
 *     matvec [ROWS COLUMNS]
 */
#include "example.h"

static const clf_operator product = {
    .size = sizeof(clf_operator), .value = "float sum;", .input = "float a;", .captured = "float x;",
    .source = "clf_value times(clf_input in, ulong index, const clf_captured *c)\n"
              "{\n"
              "    clf_value v = {in.a * c->x[(uint)index % (uint)c->clf_size]};\n"
              "    return v;\n"
              "}\n",
    .combine = "clf_sum", .map = "times", .flags = CLF_COMMUTATIVE};

/* sums = matrix * vector */
static void multiply(const float *matrix, const float *vector, float *sums, size_t rows, size_t columns)
{
    example x = example_open();
    clf_plan *plan;
    check(clf_reduce_plan(x.context, &product, 0, NULL, &plan, &x.error), "clf_reduce_plan", &x.error);

    const clf_array in[] = {example_array(&x, rows * columns * sizeof *matrix, matrix),
                            example_array(&x, columns * sizeof *vector, vector)}; /* the captured one comes last */
    const clf_array out = example_array(&x, rows * sizeof *sums, NULL);
    double from = 0;
    for (int time = 0; time < 2; ++time) { /* the first one compiles */
        from = example_time();
        check(clf_segmented_reduce(plan, CLF_ON_ARRAYS(x.queue, in, out), rows, columns, in, &out),
              "clf_segmented_reduce", NULL);
        check(clFinish(x.queue), "clFinish", NULL);
    }
    printf("[%zu][%zu] in %.0f us\n", rows, columns, example_time() - from);
    example_read(&x, out, rows * sizeof *sums, sums);

    example_release((const clf_array[]){in[0], in[1], out}, 3);
    clf_plan_release(plan);
    example_close(&x);
}

int main(int argc, char **argv)
{
    const size_t rows = argc > 2 ? (size_t)atoi(argv[1]) : 300, columns = argc > 2 ? (size_t)atoi(argv[2]) : 1003;
    const size_t n = rows * columns;
    float *a = malloc(n * sizeof *a), *x = malloc(columns * sizeof *x), *y = malloc(rows * sizeof *y);
    int errors = 0;
    if (n == 0 || n >= 0xffffffff || !a || !x || !y)
        return 1;
    for (size_t i = 0; i < n; ++i) /* small whole numbers: sums are exact */
        a[i] = (float)(i * 7 % 11) - 5;
    for (size_t i = 0; i < columns; ++i)
        x[i] = (float)(i % 13) - 6;
    multiply(a, x, y, rows, columns);
    for (size_t row = 0; row < rows; ++row) {
        float sum = 0;
        for (size_t column = 0; column < columns; ++column)
            sum += a[row * columns + column] * x[column];
        errors += y[row] != sum;
    }
    printf("first row %g, last row %g\n%d errors\n", y[0], y[rows - 1], errors);
    free(a);
    free(x);
    free(y);
    return errors != 0;
}
