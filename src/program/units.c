/* SPDX-License-Identifier: MIT */
/*
 * How many compute units a device has, measured: the one place that sizes launches.
 *
 * Layered drivers say 1, simulators say anything, and CPU drivers may have fewer threads than they say. So a kernel
 * (cl/probe/probe_units.cl) counts the work-groups that run at a time. A unit is CLF_UNIT_ITEMS work-items that run
 * at a time, or a thread of a CPU. What the driver says, which has no noise, is taken if it is from three quarters to
 * twice the measurement: a busy device shows fewer than it has.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue: the one that every version has */
#include "program/program.h"

#include <stdio.h>

/* A group of a GPU; polls of a group, some 40 microseconds of either kind of device. */
enum { GPU_GROUP = 256, GPU_POLLS = 64, CPU_POLLS = 2048 };
enum { FIRST_GROUPS = 32, MOST_GROUPS = 32768, TRIES = 10 };
/* What is taken where nothing can be measured, if the driver says less or more. */
enum { LEAST_GUESS = 16, MOST_GUESS = 256 };

/* *peak: groups that ran at a time, of `groups`. */
static clf_status run(cl_command_queue queue, cl_kernel kernel, cl_mem buffer, size_t groups, size_t group,
                      cl_uint *peak)
{
    static const cl_uint zeros[2];
    const size_t items = groups * group;
    cl_uint seen[2] = {0, 0};
    CLF_TRY(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof zeros, zeros, 0, NULL, NULL));
    CLF_TRY(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
    CLF_TRY(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL));
    if (seen[0] == 0 && seen[1] <= groups && seen[1] > *peak)
        *peak = seen[1];
    return CLF_SUCCESS;
}

/* With more groups while most of them run at a time; then TRIES times, for a device or its threads may be busy. */
static clf_status run_all(cl_command_queue queue, cl_kernel kernel, cl_mem buffer, size_t group, cl_uint *peak)
{
    size_t groups = FIRST_GROUPS;
    for (int tries = 0; tries < TRIES;) {
        CLF_TRY(run(queue, kernel, buffer, groups, group, peak));
        if (*peak * 2 < groups || groups >= MOST_GROUPS)
            ++tries;
        else
            groups *= 4;
    }
    return CLF_SUCCESS;
}

/* What cannot run shows nothing, which is no failure. */
static clf_status run_if_possible(cl_command_queue queue, cl_kernel kernel, cl_mem buffer, size_t group, cl_uint *peak)
{
    const clf_status status = run_all(queue, kernel, buffer, group, peak);
    return status == CL_OUT_OF_HOST_MEMORY ? status : CLF_SUCCESS;
}

static clf_status run_program(cl_context cl, cl_device_id device, cl_program program, size_t group, cl_uint *peak)
{
    clf_status status;
    cl_kernel kernel = clCreateKernel(program, "clf_probe", &status);
    if (kernel == NULL)
        return status;
    cl_command_queue queue = clCreateCommandQueue(cl, device, 0, &status);
    if (queue != NULL) {
        cl_mem buffer = clCreateBuffer(cl, CL_MEM_READ_WRITE, 2 * sizeof(cl_uint), NULL, &status);
        if (buffer != NULL) {
            status = clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
            if (status == CL_SUCCESS)
                status = run_if_possible(queue, kernel, buffer, group, peak);
            clReleaseMemObject(buffer);
        }
        clReleaseCommandQueue(queue);
    }
    clReleaseKernel(kernel);
    return status;
}

static clf_status measure(cl_context cl, cl_device_id device, const char *dump_dir, const clf_facts *facts,
                          size_t group, cl_uint *peak, clf_error *error)
{
    char options[96];
    cl_program program;
    clf_text source = {0};
    const bool threads = (facts->type & CL_DEVICE_TYPE_CPU) != 0;
    snprintf(options, sizeof options, "%s -D CLF_GROUP=%u -D CLF_ATOMICS=0 -D PROBE_POLLS=%d", facts->std,
             (unsigned)group, threads ? CPU_POLLS : GPU_POLLS);
    clf_status status = clf_flatten(&source, "probe/probe_units.cl", NULL);
    if (status == CLF_SUCCESS && source.failed)
        status = CLF_E_NO_MEMORY;
    if (status == CLF_SUCCESS) {
        clf_dump(dump_dir, source.data, options);
        status = clf_build_program(cl, device, source.data, options, &program, NULL, error);
    }
    clf_text_free(&source);
    if (status == CLF_SUCCESS) {
        status = run_program(cl, device, program, group, peak);
        clReleaseProgram(program);
    }
    return status;
}

void clf_units_judge(clf_facts *facts)
{
    const cl_uint measured = facts->units_measured, said = facts->compute_units;
    if (measured == 0)
        facts->units = said < LEAST_GUESS ? LEAST_GUESS : said > MOST_GUESS ? MOST_GUESS : said;
    else
        facts->units = said >= measured - measured / 4 && said <= 2ul * measured ? said : measured;
}

clf_status clf_units_measure(cl_context cl, cl_device_id device, const char *dump_dir, clf_facts *facts, bool *certain,
                             clf_error *error)
{
    const bool threads = (facts->type & CL_DEVICE_TYPE_CPU) != 0;
    const size_t group = threads ? 1 : facts->max_group < GPU_GROUP ? facts->max_group : GPU_GROUP;
    cl_uint peak = 0;
    const clf_status status = measure(cl, device, dump_dir, facts, group, &peak, error);
    if (status != CLF_SUCCESS && status != CLF_E_OPERATOR)
        return status;
    *certain &= peak > 0;
    facts->units_measured = threads || peak == 0 ? peak : (cl_uint)clf_ceiling((cl_ulong)peak * group, CLF_UNIT_ITEMS);
    return CLF_SUCCESS;
}
