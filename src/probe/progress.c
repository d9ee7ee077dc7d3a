/* SPDX-License-Identifier: MIT */
/*
 * Does a started work-group go on while others wait for it? Shown by a kernel (cl/probe/probe_progress.cl) whose groups
 * wait for each other in one row, more of them than run at a time, several times. Where it does, scans need one pass.
 *
 * Nothing goes wrong if it is shown by luck: waits are bounded everywhere, and who waited too long computes by itself
 * what it waited for. Drivers are not asked, for OpenCL has no such question, and layered ones have other names than
 * the GPUs below them.
 */
#include "probe/probe.h"

#include <stdio.h>
#include <stdlib.h>

/* Work-items of a group; times as many groups as run at a time; runs that must succeed, and that may fail before. */
enum { GROUP = 64, ROUNDS = 2, RUNS = 3, FAILURES = 1 };
/* The most groups, and polls of one: some milliseconds for a run, and some ten where it fails. */
enum { MOST_GROUPS = 4096, POLLS = 1 << 15 };
enum { GAVE_UP = 1, HEADER = 4 };

/* A run. *shown: no group waited in vain. */
static clf_status run_once(cl_command_queue queue, cl_kernel kernel, cl_mem buffer, cl_uint *data, size_t groups,
                           bool *shown)
{
    const size_t group = GROUP, items = groups * GROUP, bytes = (HEADER + groups) * sizeof *data;
    for (size_t i = 0; i < HEADER + groups; ++i)
        data[i] = i == 2 ? POLLS : 0;
    CLF_TRY(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
    CLF_TRY(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
    CLF_TRY(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
    *shown = data[0] == groups && data[GAVE_UP] == 0;
    return CLF_SUCCESS;
}

/* A busy device may fail once. */
static clf_status run_all(const clf_probe *probe, cl_kernel kernel, size_t groups)
{
    clf_status status;
    cl_uint *const data = malloc((HEADER + groups) * sizeof *data);
    cl_mem buffer = clCreateBuffer(probe->cl, CL_MEM_READ_WRITE, (HEADER + groups) * sizeof *data, NULL, &status);
    if (!data)
        status = CLF_E_NO_MEMORY;
    else if (buffer)
        status = clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    int succeeded = 0, failed = 0;
    while (status == CLF_SUCCESS && succeeded < RUNS && failed <= FAILURES) {
        bool done = false;
        status = run_once(probe->queue, kernel, buffer, data, groups, &done);
        succeeded += done;
        failed += !done;
    }
    probe->facts->progress_shown = succeeded == RUNS;
    if (buffer)
        clReleaseMemObject(buffer);
    free(data);
    return status;
}

clf_status clf_progress_measure(clf_probe *probe)
{
    char options[96];
    cl_kernel kernel;
    clf_facts *const facts = probe->facts;
    facts->progress_shown = false;
    if (clf_facts_know_progress(facts) || facts->max_group < GROUP)
        return CLF_SUCCESS;
    snprintf(options, sizeof options, "%s -D CLF_GROUP=%d -D CLF_ATOMICS=%d", facts->std, GROUP, (int)facts->atomics);
    CLF_TRY(clf_probe_build(probe, "probe/probe_progress.cl", options, &kernel));
    if (!kernel)
        return CLF_SUCCESS;
    const size_t able = (size_t)facts->units_measured * CLF_UNIT_ITEMS / GROUP * ROUNDS;
    const clf_status status = run_all(probe, kernel, able < GROUP ? GROUP : able < MOST_GROUPS ? able : MOST_GROUPS);
    clReleaseKernel(kernel);
    return clf_probe_judge(probe, status);
}
