/* SPDX-License-Identifier: MIT */
/*
 * Stream compaction and run lengths. Of readings with an array of flags beside them, the good ones, each with where it
 * was; then of the good ones the runs of equal readings, by where each starts. How many are good only the device knows:
 * the second call takes their number from where the first one leaves it, and the host waits once, at the end.
 */
#include "example.h"

enum { N = 100000 };

static const clf_operator good = {
    .size = sizeof good, .input = "int reading; uchar flag;", .value = "int reading; uint at;",
    .predicate = "is_good", .map = "listed",
    .source = "bool is_good(clf_input x, ulong i) { return x.flag != 0; }\n"
              "clf_value listed(clf_input x, ulong i) { return (clf_value){x.reading, (uint)i}; }\n"};

static const clf_operator runs = {
    .size = sizeof runs, .input = "int reading;", .value = "int reading; uint start;", .same = "equal", .map = "begin",
    .source = "bool equal(clf_input a, clf_input b) { return a.reading == b.reading; }\n"
              "clf_value begin(clf_input x, ulong i) { return (clf_value){x.reading, (uint)i}; }\n"};

typedef struct results {
    cl_ulong good, runs;
    cl_int reading[N];
    cl_uint start[N];
} results;

static void run(const cl_int *readings, const cl_uchar *flags, results *r)
{
    example x = example_open();
    clf_plan *keep_good, *find_runs;
    check(clf_filter_plan(x.context, &good, 0, NULL, &keep_good, &x.error), "clf_filter_plan", &x.error);
    check(clf_unique_plan(x.context, &runs, CLF_FROM_DEVICE, NULL, &find_runs, &x.error), "clf_unique_plan", &x.error);

    const clf_array in[] = {example_array(&x, N * sizeof *readings, readings), example_array(&x, N, flags)};
    const clf_array kept[] = {example_array(&x, sizeof r->reading, NULL), example_array(&x, sizeof r->start, NULL)};
    const clf_array out[] = {example_array(&x, sizeof r->reading, NULL), example_array(&x, sizeof r->start, NULL)};
    const clf_array kept_count = example_array(&x, sizeof r->good, NULL),
                    run_count = example_array(&x, sizeof r->runs, NULL);
    const clf_call of_kept = {.size = sizeof of_kept, .queue = x.queue, .actual = kept_count};
    check(clf_filter(keep_good, CLF_ON_ARRAYS(x.queue, in, kept), N, N, in, kept, &kept_count), "clf_filter", NULL);
    check(clf_unique(find_runs, &of_kept, N, N, kept, out, &run_count), "clf_unique", NULL);

    example_read(&x, kept_count, sizeof r->good, &r->good);
    example_read(&x, run_count, sizeof r->runs, &r->runs);
    example_read(&x, out[0], sizeof r->reading, r->reading);
    example_read(&x, out[1], sizeof r->start, r->start);
    example_release((const clf_array[]){in[0], in[1], kept[0], kept[1], out[0], out[1], kept_count, run_count}, 8);
    clf_plan_release(keep_good);
    clf_plan_release(find_runs);
    example_close(&x);
}

int main(void)
{
    static cl_int readings[N];
    static cl_uchar flags[N];
    static results got;
    cl_ulong kept = 0, found = 0;
    cl_uint state = 1;
    int errors = 0, last = 0;
    for (size_t i = 0; i < N; ++i) {
        state = state * 1664525u + 1013904223u;
        readings[i] = (cl_int)(i / 100 % 7 + (state >> 30));
        flags[i] = (state >> 16) % 3 != 0;
    }
    run(readings, flags, &got);
    for (size_t i = 0; i < N; ++i) {
        if (!flags[i])
            continue;
        if (kept == 0 || readings[i] != last) {
            errors += got.reading[found] != readings[i] || got.start[found] != kept;
            ++found;
        }
        last = readings[i];
        ++kept;
    }
    errors += got.good != kept || got.runs != found;
    printf("%d readings, %lu good ones in %lu runs\n%d errors\n", N, (unsigned long)got.good, (unsigned long)got.runs,
           errors);
    return errors != 0;
}
