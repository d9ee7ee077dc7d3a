/* SPDX-License-Identifier: MIT */
/*
 * One row's plan and call of clfold, whatever the primitive: is it right, what does it launch, and how long does it
 * take by the clock on the wall and by the device's own?
 */
#include "rows/rows.h"

#include <stdlib.h>

clf_status bench_make_plan(const bench_primitive *self, clf_context *context, const clf_operator *op,
                           const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    bench_definition d = {.primitive = self->name, .of = op, .op = {.size = sizeof d.op, .value = op->value}};
    if (self->define)
        self->define(&d);
    const clf_operator *const own = self->define ? &d.op : op;
    const clf_segmentation segmentation = {sizeof segmentation, bench_segments_by(self), CLF_UINT};
    if (self->plan_by)
        return self->plan_by(context, own, &segmentation, self->flags, options, plan, error);
    return self->plan(context, own, self->flags, options, plan, error);
}

clf_status bench_enqueue(const bench_call *call, cl_command_queue queue, cl_event *event)
{
    return call->enqueue(call, &(clf_call){.size = sizeof(clf_call), .queue = queue, .event = event});
}

static void enqueue(const bench_call *call, cl_command_queue queue, cl_event *event)
{
    bench_check(bench_enqueue(call, queue, event), call->data->primitive->name);
}

static void start(void *state)
{
    const bench_call *call = state;
    enqueue(call, call->data->session->queue, NULL);
}

static void finish(void *state)
{
    bench_check(clFinish(((bench_call *)state)->data->session->queue), "clFinish");
}

bench_times bench_time_call(bench_call *call)
{
    const bench_work work = {start, finish, call};
    return bench_time(&work, &call->data->session->effort);
}

static cl_ulong event_time(cl_event event, cl_profiling_info which)
{
    cl_ulong time = 0;
    return clGetEventProfilingInfo(event, which, sizeof time, &time, NULL) == CL_SUCCESS ? time : 0;
}

/* The device's own clock. An event profiles the last command only: of several, from a marker before the first. */
static double one_event_us(const bench_call *call, unsigned launches)
{
    cl_command_queue queue = call->data->session->profiling;
    cl_event before, event;
    bench_check(clEnqueueMarkerWithWaitList(queue, 0, NULL, &before), "clEnqueueMarkerWithWaitList");
    enqueue(call, queue, &event);
    bench_check(clFinish(queue), "clFinish");
    cl_ulong from = launches == 1 ? event_time(event, CL_PROFILING_COMMAND_START)
                                  : event_time(before, CL_PROFILING_COMMAND_END);
    cl_ulong to = event_time(event, CL_PROFILING_COMMAND_END);
    clReleaseEvent(before);
    clReleaseEvent(event);
    return from && to > from ? (double)(to - from) * 1e-3 : 0;
}

static double event_us(const bench_call *call, unsigned launches)
{
    double least = 0;
    for (int i = 0; i < 5; ++i) {
        double us = one_event_us(call, launches);
        if (us > 0 && (least <= 0 || us < least))
            least = us;
    }
    return least;
}

static unsigned count_launches(bench_call *call)
{
    unsigned before = bench_launches();
    start(call);
    finish(call);
    return bench_launches() - before;
}

static double least(double a, double b)
{
    return a > 0 && (b <= 0 || a < b) ? a : b;
}

/* The least of this time and of what the row has. */
static void time_row(bench_call *call, bench_row *row)
{
    const bench_times times = bench_time_call(call);
    row->us = least(row->us, times.us);
    row->us_min = least(row->us_min, times.us_min);
    if (row->us > 0 && (row->launches == 1 || call->marked) && row->us < call->data->session->effort.most * 1e6)
        row->us_event = least(row->us_event, event_us(call, row->launches));
}

bool bench_measure(bench_call *call, bench_row *row)
{
    bench_poison(call->data, call->results);
    clf_status status = bench_enqueue(call, call->data->session->queue, NULL);
    if (status == CLF_E_UNSUPPORTED)
        return false;
    bench_check(status, call->data->primitive->name);
    finish(call);
    row->verified = bench_is_right(call->data, call->results);
    if (!row->verified)
        return true;
    row->launches = count_launches(call);
    time_row(call, row);
    row->verified = bench_is_right(call->data, call->results); /* still, after many calls? */
    return true;
}

void bench_measure_again(bench_call *call, bench_row *row)
{
    if (row->verified)
        time_row(call, row);
}

void bench_name_by_size(const clf_plan *plan, bench_shape shape, char variant[64])
{
    char *text = bench_describe_plan(plan, shape.count * shape.size);
    bench_described(text, "variant", variant, 64);
    free(text);
}
