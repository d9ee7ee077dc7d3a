/* SPDX-License-Identifier: MIT */
/*
 * The layer of layer.h. Names in parentheses are the real functions: macros with arguments leave them alone.
 */
#include "layer.h"

#include <stdatomic.h>
#include <string.h>

/* ---- The ledger ------------------------------------------------------------------------------------------- */

static atomic_long live[LAYER_KINDS];

void layer_add(layer_kind kind, long count)
{
    atomic_fetch_add(&live[kind], count);
}

layer_ledger layer_count(void)
{
    layer_ledger ledger;
    for (int kind = 0; kind < LAYER_KINDS; ++kind)
        ledger.live[kind] = atomic_load(&live[kind]);
    return ledger;
}

const char *layer_kind_name(layer_kind kind)
{
    static const char *const names[] = {"contexts", "devices", "queues", "buffers", "programs", "kernels", "events",
                                        "allocations", "nothing"};
    return names[kind];
}

layer_kind layer_difference(const layer_ledger *before, const layer_ledger *now)
{
    int kind = 0;
    while (kind < LAYER_KINDS && before->live[kind] == now->live[kind])
        ++kind;
    return (layer_kind)kind;
}

/* ---- Failures --------------------------------------------------------------------------------------------- */

/* Changed by tests while they make no other calls. */
static struct {
    unsigned long k; /* calls until one fails; 0: none */
    unsigned code;
    bool lasting;
    unsigned timed; /* launches of units.c since then */
    cl_int failed_code;
    const layer_site *failed;
    cl_uint query;
    cl_int query_code;
    cl_event event;
    cl_int event_status;
    void (*meanwhile)(void *data);
    void *data;
} state;

/* What a call may return besides CL_OUT_OF_HOST_MEMORY and CL_OUT_OF_RESOURCES, which all may. */
static cl_int special_code(const char *call)
{
    static const struct {
        const char *call;
        cl_int code;
    } codes[] = {
        {"clBuildProgram", CL_BUILD_PROGRAM_FAILURE},
        {"clCreateBuffer", CL_MEM_OBJECT_ALLOCATION_FAILURE},
        {"clCreateProgramWithBinary", CL_INVALID_BINARY},
        {"clCreateKernel", CL_INVALID_KERNEL_DEFINITION},
        {"clEnqueue", CL_MEM_OBJECT_ALLOCATION_FAILURE},
        {"clSetKernelArg", CL_INVALID_ARG_SIZE},
    };
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; ++i)
        if (strncmp(call, codes[i].call, strlen(codes[i].call)) == 0)
            return codes[i].code;
    return CL_INVALID_VALUE;
}

void layer_arm(unsigned long k, unsigned code, bool lasting)
{
    state.k = k;
    state.code = code;
    state.lasting = lasting;
    state.timed = 0;
    state.failed = NULL;
    state.failed_code = CL_SUCCESS;
}

const layer_site *layer_disarm(cl_int *code)
{
    state.k = 0;
    *code = state.failed_code;
    return state.failed;
}

static atomic_ulong commands;

unsigned long layer_commands(void)
{
    return atomic_load(&commands);
}

void layer_meanwhile(void (*meanwhile)(void *data), void *data)
{
    state.data = data;
    state.meanwhile = meanwhile;
}

/* Units are measured until a time is up, by more or fewer launches: only the first ones are counted. */
static bool is_counted(const layer_site *site)
{
    const bool timed = strstr(site->file, "units.c") && strncmp(site->call, "clEnqueue", 9) == 0;
    return !timed || state.failed || state.timed++ < 6;
}

cl_int layer_enter(layer_site *site)
{
    if (!site)
        return CL_SUCCESS;
    ++site->reached;
    if (strncmp(site->call, "clEnqueue", 9) == 0) {
        atomic_fetch_add(&commands, 1);
        if (state.meanwhile)
            state.meanwhile(state.data);
    }
    const bool allocates = strncmp(site->call, "cl", 2) != 0;
    if (state.k == 0 || (allocates && state.code != 0) || !is_counted(site) || (!state.failed && --state.k > 0))
        return CL_SUCCESS;
    const cl_int codes[LAYER_CODES] = {CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES, special_code(site->call)};
    const cl_int code = codes[state.code];
    if (!state.failed) {
        state.failed = site;
        state.failed_code = code;
    }
    state.k = state.lasting; /* or no more */
    ++site->failed;
    return code;
}

void layer_fail_query(cl_uint what, cl_int code)
{
    state.query = what;
    state.query_code = code;
}

void layer_pretend(cl_event event, cl_int status)
{
    state.event = event;
    state.event_status = status;
}

#ifdef __ELF__
extern layer_site *const __start_layer_sites[], *const __stop_layer_sites[];
layer_site *const *layer_sites(size_t *count)
{
    *count = (size_t)(__stop_layer_sites - __start_layer_sites);
    return __start_layer_sites;
}
#else
layer_site *const *layer_sites(size_t *count)
{
    *count = 0;
    return NULL;
}
#endif

/* ---- Objects ---------------------------------------------------------------------------------------------- */

/* Tells the caller of a failure that was asked for. */
bool layer_fails(layer_site *site, cl_int *status)
{
    const cl_int code = layer_enter(site);
    if (code != CL_SUCCESS && status)
        *status = code;
    return code != CL_SUCCESS;
}

cl_program layer_clCreateProgramWithSource(layer_site *site, cl_context cl, cl_uint count, const char **strings,
                                           const size_t *lengths, cl_int *status)
{
    if (layer_fails(site, status))
        return NULL;
    const cl_program created = (clCreateProgramWithSource)(cl, count, strings, lengths, status);
    if (created) {
        layer_add(LAYER_PROGRAM, 1);
        layer_created_program(created, strings[0], lengths ? lengths[0] : strlen(strings[0]));
    }
    return created;
}

cl_program layer_clCreateProgramWithBinary(layer_site *site, cl_context cl, cl_uint count, const cl_device_id *devices,
                                           const size_t *lengths, const unsigned char **binaries, cl_int *loaded,
                                           cl_int *status)
{
    if (layer_fails(site, status))
        return NULL;
    const cl_program created = (clCreateProgramWithBinary)(cl, count, devices, lengths, binaries, loaded, status);
    if (created) {
        layer_add(LAYER_PROGRAM, 1);
        layer_created_program(created, binaries[0], lengths[0]);
    }
    return created;
}

cl_int layer_clCreateSubDevices(layer_site *site, cl_device_id device, const cl_device_partition_property *properties,
                                cl_uint count, cl_device_id *devices, cl_uint *made)
{
    cl_int status = layer_enter(site);
    if (status != CL_SUCCESS)
        return status;
    status = (clCreateSubDevices)(device, properties, count, devices, made);
    if (status == CL_SUCCESS && devices && made)
        layer_add(LAYER_DEVICE, (long)*made);
    return status;
}

/* ---- Commands --------------------------------------------------------------------------------------------- */

/* Counts the event of a command that was enqueued. */
cl_int layer_enqueued(cl_int status, const cl_event *event)
{
    if (status == CL_SUCCESS && event)
        layer_add(LAYER_EVENT, 1);
    return status;
}

static atomic_ulong filled;

cl_ulong layer_filled(void)
{
    return atomic_load(&filled);
}

cl_int layer_clEnqueueFillBuffer(layer_site *site, cl_command_queue queue, cl_mem buffer, const void *pattern,
                                 size_t pattern_bytes, size_t offset, size_t bytes, cl_uint wait_count,
                                 const cl_event *wait, cl_event *event)
{
    atomic_fetch_add(&filled, bytes);
    const cl_int status = layer_enter(site);
    if (status != CL_SUCCESS)
        return status;
    return layer_enqueued(
        (clEnqueueFillBuffer)(queue, buffer, pattern, pattern_bytes, offset, bytes, wait_count, wait, event), event);
}

/* ---- Queries ---------------------------------------------------------------------------------------------- */

/* Only calls of the library have a site. */
cl_int layer_query(layer_site *site, cl_uint what)
{
    const cl_int status = layer_enter(site);
    return status == CL_SUCCESS && site && what == state.query ? state.query_code : status;
}

cl_int layer_clGetEventInfo(layer_site *site, cl_event event, cl_event_info what, size_t bytes, void *value,
                            size_t *needed)
{
    cl_int status = layer_enter(site);
    if (status == CL_SUCCESS)
        status = (clGetEventInfo)(event, what, bytes, value, needed);
    if (status == CL_SUCCESS && event == state.event && what == CL_EVENT_COMMAND_EXECUTION_STATUS && value)
        *(cl_int *)value = state.event_status;
    return status;
}

/* ---- Memory of the host ----------------------------------------------------------------------------------- */

static void *counted(void *memory)
{
    if (memory)
        layer_add(LAYER_ALLOCATION, 1);
    return memory;
}

void *layer_malloc(layer_site *site, size_t bytes)
{
    return layer_enter(site) != CL_SUCCESS ? NULL : counted((malloc)(bytes));
}

void *layer_calloc(layer_site *site, size_t count, size_t bytes)
{
    return layer_enter(site) != CL_SUCCESS ? NULL : counted((calloc)(count, bytes));
}

void *layer_realloc(layer_site *site, void *memory, size_t bytes)
{
    if (layer_enter(site) != CL_SUCCESS)
        return NULL;
    void *grown = (realloc)(memory, bytes);
    return !memory ? counted(grown) : grown;
}

void layer_free(void *memory)
{
    if (memory)
        layer_add(LAYER_ALLOCATION, -1);
    (free)(memory);
}
