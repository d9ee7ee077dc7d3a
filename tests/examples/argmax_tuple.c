/* SPDX-License-Identifier: MIT */
/*
 * An operator of one's own on a tuple: the running maximum of a signal and where it was reached. A map makes the tuple
 * from each sample and its index, so that no array of indices is needed, and the operator keeps the left one of equals.
 */
#include "example.h"

static const char source[] =
    "clf_value lowest(void) { clf_value v = {-INFINITY, ULONG_MAX}; return v; }\n"
    "clf_value larger(clf_value a, clf_value b) { return b.peak > a.peak ? b : a; }\n"
    "clf_value with_index(clf_input x, ulong index) { clf_value v = {x.sample, index}; return v; }\n";

static const clf_operator running_peak = {
    .size = sizeof(clf_operator), .value = "float peak; ulong where;", .input = "float sample;",
    .source = source,
    .combine = "larger", .neutral = "lowest", .map = "with_index",
};

enum { N = 1000000 };
static float samples[N], peaks[N];
static cl_ulong where[N];

static void make_samples(void)
{
    unsigned state = 1;
    for (int i = 0; i < N; ++i) {
        state = state * 1664525u + 1013904223u;
        samples[i] = (float)(state >> 16) + (float)i / 50;
    }
}

static void scan(void)
{
    example x = example_open();
    clf_plan *plan;
    check(clf_scan_plan(x.context, &running_peak, 0, NULL, &plan, &x.error), "clf_scan_plan", &x.error);

    const clf_array in = example_array(&x, sizeof samples, samples);
    const clf_array out[] = {example_array(&x, sizeof peaks, NULL), example_array(&x, sizeof where, NULL)};
    check(clf_scan(plan, CLF_ON_ARRAYS(x.queue, in, out), N, &in, out), "clf_scan", NULL);

    example_read(&x, out[0], sizeof peaks, peaks);
    example_read(&x, out[1], sizeof where, where);
    example_release((const clf_array[]){in, out[0], out[1]}, 3);
    clf_plan_release(plan);
    example_close(&x);
}

/* How many results differ from those of a plain loop. */
static int count_errors(void)
{
    int errors = 0;
    for (int i = 0, best = 0; i < N; ++i) {
        best = samples[i] > samples[best] ? i : best;
        errors += peaks[i] != samples[best] || where[i] != (cl_ulong)best;
    }
    return errors;
}

int main(void)
{
    make_samples();
    scan();
    for (int i = 9; i < N; i = i * 10 + 9)
        printf("up to sample %6d: peak %.1f at %llu\n", i, peaks[i], (unsigned long long)where[i]);
    int errors = count_errors();
    printf("%d errors\n", errors);
    return errors != 0;
}
