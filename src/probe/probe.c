/* SPDX-License-Identifier: MIT */
/*
 * What a device was seen to do: compiles and runs cl/probe/probe_atomics.cl and cl/probe/probe_lanes.cl with one back
 * end after the other, best first, and keeps the first that builds, runs and gives the right answer; and of Mesa's
 * compiler whether it copies structs right (cl/probe/probe_structs.cl); and the sizes of groups that really run
 * (cl/probe/probe_sizes.cl).
 *
 * No macro or version is believed where a run can tell: NVIDIA's compiler hides features that work, and some compilers
 * build what cannot run. A probe kernel that does not build, run or give the right answer is no error, only the absence
 * of a capability; every loop in them is bounded, so that none can hang. All other failures, of memory say, are errors:
 * they tell nothing about the device. The language level is the highest that carries the best atomics.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue: the one that every version has */
#include "probe/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ATOMICS_GROUP = 32, LANES_GROUP = 128 };

/* Refused for its size, as it would be another time. */
static bool is_size(clf_status status)
{
    return status == CL_INVALID_WORK_GROUP_SIZE || status == CL_INVALID_WORK_ITEM_SIZE;
}

/* Runs the kernel on data, which it reads and writes. */
static clf_status execute(clf_probe *p, cl_kernel kernel, size_t groups, size_t group, cl_uint *data, size_t count,
                          bool *ran)
{
    const size_t bytes = count * sizeof *data, items = groups * group;
    clf_status status;
    cl_mem buffer = clCreateBuffer(p->cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, data, &status);
    if (!buffer)
        return status;
    status = clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    if (status == CL_SUCCESS) {
        status = clEnqueueNDRangeKernel(p->queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
        if (status == CL_SUCCESS)
            status = clEnqueueReadBuffer(p->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
        *ran = status == CLF_SUCCESS;
        status = is_size(status) ? CLF_SUCCESS : clf_probe_judge(p, status);
    }
    clReleaseMemObject(buffer);
    return status;
}

/* *ran: the kernel was built and ran; if not, that is no failure. */
static clf_status run(clf_probe *p, const char *file, const char *options, size_t groups, size_t group, cl_uint *data,
                      size_t count, bool *ran)
{
    cl_kernel kernel;
    *ran = false;
    CLF_TRY(clf_probe_build(p, file, options, &kernel));
    if (!kernel)
        return CLF_SUCCESS;
    clf_status status = clGetKernelWorkGroupInfo(kernel, p->device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                                 sizeof p->multiple, &p->multiple, NULL);
    if (status == CL_SUCCESS)
        status = execute(p, kernel, groups, group, data, count, ran);
    clReleaseKernel(kernel);
    return status;
}

/* ---- Atomics and the language level ---------------------------------------------------------------- */

/* Enough groups to keep a device busy; on a CPU a few for each thread will do. */
static size_t litmus_groups(const clf_facts *facts)
{
    return (facts->type & CL_DEVICE_TYPE_CPU) != 0 ? 64 : 512;
}

static clf_status run_atomics(clf_probe *p, clf_atomics atomics, const char *std, bool *works)
{
    const bool alone = (p->facts->type & CL_DEVICE_TYPE_CPU) != 0 || p->facts->max_group < ATOMICS_GROUP;
    const size_t group = alone ? 1 : ATOMICS_GROUP; /* a CPU's caches agree; this builds faster */
    const size_t groups = litmus_groups(p->facts), count = 4 + groups * (2 + group);
    cl_uint *data = calloc(count, sizeof *data);
    if (!data)
        return CLF_E_NO_MEMORY;
    char options[96];
    snprintf(options, sizeof options, "%s -D CLF_GROUP=%d -D CLF_ATOMICS=%d", std, (int)group, (int)atomics);
    const clf_status status = run(p, "probe/probe_atomics.cl", options, groups, group, data, count, works);
    *works = *works && data[0] == groups && data[1] == 0;
    free(data);
    return status;
}

/* "OpenCL 3.0 …" → 3 */
static int major_version(const clf_facts *facts)
{
    static const char before[] = "OpenCL ";
    const size_t length = sizeof before - 1;
    const long major = strncmp(facts->version, before, length) == 0 ? strtol(facts->version + length, NULL, 10) : 1;
    return major > 0 && major < 100 ? (int)major : 1;
}

static bool may_have_atomics(const clf_probe *p, clf_atomics atomics)
{
    const bool words64 = !clf_list_has(p->disable, "int64_atomics");
    switch (atomics) {
    case CLF_ATOMICS_PTX: return p->facts->is_nvidia && !clf_list_has(p->disable, "ptx");
    case CLF_ATOMICS_C11: return major_version(p->facts) >= 2 && words64 && !clf_list_has(p->disable, "c11");
    case CLF_ATOMICS_CL12_64: return p->facts->int64_atomics;
    default: return true;
    }
}

/* A device of OpenCL 3 need not know OpenCL C 2.0: rusticl compiles it, and then its kernels crash. */
static clf_status find_std(clf_probe *p, clf_atomics atomics, bool *found)
{
    static const struct {
        int major;
        const char *option;
    } levels[] = {{3, "-cl-std=CL3.0"}, {2, "-cl-std=CL2.0"}, {1, "-cl-std=CL1.2"}};
    *found = false;
    for (size_t i = 0; i < CLF_COUNT(levels) && !*found; ++i) {
        const int device = major_version(p->facts), level = levels[i].major;
        const bool too_old = atomics == CLF_ATOMICS_C11 && level < 2, optional = device == 3 && level == 2;
        if (level > device || too_old || optional)
            continue;
        CLF_TRY(run_atomics(p, atomics, levels[i].option, found));
        if (*found)
            snprintf(p->facts->std, sizeof p->facts->std, "%s", levels[i].option);
    }
    return CLF_SUCCESS;
}

static clf_status probe_atomics(clf_probe *p)
{
    for (int atomics = CLF_ATOMICS_PTX; atomics >= CLF_ATOMICS_CL12; --atomics) {
        bool found = false;
        if (may_have_atomics(p, (clf_atomics)atomics))
            CLF_TRY(find_std(p, (clf_atomics)atomics, &found));
        if (found) {
            p->facts->atomics = (clf_atomics)atomics;
            p->facts->fence = atomics >= CLF_ATOMICS_C11;
            return CLF_SUCCESS;
        }
    }
    return clf_fail(p->error, CLF_E_UNSUPPORTED, "%s cannot run a kernel with 32-bit atomics", p->facts->name);
}

/* ---- Lanes ----------------------------------------------------------------------------------------- */

static clf_status run_lanes(clf_probe *p, clf_lanes lanes, cl_uint width, cl_uint local, bool *works)
{
    cl_uint data[LANES_GROUP], failed = 0;
    memset(data, 0xff, sizeof data);
    char options[128];
    snprintf(options, sizeof options, "%s -D CLF_GROUP=%d -D CLF_LANES=%d -D CLF_LANE_WIDTH=%u -D CLF_LOCAL=%u",
             p->facts->std, LANES_GROUP, (int)lanes, width, local);
    const clf_status status = run(p, "probe/probe_lanes.cl", options, 1, LANES_GROUP, data, LANES_GROUP, works);
    for (size_t i = 0; i < LANES_GROUP; ++i)
        failed |= data[i];
    *works = *works && failed == 0;
    return status;
}

/*
 * NVIDIA's driver speaks of 48 KiB of local memory, and kernels that declare more run, as CUDA's do that ask for it.
 * With lanes, or without them (CLF_LANES_LOCAL).
 */
static clf_status run_lanes_of(clf_probe *p, clf_lanes lanes, cl_uint width, bool *works)
{
    *works = false;
    if (p->facts->is_nvidia && p->facts->local_bytes < CLF_LOCAL_PROBED) {
        CLF_TRY(run_lanes(p, lanes, width, CLF_LOCAL_PROBED, works));
        p->facts->local_more = *works ? CLF_LOCAL_PROBED - p->facts->local_bytes : 0;
    }
    return *works ? CLF_SUCCESS : run_lanes(p, lanes, width, LANES_GROUP * sizeof(cl_uint), works);
}

static bool may_have_lanes(const clf_probe *p, clf_lanes lanes)
{
    switch (lanes) {
    case CLF_LANES_PTX: return p->facts->is_nvidia && !clf_list_has(p->disable, "ptx");
    case CLF_LANES_KHR:
        return !clf_list_has(p->disable, "khr") && clf_facts_have(p->facts, "cl_khr_subgroup_shuffle") &&
               clf_facts_have(p->facts, "cl_khr_subgroup_shuffle_relative") &&
               clf_facts_have(p->facts, "cl_khr_subgroup_ballot");
    case CLF_LANES_INTEL: return clf_facts_have(p->facts, "cl_intel_subgroups");
    case CLF_LANES_AMD: return strstr(p->facts->vendor, "AMD") || strstr(p->facts->vendor, "Advanced Micro");
    default: return false;
    }
}

static bool may_have_width(const clf_probe *p, clf_lanes lanes, cl_uint width)
{
    const cl_uint widest = lanes == CLF_LANES_KHR || lanes == CLF_LANES_AMD ? 64 : 32;
    const bool known = width == 8 || width == 16 || width == 32 || width == 64;
    char name[16];
    snprintf(name, sizeof name, "lanes%u", (unsigned)width);
    return known && width <= widest && !clf_list_has(p->disable, name);
}

static clf_status find_width(clf_probe *p, clf_lanes lanes, bool *found)
{
    /*
     * First what the driver says a warp or a good work-group is a multiple of. Where Intel's compiler takes an order,
     * 16: each lane then has twice the registers that it has of 32.
     */
    const bool ordered = clf_facts_have(p->facts, "cl_intel_required_subgroup_size");
    const cl_uint said = p->facts->warp ? p->facts->warp : (cl_uint)p->multiple;
    const cl_uint widths[] = {ordered ? 16 : said, 32, 16, 64, 8};
    *found = false;
    for (size_t i = 0; i < CLF_COUNT(widths) && !*found; ++i) {
        const cl_uint width = widths[i];
        if (!may_have_width(p, lanes, width) || (i > 0 && width == widths[0]))
            continue;
        CLF_TRY(run_lanes_of(p, lanes, width, found));
        if (*found) {
            p->facts->lanes = lanes;
            p->facts->lane_width = width;
        }
    }
    return CLF_SUCCESS;
}

/*
 * A CPU's sub-groups are no hardware: PoCL's functions must even be called by the whole work-group. Intel's are whole
 * vectors: where tests do without CPU kernels, the others run on them as on a GPU.
 */
static bool may_have_any_lanes(const clf_facts *facts)
{
    return (facts->type & CL_DEVICE_TYPE_CPU) == 0 || (!facts->is_cpu && strstr(facts->platform, "Intel"));
}

static clf_status probe_lanes(clf_probe *p)
{
    bool found = false;
    p->facts->lanes = CLF_LANES_LOCAL;
    p->facts->lane_width = 1;
    if (!may_have_any_lanes(p->facts) || p->facts->max_group < LANES_GROUP)
        return CLF_SUCCESS;
    for (int lanes = CLF_LANES_PTX; lanes <= CLF_LANES_AMD && !found; ++lanes)
        if (!clf_list_has(p->disable, "subgroups") && may_have_lanes(p, (clf_lanes)lanes))
            CLF_TRY(find_width(p, (clf_lanes)lanes, &found));
    return !found && p->facts->is_nvidia ? run_lanes_of(p, CLF_LANES_LOCAL, 1, &found) : CLF_SUCCESS;
}

/* ---- Sizes ----------------------------------------------------------------------------------------- */

/* What kernels use at most, and what is tried at least: groups, bytes of local memory. */
enum { MOST_GROUP = 1024, LEAST_GROUP = 16, MOST_LOCAL = 1 << 20, LEAST_LOCAL = 4096 };

static clf_status run_sizes(clf_probe *p, size_t group, cl_ulong local, bool *works)
{
    cl_uint data[2] = {0};
    char options[96];
    snprintf(options, sizeof options, "%s -D CLF_GROUP=%u -D CLF_LOCAL=%u", p->facts->std, (unsigned)group,
             (unsigned)(local / 8 * 8));
    const clf_status status = run(p, "probe/probe_sizes.cl", options, 1, group, data, CLF_COUNT(data), works);
    *works = *works && data[0] == group;
    return status;
}

/*
 * Drivers say what the simplest kernel may have, layered ones what another device has, and refuse launches of more.
 * So both are halved until a kernel like ours runs: first the group, with little local memory. CPU kernels have groups
 * of one work-item and no local memory.
 */
static clf_status probe_sizes(clf_probe *p)
{
    clf_facts *const facts = p->facts;
    bool works = false;
    size_t group = facts->max_group < MOST_GROUP ? facts->max_group : MOST_GROUP;
    cl_ulong local = facts->local_bytes < MOST_LOCAL ? facts->local_bytes : MOST_LOCAL;
    if (facts->is_cpu || group < LEAST_GROUP || local < LEAST_LOCAL)
        return CLF_SUCCESS;
    CLF_TRY(run_sizes(p, group, local, &works));
    if (works)
        return CLF_SUCCESS;
    CLF_TRY(run_sizes(p, group, LEAST_LOCAL, &works));
    while (!works && group / 2 >= LEAST_GROUP)
        CLF_TRY(run_sizes(p, group /= 2, LEAST_LOCAL, &works));
    if (!works)
        return CLF_SUCCESS; /* it is not the sizes */
    facts->max_group = group < MOST_GROUP ? group : facts->max_group;
    for (works = false; !works && local > LEAST_LOCAL; local = works ? local : local / 2)
        CLF_TRY(run_sizes(p, group, local, &works));
    facts->local_bytes = works && local == MOST_LOCAL ? facts->local_bytes : local;
    return CLF_SUCCESS;
}

/* ---- Structs --------------------------------------------------------------------------------------- */

static clf_status run_structs(clf_probe *p, const char *more, bool *right)
{
    cl_uint data[] = {1, 2, 3, 4};
    char options[128];
    bool ran = false;
    snprintf(options, sizeof options, "%s -D CLF_GROUP=1%s", p->facts->std, more);
    const clf_status status = run(p, "probe/probe_structs.cl", options, 1, 1, data, CLF_COUNT(data), &ran);
    *right = ran && (data[0] | data[1] | data[2] | data[3]) == 0;
    return status;
}

/* Only Mesa's compiler is known to lose them, so no other device waits for this; and to optimise only if asked to. */
static clf_status probe_structs(clf_probe *p)
{
    bool right = true;
    p->facts->rounds_apart = p->facts->optimiser = false;
    if (!p->facts->is_rusticl)
        return CLF_SUCCESS;
    CLF_TRY(run_structs(p, "", &right));
    p->facts->rounds_apart = !right;
    if ((p->facts->type & CL_DEVICE_TYPE_CPU) != 0 || clf_list_has(p->disable, "optimiser"))
        return CLF_SUCCESS; /* llvmpipe optimises what it is given */
    return run_structs(p, CLF_OPTIMISER, &p->facts->optimiser);
}

/* ---- All of it ------------------------------------------------------------------------------------- */

clf_status clf_facts_probe(clf_probe *p)
{
    clf_status status;
    p->queue = clCreateCommandQueue(p->cl, p->device, 0, &status);
    if (!p->queue)
        return clf_fail(p->error, status, "no queue for probing %s", p->facts->name);
    clf_status (*const steps[])(clf_probe *) = {probe_atomics, clf_units_type, probe_sizes, probe_lanes, probe_structs,
                                                clf_units_measure, clf_progress_measure};
    for (size_t i = 0; i < CLF_COUNT(steps) && status == CLF_SUCCESS; ++i)
        status = steps[i](p);
    clf_facts_judge_type(p->facts, p->disable);
    clReleaseCommandQueue(p->queue);
    if (status == CLF_SUCCESS)
        return clf_error_reset(p->error); /* what the failed probes left there */
    if (status != CLF_E_UNSUPPORTED)
        clf_fail(p->error, status, "%s could not be probed: %s", p->facts->name, clf_status_text(status));
    return status;
}
