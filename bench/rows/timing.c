/* SPDX-License-Identifier: MIT */
/*
 * Wall time of a call when calls follow each other, which is how scans run in programs: batches of
 * back-to-back calls from idle to idle, each long enough that the clock and the final wait do not count; then
 * the median over batches. Some libraries take half a second for a shape they do not like: few calls will do.
 */
#include "rows/rows.h"

#include <stdlib.h>

static double batch_seconds(const bench_work *work, unsigned calls)
{
    double start = bench_seconds();
    for (unsigned i = 0; i < calls; ++i)
        work->call(work->state);
    work->wait(work->state);
    return bench_seconds() - start;
}

/* Warms up, and doubles the batch until it is long enough. *one gets about what a call takes. */
static unsigned batch_size(const bench_work *work, const bench_effort *effort, double *one)
{
    unsigned calls = 1;
    double seconds = batch_seconds(work, 1);
    if (seconds < effort->most)
        seconds = batch_seconds(work, 1);
    while (seconds * 2 < effort->seconds && calls < 1u << 20)
        seconds = batch_seconds(work, calls *= 2);
    *one = seconds / calls;
    if (seconds < effort->seconds)
        calls = (unsigned)(calls * effort->seconds / (seconds > 1e-9 ? seconds : 1e-9)) + 1;
    if (calls < effort->calls)
        calls = effort->calls;
    return calls * *one > effort->most ? (unsigned)(effort->most / *one) + 1 : calls;
}

bench_times bench_time(const bench_work *work, const bench_effort *effort)
{
    double one;
    if (effort->batches == 0)
        return (bench_times){0, 0};
    unsigned calls = batch_size(work, effort, &one), batches = effort->batches;
    if (one > effort->most)
        batches = 1;
    else if (one * 4 > effort->most && batches > 3)
        batches = 3;
    double *us = bench_alloc(batches * sizeof *us);
    for (unsigned i = 0; i < batches; ++i)
        us[i] = batch_seconds(work, calls) / calls * 1e6;
    bench_times times = {.us = bench_median(us, batches)};
    times.us_min = us[0];
    free(us);
    return times;
}
