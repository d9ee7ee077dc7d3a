/* SPDX-License-Identifier: MIT */
/*
 * What a device was seen to do: compiles and runs cl/probe_atomics.cl and cl/probe_lanes.cl with one back end
 * after the other, best first, and keeps the first that builds, runs and gives the right answer.
 *
 * No macro or version is believed where a run can tell: NVIDIA's compiler hides features that work, and some
 * compilers build what cannot run. A probe that fails is no error, only the absence of a capability; every
 * loop in the probe kernels is bounded, so that none can hang. The language level is the highest that carries
 * the best atomics.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue: the one that every version has */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ATOMICS_GROUP = 32, LANES_GROUP = 128, WARP_SIZE_NV = 0x4003 };

typedef struct probe {
    cl_context cl;
    cl_device_id device;
    cl_command_queue queue;
    const char *disable, *dump_dir;
    clf_facts *facts;
    clf_error *error; /* why the last probe kernel did not build */
    size_t multiple;  /* preferred multiple of the work-group size: a guess at the lane width; 0: none */
} probe;

/* ---- Running a probe kernel ------------------------------------------------------------------------ */

static clf_status build(const probe *p, const char *file, const char *options, cl_program *program)
{
    clf_text source = {0};
    clf_status status = clf_flatten(&source, file, NULL);
    if (status == CLF_SUCCESS && source.failed)
        status = CLF_E_NO_MEMORY;
    if (status == CLF_SUCCESS)
        clf_dump(p->dump_dir, source.data, options);
    if (status == CLF_SUCCESS)
        status = clf_build_program(p->cl, p->device, source.data, options, program, p->error);
    clf_text_free(&source);
    return status;
}

/* Runs the kernel on data, which it reads and writes. */
static clf_status execute(const probe *p, cl_kernel kernel, size_t groups, size_t group, cl_uint *data,
                          size_t count)
{
    const size_t bytes = count * sizeof *data, items = groups * group;
    clf_status status;
    cl_mem buffer = clCreateBuffer(p->cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, data, &status);
    if (buffer == NULL)
        return status;
    status = clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    if (status == CL_SUCCESS)
        status = clEnqueueNDRangeKernel(p->queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
    if (status == CL_SUCCESS)
        status = clEnqueueReadBuffer(p->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
    clReleaseMemObject(buffer);
    return status;
}

static clf_status run(probe *p, const char *file, const char *options, size_t groups, size_t group,
                      cl_uint *data, size_t count)
{
    cl_program program;
    CLF_TRY(build(p, file, options, &program));
    clf_status status;
    cl_kernel kernel = clCreateKernel(program, "clf_probe", &status);
    clReleaseProgram(program);
    if (kernel == NULL)
        return status;
    size_t multiple = 0;
    if (clGetKernelWorkGroupInfo(kernel, p->device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                 sizeof multiple, &multiple, NULL) == CL_SUCCESS)
        p->multiple = multiple;
    status = execute(p, kernel, groups, group, data, count);
    clReleaseKernel(kernel);
    return status;
}

/* ---- Atomics and the language level ---------------------------------------------------------------- */

/* Enough groups to keep every compute unit busy at once. */
static size_t litmus_groups(const clf_facts *facts)
{
    const size_t groups = 4 * (size_t)facts->compute_units;
    return groups < 16 ? 16 : groups > 1024 ? 1024 : groups;
}

static bool run_atomics(probe *p, clf_atomics atomics, const char *std)
{
    const bool alone = (p->facts->type & CL_DEVICE_TYPE_CPU) != 0 || p->facts->max_group < ATOMICS_GROUP;
    const size_t group = alone ? 1 : ATOMICS_GROUP; /* a CPU's caches agree; this builds faster */
    const size_t groups = litmus_groups(p->facts), count = 4 + groups * (2 + group);
    cl_uint *data = calloc(count, sizeof *data);
    if (data == NULL)
        return false;
    char options[96];
    snprintf(options, sizeof options, "%s -D CLF_GROUP=%d -D CLF_ATOMICS=%d", std, (int)group, (int)atomics);
    const bool right = run(p, "probe_atomics.cl", options, groups, group, data, count) == CLF_SUCCESS &&
                       data[0] == groups && data[1] == 0;
    free(data);
    return right;
}

/* "OpenCL 3.0 …" → 3 */
static int major_version(const clf_facts *facts)
{
    int major = 1;
    return sscanf(facts->version, "OpenCL %d.", &major) == 1 ? major : 1;
}

static bool may_have_atomics(const probe *p, clf_atomics atomics)
{
    const bool words64 = !clf_list_has(p->disable, "int64_atomics");
    switch (atomics) {
    case CLF_ATOMICS_PTX:
        return p->facts->is_nvidia && !clf_list_has(p->disable, "ptx");
    case CLF_ATOMICS_C11:
        return major_version(p->facts) >= 2 && words64 && !clf_list_has(p->disable, "c11");
    case CLF_ATOMICS_CL12_64:
        return p->facts->int64_atomics;
    default:
        return true;
    }
}

static bool find_std(probe *p, clf_atomics atomics)
{
    static const struct {
        int major;
        const char *option;
    } levels[] = {{3, "-cl-std=CL3.0"}, {2, "-cl-std=CL2.0"}, {1, "-cl-std=CL1.2"}};
    for (size_t i = 0; i < CLF_COUNT(levels); i++) {
        const bool too_old = atomics == CLF_ATOMICS_C11 && levels[i].major < 2;
        if (levels[i].major > major_version(p->facts) || too_old ||
            !run_atomics(p, atomics, levels[i].option))
            continue;
        snprintf(p->facts->std, sizeof p->facts->std, "%s", levels[i].option);
        return true;
    }
    return false;
}

static clf_status probe_atomics(probe *p)
{
    for (int atomics = CLF_ATOMICS_PTX; atomics >= CLF_ATOMICS_CL12; atomics--)
        if (may_have_atomics(p, (clf_atomics)atomics) && find_std(p, (clf_atomics)atomics)) {
            p->facts->atomics = (clf_atomics)atomics;
            p->facts->fence = atomics >= CLF_ATOMICS_C11;
            return CLF_SUCCESS;
        }
    return clf_fail(p->error, CLF_E_UNSUPPORTED, "%s cannot run a kernel with 32-bit atomics",
                    p->facts->name);
}

/* ---- Lanes ----------------------------------------------------------------------------------------- */

static bool run_lanes(probe *p, clf_lanes lanes, cl_uint width)
{
    cl_uint data[LANES_GROUP], failed = 0;
    memset(data, 0xff, sizeof data);
    char options[128];
    snprintf(options, sizeof options, "%s -D CLF_GROUP=%d -D CLF_LANES=%d -D CLF_LANE_WIDTH=%u",
             p->facts->std, LANES_GROUP, (int)lanes, width);
    if (run(p, "probe_lanes.cl", options, 1, LANES_GROUP, data, LANES_GROUP) != CLF_SUCCESS)
        return false;
    for (size_t i = 0; i < LANES_GROUP; i++)
        failed |= data[i];
    return failed == 0;
}

static bool may_have_lanes(const probe *p, clf_lanes lanes)
{
    switch (lanes) {
    case CLF_LANES_PTX:
        return p->facts->is_nvidia && !clf_list_has(p->disable, "ptx");
    case CLF_LANES_KHR:
        return clf_device_has(p->device, "cl_khr_subgroup_shuffle") &&
               clf_device_has(p->device, "cl_khr_subgroup_shuffle_relative") &&
               clf_device_has(p->device, "cl_khr_subgroup_ballot");
    case CLF_LANES_INTEL:
        return clf_device_has(p->device, "cl_intel_subgroups");
    case CLF_LANES_AMD:
        return strstr(p->facts->vendor, "AMD") != NULL || strstr(p->facts->vendor, "Advanced Micro") != NULL;
    default:
        return false;
    }
}

/* The first guess at the width: what the driver says a warp or a good work-group is a multiple of. */
static cl_uint likely_width(const probe *p)
{
    cl_uint warp = 0;
    if (clf_device_has(p->device, "cl_nv_device_attribute_query") &&
        clGetDeviceInfo(p->device, WARP_SIZE_NV, sizeof warp, &warp, NULL) == CL_SUCCESS)
        return warp;
    return (cl_uint)p->multiple;
}

static bool find_width(probe *p, clf_lanes lanes)
{
    const cl_uint widths[] = {likely_width(p), 32, 16, 64, 8};
    const cl_uint widest = lanes == CLF_LANES_KHR || lanes == CLF_LANES_AMD ? 64 : 32;
    for (size_t i = 0; i < CLF_COUNT(widths); i++) {
        const cl_uint width = widths[i];
        const bool known = width == 8 || width == 16 || width == 32 || width == 64;
        if (!known || width > widest || (i > 0 && width == widths[0]) || !run_lanes(p, lanes, width))
            continue;
        p->facts->lanes = lanes;
        p->facts->lane_width = width;
        return true;
    }
    return false;
}

/* A CPU's sub-groups are no hardware: PoCL's functions must even be called by the whole work-group. */
static void probe_lanes(probe *p)
{
    p->facts->lanes = CLF_LANES_LOCAL;
    p->facts->lane_width = 1;
    if ((p->facts->type & CL_DEVICE_TYPE_CPU) != 0 || p->facts->max_group < LANES_GROUP ||
        clf_list_has(p->disable, "subgroups"))
        return;
    for (int lanes = CLF_LANES_PTX; lanes <= CLF_LANES_AMD; lanes++)
        if (may_have_lanes(p, (clf_lanes)lanes) && find_width(p, (clf_lanes)lanes))
            return;
}

/* ---- All of it ------------------------------------------------------------------------------------- */

clf_status clf_facts_probe(cl_context cl, cl_device_id device, const char *disable, const char *dump_dir,
                           clf_facts *facts, clf_error *error)
{
    clf_status status = clf_facts_query(device, disable, facts);
    if (status != CLF_SUCCESS)
        return clf_fail(error, status, "the device does not answer queries");
    cl_command_queue queue = clCreateCommandQueue(cl, device, 0, &status);
    if (queue == NULL)
        return clf_fail(error, status, "no queue for probing %s", facts->name);
    probe p = {.cl = cl, .device = device, .queue = queue, .disable = disable, .dump_dir = dump_dir, .facts = facts,
               .error = error};
    status = probe_atomics(&p);
    if (status == CLF_SUCCESS) {
        probe_lanes(&p);
        clf_error_reset(error); /* what the failed probes left there */
    }
    clReleaseCommandQueue(queue);
    return status;
}
