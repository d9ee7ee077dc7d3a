/* SPDX-License-Identifier: MIT */
/*
 * Preloaded by oclgrind.sh. Oclgrind 21.10 takes memory that clEnqueueFillBuffer or clEnqueueCopyBuffer wrote for
 * uninitialised, and also what clEnqueueWriteBuffer wrote unless it started at the buffer's first byte. So here a fill
 * and a copy rewrite the whole buffer.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The whole content of a buffer, behind the wait list; the caller's to free. NULL: see *status. */
static char *content_of(cl_command_queue queue, cl_mem buffer, size_t *size, cl_uint wait_count, const cl_event *wait,
                        cl_int *status)
{
    *status = clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof *size, size, NULL);
    char *content = *status ? NULL : malloc(*size);
    if (!content) {
        *status = *status ? *status : CL_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    *status = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, *size, content, wait_count, wait, NULL);
    return content;
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_bytes,
                           size_t offset, size_t bytes, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    size_t size = 0;
    cl_int status;
    char *content = content_of(queue, buffer, &size, wait_count, wait, &status);
    if (!content)
        return status;
    for (size_t i = 0; i < bytes; i += pattern_bytes)
        memcpy(content + offset + i, pattern, pattern_bytes);
    if (!status)
        status = clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, content, 0, NULL, event);
    free(content);
    return status;
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_at, size_t to_at, size_t bytes,
                           cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    size_t size = 0;
    cl_int status;
    char *content = content_of(queue, to, &size, wait_count, wait, &status);
    if (!content)
        return status;
    if (!status)
        status = clEnqueueReadBuffer(queue, from, CL_TRUE, from_at, bytes, content + to_at, 0, NULL, NULL);
    if (!status)
        status = clEnqueueWriteBuffer(queue, to, CL_TRUE, 0, size, content, 0, NULL, event);
    free(content);
    return status;
}

/* How many hold this object, and what it is a part of. */
static cl_uint holders_of(cl_mem object)
{
    cl_uint count = 0;
    clGetMemObjectInfo(object, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL);
    return count;
}

static cl_mem whole_of(cl_mem object)
{
    cl_mem whole = NULL;
    clGetMemObjectInfo(object, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof whole, &whole, NULL);
    return whole;
}

/*
 * A buffer's number is not given again: a byte takes it. The next one of its number would get its marks of what is
 * initialised: reads of what nobody wrote would pass, and what kernels write behind the former one's end would not
 * count. The buffer itself must go: after each kernel Oclgrind clears its records of all bytes that there are.
 */
cl_int clReleaseMemObject(cl_mem object)
{
    cl_int (*release)(cl_mem);
    *(void **)&release = dlsym(RTLD_NEXT, "clReleaseMemObject");
    const cl_mem whole = whole_of(object);
    const bool is_last = holders_of(object) == 1 && (!whole || holders_of(whole) == 1);
    cl_context context = NULL;
    clGetMemObjectInfo(object, CL_MEM_CONTEXT, sizeof context, &context, NULL);
    const cl_int status = release(object);
    if (is_last && !status)
        clCreateBuffer(context, 0, 1, NULL, NULL);
    return status;
}
