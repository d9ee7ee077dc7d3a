/* SPDX-License-Identifier: MIT */
#define FAULT_PLAIN /* the real ones */
#include "fault.h"

#include <stdatomic.h>

static atomic_long live[FAULT_KINDS];

/* Of a thread: only one member of several is to fail. */
static _Thread_local struct {
    unsigned long k; /* calls until one fails; 0: none */
    bool lasting;
    const fault_site *failed;
    unsigned long buffers;
} state;

long fault_live(int kind)
{
    return atomic_load(&live[kind]);
}

void fault_add(int kind, long count)
{
    atomic_fetch_add(&live[kind], count);
}

unsigned long fault_buffers(void)
{
    return state.buffers;
}

void fault_arm(unsigned long k, bool lasting)
{
    state.k = k;
    state.lasting = lasting;
    state.failed = NULL;
}

const fault_site *fault_disarm(void)
{
    state.k = 0;
    return state.failed;
}

bool fault_strikes(fault_site *site)
{
    if (state.k == 0 || (!state.failed && --state.k > 0))
        return false;
    if (!state.failed)
        state.failed = site;
    state.k = state.lasting;
    ++site->failed;
    return true;
}

extern fault_site *const __start_fault_places[], *const __stop_fault_places[];
fault_site *const *fault_sites(size_t *count)
{
    *count = (size_t)(__stop_fault_places - __start_fault_places);
    return __start_fault_places;
}

/* ---- Memory of the host -------------------------------------------------------------------------------- */

void *fault_malloc(fault_site *site, size_t bytes)
{
    return fault_realloc(site, NULL, bytes);
}

void *fault_calloc(fault_site *site, size_t count, size_t bytes)
{
    void *memory = fault_strikes(site) ? NULL : calloc(count, bytes);
    fault_add(FAULT_MEMORY, memory != NULL);
    return memory;
}

void *fault_realloc(fault_site *site, void *memory, size_t bytes)
{
    void *grown = fault_strikes(site) ? NULL : realloc(memory, bytes);
    fault_add(FAULT_MEMORY, !memory && grown);
    return grown;
}

void fault_free(void *memory)
{
    fault_add(FAULT_MEMORY, -(memory != NULL));
    free(memory);
}

/* ---- Objects of OpenCL --------------------------------------------------------------------------------- */

cl_mem fault_clCreateBuffer(fault_site *site, cl_context cl, cl_mem_flags flags, size_t bytes, void *data,
                            cl_int *status)
{
    if (fault_strikes(site)) {
        *status = CL_OUT_OF_RESOURCES;
        return NULL;
    }
    const cl_mem buffer = clCreateBuffer(cl, flags, bytes, data, status);
    ++state.buffers;
    fault_add(FAULT_BUFFER, buffer != NULL);
    return buffer;
}

cl_command_queue fault_clCreateCommandQueue(fault_site *site, cl_context cl, cl_device_id device,
                                            cl_command_queue_properties properties, cl_int *status)
{
    if (fault_strikes(site)) {
        *status = CL_OUT_OF_RESOURCES;
        return NULL;
    }
    const cl_command_queue queue = clCreateCommandQueue(cl, device, properties, status);
    fault_add(FAULT_QUEUE, queue != NULL);
    return queue;
}

void *fault_clEnqueueMapBuffer(fault_site *site, cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                               cl_map_flags flags, size_t offset, size_t bytes, cl_uint wait_count,
                               const cl_event *wait, cl_event *event, cl_int *status)
{
    if (fault_strikes(site)) {
        *status = CL_OUT_OF_RESOURCES;
        return NULL;
    }
    return clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, bytes, wait_count, wait, event, status);
}

cl_int fault_clEnqueueMarkerWithWaitList(fault_site *site, cl_command_queue queue, cl_uint wait_count,
                                         const cl_event *wait, cl_event *event)
{
    if (fault_strikes(site))
        return CL_OUT_OF_RESOURCES;
    const cl_int status = clEnqueueMarkerWithWaitList(queue, wait_count, wait, event);
    fault_add(FAULT_EVENT, status == CL_SUCCESS);
    return status;
}
