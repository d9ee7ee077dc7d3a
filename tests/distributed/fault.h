/* SPDX-License-Identifier: MIT */
/*
 * A layer between src/distributed/ and what it stands on: OpenCL, clfold and the host's allocator; tests/layer.h is the
 * like for clfold. The build puts this file in front of every file of a second copy of the library. It makes calls of
 * one thread fail, and counts what all threads have created and not released.
 */
#ifndef CLFOLD_TEST_FAULT_H
#define CLFOLD_TEST_FAULT_H

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold.h>

#include <stdbool.h>
#include <stdlib.h>

/* ---- For tests ----------------------------------------------------------------------------------------- */

/* A place in src/distributed/ that calls something. */
typedef struct fault_site {
    const char *file;
    int line;
    const char *call;
    unsigned failed; /* how often it was made to */
} fault_site;

enum { FAULT_MEMORY, FAULT_BUFFER, FAULT_EVENT, FAULT_QUEUE, FAULT_CONTEXT, FAULT_KINDS };

/* Lets the k-th call (from 1) of this thread from now on fail; if `lasting`, all behind it, too. */
void fault_arm(unsigned long k, bool lasting);

/* Ends that. The first that has failed, or NULL. */
const fault_site *fault_disarm(void);

/* Things of a kind that were created or retained, and not released. */
long fault_live(int kind);

/* How many buffers this thread has created. */
unsigned long fault_buffers(void);

/* All places, in no order. */
fault_site *const *fault_sites(size_t *count);

/* ---- For macros ---------------------------------------------------------------------------------------- */

/* The linker gathers pointers to all records in a section of their own. */
#define FAULT_SITE(name) \
    __extension__({                                                                             \
        static fault_site site_ = {__FILE__, __LINE__, name, 0};                                \
        static fault_site *const entry_ __attribute__((section("fault_places"), used)) = &site_; \
        entry_;                                                                                 \
    })

/* Is it this one's turn to fail? */
bool fault_strikes(fault_site *site);
void fault_add(int kind, long count);

#define FAULT_STATUS(call, ...) (fault_strikes(FAULT_SITE(#call)) ? CL_OUT_OF_RESOURCES : (call)(__VA_ARGS__))

/* What one waits for ends, and what is released is gone, even where that fails. */
#define FAULT_AFTER(call, kind, count, ...)                                  \
    __extension__({                                                          \
        const bool strikes_ = fault_strikes(FAULT_SITE(#call));              \
        const cl_int status_ = (call)(__VA_ARGS__);                          \
        fault_add(kind, status_ == CL_SUCCESS ? (count) : 0);                \
        strikes_ ? CL_OUT_OF_RESOURCES : status_;                            \
    })
#define FAULT_RETAIN(call, kind, object)                                     \
    __extension__({                                                          \
        cl_int status_ = CL_OUT_OF_RESOURCES;                                \
        if (!fault_strikes(FAULT_SITE(#call)) && (status_ = (call)(object)) == CL_SUCCESS) \
            fault_add(kind, 1);                                              \
        status_;                                                             \
    })

void *fault_malloc(fault_site *site, size_t bytes);
void *fault_calloc(fault_site *site, size_t count, size_t bytes);
void *fault_realloc(fault_site *site, void *memory, size_t bytes);
void fault_free(void *memory);
cl_mem fault_clCreateBuffer(fault_site *site, cl_context cl, cl_mem_flags flags, size_t bytes, void *data,
                            cl_int *status);
cl_command_queue fault_clCreateCommandQueue(fault_site *site, cl_context cl, cl_device_id device,
                                            cl_command_queue_properties properties, cl_int *status);
void *fault_clEnqueueMapBuffer(fault_site *site, cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                               cl_map_flags flags, size_t offset, size_t bytes, cl_uint wait_count,
                               const cl_event *wait, cl_event *event, cl_int *status);
cl_int fault_clEnqueueMarkerWithWaitList(fault_site *site, cl_command_queue queue, cl_uint wait_count,
                                         const cl_event *wait, cl_event *event);

#ifndef FAULT_PLAIN
#define malloc(bytes) fault_malloc(FAULT_SITE("malloc"), bytes)
#define calloc(count, bytes) fault_calloc(FAULT_SITE("calloc"), count, bytes)
#define realloc(memory, bytes) fault_realloc(FAULT_SITE("realloc"), memory, bytes)
#define free(memory) fault_free(memory)
#define clCreateBuffer(...) fault_clCreateBuffer(FAULT_SITE("clCreateBuffer"), __VA_ARGS__)
#define clCreateCommandQueue(...) fault_clCreateCommandQueue(FAULT_SITE("clCreateCommandQueue"), __VA_ARGS__)
#define clEnqueueMapBuffer(...) fault_clEnqueueMapBuffer(FAULT_SITE("clEnqueueMapBuffer"), __VA_ARGS__)
#define clEnqueueMarkerWithWaitList(...) \
    fault_clEnqueueMarkerWithWaitList(FAULT_SITE("clEnqueueMarkerWithWaitList"), __VA_ARGS__)

#define clEnqueueBarrierWithWaitList(...) FAULT_STATUS(clEnqueueBarrierWithWaitList, __VA_ARGS__)
#define clEnqueueCopyBuffer(...) FAULT_STATUS(clEnqueueCopyBuffer, __VA_ARGS__)
#define clEnqueueCopyBufferRect(...) FAULT_STATUS(clEnqueueCopyBufferRect, __VA_ARGS__)
#define clEnqueueReadBuffer(...) FAULT_STATUS(clEnqueueReadBuffer, __VA_ARGS__)
#define clEnqueueWriteBuffer(...) FAULT_STATUS(clEnqueueWriteBuffer, __VA_ARGS__)
#define clGetCommandQueueInfo(...) FAULT_STATUS(clGetCommandQueueInfo, __VA_ARGS__)
#define clFlush(...) FAULT_STATUS(clFlush, __VA_ARGS__)
#define clf_plan_retain(...) FAULT_STATUS(clf_plan_retain, __VA_ARGS__)

#define clf_adjacent_difference(...) FAULT_STATUS(clf_adjacent_difference, __VA_ARGS__)
#define clf_bounds(...) FAULT_STATUS(clf_bounds, __VA_ARGS__)
#define clf_bounds_plan(...) FAULT_STATUS(clf_bounds_plan, __VA_ARGS__)
#define clf_filter(...) FAULT_STATUS(clf_filter, __VA_ARGS__)
#define clf_reduce(...) FAULT_STATUS(clf_reduce, __VA_ARGS__)
#define clf_reduce_by_index(...) FAULT_STATUS(clf_reduce_by_index, __VA_ARGS__)
#define clf_reduce_by_key(...) FAULT_STATUS(clf_reduce_by_key, __VA_ARGS__)
#define clf_scan(...) FAULT_STATUS(clf_scan, __VA_ARGS__)
#define clf_segmented_reduce(...) FAULT_STATUS(clf_segmented_reduce, __VA_ARGS__)
#define clf_segmented_scan(...) FAULT_STATUS(clf_segmented_scan, __VA_ARGS__)
#define clf_sort(...) FAULT_STATUS(clf_sort, __VA_ARGS__)
#define clf_transpose(...) FAULT_STATUS(clf_transpose, __VA_ARGS__)
#define clf_transpose_plan(...) FAULT_STATUS(clf_transpose_plan, __VA_ARGS__)
#define clf_unique(...) FAULT_STATUS(clf_unique, __VA_ARGS__)

#define clFinish(queue) FAULT_AFTER(clFinish, FAULT_QUEUE, 0, queue)
#define clWaitForEvents(...) FAULT_AFTER(clWaitForEvents, FAULT_EVENT, 0, __VA_ARGS__)
#define clEnqueueUnmapMemObject(...) FAULT_AFTER(clEnqueueUnmapMemObject, FAULT_BUFFER, 0, __VA_ARGS__)
#define clReleaseEvent(event) FAULT_AFTER(clReleaseEvent, FAULT_EVENT, -1, event)
#define clReleaseMemObject(buffer) FAULT_AFTER(clReleaseMemObject, FAULT_BUFFER, -1, buffer)
#define clReleaseCommandQueue(queue) FAULT_AFTER(clReleaseCommandQueue, FAULT_QUEUE, -1, queue)
#define clf_context_release(context) FAULT_AFTER(clf_context_release, FAULT_CONTEXT, -1, context)
#define clRetainCommandQueue(queue) FAULT_RETAIN(clRetainCommandQueue, FAULT_QUEUE, queue)
#define clf_context_retain(context) FAULT_RETAIN(clf_context_retain, FAULT_CONTEXT, context)
#endif

#endif
