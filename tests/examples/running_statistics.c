/* SPDX-License-Identifier: MIT */
/*
 * Several operators in one pass: of a series, the running sum, minimum and maximum, and the largest drop from
 * an earlier peak, from one reading of it. Then the same four numbers of each of its days, by a reduction.
 */
#include "example.h"

/* A drop inside the left part, inside the right, or from the left's peak to the right's low. */
static const clf_operator drawdown = {
    .size = sizeof(clf_operator), .input = "int price;", .map = "single", .combine = "follow", .neutral = "nothing",
    .value = "int drop; int peak; int low;",
    .source = "clf_value nothing(void) { clf_value v = {0, -1000000, 1000000}; return v; }\n"
              "clf_value single(clf_input x, ulong day) { clf_value v = {0, x.price, x.price}; return v; }\n"
              "clf_value follow(clf_value a, clf_value b)\n"
              "{\n"
              "    clf_value v = {max(max(a.drop, b.drop), a.peak - b.low), max(a.peak, b.peak), min(a.low, b.low)};\n"
              "    return v;\n}\n"};

enum { DAYS = 50, DAY = 1440, N = DAYS * DAY, RESULTS = 6 }; /* sum, min, max, drop, peak, low */
static cl_int price[N], results[RESULTS][N];

/* What a plain loop finds, from each multiple of `length` on; `last`: results of whole stretches only. */
static int count_errors(int length, int last)
{
    int errors = 0, sum = 0, low = 0, high = 0, drop = 0;
    for (int i = 0; i < N; ++i) {
        const int first = i % length == 0, at = last ? i / length : i;
        sum = first ? price[i] : sum + price[i];
        low = first || price[i] < low ? price[i] : low;
        high = first || price[i] > high ? price[i] : high;
        drop = first ? 0 : high - price[i] > drop ? high - price[i] : drop;
        if (!last || (i + 1) % length == 0)
            errors += results[0][at] != sum || results[1][at] != low || results[2][at] != high ||
                      results[3][at] != drop;
    }
    return errors;
}

static void read_results(const example *x, const clf_array *out, size_t count)
{
    for (int r = 0; r < RESULTS; ++r)
        example_read(x, out[r], count * sizeof results[r][0], results[r]);
}

int main(void)
{
    example x = example_open();
    clf_operator *joined;
    clf_plan *scan, *reduce;
    const clf_operator *const list[] = {clf_builtin(CLF_SUM, CLF_INT), clf_builtin(CLF_MIN, CLF_INT),
                                        clf_builtin(CLF_MAX, CLF_INT), &drawdown};
    check(clf_operator_join(4, list, &joined, &x.error), "clf_operator_join", &x.error);
    printf("results: %s\n", joined->value);
    check(clf_scan_plan(x.context, joined, 0, NULL, &scan, &x.error), "clf_scan_plan", &x.error);
    check(clf_reduce_plan(x.context, joined, 0, NULL, &reduce, &x.error), "clf_reduce_plan", &x.error);
    check(clf_operator_release(joined), "clf_operator_release", NULL);

    for (int i = 1; i < N; ++i)
        price[i] = price[i - 1] + rand() % 11 - 5;
    const clf_array in = example_array(&x, sizeof price, price);
    clf_array out[RESULTS];
    for (int r = 0; r < RESULTS; ++r)
        out[r] = example_array(&x, sizeof price, NULL);
    check(clf_scan(scan, CLF_ON_ARRAYS(x.queue, in, out), N, &in, out), "clf_scan", NULL);
    read_results(&x, out, N);
    printf("largest drop so far: %d\n", results[3][N - 1]);
    int errors = count_errors(N, 0);
    check(clf_segmented_reduce(reduce, CLF_ON_ARRAYS(x.queue, in, out), DAYS, DAY, &in, out), "clf_segmented_reduce",
          NULL);
    read_results(&x, out, DAYS);
    errors += count_errors(DAY, 1);
    printf("%d errors\n", errors);

    example_release(&in, 1);
    example_release(out, RESULTS);
    clf_plan_release(scan);
    clf_plan_release(reduce);
    example_close(&x);
    return errors != 0;
}
