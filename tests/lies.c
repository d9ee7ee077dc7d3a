/* SPDX-License-Identifier: MIT */
/*
 * A layer of the OpenCL loader that lies about the device, for tests/lies.sh: OPENCL_LAYERS names it, programs stay as
 * they are. CLFOLD_LIE is one lie:
 *
 *   units=N      compute units                  vendor=TEXT    the vendor's name
 *   multiple=N   preferred multiple of groups   type=N         the device's type, as bits
 *   group=N      the largest group              local=N        bytes of local memory
 *   profiling=refused|zeros                     queues that measure are refused · all their times are 0
 *   refused=N    no group may be larger, which nobody says: launches of larger ones are refused.
 *   items=N, resources=N                        the same, but refused by other codes
 *   kernel=N     the same, and each kernel says so of itself
 *
 * Launches beyond a given limit (group, local) fail, as they would on such a device. CLFOLD_LIE_LOG names a file that
 * gets a line for each launch: kernel, groups, group; for one that is refused: "refused", kernel, 0, group.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct _cl_icd_dispatch layer;
static const struct _cl_icd_dispatch *next;

/* What is told about `what`; NULL: the truth. */
static const char *lie(const char *what)
{
    const char *said = getenv("CLFOLD_LIE");
    const size_t length = strlen(what);
    return said && strncmp(said, what, length) == 0 && said[length] == '=' ? said + length + 1 : NULL;
}

static unsigned long long number(const char *text)
{
    return strtoull(text, NULL, 10);
}

/* ---- Queries ----------------------------------------------------------------------------------------------------- */

static cl_int answer(const void *value, size_t bytes, size_t room, void *to, size_t *size)
{
    if (size)
        *size = bytes;
    if (to && room < bytes)
        return CL_INVALID_VALUE;
    if (to)
        memcpy(to, value, bytes);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info what, size_t room, void *to, size_t *size)
{
    const char *said;
    if (what == CL_DEVICE_MAX_COMPUTE_UNITS && (said = lie("units")))
        return answer(&(cl_uint){(cl_uint)number(said)}, sizeof(cl_uint), room, to, size);
    if (what == CL_DEVICE_TYPE && (said = lie("type")))
        return answer(&(cl_device_type){number(said)}, sizeof(cl_device_type), room, to, size);
    if (what == CL_DEVICE_MAX_WORK_GROUP_SIZE && (said = lie("group")))
        return answer(&(size_t){(size_t)number(said)}, sizeof(size_t), room, to, size);
    if (what == CL_DEVICE_LOCAL_MEM_SIZE && (said = lie("local")))
        return answer(&(cl_ulong){number(said)}, sizeof(cl_ulong), room, to, size);
    if (what == CL_DEVICE_VENDOR && (said = lie("vendor")))
        return answer(said, strlen(said) + 1, room, to, size);
    return next->clGetDeviceInfo(device, what, room, to, size);
}

static cl_int CL_API_CALL kernel_info(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what,
                                      size_t room, void *to, size_t *size)
{
    const char *said;
    if (what == CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE && (said = lie("multiple")))
        return answer(&(size_t){(size_t)number(said)}, sizeof(size_t), room, to, size);
    if (what == CL_KERNEL_WORK_GROUP_SIZE && (said = lie("kernel")))
        return answer(&(size_t){(size_t)number(said)}, sizeof(size_t), room, to, size);
    return next->clGetKernelWorkGroupInfo(kernel, device, what, room, to, size);
}

/* ---- Profiling --------------------------------------------------------------------------------------------------- */

/* Is a queue with these properties refused? */
static int is_refused(cl_command_queue_properties properties, cl_int *status)
{
    const char *said = lie("profiling");
    const int refused = said && strcmp(said, "refused") == 0 && (properties & CL_QUEUE_PROFILING_ENABLE);
    if (refused && status)
        *status = CL_INVALID_QUEUE_PROPERTIES;
    return refused;
}

static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                                 cl_command_queue_properties properties, cl_int *status)
{
    return is_refused(properties, status) ? NULL : next->clCreateCommandQueue(context, device, properties, status);
}

static cl_command_queue CL_API_CALL create_queue_with(cl_context context, cl_device_id device,
                                                      const cl_queue_properties *list, cl_int *status)
{
    cl_command_queue_properties properties = 0;
    for (const cl_queue_properties *p = list; p && *p; p += 2)
        if (*p == CL_QUEUE_PROPERTIES)
            properties = p[1];
    return is_refused(properties, status) ? NULL
                                          : next->clCreateCommandQueueWithProperties(context, device, list, status);
}

static cl_int CL_API_CALL profiling_info(cl_event event, cl_profiling_info what, size_t room, void *to, size_t *size)
{
    const char *said = lie("profiling");
    if (said && strcmp(said, "zeros") == 0)
        return answer(&(cl_ulong){0}, sizeof(cl_ulong), room, to, size);
    return next->clGetEventProfilingInfo(event, what, room, to, size);
}

/* ---- Launches ---------------------------------------------------------------------------------------------------- */

/* The name of the kernel and two numbers. */
static void log_launch(cl_kernel kernel, const char *before, size_t groups, size_t group)
{
    char name[128] = "?";
    const char *path = getenv("CLFOLD_LIE_LOG");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    next->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    fprintf(file, "%s%s %zu %zu\n", before, name, groups, group);
    fclose(file);
}

/* What a launch in such groups is refused by, if it is. */
static cl_int refusal(cl_command_queue queue, cl_kernel kernel, size_t group)
{
    static const struct {
        const char *lie;
        cl_int code;
    } limits[] = {{"group", CL_INVALID_WORK_GROUP_SIZE}, {"refused", CL_INVALID_WORK_GROUP_SIZE},
                  {"kernel", CL_INVALID_WORK_GROUP_SIZE}, {"items", CL_INVALID_WORK_ITEM_SIZE},
                  {"resources", CL_OUT_OF_RESOURCES}};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i)
        if (lie(limits[i].lie) && group > number(lie(limits[i].lie)))
            return limits[i].code;
    if (lie("local")) {
        cl_device_id device;
        cl_ulong bytes = 0;
        next->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
        next->clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL);
        if (bytes > number(lie("local")))
            return CL_OUT_OF_RESOURCES;
    }
    return CL_SUCCESS;
}

static cl_int CL_API_CALL enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                  const size_t *items, const size_t *group, cl_uint waits, const cl_event *wait,
                                  cl_event *event)
{
    const cl_int refused = refusal(queue, kernel, group ? group[0] : 1);
    if (refused) {
        log_launch(kernel, "refused ", 0, group[0]);
        return refused;
    }
    log_launch(kernel, "", group ? items[0] / group[0] : 1, group ? group[0] : 0);
    return next->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, items, group, waits, wait, event);
}

/* ---- What the loader asks for ------------------------------------------------------------------------------------ */

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t room, void *to, size_t *size)
{
    if (what != CL_LAYER_API_VERSION)
        return CL_INVALID_VALUE;
    return answer(&(cl_layer_api_version){CL_LAYER_API_VERSION_100}, sizeof(cl_layer_api_version), room, to, size);
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries, const struct _cl_icd_dispatch *target, cl_uint *count,
                                            const struct _cl_icd_dispatch **dispatch)
{
    if (entries < sizeof layer / sizeof(void *) / 2)
        return CL_INVALID_VALUE;
    next = target;
    layer.clGetDeviceInfo = device_info;
    layer.clGetKernelWorkGroupInfo = kernel_info;
    layer.clCreateCommandQueue = create_queue;
    layer.clCreateCommandQueueWithProperties = create_queue_with;
    layer.clGetEventProfilingInfo = profiling_info;
    layer.clEnqueueNDRangeKernel = enqueue;
    *count = sizeof layer / sizeof(void *);
    *dispatch = &layer;
    return CL_SUCCESS;
}
