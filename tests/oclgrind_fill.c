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

/*
 * A buffer is never given back, unless it is large. The next one of its number would get its marks of what is
 * initialised: reads of what nobody wrote would pass, and what kernels write behind the former one's end would not
 * count.
 */
cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *status)
{
    enum { LARGE = 1 << 20 /* bytes */ };
    cl_mem (*create)(cl_context, cl_mem_flags, size_t, void *, cl_int *);
    *(void **)&create = dlsym(RTLD_NEXT, "clCreateBuffer");
    const cl_mem buffer = create(context, flags, size, host, status);
    if (buffer && size <= LARGE)
        clRetainMemObject(buffer);
    return buffer;
}
