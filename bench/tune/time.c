/* SPDX-License-Identifier: MIT */
/*
 * Times of a point, in turns with those of the reference: both have the same minutes, and what else the machine does
 * falls on both. The ratio is that of the least times: what disturbs a machine only ever adds. Fewer turns for a point
 * that is far from the best.
 */
#include "tune/tune.h"

enum { ROUNDS = 7 };

static double batch_us(bench_call *call, unsigned calls)
{
    cl_command_queue queue = call->data->session->queue;
    const double begin = bench_seconds();
    for (unsigned i = 0; i < calls; ++i)
        bench_check(bench_enqueue(call, queue, NULL), call->data->primitive->name);
    bench_check(clFinish(queue), "clFinish");
    return (bench_seconds() - begin) / calls * 1e6;
}

/* Warms up, and finds how many calls are long enough. */
static unsigned calls_for(bench_call *call)
{
    const bench_effort *effort = &call->data->session->effort;
    batch_us(call, 1);
    const double one = batch_us(call, effort->calls) * 1e-6;
    const double calls = effort->seconds / (one > 1e-7 ? one : 1e-7) + 1;
    return one > effort->most ? 1 : calls > effort->calls ? (unsigned)calls : effort->calls;
}

/* Twice more than half as long again as the best so far? */
static bool is_far(const tune_row *row, const double *us, const double *reference_us)
{
    const double most = 1.5 * row->best;
    return most > 0 && us[0] > most * reference_us[0] && us[1] > most * reference_us[1];
}

void tune_time(bench_call *call, clf_plan *plan, tune_row *row)
{
    bench_call reference = *call;
    reference.plan = plan;
    const unsigned calls = calls_for(call), others = calls_for(&reference);
    double us[ROUNDS], reference_us[ROUNDS];
    unsigned rounds = 0;
    do {
        us[rounds] = batch_us(call, calls);
        reference_us[rounds] = batch_us(&reference, others);
        ++rounds;
    } while (rounds < ROUNDS && !(rounds == 2 && is_far(row, us, reference_us)));
    row->us = bench_median(us, rounds);
    bench_median(reference_us, rounds);
    row->us_min = us[0];
    row->us_spread = us[rounds - 1] - us[0];
    row->reference_us = reference_us[0];
    row->ratio = row->us_min / row->reference_us;
}
