/* SPDX-License-Identifier: MIT */
/*
 * Sums of floats with less rounding, on devices without doubles, too: a value is two floats, the sum and what rounding
 * has lost of it. Beside it are a plain sum and one of doubles.
 *
 * Two-sum (Knuth; Møller) finds what an addition loses, exactly. With u = 2^-24 and h additions in the longest chain, a
 * plain sum is wrong by up to h u of the sum of all magnitudes, this one by about (h u)^2 of it (Ogita, Rump and Oishi
 * 2005, Sum2), before both floats are rounded to one.
 */
#include "example.h"

#include <math.h>

static const clf_operator two_floats = {
    .size = sizeof(clf_operator), .input = "float x;", .value = "float sum; float lost;", .map = "begin",
    .combine = "two_sum", .neutral = "nothing", .flags = CLF_COMMUTATIVE,
    .source = "clf_value nothing(void) { clf_value v = {0, 0}; return v; }\n"
              "clf_value begin(clf_input in, ulong i) { clf_value v = {in.x, 0}; return v; }\n"
              "clf_value two_sum(clf_value a, clf_value b)\n"
              "{\n"
              "    const float sum = a.sum + b.sum, of_b = sum - a.sum, of_a = sum - of_b;\n"
              "    clf_value v = {sum, (a.lost + b.lost) + ((a.sum - of_a) + (b.sum - of_b))};\n"
              "    return v;\n"
              "}\n"};
static const clf_operator doubles = {
    .size = sizeof(clf_operator), .input = "float x;", .value = "double sum;", .map = "widen", .combine = "clf_sum",
    .source = "clf_value widen(clf_input in, ulong i) { clf_value v = {in.x}; return v; }\n", .flags = CLF_COMMUTATIVE};

enum { N = 1 << 20, CHAIN = 4096 /* the longest chain of additions: N over some hundred work-items */ };
static float numbers[N], sums[N], lost[N], again[N];
static double magnitude; /* of all */

/* Numbers of many sizes with their opposites, in any order: the exact sum is 0. */
static void make_numbers(void)
{
    for (int i = 0; i < N; i += 2) {
        numbers[i] = ldexpf((float)(rand() % 4096) + (float)(rand() % 4096) / 4096, rand() % 40);
        numbers[i + 1] = -numbers[i];
        magnitude += 2.0 * numbers[i];
    }
    for (int i = N - 1; i > 0; --i) {
        const int other = (rand() % 1024 * 1024 + rand() % 1024) % (i + 1);
        const float moved = numbers[i];
        numbers[i] = numbers[other];
        numbers[other] = moved;
    }
}

/* Is the result further from 0 than the bound? Both are parts of the sum of magnitudes. */
static int is_wrong(const char *what, double result, double bound)
{
    const double error = fabs(result) / magnitude;
    printf("%-18s %8.1e, at most %8.1e\n", what, error, bound);
    return error > bound;
}

/* The sum of all numbers, as up to two floats or a double; 0: the device has no doubles. */
static int reduce(example *x, const clf_operator *op, size_t bytes, size_t fields, void *results)
{
    clf_plan *plan;
    const clf_status status = clf_reduce_plan(x->context, op, 0, NULL, &plan, &x->error);
    if (status == CLF_E_UNSUPPORTED)
        return 0;
    check(status, "clf_reduce_plan", &x->error);
    const clf_array in = example_array(x, sizeof numbers, numbers);
    const clf_array out[] = {example_array(x, bytes, NULL), example_array(x, bytes, NULL)};
    check(clf_reduce(plan, CLF_ON(x->queue), N, &in, out), "clf_reduce", NULL);
    for (size_t i = 0; i < fields; ++i)
        example_read(x, out[i], bytes, (char *)results + i * bytes);
    example_release(&in, 1);
    example_release(out, 2);
    clf_plan_release(plan);
    return 1;
}

/* Running totals; the same bits whenever it is called. */
static void scan(example *x, clf_plan *plan, float *totals, float *rests)
{
    const clf_array in = example_array(x, sizeof numbers, numbers);
    const clf_array out[] = {example_array(x, sizeof sums, NULL), example_array(x, sizeof lost, NULL)};
    check(clf_scan(plan, CLF_ON_ARRAYS(x->queue, in, out), N, &in, out), "clf_scan", NULL);
    example_read(x, out[0], sizeof sums, totals);
    example_read(x, out[1], sizeof lost, rests);
    example_release(&in, 1);
    example_release(out, 2);
}

int main(void)
{
    const double u = 1.0 / (1 << 24), chain = CHAIN * u;
    float plain, pair[2];
    double sum;
    clf_plan *plan;
    example x = example_open();
    make_numbers();

    reduce(&x, clf_builtin(CLF_SUM, CLF_FLOAT), sizeof plain, 1, &plain);
    reduce(&x, &two_floats, sizeof *pair, 2, pair);
    int errors = is_wrong("floats", plain, chain) + is_wrong("two floats", (double)pair[0] + pair[1], chain * chain);
    if (reduce(&x, &doubles, sizeof sum, 1, &sum))
        errors += is_wrong("doubles", sum, CHAIN * u * u / 32);

    check(clf_scan_plan(x.context, &two_floats, CLF_REPEATABLE, NULL, &plan, &x.error), "clf_scan_plan", &x.error);
    scan(&x, plan, again, lost);
    scan(&x, plan, sums, lost);
    for (int i = 0; i < N; ++i)
        errors += sums[i] != again[i];
    errors += is_wrong("two floats, a scan", (double)sums[N - 1] + lost[N - 1], chain * chain);
    printf("%d errors\n", errors);
    clf_plan_release(plan);
    example_close(&x);
    return errors != 0;
}
