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
static clf_status run_all(cl_context cl, cl_command_queue queue, cl_kernel kernel, size_t groups, bool *shown)
{
    clf_status status;
    cl_uint *const data = malloc((HEADER + groups) * sizeof *data);
    cl_mem buffer = clCreateBuffer(cl, CL_MEM_READ_WRITE, (HEADER + groups) * sizeof *data, NULL, &status);
    if (!data)
        status = CLF_E_NO_MEMORY;
    else if (buffer)
        status = clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    int succeeded = 0, failed = 0;
    while (status == CLF_SUCCESS && succeeded < RUNS && failed <= FAILURES) {
        bool done = false;
        status = run_once(queue, kernel, buffer, data, groups, &done);
        succeeded += done;
        failed += !done;
    }
    *shown = succeeded == RUNS;
    if (buffer)
        clReleaseMemObject(buffer);
    free(data);
    return status;
}

/* What does not compile shows nothing. */
static clf_status build(cl_context cl, cl_device_id device, const char *dump_dir, const clf_facts *facts,
                        cl_program *program, bool *certain, clf_error *error)
{
    cl_int code = CL_SUCCESS;
    char options[96];
    clf_text source = {0};
    snprintf(options, sizeof options, "%s -D CLF_GROUP=%d -D CLF_ATOMICS=%d", facts->std, GROUP, (int)facts->atomics);
    clf_status status = clf_flatten(&source, "probe/probe_progress.cl", NULL);
    if (status == CLF_SUCCESS && source.failed)
        status = CLF_E_NO_MEMORY;
    if (status == CLF_SUCCESS) {
        clf_dump(dump_dir, source.data, options);
        status = clf_build_program(cl, device, source.data, options, program, &code, error);
    }
    *certain &= code == CL_SUCCESS || code == CL_BUILD_PROGRAM_FAILURE; /* else it may be better another time */
    clf_text_free(&source);
    return status;
}

clf_status clf_progress_measure(cl_context cl, cl_device_id device, cl_command_queue queue, const char *dump_dir,
                                clf_facts *facts, bool *certain, clf_error *error)
{
    cl_program program;
    bool shown = false;
    facts->progress_shown = false;
    if (clf_facts_know_progress(facts) || facts->max_group < GROUP)
        return CLF_SUCCESS;
    clf_status status = build(cl, device, dump_dir, facts, &program, certain, error);
    if (status != CLF_SUCCESS)
        return status == CLF_E_OPERATOR ? CLF_SUCCESS : status;
    cl_kernel kernel = clCreateKernel(program, "clf_probe", &status);
    clReleaseProgram(program);
    if (kernel) {
        const size_t able = (size_t)facts->units_measured * CLF_UNIT_ITEMS / GROUP * ROUNDS;
        status = run_all(cl, queue, kernel, able < GROUP ? GROUP : able < MOST_GROUPS ? able : MOST_GROUPS, &shown);
        clReleaseKernel(kernel);
    }
    *certain &= status == CLF_SUCCESS;
    facts->progress_shown = shown;
    return status == CL_OUT_OF_HOST_MEMORY || status == CLF_E_NO_MEMORY ? status : CLF_SUCCESS;
}
