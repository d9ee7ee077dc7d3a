/* SPDX-License-Identifier: MIT */
/*
 * A layer between the code under test and OpenCL, and the host's allocator.
 *
 * It keeps a ledger of objects created, retained and released, and can make a call of clfold fail. The build puts
 * this file in front of every file of the tests and of a second copy of the library: its macros send calls to
 * layer.c. Each call site of the library has a record, so that it is known which were reached; calls of the tests
 * are counted in the ledger but never fail.
 */
#ifndef CLFOLD_TESTS_LAYER_H
#define CLFOLD_TESTS_LAYER_H

#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif
#include <stdbool.h>
#include <stdlib.h>

/* ---- For tests -------------------------------------------------------------------------------------------- */

/* A place in src/ that calls OpenCL or allocates. */
typedef struct layer_site {
    const char *file;
    int line;
    const char *call;
    unsigned reached, failed; /* how often; failed: made to fail */
} layer_site;

typedef enum layer_kind {
    LAYER_CONTEXT, LAYER_DEVICE, LAYER_QUEUE, LAYER_BUFFER, LAYER_PROGRAM, LAYER_KERNEL, LAYER_EVENT,
    LAYER_ALLOCATION, LAYER_KINDS
} layer_kind;

/* References of a kind that were created or retained, and not released yet; all kinds at once. */
typedef struct layer_ledger {
    long live[LAYER_KINDS];
} layer_ledger;
layer_ledger layer_count(void);
const char *layer_kind_name(layer_kind kind);
/* The kind of which there are others than before, or LAYER_KINDS: none. */
layer_kind layer_difference(const layer_ledger *before, const layer_ledger *now);

/* Lets the k-th call (from 1) of the library from now on fail with the code-th of the codes that it may return; if
 * `lasting`, all calls after it as well. Allocations have but one: with other codes they neither count nor fail. */
enum { LAYER_CODES = 3 };
void layer_arm(unsigned long k, unsigned code, bool lasting);
/* Ends that. The first call that failed and its code (of allocations CL_OUT_OF_HOST_MEMORY), or NULL. */
const layer_site *layer_disarm(cl_int *code);

/* Calls of clGetDeviceInfo and clGetPlatformInfo fail with this code if they ask for `what`; 0: none. */
void layer_fail_query(cl_uint what, cl_int code);
/* clGetEventInfo says that this event (NULL: none) has this status. */
void layer_pretend(cl_event event, cl_int status);

/* How often the library has called a clEnqueue… so far. */
unsigned long layer_commands(void);
/* How many bytes the library has filled so far. */
cl_ulong layer_filled(void);
/* Before each clEnqueue… of the library, `meanwhile` (NULL: nothing) does what another thread could be doing then. */
void layer_meanwhile(void (*meanwhile)(void *data), void *data);

/*
 * From now on a program that was built once is not built again: the earlier one takes its place (layer_programs.c), for
 * one thread, and one cl_context at a time. `false` ends that, and releases them.
 */
void layer_keep_programs(bool keep);

/* All sites of the library, in no order; NULL where the linker cannot list them. */
layer_site *const *layer_sites(size_t *count);

/* ---- For macros ------------------------------------------------------------------------------------------- */

#if defined(LAYER_SITES) && defined(__ELF__)
/* The linker gathers pointers to all records in a section of their own. */
#define LAYER_SITE(name)                                                                            \
    __extension__({                                                                                 \
        static layer_site site_ = {__FILE__, __LINE__, name, 0, 0};                                 \
        static layer_site *const entry_ __attribute__((section("layer_sites"), used)) = &site_;     \
        entry_;                                                                                     \
    })
#else
#define LAYER_SITE(name) ((layer_site *)0)
#endif

/* The code that the call has to fail with, or CL_SUCCESS. */
cl_int layer_enter(layer_site *site);
void layer_add(layer_kind kind, long count);
/* Is it to fail? Then that is its status, which may be NULL. */
bool layer_fails(layer_site *site, cl_int *status);
/* Counts the event of a command that was enqueued. */
cl_int layer_enqueued(cl_int status, const cl_event *event);
cl_int layer_query(layer_site *site, cl_uint what);

#define LAYER_STATUS(call, ...)                                     \
    __extension__({                                                 \
        cl_int status_ = layer_enter(LAYER_SITE(#call));            \
        status_ != CL_SUCCESS ? status_ : (call)(__VA_ARGS__);      \
    })
/* What is created; *status tells of a failure. */
#define LAYER_CREATE(type, kind, call, status, ...)                 \
    __extension__({                                                 \
        type created_ = NULL;                                       \
        if (!layer_fails(LAYER_SITE(#call), status))                \
            created_ = (call)(__VA_ARGS__);                         \
        if (created_)                                               \
            layer_add(kind, 1);                                     \
        created_;                                                   \
    })
#define LAYER_ENQUEUE(call, event, ...)                             \
    __extension__({                                                 \
        const cl_int status_ = layer_enter(LAYER_SITE(#call));      \
        status_ != CL_SUCCESS ? status_ : layer_enqueued((call)(__VA_ARGS__), event); \
    })
#define LAYER_QUERY(call, object, what, ...)                        \
    __extension__({                                                 \
        const cl_int status_ = layer_query(LAYER_SITE(#call), what); \
        status_ != CL_SUCCESS ? status_ : (call)(object, what, __VA_ARGS__); \
    })
#define LAYER_RETAIN(call, kind, object)                            \
    __extension__({                                                 \
        cl_int status_ = layer_enter(LAYER_SITE(#call));            \
        if (status_ == CL_SUCCESS)                                  \
            status_ = (call)(object);                               \
        if (status_ == CL_SUCCESS)                                  \
            layer_add(kind, 1);                                     \
        status_;                                                    \
    })
/* Releases even where it is to fail: what else could a caller do? */
#define LAYER_RELEASE(call, kind, object)                           \
    __extension__({                                                 \
        const cl_int wanted_ = layer_enter(LAYER_SITE(#call));      \
        const cl_int status_ = (call)(object);                      \
        if (status_ == CL_SUCCESS)                                  \
            layer_add(kind, -1);                                    \
        wanted_ != CL_SUCCESS ? wanted_ : status_;                  \
    })

cl_program layer_clCreateProgramWithSource(layer_site *site, cl_context cl, cl_uint count, const char **strings,
                                           const size_t *lengths, cl_int *status);
cl_program layer_clCreateProgramWithBinary(layer_site *site, cl_context cl, cl_uint count, const cl_device_id *devices,
                                           const size_t *lengths, const unsigned char **binaries, cl_int *loaded,
                                           cl_int *status);
/* May put another program in the place of this one. */
cl_int layer_clBuildProgram(layer_site *site, cl_program *program, cl_uint count, const cl_device_id *devices,
                            const char *options, void(CL_CALLBACK *notify)(cl_program, void *), void *user);
/* The program that was created last, and what from. */
void layer_created_program(cl_program program, const void *text, size_t bytes);
cl_int layer_clCreateSubDevices(layer_site *site, cl_device_id device, const cl_device_partition_property *properties,
                                cl_uint count, cl_device_id *devices, cl_uint *made);
cl_int layer_clEnqueueFillBuffer(layer_site *site, cl_command_queue queue, cl_mem buffer, const void *pattern,
                                 size_t pattern_bytes, size_t offset, size_t bytes, cl_uint wait_count,
                                 const cl_event *wait, cl_event *event);
cl_int layer_clGetEventInfo(layer_site *site, cl_event event, cl_event_info what, size_t bytes, void *value,
                            size_t *needed);
void *layer_malloc(layer_site *site, size_t bytes);
void *layer_calloc(layer_site *site, size_t count, size_t bytes);
void *layer_realloc(layer_site *site, void *memory, size_t bytes);
void layer_free(void *memory);

#define clCreateBuffer(cl, flags, bytes, data, status) \
    LAYER_CREATE(cl_mem, LAYER_BUFFER, clCreateBuffer, status, cl, flags, bytes, data, status)
#define clCreateSubBuffer(buffer, flags, type, info, status) \
    LAYER_CREATE(cl_mem, LAYER_BUFFER, clCreateSubBuffer, status, buffer, flags, type, info, status)
#define clCreateCommandQueue(cl, device, properties, status) \
    LAYER_CREATE(cl_command_queue, LAYER_QUEUE, clCreateCommandQueue, status, cl, device, properties, status)
#define clCreateKernel(program, name, status) \
    LAYER_CREATE(cl_kernel, LAYER_KERNEL, clCreateKernel, status, program, name, status)
#define clCreateProgramWithSource(...) \
    layer_clCreateProgramWithSource(LAYER_SITE("clCreateProgramWithSource"), __VA_ARGS__)
#define clCreateProgramWithBinary(...) \
    layer_clCreateProgramWithBinary(LAYER_SITE("clCreateProgramWithBinary"), __VA_ARGS__)
#define clCreateContext(properties, count, devices, notify, user, status) \
    LAYER_CREATE(cl_context, LAYER_CONTEXT, clCreateContext, status, properties, count, devices, notify, user, status)
#define clCreateUserEvent(cl, status) LAYER_CREATE(cl_event, LAYER_EVENT, clCreateUserEvent, status, cl, status)
#define clCreateSubDevices(...) layer_clCreateSubDevices(LAYER_SITE("clCreateSubDevices"), __VA_ARGS__)
#define clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count, wait, event) \
    LAYER_ENQUEUE(clEnqueueNDRangeKernel, event, queue, kernel, dimensions, offset, global, local, count, wait, event)
#define clEnqueueFillBuffer(...) layer_clEnqueueFillBuffer(LAYER_SITE("clEnqueueFillBuffer"), __VA_ARGS__)
#define clEnqueueCopyBuffer(queue, from, to, from_at, to_at, bytes, count, wait, event) \
    LAYER_ENQUEUE(clEnqueueCopyBuffer, event, queue, from, to, from_at, to_at, bytes, count, wait, event)
#define clEnqueueReadBuffer(queue, buffer, blocking, at, bytes, data, count, wait, event) \
    LAYER_ENQUEUE(clEnqueueReadBuffer, event, queue, buffer, blocking, at, bytes, data, count, wait, event)
#define clEnqueueWriteBuffer(queue, buffer, blocking, at, bytes, data, count, wait, event) \
    LAYER_ENQUEUE(clEnqueueWriteBuffer, event, queue, buffer, blocking, at, bytes, data, count, wait, event)
#define clEnqueueMarkerWithWaitList(queue, count, wait, event) \
    LAYER_ENQUEUE(clEnqueueMarkerWithWaitList, event, queue, count, wait, event)
#define clGetDeviceInfo(object, what, ...) LAYER_QUERY(clGetDeviceInfo, object, what, __VA_ARGS__)
#define clGetPlatformInfo(object, what, ...) LAYER_QUERY(clGetPlatformInfo, object, what, __VA_ARGS__)
#define clGetEventInfo(...) layer_clGetEventInfo(LAYER_SITE("clGetEventInfo"), __VA_ARGS__)

#define clBuildProgram(program, ...) layer_clBuildProgram(LAYER_SITE("clBuildProgram"), &(program), __VA_ARGS__)
#define clFlush(...) LAYER_STATUS(clFlush, __VA_ARGS__)
#define clGetCommandQueueInfo(...) LAYER_STATUS(clGetCommandQueueInfo, __VA_ARGS__)
#define clGetContextInfo(...) LAYER_STATUS(clGetContextInfo, __VA_ARGS__)
#define clGetKernelWorkGroupInfo(...) LAYER_STATUS(clGetKernelWorkGroupInfo, __VA_ARGS__)
#define clGetMemObjectInfo(...) LAYER_STATUS(clGetMemObjectInfo, __VA_ARGS__)
#define clGetProgramBuildInfo(...) LAYER_STATUS(clGetProgramBuildInfo, __VA_ARGS__)
#define clGetProgramInfo(...) LAYER_STATUS(clGetProgramInfo, __VA_ARGS__)
#define clSetKernelArg(...) LAYER_STATUS(clSetKernelArg, __VA_ARGS__)

#define clRetainContext(object) LAYER_RETAIN(clRetainContext, LAYER_CONTEXT, object)
#define clRetainDevice(object) LAYER_RETAIN(clRetainDevice, LAYER_DEVICE, object)
#define clRetainCommandQueue(object) LAYER_RETAIN(clRetainCommandQueue, LAYER_QUEUE, object)
#define clRetainMemObject(object) LAYER_RETAIN(clRetainMemObject, LAYER_BUFFER, object)
#define clRetainProgram(object) LAYER_RETAIN(clRetainProgram, LAYER_PROGRAM, object)
#define clRetainKernel(object) LAYER_RETAIN(clRetainKernel, LAYER_KERNEL, object)
#define clRetainEvent(object) LAYER_RETAIN(clRetainEvent, LAYER_EVENT, object)
#define clReleaseContext(object) LAYER_RELEASE(clReleaseContext, LAYER_CONTEXT, object)
#define clReleaseDevice(object) LAYER_RELEASE(clReleaseDevice, LAYER_DEVICE, object)
#define clReleaseCommandQueue(object) LAYER_RELEASE(clReleaseCommandQueue, LAYER_QUEUE, object)
#define clReleaseMemObject(object) LAYER_RELEASE(clReleaseMemObject, LAYER_BUFFER, object)
#define clReleaseProgram(object) LAYER_RELEASE(clReleaseProgram, LAYER_PROGRAM, object)
#define clReleaseKernel(object) LAYER_RELEASE(clReleaseKernel, LAYER_KERNEL, object)
#define clReleaseEvent(object) LAYER_RELEASE(clReleaseEvent, LAYER_EVENT, object)

#define malloc(bytes) layer_malloc(LAYER_SITE("malloc"), bytes)
#define calloc(count, bytes) layer_calloc(LAYER_SITE("calloc"), count, bytes)
#define realloc(memory, bytes) layer_realloc(LAYER_SITE("realloc"), memory, bytes)
#define free(memory) layer_free(memory)

#endif
