/* SPDX-License-Identifier: MIT */
/*
 * How many compute units a device has, measured: the one place that sizes launches.
 *
 * Layered drivers say 1, simulators say anything, and CPU drivers may have fewer threads than they say. So a kernel
 * (cl/probe/probe_units.cl) counts the work-groups that run at a time. A unit is CLF_UNIT_ITEMS work-items that run
 * at a time, or a thread of a CPU. What the driver says, which has no noise, is taken if it is from three quarters to
 * twice the measurement: a busy device shows fewer than it has.
 */
#include "probe/probe.h"

#include <stdio.h>

/* A group of a GPU; polls of a group, some 40 microseconds of either kind of device. */
enum { GPU_GROUP = 256, GPU_POLLS = 64, CPU_POLLS = 2048, LONG_POLLS = 1 << 19 };
enum { FIRST_GROUPS = 32, MOST_GROUPS = 32768, TRIES = 10, LEAST_ORDERED = 8192, ORDERS = 2, WORDS = 6 };
#define MOST_SECONDS 0.010
#define LONG_SECONDS 0.1
#define NOBODY_LEAVES ((cl_ulong)1 << 40) /* before the last poll */
/* What is taken where nothing can be measured, if the driver says less or more. */
enum { LEAST_GUESS = 16, MOST_GUESS = 256 };

/* What is counted: groups, or the work-items of one. */
typedef enum counted { GROUPS, ITEMS } counted;

/* What probes run with, and what they have seen. */
typedef struct unit_probe {
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem buffer;
    counted what;
    size_t group;
    cl_uint polls; /* of a group */
    cl_ulong able; /* how many there can be, as far as somebody says */
    cl_uint peak;  /* the most that ran at a time */
    bool ordered;  /* has the order been seen? */
    bool far;      /* did a group start far from its place? */
} unit_probe;

static clf_status run(unit_probe *p, size_t groups, cl_uint polls, cl_ulong able)
{
    const size_t items = groups * p->group, most = p->what == ITEMS ? p->group : groups;
    cl_uint data[WORDS] = {0, 0, polls, able < most + 1 ? (cl_uint)able : (cl_uint)most + 1};
    CLF_TRY(clEnqueueWriteBuffer(p->queue, p->buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
    CLF_TRY(clEnqueueNDRangeKernel(p->queue, p->kernel, 1, NULL, &items, &p->group, 0, NULL, NULL));
    CLF_TRY(clEnqueueReadBuffer(p->queue, p->buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
    if (data[0] == 0 && data[1] <= most && data[1] > p->peak)
        p->peak = data[1];
    p->far |= data[4] != groups || data[5] >= groups / 4;
    return CLF_SUCCESS;
}

/*
 * With more groups while most of them run at a time; then TRIES times, or until as many ran as there can be, for a
 * device or its threads may be busy. No run begins when the time is up; the first may compile, and does not count.
 */
static clf_status run_groups(unit_probe *p)
{
    size_t groups = FIRST_GROUPS;
    CLF_TRY(run(p, groups, p->polls, NOBODY_LEAVES));
    const double end = clf_seconds() + MOST_SECONDS;
    for (int tries = 0; (tries < TRIES || p->peak < p->able) && clf_seconds() < end;) {
        CLF_TRY(run(p, groups, p->polls, NOBODY_LEAVES));
        if (p->peak * 2ul < groups || groups >= MOST_GROUPS)
            ++tries;
        else
            groups *= 4;
    }
    return CLF_SUCCESS;
}

/*
 * Groups that leave at once, and eight times as many as run at a time, which may overtake each other. A device that
 * gives each of two parts a half of them shows places that are half of them apart.
 */
static clf_status run_order(unit_probe *p)
{
    const size_t groups = p->peak > LEAST_ORDERED / 8 ? 8 * (size_t)p->peak : LEAST_ORDERED;
    p->far = false;
    for (int tries = 0; tries < ORDERS; ++tries)
        CLF_TRY(run(p, groups, 0, NOBODY_LEAVES));
    p->ordered = p->peak > 0;
    return CLF_SUCCESS;
}

/*
 * A busy system may let one thread alone run for so long: then a few groups stay until others come, for longer and
 * longer. No simulator is kept at it.
 */
static clf_status run_threads(unit_probe *p)
{
    CLF_TRY(run_groups(p));
    const double end = clf_seconds() + LONG_SECONDS;
    for (cl_uint polls = 2 * p->polls; polls <= LONG_POLLS && p->peak < p->able && clf_seconds() < end; polls *= 2)
        CLF_TRY(run(p, (size_t)p->able, polls, p->able));
    return CLF_SUCCESS;
}

/* What cannot run shows nothing, which is no failure. */
static clf_status run_if_possible(unit_probe *p, bool threads)
{
    clf_status status = p->what == ITEMS ? run(p, 1, p->polls, NOBODY_LEAVES)
                        : threads        ? run_threads(p)
                                         : run_groups(p);
    if (status == CL_SUCCESS && p->what == GROUPS && !threads)
        status = run_order(p);
    return status == CL_OUT_OF_HOST_MEMORY ? status : CLF_SUCCESS;
}

static clf_status run_kernel(cl_context cl, bool threads, unit_probe *p)
{
    clf_status status;
    p->buffer = clCreateBuffer(cl, CL_MEM_READ_WRITE, WORDS * sizeof(cl_uint), NULL, &status);
    if (!p->buffer)
        return status;
    status = clSetKernelArg(p->kernel, 0, sizeof p->buffer, &p->buffer);
    if (status == CL_SUCCESS)
        status = run_if_possible(p, threads);
    clReleaseMemObject(p->buffer);
    return status;
}

/* Does it run each group by a thread? So it is where kernels for CPUs are taken away, too. */
static bool has_threads(const clf_facts *facts)
{
    return (facts->type & CL_DEVICE_TYPE_CPU) != 0;
}

/* How many groups there can be at a time: by the system for a CPU, else by the driver, which nobody need believe. */
static cl_ulong groups_able(const clf_facts *facts, size_t group)
{
    return has_threads(facts) ? clf_processors() : (cl_ulong)facts->compute_units * CLF_UNIT_ITEMS / group;
}

/* seen->peak: 0 where nothing is shown. */
static clf_status measure(clf_probe *probe, counted what, size_t group, unit_probe *seen)
{
    char options[128];
    const bool threads = has_threads(probe->facts);
    unit_probe p = {.queue = probe->queue, .what = what, .group = group, .polls = threads ? CPU_POLLS : GPU_POLLS,
                    .able = groups_able(probe->facts, group)};
    snprintf(options, sizeof options, "%s -D CLF_GROUP=%u -D CLF_ATOMICS=0 -D PROBE_ITEMS=%d", probe->facts->std,
             (unsigned)group, what == ITEMS);
    clf_status status = clf_probe_build(probe, "probe/probe_units.cl", options, &p.kernel);
    if (p.kernel) {
        status = run_kernel(probe->cl, threads, &p);
        clReleaseKernel(p.kernel);
    }
    *seen = p;
    return status;
}

void clf_units_judge(clf_facts *facts)
{
    const cl_uint measured = facts->units_measured, said = facts->compute_units;
    const bool near = said >= measured - measured / 4 && said <= 2ul * measured;
    const bool believed = measured != 0 ? near : said >= LEAST_GUESS && said <= MOST_GUESS;
    facts->units = believed ? said : measured != 0 ? measured : said < LEAST_GUESS ? LEAST_GUESS : MOST_GUESS;
    facts->units_from = believed ? "the driver" : measured != 0 ? "the measurement" : "a guess";
}

/* A CPU's widest vector is 16 words; a GPU runs all warps of a group at a time. */
clf_status clf_units_type(clf_probe *probe)
{
    enum { VECTOR = 16, VECTORS = 4 };
    unit_probe seen;
    if (clf_facts_say_type(probe->facts) || probe->facts->max_group < VECTOR * VECTORS)
        return CLF_SUCCESS;
    CLF_TRY(measure(probe, ITEMS, VECTOR * VECTORS, &seen));
    if (seen.peak > 0 && seen.peak <= VECTOR)
        probe->facts->type |= CL_DEVICE_TYPE_CPU;
    clf_facts_judge_type(probe->facts, probe->disable);
    return CLF_SUCCESS;
}

clf_status clf_units_measure(clf_probe *probe)
{
    clf_facts *const facts = probe->facts;
    const bool threads = has_threads(facts);
    const size_t group = threads ? 1 : facts->max_group < GPU_GROUP ? facts->max_group : GPU_GROUP;
    unit_probe seen;
    CLF_TRY(measure(probe, GROUPS, group, &seen));
    const cl_uint peak = seen.peak;
    facts->in_order = seen.ordered && !seen.far && !clf_list_has(probe->disable, "order");
    probe->certain &= peak > 0 && peak >= groups_able(facts, group) / 2; /* if it was not only busy */
    probe->certain &= threads || seen.ordered;
    facts->units_measured = threads || peak == 0 ? peak : (cl_uint)clf_ceiling((cl_ulong)peak * group, CLF_UNIT_ITEMS);
    return CLF_SUCCESS;
}
